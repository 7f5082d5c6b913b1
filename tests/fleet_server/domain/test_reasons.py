"""One table says against whom a reason speaks, and one function what an attempt counts as."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from edgefleet_contract.wire.messages import SlotPhase, SlotReport
from edgefleet_contract.wire.reason_codes import DISK_FAULT, DISK_READ_ONLY, Reason
from edgefleet_server.domain import reasons, states
from edgefleet_server.domain.outcomes import LEFT, REPORTED, UNJUDGED, Outcome, outcome, sentence
from edgefleet_server.domain.reasons import MEANINGS, RETRIED, Against
from edgefleet_server.domain.rollout.gates import RolloutGate, rules, tally
from edgefleet_server.domain.states import OPEN, AttemptState, RolloutState, WaveState
from edgefleet_server.domain.terms import Retry, Terms
from edgefleet_server.link.ingest_writer import slot_row
from tests.fleet_server.domain.world import Box, World

ROOT = Path(__file__).resolve().parents[3]
SERVER = {value for name, value in vars(states).items() if name.isupper() and isinstance(value, str)} - {states.PAUSED_BY_GATE}


def test_every_reason_has_a_row() -> None:
    """Those of the contract, those of waits, and those of the server; no other."""
    wire = {reason.value for reason in Reason} - {"none"}
    assert len(SERVER) > 10
    assert set(MEANINGS) == wire | {DISK_READ_ONLY, DISK_FAULT} | SERVER


def test_the_documented_table_is_this_one() -> None:
    """A row of the page for each reason."""
    page = (ROOT / "docs/rollouts.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 4 and "` | " in line]
    written = {tuple(cell.strip() for cell in row.strip("|").split(" | ", 2)) for row in rows}
    expected = {(f"`{code}`", meaning.against.value, meaning.text) for code, meaning in MEANINGS.items()}
    assert expected <= written


def test_a_retry_follows_what_speaks_against_no_version() -> None:
    assert {"no_space", "hash_mismatch", "metadata_expired"} <= RETRIED
    assert not {code for code in RETRIED if MEANINGS[code].against in (Against.VERSION, Against.OPERATOR)}
    assert not Terms(retry=Retry(3)).tries_again(AttemptState.REJECTED, "golden_mismatch", 1)


def test_an_unknown_reason_speaks_against_the_version() -> None:
    assert reasons.against("cosmic_ray") is Against.VERSION
    assert outcome(AttemptState.REJECTED, "cosmic_ray") is Outcome.FAILED
    assert [reasons.against(reason) for reason in ("", "none")] == [None, None]
    assert [reasons.text(reason) for reason in ("", "none", "cosmic_ray")] == ["", "", "cosmic ray"]


@pytest.mark.parametrize(("state", "reason"), list(product(AttemptState, ["", *MEANINGS])))
def test_each_attempt_counts_once(state: AttemptState, reason: str) -> None:
    """All states with all reasons: open, reported, without a result, or left; failed only by what speaks against the version."""
    ended = outcome(state, reason)
    open_outcomes = {Outcome.QUEUED, Outcome.FETCHING, Outcome.STAGED, Outcome.TRIAL}
    assert sum(ended in group for group in (open_outcomes, REPORTED, UNJUDGED, LEFT)) == 1
    assert (ended in open_outcomes) == (state in OPEN)
    if ended is Outcome.FAILED and state is not AttemptState.ROLLBACK_FAILED:
        assert reasons.against(reason) in (Against.VERSION, None)
    if reason == states.OPERATOR_ROLLBACK and state is AttemptState.ROLLED_BACK:
        assert ended is Outcome.RESTORED
    seen = tally({ended: 1})
    assert (seen.candidates, seen.reported, seen.failed) == (ended not in LEFT, ended in REPORTED, ended is Outcome.FAILED)


GATE = RolloutGate(10.0, 1, soak_s=0.0)


def _untried(name: str) -> Box:
    """A device that commits without a frame."""
    return Box(name, why=states.NO_FRAMES)


def test_a_version_committed_without_a_frame_is_named() -> None:
    """It counts as before, and has an outcome of its own."""
    world = World([[_untried("a"), Box("b")]], GATE)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.counts(world.rollout.waves[0]) == {Outcome.UNTRIED: 1, Outcome.SUCCEEDED: 1}
    assert sentence(world.rollout.counts(world.rollout.waves[0])) == "0 of 2 reported devices failed; 1 not tried on frames"


def test_a_gate_may_require_frames() -> None:
    """Then a wave without a frame proves nothing, and one device with frames is enough of a sample of one."""
    gate = replace(GATE, frames_required=True)
    world = World([[_untried("a"), _untried("b")], [Box("c")]], gate)
    world.run()
    assert (world.rollout.state, world.rollout.waves[1].state) == (RolloutState.PAUSED, WaveState.PENDING)
    assert {attempt.reason for attempt in world.rollout.attempts.values() if attempt.wave == 0} == {states.FRAMES_REQUIRED}
    world = World([[_untried("a"), Box("b")]], gate)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.counts(world.rollout.waves[0])[Outcome.UNPROVEN] == 1
    assert any("frames in the trial" in rule for rule in rules(gate))


@pytest.mark.parametrize(("frames", "reason"), [(0, "no_frames"), (12, "none"), (None, "none")])
def test_the_report_of_a_device_has_the_frames_of_the_trial(frames: int | None, reason: str) -> None:
    """A device whose agent does not say how many is not suspected."""
    report = SlotReport(phase=SlotPhase.COMMITTED, trial_frames=frames)
    assert reason in slot_row("detector", report)
    assert "no_frames" not in slot_row("detector", replace_struct(report, phase=SlotPhase.TRIAL))


ONCE = Terms(retry=Retry(1))


def _boxes(count: int, why: str) -> list[Box]:
    return [Box(f"{why}-{number}", SlotPhase.REFUSED, why=why) for number in range(count)]


def test_full_disks_stop_no_good_version() -> None:
    """Two of three canaries are full: the rollout completes, and says that two were not updated."""
    world = World([[*_boxes(2, "no_space"), Box("good")], [Box("b"), Box("c")]], GATE, terms=ONCE)
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    counts = [world.rollout.counts(wave) for wave in world.rollout.waves]
    assert (counts[0][Outcome.FAULTED], counts[0][Outcome.FAILED], counts[1][Outcome.SUCCEEDED]) == (2, 0, 2)


def test_the_same_with_golden_samples_missed_stops() -> None:
    world = World([[*_boxes(2, "golden_mismatch"), Box("good")], [Box("b"), Box("c")]], GATE, terms=ONCE)
    world.run()
    assert world.rollout.state is RolloutState.PAUSED


def test_a_wave_of_faults_is_no_proof() -> None:
    """No device has said anything about the version: the rollout pauses at once, not after the time limit."""
    world = World([_boxes(3, "hash_mismatch"), [Box("b")]], GATE, wave_timeout_s=10_000.0, terms=ONCE)
    world.run()
    assert world.rollout.state is RolloutState.PAUSED
    assert world.rollout.waves[0].state is WaveState.FAILED
    assert world.rollout.waves[1].state is WaveState.PENDING


def test_a_wave_of_faults_passes_after_one_device_has_tried_the_version() -> None:
    """The operator makes room on one device, which then takes the version by itself, and resumes."""
    full = _boxes(3, "no_space")
    world = World([full, [Box("b")]], GATE, terms=ONCE)
    world.run()
    assert world.rollout.state is RolloutState.PAUSED
    full[0].fate, full[0].why = SlotPhase.COMMITTED, "none"
    world.run(8)
    assert world.rollout.state is RolloutState.PAUSED
    world.resume()
    world.run()
    assert world.rollout.state is RolloutState.COMPLETED
    assert world.rollout.counts(world.rollout.waves[0]) == {Outcome.SUCCEEDED: 1, Outcome.FAULTED: 2}


def test_a_slow_download_speaks_against_the_line() -> None:
    """A device that has not got the files in time has not tried the version; one that hangs in its trial has."""
    slow = Box("slow", SlotPhase.FETCHING)
    stuck = Box("stuck", SlotPhase.TRIAL)
    world = World([[slow, stuck, Box("good")]], RolloutGate(100.0, 1, soak_s=0.0), wave_timeout_s=20.0)
    world.run()
    ended = {attempt.device: attempt for attempt in world.rollout.attempts.values()}
    assert (ended["slow"].reason, ended["slow"].outcome) == ("fetch_timeout", Outcome.FAULTED)
    assert (ended["stuck"].reason, ended["stuck"].outcome) == ("wave_timeout", Outcome.FAILED)


def test_the_evidence_outlives_the_roll_back() -> None:
    """A device that got worse says so after an operator took it back, and has failed; its healthy neighbours have not."""
    bad = Box("bad")
    world = World([[bad, Box("good")]], RolloutGate(100.0, 1, soak_s=50.0))
    world.run(10)
    bad.regressed = "latency 80 % higher"
    world.turn()
    world.steer(RolloutState.ROLLING_BACK)
    world.run(10)
    assert world.rollout.state is RolloutState.ROLLED_BACK
    ended = {attempt.device: attempt for attempt in world.rollout.attempts.values()}
    assert (ended["bad"].outcome, ended["bad"].reason) == (Outcome.FAILED, "regression")
    assert ended["bad"].detail == "latency 80 % higher; restored to the previous version"
    assert ended["good"].outcome is Outcome.RESTORED
