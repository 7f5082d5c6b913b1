"""Damaged files, put aside for a person to look at: under their name and the time, a bounded number of bounded size."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timezone
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error

ASIDE = ".damaged-"
FILES_MAX = 2
BYTES_MAX = 16 * 1024 * 1024


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
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        with contextlib.suppress(FileNotFoundError):
            path.replace(aside)
            if aside.stat().st_size > BYTES_MAX:
                os.truncate(aside, BYTES_MAX)
        for old in sorted(path.parent.glob(f"{path.name}{ASIDE}*"), key=lambda each: each.name)[:-FILES_MAX]:
            old.unlink(missing_ok=True)
    return aside
