"""Broadcasts wait for the broker to send its copies."""

from __future__ import annotations

from edgefleet_server.domain.delivery.broker_memory import SHARE_FREE, WAIT_S_MAX, BrokerMemory


def test_copies_since_the_latest_report_count() -> None:
    memory = BrokerMemory(1_000_000)
    memory.report(200_000)
    memory.send(1_000, 300, 0.0)
    assert memory.has_room(0.1), "300,000 more are below nine tenths"
    memory.send(1_000, 300, 0.1)
    assert not memory.has_room(0.2)
    memory.report(600_000)
    assert memory.has_room(0.3), "the report includes what was copied before it"
    memory.report(600_001)
    assert not memory.has_room(0.4)


def test_block_for_very_many_waits_until_the_copies_of_the_one_before_are_sent() -> None:
    memory = BrokerMemory(1_000_000)
    memory.report(50_000)
    assert memory.has_room(0.0), "the first does not wait"
    memory.send(1_000, 5_000, 0.0)
    memory.report(700_000)
    assert not memory.has_room(1.0)
    memory.report(int(1_000_000 * SHARE_FREE))
    assert memory.has_room(2.0)


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
