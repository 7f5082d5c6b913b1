"""Fields of protobuf messages as bytes, for what is read or written without a schema; and variable-length integers, which HPACK
has as well: seven bits a byte, least significant first."""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_VARINT_BYTES_MAX = 10


def varint(value: int) -> bytes:
    """Encode a number of 0 or more."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """Return the number at a position, and the position after it.

    Raises:
        ValueError: it has no end.
    """
    value = 0
    for index, byte in enumerate(data[at : at + _VARINT_BYTES_MAX]):
        value |= (byte & 127) << 7 * index
        if byte < 128:
            return value, at + index + 1
    raise ValueError("a number without an end")


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield number and value of each field of a message: a whole number, or a block of bytes.

    Raises:
        ValueError: it is no message.
    """
    at, size = 0, len(data)
    while at < size:
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
            yield key >> 3, value
            continue
        if kind == BYTES:
            length, at = read_varint(data, at)
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
        else:
            raise ValueError("an unknown kind of field")
        if length > size - at:
            raise ValueError("a field beyond the end")
        yield key >> 3, data[at : at + length]
        at += length
