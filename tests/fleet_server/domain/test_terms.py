"""Rate, maintenance windows, priority, retries and back-off of a rollout, and devices that failed or were offline."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.maintenance_windows import Window, is_open, opens_in_s, words
from edgefleet_server.domain.outcomes import Outcome
from edgefleet_server.domain.rollout.decisions import Offer
from edgefleet_server.domain.rollout.facts import Attempt, Wave
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.states import AttemptState, RolloutState, WaveState
from edgefleet_server.domain.terms import EXCLUSION_WINDOW_S, Rate, Retry, Terms, excluded_until
from tests.fleet_server.domain.world import Box, World

QUICK = RolloutGate(error_percent_max=10.0, reported_min=2, offline_s=20.0, soak_s=2.0)
LIMITED = replace(QUICK, test="threshold")


def boxes(count: int, start: int = 0, fate: SlotPhase = SlotPhase.COMMITTED) -> list[Box]:
    return [Box(f"dev{start + index}", fate) for index in range(count)]


def attempt_of(world: World, device: str) -> Attempt:
    return next(attempt for attempt in world.rollout.attempts.values() if attempt.device == device)


# -- tries


def refusing(name: str, reason: Reason) -> Box:
    return Box(name, SlotPhase.REFUSED, why=reason.value)


def test_a_full_disk_is_tried_again_and_does_not_count_meanwhile() -> None:
    """After a pause that grows; the canary waits for it instead of stopping."""
    box = refusing("full", Reason.NO_SPACE)
    world = World([[box, *boxes(3)], boxes(3, 3)], QUICK, terms=Terms(retry=Retry(3, 10.0, 2.0)))
    world.run(12)
    assert attempt_of(world, "full").number == 2
    assert attempt_of(world, "full").reason == "back_off"
    assert world.rollout.state is RolloutState.RUNNING
    box.fate, box.why, box.phase, box.attempt = SlotPhase.COMMITTED, "none", SlotPhase.COMMITTED, ""
    world.run(40)
    assert attempt_of(world, "full").state is AttemptState.COMMITTED
    assert world.rollout.state is RolloutState.COMPLETED


def test_tries_are_bounded() -> None:
    """The last one ends without a result, and the rollout continues without the device."""
    world = World([[refusing("full", Reason.NO_SPACE), *boxes(3)]], LIMITED, 400.0, Terms(retry=Retry(3, 5.0, 2.0)))
    world.run(80)
    last = attempt_of(world, "full")
    assert (last.number, last.state) == (3, AttemptState.REJECTED)
    assert len([device for _, device in world.offered if device == "full"]) == 3
    assert last.outcome is Outcome.FAULTED
    assert world.rollout.state is RolloutState.COMPLETED


def test_what_speaks_against_the_version_is_never_tried_again() -> None:
    """A golden sample that was missed is the version's fault."""
    world = World([[refusing("bad", Reason.GOLDEN_MISMATCH), *boxes(2)]], LIMITED)
    world.run(30)
    assert attempt_of(world, "bad").number == 1
    assert world.rollout.state is RolloutState.PAUSED


def test_excluded_device_does_not_hold_its_wave() -> None:
    """It follows when its time is over."""
    box = Box("sad", excluded_until=1060.0)
    world = World([[box, *boxes(3)]], QUICK)
    world.run(30)
    assert world.rollout.state is RolloutState.COMPLETED
    assert (attempt_of(world, "sad").state, attempt_of(world, "sad").reason) == (AttemptState.QUEUED, "device_excluded")
    world.run(60)
    assert attempt_of(world, "sad").state is AttemptState.COMMITTED


def test_three_failures_make_a_box() -> None:
    """For a day after the last of them."""
    assert excluded_until(2, 50.0) == 0.0
    assert excluded_until(3, 50.0) == 50.0 + EXCLUSION_WINDOW_S


# -- pace


