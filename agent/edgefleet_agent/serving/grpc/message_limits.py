"""Limits of Protobuf messages, checked before they are parsed: the parser holds up all other threads until it ends, and makes an
object of each empty field. Only lengths are read here, so a message of a few large tensors costs a few steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.json_limits import SHAPE_BYTES_MAX, VALUES_MAX

FIELDS_MAX = 4096
"""Fields of a message, and those of an input without its contents."""
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_INPUTS, _SHAPE, _CONTENTS = 5, 3, 5
"""Field numbers of `ModelInferRequest.inputs`, and of an input's `shape` and `contents`."""
_ELEMENT_BYTES = {6: 4, 7: 8}
"""Field numbers of packed contents of a fixed size."""
_TEXTS = 8


def check_fields(data: memoryview) -> None:
    """Check the number of fields of any message.

    Raises:
        CallError: there are too many, or it is no message.
    """
    for count, _ in enumerate(_fields(data)):
        _check_count(count)


def check_infer(data: memoryview, values_max: int = VALUES_MAX) -> None:
    """Check the fields of a `ModelInferRequest`. values_max: of all typed contents.

    Raises:
        CallError: there are too many fields or elements, or it is no message.
    """
    count = values = 0
    for number, value in _fields(data):
        count += 1
        _check_count(count)
        if number != _INPUTS:
            continue
        for inner, part in _fields(value):
            if inner == _CONTENTS:
                for field_number, elements in _fields(part):
                    values += _elements(field_number, elements)
                    if values > values_max:
                        what = f"the typed contents have more than {values_max} elements"
                        raise CallError(
                            Code.TOO_LARGE, f"{what}; send large tensors in raw_input_contents, or raise --json-values"
                        )
                continue
            count += 1
            _check_count(count)
            if inner == _SHAPE and len(part) > SHAPE_BYTES_MAX:
                raise invalid("a shape has too many dimensions")


def _check_count(count: int) -> None:
    if count > FIELDS_MAX:
        raise invalid(f"the message has more than {FIELDS_MAX} inputs, outputs, parameters and contents")


def _elements(number: int, data: memoryview) -> int:
    """Elements of one field of contents; an unpacked one has one."""
    if number == _TEXTS or not len(data):
        return 1
    if number in _ELEMENT_BYTES:
        return len(data) // _ELEMENT_BYTES[number]
    pieces = (data[at : at + 2**20] for at in range(0, len(data), 2**20))
    return sum(int(np.count_nonzero(np.frombuffer(piece, np.uint8) < 128)) for piece in pieces)


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and bytes of each field; empty bytes for a number."""
    at, size = 0, len(data)
    while at < size:
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _VARINT:
            start = at
            _, at = _varint(data, at)
            length = 0
        elif kind == _BYTES:
            length, start = _varint(data, at)
        elif kind in (_FIXED64, _FIXED32):
            length, start = (8 if kind == _FIXED64 else 4), at
        else:
            raise _damaged()
        if kind != _VARINT:
            at = start + length
        if at > size:
            raise _damaged()
        yield tag >> 3, data[start : start + length] if kind == _BYTES else data[:0]


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """The number at a position, and the position after it."""
    value = 0
    for index, byte in enumerate(data[at : at + 10]):
        value |= (byte & 127) << 7 * index
        if byte < 128:
            return value, at + index + 1
    raise _damaged()


def _damaged() -> CallError:
    return invalid("the message is damaged")
