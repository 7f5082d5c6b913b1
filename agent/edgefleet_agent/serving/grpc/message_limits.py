"""Limits of messages, when they are decompressed and before they are parsed: the parser of Protobuf holds up all other threads
until it ends, and makes an object of each empty field. Only lengths are read here, so that a message of a few large tensors costs
a few steps."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np

from edgefleet_agent.core.protobuf_fields import fields
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.json_limits import SHAPE_BYTES_MAX, VALUES_MAX

FIELDS_MAX = 4096
"""Fields of a message, and those of an input without its contents."""
_INPUTS, _SHAPE, _CONTENTS = 5, 3, 5
"""Field numbers of `ModelInferRequest.inputs`, and of an input's `shape` and `contents`."""
_ELEMENT_BYTES = {6: 4, 7: 8}
"""Field numbers of packed contents of a fixed size."""
_TEXTS = 8


class UnpackingError(Exception):
    """A message cannot be decompressed."""

    def __init__(self, status: Status, text: str) -> None:
        super().__init__(text)
        self.status = status


def decompressed(data: memoryview, packed: int, coding: bytes, bytes_max: int) -> memoryview:
    """The decompressed message. packed: the flag of its prefix. coding: of the call. bytes_max: of the result.

    Raises:
        UnpackingError: the coding is unknown, the message is damaged or incomplete, or the result is too large.
    """
    if packed != 1 or coding not in (b"gzip", b"deflate"):
        raise UnpackingError(Status.UNIMPLEMENTED, "message encoding must be gzip or deflate")
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | (16 if coding == b"gzip" else 0))
    try:
        found = unpacker.decompress(data, bytes_max + 1)
    except zlib.error as cause:
        raise UnpackingError(Status.INVALID_ARGUMENT, f"a message cannot be decompressed: {cause}") from cause
    if len(found) > bytes_max or not unpacker.eof:
        text = f"a decompressed message is larger than {bytes_max} bytes or incomplete"
        raise UnpackingError(Status.RESOURCE_EXHAUSTED, text)
    return memoryview(found)


def check_fields(data: memoryview) -> None:
    """Check the number of fields of any message.

    Raises:
        CallError: there are too many, or it is no message.
    """
    for count, _ in enumerate(_message(data)):
        _check_count(count)


def check_infer(data: memoryview, values_max: int = VALUES_MAX) -> None:
    """Check the fields of a `ModelInferRequest`. values_max: of all typed contents.

    Raises:
        CallError: there are too many fields or elements, or it is no message.
    """
    count = values = 0
    for number, value in _message(data):
        count += 1
        _check_count(count)
        if number != _INPUTS:
            continue
        for inner, part in _message(value):
            if inner == _CONTENTS:
                for field_number, elements in _message(part):
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


def _message(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and bytes of each field; empty bytes for a number."""
    try:
        for number, value in fields(data):
            yield number, value if isinstance(value, memoryview) else data[:0]
    except ValueError as cause:
        raise invalid(f"the message is damaged: {cause}") from cause
