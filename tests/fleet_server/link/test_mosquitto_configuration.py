"""Limits of the managed broker."""

from __future__ import annotations

import pytest

from edgefleet_server.link.mosquitto_configuration import DEVICE_TOPICS, MIB, broker_limits


@pytest.mark.parametrize("devices", [1, 1_000, 10_000, 50_000, 1_000_000])
def test_limits_follow_the_size_of_the_fleet(devices: int) -> None:
    limits = broker_limits(devices, 4_000)
    assert limits.queued_messages >= min(400_000, 2 * devices), "all devices connect at once"
    assert 64 * MIB <= limits.queued_bytes <= 512 * MIB
    assert limits.memory_bytes > 4 * limits.queued_bytes
    assert limits.message_bytes < limits.packet_bytes, "a device that sends too much is told so, not disconnected"
    assert limits.connections == 4_000


def test_a_larger_fleet_has_no_smaller_limit() -> None:
    sizes = [broker_limits(devices, 0) for devices in (1, 20_000, 50_000, 200_000)]
    for name in ("queued_messages", "queued_bytes", "memory_bytes"):
        values = [getattr(limits, name) for limits in sizes]
        assert values == sorted(values)
        assert values[-1] > values[0]
    assert broker_limits(50_000, 0).memory_bytes < 2.5 * 1024 * MIB, "with the server within 4 GB"


def test_a_device_writes_only_what_the_protocol_has() -> None:
    assert "up/#" not in DEVICE_TOPICS
    assert "up/telemetry\n" in DEVICE_TOPICS
