"""Finds folders in memory (tmpfs, ramfs): what is flushed there does not survive a power cut."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_MOUNTS: Final = Path("/proc/self/mountinfo")
_IN_MEMORY: Final = ("tmpfs", "ramfs")


def volatile_warning(name: str, folder: Path) -> str:
    """One line for users about a folder in memory, with what to do; empty for a folder on a disk. name: of the folder, like
    `state folder`."""
    kind = _file_system(folder)
    if kind not in _IN_MEMORY:
        return ""
    return f"{name} {folder} is in memory ({kind}): nothing in it survives a power cut; move it to a disk"


def _file_system(folder: Path) -> str:
    """The type of the file system of a folder, or of its nearest parent that exists; empty if it cannot be found."""
    try:
        place = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
        device = place.stat().st_dev
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, StopIteration):
        return ""
    number = f"{os.major(device)}:{os.minor(device)}"
    found = [
        fields for fields in (line.split(" ") for line in lines) if len(fields) > 6 and fields[2] == number and "-" in fields
    ]
    return found[-1][found[-1].index("-") + 1] if found else ""
