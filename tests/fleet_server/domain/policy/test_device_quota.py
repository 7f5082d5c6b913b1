"""Quotas of devices."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.policy.device_conduct import DeviceConduct, Offence
from edgefleet_server.domain.policy.device_quota import (
    BATCH_BYTES,
    PAUSE_S_MAX,
    REQUEST_RATES,
    RESERVE_S,
    UNDER_WAY_MAX,
    DeviceQuota,
    QuotaMeter,
    RequestMeter,
    WindowMeter,
    batches_in,
    requests_in,
)

QUOTA = DeviceQuota()


def drained_s(records: int, record_bytes: int, window: int = 4, round_trip_s: float = 0.1) -> float:
    """Time that a device that obeys needs to send its outbox: batches of 64 KiB or 500 records, the next after the
    acknowledgement."""
    meter, now, batch = QuotaMeter(QUOTA), 0.0, min(500, 64 * 1024 // record_bytes)
    while records > 0:
        for _ in range(window):
            assert meter.admit("d", batch * record_bytes, now), "a device that obeys is never dropped"
            meter.charge("d", batch, now)
            records -= batch
        now += round_trip_s + meter.pause_s("d", now)
        assert meter.pause_s("d", now) <= PAUSE_S_MAX
    return now


def test_a_day_offline_is_sent_within_a_minute() -> None:
    assert drained_s(17_280, 1_000) < 60.0  # a sample every five seconds


def test_a_full_outbox_of_small_records_is_never_dropped() -> None:
    """64 MiB of 200 bytes: as fast as the quota allows."""
    records = 64 * 1024**2 // 200
    assert drained_s(records, 200) < 1.2 * records / QUOTA.records


def test_a_flood_is_dropped_down_to_the_quota() -> None:
    meter = QuotaMeter(QUOTA)
    taken = sum(meter.admit("flood", 1_000, tick / 1_000) for tick in range(60_000))
    assert taken <= QUOTA.messages * (60 + 2 * RESERVE_S) + 1
    assert meter.admit("other", 1_000, 60.0)
    assert meter.pause_s("other", 60.0) == 0.0


def test_records_and_bytes_count_as_well() -> None:
    meter = QuotaMeter(QUOTA)
    batches = 0
    while meter.admit("records", 100, 0.0):
        meter.charge("records", 500, 0.0)
        batches += 1
    assert batches == QUOTA.records * 2 * RESERVE_S / 500
    assert not meter.admit("records", 100, 1.0) or meter.pause_s("records", 1.0) > 0
    lengths = 0
    while meter.admit("bytes", 250_000, 0.0):
        lengths += 250_000
    assert lengths <= QUOTA.bytes * 2 * RESERVE_S + 250_000


def test_debt_is_paid_by_time_and_not_by_a_clock_set_back() -> None:
    meter = QuotaMeter(QUOTA)
    while meter.admit("d", 1, 100.0):
        pass
    assert not meter.admit("d", 1, 50.0)
    assert meter.admit("d", 1, 101.0)


def test_requests_at_once_and_on_average() -> None:
    meter = RequestMeter()
    rate = REQUEST_RATES["ticket"]
    assert sum(meter.admit("d", "ticket", 100, 0.0) for _ in range(2_000)) == rate.at_once
    assert sum(meter.admit("d", "ticket", 100, 4.0) for _ in range(2_000)) == 4 * rate.per_s
    assert meter.admit("d", "upload", 100, 0.0), "each kind for itself"
    assert meter.admit("e", "ticket", 100, 0.0), "each device for itself"


def test_batches_under_way_have_a_limit_until_they_are_answered() -> None:
    meter = WindowMeter()
    assert all(meter.admit("d") for _ in range(UNDER_WAY_MAX))
    assert not meter.admit("d")
    assert meter.admit("other")
    meter.answer("d", 2)
    assert [meter.admit("d") for _ in range(3)] == [True, True, False]
    meter.answer("d", UNDER_WAY_MAX)
    meter.answer("d", 1)
    assert meter.admit("d")


def test_long_messages_count_as_several_batches() -> None:
    assert [batches_in(length) for length in (0, 64 * 1024 + 500, BATCH_BYTES, 256 * 1024)] == [1, 1, 16, 46]
    assert [requests_in(length) for length in (0, 64 * 1024 + 500, BATCH_BYTES, 256 * 1024)] == [1, 1, 5, 13]
    meter = WindowMeter()
    admitted = sum(meter.admit("d", 4) for _ in range(UNDER_WAY_MAX))
    assert admitted == UNDER_WAY_MAX // 4


@pytest.mark.parametrize("answer_s", [0.1, 2.0, 10.0])
def test_devices_that_share_an_identity_may_repeat_their_batches(answer_s: float) -> None:
    """They connect three times a second, and each sends its window of both streams again; the server may stall."""
    meter, conduct, now, under_way = WindowMeter(), DeviceConduct(), 0.0, 0
    answered_at = 0.0
    for _ in range(3 * 300):
        now += 1.0 / 3.0
        if now - answered_at >= answer_s:
            meter.answer("d", under_way)
            under_way, answered_at = 0, now
        for _ in range(8):
            if meter.admit("d"):
                under_way += 1
            else:
                assert conduct.offend("d", Offence.WINDOW, 1, now) is None


@pytest.mark.parametrize("stall_s", [1.0, 3.0])
def test_batches_that_were_held_up_on_the_way_to_the_server_may_come_together(stall_s: float) -> None:
    """Of devices that share an identity, because the broker's queue was long."""
    meter, conduct = WindowMeter(), DeviceConduct()
    dropped = sum(not meter.admit("d") for _ in range(round(stall_s * 3 * 8)))
    assert all(conduct.offend("d", Offence.WINDOW, 1, 0.0) is None for _ in range(dropped))
