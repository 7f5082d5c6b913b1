"""Whether a run of a model computes the same operators on arrays of the same size, whatever its inputs hold.

A loop may end after one turn or after a million, and an operator such as Tile takes the size of its output from an input. Such a
model answers the calls that measure it in microseconds, and one later call in minutes.
"""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from edgefleet_agent.backends.onnx_runtime.onnx_graph import Node, OnnxGraph, read_graph

_DOMAINS: Final = ("", "com.microsoft")
_ONNX_SIZES: Final = {
    "Range": (0, 1, 2), "ConstantOfShape": (0,), "Expand": (1,), "Tile": (1,), "Pad": (1,), "Resize": (2, 3), "Upsample": (1,),
    "OneHot": (1,), "CenterCropPad": (1,), "BlackmanWindow": (0,), "HannWindow": (0,), "HammingWindow": (0,),
    "MelWeightMatrix": (0, 1, 2, 3, 4), "DFT": (1,), "AffineGrid": (1,), "MaxUnpool": (2,), "Col2Im": (1,),
}  # fmt: skip
"""Operators of which these inputs give the size of the output."""
_OPENVINO: Final = frozenset({
    "Loop", "TensorIterator", "If", "Range", "Broadcast", "Tile", "Pad", "Interpolate", "OneHot", "RandomUniform", "DFT", "RDFT",
    "Col2Im", "AdaptiveAvgPool", "AdaptiveMaxPool",
})  # fmt: skip
_TFLITE: Final = {
    118: "IF", 119: "WHILE", 200: "STABLEHLO_WHILE", 32: "CUSTOM", 173: "STABLEHLO_CUSTOM_CALL", 96: "RANGE", 94: "FILL",
    69: "TILE", 130: "BROADCAST_TO", 34: "PAD", 60: "PADV2", 100: "MIRROR_PAD", 195: "STABLEHLO_PAD", 85: "ONE_HOT",
    68: "SPARSE_TO_DENSE", 23: "RESIZE_BILINEAR", 97: "RESIZE_NEAREST_NEIGHBOR", 67: "TRANSPOSE_CONV", 141: "CONV_3D_TRANSPOSE",
    37: "BATCH_TO_SPACE_ND", 38: "SPACE_TO_BATCH_ND", 148: "RANDOM_UNIFORM", 146: "RANDOM_STANDARD_NORMAL", 149: "MULTINOMIAL",
}  # fmt: skip
"""Codes of BuiltinOperator in the schema of TensorFlow Lite."""
_OPERATORS_MAX: Final = 10_000


def has_constant_work(file: Path) -> bool:
    """Whether the operators of a model file show it. False: they do not, or the format is another one."""
    try:
        if file.suffix == ".onnx":
            return _onnx(read_graph(file))
        if file.suffix == ".xml":
            return not any(each.get("type") in _OPENVINO for each in ET.parse(file).iter("layer"))  # noqa: S314
        if file.suffix == ".tflite":
            return _TFLITE.keys().isdisjoint(_tflite_codes(file.read_bytes()))
    except (ValueError, LookupError, OSError, struct.error, ET.ParseError):
        return False  # the runtime has accepted the file, so it is this reader that does not understand it
    return False


def _onnx(graph: OnnxGraph) -> bool:
    constants = {*graph.constants, *(name for node in graph.nodes if node.kind == "Constant" for name in node.outputs), ""}
    return not graph.functions and all(_is_constant(node, constants) for node in graph.nodes)


def _is_constant(node: Node, constants: set[str]) -> bool:
    sizes = [node.inputs[index] for index in _ONNX_SIZES.get(node.kind, ()) if index < len(node.inputs)]
    return not node.subgraphs and node.domain in _DOMAINS and constants.issuperset(sizes)


def _tflite_codes(data: bytes) -> Iterator[int]:
    """The codes of the operators of a .tflite file: a FlatBuffer, whose tables begin with the distance to the places of their
    fields."""
    codes = _field(data, _offset(data, 0), 1)
    if codes is None:
        raise ValueError("no operators")
    vector = _offset(data, codes)
    for index in range(min(struct.unpack_from("<I", data, vector)[0], _OPERATORS_MAX)):
        table = _offset(data, vector + 4 + 4 * index)
        old, new = _field(data, table, 0), _field(data, table, 3)
        yield max(
            0 if old is None else struct.unpack_from("<b", data, old)[0],
            0 if new is None else struct.unpack_from("<i", data, new)[0],
        )


def _offset(data: bytes, at: int) -> int:
    return int(at + struct.unpack_from("<I", data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """The place of a field of a table; None if it has its default."""
    places = table - struct.unpack_from("<i", data, table)[0]
    if 4 + 2 * number + 2 > struct.unpack_from("<H", data, places)[0]:
        return None
    distance = struct.unpack_from("<H", data, places + 4 + 2 * number)[0]
    return table + distance if distance else None
