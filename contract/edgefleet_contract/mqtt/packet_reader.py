"""Reads MQTT packets from bytes. Pure. Only PUBLISH packets are decoded: a server receives hardly anything else."""

from __future__ import annotations

from typing import Final, NamedTuple

PUBACK: Final = 0x40
_PUBLISH: Final = 0x30
_LENGTH_BYTES_MAX: Final = 4


class Publish(NamedTuple):
    """A PUBLISH packet of QoS 0 or 1 without its properties. `mid` 0: QoS 0."""

    topic: str
    payload: bytes
    mid: int
    qos: int
    retain: bool


def read_publishes(data: bytes, at: int, *, has_properties: bool) -> tuple[list[Publish], int, bool]:
    """The PUBLISH packets of `data` from `at` on; the place behind them; and whether a whole packet is there: one of another
    type, of QoS 2, or an invalid one. False: the rest of `data` is the beginning of a packet, or nothing.

    `has_properties`: packets are of MQTT 5.
    """
    found: list[Publish] = []
    length = len(data)
    while at < length:
        span = _span(data, at)
        if span is None:
            return found, at, False
        start, end = span
        head = data[at]
        qos = (head >> 1) & 3
        if head & 0xF0 != _PUBLISH or qos > 1 or end - start < 2:
            return found, at, True
        place = start + 2 + (data[start] << 8 | data[start + 1])
        topic = data[start + 2 : place]
        mid = 0
        if qos:
            mid = int.from_bytes(data[place : place + 2], "big")
            place += 2
        if has_properties and place < end:
            properties = _span(data, place - 1)
            place = properties[1] if properties is not None else end + 1
        elif has_properties:
            place = end + 1
        if place > end:
            return found, at, True
        found.append(Publish(topic.decode(errors="replace"), data[place:end], mid, qos, head & 1 == 1))
        at = end
    return found, at, False


def _span(data: bytes, at: int) -> tuple[int, int] | None:
    """(start, end) of the contents of the packet at `at`; None if some of it is missing. A packet whose length is invalid ends
    there."""
    length, shift = 0, 0
    last = at + 1 + _LENGTH_BYTES_MAX
    for place in range(at + 1, min(len(data), last)):
        byte = data[place]
        length |= (byte & 127) << shift
        if byte < 128:
            end = place + 1 + length
            return (place + 1, end) if end <= len(data) else None
        shift += 7
    return (last, last) if last <= len(data) else None
