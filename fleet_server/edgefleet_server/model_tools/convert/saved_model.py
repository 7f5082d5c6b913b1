"""Converts a TensorFlow SavedModel to TFLite, or by OpenVINO to IR: python saved_model.py SOURCE TARGET_STEM

Run as a script by a Python that has TensorFlow or OpenVINO: it imports no module of this project. Prints the file that it wrote.
Errors end in one line on stderr; exit code 3 if a package has to be installed, 2 if the model is at fault.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    source, stem = sys.argv[1], sys.argv[2]
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it would report to a web service
    try:
        if has("tensorflow"):
            print(by_tensorflow(source, stem))
            return 0
        if has("openvino"):
            print(by_openvino(source, stem))
            return 0
    except Exception as cause:  # noqa: BLE001  # whatever the framework raises, a person reads one line
        lines = [each.strip() for each in str(cause).splitlines() if each.strip()]
        line = next((each for each in lines if not each.startswith(("Exception from", "Check '"))), "unexpected fault")
        print(f"cannot be converted ({line[:200]}); export it to TFLite where it was trained", file=sys.stderr)
        return 2
    advice = "pip install openvino (gives OpenVINO IR), or give a --python that has tensorflow (gives TFLite)"
    print(f"needs the Python module tensorflow or openvino: {advice}", file=sys.stderr)
    return 3


def has(module: str) -> bool:
    """Whether a module is installed; does not import it."""
    return importlib.util.find_spec(module) is not None


def by_tensorflow(source: str, stem: str) -> str:
    """Convert to float TFLite with a batch of one; returns the file."""
    import tensorflow as tf

    model = tf.saved_model.load(source)
    if not model.signatures:
        raise ValueError("it has no signature to call")
    signature = model.signatures.get("serving_default") or next(iter(model.signatures.values()))
    specs = {
        name: tf.TensorSpec([side or 1 for side in spec.shape.as_list()], spec.dtype, name=name)
        for name, spec in signature.structured_input_signature[1].items()
    }

    def call(**inputs: Any) -> Any:
        return signature(**inputs)

    concrete = tf.function(call).get_concrete_function(**specs)
    target = Path(f"{stem}.tflite")
    target.write_bytes(tf.lite.TFLiteConverter.from_concrete_functions([concrete], model).convert())
    return str(target)


def by_openvino(source: str, stem: str) -> str:
    """Convert to IR in the precision of the model, with a batch of one; returns the file."""
    import openvino

    model = openvino.convert_model(source)
    shapes = {}
    for port in model.inputs:
        sides = list(port.get_partial_shape())
        shapes[port] = [1 if index == 0 and side.is_dynamic else side for index, side in enumerate(sides)]
    model.reshape(shapes)
    target = f"{stem}.xml"
    openvino.save_model(model, target, compress_to_fp16=False)
    return target


if __name__ == "__main__":
    sys.exit(main())
