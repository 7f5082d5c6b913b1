"""The engine's laws, and the stories an operator would tell."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.outcomes import Outcome
from edgefleet_server.domain.rollout.decisions import Move, Offer, RolloutTo
from edgefleet_server.domain.rollout.facts import Attempt
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.states import OFFLINE_AFTER_UPDATE, WAVE_OVER, AttemptState, RolloutState, WaveState
from edgefleet_server.domain.terms import Retry, Terms
from tests.fleet_server.domain.world import NEW, OLD, Box, World

QUICK = RolloutGate(error_percent_max=10.0, reported_min=2, offline_s=20.0, soak_s=2.0)
LIMITED = replace(QUICK, test="threshold")


def boxes(count: int, start: int = 0, fate: SlotPhase = SlotPhase.COMMITTED) -> list[Box]:
    return [Box(f"dev{start + index}", fate) for index in range(count)]


def states(world: World) -> set[AttemptState]:
    return {attempt.state for attempt in world.rollout.attempts.values()}


def test_canary_then_rest_completes() -> None:
    """The plain story: the canary commits, soaks, passes; the rest follows; the rollout is complete."""
    world = World([boxes(2), boxes(6, 2)], QUICK)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert states(world) == {AttemptState.COMMITTED}
    assert [wave for wave, _ in world.offered] == [0] * 2 + [1] * 6


def test_a_wave_without_devices_passes_at_once() -> None:
    """There is nothing to watch: neither does it soak, nor does anything wait for it."""
    world = World([boxes(1), [], [], boxes(2, 1), []], replace(QUICK, soak_s=3600.0, reported_min=3))
    for _ in range(10):
        world.turn()
    assert world.rollout.waves[0].state is WaveState.SOAKING
    world.turn(3600.0)
    assert [wave.state for wave in world.rollout.waves[:4]] == [WaveState.PASSED] * 3 + [WaveState.RUNNING]
    for _ in range(10):
        world.turn()
    world.turn(3600.0)
    assert world.rollout.state is RolloutState.COMPLETED


def test_rolled_back_canary_pauses_before_the_rest_is_touched() -> None:
    """One failed canary of two cannot pass a limit of 10 %: paused at once, no other device was offered anything."""
    world = World([[Box("a", SlotPhase.ROLLED_BACK), Box("b")], boxes(6, 2)], LIMITED)
    world.run()
    assert world.rollout.state is RolloutState.PAUSED
    assert world.rollout.waves[0].state is WaveState.FAILED
    assert {wave for wave, _ in world.offered} == {0}


def test_breach_does_not_wait_for_slow_devices() -> None:
    """The gate fires on the first failure that makes passing impossible, while others still fetch."""
    slow = Box("slow")
    world = World([[Box("a", SlotPhase.REFUSED), slow], boxes(2, 2)], LIMITED)
    world.engine_turn()
    world.boxes["slow"].offline_since_at = world.now
    for _ in range(6):
        world.turn()
    assert world.rollout.state is RolloutState.PAUSED


def test_pause_offers_nothing_and_still_watches() -> None:
    """Devices on their way finish; no new device gets an offer."""
    world = World([boxes(2), boxes(3, 2)], QUICK)
    world.turn()
    world.steer(RolloutState.PAUSED)
    offered = len(world.offered)
    world.run(30)
    assert len(world.offered) == offered
    assert [a.state for a in world.rollout.of_wave(0)] == [AttemptState.COMMITTED] * 2
    world.steer(RolloutState.RUNNING)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED


def test_offline_after_update_is_a_failure() -> None:
    """A device that took the update and went away counts against the gate; one that was away all along does not."""
    world = World([boxes(3)], replace(LIMITED, reported_min=1, offline_s=10, soak_s=1))
    world.engine_turn()
    world.turn()
    world.boxes["dev0"].offline_since_at = world.now
    world.run(15)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.TIMED_OUT
    assert world.rollout.state is RolloutState.PAUSED

    away = Box("away", offline_since_at=0.0)
    world = World([[away, *boxes(3)]], RolloutGate(error_percent_max=10, reported_min=1, offline_s=10, soak_s=1))
    world.run(40)
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.attempts["1:away:1"].state is AttemptState.QUEUED


def test_committed_canary_that_dies_in_the_soak_fails() -> None:
    """Success is not counted before the soak is over."""
    world = World([boxes(2), boxes(2, 2)], replace(LIMITED, reported_min=1, offline_s=5, soak_s=30))
    world.run(10)
    assert world.rollout.waves[0].state is WaveState.SOAKING
    world.boxes["dev0"].offline_since_at = world.now
    world.run(10)
    assert world.rollout.state is RolloutState.PAUSED
    assert {wave for wave, _ in world.offered} == {0}


def test_a_committed_canary_that_returns_for_its_memory_fails_the_gate() -> None:
    """The device itself returns to the version before; its reason speaks against the version."""
    world = World([boxes(2), boxes(2, 2)], replace(LIMITED, reported_min=1, soak_s=30))
    world.run(10)
    assert world.rollout.waves[0].state is WaveState.SOAKING
    box = world.boxes["dev0"]
    box.fate = box.phase = SlotPhase.ROLLED_BACK
    box.running, box.why = OLD, Reason.OVER_MEMORY.value
    world.run(3)
    attempt = world.rollout.attempts["1:dev0:1"]
    assert (attempt.state, attempt.reason) == (AttemptState.ROLLED_BACK, "over_memory")
    assert world.rollout.state is RolloutState.PAUSED
    assert {wave for wave, _ in world.offered} == {0}


def test_late_truth_corrects_a_conclusion() -> None:
    """A device that was given up and comes back with the version committed is counted as committed."""
    world = World([boxes(1), boxes(1, 1)], RolloutGate(error_percent_max=100, reported_min=1, offline_s=5, soak_s=1))
    world.engine_turn()
    world.turn()
    world.boxes["dev0"].offline_since_at = world.now
    world.run(8)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.TIMED_OUT
    world.boxes["dev0"].offline_since_at = None
    world.run(8)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.COMMITTED


def test_a_late_commit_corrects_the_devices_own_refusal() -> None:
    """A device without disk space refuses; when it has room it tries the same attempt again, and its commit counts."""
    gate = RolloutGate(error_percent_max=100, reported_min=1, soak_s=20)
    world = World([boxes(1, fate=SlotPhase.REFUSED), boxes(1, 1)], gate, terms=Terms(retry=Retry(tries_max=1)))
    box = world.boxes["dev0"]
    box.why = Reason.NO_SPACE.value
    world.run(6)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.REJECTED
    box.fate = box.phase = SlotPhase.COMMITTED
    world.run(2)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.REJECTED, "it runs the old version"
    box.running, box.offline_since_at = NEW, world.now
    world.run(2)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.REJECTED, "it is away"
    box.offline_since_at = None
    world.run(2)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.COMMITTED


def test_wave_of_devices_that_are_away_is_not_passed() -> None:
    """Without a report the next wave must not begin. When the time is over the rollout pauses and says so."""
    world = World([[Box("away", offline_since_at=0.0)], boxes(3)], QUICK, wave_timeout_s=50)
    world.run(80)
    assert world.rollout.state is RolloutState.PAUSED
    assert world.offered == []


def test_claim_without_the_fact_is_not_believed() -> None:
    """`committed` with another digest running is not success."""
    world = World([boxes(1)], QUICK)
    world.engine_turn()
    box = world.boxes["dev0"]
    box.phase, box.answered, box.running, box.known_attempt = SlotPhase.COMMITTED, True, OLD, box.attempt
    world.now += 1
    world.engine_turn()
    assert world.rollout.attempts["1:dev0:1"].state is not AttemptState.COMMITTED


def test_stuck_device_times_out_with_its_wave() -> None:
    """A device that never ends does not hold a wave for ever."""
    world = World([boxes(4)], RolloutGate(error_percent_max=50, reported_min=1, offline_s=500, soak_s=1), wave_timeout_s=20)
    world.boxes["dev0"].fate = SlotPhase.TRIAL
    world.run(40)
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.TIMED_OUT
    assert world.rollout.state is RolloutState.COMPLETED


def test_abort_withdraws_and_lets_trials_end() -> None:
    """Trials finish; attempts that have not started are cancelled; later waves are skipped."""
    world = World([boxes(3), boxes(3, 3)], QUICK)
    for _ in range(4):
        world.turn()
    world.boxes["dev0"].phase = SlotPhase.TRIAL
    world.boxes["dev1"].phase = SlotPhase.FETCHING
    world.engine_turn()
    world.steer(RolloutState.ABORTING)
    world.engine_turn()
    assert world.rollout.state is RolloutState.ABORTING
    assert world.rollout.attempts["1:dev1:1"].state is AttemptState.CANCELLED
    world.run(5)
    assert world.rollout.state is RolloutState.ABORTED
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.COMMITTED
    assert world.rollout.waves[1].state is WaveState.SKIPPED


def test_rollback_brings_back_every_device_that_has_the_version() -> None:
    """After a completed rollout, too."""
    world = World([boxes(3)], QUICK)
    world.run(20)
    assert world.rollout.state is RolloutState.COMPLETED
    world.steer(RolloutState.ROLLING_BACK)
    world.run(3)
    assert world.rollout.state is RolloutState.ROLLED_BACK
    assert states(world) == {AttemptState.ROLLED_BACK}
    assert {box.running for box in world.boxes.values()} == {OLD}


def test_rollback_does_not_wait_for_devices_that_are_away() -> None:
    """They go back when they return: the document says so."""
    world = World([boxes(2)], QUICK)
    world.run(20)
    world.boxes["dev0"].offline_since_at = world.now
    world.steer(RolloutState.ROLLING_BACK)
    world.run(30)
    assert world.rollout.state is RolloutState.ROLLED_BACK
    assert world.rollout.attempts["1:dev0:1"].state is AttemptState.COMMITTED
    assert not world.rollout.attempts["1:dev0:1"].held


def test_device_that_has_it_already_is_left_alone() -> None:
    """No offer, no report needed."""
    box = Box("has", running=NEW)
    world = World([[box, *boxes(1)]], QUICK)
    world.run(20)
    assert world.rollout.attempts["1:has:1"].state is AttemptState.ALREADY_INSTALLED
    assert [device for _, device in world.offered] == ["dev0"]
    assert world.rollout.state is RolloutState.COMPLETED


def test_the_reason_of_a_completed_rollout_counts_devices_that_cannot_run_the_version() -> None:
    """Completed without a device is not success."""
    unfit = [Box(name, SlotPhase.REFUSED, why=Reason.INCOMPATIBLE.value) for name in ("a", "b")]
    world = World([[unfit[0]], [unfit[1], *boxes(1)]], QUICK)
    ends = []
    for _ in range(20):
        ends += [decision.reason for decision in world.turn() if isinstance(decision, RolloutTo)]
    assert world.rollout.state is RolloutState.COMPLETED
    assert ends[-1] == "2 devices cannot run this version"


def test_the_reason_of_a_completed_rollout_counts_devices_of_a_newer_one() -> None:
    """Completed says nothing of the devices that another rollout has taken over."""
    taken = Box("taken", SlotPhase.REFUSED, why=Reason.SUPERSEDED.value)
    world = World([[taken, *boxes(2)]], QUICK)
    ends = []
    for _ in range(20):
        ends += [decision.reason for decision in world.turn() if isinstance(decision, RolloutTo)]
    assert world.rollout.state is RolloutState.COMPLETED
    assert ends[-1] == "1 of 3 devices left without this version: a newer rollout took them over"


def test_skipped_wave_is_left_alone_and_the_next_starts() -> None:
    """A wave that waits: none of its devices is offered anything, and all of them have an end."""
    world = World([boxes(2), boxes(3, 2), boxes(2, 5)], QUICK)
    world.turn()
    world.skip(1)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert {wave for wave, _ in world.offered} == {0, 2}
    assert {(a.state, a.reason) for a in world.rollout.of_wave(1)} == {(AttemptState.CANCELLED, "wave_skipped")}


def test_skipping_a_wave_that_hangs_lets_the_rest_go_on_and_trials_end() -> None:
    """Devices on trial finish it, devices that only fetch return to their version, and offline devices are not waited for."""
    world = World([[Box("trial"), Box("slow"), Box("away", offline_since_at=0.0)], boxes(3, 3)], QUICK, wave_timeout_s=500)
    for _ in range(3):
        world.turn()
    world.boxes["trial"].phase, world.boxes["slow"].phase = SlotPhase.TRIAL, SlotPhase.FETCHING
    world.engine_turn()
    world.skip(0)
    world.engine_turn()
    by_name = {attempt.device: attempt for attempt in world.rollout.attempts.values()}
    assert by_name["slow"].state is by_name["away"].state is AttemptState.CANCELLED
    assert not by_name["slow"].held
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.attempts["1:trial:1"].state is AttemptState.COMMITTED
    assert world.boxes["slow"].running == OLD


def test_failures_of_a_skipped_wave_still_speak_against_the_version() -> None:
    """Its own limit is gone, the sequential test over the rollout is not: twelve of twelve failed, so the next wave is not
    offered."""
    gate = RolloutGate(error_percent_max=10.0, reported_min=2, offline_s=20.0, soak_s=2.0, test="both", tolerated_percent=1.0)
    world = World([boxes(12, fate=SlotPhase.ROLLED_BACK), boxes(3, 12)], gate)
    for _ in range(5):
        world.turn()
    assert {attempt.state for attempt in world.rollout.of_wave(0)} == {AttemptState.TRIAL}
    world.skip(0)
    world.turn()
    world.run(10)
    assert world.rollout.state is RolloutState.PAUSED
    assert {device for wave, device in world.offered if wave == 1} == set() or world.rollout.waves[1].state is WaveState.FAILED


FATES = st.sampled_from(
    [SlotPhase.COMMITTED, SlotPhase.COMMITTED, SlotPhase.COMMITTED, SlotPhase.ROLLED_BACK, SlotPhase.REFUSED, SlotPhase.TRIAL]
)
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["turn", "turn", "turn", "away", "back", "pause", "resume", "abort", "rollback", "skip"]),
        st.integers(0, 30),
    ),
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@example(  # the sequential test pauses, and an operator resumes
    fates=[[SlotPhase.ROLLED_BACK, SlotPhase.ROLLED_BACK], [SlotPhase.COMMITTED]],
    events=[*[("turn", 0)] * 7, ("resume", 0), *[("turn", 0)] * 20],
    limit=100.0,
    minimum=1,
)
@given(
    fates=st.lists(st.lists(FATES, min_size=1, max_size=5), min_size=1, max_size=4),
    events=EVENTS,
    limit=st.sampled_from([0.0, 10.0, 50.0, 100.0]),
    minimum=st.integers(1, 4),
)
def test_laws(fates: list[list[SlotPhase]], events: list[tuple[str, int]], limit: float, minimum: int) -> None:
    """Whatever devices and operators do: waves in order (checked at every offer), totals conserved, a pause offers nothing,
    deciding twice decides nothing new, and no try is offered twice."""
    waves = [[Box(f"d{w}-{n}", fate) for n, fate in enumerate(wave)] for w, wave in enumerate(fates)]
    world = World(waves, RolloutGate(limit, minimum, offline_s=6, soak_s=2), wave_timeout_s=25)
    names = sorted(world.boxes)
    for event, number in events:
        box = world.boxes[names[number % len(names)]]
        _steer(world, box, event)
        if event == "skip":
            _skip(world, number)
        paused = world.rollout.state is RolloutState.PAUSED
        decisions = world.turn()
        assert not (paused and any(isinstance(decision, Offer) for decision in decisions))
        assert world.decide() == []
        for wave in world.rollout.waves:  # one may have drawn devices of the next
            assert sum(world.rollout.counts(wave).values()) == wave.total
        assert sum(wave.total for wave in world.rollout.waves) == sum(world.totals)
    assert len(world.offered) == len(set(world.offered))


def _steer(world: World, box: Box, event: str) -> None:
    state = world.rollout.state
    if event == "away" and box.offline_since_at is None:
        box.offline_since_at = world.now
    elif event == "back":
        box.offline_since_at = None
    elif event == "pause" and state is RolloutState.RUNNING:
        world.steer(RolloutState.PAUSED)
    elif event == "resume" and state is RolloutState.PAUSED:
        world.resume()
    elif event == "abort" and state in (RolloutState.RUNNING, RolloutState.PAUSED):
        world.steer(RolloutState.ABORTING)
    elif event == "rollback" and state not in (RolloutState.ROLLED_BACK, RolloutState.ROLLING_BACK):
        world.steer(RolloutState.ROLLING_BACK)


def _skip(world: World, number: int) -> None:
    """Skip a wave if `db.rollouts.skipped_waves` would allow it."""
    wave = world.rollout.waves[number % len(world.rollout.waves)]
    if world.rollout.state in (RolloutState.RUNNING, RolloutState.PAUSED) and wave.state not in WAVE_OVER:
        world.skip(wave.index)


@settings(max_examples=60, deadline=None)
@given(fates=st.lists(FATES, min_size=1, max_size=12), canary=st.integers(1, 4))
def test_every_rollout_ends(fates: list[SlotPhase], canary: int) -> None:
    """Left alone, a rollout completes or pauses with a reason; it never hangs."""
    everybody = [Box(f"d{index}", fate) for index, fate in enumerate(fates)]
    waves = [wave for wave in (everybody[:canary], everybody[canary:]) if wave]
    world = World(waves, QUICK, wave_timeout_s=30)
    last: list[str] = []
    for _ in range(150):
        last += [decision.reason for decision in world.turn() if isinstance(decision, RolloutTo)]
    assert world.rollout.state in (RolloutState.COMPLETED, RolloutState.PAUSED)
    if world.rollout.state is RolloutState.PAUSED:
        assert last[-1]
    failed = sum(isinstance(fate, SlotPhase) and fate is not SlotPhase.COMMITTED for fate in fates)
    if not failed:
        assert world.rollout.state is RolloutState.COMPLETED


def test_moves_name_the_reported_reason() -> None:
    """Reason and detail of the device arrive unchanged."""
    world = World([boxes(1, fate=SlotPhase.ROLLED_BACK)], QUICK)
    moves = [decision for _ in range(8) for decision in world.turn() if isinstance(decision, Move)]
    assert [move.state for move in moves][-1] is AttemptState.ROLLED_BACK


def test_evidence_adds_up_over_waves() -> None:
    """Three failures in each of three waves are within each wave's limit, and too many for one version."""

    def fleet() -> list[list[Box]]:
        fates = [SlotPhase.ROLLED_BACK] * 3 + [SlotPhase.COMMITTED] * 17
        return [[Box(f"w{wave}-{number}", fate=fate) for number, fate in enumerate(fates)] for wave in range(3)]

    limited = World(fleet(), RolloutGate(20.0, 20, 10.0, 0.0, "threshold"))
    limited.run(40)
    assert limited.rollout.state is RolloutState.COMPLETED
    watched = World(fleet(), RolloutGate(20.0, 20, 10.0, 0.0, "both", tolerated_percent=1.0))
    watched.run(40)
    assert watched.rollout.state is RolloutState.PAUSED
    assert {wave for wave, _ in watched.offered} <= {0, 1}
    watched.now += 1.0
    watched.steer(RolloutState.RUNNING)
    assert not [decision for decision in watched.decide() if getattr(decision, "state", None) is RolloutState.PAUSED]


