"""Facts of an OpenVINO graph beyond its tensors: quantization of an integer input, classes of its post-processing."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edgefleet_contract.package.formats import Tensor

Layer = dict[str, Any]

_SCALARS = {"f32": "<f", "f16": "<e", "u8": "<B", "i8": "<b"}
_PASSING = ("Convert", "Transpose", "Reshape")
_STEPS_MAX = 8
_LEVELS = 256


class IrGraph:
    """Layers and edges of an IR, and its weights. layers: attributes, `data` and `ports`, as they are in the XML."""

    def __init__(self, layers: Sequence[Layer], edges: Sequence[dict[str, str]], weights: Path) -> None:
        self._layers = {str(layer.get("id")): layer for layer in layers}
        self._weights = weights
        self._sources = {(edge.get("to-layer"), edge.get("to-port")): edge.get("from-layer") for edge in edges}
        self._readers: dict[str | None, list[Layer]] = {}
        for edge in edges:
            reader = self._layers.get(str(edge.get("to-layer")))
            if reader is not None:
                self._readers.setdefault(edge.get("from-layer"), []).append(reader)

    def quantized(self, parameter: Layer, tensor: Tensor) -> Tensor:
        """The input with the scale and zero point by which the graph converts it to real numbers: in a FakeQuantize layer of 256
        levels, or as Subtract of a whole number and Multiply."""
        if tensor.dtype not in ("uint8", "int8"):
            return tensor
        layer, zero_point = parameter, 0.0
        for _ in range(_STEPS_MAX):
            readers = self._readers.get(str(layer.get("id")), [])
            if len(readers) != 1:
                return tensor
            (layer,) = readers
            kind = layer.get("type")
            if kind == "FakeQuantize":
                return self._fake_quantized(layer, tensor)
            if kind == "Subtract":
                value = self._input_scalar(layer, 1)
                if value is None or value != int(value):
                    return tensor
                zero_point = value
            elif kind == "Multiply":
                scale = self._input_scalar(layer, 1)
                return replace(tensor, scale=scale, zero_point=int(zero_point)) if scale is not None and scale > 0 else tensor
            elif kind not in _PASSING:
                return tensor
        return tensor

    def classes(self) -> int:
        """Class numbers of a DetectionOutput layer, the background's included if it counts; 0 without one that says it."""
        for layer in self._layers.values():
            data = layer.get("data", {})
            if layer.get("type") != "DetectionOutput" or data.get("share_location") not in ("true", "1"):
                continue
            sides = {port.get("id"): port["dims"] for port in layer["ports"] if port["side"] == "input"}
            boxes, scores = (sides.get(number, [])[-1:] for number in ("0", "1"))
            if not boxes or not scores or min(boxes[0], scores[0]) < 1 or scores[0] * 4 % boxes[0]:
                continue
            return int(scores[0] * 4 // boxes[0]) - (data.get("decrease_label_id") in ("true", "1"))
        return 0

    def _fake_quantized(self, layer: Layer, tensor: Tensor) -> Tensor:
        values = [self._input_scalar(layer, port) for port in (1, 2, 3, 4)]
        low, high, real_low, real_high = (each if each is not None else 0.0 for each in values)
        if None in values or high - low != _LEVELS - 1 or layer.get("data", {}).get("levels") != str(_LEVELS):
            return tensor
        scale = (real_high - real_low) / (high - low)
        return replace(tensor, scale=scale, zero_point=round(low - real_low / scale)) if scale > 0 else tensor

    def _input_scalar(self, layer: Layer, port: int) -> float | None:
        """The value of a constant of one element, which may be stored in another type."""
        source = self._layers.get(str(self._sources.get((str(layer.get("id")), str(port)))))
        if source is not None and source.get("type") == "Convert":
            source = self._layers.get(str(self._sources.get((str(source.get("id")), "0"))))
        if source is None or source.get("type") != "Const":
            return None
        data = source.get("data", {})
        layout = _SCALARS.get(str(data.get("element_type")))
        if layout is None or data.get("size") != str(struct.calcsize(layout)):
            return None
        with self._weights.open("rb") as file:
            file.seek(int(data.get("offset", "0")))
            stored = file.read(struct.calcsize(layout))
        return float(struct.unpack(layout, stored)[0])
