"""What msgspec has to know of a struct, built by one thread at a time."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

K = TypeVar("K")

_known: set[Any] = set()
_building = threading.Lock()


def ensure_decoder(kind: K) -> K:
    """`kind` itself, ready to be read into; wherever several threads may read their first one.

    msgspec publishes what it knows of a struct before that is complete (a struct may contain itself): two threads that read their
    first one at the same moment end the whole process (0.22: a segmentation fault). Here one builds, and the others wait.
    """
    if kind not in _known:
        with _building:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return kind
