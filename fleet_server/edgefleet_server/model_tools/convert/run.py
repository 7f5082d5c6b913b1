"""Runs converters of model formats in a child process, before an import."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from edgefleet_server.core.errors import InputError, MissingError, UnavailableError

HERE = Path(__file__).resolve().parent
LIMIT_S = 1800
_TORCH = (".pt2", ".pt", ".torchscript", ".pth")


@dataclass(frozen=True, slots=True)
class Conversion:
    """python: an interpreter that has the framework; None: the current one. shape: that of a TorchScript model's input."""

    python: Path | None = None
    shape: tuple[int, ...] = ()


def convertible(source: Path) -> bool:
    """Whether `source` is a model in the format of a framework."""
    return (source / "saved_model.pb").is_file() or (source.is_file() and source.suffix in _TORCH)


def convert(source: Path, into: Path, how: Conversion) -> Path:
    """The converted model file in the folder `into`: .onnx from PyTorch, .tflite or .xml from TensorFlow.

    Raises:
        MissingError: the framework is not installed. InputError: it cannot be converted. UnavailableError: it takes too long.
    """
    stem = source.resolve().stem
    if source.is_dir():
        command = ["saved_model.py", str(source), str(into / stem)]
    else:
        # Only loading distinguishes bare weights from programs: torch.save and torch.jit.save write the same suffixes.
        command = ["torch_program.py", str(source), str(into / f"{stem}.onnx"), ",".join(str(side) for side in how.shape)]
    python = str(how.python or sys.executable)
    try:
        done = subprocess.run(
            [python, str(HERE / command[0]), *command[1:]],
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
            env=os.environ | {"PYTHONPATH": "", "CUDA_VISIBLE_DEVICES": ""},
        )
    except subprocess.TimeoutExpired as cause:
        raise UnavailableError(f"{source}: not converted within {LIMIT_S} s; export it where it was trained") from cause
    except OSError as cause:
        raise InputError(f"--python {python}: cannot be started: {cause.strerror}; give the path of an interpreter") from cause
    if done.returncode:
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        text = f"{source}: {lines[-1] if lines else f'the converter ended with code {done.returncode}'}"
        raise MissingError(text) if done.returncode == MissingError.exit_code else InputError(text)
    made = sorted(path for path in into.glob(f"{stem}.*") if path.suffix in (".onnx", ".tflite", ".xml"))
    if not made:
        raise InputError(f"{source}: the converter wrote nothing; export it where it was trained")
    return made[0]
