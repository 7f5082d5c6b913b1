"""Order of actions in the plan, one example each; the general laws are in `test_plan_laws`."""

from __future__ import annotations

from typing import get_args

import msgspec

from edgefleet_agent.model_store.package_store import PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord, activate, commit, emptied, end, with_factory
from edgefleet_agent.supervisor.action_executors import EXECUTORS
from edgefleet_agent.supervisor.slot_report import report_slot, report_slots
from edgefleet_agent.updates import actions
from edgefleet_agent.updates.plan import LOAD_RETRY_S_MAX, LOAD_TRIES, SPACE_MARGIN_BYTES, plan
from edgefleet_agent.updates.state import Check, LoadFailure, Observed, SelfTest, SlotFacts, TrialWatch
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import Desired, Running, SlotPhase, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

A, B = "a" * 64, "b" * 64
TARGET = SlotTarget(package="p", version="2.0.0", digest=B, length=100, attempt="7")
DESIRED = Desired(device="d", generation=1, slots={"s": TARGET})
FACTORY = with_factory(SlotRecord(), A)
RUNS_A = Running(package="p", version="1.0.0", digest=A)
SPEC = BlobSpec("c" * 64, 1000)
PLENTY = 10**12


def facts(**changes: object) -> SlotFacts:
    return SlotFacts(**{"record": FACTORY, "running": RUNS_A, **changes})  # type: ignore[arg-type]


def decide(slot: SlotFacts, *, desired: Desired | None = DESIRED, now: float = 100.0, **world: object) -> actions.Action:
    observed = Observed(slots={"s": slot}, **{"worker_up": True, "disk_free_bytes": PLENTY, **world})  # type: ignore[arg-type]
    return plan(desired, observed, now)


def test_what_is_active_is_loaded_first() -> None:
    assert decide(facts(running=None, survey=PackageSurvey(missing=(SPEC,)))) == actions.Load("s", A)
    assert decide(facts(running=None), worker_up=False) == actions.Wait()
    assert decide(facts(running=None, loading=True), desired=None) == actions.Wait()


def test_pipelines_come_before_updates() -> None:
    assert decide(facts(survey=PackageSurvey(missing=(SPEC,))), pipelines_differ=True) == actions.SetPipelines()


def test_an_update_runs_step_by_step() -> None:
    window = DESIRED.policy.fetch_window
    assert decide(facts(survey=PackageSurvey(missing=(SPEC,)))) == actions.Fetch("s", (SPEC,), window)
    assert decide(facts(survey=PackageSurvey(missing=(SPEC,)), fetching=frozenset({SPEC.digest}))) == actions.Wait()
    assert decide(facts(survey=PackageSurvey(unsealed=(SPEC,)), fetching=frozenset({SPEC.digest}))) == actions.Seal(SPEC)
    assert decide(facts(survey=PackageSurvey(), fetching=frozenset({SPEC.digest}))) == actions.Assemble(B)
    ready = PackageSurvey(ready=True)
    assert decide(facts(survey=ready, fetching=frozenset({SPEC.digest}))) == actions.Fetch("s", ())
    assert decide(facts(survey=ready)) == actions.StartSelfTest("s", B)
    assert decide(facts(survey=ready), tester_busy=True) == actions.Wait()
    assert decide(facts(survey=ready, selftest=SelfTest(B, Check.RUNNING))) == actions.Wait()
    assert decide(facts(survey=ready, selftest=SelfTest(B, Check.PASSED))) == actions.Activate("s", TARGET, DESIRED.policy)
    failed = SelfTest(B, Check.FAILED, Reason.GOLDEN_MISMATCH, "cat")
    assert decide(facts(survey=ready, selftest=failed)) == actions.End("s", TARGET, Reason.GOLDEN_MISMATCH, "cat")


def test_a_held_package_is_staged_and_waits() -> None:
    """All steps except the switch are done, and the report states that the slot waits."""
    held = msgspec.structs.replace(TARGET, hold=True)
    desired = msgspec.structs.replace(DESIRED, slots={"s": held})
    ready = facts(survey=PackageSurvey(ready=True), selftest=SelfTest(B, Check.PASSED))
    assert decide(facts(survey=PackageSurvey(ready=True)), desired=desired) == actions.StartSelfTest("s", B)
    assert decide(ready, desired=desired) == actions.Wait()
    assert report_slot(held, ready).phase is SlotPhase.WAITING_WINDOW
    assert report_slot(TARGET, ready).phase is SlotPhase.STAGED


def test_space_is_checked_before_bytes_are_requested() -> None:
    survey = PackageSurvey(missing=(SPEC,), bytes_total=1000)
    enough = 1000 + SPACE_MARGIN_BYTES
    assert isinstance(decide(facts(survey=survey), disk_free_bytes=enough), actions.Fetch)
    action = decide(facts(survey=survey), disk_free_bytes=enough - 1)
    assert isinstance(action, actions.End)
    assert action.reason is Reason.NO_SPACE
    assert decide(facts(survey=survey), disk_free_bytes=0, litter=True) == actions.Collect()


def test_a_package_that_cannot_run_here_is_refused() -> None:
    action = decide(facts(survey=PackageSurvey(reason=Reason.INCOMPATIBLE, detail="no")))
    assert action == actions.End("s", TARGET, Reason.INCOMPATIBLE, "no")
    action = decide(facts(survey=PackageSurvey(missing=(SPEC,)), fetch_reason=Reason.BLOB_UNKNOWN, fetch_detail="gone"))
    assert action == actions.End("s", TARGET, Reason.BLOB_UNKNOWN, "gone")


