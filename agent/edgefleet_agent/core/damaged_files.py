"""Damaged files, put aside for a person to look at: under their name and the time, a bounded number of bounded size."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import time
from datetime import datetime, timezone
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError

ASIDE = ".damaged-"
FILES_MAX = 2
BYTES_MAX = 16 * 1024 * 1024

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
    log.error("%s was in the way; it is %s now", path, aside.name)
    return True


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
