"""Facts of a model file: tensors, operators, labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from edgefleet_server.core.errors import ManifestError


@dataclass(frozen=True, slots=True)
class Tensor:
    """One input or output. -1 in `shape` is open; scale 0: not quantized."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    scale: float = 0.0
    zero_point: int = 0


RUNNABLE_CUSTOM = ("custom:edgetpu-custom-op", "custom:TFLite_Detection_PostProcess")
"""Custom operators that a runtime, or its delegate, has."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The facts of a model file. operators: each kind once, custom ones as `custom:NAME`. faults: reasons why a runtime will
    refuse the file. opset: of an ONNX file, 0 for others. half: most weights are 16-bit floats."""

    path: Path
    format: Literal["onnx", "tflite", "openvino_ir"]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    operators: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    faults: tuple[str, ...] = field(default=())
    opset: int = 0
    half: bool = False


def strange_operators(model: ModelFile) -> list[str]:
    """The reasons why a runtime will refuse custom operators of the file, one text each."""
    strange = [each.removeprefix("custom:") for each in sorted(model.operators) if each.startswith("custom:")]
    return [_strange(name) for name in strange if f"custom:{name}" not in RUNNABLE_CUSTOM]


def check_runnable(model: ModelFile) -> None:
    """Check that a runtime can run the file.

    Raises:
        ManifestError: every runtime will refuse it.
    """
    faults = [*model.faults, *strange_operators(model)]
    if faults:
        raise ManifestError(f"{model.path}: {faults[0]}")


def _strange(name: str) -> str:
    if name.startswith("Flex"):
        return f"operator {name!r} needs TensorFlow itself (the Flex delegate); convert the model without SELECT_TF_OPS"
    return f"custom operator {name!r} is in no runtime; convert the model without it"
