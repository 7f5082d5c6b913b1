"""A FUSE file system that passes everything to a folder, and records each change and each flush in order.

`python -m tests.power_loss.recording_filesystem FOLDER MOUNT LOG` runs it until it is unmounted. `Recording` runs it from a test.
One thread handles all operations, so that their order is certain. `LOG.count` has the number of finished operations (8 bytes,
little endian): who reads it after an answer knows an index before which everything that the answer promises was flushed. Real
flushes are not passed on: the folder need not outlive a power cut.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import mmap
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.power_loss.operations import (
    ROOT,
    Attributes,
    Create,
    Flush,
    Link,
    Operation,
    Rename,
    Truncate,
    Unlink,
    Write,
    append,
    read,
)

READY_S = 20.0
_SHOWN = ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid", "st_ino", "st_blocks", "st_blksize")
_TIMES = ("atime", "mtime", "ctime")
CHANGES = (
    "create", "write", "truncate", "fallocate", "fsync", "fsyncdir", "mkdir", "symlink", "link", "rename", "unlink", "rmdir",
    "chmod", "chown", "utimens",
)  # fmt: skip
PROJECT = Path(__file__).resolve().parents[2]


def why_not() -> str:
    """The reason why this machine cannot mount it, and what to install; empty if it can."""
    if not Path("/dev/fuse").exists() or shutil.which("fusermount3") is None:
        return "FUSE is missing: apt-get install fuse3, and a kernel with /dev/fuse"
    if os.geteuid() != 0:
        return "a mount for several users needs root"
    try:
        import mfusepy  # noqa: F401
    except (ImportError, OSError) as error:
        return f"mfusepy is missing ({error}): pip install mfusepy, apt-get install libfuse3-3"
    return ""


class Recording:
    """A mounted recording. `mount`: the folder to work in; `count`: finished operations; `operations`: those of the log, once it
    is closed. renumbered: whether files get another inode number at each query, as some network file systems do."""

    def __init__(self, home: Path, *, renumbered: bool = False) -> None:
        reason = why_not()
        if reason:
            pytest.skip(reason)
        self._damaged: BinaryIO | None = None
        self.mount, self._folder, self._log = home / "disk", home / "below", home / "log"
        for folder in (home, self.mount, self._folder):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
        command = [sys.executable, "-m", "tests.power_loss.recording_filesystem"]
        flags = ["--renumbered"] if renumbered else []
        with (home / "fuse.log").open("wb") as output:
            self._process = subprocess.Popen(
                [*command, str(self._folder), str(self.mount), str(self._log), *flags], cwd=PROJECT, stdout=output, stderr=output
            )
        deadline = time.monotonic() + READY_S
        while not self.mount.is_mount():
            assert self._process.poll() is None, (home / "fuse.log").read_text()
            assert time.monotonic() < deadline, "not mounted"
            time.sleep(0.02)
        with self._log.with_suffix(".count").open("rb") as file:
            self._count = mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)
        with self._log.with_suffix(".refuse").open("r+b") as file:
            self._refuse = mmap.mmap(file.fileno(), 8)
        with self._log.with_suffix(".bad").open("r+b") as file:
            self._bad = mmap.mmap(file.fileno(), 8)

    def damage(self, path: Path) -> None:
        """Answer every read of this file, in the mount, with an input/output error from now on, as a bad sector does."""
        self._damaged = (self._folder / path.relative_to(self.mount)).open("rb")  # open, so that no other file gets its number
        self._bad[:8] = os.fstat(self._damaged.fileno()).st_ino.to_bytes(8, "little")

    def refuse(self, number: int) -> None:
        """Answer every change with the error `number` from now on, such as `errno.EROFS`; 0: do the changes."""
        self._refuse[:8] = number.to_bytes(8, "little")

    @property
    def count(self) -> int:
        return int.from_bytes(self._count[:8], "little")

    def close(self) -> None:
        """Unmount it."""
        if self._damaged is not None:
            self._damaged.close()
        if self._process.poll() is None:
            subprocess.run(["umount", "--lazy", str(self.mount)], check=True)
            try:
                self._process.wait(30.0)
            except subprocess.TimeoutExpired:  # a file is still open
                self._process.kill()
                self._process.wait()
                raise

    def operations(self) -> Iterator[Operation]:
        return read(self._log)


@contextlib.contextmanager
def recording(home: Path, *, renumbered: bool = False) -> Iterator[Recording]:
    """A mount in the folder `home` for the time of a block."""
    found = Recording(home, renumbered=renumbered)
    try:
        yield found
    finally:
        found.close()


def _operations(folder: str, log: Path, *, renumbered: bool) -> Any:
    import mfusepy

    class RecordingOperations(mfusepy.Operations):  # type: ignore[misc]  # without types
        """See the module. Paths are those of the mount."""

        use_ns = True

        def __init__(self) -> None:
            self._log = log.open("wb", buffering=1 << 20)
            counting = log.with_suffix(".count")
            counting.write_bytes(bytes(8))
            with counting.open("r+b") as file:
                self._count = mmap.mmap(file.fileno(), 8)
            refusing = log.with_suffix(".refuse")
            refusing.write_bytes(bytes(8))
            with refusing.open("r+b") as file:
                self._refuse = mmap.mmap(file.fileno(), 8)
            damaging = log.with_suffix(".bad")
            damaging.write_bytes(bytes(8))
            with damaging.open("r+b") as file:
                self._bad = mmap.mmap(file.fileno(), 8)
            self._done = 0
            self._queries = 0
            self._last = ROOT
            self._numbers = {os.lstat(folder).st_ino: ROOT}
            self._open: dict[int, int] = {}
            self._folders: dict[int, int] = {}

        def may_change(self) -> None:
            """Raises the error that the test has set."""
            number = int.from_bytes(self._refuse[:8], "little")
            if number:
                raise mfusepy.FuseOSError(number)

        def _add(self, operation: Operation) -> None:
            append(self._log, operation)
            self._done += 1
            self._count[:8] = self._done.to_bytes(8, "little")

        def _at(self, path: str) -> Path:
            return Path(folder + path)

        def _node(self, path: str) -> int:
            return self._numbers[os.lstat(self._at(path)).st_ino]

        def _place(self, path: str) -> tuple[int, str]:
            above, _, name = path.rpartition("/")
            return self._node(above or "/"), name

        def _born(self, path: str, kind: str, target: str = "") -> None:
            uid, gid, _ = mfusepy.fuse_get_context()
            os.lchown(self._at(path), uid, gid)
            self._last += 1
            self._numbers[os.lstat(self._at(path)).st_ino] = self._last
            above, name = self._place(path)
            self._add(Create(above, name, self._last, kind, target))
            self._attributes(path)

        def _attributes(self, path: str) -> None:
            found = os.lstat(self._at(path))
            self._add(Attributes(self._numbers[found.st_ino], stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid))

        # -- looking

        def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
            found = os.fstat(fh) if fh is not None else os.lstat(self._at(path))
            shown = {name: getattr(found, name) for name in _SHOWN}
            if renumbered:
                self._queries += 1
                shown["st_ino"] += self._queries
            return shown | {f"st_{name}": getattr(found, f"st_{name}_ns") for name in _TIMES}

        def readdir(self, path: str, fh: int) -> list[tuple[str, dict[str, Any], int]]:
            # With their numbers: libfuse gives an entry without one the number 0, and readers skip it.
            found = [(entry.name, {"st_ino": entry.inode()}, 0) for entry in os.scandir(self._at(path))]
            return [(".", {"st_ino": 1}, 0), ("..", {"st_ino": 1}, 0), *found]

        def readlink(self, path: str) -> str:
            return str(self._at(path).readlink())

        def statfs(self, path: str) -> dict[str, int]:
            found = os.statvfs(self._at(path))
            names = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files", "f_frsize", "f_namemax")
            return {name: getattr(found, name) for name in names}

        def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
            bad = int.from_bytes(self._bad[:8], "little")
            if bad and os.fstat(fh).st_ino == bad:
                raise mfusepy.FuseOSError(errno.EIO)
            return os.pread(fh, size, offset)

        # -- files

        def create(self, path: str, mode: int, flags: int) -> int:
            handle = os.open(self._at(path), os.O_RDWR | os.O_CREAT | (flags & os.O_EXCL), mode)
            os.fchmod(handle, stat.S_IMODE(mode))
            self._born(path, "file")
            self._open[handle] = self._last
            return handle

        def open(self, path: str, flags: int) -> int:
            if flags & os.O_ACCMODE != os.O_RDONLY:
                self.may_change()
            handle = os.open(self._at(path), flags & ~(os.O_APPEND | os.O_TRUNC | os.O_CREAT | os.O_EXCL | os.O_DIRECT))
            self._open[handle] = self._numbers[os.fstat(handle).st_ino]
            if flags & os.O_TRUNC:
                os.ftruncate(handle, 0)
                self._add(Truncate(self._open[handle], 0))
            return handle

        def release(self, path: str, fh: int) -> int:
            self._open.pop(fh, None)
            os.close(fh)
            return 0

        def flush(self, path: str, fh: int) -> int:
            return 0

        def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
            written = os.pwrite(fh, data, offset)
            self._add(Write(self._open[fh], offset, data[:written]))
            return written

        def truncate(self, path: str, length: int, fh: int | None = None) -> int:
            node = self._open[fh] if fh is not None else self._node(path)
            if fh is not None:
                os.ftruncate(fh, length)
            else:
                os.truncate(self._at(path), length)
            self._add(Truncate(node, length))
            return 0

        def fallocate(self, path: str, mode: int, offset: int, size: int, fh: int) -> int:
            if mode:
                raise mfusepy.FuseOSError(errno.EOPNOTSUPP)
            length = os.fstat(fh).st_size
            if offset + size > length:
                os.ftruncate(fh, offset + size)
                self._add(Truncate(self._open[fh], offset + size))
            return 0

        def fsync(self, path: str, datasync: int, fh: int) -> int:
            self._add(Flush(self._open[fh]))
            return 0

        # -- names

        def opendir(self, path: str) -> int:
            self._last_handle = getattr(self, "_last_handle", 0) + 1
            self._folders[self._last_handle] = self._node(path)
            return self._last_handle

        def releasedir(self, path: str, fh: int) -> int:
            self._folders.pop(fh, None)
            return 0

        def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
            self._add(Flush(self._folders[fh]))
            return 0

        def mkdir(self, path: str, mode: int) -> int:
            self._at(path).mkdir(mode)
            self._at(path).chmod(stat.S_IMODE(mode))
            self._born(path, "folder")
            return 0

        def symlink(self, target: str, source: str) -> int:
            self._at(target).symlink_to(source)
            self._born(target, "link", source)
            return 0

        def link(self, target: str, source: str) -> int:
            self._at(target).hardlink_to(self._at(source))
            self._add(Link(*self._place(target), self._node(target)))
            return 0

        def rename(self, old: str, new: str) -> int:
            node, before = self._node(old), self._place(old)
            self._at(old).rename(self._at(new))
            self._add(Rename(*before, *self._place(new), node))
            return 0

        def unlink(self, path: str) -> int:
            self._at(path).unlink()
            self._add(Unlink(*self._place(path)))
            return 0

        def rmdir(self, path: str) -> int:
            self._at(path).rmdir()
            self._add(Unlink(*self._place(path)))
            return 0

        def chmod(self, path: str, mode: int) -> int:
            self._at(path).chmod(stat.S_IMODE(mode))
            self._attributes(path)
            return 0

        def chown(self, path: str, uid: int, gid: int) -> int:
            os.lchown(self._at(path), uid, gid)
            self._attributes(path)
            return 0

        def utimens(self, path: str, times: tuple[int, int] | None = None) -> int:
            os.utime(self._at(path), ns=times) if times else os.utime(self._at(path))
            return 0

        def destroy(self, path: str) -> None:
            self._log.close()

    for name in CHANGES:
        setattr(RecordingOperations, name, _refusable(getattr(RecordingOperations, name)))
    return RecordingOperations()


def _refusable(change: Callable[..., Any]) -> Callable[..., Any]:
    """The operation, after the question whether changes are refused."""

    @functools.wraps(change)
    def guarded(operations: Any, *arguments: Any, **named: Any) -> Any:
        operations.may_change()
        return change(operations, *arguments, **named)

    return guarded


def main() -> None:
    import mfusepy

    folder, mount, log, *flags = sys.argv[1:]
    renumbered = flags == ["--renumbered"]
    os.umask(0)
    mfusepy.FUSE(
        _operations(folder, Path(log), renumbered=renumbered),
        mount,
        foreground=True,
        nothreads=True,
        allow_other=True,
        default_permissions=True,
        use_ino=True,
        **({"attr_timeout": 0} if renumbered else {}),
    )


if __name__ == "__main__":
    main()
