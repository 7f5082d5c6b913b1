"""Whole numbers as protobuf and HTTP/2's header compression write them: seven bits a byte, the lowest first."""

from __future__ import annotations


def varint(value: int) -> bytes:
    """A number of 0 or more."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
