"""Finds out whether the kernel ended processes of the worker for want of memory: the counter `oom_kill` in `memory.events` of its
control group (version 2). It counts kills at the limit of the group and those of the whole machine. Without such a group nothing
is known.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

PROCESSES: Final = Path("/proc")
GROUPS: Final = Path("/sys/fs/cgroup")
KILLED: Final = "the kernel ended the worker for memory"


class KernelKills:
    """The kills in a group since the start of one process. group: folder of the group; None: not known."""

    def __init__(self, group: Path | None) -> None:
        self._group = group
        self._before = self._count()

    @classmethod
    def of(cls, pid: int, processes: Path = PROCESSES, groups: Path = GROUPS) -> KernelKills:
        """Those in the group of a process."""
        return cls(_group_of(pid, processes, groups))

    @property
    def happened(self) -> bool:
        """Whether the kernel has ended a process of the group."""
        return self._count() > self._before

    def _count(self) -> int:
        text = _read(self._group / "memory.events") if self._group is not None else ""
        counts = (line.split() for line in text.splitlines())
        return next((int(pair[1]) for pair in counts if len(pair) == 2 and pair[0] == "oom_kill" and pair[1].isdigit()), 0)


def _group_of(pid: int, processes: Path, groups: Path) -> Path | None:
    lines = _read(processes / str(pid) / "cgroup").splitlines()
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), None)
    return None if path is None else groups / path.lstrip("/")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # the group or the process is gone, or the system has none
        return ""
