"""Data is not deleted by a clock that leapt ahead."""

from __future__ import annotations

import pytest

from edgefleet_server.jobs import retention_clock
from edgefleet_server.jobs.retention_clock import RetentionClock

DAY_S = 86_400.0
NOW = 1.8e9


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic time, which a test moves."""
    moved = [100.0]
    monkeypatch.setattr(retention_clock.time, "monotonic", lambda: moved[0])
    return moved


def test_a_new_server_and_a_short_stop_follow_the_clock(running: list[float]) -> None:
    for last_at in (None, NOW - 10.0, NOW - DAY_S):
        clock = RetentionClock(last_at)
        assert (clock.read(NOW), clock.warning) == (NOW, "")
        running[0] += 60.0
        assert (clock.read(NOW + 61.0), clock.warning) == (NOW + 61.0, "")


def test_a_leap_at_the_start_is_held_for_a_day_of_running(running: list[float]) -> None:
    clock = RetentionClock(NOW)
    assert clock.read(NOW + 31 * DAY_S) == NOW
    assert "31.0 days ahead" in clock.warning
    assert "another 24 hours" in clock.warning
    running[0] += DAY_S / 2
    assert clock.read(NOW + 31.5 * DAY_S) == NOW + DAY_S / 2
    assert "another 12 hours" in clock.warning
    running[0] += DAY_S / 2
    assert (clock.read(NOW + 32 * DAY_S), clock.warning) == (NOW + 32 * DAY_S, "")


def test_a_leap_while_running_ends_when_the_clock_is_put_right(running: list[float]) -> None:
    clock = RetentionClock(NOW)
    running[0] += 30.0
    assert clock.read(NOW + 400 * DAY_S) == NOW + 30.0
    running[0] += 30.0
    assert (clock.read(NOW + 60.0), clock.warning) == (NOW + 60.0, "")


def test_a_clock_that_is_set_back_is_followed(running: list[float]) -> None:
    clock = RetentionClock(NOW)
    assert clock.read(NOW - 900 * DAY_S) == NOW - 900 * DAY_S
    running[0] += 1.0
    assert clock.read(NOW) == NOW - 900 * DAY_S + 1.0, "coming back is a leap, too: a day later it is taken"
