"""Parameter sets that cameras send within H.264 and H.265 streams: they change when the size of the pictures does.

Pure: packets are given as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Kind:
    """Numbers of unit types. shift, mask: where the type is in a unit's first byte. pictures: types of coded pictures."""

    shift: int
    mask: int
    sequence: int
    pictures: range


_KINDS = {"h264": _Kind(0, 0x1F, 7, range(1, 6)), "hevc": _Kind(1, 0x3F, 33, range(32))}


class ParameterSets:
    """Finds the parameter sets of a stream. header: its parameters outside of packets, which tell how units are separated: by
    lengths if they begin with 1, as in MP4, otherwise by start codes."""

    def __init__(self, codec: str, header: bytes) -> None:
        self._kind = _KINDS.get(codec)
        self._by_length = header[:1] == b"\x01"

    def of(self, packet: bytes) -> bytes:
        """The sequence parameters before the picture of a packet; empty if it has none, or for other codecs."""
        kind, found = self._kind, b""
        if kind is None:
            return found
        for unit in _by_lengths(packet) if self._by_length else _by_start_codes(packet):
            number = unit[0] >> kind.shift & kind.mask
            if number in kind.pictures:
                break
            if number == kind.sequence:
                found += unit
        return found


def _by_lengths(packet: bytes) -> Iterator[bytes]:
    at = 0
    while at + 4 < len(packet):
        length = int.from_bytes(packet[at : at + 4], "big")
        if not length:
            return
        yield packet[at + 4 : at + 4 + length]
        at += 4 + length


def _by_start_codes(packet: bytes) -> Iterator[bytes]:
    at = packet.find(b"\0\0\1")
    while 0 <= at < len(packet) - 3:
        following = packet.find(b"\0\0\1", at + 3)
        yield packet[at + 3 : following if following >= 0 else len(packet)].rstrip(b"\0") or b"\0"
        at = following
