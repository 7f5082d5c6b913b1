"""Damaged files, put aside for a person to look at: under their name and the time, a bounded number of bounded size."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, read_if_there
from edgefleet_contract.core.errors import StoreError

ASIDE = ".damaged-"
FILES_MAX = 2
BYTES_MAX = 16 * 1024 * 1024
READ_BYTES = 1024 * 1024
PROBE_BYTES = 4096

log = logging.getLogger(__name__)


def put_aside(path: Path, wall: float, companions: tuple[str, ...] = ()) -> Path:
    """Rename a damaged file to `NAME.damaged-TIME`; its `companions` (suffixes, such as a journal) are deleted. Older copies
    above `FILES_MAX` are deleted, and a copy is cut at `BYTES_MAX`.

    Raises:
        StoreError: the disk cannot be changed; the file is where it was.
    """
    when = datetime.fromtimestamp(wall, tz=timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    aside = path.with_name(f"{path.name}{ASIDE}{when}")
    with as_store_error(path):
        for suffix in companions:
            _remove(path.with_name(path.name + suffix))
        with contextlib.suppress(FileNotFoundError):
            path.replace(aside)
            if aside.is_file() and aside.stat().st_size > BYTES_MAX:
                os.truncate(aside, BYTES_MAX)
        for old in sorted(path.parent.glob(f"{path.name}{ASIDE}*"), key=lambda each: each.name)[:-FILES_MAX]:
            _remove(old)
    return aside


def is_unreadable(paths: tuple[Path, ...]) -> bool:
    """Whether reads of one of these files fail though the disk works: what is written beside it now can be read. False if all
    can be read or the disk fails as a whole."""
    return any(_reads_fail(path) for path in paths) and _disk_works(paths[0].parent)


def read_or_put_aside(path: Path, bytes_max: int) -> bytes | None:
    """Read like `read_if_there`. A file whose reads fail on a disk that works is put aside, and gives nothing: b"".

    Raises:
        StoreError: the disk cannot be read.
    """
    return _read(path, bytes_max, _moved, b"")


def read_if_readable(path: Path, bytes_max: int) -> bytes | None:
    """Read like `read_if_there`; None also for a file whose reads fail on a disk that works.

    Raises:
        StoreError: the disk cannot be read.
    """
    return _read(path, bytes_max, lambda _: True, None)


def _read(path: Path, bytes_max: int, give_up: Callable[[Path], bool], nothing: bytes | None) -> bytes | None:
    """Read like `read_if_there`; `nothing` for a file whose reads fail on a disk that works, if `give_up` of it is true."""
    try:
        return read_if_there(path, bytes_max)
    except StoreError:
        if is_unreadable((path,)) and give_up(path):
            return nothing
        raise


def _reads_fail(path: Path) -> bool:
    try:
        with path.open("rb", buffering=0) as file:
            while file.read(READ_BYTES):
                pass
    except OSError as error:
        return error.errno == errno.EIO
    return False


def _disk_works(folder: Path) -> bool:
    data = os.urandom(PROBE_BYTES)
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # read from the disk, not from memory
            file.seek(0)
            return file.read() == data
    except OSError:
        return False


def make_way(file: Path) -> bool:
    """Put aside a folder in the place of `file`, or a file in the place of its folder. False: there is none, or the disk cannot
    be changed."""
    return (file.is_dir() and _moved(file)) or make_way_for_folder(file.parent)


def make_way_for_folder(folder: Path) -> bool:
    """Put aside a file in the place of `folder`. False: there is none, or the disk cannot be changed."""
    return os.path.lexists(folder) and not folder.is_dir() and _moved(folder)


def _moved(path: Path) -> bool:
    try:
        aside = put_aside(path, time.time())
    except StoreError as error:
        log.warning("%s", error)
        return False
    log.error("%s cannot be used; it is %s now", path, aside.name)
    return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