def test_ramp_bounds_starts_and_grows_with_success() -> None:
    """No minute sees more starts than the ramp allows."""
    world = World([boxes(40)], QUICK, 10_000.0, Terms(rate=Rate(4, 2.0, 8, 1000)))
    started: list[float] = []
    for _ in range(400):
        started += [world.now for decision in world.turn() if isinstance(decision, Offer)]
    assert world.rollout.state is RolloutState.COMPLETED
    assert len(started) == 40
    assert sum(at < started[0] + 60.0 for at in started) == 4
    assert max(sum(at <= other < at + 60.0 for other in started) for at in started) > 4


@given(committed=st.integers(0, 10_000), factor=st.floats(1.0, 5.0), base=st.integers(1, 1000))
def test_rate_never_exceeds_its_limit(committed: int, factor: float, base: int) -> None:
    """And never stands still."""
    assert 1 <= Rate(base, factor, 10, 500).now(committed) <= 500


# -- windows

NIGHT = Window(22 * 60, 5 * 60)


@pytest.mark.parametrize(
    ("clock", "zone", "expected"),
    [
        ("2026-03-02T23:00", "UTC", True),
        ("2026-03-02T04:59", "UTC", True),
        ("2026-03-02T05:00", "UTC", False),
        ("2026-03-02T13:30", "Asia/Tokyo", True),  # 22:30 there
        ("2026-03-02T23:00", "America/Los_Angeles", False),
    ],
)
def test_window_is_read_off_the_clock_of_the_place(clock: str, zone: str, expected: bool) -> None:
    """Over midnight, too."""
    at = datetime.fromisoformat(clock).replace(tzinfo=timezone.utc).timestamp()
    assert is_open(NIGHT, at, ZoneInfo(zone)) is expected


def test_window_over_midnight_belongs_to_its_first_day() -> None:
    """The window of Saturday night lasts into Sunday morning; Sunday night has no window."""
    saturday = Window(22 * 60, 5 * 60, frozenset({5}))
    sunday_4 = datetime(2026, 3, 8, 4, 0, tzinfo=timezone.utc).timestamp()
    sunday_23 = datetime(2026, 3, 8, 23, 0, tzinfo=timezone.utc).timestamp()
    assert is_open(saturday, sunday_4, timezone.utc)
    assert not is_open(saturday, sunday_23, timezone.utc)
    assert words(saturday) == "22:00-05:00 on Sat"


@settings(deadline=None)
@given(
    at=st.floats(1.6e9, 2.0e9),
    start=st.integers(0, 1439),
    length=st.integers(60, 1380),
    days=st.frozensets(st.integers(0, 6), min_size=1),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]),
)
def test_what_opens_is_open(at: float, start: int, length: int, days: frozenset[int], zone: str) -> None:
    """The moment that is named is within the window, whatever the clocks do."""
    window, place = Window(start, (start + length) % 1440, days), ZoneInfo(zone)
    wait_s = opens_in_s(window, at, place)
    assert 0.0 <= wait_s <= 8 * 86_400
    assert is_open(window, at + wait_s, place)


def test_wave_waits_for_windows_without_timing_out() -> None:
    """No device is updated outside the window, and none times out while it waits."""
    night = boxes(3)
    for box in night:
        box.window_opens_at = 1500.0
    world = World([night], QUICK, 100.0, Terms(window=NIGHT))
    world.run(300)
    assert world.offered == []
    assert attempt_of(world, "dev0").reason == "window"
    for box in night:
        box.window_opens_at = 0.0
    world.run(30)
    assert world.rollout.state is RolloutState.COMPLETED


# -- who goes first


def test_pinned_and_taken_devices_do_not_hold_a_wave() -> None:
    """A pin ends the try; a rollout with a higher priority goes first, and the device follows after it."""
    world = World([[Box("pin", pinned="pinned to 1.0.0"), Box("busy", heavier=7), *boxes(3)]], QUICK)
    world.run(30)
    assert world.rollout.state is RolloutState.COMPLETED
    assert attempt_of(world, "pin").state is AttemptState.CANCELLED
    assert attempt_of(world, "busy").reason == "higher_priority_rollout"
    world.boxes["busy"].heavier = 0
    world.run(10)
    assert attempt_of(world, "busy").state is AttemptState.COMMITTED


