"""The update decision: `plan(desired, observed, now) -> Action`. Pure; one action a turn, then the device is observed again.

Laws (property tests in `tests/agent/updates`):
1. The worker runs exactly the packages that the slot records name as active.
2. A package becomes active only after each of its bytes was verified and its self-test passed. Each process verifies its bytes
   again before it loads the package; damaged files are not loaded.
3. A device has one trial at a time, so that a crash has a single possible cause.
4. A newer desired document does not end a trial; the trial ends by its own verdict, and then the newer document applies.
5. A quarantined package is never tried again, nor an attempt that has just ended, unless it ended for want of disk space only.
6. Disk space is checked before the first byte is requested.
7. Parts of a bundle (`bundle`): none becomes active before all are ready, and if one fails, the others are rolled back.
8. No byte is requested of a package that the signatures do not allow, and it never becomes active.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from edgefleet_agent.model_store.package_store import PackageState, PackageSurvey
from edgefleet_agent.model_store.trust import TrustDecision
from edgefleet_agent.updates import bundle_rules
from edgefleet_agent.updates.actions import (
    Action,
    Activate,
    Assemble,
    Collect,
    Commit,
    End,
    Fetch,
    Forget,
    Inspect,
    Load,
    Quarantine,
    Relaunch,
    Reopen,
    RestartForMemory,
    RestartWorker,
    ReturnForMemory,
    ReturnToPrevious,
    RollBack,
    RunBeside,
    Seal,
    SetPipelines,
    StartSelfTest,
    StopBeside,
    Unload,
    UseFactory,
    Wait,
)
from edgefleet_agent.updates.shadow_verdict import judge_shadow, wants_shadow
from edgefleet_agent.updates.state import Check, LoadFailure, Observed, SlotFacts
from edgefleet_agent.updates.trial_verdict import CRASHES_FORGIVEN, TrialVerdict, judge
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadow_slot, shadowed
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_contract.wire.messages import Desired, SlotTarget, UpdatePolicy
from edgefleet_contract.wire.reason_codes import Reason

SPACE_MARGIN_BYTES = 32 * 1024 * 1024
LOAD_TRIES = 3
LOAD_RETRY_S = 2.0
LOAD_RETRY_S_MAX = 60.0

WAIT = Wait()


def plan(desired: Desired | None, observed: Observed, now: float) -> Action:
    """Chooses the next action. `now` is monotonic seconds."""
    return next((action for action in _candidates(desired, observed, now) if not isinstance(action, Wait)), WAIT)


def _candidates(desired: Desired | None, observed: Observed, now: float) -> Iterator[Action]:
    """Candidate actions, the most urgent first."""
    targets = desired.slots if desired else {}
    policy = desired.policy if desired else UpdatePolicy()
    trials = [slot for slot, facts in observed.slots.items() if facts.record.trial]
    for slot, facts in observed.slots.items():
        yield _check_active(slot, facts)
    for slot in trials:
        yield _on_trial(slot, observed.slots[slot], observed, now)
    yield _contain_memory(trials, observed)
    if not trials:
        yield from _go_back(targets, observed)
    for slot, facts in observed.slots.items():
        if slot not in trials:
            yield _keep_running(slot, targets.get(slot), facts, observed, now)
    if observed.worker_up and observed.pipelines_differ:
        yield SetPipelines()
    for slot, facts in observed.slots.items():
        if slot not in trials:
            yield _approach(slot, targets, facts, policy, observed, now, another_on_trial=bool(trials))
        elif facts.fetching:
            yield Fetch(slot, ())
    if observed.litter:
        yield Collect()


def _check_active(slot: str, facts: SlotFacts) -> Action:
    """Law 2 for the active package: no other step verifies its bytes."""
    active = facts.record.active
    if active is None or slot == AGENT_SLOT or facts.soundness.state is PackageState.SOUND:
        return WAIT
    if facts.soundness.state is PackageState.DAMAGED:
        return Quarantine(slot, active, facts.soundness.detail)
    return Inspect(active)


def _contain_memory(trials: list[str], observed: Observed) -> Action:
    """Ends an overrun of the worker's memory. A first one during a trial may be anyone's, the second is the trial's."""
    overrun = observed.overrun
    if overrun is None:
        return WAIT
    for slot in trials:
        watch = observed.slots[slot].watch
        if slot != AGENT_SLOT and watch is not None and (overrun.restarted_s or 0.0) > watch.began_s:
            return RollBack(slot, Reason.OVER_MEMORY, overrun.detail)
    if trials or any(facts.beside is not None for facts in observed.slots.values()):
        return RestartForMemory(overrun.detail, counts=False)
    return ReturnForMemory(overrun.suspect, overrun.detail) if overrun.suspect else RestartForMemory(overrun.detail)


