"""Desired state of the device: the server's document, accepted and stored here, with what was imported by hand since."""

from __future__ import annotations

import logging

from msgspec.structs import replace

from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_agent.model_store.package_store import PackageState
from edgefleet_agent.supervisor.device import Device
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX
from edgefleet_contract.wire.messages import Desired, SlotTarget

FILE = "desired.json"

log = logging.getLogger(__name__)


def restore(device: Device) -> None:
    """Read the document of the last run. A damaged one is left out: the server's next one counts."""
    device.state.desired = _file(device).read()
    device.pipelines.set_pushed(device.state.desired.pipelines if device.state.desired is not None else None)


def _file(device: Device) -> StateFile[Desired]:
    follows = Consequences("waiting for the next desired state from the server", waits=True)
    return StateFile(device.options.folder / FILE, Desired, device.disk, follows, MESSAGE_BYTES_MAX)


def accept(device: Device, desired: Desired) -> bool:
    """Take a document that is newer than all before; on the disk when this returns. False: it is an old one.

    Raises:
        StoreError: the disk cannot keep it; the old document stands.
    """
    if desired.generation <= generation(device):
        return False
    _file(device).store(desired)
    device.sources.usb_imports.superseded(desired.generation)
    device.state.desired = desired
    device.state.litter = True
    device.pipelines.set_pushed(desired.pipelines)
    for slot, target in desired.slots.items():
        log.info("generation %d: desired package of slot %s is %s@%s", desired.generation, slot, target.package, target.version)
    return True


def generation(device: Device) -> int:
    """Of the document that was accepted last; 0 before the first."""
    return device.state.desired.generation if device.state.desired is not None else 0


def effective(device: Device) -> Desired | None:
    """The server's document, with what was imported by hand since."""
    local = device.sources.usb_imports.local.slots
    if not local:
        return device.state.desired
    desired = device.state.desired or Desired(device=device.id, generation=1)
    # Who carries a stick to a device without a line does not ask that the line works.
    policy = desired.policy if device.link.uplink.connected else replace(desired.policy, site_offline=True)
    return replace(desired, slots={**desired.slots, **local}, policy=policy)


def target(device: Device, slot: str) -> SlotTarget | None:
    """The package that `slot` shall run; None: nothing is desired for it."""
    desired = effective(device)
    return desired.slots.get(slot) if desired is not None else None


def take_imports(device: Device, now: float) -> None:
    """Take what came on a stick, and clear away what came and is settled.

    Raises:
        StoreError: the disk cannot be used.
    """
    imports, packages = device.sources.usb_imports, device.stores.packages
    offer = imports.turn(generation(device), now)
    if offer is not None:
        device.trust.signatures.offer(offer)
        device.link.uplink.blocks.retry_local_sources()
    for digest in imports.just_taken():
        packages.doubt(digest)  # who brings it anew may have a reason
    for digest, slot in imports.waiting.items():
        record, desired = device.stores.slots.read(slot), target(device, slot)
        sound = packages.soundness(digest).state is PackageState.SOUND
        running = record.active == digest and record.trial is None and sound
        if running or desired is None or desired.digest != digest or record.has_ended(desired):
            imports.done(digest)