def test_wave_that_needs_approval_waits_for_it() -> None:
    """The canary is done, the rest waits for a person."""
    world = World([boxes(2), boxes(3, 2)], QUICK)
    needing_approval = replace(world.rollout.waves[1], needs_approval=True)
    world.rollout = replace(world.rollout, waves=(world.rollout.waves[0], needing_approval))
    world.run(40)
    assert world.rollout.state is RolloutState.RUNNING
    assert {wave for wave, _ in world.offered} == {0}
    world.rollout = replace(world.rollout, waves=(world.rollout.waves[0], replace(needing_approval, needs_approval=False)))
    world.run(30)
    assert world.rollout.state is RolloutState.COMPLETED


# -- late joiners


def test_nothing_is_offered_to_a_device_that_is_away_and_none_while_paused() -> None:
    """A device that comes back while the rollout is paused is left alone until an operator resumes."""
    away = Box("away", offline_since_at=0.0)
    world = World([[away, *boxes(3)], boxes(2, 3)], QUICK)
    world.run(40)
    assert world.rollout.state is RolloutState.COMPLETED
    world.steer(RolloutState.PAUSED)
    away.offline_since_at = None
    world.run(10)
    assert "away" not in {device for _, device in world.offered}
    world.steer(RolloutState.RUNNING)
    world.run(10)
    assert attempt_of(world, "away").state is AttemptState.COMMITTED
    assert world.rollout.state is RolloutState.COMPLETED


def test_stragglers_that_fail_stop_a_completed_rollout() -> None:
    """The gates hold for those who come late."""
    late = [Box(f"late{n}", SlotPhase.ROLLED_BACK, offline_since_at=0.0) for n in range(4)]
    world = World([[*late, *boxes(6)]], RolloutGate(10.0, 2, 20.0, 2.0, "threshold"))
    world.run(40)
    assert world.rollout.state is RolloutState.COMPLETED
    for box in late[:2]:
        box.offline_since_at = None
    world.run(10)
    assert world.rollout.state is RolloutState.PAUSED
    for box in late[2:]:
        box.offline_since_at = None
    world.run(10)
    assert {device for _, device in world.offered} & {"late2", "late3"} == set()


def test_devices_that_join_later_form_a_wave_of_their_own() -> None:
    """It begins when the plan is done."""
    world = World([boxes(2), boxes(2, 2)], QUICK)
    late_joiners = Wave(1, "late-joiners", total=2, late_joiners=True)
    world.rollout = replace(world.rollout, waves=(world.rollout.waves[0], late_joiners))
    world.run(40)
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.waves[1].state is WaveState.RUNNING
    assert {attempt.state for attempt in world.rollout.attempts.values()} == {AttemptState.COMMITTED}


# -- staging, and doing worse


def test_prestaged_devices_fetch_at_once_and_switch_with_their_wave() -> None:
    """The second wave holds the bytes while the canary is tried."""
    world = World([boxes(1), boxes(3, 1)], replace(QUICK, soak_s=30.0), terms=Terms(prestage=True))
    world.run(20)
    assert [attempt_of(world, f"dev{n}").state for n in (1, 2, 3)] == [AttemptState.STAGED] * 3
    assert world.offered == [(0, "dev0")]
    world.run(60)
    assert world.rollout.state is RolloutState.COMPLETED


