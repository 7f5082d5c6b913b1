"""The disk after a power cut: only flushed data. A shim over `fsync` records flushed data; a tree is rebuilt from it.

While a story runs, each `fsync` or `fdatasync` of a file copies its content aside, each `fsync` of a folder its names: that much
is on the disk for good. Everything else may be there or not. Two worlds are rebuilt from it, the ends of what file systems do:

    names and data    nothing that was not flushed: no new names, renames or deletions either (POSIX promises no more)
    data              names are as they were last; of each file only what was flushed (ext4 in writeback mode: empty files)

`sync` does it for every file and folder. SQLite flushes by itself, below Python; its files are taken as they are.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from pathlib import Path

LOSSES = ("names and data", "data")
LINK = "link to "
SYNC_EVENT = "powercut.sync"
"""Audit event before each flush, with the path: a point of the matrix, like any change."""


class Shim:
    """Takes the place of `os.fsync`, `os.fdatasync` and `os.sync` in this process, for files under `root`; its notes are kept in
    `notes`."""

    def __init__(self, root: Path, notes: Path) -> None:
        self._root = root
        self._notes = notes
        notes.mkdir()
        self._real = {"fsync": os.fsync, "fdatasync": os.fdatasync}

    def install(self) -> None:
        os.fsync = lambda handle: self._sync("fsync", handle)  # type: ignore[assignment]  # as the kernel would
        os.fdatasync = lambda handle: self._sync("fdatasync", handle)
        os.sync = self._sync_all

    def _sync(self, kind: str, handle: int) -> None:
        path = str(Path(f"/proc/self/fd/{handle}").readlink())
        if not f"{path}/".startswith(f"{self._root}/"):
            self._real[kind](handle)
            return
        sys.audit(SYNC_EVENT, path)
        self._real[kind](handle)
        self._flushed(Path(f"/proc/self/fd/{handle}"))

    def _sync_all(self) -> None:
        sys.audit(SYNC_EVENT, str(self._root))  # what is in memory is safe from SIGKILL: the kernel has nothing to do
        for path in (self._root, *self._root.rglob("*")):
            if not path.is_symlink() and not path.name.startswith("outbox.db"):
                self._flushed(path)

    def _flushed(self, path: Path) -> None:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            names = [[entry.name, entry.inode(), _kind(entry)] for entry in os.scandir(path)]
            self._note(f"{found.st_ino}.names", json.dumps(names).encode())
        elif stat.S_ISREG(found.st_mode):
            self._note(f"{found.st_ino}.data", path.read_bytes())

    def _note(self, name: str, data: bytes) -> None:
        """Write `data` atomically: the process may be killed in between."""
        beside = self._notes / "new"
        beside.write_bytes(data)
        beside.rename(self._notes / name)


def rebuild(root: Path, notes: Path, loss: str, into: Path) -> None:
    """Build in `into` the state of `root` after the power returned, with `loss` (one of `LOSSES`)."""
    into.mkdir()
    live = _live(root)
    _folder(root.stat().st_ino, root, into, notes, loss, live)


def _folder(inode: int, place: Path | None, into: Path, notes: Path, loss: str, live: dict[int, Path]) -> None:
    for name, child, kind in _names(inode, place, notes, loss):
        target = into / name
        where = live.get(child)
        if kind == "folder":
            target.mkdir()
            _folder(child, where, target, notes, loss, live)
            if where is not None:
                target.chmod(stat.S_IMODE(where.stat().st_mode))
        elif kind.startswith(LINK):
            target.symlink_to(kind.removeprefix(LINK))
        elif name.startswith("outbox.db"):
            if where is not None:
                shutil.copy2(where, target)
        else:
            saved = notes / f"{child}.data"
            target.write_bytes(saved.read_bytes() if saved.exists() else b"")
            target.chmod(stat.S_IMODE(where.stat().st_mode) if where is not None else 0o644)


def _names(inode: int, place: Path | None, notes: Path, loss: str) -> list[tuple[str, int, str]]:
    saved = notes / f"{inode}.names"
    now = [(entry.name, entry.inode(), _kind(entry)) for entry in os.scandir(place)] if place is not None else []
    if loss == "data":
        return now
    flushed = (
        [(str(name), int(child), str(kind)) for name, child, kind in json.loads(saved.read_bytes())] if saved.exists() else []
    )
    outbox = [entry for entry in now if entry[0].startswith("outbox.db")]
    return [entry for entry in flushed if not entry[0].startswith("outbox.db")] + outbox


def _live(root: Path) -> dict[int, Path]:
    """Inodes that still have a name under `root`."""
    return {path.lstat().st_ino: path for path in root.rglob("*")}


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return LINK + os.readlink(entry.path)  # noqa: PTH115 (an entry of a folder, not a path)
    return "folder" if entry.is_dir(follow_symlinks=False) else "file"
