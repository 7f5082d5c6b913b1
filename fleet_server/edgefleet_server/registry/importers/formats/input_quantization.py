"""Quantization of an ONNX graph's integer inputs: the graph itself dequantizes them, no tensor has a scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from edgefleet_contract.package.formats import Tensor

_PASSING = ("Identity", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten")
_STEPS_MAX = 8


@dataclass(frozen=True, slots=True)
class TensorOperator:
    """An operator with the names of its tensors."""

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def dequantizes(self) -> bool:
        """Whether inputs 1 and 2 are scale and zero point of input 0."""
        return self.operator == "DequantizeLinear" or self.operator.startswith("QLinear")


def is_relevant(operator: str) -> bool:
    """Whether a node of this kind is needed by `with_quantization`."""
    return operator in _PASSING or operator == "DequantizeLinear" or operator.startswith("QLinear")


def with_quantization(tensor: Tensor, nodes: Sequence[TensorOperator], scalar: Callable[[str], float | None]) -> Tensor:
    """The input with the scale and zero point of the first operator that reads it, if that dequantizes. nodes: the relevant ones
    of the graph; scalar: the value of a stored tensor of one element, None for others."""
    name = tensor.name
    if tensor.dtype not in ("uint8", "int8"):
        return tensor
    for _ in range(_STEPS_MAX):
        reading = [node for node in nodes if node.inputs[:1] == (name,)]
        found = next((node for node in reading if node.dequantizes and len(node.inputs) > 1), None)
        if found is not None:
            scale = scalar(found.inputs[1])
            zero_point = scalar(found.inputs[2]) if len(found.inputs) > 2 and found.inputs[2] else 0.0
            known = scale is not None and zero_point is not None and scale > 0
            return replace(tensor, scale=scale, zero_point=int(zero_point)) if known else tensor  # type: ignore[arg-type]
        if len(reading) != 1 or not reading[0].outputs:
            return tensor
        name = reading[0].outputs[0]
    return tensor