def under_way(world: World) -> int:
    """Devices that were offered the version and have not reported."""
    return sum(attempt.open and attempt.state is not AttemptState.QUEUED for attempt in world.rollout.attempts.values())


def test_over_the_limit_few_devices_decide() -> None:
    """One canary of five fails: nothing stops, but one device of the next wave joins the canaries, which soak again. That
    fails, too, and the next wave has not begun."""
    rest = [Box(f"rest{number}", SlotPhase.ROLLED_BACK) for number in range(25)]
    gate = replace(QUICK, tolerated_percent=1.0)
    world = World([[Box("bad", SlotPhase.ROLLED_BACK), *boxes(4)], rest, boxes(70, 100)], gate)
    world.run(60)
    assert world.rollout.state is RolloutState.PAUSED
    assert [(wave.state, wave.total) for wave in world.rollout.waves] == [
        (WaveState.FAILED, 6),
        (WaveState.PENDING, 24),
        (WaveState.PENDING, 70),
    ]
    assert [device for wave, device in world.offered][5:] == ["rest0"]


def test_devices_drawn_over_the_limit_soak_before_the_next_are_drawn() -> None:
    """A fault that shows only after the commit, as a leak does, needs the time for which a wave is observed."""
    world = World([[Box("bad", SlotPhase.ROLLED_BACK)], boxes(5, 1), boxes(20, 10)], replace(QUICK, reported_min=1, soak_s=30.0))
    at: list[float] = []
    while len(at) < 3:
        before = len(world.offered)
        world.turn()
        at += [world.now] * (len(world.offered) - before)
    assert all(later - earlier >= 30.0 for earlier, later in pairwise(at))
    assert {wave for wave, _ in world.offered} == {0}


