"""A model runs beside the committed one before its trial; what keeps it from that is no fault of the model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from edgefleet_agent.model_store.package_store import PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord, activate, with_factory
from edgefleet_agent.supervisor.slot_report import report_slot
from edgefleet_agent.updates import actions
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.shadow_verdict import judge_shadow
from edgefleet_agent.updates.state import Check, Observed, SelfTest, ShadowWatch, SlotFacts, TrialWatch
from edgefleet_agent.updates.trial_verdict import TrialVerdict
from edgefleet_contract.wire.messages import Desired, Running, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

A, B = "a" * 64, "b" * 64
POLICY = UpdatePolicy(trial_s=10.0, shadow_s=60.0, shadow_agreement_percent_min=50.0)
TARGET = SlotTarget(package="p", version="2.0.0", digest=B, length=100, attempt="7")
READY = SlotFacts(
    record=with_factory(SlotRecord(), A),
    running=Running(package="p", version="1.0.0", digest=A),
    survey=PackageSurvey(ready=True),
    selftest=SelfTest(B, Check.PASSED),
)
BESIDE = ShadowWatch(B, began_s=0.0, loaded_s=2.0, frames=80, agreement=0.9)


def decide(facts: SlotFacts, now: float = 70.0, slot: str = "s", target: SlotTarget | None = TARGET) -> object:
    desired = Desired(device="d", generation=1, slots={slot: target} if target else {}, policy=POLICY)
    observed = Observed(slots={slot: facts}, worker_up=True, disk_free_bytes=10**12)
    return plan(desired, observed, now)


def test_it_runs_beside_the_committed_one_and_is_tried_then() -> None:
    assert decide(READY) == actions.RunBeside("s", B)
    waits = replace(READY, beside=ShadowWatch(B, 0.0), beside_loading=True)
    assert decide(waits) == actions.Wait()
    assert report_slot(TARGET, waits).detail == "runs beside the committed version before its trial"
    assert decide(replace(READY, beside=BESIDE), now=61.0) == actions.Wait()
    note = "agreement 90 % with the committed version on 80 frames"
    assert decide(replace(READY, beside=BESIDE)) == actions.Activate("s", TARGET, POLICY, note)
    record = activate(READY.record, TARGET, changed(POLICY, trial_frames_min=0), 1.0, note)
    on_trial = SlotFacts(
        record=record, running=Running("p", "2.0.0", B), watch=TrialWatch(0.0, loaded_s=1.0, server_contact=True)
    )
    assert decide(on_trial) == actions.Commit("s", f"0 frames in 69 s on trial; {note}", 0)


@pytest.mark.parametrize(
    ("beside", "now", "verdict", "text"),
    [
        (
            replace(BESIDE, agreement=0.1),
            70.0,
            TrialVerdict.FAILED,
            "agreement 10 % with the committed version on 80 frames, min",
        ),
        (
            replace(BESIDE, frames=200, agreement=0.8, empty=160),
            70.0,
            TrialVerdict.FAILED,
            "agreement 0 % with the committed version on 40 frames with objects, min",
        ),
        (replace(BESIDE, frames=200, agreement=0.96, empty=190), 70.0, TrialVerdict.PASSED, "agreement 96 %"),
        (replace(BESIDE, crashes=2), 3.0, TrialVerdict.FAILED, "the worker crashed twice"),
        (replace(BESIDE, crashes=1, loaded_s=None), 3.0, TrialVerdict.OPEN, ""),
        (
            replace(BESIDE, loaded_s=None, obstacle="requires 900 MiB"),
            3.0,
            TrialVerdict.PASSED,
            "not compared with the committed",
        ),
        (replace(BESIDE, loaded_s=None), 181.0, TrialVerdict.PASSED, "not compared with the committed version: not loaded"),
        (replace(BESIDE, frames=19, agreement=0.0), 196.0, TrialVerdict.OPEN, ""),
        (
            replace(BESIDE, frames=19, agreement=0.0),
            198.0,
            TrialVerdict.PASSED,
            "not compared with the committed version: only 19",
        ),
    ],
)
def test_only_what_the_package_shows_speaks_against_it(beside: ShadowWatch, now: float, verdict: TrialVerdict, text: str) -> None:
    found, reason, detail = judge_shadow(POLICY, replace(READY, beside=beside), now)
    assert found is verdict
    assert detail.startswith(text)
    assert (reason is Reason.NONE) == (verdict is not TrialVerdict.FAILED)


def test_a_package_that_disagrees_is_refused_before_it_changes_anything() -> None:
    action = decide(replace(READY, beside=replace(BESIDE, agreement=0.1)))
    assert isinstance(action, actions.End)
    assert action.reason is Reason.TRIAL_UNHEALTHY


@pytest.mark.parametrize(
    ("slot", "facts"),
    [
        ("s", replace(READY, used=False)),  # no pipeline shows it frames
        ("s", replace(READY, record=SlotRecord(), running=None)),  # nothing to compare with
        ("shadow-s", READY),
        ("pipeline-s", READY),
    ],
)
def test_what_cannot_run_beside_is_tried_at_once(slot: str, facts: SlotFacts) -> None:
    assert decide(facts, slot=slot) == actions.Activate(slot, TARGET, POLICY)


def test_parts_of_bundles_and_used_shadow_slots_are_tried_at_once() -> None:
    atomic = changed(TARGET, atomic=True)
    assert decide(READY, target=atomic) == actions.Activate("s", atomic, POLICY)
    observed = Observed(slots={"s": READY, "shadow-s": SlotFacts(record=SlotRecord())}, worker_up=True, disk_free_bytes=10**12)
    action = plan(Desired(device="d", generation=1, slots={"s": TARGET}, policy=POLICY), observed, 70.0)
    assert isinstance(action, actions.Activate)
    assert "a rollout uses its shadow slot" in action.note


def test_one_that_is_no_longer_desired_is_unloaded() -> None:
    assert decide(replace(READY, beside=BESIDE), target=None) == actions.StopBeside("s")
    assert decide(replace(READY, beside=replace(BESIDE, digest="c" * 64))) == actions.StopBeside("s")