def test_device_that_does_worse_than_before_counts_as_failed() -> None:
    """It runs the version; the gate stops all the same, and a roll-back brings it home."""
    world = World([boxes(2), boxes(3, 2)], replace(LIMITED, soak_s=60.0))
    world.run(10)
    world.boxes["dev0"].regressed = "latency 41 ms, was 12 ms"
    world.run(3)
    assert attempt_of(world, "dev0").state is AttemptState.REGRESSED
    assert world.rollout.state is RolloutState.PAUSED
    world.boxes["dev0"].regressed = ""
    world.steer(RolloutState.ROLLING_BACK)
    world.run(5)
    assert world.rollout.state is RolloutState.ROLLED_BACK
    assert attempt_of(world, "dev0").state is AttemptState.ROLLED_BACK


TERMS = st.builds(
    Terms,
    retry=st.builds(Retry, st.integers(1, 3), st.sampled_from([1.0, 5.0]), st.just(2.0)),
    rate=st.none() | st.builds(Rate, st.integers(1, 3), st.just(2.0), st.integers(1, 3)),
    prestage=st.booleans(),
)
FATES = st.sampled_from([SlotPhase.COMMITTED, SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED])
HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from(["turn", "turn", "away", "back", "pause", "resume", "box", "pin", "close", "open"]), st.integers(0, 30)
    ),
    max_size=50,
)


@settings(max_examples=100, deadline=None)
@given(fates=st.lists(st.lists(FATES, min_size=1, max_size=4), min_size=1, max_size=3), happenings=HAPPENINGS, terms=TERMS)
@example([[SlotPhase.ROLLED_BACK, SlotPhase.REFUSED]], [("turn", 0)] * 20, Terms(retry=Retry(2, 1.0, 2.0), rate=Rate(2, 2.0, 1)))
@example([[SlotPhase.REFUSED, SlotPhase.COMMITTED]], [("turn", 0)] * 6, Terms(retry=Retry(2, 1.0, 2.0), rate=Rate(1, 2.0, 1)))
def test_laws_of_terms(fates: list[list[SlotPhase]], happenings: list[tuple[str, int]], terms: Terms) -> None:
    """Whatever happens: offers only to devices that are there and never while paused (checked at every offer), every device has
    one try that counts and no more tries than it may, the ramp holds in every minute, and deciding twice decides nothing new."""
    why = Reason.NO_SPACE.value
    waves = [[Box(f"d{w}-{n}", fate, why=why) for n, fate in enumerate(wave)] for w, wave in enumerate(fates)]
    world = World(waves, RolloutGate(50.0, 1, offline_s=6, soak_s=2), 25.0, terms)
    names = sorted(world.boxes)
    started: list[float] = []
    for what, number in happenings:
        happen(world, world.boxes[names[number % len(names)]], what)
        paused = world.rollout.state is RolloutState.PAUSED
        offered = [decision for decision in world.turn() if isinstance(decision, Offer)]
        assert not (paused and offered)
        started += [world.now] * len(offered)
        assert world.decide() == []
        assert sorted(attempt.device for attempt in world.rollout.attempts.values()) == names
        assert all(attempt.number <= terms.retry.tries_max for attempt in world.rollout.attempts.values())
    if terms.rate is not None:
        assert all(sum(at - 60.0 < other <= at for other in started) <= terms.rate.per_minute_max for at in started)
        if not any(attempt.state is AttemptState.COMMITTED for attempt in world.rollout.attempts.values()):
            assert all(sum(at - 60.0 < other <= at for other in started) <= terms.rate.per_minute for at in started)


def happen(world: World, box: Box, what: str) -> None:
    state = world.rollout.state
    if what == "away" and box.offline_since_at is None:
        box.offline_since_at = world.now
    elif what == "back":
        box.offline_since_at = None
    elif what == "pause" and state in (RolloutState.RUNNING, RolloutState.COMPLETED):
        world.steer(RolloutState.PAUSED)
    elif what == "resume" and state is RolloutState.PAUSED:
        world.resume()
    elif what == "box":
        box.excluded_until = world.now + 10.0
    elif what == "pin":
        box.pinned = "pinned to 1.0.0"
    elif what in ("close", "open"):
        box.window_opens_at = world.now + 20.0 if what == "close" else 0.0