def test_waves_of_one_device_are_drawn_one_after_another() -> None:
    """A wave that lent its only device is empty, and the one behind it lends the next."""
    gate = replace(QUICK, reported_min=1, tolerated_percent=1.0)
    ones = [[Box(f"bad{number}", SlotPhase.ROLLED_BACK if number in (0, 2) else SlotPhase.COMMITTED)] for number in range(3)]
    world = World([*ones, boxes(20, 10)], gate)
    world.run(60)
    assert world.rollout.state is RolloutState.PAUSED
    assert [(wave.state, wave.total) for wave in world.rollout.waves] == [
        (WaveState.FAILED, 3),
        (WaveState.PENDING, 0),
        (WaveState.PENDING, 0),
        (WaveState.PENDING, 20),
    ]


def test_a_device_that_is_lost_right_after_the_offer_counts_as_failed() -> None:
    """A version that takes it off the line leaves no time for a report. One that returns in time does not count."""
    world = World([boxes(3)], replace(LIMITED, reported_min=1, offline_s=10, soak_s=1))
    world.engine_turn()
    for name in ("dev0", "dev1"):
        world.boxes[name].offline_since_at = world.now + 0.5
    world.turn()
    world.boxes["dev1"].offline_since_at = None
    world.run(15)
    assert world.rollout.attempts["1:dev0:1"].reason == OFFLINE_AFTER_UPDATE
    assert world.rollout.attempts["1:dev1:1"].outcome is not Outcome.FAILED
    assert world.rollout.state is RolloutState.PAUSED


