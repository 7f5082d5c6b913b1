"""Faults of the device's stores and small files on disk: one register that the status, the metrics and the server's report read.

A store sets its fault under its own name when the disk refuses it, and clears it when the disk takes it again. A loss that damage
has caused is shown for an hour; what a damaged store waits for is shown until it has it. Each change is logged once.
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
LOST = -1
"""Number of a disk that is away."""

log = logging.getLogger(__name__)


class DiskState(str, Enum):
    """States of a disk that refuses a store."""

    FULL = "full"
    READ_ONLY = "read-only"
    UNUSABLE = "unusable"
    DAMAGED = "damaged"


REMEDIES = {
    DiskState.FULL: ("disk full", "free some space on"),
    DiskState.READ_ONLY: ("disk read-only", "check and remount"),
}
"""What is wrong with a disk, and what to do."""


@dataclass(frozen=True, slots=True)
class DiskFault:
    """A fault of one store. text: one line for people; until_s: monotonic time at which it ends by itself; folder: where the disk
    refuses the store (None: another cause); waits: it is over when the store is written again."""

    state: DiskState
    text: str
    until_s: float = float("inf")
    folder: Path | None = None
    waits: bool = True


class DiskFaults:
    """The present faults by store. Safe to use from several threads. `on_change` is called with the name, the fault, and whether
    it is over. logged: False where another process logs each change."""

    def __init__(
        self,
        on_change: Callable[[str, DiskFault, bool], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        logged: bool = True,
    ) -> None:
        self._logged = logged
        self._faults: dict[str, DiskFault] = {}
        self._lock = threading.Lock()
        self.on_change = on_change
        self._clock = clock

    def set(self, store: str, state: DiskState, text: str, folder: Path | None = None, *, waits: bool = False) -> None:
        """Set the fault of a store. A repeated one is not logged again; the first text stays while the state is the same. folder:
        where the disk refuses it. waits: damage whose text says what the store waits for."""
        is_notice = state is DiskState.DAMAGED and not waits
        until_s = self._clock() + NOTICE_S if is_notice else float("inf")
        fault = DiskFault(state, text, until_s, folder, not is_notice)
        with self._lock:
            before = self._faults.get(store)
            if (before is not None and before.state is state) or (before is None and len(self._faults) >= FAULTS_MAX):
                return
            self._faults[store] = fault
        if self._logged:
            log.error("%s", text)
        if self.on_change is not None:
            self.on_change(store, fault, False)

    def clear(self, store: str) -> None:
        """The store works again. A notice of a loss stays for its time."""
        with self._lock:
            fault = self._faults.get(store)
            if fault is None or not fault.waits:
                return
            del self._faults[store]
        if self._logged:
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

    def sentences(self) -> list[str]:
        """The faults for people: stores that one disk refuses for the same reason share a sentence."""
        present = self.present()
        groups: dict[tuple[DiskState, int], list[str]] = {}
        for store, fault in present.items():
            if fault.folder is not None and fault.state in REMEDIES:
                groups.setdefault((fault.state, _disk_of(fault.folder)), []).append(store)
        found = []
        for store, fault in present.items():
            group = next((stores for stores in groups.values() if store in stores), [store])
            if len(group) == 1:
                found.append(fault.text)
            elif store == group[0]:
                folders = [str(each.folder) for name, each in present.items() if name in group]
                problem, remedy = REMEDIES[fault.state]
                place = os.path.commonpath(folders)
                found.append(f"{problem}: {', '.join(group)} cannot be written; {remedy} the disk of {place}")
        return found


def _disk_of(folder: Path) -> int:
    """The number of the file system of `folder`, or of its nearest parent that exists."""
    try:
        return next(place for place in (folder, *folder.parents) if place.exists()).stat().st_dev
    except OSError:
        return LOST


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
