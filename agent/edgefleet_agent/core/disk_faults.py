"""Faults of the device's stores and small files on disk: one register that the status, the metrics and the server's report read.

A store sets its fault under its own name when the disk refuses it, and clears it when the disk takes it again. Each change is
logged once.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from edgefleet_contract.core.errors import StoreError

FREE_BYTES_MIN = 1024 * 1024
"""Free space below which a disk counts as full, and a store that left it does not return to it."""
NOTICE_S = 3600.0
"""How long a file that was put aside is reported: the device works, but something was lost."""
FAULTS_MAX = 64

log = logging.getLogger(__name__)


class DiskState(str, Enum):
    """States of a disk that refuses a store."""

    FULL = "full"
    READ_ONLY = "read-only"
    UNUSABLE = "unusable"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class DiskFault:
    """A fault of one store. text: one line for people; until_s: monotonic time at which it ends by itself."""

    state: DiskState
    text: str
    until_s: float = float("inf")


class DiskFaults:
    """The present faults by store. Safe to use from several threads. `on_change` is called with the name, the fault, and whether
    it is over."""

    def __init__(
        self, on_change: Callable[[str, DiskFault, bool], None] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._faults: dict[str, DiskFault] = {}
        self._lock = threading.Lock()
        self.on_change = on_change
        self._clock = clock

    def set(self, store: str, state: DiskState, text: str) -> None:
        """Set the fault of a store. A repeated one is not logged again; the first text stays while the state is the same."""
        fault = DiskFault(state, text, self._clock() + NOTICE_S if state is DiskState.DAMAGED else float("inf"))
        with self._lock:
            before = self._faults.get(store)
            if (before is not None and before.state is state) or (before is None and len(self._faults) >= FAULTS_MAX):
                return
            self._faults[store] = fault
        log.error("%s", text)
        if self.on_change is not None:
            self.on_change(store, fault, False)

    def clear(self, store: str) -> None:
        """The store works again. A notice of damage stays for its time."""
        with self._lock:
            fault = self._faults.get(store)
            if fault is None or fault.state is DiskState.DAMAGED:
                return
            del self._faults[store]
        log.info("%s is stored on disk again", store)
        if self.on_change is not None:
            self.on_change(store, fault, True)

    def present(self) -> dict[str, DiskFault]:
        """The faults by store, in the order of their names."""
        now = self._clock()
        with self._lock:
            ended = {name: fault for name, fault in self._faults.items() if fault.until_s <= now}
            for store in ended:
                del self._faults[store]
            faults = dict(sorted(self._faults.items()))
        for store, fault in ended.items():
            if self.on_change is not None:
                self.on_change(store, fault, True)
        return faults

    def texts(self) -> dict[str, str]:
        """The text of each present fault, by store."""
        return {store: fault.text for store, fault in self.present().items()}


def disk_state(folder: Path) -> DiskState:
    """The state of the file system under `folder`, or under its nearest parent that exists; `UNUSABLE` where it looks sound."""
    for place in (folder, *folder.parents):
        try:
            found = os.statvfs(place)
        except FileNotFoundError:
            continue
        except OSError:
            return DiskState.UNUSABLE
        if found.f_flag & os.ST_RDONLY:
            return DiskState.READ_ONLY
        return DiskState.FULL if found.f_bavail * found.f_frsize < FREE_BYTES_MIN else DiskState.UNUSABLE
    return DiskState.UNUSABLE


def state_of(error: StoreError, folder: Path) -> DiskState:
    """The fault of the disk that made `error`, raised for a file in `folder`."""
    number = error.__cause__.errno if isinstance(error.__cause__, OSError) else None
    if number in (errno.ENOSPC, errno.EDQUOT):
        return DiskState.FULL
    return DiskState.READ_ONLY if number == errno.EROFS else disk_state(folder)