def _frames_of(slot: str, facts: SlotFacts) -> int | None:
    """Frames of a model's trial. The agent, pipelines and shadow candidates are judged by other means."""
    is_model = slot != AGENT_SLOT and pipeline_of(slot) is None and shadowed(slot) is None
    return facts.watch.frames if is_model and facts.watch is not None else None


def _on_trial(slot: str, facts: SlotFacts, observed: Observed, now: float) -> Action:
    trial = facts.record.trial
    assert trial is not None
    failure = facts.load_failure
    if failure is not None and failure.digest == trial.digest and _counts(failure):
        return RollBack(slot, failure.reason, failure.detail)
    running = facts.running is not None and facts.running.digest == trial.digest
    verdict, reason, detail = judge(trial.policy, facts.watch, running=running, used=facts.used, now=now)
    if verdict is TrialVerdict.FAILED:
        return RollBack(slot, reason, detail)
    if verdict is TrialVerdict.PASSED:
        return Commit(slot, f"{detail}; {trial.note}" if trial.note else detail, _frames_of(slot, facts))
    if not running and slot == AGENT_SLOT:
        return Relaunch("trial of a new agent version")
    if not running and observed.worker_up and not facts.loading and pipeline_of(slot) is None:
        return Load(slot, trial.digest)
    return WAIT  # a pipeline is not loaded as a model: `SetPipelines` sends it to the worker


def _counts(failure: LoadFailure) -> bool:
    """Whether a failed load counts. A refusal counts at once; a single crash of the worker while loading does not, because it may
    have been killed (as in `trial_verdict`)."""
    return not failure.died or failure.count > CRASHES_FORGIVEN


def _keep_running(slot: str, target: SlotTarget | None, facts: SlotFacts, observed: Observed, now: float) -> Action:
    """Applies law 1 to slots without a trial."""
    if pipeline_of(slot) is not None:
        return WAIT
    active = facts.record.active
    running = facts.running.digest if facts.running else None
    if shadowed(slot) is not None:
        if active is not None and target is None:
            return Forget(slot)
        if active is None:
            return Unload(slot) if running is not None and observed.worker_up and not facts.loading else WAIT
    if slot == AGENT_SLOT:
        return WAIT if running == active else Relaunch("another agent version is committed")
    if not observed.worker_up or facts.loading or running == active:
        return WAIT
    if active is None:
        return RestartWorker(f"slot {slot} has no committed package")
    failure = facts.load_failure
    if failure is not None and failure.digest == active:
        if running is not None:
            return RestartWorker(f"slot {slot} runs a package that is not committed, and the committed one cannot be loaded")
        factory = facts.record.factory
        if failure.count >= LOAD_TRIES and factory is not None and factory != active:
            return UseFactory(slot, f"can no longer be loaded: {failure.detail}")
        if now - failure.at_s < min(LOAD_RETRY_S * 2.0 ** min(failure.count, 10), LOAD_RETRY_S_MAX):
            return WAIT
    return Load(slot, active)


def _go_back(targets: Mapping[str, SlotTarget], observed: Observed) -> Iterator[Action]:
    """Yields rollbacks of committed parts of bundles in which another part failed."""
    for slot, target in targets.items():
        facts = observed.slots.get(slot)
        if facts is not None and target.atomic and bundle_rules.reverts(target, facts):
            why = bundle_rules.failed_part(bundle_rules.others(slot, target, targets), observed)
            if why:
                yield ReturnToPrevious(slot, why)


