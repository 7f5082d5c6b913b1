"""Variable-length integers of protobuf and HPACK: seven bits a byte, least significant first."""

from __future__ import annotations


def varint(value: int) -> bytes:
    """Encode a number of 0 or more."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
