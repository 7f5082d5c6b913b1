"""Memory that was freed, given back to the machine."""

from __future__ import annotations

import ctypes


def malloc_trim() -> None:
    """After a model was opened, for what reading its file took, and after one was closed: glibc keeps what threads have freed for
    themselves, and every load runs on fresh ones, so a server that reloads often would hold twice what it needs. Nothing happens
    with another C library.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
