"""A reserve of disk space for the state of updates: a file of real blocks, given back when a small file finds no space.

What decides which package runs must be writable when nothing else is: a trial that cannot be committed or rolled back on disk
ends badly at the next start. The reserve is made again when the disk has room.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.damaged_files import make_way
from edgefleet_agent.core.disk_faults import DiskState, state_of
from edgefleet_contract.core.errors import StoreError

FILE = "reserve"
RESERVE_BYTES = 2 * 1024 * 1024
ROOM_BYTES = 4 * RESERVE_BYTES
"""Free space from which the reserve is made."""
RETRY_S = 30.0

log = logging.getLogger(__name__)


class DiskReserve:
    """The file `reserve` in `folder`. Used from one thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = folder / FILE
        self._clock = clock
        self._try_at_s = 0.0
        self.turn()

    def turn(self) -> None:
        """Make the reserve if it is missing, the disk has room, and a try is due."""
        if self._clock() < self._try_at_s:
            return
        self._try_at_s = self._clock() + RETRY_S
        make_way(self._path)
        try:
            present = self._path.stat().st_blocks * 512 if self._path.exists() else 0
            if present < RESERVE_BYTES and shutil.disk_usage(self._path.parent).free >= ROOM_BYTES:
                self._allocate()
        except OSError as error:
            log.debug("no reserve of disk space: %s", error)
            with contextlib.suppress(OSError):
                self._path.unlink()

    def write(self, write: Callable[[], None]) -> None:
        """Do `write`; if the disk is full, give the reserve back and do it again.

        Raises:
            StoreError: the disk refuses it all the same.
        """
        try:
            write()
        except StoreError as error:
            if state_of(error, self._path.parent) is not DiskState.FULL or not self._give_back():
                raise
            write()

    def _allocate(self) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(handle, 0, RESERVE_BYTES)
        finally:
            os.close(handle)

    def _give_back(self) -> bool:
        try:
            self._path.unlink()
        except OSError:
            return False
        log.warning("%s was deleted to make room for the state of updates; free some space on this disk", self._path)
        self._try_at_s = self._clock() + RETRY_S
        return True
