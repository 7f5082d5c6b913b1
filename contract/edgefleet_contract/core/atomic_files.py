"""Files that a power cut leaves either old or new, never half.

Every change of state goes through here: write beside, flush to the disk, rename over, flush the folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from edgefleet_contract.core.errors import StoreError

LEFT = ".old"


@contextlib.contextmanager
def told_as_store_error(path: Path) -> Iterator[None]:
    """Turn what the operating system says about `path` into one line for a person.

    Raises:
        StoreError: the disk is full, read-only, damaged, or the folder belongs to someone else.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreError(f"no space left for {path}; free some space on this disk") from error
        text = error.strerror or str(error)
        raise StoreError(f"cannot use {path}: {text}; check the owner and the state of the disk") from error


def sync_folder(folder: Path) -> None:
    """Make renames and new names inside `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> Path:
    """Create `folder` and its parents, for this user only where it is new; what is in it survives a power cut only if it does.

    Raises:
        StoreError: the folder cannot be made.
    """
    with told_as_store_error(folder):
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        for new in missing:
            sync_folder(new.parent)
    return folder


def remove_folder(folder: Path) -> None:
    """Take away a folder with all that is in it, if there is one. A rename puts it out of sight first (`.NAME.old`): a power cut
    in the middle leaves no half of it under its name. What is left then goes the next time, or by `sweep`.

    Raises:
        StoreError: it cannot be renamed; it stands.
    """
    aside = folder.with_name(f".{folder.name}{LEFT}")
    shutil.rmtree(aside, ignore_errors=True)
    with told_as_store_error(folder), contextlib.suppress(FileNotFoundError):
        folder.replace(aside)
        sync_folder(folder.parent)
    shutil.rmtree(aside, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Take away what removals that were cut short have left in `folder`."""
    for left in folder.glob(f".*{LEFT}"):
        shutil.rmtree(left, ignore_errors=True)


def write_atomic(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace the content of `path` by `data` in one step. `mode` (less the umask) from the first byte on.

    Raises:
        StoreError: the disk cannot keep it; the old content stands.
    """
    beside = path.with_name(f".{path.name}.new")
    with told_as_store_error(path):
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        sync_folder(path.parent)


def read_if_there(path: Path, bytes_max: int) -> bytes | None:
    """The content of `path`, or None where it does not exist or is longer than `bytes_max` (then it is not ours).

    Raises:
        StoreError: it exists and cannot be read.
    """
    with told_as_store_error(path):
        try:
            with path.open("rb") as file:
                data = file.read(bytes_max + 1)
        except FileNotFoundError:
            return None
    return data if len(data) <= bytes_max else None
