"""Whether this is the process of isolated models: there a backend opens its device itself."""

from __future__ import annotations

_marked = False


def mark() -> None:
    """Note that this process is one."""
    global _marked
    _marked = True


def is_marked() -> bool:
    """True in the process of isolated models."""
    return _marked
