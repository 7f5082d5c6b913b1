"""Packages imported from a USB stick: `edgefleet-agent bundle import` writes them to `imports/`, and the supervisor's loop
installs them from there.

`local.json` holds the imported packages that are still desired. They have priority over the server's desired document of that
time; a newer document of the server ends them.
"""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import Consequences, StateFile, prepare_folder
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_contract.core.atomic_files import read_if_there, remove_folder, sweep
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, Wire, decode
from edgefleet_contract.encoding.names import Name
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import SlotTarget, TrustOffer

POLL_S = 1.0
FOLDER = "imports"
FOLLOWS = Consequences("import the packages again", "imports are kept in memory only")
SLOT_FILE = "slot"

log = logging.getLogger(__name__)


class Local(Wire):
    """`local.json`: manually imported packages, and the generation of the server's desired document at that time."""

    generation: int = 0
    slots: dict[Name, SlotTarget] = msgspec.field(default_factory=dict)


class UsbImports:
    """The folder `imports/` under `root`. Times are monotonic seconds."""

    def __init__(self, root: Path, local_sources: LocalSources, faults: DiskFaults | None = None) -> None:
        self._folder = prepare_folder(root / FOLDER, faults or DiskFaults())
        sweep(self._folder)
        self._file = StateFile(root / "local.json", Local, faults, FOLLOWS, MESSAGE_BYTES_MAX)
        self._local_sources = local_sources
        self._polled_s = -POLL_S
        self._taken: dict[str, str] = {}
        self._stuck: set[str] = set()
        self._new: list[str] = []
        self.local = self._file.read() or Local()

    def turn(self, generation: int, now: float) -> TrustOffer | None:
        """Take imported packages. Returns the metadata that came with them, if any.

        Raises:
            StoreError: the disk cannot be written; the import is retried later.
        """
        if now - self._polled_s < POLL_S:
            return None
        self._polled_s = now
        for place in sorted(self._folder.glob("*")):
            if not place.name.startswith(".") and place.name not in self._taken and place.name not in self._stuck:
                return self._take(place, generation)
        return None

    def superseded(self, generation: int) -> None:
        """Drop imports that a newer desired document of the server replaces.

        Raises:
            StoreError: the disk cannot be written.
        """
        if self.local.slots and generation > self.local.generation:
            self._save(Local(generation=generation))

    def done(self, digest: str) -> None:
        """Remove the copy of a package that is in the store or was refused."""
        place = self._folder / digest
        if self._taken.pop(digest, None) is not None:
            self._local_sources.forget(place / BLOBS_FOLDER)
            self._drop(place)

    def just_taken(self) -> list[str]:
        """Digests of packages that were taken since the last call."""
        new, self._new = self._new, []
        return new

    @property
    def waiting(self) -> dict[str, str]:
        """Digests of packages that were taken and are not done -> their slots."""
        return dict(self._taken)

    def _take(self, place: Path, generation: int) -> TrustOffer | None:
        try:
            bundle = decode(read_if_there(place / BUNDLE_FILE, MESSAGE_BYTES_MAX) or b"", UsbBundle)
            slot = (read_if_there(place / SLOT_FILE, 64) or b"").decode("ascii", "replace")
        except MessageError as error:
            log.error("%s is not a package (%s); deleting it", place, error)
            self._drop(place)
            return None
        target = bundle.target
        log.info("imported %s@%s for slot %s", target.package, target.version, slot)
        target.attempt = f"import-{target.digest[:12]}-{int(place.stat().st_mtime)}"
        self._save(Local(generation=generation, slots={**self.local.slots, slot: target}))
        self._taken[place.name] = slot
        self._new.append(place.name)
        self._local_sources.add(place / BLOBS_FOLDER)
        return TrustOffer(files=bundle.trust) if bundle.trust else None

    def _drop(self, place: Path) -> None:
        """Removes a copy; a failure to delete it must not stop the device."""
        try:
            remove_folder(place)
        except StoreError as error:
            log.warning("%s", error)
            self._stuck.add(place.name)

    def _save(self, local: Local) -> None:
        self._file.store(local)
        self.local = local
