"""Counters of boots, connections and reports that rise over restarts of the agent.

The server uses them to distinguish old messages from new ones. The boot has an id in addition to the kernel's: if the state
folder was wiped, the counters restart under a new id, and the server does not treat them as old ones.
"""

from __future__ import annotations

import os
import secrets
import threading
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent.core.damaged_files import make_way
from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_agent.core.state_file import Consequences, StateFile
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import Wire, encode

KERNEL_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FILE_BYTES = 512


class _Saved(Wire):
    kernel: str
    boot: str
    connection: int = 0
    report: int = 0


class BootCounters:
    """`boot.json` in the state folder. Safe to use from several threads."""

    def __init__(self, folder: Path, kernel_boot_id: str, faults: DiskFaults | None = None) -> None:
        self._path = folder / "boot.json"
        self._lock = threading.Lock()
        self._faults = faults or DiskFaults()
        stored = StateFile(self._path, _Saved, self._faults, Consequences("using a new boot id"), FILE_BYTES).read()
        fits = stored is not None and stored.kernel == kernel_boot_id
        self._saved = stored if stored is not None and fits else _Saved(kernel=kernel_boot_id, boot=secrets.token_hex(8))

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
            if make_way(self._path):
                self._save(saved)
                return
            text = f"{error}; counters are kept in memory only"
            self._faults.set(self._path.name, state_of(error, self._path.parent), text, self._path.parent)
        else:
            self._faults.clear(self._path.name)
