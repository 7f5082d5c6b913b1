"""A small real disk (tmpfs) that a test fills, makes read-only, and gives back."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

FILLER = "filler"


class SmallDisk:
    """A mounted folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Take the last byte."""
        with (self.folder / FILLER).open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def free(self) -> None:
        """Give the space back."""
        (self.folder / FILLER).unlink()

    def remount(self, option: str) -> None:
        """`ro` or `rw`. The kernel refuses `ro` while a file is open for writing."""
        subprocess.run(["mount", "-o", f"remount,{option}", str(self.folder)], check=True)


@contextlib.contextmanager
def mounted(folder: Path, size: str) -> Iterator[SmallDisk]:
    """A disk of `size` (such as 8m) at `folder`; skips where this user may not mount."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True)
    if mount.returncode != 0:
        pytest.skip("needs the right to mount a small disk (root)")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
