"""Reads the operators of a TFLite file one by one, for checks that need more than their kinds."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.importers.formats.flatbuffers_reader import FlatTable, root

_CUSTOM = 32
_FLOATS, _BYTES = (0, 1), (3, 9)
NAMES = {
    0: "ADD", 1: "AVERAGE_POOL_2D", 2: "CONCATENATION", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D", 5: "DEPTH_TO_SPACE",
    6: "DEQUANTIZE",
    9: "FULLY_CONNECTED", 11: "L2_NORMALIZATION", 14: "LOGISTIC", 16: "LSTM", 17: "MAX_POOL_2D", 18: "MUL", 19: "RELU",
    20: "RELU_N1_TO_1", 21: "RELU6", 22: "RESHAPE", 23: "RESIZE_BILINEAR", 25: "SOFTMAX", 26: "SPACE_TO_DEPTH", 28: "TANH",
    34: "PAD", 36: "GATHER", 37: "BATCH_TO_SPACE_ND", 38: "SPACE_TO_BATCH_ND", 39: "TRANSPOSE", 40: "MEAN", 41: "SUB", 42: "DIV",
    43: "SQUEEZE", 44: "UNIDIRECTIONAL_SEQUENCE_LSTM", 45: "STRIDED_SLICE", 47: "EXP", 48: "TOPK_V2", 49: "SPLIT", 53: "CAST",
    54: "PRELU", 55: "MAXIMUM", 56: "ARG_MAX", 57: "MINIMUM", 65: "SLICE", 67: "TRANSPOSE_CONV", 69: "TILE", 70: "EXPAND_DIMS",
    74: "SUM", 75: "SQRT", 76: "RSQRT", 77: "SHAPE", 82: "REDUCE_MAX", 83: "PACK", 88: "UNPACK", 89: "REDUCE_MIN",
    90: "FLOOR_DIV", 97: "RESIZE_NEAREST_NEIGHBOR", 98: "LEAKY_RELU", 99: "SQUARED_DIFFERENCE", 100: "MIRROR_PAD", 101: "ABS",
    102: "SPLIT_V", 107: "GATHER_ND", 114: "QUANTIZE", 117: "HARD_SWISH",
}  # fmt: skip
"""Numbers of schema.fbs."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator. is_float: it reads or writes computed floats. is_8_bit: it reads or writes 8-bit numbers. per_channel: its
    weights have several scales. open_sides: it has an output whose size is only known at run time."""

    name: str
    version: int
    is_float: bool
    is_8_bit: bool
    per_channel: bool
    open_sides: bool


def read_operators(path: Path) -> list[Operator]:
    """All operators of the main graph, in execution order.

    Raises:
        ManifestError: not a whole TFLite file.
    """
    try:
        data = path.read_bytes()
        model = root(data)
        codes, graph = model.tables(1), model.tables(2)[0]
        tensors = graph.tables(0)
        stored = [buffer.length(0) > 0 for buffer in model.tables(4)]
        return [_operator(each, codes, tensors, stored) for each in graph.tables(3)]
    except (struct.error, IndexError, ValueError, OSError) as cause:
        raise ManifestError(f"{path}: not a whole TFLite file; convert it again") from cause


def _operator(operator: FlatTable, codes: list[FlatTable], tensors: list[FlatTable], stored: list[bool]) -> Operator:
    code = codes[operator.number(0, "I")]
    number = max(code.number(0, "b"), code.number(3, "i"))
    inputs = [tensors[int(each)] for each in operator.numbers(1, "i") if each >= 0]
    outputs = [tensors[int(each)] for each in operator.numbers(2, "i") if each >= 0]
    computed = [tensor for tensor in inputs if not stored[tensor.number(2, "I")]] + outputs
    name = code.text(1) if number == _CUSTOM else NAMES.get(number, f"operator {number}")
    return Operator(
        name=name,
        version=code.number(2, "i", 1),
        is_float=any(tensor.number(1, "b") in _FLOATS for tensor in computed),
        is_8_bit=any(tensor.number(1, "b") in _BYTES for tensor in computed),
        per_channel=len(inputs) > 1 and _scales(inputs[1]) > 1,
        open_sides=any(-1 in tensor.numbers(7, "i") for tensor in outputs),
    )


def _scales(tensor: FlatTable) -> int:
    quantization = tensor.table(4)
    return len(quantization.numbers(2, "f")) if quantization else 0
