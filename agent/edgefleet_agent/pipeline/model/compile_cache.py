"""The folder where runtimes keep what they compiled for an accelerator: built in minutes, loaded in seconds, and bounded."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from edgefleet_contract.core.atomic_files import make_folder

CACHE_BYTES_MAX = 2 * 1024**3
"""Engines of a few models, each in the versions that matter; more is left over from what no longer runs."""


def open_cache(folder: Path, bytes_max: int = CACHE_BYTES_MAX) -> Path:
    """The folder, made where it is not there; entries that were written longest ago are removed until `bytes_max` is kept.

    Raises:
        StoreError: it cannot be made.
    """
    make_folder(folder)
    entries = sorted(((_written_at(entry), _size_bytes(entry), entry) for entry in folder.iterdir()), reverse=True)
    kept_bytes = 0
    for _, size_bytes, entry in entries:
        kept_bytes += size_bytes
        if kept_bytes > bytes_max:
            _remove(entry)
    return folder


def _files(entry: Path) -> list[Path]:
    return [path for path in entry.rglob("*") if path.is_file()] if entry.is_dir() else [entry]


def _size_bytes(entry: Path) -> int:
    return sum(path.stat().st_size for path in _files(entry))


def _written_at(entry: Path) -> float:
    return max((path.stat().st_mtime for path in _files(entry)), default=0.0)


def _remove(entry: Path) -> None:
    with contextlib.suppress(OSError):  # what cannot be removed now is tried again at the next load
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
