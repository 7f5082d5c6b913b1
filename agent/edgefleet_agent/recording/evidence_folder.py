"""The folder of clips and snapshots: bounded in bytes and age, the oldest files are deleted first. On a small disk the oldest are
deleted sooner, and at last none is written, so that records and updates keep a share of the disk."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.errors import StoreError

STORE = "evidence"
KEEP_FREE_SHARE = 20
KEEP_FREE_MIN_BYTES = 2_000_000
KEEP_FREE_MAX_BYTES = 500_000_000
SUFFIXES = frozenset({".mp4", ".jpg", ".zip"})


class EvidenceFolder:
    """`folder/<pipeline>/<event>.mp4` and `.jpg`. keep_bytes, keep_s: size and age above which files are deleted. faults: where a
    failing disk is reported; without it no space is kept free (`keep_free_bytes`). Thread-safe."""

    def __init__(self, folder: Path, keep_bytes: int, keep_s: float, faults: DiskFaults | None = None) -> None:
        self._faults = faults
        self._folder = folder
        self._keep_bytes = keep_bytes
        self._keep_s = keep_s
        self._lock = threading.Lock()

    def path(self, name: str, length: int = 0) -> Path:
        """The path of evidence with this name (`pipeline/event.mp4`) and about `length` bytes. Creates its folder, and deletes
        the oldest files if the disk has less than `keep_free_bytes` left.

        Raises:
            StoreError: the folder cannot be created, or there is no room.
        """
        path = self._folder / name
        make_folder(path.parent)
        if self._faults is not None:
            self._make_room(path, length)
        return path

    def failed(self, error: StoreError) -> None:
        """Report that a file could not be written."""
        if self._faults is not None:
            self._faults.set(STORE, state_of(error, self._folder), f"evidence: {error}", self._folder)

    def stored(self) -> None:
        """Report that a file was written."""
        if self._faults is not None:
            self._faults.clear(STORE)

    def tidy(self, now_s: float) -> int:
        """Delete files that are too old (by modification time), then the oldest until the rest fits. Returns their count.

        A clock that was set back makes no file older: times in the future count as new.

        Raises:
            StoreError: a file cannot be deleted.
        """
        with self._lock, as_store_error(self._folder):
            files = self._files()
            total, deleted = sum(size for _, size, _ in files), 0
            for written_s, size, path in files:
                if now_s - written_s <= self._keep_s and total <= self._keep_bytes:
                    break
                path.unlink(missing_ok=True)
                total, deleted = total - size, deleted + 1
            return deleted

    def _make_room(self, path: Path, length: int) -> None:
        with self._lock, as_store_error(self._folder):
            usage = shutil.disk_usage(self._folder)
            needed = keep_free_bytes(usage.total) + length - usage.free
            if needed <= 0:
                return
            for _, size, old in self._files():
                old.unlink(missing_ok=True)
                needed -= size
                if needed <= 0:
                    return
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def _files(self) -> list[tuple[float, int, Path]]:
        """Time of writing, bytes and path of each file, the oldest first."""
        return sorted(
            (stat.st_mtime, stat.st_size, path)
            for path in self._folder.glob("*/*")
            if path.suffix in SUFFIXES and not path.name.startswith(".") and (stat := path.stat())
        )


def keep_free_bytes(total_bytes: int) -> int:
    """Bytes of a disk of this size that evidence does not use."""
    return max(KEEP_FREE_MIN_BYTES, min(KEEP_FREE_MAX_BYTES, total_bytes // KEEP_FREE_SHARE))
