"""Memory of processes, and its return to the operating system."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Final

PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


def malloc_trim() -> None:
    """Return freed memory to the operating system; called after a model was opened (for the memory used to read its file) or
    closed, and after a flood of messages. glibc keeps memory freed by a thread for that thread, and every load runs on new
    threads, so a process that reloads often would hold twice the memory it needs. Does nothing with another C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident_bytes(process: int | None = None) -> int:
    """Memory that a process, by its number, or this one has in RAM; 0 where the system does not show it."""
    try:
        return int(Path(f"/proc/{process or 'self'}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except (OSError, IndexError):  # it has ended
        return 0
