"""The folder of clips and snapshots: bounded in bytes and age, the oldest give way first."""

from __future__ import annotations

import threading
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, make_folder

SUFFIXES = frozenset({".mp4", ".jpg"})


class EvidenceFolder:
    """`folder/<pipeline>/<event>.mp4` and `.jpg`. keep_bytes, keep_s: more and older is deleted. Safe from several threads."""

    def __init__(self, folder: Path, keep_bytes: int, keep_s: float) -> None:
        self._folder = folder
        self._keep_bytes = keep_bytes
        self._keep_s = keep_s
        self._lock = threading.Lock()

    def path(self, name: str) -> Path:
        """Where evidence of this name (`pipeline/event.mp4`) belongs; its folder is there.

        Raises:
            StoreError: it cannot be made.
        """
        path = self._folder / name
        make_folder(path.parent)
        return path

    def tidy(self, now_s: float) -> int:
        """Delete what is too old (by the time it was written) and then the oldest until the rest fits; how many went.

        A clock that was set back makes nothing older than it is: what is from the future counts as new.

        Raises:
            StoreError: something cannot be deleted.
        """
        with self._lock, as_store_error(self._folder):
            files = sorted(
                (stat.st_mtime, stat.st_size, path)
                for path in self._folder.glob("*/*")
                if path.suffix in SUFFIXES and not path.name.startswith(".") and (stat := path.stat())
            )
            total, gone = sum(size for _, size, _ in files), 0
            for written_s, size, path in files:
                if now_s - written_s <= self._keep_s and total <= self._keep_bytes:
                    break
                path.unlink(missing_ok=True)
                total, gone = total - size, gone + 1
            return gone
