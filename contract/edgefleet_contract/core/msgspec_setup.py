"""Builds msgspec's decoders one at a time."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

K = TypeVar("K")

_known: set[Any] = set()
_building = threading.Lock()


def ensure_decoder(kind: K) -> K:
    """Build msgspec's type information for `kind` and return `kind`. Needed if several threads may decode a type first.

    msgspec publishes its type information before it is complete (a struct may contain itself): two threads that decode a type for
    the first time at once crash the process (msgspec 0.22: a segmentation fault). Here one thread builds it, the others wait.
    """
    if kind not in _known:
        with _building:
            msgspec.json.Decoder(kind)
            _known.add(kind)
    return kind
