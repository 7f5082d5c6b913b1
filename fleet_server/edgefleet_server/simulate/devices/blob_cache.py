"""Cache of verified bytes, shared by all virtual devices of the process.

Ten thousand devices that hash four megabytes each would spend nearly all their time on SHA-256. The first device that receives a
block hashes it; the others compare their bytes with that block, which is equivalent and costs a tenth.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.manifest import MANIFEST_FILE, Descriptor, FileEntry, Manifest, read_descriptor, read_manifest
from edgefleet_contract.package.profile import choose_variant
from edgefleet_contract.wire.messages import BLOCK_BYTES, SlotTarget

SHELF_BYTES_MAX: Final = 512 * 1024 * 1024
PACKAGES_MAX: Final = 64


@dataclass(frozen=True, slots=True)
class Contents:
    """The parts of a package that are known so far."""

    descriptor: Descriptor
    manifest: Manifest | None = None


class BlobCache:
    """Verified blocks by their hash, and the contents of packages."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._packages: OrderedDict[str, Contents] = OrderedDict()
        self.hashed_blocks = 0

    def is_right(self, entry: FileEntry, index: int, data: memoryview) -> bool:
        """Whether `data` is block `index` of `entry`, whose hashes come from a verified descriptor."""
        expected = hash_of(entry, index)
        if not expected:
            return False
        known = self._blocks.get(expected)
        if known is not None:
            return known == data
        self.hashed_blocks += 1
        if hashlib.sha256(data).hexdigest() != expected:
            return False
        self._blocks[expected] = bytes(data)
        self._bytes += len(data)
        while self._bytes > SHELF_BYTES_MAX:
            self._bytes -= len(self._blocks.popitem(last=False)[1])
        return True

    def contents(self, target: SlotTarget) -> Contents | None:
        """Files of a package; None until its descriptor is fetched.

        Raises:
            ManifestError: the package is malformed.
        """
        known = self._packages.get(target.digest)
        if known is None:
            data = self._blocks.get(target.digest)
            if data is None:
                return None
            known = Contents(read_descriptor(data))
        if known.manifest is None:
            text = self._whole(known.descriptor.file(MANIFEST_FILE))
            if text is not None:
                known = Contents(known.descriptor, read_manifest(text.decode(), target.digest))
        self._packages[target.digest] = known
        if len(self._packages) > PACKAGES_MAX:
            self._packages.popitem(last=False)
        return known

    def _whole(self, entry: FileEntry) -> bytes | None:
        parts = [self._blocks.get(sha256) for sha256 in entry.blocks]
        return None if None in parts else b"".join(part for part in parts if part is not None)


def hash_of(entry: FileEntry, index: int) -> str:
    """The expected hash of block `index`; empty if there is no such block."""
    if entry.blocks:
        return entry.blocks[index] if 0 <= index < len(entry.blocks) else ""
    return entry.sha256 if index == 0 and entry.length <= BLOCK_BYTES else ""


def blocks_of(entry: FileEntry) -> int:
    """The number of blocks of a file."""
    return -(-entry.length // BLOCK_BYTES)


def descriptor_entry(target: SlotTarget) -> FileEntry:
    """A package's descriptor as a file.

    Raises:
        ManifestError: it is longer than a block (a package of more than about 200 MB), which virtual devices do not support.
    """
    if not 0 < target.length <= BLOCK_BYTES:
        raise ManifestError(f"{target.package}@{target.version}: descriptor of {target.length} bytes, the limit is a block")
    return FileEntry(path="descriptor", length=target.length, sha256=target.digest)


def files_for(contents: Contents, profile: str, runtimes: list[str]) -> list[FileEntry] | None:
    """The files that a device of this kind needs; None if no variant fits it."""
    if contents.manifest is None:
        return [contents.descriptor.file(MANIFEST_FILE)]
    chosen = choose_variant(contents.manifest, profile, runtimes)
    if chosen is None:
        return None
    return [contents.descriptor.file(path) for path in contents.manifest.paths_for(chosen[0])]
