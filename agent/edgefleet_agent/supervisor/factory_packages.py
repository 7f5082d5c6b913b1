"""Factory packages: those that came with the device, to which a slot returns when nothing else can be loaded."""

from __future__ import annotations

import logging
from pathlib import Path

from edgefleet_agent.model_store.slot_record import with_factory
from edgefleet_agent.supervisor.device import Device
from edgefleet_contract.core.errors import ManifestError, StoreError

log = logging.getLogger(__name__)


def install_all(device: Device) -> None:
    """Install the factory packages of the settings. A device whose factory package is missing or damaged still has to be
    reachable, and may run a newer one: the failure is logged."""
    for slot, source in device.options.factories.items():
        _install(device, slot, source)


def renew(device: Device, slot: str) -> None:
    """Put the slot's factory package together again, where the disk has taken it and its own folder still has it."""
    source = device.options.factories.get(slot)
    if source is not None and device.stores.slots.read(slot).factory is None:
        _install(device, slot, source)


def _install(device: Device, slot: str, source: Path) -> None:
    slots = device.stores.slots
    try:
        installed = device.stores.packages.install_folder(source)
        record = slots.read(slot)
        if record.factory != installed.digest:
            slots.write(slot, with_factory(record, installed.digest))
    except (ManifestError, StoreError) as error:
        log.error("no factory package for slot %s: %s", slot, error)