def test_after_a_resume_devices_that_failed_are_no_proof() -> None:
    """Four of seven failed and were accepted: the next wave begins with as many devices as the three that work."""
    canaries = [*(Box(f"bad{number}", SlotPhase.ROLLED_BACK) for number in range(4)), *boxes(3)]
    world = World([canaries, boxes(20, 10)], replace(QUICK, tolerated_percent=1.0))
    world.run(40)
    assert world.rollout.state is RolloutState.PAUSED
    world.now += 1.0
    world.resume()
    before = len(world.offered)
    while len(world.offered) == before:
        world.turn()
    assert [wave for wave, _ in world.offered[before:]] == [1, 1, 1]


def test_devices_of_a_wave_that_waits_for_approval_are_not_drawn() -> None:
    world = World([[Box("bad", SlotPhase.ROLLED_BACK)], boxes(5, 1)], replace(QUICK, reported_min=1))
    held = replace(world.rollout.waves[1], needs_approval=True)
    world.rollout = replace(world.rollout, waves=(world.rollout.waves[0], held))
    world.run(60)
    assert [(wave.state, wave.total) for wave in world.rollout.waves] == [(WaveState.PASSED, 1), (WaveState.PENDING, 5)]
    assert len(world.offered) == 1


@pytest.mark.parametrize("by_labels", [(True, False), (False, True), (True, True)])
def test_no_device_is_drawn_across_waves_by_label(by_labels: tuple[bool, bool]) -> None:
    """The next wave is another site. The rollout pauses, says so, and goes on with it after a resume."""
    world = World([[Box("bad", SlotPhase.ROLLED_BACK), *boxes(4)], boxes(5, 10)], QUICK)
    waves = [replace(wave, by_labels=each) for wave, each in zip(world.rollout.waves, by_labels, strict=True)]
    world.rollout = replace(world.rollout, waves=tuple(waves))
    reasons = []
    for _ in range(60):
        reasons += [each.reason for each in world.turn() if isinstance(each, RolloutTo)]
    assert [(wave.state, wave.total) for wave in world.rollout.waves] == [(WaveState.FAILED, 5), (WaveState.PENDING, 5)]
    (reason,) = reasons
    assert reason == (
        "gate of wave 'wave 0': 1 of 5 devices failed, over the limit of 10 %: too few to decide;"
        " no device of wave 'wave 1' joins it, because waves by label are kept apart"
    )
    world.now += 1.0
    world.resume()
    world.run(60)
    assert world.rollout.state is RolloutState.COMPLETED
    assert len(world.offered) == 10


