"""Broadcasts wait for the broker to send its copies."""

from __future__ import annotations

from edgefleet_server.domain.delivery.broker_memory import SHARE_MAX, WAIT_S_MAX, BrokerMemory


def test_copies_since_the_latest_report_count() -> None:
    memory = BrokerMemory(1_000_000)
    memory.report(200_000)
    assert memory.has_room(0.0)
    memory.send(1_000, 300, 0.0)
    assert memory.has_room(0.1), "half of the limit is not reached"
    memory.send(1_000, 1, 0.1)
    assert not memory.has_room(0.2)
    memory.report(400_000)
    assert memory.has_room(0.3), "the report includes what was copied before it"
    memory.report(int(1_000_000 * SHARE_MAX) + 1)
    assert not memory.has_room(0.4)


def test_a_block_is_sent_now_and_then_whatever_is_reported() -> None:
    memory = BrokerMemory(1_000_000)
    memory.report(900_000)
    assert memory.has_room(0.0), "the first does not wait"
    memory.send(1_000, 10, 0.0)
    assert not memory.has_room(WAIT_S_MAX - 0.1)
    assert memory.has_room(WAIT_S_MAX)


def test_without_a_limit_there_is_always_room() -> None:
    memory = BrokerMemory(0)
    memory.send(1_000_000, 50_000, 0.0)
    assert memory.has_room(0.0)
