"""Observes the device: `observe` makes the input of `plan` of the state, the disk and the other processes.

It changes nothing of the `SupervisorState`: `follow_worker` and `judge_moment` bring that up to date before. Three parts note
that they were asked: the signature checker since when a package waits, the patcher begins a patch that is worth it, and the
agent's own trial counts from the first time that the worker is up.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core import plugins
from edgefleet_agent.core.disk_faults import DiskState, disk_state
from edgefleet_agent.model_store.package_store import SOUND, PackageIntegrity, PackageSurvey
from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.model_store.trust import TRUSTED, EndorsedTarget
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.worker.pipeline_requests import used_slots
from edgefleet_agent.updates.deferral import deferral
from edgefleet_agent.updates.memory_rules import judge_overrun
from edgefleet_agent.updates.plan import SPACE_MARGIN_BYTES
from edgefleet_agent.updates.state import LoadFailure, Observed, SlotFacts, TrialWatch
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadow_slot
from edgefleet_contract.pipeline.fleet_pipeline import pipeline_of
from edgefleet_contract.pipeline.spec import EVENTS
from edgefleet_contract.wire.messages import Running, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

ROOM_S = 10.0
ROOM_S_MAX = 600.0
"""Pause before an attempt that found no disk space is tried again: after the first time, and after many."""
DAMAGES_MAX = 3
"""A blob that was wrong as a whole this many times is refused."""
NO_LAUNCHER = "the agent was not started with `edgefleet-agent launch`; install the Debian package"


def judge_moment(device: Device, temperature_c: float | None, wall: float) -> None:
    """Update whether updates may continue now. `wall`: seconds; the device's own hours are local time."""
    rules, local = device.options.rules, time.localtime(wall)
    inhibited = bool(rules.inhibit_file) and Path(rules.inhibit_file).exists()
    minute = local.tm_hour * 60 + local.tm_min
    device.state.deferral = deferral(rules, temperature_c, inhibited=inhibited, minute=minute)


def follow_worker(device: Device, now: float, wall: float) -> None:
    """Update what follows from the worker's answers. An active package that just failed to load is verified again, even if its
    files did not change; a fleet pipeline on trial counts frames once it runs. `now` is monotonic, `wall` wall time, in seconds.
    """
    for slot in device.stores.slots.names():
        active = device.stores.slots.read(slot).active
        if active is not None and slot != AGENT_SLOT:
            _doubt_after_failure(device, slot, active)
        if pipeline_of(slot) is None:
            continue
        if active is None or not _pipeline_runs(device, slot):
            device.state.running_since.pop(slot, None)
        else:
            device.state.running_since.setdefault(slot, wall)
            device.processes.worker.trials.pipeline_loaded(slot, now)


