"""Counters of boots, connections and reports that rise over restarts of the agent.

The server uses them to distinguish old messages from new ones. The boot has an id in addition to the kernel's: if the state
folder was wiped, the counters restart under a new id, and the server does not treat them as old ones.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
from pathlib import Path

from msgspec.structs import replace

from edgefleet_contract.core.atomic_files import as_store_error, read_if_there
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.encoding.codec import Wire, decode, encode

KERNEL_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FILE_BYTES = 512

log = logging.getLogger(__name__)


class _Saved(Wire):
    kernel: str
    boot: str
    connection: int = 0
    report: int = 0


class BootCounters:
    """`boot.json` in the state folder. Safe to use from several threads."""

    def __init__(self, folder: Path, kernel_boot_id: str) -> None:
        self._path = folder / "boot.json"
        self._lock = threading.Lock()
        self._failing = False
        self._saved = self._read(kernel_boot_id) or _Saved(kernel=kernel_boot_id, boot=secrets.token_hex(8))

    @property
    def boot(self) -> str:
        return self._saved.boot

    def next_connection(self) -> int:
        """The number of the next connection, stored before it is used."""
        with self._lock:
            self._save(replace(self._saved, connection=self._saved.connection + 1))
            return self._saved.connection

    def next_report(self) -> int:
        """The version of the next report, stored before it is used."""
        with self._lock:
            self._save(replace(self._saved, report=self._saved.report + 1))
            return self._saved.report

    def _save(self, saved: _Saved) -> None:
        """Overwrites the file in place, which works on a full disk too, so that the device stays reachable. A torn write gives a
        new boot id."""
        self._saved = saved
        data = encode(saved).ljust(FILE_BYTES)
        try:
            with as_store_error(self._path), self._path.open("r+b" if self._path.exists() else "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except StoreError as error:
            if not self._failing:
                log.error("%s; counters are kept in memory only", error)
            self._failing = True
        else:
            self._failing = False

    def _read(self, kernel_boot_id: str) -> _Saved | None:
        data = read_if_there(self._path, FILE_BYTES)
        if data is None:
            return None
        try:
            saved = decode(data, _Saved)
        except MessageError as error:
            log.error("%s is damaged (%s); using a new boot id", self._path, error)
            return None
        return saved if saved.kernel == kernel_boot_id else None
