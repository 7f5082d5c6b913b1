"""The start of the supervisor: factory packages, the desired document of the last run, and trials that it did not finish."""

from __future__ import annotations

import logging

from edgefleet_agent.model_store.slot_record import SlotRecord, interrupt, roll_back
from edgefleet_agent.supervisor import desired_state, factory_packages
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.updates.state import Resume, resume
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason

log = logging.getLogger(__name__)


def start(device: Device, now: float, wall: float) -> None:
    """Restore what the last run left on disk (`updates.state.RESUME`). `now` is monotonic, `wall` wall time, in seconds.

    Raises:
        StoreError: the disk cannot be used.
    """
    factory_packages.install_all(device, now)
    desired_state.restore(device)
    for slot in device.stores.slots.names():
        if slot != AGENT_SLOT:  # whose starts the launcher counts
            _resume_trial(device, slot, now, wall)


def _resume_trial(device: Device, slot: str, now: float, wall: float) -> None:
    record = device.stores.slots.read(slot)
    if record.trial is None:
        return
    if resume(SlotPhase.TRIAL, record.trial.interruptions) is Resume.ROLL_BACK:
        text = "the agent or device went down twice during the trial"
        _change_anyway(device, slot, roll_back(record, Reason.TRIAL_CRASH, text, wall))
    else:
        _change_anyway(device, slot, interrupt(record))
        device.processes.worker.trials.begin(slot, now)


def _change_anyway(device: Device, slot: str, record: SlotRecord) -> None:
    """`change`, in memory where the disk takes nothing: a device that cannot count its starts has to start all the same."""
    try:
        device.change(slot, record)
    except StoreError as error:
        log.error("%s", error)
        device.stores.slots.hold(slot, record)
