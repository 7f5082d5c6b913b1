"""Entitlements: the blobs that a device may fetch. They are those of the packages in its desired document, whatever the way:
blocks over MQTT, a download ticket, a key for broadcast blocks."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.package.manifest import read_descriptor
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_server.core.errors import DeniedError, ManifestError
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas

PACKAGES_MAX: Final = 256
"""Packages whose lists of blobs are kept in memory."""
DEVICES_MAX: Final = 20_000
"""Devices whose documents are kept in memory."""
FRESH_S: Final = 30.0
"""Time for which a document that was read is taken as the device's own; a newer document, or blocking it, ends it at once."""
REFUSED_FRESH_S: Final = 1.0
"""The same for a refusal: the document may have been written a moment ago."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The targets of a device as they were read. `refusal`: the reason for which it may fetch nothing; empty if it may."""

    read_s: float
    targets: tuple[SlotTarget, ...]
    refusal: str = ""


class Entitlements:
    """Entitlements of all devices. Thread-safe."""

    def __init__(self, database: Database, blobs: BlobStore, deltas: Deltas) -> None:
        self._database = database
        self._blobs = blobs
        self._deltas = deltas
        self._lock = threading.Lock()
        self._packages: OrderedDict[str, dict[str, int]] = OrderedDict()
        self._devices: OrderedDict[str, _Known] = OrderedDict()

    def check(self, device: str, blob: str, now: float) -> None:
        """Check the database of this moment; `now` is wall time.

        Raises:
            DeniedError: the device is blocked, has no valid certificate, or the blob is not one of its packages'.
        """
        if fault := self._fault(self._read(device, 0.0, now), device, blob):
            raise DeniedError(fault)

    def refusal(self, device: str, blob: str, at: float, now: float) -> str:
        """The reason for which a device may not fetch a blob; empty if it may. For each request for blocks: it reads the
        database at most once in `FRESH_S` a device, once in `REFUSED_FRESH_S` for one that requests what it may not have. `at` is
        monotonic, `now` wall time.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._lock:
            known = self._devices.get(device)
        if (
            known is None
            or at - known.read_s >= FRESH_S
            or (at - known.read_s >= REFUSED_FRESH_S and self._fault(known, device, blob))
        ):
            known = self._read(device, at, now)
            with self._lock:
                self._devices[device] = known
                self._devices.move_to_end(device)
                while len(self._devices) > DEVICES_MAX:
                    self._devices.popitem(last=False)
        return self._fault(known, device, blob)

    def forget(self, device: str) -> None:
        """Read the device's document again at its next request: it has a newer one, or was blocked."""
        with self._lock:
            self._devices.pop(device, None)

    def _fault(self, known: _Known, device: str, blob: str) -> str:
        if known.refusal or self._is_part(known, blob):
            return known.refusal
        return f"blob {blob[:12]} is not part of a package assigned to {device}"

    def _read(self, device: str, at: float, now: float) -> _Known:
        with self._database.read() as connection:
            db = raw(connection)
            try:
                check_standing(db, device, now)
            except DeniedError as error:
                return _Known(at, (), str(error))
            found = assignments.documents(db, [device])
        return _Known(at, tuple(decode(found[0][2].encode(), Desired).slots.values()) if found else ())

    def _is_part(self, known: _Known, blob: str) -> bool:
        if any(blob in self.blobs_of(target.digest) for target in known.targets):
            return True
        return any(blob == self._deltas.of(target.digest)[0] for target in known.targets)

    def blobs_of(self, package: str) -> Mapping[str, int]:
        """The blobs of a package and their bytes, without its delta manifest: its descriptor, and the files that it lists; empty
        if it cannot be read."""
        with self._lock:
            blobs = self._packages.get(package)
        if blobs is None:
            try:
                packed = self._blobs.path(package).read_bytes()
                descriptor = read_descriptor(packed)
            except (OSError, ManifestError):
                return {}
            blobs = {package: len(packed), **{entry.sha256: entry.length for entry in descriptor.files}}
            with self._lock:
                self._packages[package] = blobs
                while len(self._packages) > PACKAGES_MAX:
                    self._packages.popitem(last=False)
        return blobs


def check_standing(db: Driver, device: str, now: float) -> None:
    """Check that a device may fetch anything.

    Raises:
        DeniedError: it is blocked, or all its certificates are revoked.
    """
    standing = identities.standing(db, device, now)
    if standing.blocked:
        raise DeniedError(f"device {device!r} is blocked")
    if standing.enrolled and not standing.certified:
        raise DeniedError(f"device {device!r} has no valid certificate; enroll it again")
