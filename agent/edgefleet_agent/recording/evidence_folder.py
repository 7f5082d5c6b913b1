"""The folder of clips and snapshots: bounded in bytes and age, the oldest files are deleted first."""

from __future__ import annotations

import threading
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, make_folder

SUFFIXES = frozenset({".mp4", ".jpg"})


class EvidenceFolder:
    """`folder/<pipeline>/<event>.mp4` and `.jpg`. keep_bytes, keep_s: size and age above which files are deleted. Thread-safe."""

    def __init__(self, folder: Path, keep_bytes: int, keep_s: float) -> None:
        self._folder = folder
        self._keep_bytes = keep_bytes
        self._keep_s = keep_s
        self._lock = threading.Lock()

    def path(self, name: str) -> Path:
        """The path of evidence with this name (`pipeline/event.mp4`); creates its folder.

        Raises:
            StoreError: the folder cannot be created.
        """
        path = self._folder / name
        make_folder(path.parent)
        return path

    def tidy(self, now_s: float) -> int:
        """Delete files that are too old (by modification time), then the oldest until the rest fits. Returns their count.

        A clock that was set back makes no file older: times in the future count as new.

        Raises:
            StoreError: a file cannot be deleted.
        """
        with self._lock, as_store_error(self._folder):
            files = sorted(
                (stat.st_mtime, stat.st_size, path)
                for path in self._folder.glob("*/*")
                if path.suffix in SUFFIXES and not path.name.startswith(".") and (stat := path.stat())
            )
            total, deleted = sum(size for _, size, _ in files), 0
            for written_s, size, path in files:
                if now_s - written_s <= self._keep_s and total <= self._keep_bytes:
                    break
                path.unlink(missing_ok=True)
                total, deleted = total - size, deleted + 1
            return deleted
