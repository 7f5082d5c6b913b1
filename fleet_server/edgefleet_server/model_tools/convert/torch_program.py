"""Converts a PyTorch ExportedProgram (.pt2) or TorchScript archive (.pt) to ONNX: python torch_program.py SOURCE TARGET.onnx
[SHAPE]

Run as a script by a Python that has PyTorch: it imports no module of this project. Errors end in one line on stderr; exit code
3 if a package has to be installed, 2 if the file is at fault. Loading executes code in the file: convert only trusted files.
"""

from __future__ import annotations

import sys
import warnings

OPSET = 18


def main() -> int:
    source, target, shape = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
    warnings.simplefilter("ignore")
    try:
        import torch

        if source.endswith(".pt2"):
            import onnxscript  # noqa: F401  # what the exporter of ExportedProgram stands on
    except ModuleNotFoundError as cause:
        print(
            f"needs the Python module {cause.name}: pip install 'edgefleet-server[torch]', or give a --python that has it",
            file=sys.stderr,
        )
        return 3
    try:
        if source.endswith(".pt2"):
            program = torch.export.load(source)
            torch.onnx.export(program, f=target, dynamo=True, opset_version=OPSET, external_data=False)
            return 0
        module = torch.jit.load(source, map_location="cpu").eval()
        if not shape:
            print("a TorchScript file does not say its input; give --input-shape, like 1,3,224,224", file=sys.stderr)
            return 2
        example = torch.zeros([int(side) for side in shape.split(",")])
        torch.onnx.export(module, (example,), target, dynamo=False, opset_version=17, input_names=["image"])
    except Exception as cause:  # noqa: BLE001  # whatever the framework raises, a person reads one line
        line = next((each for each in str(cause).splitlines() if each.strip()), "unexpected fault")
        print(f"PyTorch cannot convert it ({line.strip()[:200]}); export it to ONNX where it was trained", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
