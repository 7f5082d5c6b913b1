"""Free disk space is checked before an upload is taken, and a reserve is kept for the database."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from edgefleet_server.core.errors import StoreError

RESERVE_BYTES: Final = 256 * 1024**2
EVIDENCE_RESERVE_BYTES_MAX: Final = 16 * 1024**3


def check_room(folder: Path, length: int) -> None:
    """Check that `length` bytes fit on the disk of an existing folder, with the reserve left.

    Raises:
        StoreError: they do not fit.
    """
    free = _usage(folder)[1]
    if length + RESERVE_BYTES > free:
        raise StoreError(
            f"no space for {length / 1e6:.0f} MB in {folder}: {free / 1e6:.0f} MB are free, of which {RESERVE_BYTES / 1e6:.0f} MB"
            " are reserved for the database; free some space"
        )


def evidence_shortage(folder: Path, length: int = 0) -> str:
    """The reason why `length` bytes of evidence do not fit on the disk of an existing folder, with what to do; empty = they fit.
    Evidence of many devices leaves more free than packages do: a tenth of the disk, at most `EVIDENCE_RESERVE_BYTES_MAX`.

    Raises:
        StoreError: the disk does not say what it has.
    """
    total, free = _usage(folder)
    reserve = max(RESERVE_BYTES, min(total // 10, EVIDENCE_RESERVE_BYTES_MAX))
    if length + reserve <= free:
        return ""
    return (
        f"no space for evidence in {folder}: {free / 1e6:.0f} MB are free, of which {reserve / 1e6:.0f} MB are reserved; free"
        " some space, or keep events for fewer days"
    )


def _usage(folder: Path) -> tuple[int, int]:
    """(bytes, free bytes) of the disk."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}; check the state of the disk") from error
    return usage.total, usage.free
