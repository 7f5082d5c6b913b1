"""The cache of models that runtimes compiled for an accelerator. Compiling takes minutes, loading seconds; bounded. Where the
disk refuses it, models are compiled without it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from edgefleet_agent.core.disk_faults import DiskFaults, state_of
from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.errors import StoreError

CACHE_BYTES_MAX = 2 * 1024**3
"""Enough for the compiled versions of a few models; older entries belong to models that no longer run."""


T = TypeVar("T")


def load_with_cache(load: Callable[[Path | None], T], folder: Path, faults: DiskFaults) -> T:
    """The result of `load` with the cache `folder`, or without one (None) if the disk refuses it; `faults` gets to know that."""
    try:
        loaded = load(open_cache(folder))
    except StoreError as error:
        text = f"{error}; compiled models are not stored, and compiled again at the next start"
        faults.set(f"{folder.name}/", state_of(error, folder), text, folder)
        return load(None)
    faults.clear(f"{folder.name}/")
    return loaded


def open_cache(folder: Path, bytes_max: int = CACHE_BYTES_MAX) -> Path:
    """Create the folder if necessary and remove the oldest entries above `bytes_max`. Returns the folder.

    Raises:
        StoreError: the folder cannot be created or read.
    """
    make_folder(folder)
    with as_store_error(folder):
        entries = sorted(((_written_at(entry), _size_bytes(entry), entry) for entry in folder.iterdir()), reverse=True)
    total_bytes = 0
    for _, size_bytes, entry in entries:
        total_bytes += size_bytes
        if total_bytes > bytes_max:
            _remove(entry)
    return folder


def _files(entry: Path) -> list[Path]:
    return [path for path in entry.rglob("*") if path.is_file()] if entry.is_dir() else [entry]


def _size_bytes(entry: Path) -> int:
    return sum(path.stat().st_size for path in _files(entry))


def _written_at(entry: Path) -> float:
    return max((path.stat().st_mtime for path in _files(entry)), default=0.0)


def _remove(entry: Path) -> None:
    with contextlib.suppress(OSError):  # the next load tries again
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()
