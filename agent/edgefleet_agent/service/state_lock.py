"""The lock of a state folder, which allows one agent at a time."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, read_if_there
from edgefleet_contract.core.errors import StoreError, UnavailableError

log = logging.getLogger(__name__)


@contextlib.contextmanager
def only_one(state: Path) -> Iterator[str]:
    """Lock the state folder for this process: the folder itself, which needs no disk space, and `agent.lock` in it, which names
    the process. Yields the reason for which that file could not be written; empty if it was.

    Raises:
        UnavailableError: another agent holds the lock.
        StoreError: this user cannot use the folder.
    """
    path, fault = state / "agent.lock", ""
    with contextlib.ExitStack() as handles:
        with as_store_error(state):
            folder = os.open(state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            handles.callback(os.close, folder)
        try:
            with as_store_error(path):
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
            handles.callback(os.close, file)
        except StoreError as error:
            if isinstance(error.__cause__, PermissionError):
                raise
            file, fault = None, f"{error}; locking the folder instead"
            log.error("%s", fault)
        for handle in (folder, file):
            if handle is not None:
                _lock(handle, state, path)
        if file is not None:
            with contextlib.suppress(OSError):  # a full disk; the lock is valid without the process number
                os.pwrite(file, f"{os.getpid()}".ljust(16).encode(), 0)
        yield fault


def _lock(handle: int, state: Path, named: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = (read_if_there(named, 32) or b"").decode(errors="replace").strip() or "unknown"
        raise UnavailableError(
            f"another edgefleet-agent (pid {holder}) is running on {state}; stop it or use another `state` folder"
        ) from error
