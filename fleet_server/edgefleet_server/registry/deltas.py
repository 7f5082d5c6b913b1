"""Delta manifests: recipes that assemble the files of a package from chunks, so that a device reuses the unchanged chunks of an
older version.

A delta manifest is created when a package is first assigned, and stored as a blob. It is a hint and not signed: every block
assembled from it is verified.
"""

from __future__ import annotations

import hashlib
import logging
import threading

from msgspec.structs import replace

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.delta import DELTA_BYTES_MAX, DeltaManifest, file_chunks
from edgefleet_contract.package.manifest import read_descriptor
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_server.core.errors import ManifestError, StoreError
from edgefleet_server.registry.blob_store import BlobStore

FILE_BYTES_MIN = 512 * 1024
PACKAGE_BYTES_MAX = 256 * 1024 * 1024
"""Larger packages have no recipe: chunking would take seconds, here and on devices."""
KNOWN_MAX = 256

log = logging.getLogger(__name__)


class Deltas:
    """The recipes of packages. Thread-safe."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs
        self._known: dict[str, tuple[str, int]] = {}
        self._lock = threading.Lock()

    def hint(self, desired: Desired) -> Desired:
        """Add the delta manifests of its packages to a document."""
        slots: dict[str, SlotTarget] = {}
        for slot, target in desired.slots.items():
            digest, length = self.of(target.digest)
            slots[slot] = replace(target, delta=digest, delta_length=length) if length else target
        return replace(desired, slots=slots)

    def of(self, package: str) -> tuple[str, int]:
        """(SHA-256, bytes) of a package's delta manifest; 0 bytes if there is none."""
        with self._lock:
            found = self._known.get(package)
            if found is None:
                try:
                    found = self._make(package)
                except (OSError, ManifestError, StoreError) as error:
                    log.warning("no delta for %s: %s; devices fetch it whole", package[:12], error)
                    found = ("", 0)
                self._known[package] = found
                while len(self._known) > KNOWN_MAX:
                    del self._known[next(iter(self._known))]
        return found

    def _make(self, package: str) -> tuple[str, int]:
        descriptor = read_descriptor(self._blobs.path(package).read_bytes())
        files = [entry for entry in descriptor.files if entry.length >= FILE_BYTES_MIN]
        if not files or sum(entry.length for entry in files) > PACKAGE_BYTES_MAX:
            return "", 0
        delta = DeltaManifest()
        for entry in files:
            with self._blobs.path(entry.sha256).open("rb") as file:
                delta.files[entry.sha256] = [(length, name) for _, length, name in file_chunks(file)]
        packed = encode(delta)
        if len(packed) > DELTA_BYTES_MAX:
            return "", 0
        digest = hashlib.sha256(packed).hexdigest()
        with self._blobs.staging() as folder:
            (folder / "delta").write_bytes(packed)  # `adopt` flushes it
            self._blobs.adopt(folder / "delta", digest)
        return digest, len(packed)
