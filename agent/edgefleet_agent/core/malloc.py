"""Returns freed memory to the operating system."""

from __future__ import annotations

import ctypes


def malloc_trim() -> None:
    """Return freed memory to the operating system; called after a model was opened (for the memory used to read its file) or
    closed. glibc keeps memory freed by a thread for that thread, and every load runs on new threads, so a server that reloads
    often would hold twice the memory it needs. Does nothing with another C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
