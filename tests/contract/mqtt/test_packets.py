"""PUBLISH packets read from bytes, whatever their pieces."""

from __future__ import annotations

import random

import pytest

from edgefleet_contract.mqtt.packets import Publish, length, publish, read_publishes, text

PINGRESP = b"\xd0\x00"


def publish5(topic: str, payload: bytes, mid: int, properties: bytes = b"") -> bytes:
    body = text(topic) + (mid.to_bytes(2, "big") if mid else b"") + length(len(properties)) + properties + payload
    return bytes((0x32 if mid else 0x30,)) + length(len(body)) + body


def test_packets_are_read_wherever_the_bytes_are_cut() -> None:
    chance = random.Random(3)
    sent = [
        Publish(f"d/{number}", bytes(chance.randrange(300)), mid, 1 if mid else 0, chance.random() < 0.5)
        for number in range(200)
        for mid in (0, number + 1)
    ]
    wire = b"".join(publish(each.topic, each.payload, each.mid, retain=each.retain) for each in sent)
    got: list[Publish] = []
    data = b""
    while wire:
        cut = chance.randrange(1, 400)
        data, wire = data + wire[:cut], wire[cut:]
        found, at, is_other = read_publishes(data, 0, has_properties=False)
        assert not is_other
        got += found
        data = data[at:]
    assert got == sent
    assert data == b""


@pytest.mark.parametrize("properties", [b"", b"\x01\x01", b"\x26\x00\x01a" + b"\x00\xc8" + b"b" * 200])
def test_properties_of_mqtt_5_are_left_out(properties: bytes) -> None:
    wire = publish5("d", b"one", 7, properties) + publish5("d", b"two", 0, properties)
    found, at, is_other = read_publishes(wire, 0, has_properties=True)
    assert [(each.payload, each.mid, each.qos) for each in found] == [(b"one", 7, 1), (b"two", 0, 0)]
    assert (at, is_other) == (len(wire), False)


@pytest.mark.parametrize(
    "other",
    [
        PINGRESP,
        b"\x34\x06\x00\x01t\x00\x01x",  # QoS 2
        b"\x32\x01\x00",  # no topic
        b"\x32\x04\x00\x09ab",  # a topic longer than the packet
        b"\x32\x03\x00\x01t",  # no packet number
        b"\x32\x06\x00\x01t\x00\x01\x09",  # properties longer than the packet
        b"\x32\xff\xff\xff\xff\xff",  # a length of more than four bytes
    ],
)
def test_another_packet_is_left_to_the_caller(other: bytes) -> None:
    first = publish5("d", b"one", 7)
    found, at, is_other = read_publishes(first + other + first, 0, has_properties=True)
    assert [each.payload for each in found] == [b"one"]
    assert (at, is_other) == (len(first), True)
