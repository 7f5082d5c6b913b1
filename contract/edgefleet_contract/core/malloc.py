"""Memory of processes, and its return to the operating system."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_PRIVATE: Final = ("RssAnon", "VmSwap")
"""Lines of `/proc/PID/status`, in KiB."""


def malloc_trim() -> None:
    """Return freed memory to the operating system; called after a model was opened (for the memory used to read its file) or
    closed, and after a flood of messages. glibc keeps memory freed by a thread for that thread, and every load runs on new
    threads, so a process that reloads often would hold twice the memory it needs. Does nothing with another C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def private_bytes(process: int | None = None) -> int:
    """Memory of its own of a process, by its number, or of this one, in RAM and swapped out: neither files that are mapped into
    it, nor what it shares with others. 0 where the system does not show it."""
    try:
        text = Path(f"/proc/{process or 'self'}/status").read_text(encoding="ascii", errors="replace")
    except OSError:  # it has ended
        return 0
    sizes = {name: rest.split()[0] for name, _, rest in (line.partition(":") for line in text.splitlines()) if name in _PRIVATE}
    return sum(int(size) * 1024 for size in sizes.values()) if len(sizes) == len(_PRIVATE) else 0


def resident_bytes(process: int | None = None) -> int:
    """Memory that a process, by its number, or this one has in RAM; 0 where the system does not show it."""
    try:
        return int(Path(f"/proc/{process or 'self'}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except (OSError, IndexError):  # it has ended
        return 0
