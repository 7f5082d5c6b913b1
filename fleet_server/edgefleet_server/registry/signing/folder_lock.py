"""Lock of a folder between the threads of a process and between processes."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

from edgefleet_contract.core.atomic_files import make_folder

FILE: Final = ".lock"

Sight = tuple[int, int, int]
"""(inode, time, length) of a file, which changes when the file is replaced."""


class FolderLock:
    """A reentrant lock as a context manager. If another process has replaced `witness` since it was held last, `changed` is
    called first, with the lock held."""

    def __init__(self, witness: Path, changed: Callable[[], None]) -> None:
        self._witness = witness
        self._changed = changed
        self._threads = threading.RLock()
        self._depth = 0
        self._descriptor = -1
        self._seen: Sight | None = None

    def __enter__(self) -> None:
        self._threads.acquire()
        self._depth += 1
        if self._depth > 1:
            return
        try:
            make_folder(self._witness.parent, 0o700)
            self._descriptor = _opened(self._witness.parent)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
            if self._seen is not None and self._sight() != self._seen:
                self._changed()
        except BaseException:
            self._leave()
            raise

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        if self._depth == 1:
            self._seen = self._sight()
        self._leave()

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth == 0 and self._descriptor >= 0:
            os.close(self._descriptor)  # which unlocks
            self._descriptor = -1
        self._threads.release()

    def _sight(self) -> Sight | None:
        try:
            found = self._witness.stat()
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_mtime_ns, found.st_size)


def _opened(folder: Path) -> int:
    """Open the lock file or, on a read-only disk, where no process can sign, the folder itself."""
    try:
        return os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
