"""Packets that give no picture."""

from __future__ import annotations

from edgefleet_agent.sources.live.undecoded_packets import REPORTED_S, UndecodedPackets


def test_packets_without_a_picture_are_counted_from_the_first_one() -> None:
    packets = UndecodedPackets()
    assert packets.add(1, 0.0) == 0.0
    assert [packets.add(0, 10.0 + second) for second in (0.0, 1.0, REPORTED_S, 5.0)] == [0.0, 0.0, REPORTED_S, 5.0]
    assert packets.add(2, 16.0) == 0.0
    assert packets.add(0, 20.0) == 0.0, "a decoder holds some packets back"


def test_few_packets_are_a_slow_camera() -> None:
    packets = UndecodedPackets()
    assert [packets.add(0, second) for second in (0.0, 10.0)] == [0.0, 0.0]
