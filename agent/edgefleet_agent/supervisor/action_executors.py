"""Executes the actions of `plan`. One entry per action; importing this module fails if one is missing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, get_args

from msgspec.structs import replace

from edgefleet_agent.core.log_fields import log_extra
from edgefleet_agent.model_store.blob_store import SealedBlob
from edgefleet_agent.model_store.garbage import garbage
from edgefleet_agent.model_store.slot_record import (
    activate,
    commit,
    emptied,
    end,
    fall_to_factory,
    overrun,
    reopen,
    return_for_memory,
    roll_back,
    set_aside,
    undo,
)
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.factory_packages import renew
from edgefleet_agent.supervisor.supervisor_state import MemoryFault, SpaceRefusals
from edgefleet_agent.updates import actions, agent_versions
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.package.shadow import shadow_slot
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

SEAL_BYTES = 32 * 1024 * 1024
"""Bytes hashed in one turn: a large blob does not block the loop."""
RESTARTS_MAX = 16

A = TypeVar("A")
Executor = Callable[[Device, A, float, float], None]

log = logging.getLogger(__name__)


def execute(device: Device, action: actions.Action, now: float, wall: float) -> None:
    """Perform one action. `now` is monotonic, `wall` wall time, in seconds.

    Raises:
        StoreError: the disk cannot keep what it must keep; the same action will be planned again.
    """
    EXECUTORS[type(action)](device, action, now, wall)


def _wait(_device: Device, _action: actions.Wait, _now: float, _wall: float) -> None:
    """Nothing to do."""


def _fetch(device: Device, action: actions.Fetch, now: float, _wall: float) -> None:
    device.link.uplink.blocks.want(action.slot, action.blobs, action.window, now)


def _seal(device: Device, action: actions.Seal, _now: float, _wall: float) -> None:
    if device.stores.packages.blobs.seal(action.blob, SEAL_BYTES) is SealedBlob.DAMAGED:
        digest = action.blob.digest
        device.state.damages[digest] = device.state.damages.get(digest, 0) + 1
        device.link.uplink.blocks.forget(digest)
        log.error("blob %s has a wrong digest; fetching its damaged blocks again", digest[:12])


def _assemble(device: Device, action: actions.Assemble, _now: float, _wall: float) -> None:
    device.stores.packages.assemble(action.digest)


def _start_self_test(device: Device, action: actions.StartSelfTest, now: float, _wall: float) -> None:
    command = (
        device.processes.self_update.command if action.slot == AGENT_SLOT and device.processes.self_update is not None else None
    )
    device.processes.selftests.start(action.digest, device.stores.packages.folder(action.digest), now, command)


def _end(device: Device, action: actions.End, now: float, wall: float) -> None:
    target = action.target
    about = _about(action.slot, target) | {"reason": action.reason.value}
    log.error("%s@%s ended: %s: %s", target.package, target.version, action.reason.value, action.detail, extra=log_extra(**about))
    record = device.stores.slots.read(action.slot)
    device.change(action.slot, end(record, target.digest, target.attempt, action.reason, action.detail, wall))
    device.processes.worker.stop_beside(action.slot)
    device.processes.selftests.forget(target.digest)
    device.sources.patcher.clear()
    device.state.damages.clear()
    if action.reason is Reason.NO_SPACE:
        device.state.space_refusals[action.slot] = SpaceRefusals(device.state.refusals_of_space(action.slot) + 1, now)


def _reopen(device: Device, action: actions.Reopen, _now: float, _wall: float) -> None:
    log.info("slot %s: there is room on the disk again", action.slot)
    device.change(action.slot, reopen(device.stores.slots.read(action.slot)))


def _activate(device: Device, action: actions.Activate, now: float, wall: float) -> None:
    target = action.target
    text = "slot %s: %s@%s on trial for %.0f s"
    log.info(
        text,
        action.slot,
        target.package,
        target.version,
        action.policy.trial_s,
        extra=log_extra(**_about(action.slot, target), phase="trial"),
    )
    device.change(action.slot, activate(device.stores.slots.read(action.slot), target, action.policy, wall, action.note))
    device.processes.worker.stop_beside(action.slot)
    device.processes.worker.trials.begin(action.slot, now)
    device.sources.patcher.clear()
    device.state.space_refusals.pop(action.slot, None)


def _load(device: Device, action: actions.Load, now: float, _wall: float) -> None:
    _load_into(device, action.slot, action.digest, now)


def _load_into(device: Device, slot: str, digest: str, now: float) -> None:
    folder = device.stores.packages.folder(digest)
    try:
        if not folder.is_dir():
            device.stores.packages.assemble(digest)
        device.processes.worker.load(slot, device.stores.about(digest), str(folder), now)
    except ManifestError as error:
        device.processes.worker.load_failed(slot, digest, Reason.MODEL_REFUSED, str(error), now)


def _run_beside(device: Device, action: actions.RunBeside, now: float, _wall: float) -> None:
    log.info("slot %s: %s runs beside the committed package", action.slot, action.digest[:12])
    device.processes.worker.shadows.begin(action.slot, action.digest, now)
    _load_into(device, shadow_slot(action.slot), action.digest, now)


def _stop_beside(device: Device, action: actions.StopBeside, _now: float, _wall: float) -> None:
    device.processes.worker.stop_beside(action.slot)


def _relaunch(device: Device, action: actions.Relaunch, _now: float, _wall: float) -> None:
    if device.processes.self_update is not None and not device.processes.self_update.relaunching:
        log.info("restarting the agent: %s", action.why)
        device.processes.self_update.relaunching = True


def _restart_worker(device: Device, action: actions.RestartWorker, _now: float, _wall: float) -> None:
    device.processes.worker.port.restart(action.why)


def _commit(device: Device, action: actions.Commit, _now: float, wall: float) -> None:
    log.info("slot %s: committed, %s", action.slot, action.detail, extra=log_extra(slot=action.slot, phase="committed"))
    device.change(action.slot, commit(device.stores.slots.read(action.slot), action.detail, wall, action.frames))
    device.processes.worker.trials.end(action.slot)


def _roll_back(device: Device, action: actions.RollBack, now: float, wall: float) -> None:
    fields = log_extra(slot=action.slot, phase="rolled_back", reason=action.reason.value)
    log.error("slot %s: rolled back: %s: %s", action.slot, action.reason.value, action.detail, extra=fields)
    device.change(action.slot, roll_back(device.stores.slots.read(action.slot), action.reason, action.detail, wall))
    device.processes.worker.trials.end(action.slot)
    if action.reason is Reason.OVER_MEMORY:
        _free_memory(device, action.detail, now, wall)


def _go_back(device: Device, action: actions.ReturnToPrevious, _now: float, wall: float) -> None:
    fields = log_extra(slot=action.slot, phase="rolled_back", reason=Reason.PART_FAILED.value)
    log.error("slot %s: rolled back with its bundle: %s", action.slot, action.detail, extra=fields)
    device.change(action.slot, undo(device.stores.slots.read(action.slot), action.detail, wall))


def _restart_for_memory(device: Device, action: actions.RestartForMemory, now: float, wall: float) -> None:
    log.error("%s; restarting it", action.detail)
    _free_memory(device, action.detail, now, wall)
    for slot in device.stores.slots.names() if action.counts else ():
        record = device.stores.slots.read(slot)
        if record.active is not None and slot != AGENT_SLOT:
            device.change(slot, overrun(record, wall))


def _return_for_memory(device: Device, action: actions.ReturnForMemory, now: float, wall: float) -> None:
    fields = log_extra(slot=action.slot, phase="rolled_back", reason=Reason.OVER_MEMORY.value)
    log.error("slot %s: rolled back after its commit: %s", action.slot, action.detail, extra=fields)
    try:
        device.change(action.slot, return_for_memory(device.stores.slots.read(action.slot), action.detail, wall))
    finally:  # a disk that refuses is no reason to let the memory grow
        _free_memory(device, action.detail, now, wall)
    for slot in device.stores.slots.names():
        record = device.stores.slots.read(slot)
        if record.overruns:  # counted with the package that is gone
            device.change(slot, replace(record, overruns=[]))


def _free_memory(device: Device, detail: str, now: float, wall: float) -> None:
    """Restart the worker, the only way to free what a model holds."""
    device.state.memory_restarts_s.append(now)
    del device.state.memory_restarts_s[:-RESTARTS_MAX]
    device.state.memory_fault = MemoryFault(detail, wall)
    device.processes.worker.memory.clear()
    device.processes.worker.port.restart(detail)


def _forget(device: Device, action: actions.Forget, _now: float, _wall: float) -> None:
    log.info("slot %s: candidate no longer desired", action.slot)
    device.change(action.slot, emptied(device.stores.slots.read(action.slot)))


def _unload(device: Device, action: actions.Unload, _now: float, _wall: float) -> None:
    device.processes.worker.unload(action.slot)


def _fall_to_factory(device: Device, action: actions.UseFactory, _now: float, wall: float) -> None:
    log.error("slot %s: the committed package cannot be loaded; using the factory package", action.slot)
    device.change(action.slot, fall_to_factory(device.stores.slots.read(action.slot), action.detail, wall))


def _inspect(device: Device, action: actions.Inspect, _now: float, _wall: float) -> None:
    device.stores.packages.inspect(action.digest, SEAL_BYTES)


def _set_aside(device: Device, action: actions.Quarantine, _now: float, wall: float) -> None:
    fields = log_extra(slot=action.slot, digest=action.digest, reason=Reason.DAMAGED_ON_DISK.value)
    text = "slot %s: %s of package %s is damaged on disk; using the previously committed package, fetching the damaged one again"
    log.error(text, action.slot, action.detail, action.digest[:12], extra=fields)
    concerned = [slot for slot in device.stores.slots.names() if action.digest in device.stores.slots.read(slot).retained]
    for slot in concerned:
        record = device.stores.slots.read(slot)
        device.change(slot, set_aside(record, action.digest, action.detail, wall))
        if record.trial is not None and record.trial.digest == action.digest:
            device.processes.worker.trials.end(slot)
    device.processes.selftests.forget(action.digest)
    device.pipelines.forget(action.digest)
    device.stores.packages.remove(action.digest)
    for slot in concerned:
        renew(device, slot)


def _set_pipelines(device: Device, _action: actions.SetPipelines, _now: float, _wall: float) -> None:
    device.processes.worker.set_pipelines(device.pipelines.runnable(device.processes.worker.running))


def _collect(device: Device, _action: actions.Collect, _now: float, _wall: float) -> None:
    packages, blobs = device.stores.packages, device.stores.packages.blobs
    retained = _retained(device)
    litter = garbage(retained, packages.all(), blobs.all() | blobs.incoming(), packages.blobs_of)
    for digest in litter.packages:
        packages.remove(digest)
    for digest in litter.blobs:
        blobs.remove(digest)
    if device.processes.self_update is not None:
        agent_versions.collect(device.options.folder, retained | {device.processes.self_update.digest})
    device.state.litter = False


def _retained(device: Device) -> set[str]:
    """Packages that are never collected: of every record, every target, and what still runs."""
    slots, desired = device.stores.slots, desired_state.effective(device)
    retained = {digest for slot in slots.names() for digest in slots.read(slot).retained}
    retained |= {target.digest for target in (desired.slots.values() if desired else ())}
    return retained | {running.digest for running in device.processes.worker.running.values()}


def _about(slot: str, target: SlotTarget) -> dict[str, str]:
    """A target in the fields of the journal."""
    return {
        "slot": slot,
        "package": target.package,
        "version": target.version,
        "digest": target.digest,
        "attempt": target.attempt,
    }


EXECUTORS: dict[type[Any], Executor[Any]] = {
    actions.Wait: _wait,
    actions.Fetch: _fetch,
    actions.Seal: _seal,
    actions.Assemble: _assemble,
    actions.StartSelfTest: _start_self_test,
    actions.End: _end,
    actions.Reopen: _reopen,
    actions.Activate: _activate,
    actions.Load: _load,
    actions.Relaunch: _relaunch,
    actions.RestartWorker: _restart_worker,
    actions.Commit: _commit,
    actions.RollBack: _roll_back,
    actions.ReturnToPrevious: _go_back,
    actions.RestartForMemory: _restart_for_memory,
    actions.ReturnForMemory: _return_for_memory,
    actions.RunBeside: _run_beside,
    actions.StopBeside: _stop_beside,
    actions.Forget: _forget,
    actions.Unload: _unload,
    actions.UseFactory: _fall_to_factory,
    actions.Inspect: _inspect,
    actions.Quarantine: _set_aside,
    actions.SetPipelines: _set_pipelines,
    actions.Collect: _collect,
}

assert set(EXECUTORS) == set(get_args(actions.Action)), "every action has exactly one executor"
