"""The state folder of the service; while the disk does not give it, a folder in memory that takes its place.

A disk that is read-only, away or damaged at boot must not keep the device from working: it runs its pipelines with the factory
packages of the settings. Models, identity and records are in the state folder, so the service starts again in it (`turned_up`)
once it can be used.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.errors import StoreError

MEMORY = Path("/dev/shm")  # noqa: S108 (`_is_ours` refuses what another user has put there)
RETRY_S = 5.0

log = logging.getLogger(__name__)


class StateFolder:
    """`path`: the folder `configured`, or its substitute. faults: where the substitute is reported.

    Raises:
        StoreError: this user may not use the folder, or no substitute can be made.
    """

    def __init__(self, configured: Path, faults: DiskFaults, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = configured
        self.turned_up = False
        self._configured = configured
        self._clock = clock
        self._next_try_s = clock() + RETRY_S
        try:
            _open(configured)
        except StoreError as error:
            if isinstance(error.__cause__, PermissionError):
                raise
            self.path = _make_substitute(configured, error)
            text = f"{error}; using {self.path} until then, without models, identity and records of {configured}"
            faults.set(f"{configured.name}/", state_of(error, configured), text)
        else:
            _remove_substitute(configured)

    def turn(self) -> None:
        """Try the configured folder again, if a try is due."""
        if self.path == self._configured or self.turned_up or self._clock() < self._next_try_s:
            return
        self._next_try_s = self._clock() + RETRY_S
        try:
            _open(self._configured)
        except StoreError as error:
            log.debug("%s", error)
        else:
            log.info("%s can be used again; starting again with its models and identity", self._configured)
            self.turned_up = True


def in_use(configured: Path) -> Path:
    """The folder that a service with this state folder uses now. A substitute may be that of another user: who asks there checks
    who answers."""
    try:
        _open(configured, make=False)
    except StoreError as error:
        if not isinstance(error.__cause__, PermissionError):
            return next((path for path in _substitutes(configured) if path.is_dir()), configured)
    return configured


def _open(folder: Path, *, make: bool = True) -> None:
    """Raises StoreError if the folder cannot be read, or made."""
    if make:
        make_folder(folder)
    with as_store_error(folder):
        next(folder.iterdir(), None)


def _make_substitute(configured: Path, why: StoreError) -> Path:
    for path in _substitutes(configured):
        try:
            path.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            log.debug("%s: %s", path, error)
            continue
        if _is_ours(path):  # in a folder where every user may write
            return path
    raise StoreError(f"{why}; and neither {MEMORY} nor {tempfile.gettempdir()} takes a folder in its place") from why


def _remove_substitute(configured: Path) -> None:
    """Remove the substitute of an earlier run, whose content counts no more."""
    for path in _substitutes(configured):
        if _is_ours(path):
            shutil.rmtree(path, ignore_errors=True)


def _substitutes(configured: Path) -> list[Path]:
    name = f"edgefleet-agent-{hashlib.sha256(os.fsencode(configured.absolute())).hexdigest()[:16]}"
    return [place / name for place in dict.fromkeys((MEMORY, Path(tempfile.gettempdir())))]


def _is_ours(path: Path) -> bool:
    """Whether it is a folder that only this user can change."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
