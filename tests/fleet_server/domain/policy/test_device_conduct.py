"""Restrictions of devices by their conduct."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.policy.device_conduct import (
    DISCONNECTED_S_MAX,
    DISCONNECTED_S_MIN,
    REPEATED_SHARE,
    TOLERANCES,
    WATCHED_S,
    DeviceConduct,
    Offence,
    RestrictionState,
    after,
    describe,
)

NOW = 1_700_000_000.0


def flood(conduct: DeviceConduct, offence: Offence, now: float) -> float:
    """Offend until disconnected; returns when the disconnection ends."""
    for _ in range(int(TOLERANCES[offence].disconnected) + 1):
        found = conduct.offend("d", offence, 1, now)
        if found is not None and found.state is RestrictionState.DISCONNECTED:
            return found.until_at
    raise AssertionError("it was not disconnected")


@pytest.mark.parametrize("offence", Offence)
def test_throttled_then_disconnected(offence: Offence) -> None:
    conduct, tolerance = DeviceConduct(), TOLERANCES[offence]
    found = [conduct.offend("d", offence, 1, NOW) for _ in range(int(tolerance.disconnected))]
    states = [(number, each.state) for number, each in enumerate(found, 1) if each is not None]
    assert states == [
        (tolerance.throttled, RestrictionState.THROTTLED),
        (tolerance.disconnected, RestrictionState.DISCONNECTED),
    ]
    assert conduct.is_disconnected("d", NOW)
    assert not conduct.is_disconnected("d", NOW + DISCONNECTED_S_MIN)
    assert not conduct.is_disconnected("other", NOW)


@pytest.mark.parametrize("offence", Offence)
def test_a_tolerated_pace_has_no_consequence(offence: Offence) -> None:
    conduct, per_s = DeviceConduct(), TOLERANCES[offence].per_s
    assert not any(conduct.offend("d", offence, 0.5, NOW + number / per_s) for number in range(5_000))


def test_each_disconnection_is_longer_until_a_day_is_clean() -> None:
    conduct, now, spans = DeviceConduct(), NOW, []
    for _ in range(9):
        until_at = flood(conduct, Offence.INVALID, now)
        spans.append(until_at - now)
        now = until_at + 1.0
    assert spans[:3] == [DISCONNECTED_S_MIN, 2 * DISCONNECTED_S_MIN, 4 * DISCONNECTED_S_MIN]
    assert spans[-1] == DISCONNECTED_S_MAX
    later = now + WATCHED_S + 2.0
    assert flood(conduct, Offence.INVALID, later) == later + DISCONNECTED_S_MIN


def test_stored_restrictions_continue_after_a_restart() -> None:
    before = DeviceConduct()
    flood(before, Offence.OVER_QUOTA, NOW)
    restriction = before.offend("d", Offence.OVER_QUOTA, 1, NOW) or before._records["d"].restriction
    assert restriction is not None
    conduct = DeviceConduct()
    conduct.restore([restriction])
    assert conduct.is_disconnected("d", NOW + 1.0)
    watched = after(restriction, restriction.until_at)
    assert watched is not None
    assert watched.state is RestrictionState.WATCHED
    conduct.restore([watched])
    assert not conduct.is_disconnected("d", restriction.until_at)
    again = restriction.until_at + 60.0
    assert flood(conduct, Offence.OVER_QUOTA, again) == again + 2 * DISCONNECTED_S_MIN
    assert after(watched, watched.until_at) is None


def test_a_throttled_device_that_behaves_is_clear() -> None:
    conduct = DeviceConduct()
    found = conduct.offend("d", Offence.RETAINED, 1, NOW)
    assert found is not None
    assert after(found, found.until_at - 1.0) is found
    assert after(found, found.until_at) is None


def test_texts() -> None:
    assert describe("throttled", "retained", "") == "throttled: publishes retained messages on topics without retention"
    assert describe("disconnected", "invalid", "noon") == "disconnected until noon: sends invalid messages"


def test_a_device_that_was_disconnected_lately_has_less_tolerance() -> None:
    conduct = DeviceConduct()
    until_at = flood(conduct, Offence.INVALID, NOW)
    few = round(TOLERANCES[Offence.INVALID].disconnected * REPEATED_SHARE)
    found = [conduct.offend("d", Offence.INVALID, 1, until_at + 1.0) for _ in range(few)]
    assert found[-1] is not None
    assert found[-1].state is RestrictionState.DISCONNECTED
    assert not any(each is not None and each.state is RestrictionState.DISCONNECTED for each in found[:-1])
