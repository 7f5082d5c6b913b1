"""Free disk space is checked before an upload is taken, and a reserve is kept for the database."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from edgefleet_server.core.errors import StoreError

RESERVE_BYTES: Final = 256 * 1024**2


def check_room(folder: Path, length: int) -> None:
    """Check that `length` bytes fit on the disk of an existing folder, with the reserve left.

    Raises:
        StoreError: they do not fit.
    """
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}; check the state of the disk") from error
    if length + RESERVE_BYTES > free:
        raise StoreError(
            f"no space for {length / 1e6:.0f} MB in {folder}: {free / 1e6:.0f} MB are free, of which {RESERVE_BYTES / 1e6:.0f} MB"
            " are reserved for the database; free some space"
        )