def test_what_ended_or_is_quarantined_is_left_alone_and_its_fetch_stopped() -> None:
    ended = end(FACTORY, B, "7", Reason.NO_SPACE, "", 1.0)
    assert decide(facts(record=ended)) == actions.Wait()
    assert decide(facts(record=ended, fetching=frozenset({"x"}))) == actions.Fetch("s", ())
    bad = end(FACTORY, B, "6", Reason.TRIAL_CRASH, "", 1.0)
    assert decide(facts(record=bad, survey=PackageSurvey(ready=True))) == actions.Wait()
    assert report_slot(TARGET, facts(record=bad)).reason is Reason.QUARANTINED


def test_a_fallback_that_does_not_load_is_tried_slowly_and_then_the_factory_takes_over() -> None:
    def failing(count: int, at_s: float = 0.0) -> LoadFailure:
        return LoadFailure(A, Reason.MODEL_REFUSED, "no", count, at_s)

    assert decide(facts(running=None, load_failure=failing(1, 99.0)), desired=None) == actions.Wait()
    assert decide(facts(running=None, load_failure=failing(1)), desired=None) == actions.Load("s", A)
    assert decide(facts(running=None, load_failure=failing(50)), desired=None, now=LOAD_RETRY_S_MAX + 1) == actions.Load("s", A)
    other = SlotRecord(active=A, last_good=A, factory=B)
    action = decide(facts(record=other, running=None, load_failure=failing(LOAD_TRIES)), desired=None)
    assert isinstance(action, actions.UseFactory)


def test_a_package_without_successor_leaves_with_its_process() -> None:
    removed = SlotRecord(active=None)
    assert isinstance(decide(facts(record=removed), desired=None), actions.RestartWorker)


def test_a_trial_whose_fallback_is_lost_too_reports_that_nothing_is_committed() -> None:
    record = end(FACTORY, B, "7", Reason.TRIAL_CRASH, "died", 1.0)
    failure = LoadFailure(A, Reason.MODEL_REFUSED, "no", LOAD_TRIES, 1.0)
    report = report_slot(TARGET, facts(record=record, running=None, load_failure=failure))
    assert (report.phase, report.reason) == (SlotPhase.ROLLBACK_FAILED, Reason.ROLLBACK_FAILED)
    assert not report.reason.still_good


def test_garbage_waits_for_everything_else() -> None:
    assert decide(facts(), desired=None, litter=True) == actions.Collect()
    assert isinstance(decide(facts(survey=PackageSurvey(missing=(SPEC,))), litter=True), actions.Fetch)


def test_a_report_remembers_since_when_and_how_many_bytes() -> None:
    fetching = Observed(slots={"s": facts(survey=PackageSurvey(missing=(SPEC,), bytes_done=600, bytes_total=1000))})
    first = report_slots(DESIRED, fetching, {}, 10.0)
    second = report_slots(DESIRED, fetching, first, 20.0)
    assert second["s"].since_at == 10.0
    trial = Observed(slots={"s": facts(record=activate(FACTORY, TARGET, UpdatePolicy(), 1.0))})
    third = report_slots(DESIRED, trial, second, 30.0)["s"]
    assert (third.phase, third.since_at, third.bytes_done, third.bytes_total) == (SlotPhase.TRIAL, 30.0, 600, 1000)


def test_a_model_is_committed_with_the_frames_of_its_trial() -> None:
    """None where no pipeline uses the slot: the report has it, and a later attempt of the same package has not."""
    on_trial = activate(FACTORY, TARGET, UpdatePolicy(trial_s=1.0), 1.0)
    runs = Running(package="p", version="2.0.0", digest=B)
    for frames, used in ((0, False), (40, True)):
        watch = TrialWatch(began_s=1.0, loaded_s=1.0, frames=frames, server_contact=True)
        action = decide(facts(record=on_trial, running=runs, watch=watch, used=used))
        assert isinstance(action, actions.Commit)
        assert action.frames == frames
        committed = commit(on_trial, action.detail, 2.0, action.frames)
        assert report_slot(TARGET, facts(record=committed, running=runs)).trial_frames == frames
        again = msgspec.structs.replace(TARGET, attempt="8")
        assert report_slot(again, facts(record=committed, running=runs)).trial_frames is None


def test_every_action_has_one_executor() -> None:
    assert set(EXECUTORS) == set(get_args(actions.Action))


def test_a_candidate_that_is_no_longer_desired_is_dropped_without_a_restart() -> None:
    """Its slot is emptied, then the worker unloads it; other slots keep their packages if nothing is desired for them."""
    committed = SlotRecord(active=A, last_good=A)

    def beside(record: SlotRecord, **changes: object) -> actions.Action:
        slots = {"shadow-s": facts(record=record, **changes)}
        return plan(None, Observed(slots=slots, worker_up=True, disk_free_bytes=PLENTY), 100.0)

    assert beside(committed) == actions.Forget("shadow-s")
    assert emptied(committed).active is None
    assert beside(emptied(committed)) == actions.Unload("shadow-s")
    assert beside(emptied(committed), running=None) == actions.Wait()
    assert decide(facts(record=committed), desired=None) == actions.Wait()
