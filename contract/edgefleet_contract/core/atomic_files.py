"""Atomic file changes: after a power cut a file is either old or new, never partly written, and what was written stays.

Every change of stored state uses this module: write a new file beside the old one, flush it, rename it over the old one, flush
the folder. A new folder is flushed into its parent. When a function returns, its change survives a power cut.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from edgefleet_contract.core.errors import StoreError

REMOVED_SUFFIX = ".old"


@contextlib.contextmanager
def as_store_error(path: Path) -> Iterator[None]:
    """Raise a StoreError with one line of text for any OSError about `path`.

    Raises:
        StoreError: the disk is full, read-only or damaged, or the folder has another owner.
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


def sync_names(folder: Path) -> None:
    """Make the names in `folder` and in every folder below it survive a power cut: those that a killed process had made, and had
    not flushed yet, are there for the next one.

    Raises:
        StoreError: the disk refuses.
    """
    with as_store_error(folder):
        for path, _, _ in os.walk(folder):
            sync_folder(Path(path))


def sync_file(file: Path) -> None:
    """Make the content of `file` survive a power cut. Its name needs `sync_folder`."""
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path, mode: int = 0o750) -> Path:
    """Create `folder` with `mode` (less the umask) and its missing parents. All of them survive a power cut.

    Raises:
        StoreError: the folder cannot be made.
    """
    with as_store_error(folder):
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        for new in missing:
            sync_folder(new.parent)
    return folder


def make_folders(parent: Path, names: Iterable[str], mode: int = 0o750) -> None:
    """Create `parent` and the folders `names` in it, as `make_folder` does, with one flush for all of them.

    Raises:
        StoreError: a folder cannot be made.
    """
    make_folder(parent, mode)
    with as_store_error(parent):
        for name in names:
            (parent / name).mkdir(mode=mode, exist_ok=True)
        sync_folder(parent)


def check_replaceable(target: Path) -> None:
    """Check that a file may be renamed to `target`: the rename would replace a device or a pipe by the file, for every program.

    Raises:
        StoreError: `target` is neither a file, nor a link to one, nor a new name.
    """
    with as_store_error(target), contextlib.suppress(FileNotFoundError):
        mode = target.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "folder" if stat.S_ISDIR(mode) else "device, pipe or socket"
            raise StoreError(f"{target} is a {kind}; specify a file")


def move_file(file: Path, target: Path) -> None:
    """Flush a complete file on the same disk, and rename it to `target`, replacing what is there.

    Raises:
        StoreError: the disk refuses, or `target` is no file; `target` is unchanged.
    """
    check_replaceable(target)
    with as_store_error(target):
        sync_file(file)
        file.replace(target)
        sync_folder(target.parent)


def move_folder(folder: Path, target: Path) -> None:
    """Flush a complete folder on the same disk with all that is in it, and rename it to `target`, which must be missing or empty.

    Raises:
        StoreError: the disk refuses; `target` is unchanged.
    """
    with as_store_error(target):
        for path in (folder, *folder.rglob("*")):
            if not path.is_symlink():
                (sync_folder if path.is_dir() else sync_file)(path)
        folder.replace(target)
        sync_folder(target.parent)


def remove_file(file: Path) -> None:
    """Remove a file, if it exists, so that a power cut does not bring it back.

    Raises:
        StoreError: the disk refuses.
    """
    with as_store_error(file), contextlib.suppress(FileNotFoundError):
        file.unlink()
        sync_folder(file.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder with its content, if it exists. It is first renamed to `.NAME.old`: after a power cut no part of it is left
    under its name. The rest is then removed by the next call, or by `sweep`.

    Raises:
        StoreError: it cannot be renamed; it is unchanged.
    """
    aside = folder.with_name(f".{folder.name}{REMOVED_SUFFIX}")
    shutil.rmtree(aside, ignore_errors=True)
    with as_store_error(folder), contextlib.suppress(FileNotFoundError):
        folder.replace(aside)
        sync_folder(folder.parent)
    shutil.rmtree(aside, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove the remains of interrupted `remove_folder` calls in `folder`."""
    for left in folder.glob(f".*{REMOVED_SUFFIX}"):
        shutil.rmtree(left, ignore_errors=True)


def write_atomic(path: Path, data: bytes, mode: int = 0o644, owner: tuple[int, int] | None = None) -> None:
    """Replace the content of `path` by `data` in one step. From its first byte, the new file has `mode` (less the umask) and
    `owner` (user, group; None: this process).

    Raises:
        StoreError: the disk cannot store it, or `path` is no file; the old content is unchanged.
    """
    check_replaceable(path)
    beside = path.with_name(f".{path.name}.new")
    with as_store_error(path):
        beside.unlink(missing_ok=True)
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb") as file:
                if owner is not None:
                    os.fchown(file.fileno(), *owner)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError:
            with contextlib.suppress(OSError):  # no part of it takes the last space of a full disk
                beside.unlink()
            raise
        sync_folder(path.parent)


def read_if_there(path: Path, bytes_max: int) -> bytes | None:
    """The content of `path`; None if it does not exist or is longer than `bytes_max` (then it was not written by this program).
    A pipe without a writer is empty.

    Raises:
        StoreError: it exists and cannot be read.
    """
    with as_store_error(path):
        try:
            with open(path, "rb", opener=_without_waiting) as file:
                data = file.read(bytes_max + 1) or b""
        except FileNotFoundError:
            return None
    return data if len(data) <= bytes_max else None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