def observe(device: Device, now: float, wall: float) -> Observed:
    """The input of `plan`. `now` is monotonic, `wall` wall time, in seconds.

    Raises:
        StoreError: the disk cannot be used.
    """
    state, worker, specs = device.state, device.processes.worker, device.pipelines.specs()
    desired = desired_state.effective(device)
    targets = desired.slots if desired is not None else {}
    used = used_slots(specs)
    slots: dict[str, SlotFacts] = {}
    for slot in dict.fromkeys([*device.stores.slots.names(), *targets]):
        if slot == AGENT_SLOT and slot not in targets and device.processes.self_update is None:
            continue
        if pipeline_of(slot) is not None:
            slots[slot] = _pipeline_facts(device, slot, targets, now, wall)
            continue
        target = targets.get(slot)
        facts = _agent_facts(device, target, now, wall) if slot == AGENT_SLOT else _slot_facts(device, slot, target, now, wall)
        slots[slot] = dataclasses.replace(facts, used=slot in used)
    return Observed(
        slots=slots,
        worker_up=worker.port.up,
        pipelines_differ=worker.pipelines.differ(device.pipelines.runnable(worker.running)),
        disk_free_bytes=_room_bytes(device),
        read_only=disk_state(device.options.folder) is DiskState.READ_ONLY,
        litter=state.litter,
        tester_busy=device.processes.selftests.busy,
        deferral=state.deferral,
        overrun=judge_overrun(
            worker.memory.overrun,
            {slot: facts.record for slot, facts in slots.items()},
            state.memory_restarts_s,
            now,
            wall,
            killed=bool(worker.memory.killed),
        ),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Candidate:
    """The desired package of a slot. `survey` is None where nothing is to be done for it now."""

    target: SlotTarget | None
    survey: PackageSurvey | None
    endorsement: EndorsedTarget = TRUSTED


def _slot_facts(device: Device, slot: str, target: SlotTarget | None, now: float, wall: float) -> SlotFacts:
    record = device.stores.slots.read(slot)
    survey = _survey(device, target, record)
    candidate = _Candidate(target, survey, _endorsement(device, target, record, survey, now, wall))
    return _facts(device, slot, record, candidate, now)


def _agent_facts(device: Device, target: SlotTarget | None, now: float, wall: float) -> SlotFacts:
    """Of the slot of the agent itself. Without a launcher it takes no version."""
    record = device.stores.slots.read(AGENT_SLOT)
    if device.processes.self_update is None:
        refused = PackageSurvey(reason=Reason.INCOMPATIBLE, detail=NO_LAUNCHER)
        facts = _facts(device, AGENT_SLOT, replace(record, trial=None), _Candidate(target, refused), now)
        return dataclasses.replace(facts, running=None, watch=None)
    facts = _slot_facts(device, AGENT_SLOT, target, now, wall)
    return dataclasses.replace(facts, running=_own_running(device), watch=_own_watch(device, record, now))


def _facts(device: Device, slot: str, record: SlotRecord, candidate: _Candidate, now: float) -> SlotFacts:
    """Facts that every slot has."""
    target, survey = candidate.target, candidate.survey
    worker, blocks = device.processes.worker, device.link.uplink.blocks
    failure = blocks.failure(slot)
    needed = device.stores.packages.blobs_of(target.digest) if target is not None and survey is not None else set()
    trusted = candidate.endorsement is TRUSTED
    return SlotFacts(
        record=record,
        soundness=_soundness(device, slot, record),
        survey=survey,
        endorsement=candidate.endorsement,
        fetching=blocks.requested(slot),
        patching=trusted and _patching(device, target, record, survey, now),
        fetch_reason=failure.reason if failure else Reason.NONE,
        fetch_detail=failure.detail if failure else "",
        disk_refusal=blocks.disk_refusal(slot),
        broadcast_fault=blocks.broadcast_fault(slot),
        room_again=_has_room_again(device, slot, target, record, now),
        bytes_sent_again=sum(blocks.sent_again_bytes.get(digest, 0) for digest in needed),
        selftest=device.processes.selftests.result(target.digest) if target is not None else None,
        loading=worker.loading(slot),
        load_failure=worker.failures.get(slot),
        running=worker.running.get(slot),
        watch=worker.trials.watch(slot),
        beside=worker.watch_beside(slot),
        beside_loading=worker.loading(shadow_slot(slot)),
    )


def _pipeline_facts(device: Device, slot: str, targets: Mapping[str, SlotTarget], now: float, wall: float) -> SlotFacts:
    """Of the slot of a fleet pipeline: whether it runs, whether it can run, and which slot it waits for."""
    facts = _slot_facts(device, slot, targets.get(slot), now, wall)
    active, since_at = facts.record.active, device.state.running_since.get(slot)
    fault = _pipeline_fault(device, slot)
    spec = device.pipelines.specs().get(pipeline_of(slot) or "")
    objection, awaited = _hurdles(device, slot, targets, facts)
    running = None
    if active is not None and since_at is not None:
        running = replace(device.stores.about(active), since_at=since_at)
    return dataclasses.replace(
        facts,
        running=running,
        load_failure=LoadFailure(active, Reason.TRIAL_UNHEALTHY, fault, 1, now) if active is not None and fault else None,
        used=spec is not None and spec.source.kind not in (EVENTS, *plugins.names("sensors")),
        objection=objection,
        awaited=awaited,
    )


def _pipeline_fault(device: Device, slot: str) -> str:
    """The reason why the active pipeline of the slot cannot run; "" where it can, or where that is not known yet."""
    name, worker = pipeline_of(slot) or "", device.processes.worker
    fault, spec = device.pipelines.fleet_error(name), device.pipelines.specs().get(name)
    return worker.pipelines.refusal(spec) if not fault and spec is not None and worker.port.up else fault


def _pipeline_runs(device: Device, slot: str) -> bool:
    """Whether the worker runs the active pipeline of the slot; one that is not for this device runs where the worker is up."""
    worker, spec = device.processes.worker, device.pipelines.specs().get(pipeline_of(slot) or "")
    return worker.port.up and not _pipeline_fault(device, slot) and (spec is None or worker.pipelines.runs(spec))


def _hurdles(device: Device, slot: str, targets: Mapping[str, SlotTarget], facts: SlotFacts) -> tuple[str, str]:
    """The reason why the desired pipeline cannot work here, and the slot of models that it has to wait for; each may be empty."""
    target, slots = targets.get(slot), device.stores.slots
    if target is None or facts.survey is None or not facts.survey.ready:
        return "", ""
    objection = device.pipelines.objection(slot, target.digest)
    if objection:
        return objection, ""
    needed = device.pipelines.needed_slots(slot, target.digest)
    absent = [each for each in needed if slots.read(each).active is None]
    missing = next((each for each in absent if each not in targets), None)
    if missing is not None:
        have = ", ".join(each for each in slots.names() if slots.read(each).active and pipeline_of(each) is None)
        return f"requires a model in slot {missing!r}; this device has {have or 'none'}", ""
    return "", absent[0] if absent else ""


def _has_room_again(device: Device, slot: str, target: SlotTarget | None, record: SlotRecord, now: float) -> bool:
    """Whether the desired package, which was refused for want of disk space, may find it now."""
    ended = record.ended
    if target is None or ended is None or not record.has_ended(target) or ended.reason is not Reason.NO_SPACE:
        return False
    before = device.state.space_refusals.get(slot)
    if before is not None and now - before.at_s < min(ROOM_S * 4.0 ** (before.count - 1), ROOM_S_MAX):
        return False
    if disk_state(device.options.folder) is DiskState.READ_ONLY:
        return False
    survey = device.stores.packages.survey(target)
    return _room_bytes(device) >= survey.bytes_total - survey.bytes_done + SPACE_MARGIN_BYTES


def _survey(device: Device, target: SlotTarget | None, record: SlotRecord) -> PackageSurvey | None:
    """Progress of the desired package; None where nothing is to be done for it now."""
    if target is None or record.trial is not None or target.digest == record.active or record.has_ended(target):
        return None
    survey = device.stores.packages.survey(target, _epoch_min(device, target.package, record.fallback))
    damaged = next((spec for spec in survey.missing if device.state.damages.get(spec.digest, 0) >= DAMAGES_MAX), None)
    if damaged is not None:
        text = f"blob {damaged.digest[:12]} had a wrong digest {DAMAGES_MAX} times"
        return PackageSurvey(reason=Reason.HASH_MISMATCH, detail=text)
    return survey


def _endorsement(
    device: Device, target: SlotTarget | None, record: SlotRecord, survey: PackageSurvey | None, now: float, wall: float
) -> EndorsedTarget:
    """Whether the signatures allow the desired package; needed only while something is to be done for it."""
    if target is None or survey is None or target.digest in record.quarantine:
        return TRUSTED
    trust = device.trust
    reachable = device.link.uplink.connected or bool(device.sources.usb_imports.waiting)
    epoch_min, at = _epoch_min(device, target.package, record.fallback), trust.known_time.at(now, wall)
    return trust.signatures.endorsement(target, epoch_min, now, at, connected=reachable)


def _epoch_min(device: Device, package: str, fallback: str | None) -> int:
    """The epoch below which a version of `package` is refused."""
    if fallback is None:
        return 0
    try:
        trusted = device.stores.packages.describe(fallback)
    except ManifestError:
        return 0
    return trusted.epoch if trusted.name == package else 0


def _patching(device: Device, target: SlotTarget | None, record: SlotRecord, survey: PackageSurvey | None, now: float) -> bool:
    """Whether pieces of what is missed may come from the version that is trusted now."""
    if target is None or survey is None or not survey.missing or record.fallback is None or not target.delta_length:
        return False
    packages = device.stores.packages
    try:
        same = packages.describe(record.fallback).name == target.package
    except ManifestError:
        return False
    have = [packages.folder(record.fallback)]
    return same and device.sources.patcher.waits_for_patch(target, survey.missing, have, now)


def _soundness(device: Device, slot: str, record: SlotRecord) -> PackageIntegrity:
    """Integrity of the active package."""
    if record.active is None or slot == AGENT_SLOT:
        return SOUND
    return device.stores.packages.soundness(record.active)


def _doubt_after_failure(device: Device, slot: str, active: str) -> None:
    failure, doubted_s = device.processes.worker.failures.get(slot), device.state.doubted_s
    if failure is not None and failure.digest == active and doubted_s.get(slot) != failure.at_s:
        doubted_s[slot] = failure.at_s
        device.stores.packages.doubt(active)


def _own_running(device: Device) -> Running | None:
    own = device.processes.self_update
    if own is None or not own.digest:
        return None
    try:
        return device.stores.about(own.digest)
    except ManifestError:
        return own.running("0.0.0")


def _own_watch(device: Device, record: SlotRecord, now: float) -> TrialWatch | None:
    own = device.processes.self_update
    trial = record.trial.digest if record.trial is not None else None
    return own.watch(trial, worker_up=device.processes.worker.port.up, now=now) if own is not None else None


def _room_bytes(device: Device) -> int:
    """Bytes left for models: the smaller of free disk space and quota."""
    blobs, quota = device.stores.packages.blobs, device.options.models_bytes_max
    free = blobs.free_bytes()
    return min(free, max(0, quota - blobs.used_bytes())) if quota else free
