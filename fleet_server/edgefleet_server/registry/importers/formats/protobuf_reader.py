"""Reads protobuf messages, field by field, without a schema."""

from __future__ import annotations

from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIELDS_MAX = 1_000_000
"""Fields of one message: repeated numbers are packed into one field."""


def whole(value: memoryview, number: int) -> int:
    """The first whole number of a field; 0 without one."""
    return next((each for field, each in fields(value) if field == number and isinstance(each, int)), 0)


def part(value: memoryview, number: int) -> memoryview:
    """The first bytes of a field; empty without them."""
    return next((each for field, each in fields(value) if field == number and isinstance(each, memoryview)), memoryview(b""))


def text(value: memoryview, number: int) -> str:
    """The first text of a field; empty without one."""
    return bytes(part(value, number)).decode()


def texts(value: memoryview, number: int) -> tuple[str, ...]:
    """All texts of a field."""
    return tuple(bytes(each).decode() for field, each in fields(value) if field == number and isinstance(each, memoryview))


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(number, value) of a message: whole numbers and byte ranges; other numbers are skipped.

    Raises:
        ValueError, IndexError: not protobuf.
    """
    at, count = 0, 0
    while at < len(data):
        count += 1
        if count > _FIELDS_MAX:
            raise ValueError("too many fields")
        key, at = varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            number, at = varint(data, at)
            yield key >> 3, number
        elif kind == _BYTES:
            length, at = varint(data, at)
            if at + length > len(data):
                raise ValueError("cut off")
            yield key >> 3, data[at : at + length]
            at += length
        elif kind in (_FIXED64, _FIXED32):
            at += 8 if kind == _FIXED64 else 4
        else:
            raise ValueError("not protobuf")


def varint(data: memoryview, at: int) -> tuple[int, int]:
    """The whole number at `at`, and the place behind it.

    Raises:
        ValueError, IndexError: not protobuf.
    """
    value, shift = 0, 0
    while shift < 64:
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("not protobuf")
