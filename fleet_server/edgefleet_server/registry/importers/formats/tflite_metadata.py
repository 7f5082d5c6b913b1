"""Facts of a TensorFlow Lite file beyond its tensors: the scaling of pixels in its metadata (metadata_schema.fbs), and the number
of classes in the options of its post-processing (FlexBuffers)."""

from __future__ import annotations

import struct
from typing import TypedDict

from edgefleet_server.registry.importers.formats.flatbuffers_reader import FlatTable, root

_METADATA = "TFLITE_METADATA"
_NORMALIZATION = 1
_POST_PROCESS = "TFLite_Detection_PostProcess"
_CUSTOM = 32
_CHANNELS_MAX = 4
_MAP = 9
_INTEGERS = {1: "bhiq", 2: "BHIQ"}
"""Type in a FlexBuffer to the letters of `struct` for 1, 2, 4 and 8 bytes."""
_KEYS_MAX = 100


class Stated(TypedDict, total=False):
    """Fields of a `Tensor`."""

    mean: tuple[float, ...]
    std: tuple[float, ...]


def stated_scaling(model: FlatTable) -> list[Stated]:
    """Mean and std of each input in its order; empty where the metadata states none, or is damaged: no runtime reads it."""
    try:
        places = [int(each.number(1, "I")) for each in model.tables(6) if each.text(0) == _METADATA]
        data = model.tables(4)[places[0]].raw(0) if places else b""
        graphs = root(data).tables(3) if data[4:8] == b"M001" else []
        return [_normalization(tensor) for tensor in graphs[0].tables(2)] if graphs else []
    except (struct.error, IndexError, ValueError):
        return []


def _normalization(tensor: FlatTable) -> Stated:
    for unit in tensor.tables(4):
        options = unit.table(1) if unit.number(0, "B") == _NORMALIZATION else None
        if options is not None:
            mean, std = tuple(options.numbers(0, "f")), tuple(options.numbers(1, "f"))
            finite = all(abs(each) < 1e6 for each in mean) and all(1e-6 < each < 1e6 for each in std)
            if finite and 0 < len(mean) <= _CHANNELS_MAX and 0 < len(std) <= _CHANNELS_MAX:
                return {"mean": mean, "std": std}
    return {}


def post_processed_classes(model: FlatTable, graph: FlatTable) -> int:
    """The number of classes in the options of the operator TFLite_Detection_PostProcess; 0 without one, or with other options.

    Raises:
        struct.error, IndexError, ValueError: the file is damaged.
    """
    names = [code.text(1) if max(code.number(0, "b"), code.number(3, "i")) == _CUSTOM else "" for code in model.tables(1)]
    if _POST_PROCESS not in names:
        return 0
    for operator in graph.tables(3):
        if names[operator.number(0, "I")] == _POST_PROCESS:
            options = operator.raw(5)
            try:
                return max(0, flex_integer(options, b"num_classes"))
            except (struct.error, IndexError, ValueError):
                return 0
    return 0


def flex_integer(data: bytes, key: bytes) -> int:
    """The whole number of `key` in a FlexBuffer that is a map; 0 without one."""
    if len(data) < 3 or data[-2] >> 2 != _MAP:
        return 0
    root_at = len(data) - 2 - data[-1]
    width = 1 << (data[-2] & 3)
    values = root_at - _unsigned(data, root_at, data[-1])
    count = _unsigned(data, values - width, width)
    keys_at = values - 3 * width
    keys = keys_at - _unsigned(data, keys_at, width)
    key_width = _unsigned(data, values - 2 * width, width)
    if min(values, keys) < 0 or count > _KEYS_MAX:
        raise ValueError("not a FlexBuffer")
    for number in range(count):
        at = keys + number * key_width
        start = at - _unsigned(data, at, key_width)
        if data[start : data.index(b"\0", start)] == key:
            letters = _INTEGERS.get(data[values + count * width + number] >> 2, "")
            return (
                int(struct.unpack_from(f"<{letters[width.bit_length() - 1]}", data, values + number * width)[0]) if letters else 0
            )
    return 0


def _unsigned(data: bytes, at: int, width: int) -> int:
    if at < 0 or width not in (1, 2, 4, 8):
        raise ValueError("not a FlexBuffer")
    return int(struct.unpack_from(f"<{'BHIQ'[width.bit_length() - 1]}", data, at)[0])
