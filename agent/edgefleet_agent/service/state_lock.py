"""The lock of a state folder, which allows one agent at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.damaged_files import make_way
from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_contract.core.atomic_files import as_store_error, read_if_there
from edgefleet_contract.core.errors import StoreError, UnavailableError

FILE = "agent.lock"
RETRY_S = 10.0


class StateLock:
    """Locks the state folder for this process: the folder itself, which needs no disk space, and `agent.lock` in it, which names
    the process. `faults`: where it is reported that this file cannot be written; `turn` tries again.

    Raises:
        UnavailableError: another agent holds the lock.
        StoreError: this user cannot use the folder.
    """

    def __init__(self, state: Path, faults: DiskFaults, clock: Callable[[], float] = time.monotonic) -> None:
        self._state = state
        self._faults = faults
        self._clock = clock
        self._handles = contextlib.ExitStack()
        self._try_at_s = 0.0
        self._file: int | None = None
        try:
            with as_store_error(state):
                folder = os.open(state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            self._handles.callback(os.close, folder)
            _lock(folder, state, state / FILE)
            self.turn()
        except (StoreError, UnavailableError):
            self._handles.close()
            raise

    def __enter__(self) -> StateLock:
        return self

    def __exit__(self, *_error: object) -> None:
        self._handles.close()

    def turn(self) -> None:
        """Write the file that names the process, if it is missing and a try is due."""
        if self._file is not None or self._clock() < self._try_at_s:
            return
        self._try_at_s = self._clock() + RETRY_S
        path = self._state / FILE
        try:
            with as_store_error(path):
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except StoreError as error:
            if isinstance(error.__cause__, PermissionError) and not self._owns_folder():
                raise
            if isinstance(error.__cause__, PermissionError):  # of another owner; the locked folder shows that it is not in use
                with contextlib.suppress(OSError):
                    path.unlink()
            make_way(path)
            self._faults.set(FILE, state_of(error, self._state), f"{error}; locking the folder instead", self._state)
            return
        self._handles.callback(os.close, file)
        _lock(file, self._state, path)
        self._file = file
        self._faults.clear(FILE)
        with contextlib.suppress(OSError):  # a full disk; the lock is valid without the process number
            os.pwrite(file, f"{os.getpid()}".ljust(16).encode(), 0)

    def _owns_folder(self) -> bool:
        return self._state.stat().st_uid == os.geteuid()


def _lock(handle: int, state: Path, named: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = (read_if_there(named, 32) or b"").decode(errors="replace").strip() or "unknown"
        raise UnavailableError(
            f"another edgefleet-agent (pid {holder}) is running on {state}; stop it or use another `state` folder"
        ) from error
