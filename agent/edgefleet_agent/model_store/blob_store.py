"""Blobs: bytes named by their SHA-256.

    incoming/<digest>.part    a sparse file of the final length
    incoming/<digest>.map     one bit a block: 1 = this block's bytes are on the disk and have the right hash
    blobs/<digest>            complete, checked as a whole, read-only

The data of a block is flushed before its bit is set, so that a set bit is correct after a power cut or a kill at any point. If
the disk has damaged data, `seal` detects this by the hash of the whole blob, checks every block again and clears the wrong bits.
A blob from an earlier process is used only after `seal` has hashed it again; a damaged one is removed there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from edgefleet_agent.core.damaged_files import is_unreadable, read_if_readable
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import prepare_folder
from edgefleet_agent.model_store.hash_cache import HashCache
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, sync_folder, write_atomic
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.package.manifest import FileEntry
from edgefleet_contract.wire.messages import BLOCK_BYTES


class SealedBlob(str, Enum):
    """Result of sealing a blob whose blocks are all present."""

    DONE = "done"
    MORE = "more"
    DAMAGED = "damaged"


class _Incoming:
    """One incomplete blob: the sparse file, its bitmap, and the progress of the check of the whole."""

    def __init__(self, folder: Path, spec: BlobSpec) -> None:
        self.spec = spec
        self.part = folder / f"{spec.digest}.part"
        self.map = folder / f"{spec.digest}.map"
        self.bits = self._resume() or self._begin()
        self.hasher = hashlib.sha256()
        self.hashed_bytes = 0

    def has(self, index: int) -> bool:
        return bool(self.bits[index >> 3] & (1 << (index & 7)))

    def missing(self) -> list[int]:
        return [index for index in range(self.spec.block_count) if not self.has(index)]

    def write(self, index: int, data: bytes) -> None:
        """Writes the data, then the bit; this order makes the bit reliable."""
        with self.part.open("r+b", buffering=0) as file:
            file.seek(index * BLOCK_BYTES)
            file.write(data)
            os.fdatasync(file.fileno())
        self._mark(index, value=True)

    def clear(self, indices: list[int]) -> None:
        for index in indices:
            self._mark(index, value=False)

    def _mark(self, index: int, *, value: bool) -> None:
        byte = index >> 3
        bit = 1 << (index & 7)
        self.bits[byte] = self.bits[byte] | bit if value else self.bits[byte] & ~bit
        with self.map.open("r+b", buffering=0) as file:
            file.seek(byte)
            file.write(self.bits[byte : byte + 1])
            os.fdatasync(file.fileno())

    def _resume(self) -> bytearray | None:
        size = -(-self.spec.block_count // 8)
        bits = read_if_readable(self.map, size)
        if bits is None or len(bits) != size or not self.part.is_file() or self.part.stat().st_size != self.spec.length:
            return None
        return bytearray(bits)

    def _begin(self) -> bytearray:
        with self.part.open("wb") as file:
            file.truncate(self.spec.length)
            os.fsync(file.fileno())
        bits = bytearray(-(-self.spec.block_count // 8))
        write_atomic(self.map, bytes(bits))
        return bits


class BlobStore:
    """The folders `incoming/` and `blobs/` under `root`."""

    def __init__(self, root: Path, faults: DiskFaults | None = None) -> None:
        faults = faults or DiskFaults()
        self._blobs = prepare_folder(root / "blobs", faults)
        self._folder = prepare_folder(root / "incoming", faults)
        self._incoming: dict[str, _Incoming] = {}
        self.verified = HashCache()

    def path(self, digest: str) -> Path:
        return self._blobs / digest

    def has(self, digest: str) -> bool:
        """Whether the blob is complete and was hashed by this process."""
        return self.verified.digest_of(self.path(digest)) == digest

    def keeps(self, digest: str) -> bool:
        """Whether a file of this name exists. It may be damaged; `seal` verifies it."""
        return self.path(digest).is_file()

    def read(self, digest: str, bytes_max: int) -> bytes | None:
        """Content of a small blob; None if it is not there, or its reads fail though the disk works.

        Raises:
            StoreError: the disk cannot be read.
        """
        return read_if_readable(self.path(digest), bytes_max)

    def missing(self, spec: BlobSpec) -> list[int]:
        """Indices of the blocks that are not yet present and verified, rising; empty for a blob that `seal` has to check first.

        Raises:
            StoreError: the disk cannot be written.
        """
        if self.keeps(spec.digest):
            return []
        return self._open(spec).missing()

    def verified_bytes(self, spec: BlobSpec) -> int:
        """Bytes of `spec` that are present and were verified on receipt; changes nothing."""
        if self.keeps(spec.digest):
            return spec.length
        if spec.digest not in self._incoming and not (self._folder / f"{spec.digest}.map").is_file():
            return 0
        missing = self._open(spec).missing()
        return spec.length - sum(spec.block_length(index) for index in missing)

    def put(self, spec: BlobSpec, index: int, data: bytes) -> BlockPut:
        """Store one block if its hash is that of `spec`.

        Raises:
            StoreError: the disk cannot be written.
        """
        if not 0 <= index < spec.block_count or len(data) != spec.block_length(index):
            return BlockPut.WRONG_LENGTH
        if self.keeps(spec.digest):
            return BlockPut.DUPLICATE
        blob = self._open(spec)
        if blob.has(index):
            return BlockPut.DUPLICATE
        expected = spec.block_digest(index)
        if expected is not None and hashlib.sha256(data).hexdigest() != expected:
            return BlockPut.WRONG_HASH
        with as_store_error(blob.part):
            blob.write(index, data)
        return BlockPut.VERIFIED

    def seal(self, spec: BlobSpec, budget_bytes: int) -> SealedBlob:
        """Check the whole blob, at most `budget_bytes` a call, then rename it into `blobs/`. Call only when no block is missing.

        A blob that an earlier process put in `blobs/` is checked, and removed if it is damaged. A part whose reads fail though
        the disk works is removed.

        Raises:
            StoreError: the disk cannot be written.
        """
        if self.keeps(spec.digest):
            return self._seal_again(spec.digest, budget_bytes)
        blob = self._open(spec)
        try:
            return self._seal(blob, budget_bytes)
        except StoreError:
            if not is_unreadable((blob.part,)):
                raise
            self.remove(spec.digest)
            return SealedBlob.DAMAGED

    def _seal(self, blob: _Incoming, budget_bytes: int) -> SealedBlob:
        spec = blob.spec
        with as_store_error(blob.part):
            with blob.part.open("rb") as file:
                file.seek(blob.hashed_bytes)
                data = file.read(budget_bytes)
            blob.hasher.update(data)
            blob.hashed_bytes += len(data)
            if blob.hashed_bytes < spec.length:
                return SealedBlob.MORE
            del self._incoming[spec.digest]
            if blob.hasher.hexdigest() != spec.digest:
                blob.clear(self._wrong_blocks(blob))
                return SealedBlob.DAMAGED
            blob.part.chmod(0o444)
            blob.part.replace(self.path(spec.digest))
            self.verified.note(self.path(spec.digest), spec.digest)
            sync_folder(self._blobs)
            blob.map.unlink(missing_ok=True)
        return SealedBlob.DONE

    def add_file(self, source: Path, path: str) -> FileEntry:
        """Copy a local file in, block by block (it may be larger than memory). `path` is its path in the package.

        Raises:
            StoreError: the file cannot be read, or the disk cannot be written.
        """
        with as_store_error(source):
            entry = describe_file(source, path)
        with as_store_error(self.path(entry.sha256)):
            if self.verified.find_out(self.path(entry.sha256), entry.length + 1) != entry.sha256:
                self._copy(source, entry)
        return entry

    def add_bytes(self, data: bytes) -> str:
        """Store `data`. Returns its digest.

        Raises:
            StoreError: the disk cannot be written.
        """
        digest = hashlib.sha256(data).hexdigest()
        if self.verified.find_out(self.path(digest), len(data) + 1) != digest:
            make_folder(self._blobs)
            write_atomic(self.path(digest), data)
            self.path(digest).chmod(0o444)
            self.verified.note(self.path(digest), digest)
        return digest

    def all(self) -> set[str]:
        """Digests of the complete blobs."""
        return {path.name for path in self._blobs.glob("*") if not path.name.startswith(".")}

    def incoming(self) -> set[str]:
        """Digests of the incomplete blobs."""
        return {path.stem for path in self._folder.glob("*") if not path.name.startswith(".")}

    def remove(self, digest: str) -> None:
        """Remove a blob, complete or incomplete. The map is removed first: a part without a map is fetched again from the
        start."""
        self._incoming.pop(digest, None)
        for path in (self._folder / f"{digest}.map", self._folder / f"{digest}.part", self.path(digest)):
            with as_store_error(path), contextlib.suppress(FileNotFoundError):
                path.unlink()

    def used_bytes(self) -> int:
        """Disk space of all blobs, incomplete ones included; packages are links to them."""
        with as_store_error(self._blobs):
            files = [path for folder in (self._blobs, self._folder) for path in folder.glob("*")]
            return sum(path.stat().st_blocks * 512 for path in files)

    def free_bytes(self) -> int:
        """Free disk space."""
        with as_store_error(self._blobs):
            return shutil.disk_usage(self._blobs if self._blobs.exists() else self._blobs.parent).free

    def _open(self, spec: BlobSpec) -> _Incoming:
        blob = self._incoming.get(spec.digest)
        if blob is None or blob.spec != spec:
            make_folder(self._blobs)
            make_folder(self._folder)
            with as_store_error(self._folder):
                blob = self._incoming[spec.digest] = _Incoming(self._folder, spec)
        return blob

    def _copy(self, source: Path, entry: FileEntry) -> None:
        beside = self._folder / f".{entry.sha256}.copy"
        make_folder(self._blobs)
        make_folder(self._folder)
        shutil.copyfile(source, beside)
        with beside.open("rb") as copy:
            os.fsync(copy.fileno())
        if describe_file(beside, entry.path) != entry:
            beside.unlink()
            raise StoreError(f"{source} changed while it was read, or the disk is damaged; try again")
        beside.chmod(0o444)
        beside.replace(self.path(entry.sha256))
        self.verified.note(self.path(entry.sha256), entry.sha256)
        sync_folder(self._blobs)

    def _seal_again(self, digest: str, budget_bytes: int) -> SealedBlob:
        found = self.verified.find_out(self.path(digest), budget_bytes)
        if found is None:
            return SealedBlob.MORE
        if found == digest:
            return SealedBlob.DONE
        with as_store_error(self._blobs):
            self.path(digest).unlink(missing_ok=True)
            sync_folder(self._blobs)
        return SealedBlob.DAMAGED

    @staticmethod
    def _wrong_blocks(blob: _Incoming) -> list[int]:
        return [index for index, data in enumerate(_blocks(blob.part)) if not _matches(blob.spec, index, data)]


def describe_file(file: Path, path: str) -> FileEntry:
    """`contract.manifest.describe` for a file that may be larger than memory."""
    whole, blocks, length = hashlib.sha256(), [], 0
    for data in _blocks(file):
        whole.update(data)
        blocks.append(hashlib.sha256(data).hexdigest())
        length += len(data)
    return FileEntry(path=path, length=length, sha256=whole.hexdigest(), blocks=blocks)


def _matches(spec: BlobSpec, index: int, data: bytes) -> bool:
    expected = spec.block_digest(index)
    return expected is not None and hashlib.sha256(data).hexdigest() == expected


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(BLOCK_BYTES):
            yield data