def test_a_hold_ends_when_the_share_is_back_at_the_limit() -> None:
    """The same failure, in a good version: one after another succeeds until 1 of 10 is within 10 %, then the wave goes on in
    steps of what is proven, and ends."""
    world = World([[Box("unlucky", SlotPhase.ROLLED_BACK), *boxes(4)], boxes(25, 10), boxes(70, 100)], QUICK)
    sizes = []
    for _ in range(150):
        before = len(world.offered)
        world.turn()
        if len(world.offered) > before:
            sizes.append(len(world.offered) - before)
    assert world.rollout.state is RolloutState.COMPLETED
    assert sizes[:7] == [5, 1, 1, 1, 1, 1, 9]
    assert sum(sizes) == 100


def test_a_small_canary_opens_the_next_wave_in_steps() -> None:
    """One device proves little: then one, two, four, eight, and from twenty on the whole wave. With `sequential`, waves start
    whole."""

    def steps(gate: RolloutGate) -> list[int]:
        world, sizes = World([boxes(1), boxes(39, 1), boxes(60, 40)], gate, 500.0), []
        for _ in range(100):
            before = len(world.offered)
            world.turn()
            if len(world.offered) > before:
                sizes.append(len(world.offered) - before)
        assert world.rollout.state is RolloutState.COMPLETED
        return sizes

    assert steps(replace(QUICK, reported_min=1)) == [1, 1, 2, 4, 8, 16, 8, 60]
    assert steps(replace(QUICK, reported_min=1, test="sequential")) == [1, 39, 60]


