"""Packets of MQTT as bytes. Pure. Section numbers are those of the OASIS standard "MQTT Version 3.1.1" (2014).

Of received packets only PUBLISH is decoded here, for a server: it receives hardly anything else.
"""

from __future__ import annotations

from typing import Final, NamedTuple

CONNACK: Final = 0x20
PUBLISH: Final = 0x30
PUBACK: Final = 0x40
PINGRESP: Final = 0xD0

PINGREQ: Final = b"\xc0\x00"
DISCONNECT: Final = b"\xe0\x00"
LENGTH_BYTES_MAX: Final = 4

_CLEAN: Final = 0x02
_WILL: Final = 0x20 | 0x08 | 0x04
_PASSWORD: Final = 0x40
_USER: Final = 0x80


def length(size: int) -> bytes:
    """Remaining length (2.2.3): seven bits per byte, the lowest first."""
    coded = bytearray()
    while True:
        size, low = divmod(size, 128)
        coded.append(low | (0x80 if size else 0))
        if not size:
            return bytes(coded)


def read_length(data: bytes | bytearray, at: int) -> tuple[int, int] | None:
    """(remaining length, offset of the packet's body), or None while bytes of it are missing.

    Raises:
        ValueError: longer than the standard allows.
    """
    size = 0
    for index in range(LENGTH_BYTES_MAX):
        if at + index >= len(data):
            return None
        size |= (data[at + index] & 0x7F) << (7 * index)
        if not data[at + index] & 0x80:
            return size, at + index + 1
    raise ValueError("a remaining length of more than four bytes")


def text(value: str | bytes) -> bytes:
    """A string or binary field (1.5.3): two bytes of length and the bytes."""
    coded = value.encode() if isinstance(value, str) else value
    return len(coded).to_bytes(2, "big") + coded


def connect(
    client: str, keepalive_s: int, will_topic: str = "", will: bytes = b"", *, user: str | None = None, password: str = ""
) -> bytes:
    """CONNECT (3.1) of MQTT 3.1.1: clean session; a retained will at QoS 1, if it has a topic; the client id as user name if
    `user` is None, none if it is empty."""
    user = client if user is None else user
    password = password if user else ""
    flags = _CLEAN | (_WILL if will_topic else 0) | (_USER if user else 0) | (_PASSWORD if password else 0)
    fields = [client, *((will_topic, will) if will_topic else ()), *([user] if user else ()), *([password] if password else ())]
    body = text("MQTT") + bytes((4, flags)) + keepalive_s.to_bytes(2, "big") + b"".join(map(text, fields))
    return b"\x10" + length(len(body)) + body


def subscribe(number: int, filters: list[tuple[str, int]]) -> bytes:
    """SUBSCRIBE (3.8)."""
    body = number.to_bytes(2, "big") + b"".join(text(name) + bytes((qos,)) for name, qos in filters)
    return b"\x82" + length(len(body)) + body


def unsubscribe(number: int, filters: list[str]) -> bytes:
    """UNSUBSCRIBE (3.10)."""
    body = number.to_bytes(2, "big") + b"".join(map(text, filters))
    return b"\xa2" + length(len(body)) + body


def publish(topic: str, payload: bytes, number: int, *, retain: bool, has_properties: bool = False) -> bytes:
    """PUBLISH (3.3): QoS 1 with a packet number, QoS 0 with number 0. `has_properties`: of MQTT 5, where their length, 0, is
    in each packet."""
    head = text(topic) + (number.to_bytes(2, "big") if number else b"") + (b"\0" if has_properties else b"")
    first = 0x30 | (0x02 if number else 0) | (0x01 if retain else 0)
    return bytes((first,)) + length(len(head) + len(payload)) + head + payload


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
        if head & 0xF0 != PUBLISH or qos > 1 or end - start < 2:
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
    try:
        found = read_length(data, at + 1)
    except ValueError:
        return at + 1 + LENGTH_BYTES_MAX, at + 1 + LENGTH_BYTES_MAX
    if found is None:
        return None
    size, start = found
    return (start, start + size) if start + size <= len(data) else None