def _approach(
    slot: str,
    targets: Mapping[str, SlotTarget],
    facts: SlotFacts,
    policy: UpdatePolicy,
    observed: Observed,
    now: float,
    *,
    another_on_trial: bool,
) -> Action:
    """The next step from the observed towards the desired state."""
    target = targets.get(slot)
    if facts.room_again:
        return Reopen(slot)
    if facts.beside is not None and (target is None or target.digest != facts.beside.digest):
        return StopBeside(slot)
    settled = target is None or target.digest == facts.record.active or facts.record.has_ended(target)
    if target is None or settled or target.digest in facts.record.quarantine or facts.survey is None:
        return Fetch(slot, ()) if facts.fetching else WAIT
    if facts.endorsement.standing is TrustDecision.REFUSED:
        return End(slot, target, facts.endorsement.reason, facts.endorsement.detail)
    if facts.endorsement.standing is TrustDecision.WAITING:
        return Fetch(slot, ()) if facts.fetching else WAIT
    survey = facts.survey
    if survey.reason is not Reason.NONE:
        return End(slot, target, survey.reason, survey.detail)
    if facts.fetch_reason is not Reason.NONE:
        return End(slot, target, facts.fetch_reason, facts.fetch_detail)
    if observed.read_only:
        return Fetch(slot, ()) if facts.fetching else WAIT
    if not survey.ready:
        return _gather(slot, target, survey, facts, policy, observed)
    if facts.fetching:
        return Fetch(slot, ())
    test = facts.selftest if facts.selftest and facts.selftest.digest == target.digest else None
    if test is None:
        return WAIT if observed.tester_busy or observed.deferral else StartSelfTest(slot, target.digest)
    if test.check is Check.FAILED:
        return End(slot, target, test.reason, test.detail)
    if test.check is Check.RUNNING:
        return WAIT
    if facts.objection:
        return End(slot, target, Reason.INCOMPATIBLE, facts.objection)
    if another_on_trial or target.hold or facts.awaited or observed.deferral:
        return WAIT
    parts = bundle_rules.others(slot, target, targets)
    why = bundle_rules.failed_part(parts, observed)
    if why:
        return End(slot, target, Reason.PART_FAILED, why)
    return WAIT if bundle_rules.unready_part(parts, observed) else _switch(slot, target, facts, policy, observed, now)


def _switch(slot: str, target: SlotTarget, facts: SlotFacts, policy: UpdatePolicy, observed: Observed, now: float) -> Action:
    """Runs the package beside the committed one, then starts its trial."""
    if not wants_shadow(slot, target, facts, policy):
        return Activate(slot, target, policy)
    if shadow_slot(slot) in observed.slots:
        return Activate(slot, target, policy, "not compared with the committed version: a rollout uses its shadow slot")
    verdict, reason, detail = judge_shadow(policy, facts, now)
    if verdict is TrialVerdict.FAILED:
        return End(slot, target, reason, detail)
    if verdict is TrialVerdict.PASSED:
        return Activate(slot, target, policy, detail)
    loaded = facts.beside is not None and (facts.beside.loaded_s is not None or facts.beside_loading)
    return RunBeside(slot, target.digest) if observed.worker_up and not loaded else WAIT


def _gather(
    slot: str, target: SlotTarget, survey: PackageSurvey, facts: SlotFacts, policy: UpdatePolicy, observed: Observed
) -> Action:
    """Fetches the missing bytes, then assembles the package."""
    needed = survey.bytes_total - survey.bytes_done + SPACE_MARGIN_BYTES
    if survey.missing and observed.disk_free_bytes < needed:
        if observed.litter:
            return Collect()
        text = f"{needed // 2**20} MiB needed, {observed.disk_free_bytes // 2**20} MiB free; free some space on this device"
        return End(slot, target, Reason.NO_SPACE, text)
    if survey.unsealed:
        return Seal(survey.unsealed[0])
    if not survey.missing:
        return Assemble(target.digest)
    if facts.patching:
        return WAIT
    if facts.fetching != {spec.digest for spec in survey.missing}:
        return Fetch(slot, survey.missing, policy.fetch_window)
    return WAIT