def test_a_step_does_not_wait_for_an_offline_device() -> None:
    """It is waited for as long as `offline_s`, like everywhere."""
    world = World([boxes(1), boxes(3, 1)], replace(QUICK, reported_min=1, offline_s=5.0))
    while not any(wave == 1 for wave, _ in world.offered):
        world.turn()
    world.boxes[world.offered[-1][1]].offline_since_at = world.now
    world.run(60)
    assert len(world.offered) == 4
    assert world.rollout.state is RolloutState.COMPLETED


def test_a_rollout_in_which_nothing_works_does_not_complete() -> None:
    """One device is too few for the test. When it fails, the rollout stops all the same, and a resume accepts it."""
    world = World([boxes(1, fate=SlotPhase.ROLLED_BACK)], replace(QUICK, reported_min=1))
    world.run(20)
    assert (world.rollout.state, world.rollout.waves[0].state) == (RolloutState.PAUSED, WaveState.FAILED)
    world.resume()
    world.run(20)
    assert world.rollout.state is RolloutState.COMPLETED


def test_completion_reports_an_undecided_failure_rate() -> None:
    """One of three failed: over the limit of 10 %, and no evidence against a version that fails on 1 %."""
    world = World([[Box("bad", SlotPhase.ROLLED_BACK), *boxes(2)]], QUICK)
    reasons = [decision.reason for _ in range(20) for decision in world.turn() if isinstance(decision, RolloutTo)]
    assert reasons == ["1 of 3 devices failed, over the limit of 10 %: too few to decide"]


def test_what_is_fetched_ahead_is_no_trial() -> None:
    """A hundred devices that wait with the fetched version are no successes: three bad canaries of five stop the rollout."""
    bad = [Box(f"bad{number}", SlotPhase.ROLLED_BACK) for number in range(3)]
    waves = [[*bad, *boxes(2)], boxes(100, 10)]
    world = World(waves, replace(QUICK, tolerated_percent=3.0), 500.0, Terms(prestage=True))
    world.run(30)
    assert world.rollout.state is RolloutState.PAUSED
    assert not [device for wave, device in world.offered if wave == 1]


def attempt_named(world: World, device: str) -> Attempt:
    return world.rollout.attempts[f"1:{device}:1"]
