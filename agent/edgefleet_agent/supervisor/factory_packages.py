"""Factory packages: those that came with the device, to which a slot returns when nothing else can be loaded."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from edgefleet_agent.model_store.slot_record import with_factory
from edgefleet_agent.supervisor.device import Device
from edgefleet_contract.core.errors import ManifestError, StoreError

RETRY_S: Final = 10.0
"""Interval of the tries to install a factory package for which the disk had no room."""

log = logging.getLogger(__name__)


def install_all(device: Device, now: float) -> None:
    """Install the factory packages of the settings. A device whose factory package is missing or damaged still has to be
    reachable, and may run a newer one: the failure is logged, reported, and `turn` tries again. `now`: monotonic seconds."""
    device.state.factories_tried_s = now
    for slot, source in device.options.factories.items():
        _install(device, slot, source)


def turn(device: Device, now: float) -> None:
    """Try missing factory packages again, every `RETRY_S`: the disk may have room by now. `now`: monotonic seconds."""
    state = device.state
    if not state.missing_factories or now - state.factories_tried_s < RETRY_S:
        return
    state.factories_tried_s = now
    for slot in list(state.missing_factories):
        _install(device, slot, device.options.factories[slot])


def renew(device: Device, slot: str) -> None:
    """Put the slot's factory package together again, where the disk has taken it and its own folder still has it."""
    source = device.options.factories.get(slot)
    if source is not None and device.stores.slots.read(slot).factory is None:
        _install(device, slot, source)


def _runs_in_place(device: Device, slot: str, source: Path) -> bool:
    """Let an empty slot run the package from its own folder, which the disk can be read from. Whether it does."""
    slots, packages = device.stores.slots, device.stores.packages
    record = slots.read(slot)
    if record.active is None or (record.active == record.factory and not packages.folder(record.active).is_dir()):
        try:
            slots.hold(slot, with_factory(record, packages.use_in_place(source)))  # this disk may not take a record, either
        except (ManifestError, StoreError) as error:
            log.error("slot %s: the factory package cannot run from its folder, either: %s", slot, error)
            return False
    return packages.is_in_place(slots.read(slot).active)


def _install(device: Device, slot: str, source: Path) -> None:
    slots, missing = device.stores.slots, device.state.missing_factories
    try:
        installed = device.stores.packages.install_folder(source)
        record = slots.read(slot)
        if record.factory != installed.digest:
            slots.write(slot, with_factory(record, installed.digest))
    except (ManifestError, StoreError) as error:
        text = f"no factory package for slot {slot}: {error}"
        if isinstance(error, StoreError) and _runs_in_place(device, slot, source):
            text = f"the factory package of slot {slot} runs from {source}, because it cannot be copied: {error}"
        if missing.get(slot) != text:
            log.error("%s", text)
        missing[slot] = text
    else:
        if missing.pop(slot, ""):
            log.info("slot %s: the factory package is installed", slot)
