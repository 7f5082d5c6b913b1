"""A bounded queue of events from other threads for the loop. It calls no callbacks."""

from __future__ import annotations

import logging
import threading
from collections import deque
from typing import Generic, TypeVar

ITEMS_MAX = 4096
BYTES_MAX = 12 * 1024 * 1024

T = TypeVar("T")
log = logging.getLogger(__name__)


class Inbox(Generic[T]):
    """Many threads put, one takes. What does not fit is dropped and counted: everything on the wire is asked for again."""

    def __init__(self, items_max: int = ITEMS_MAX, bytes_max: int = BYTES_MAX) -> None:
        self._items: deque[T] = deque()
        self._items_max = items_max
        self._bytes_max = bytes_max
        self._bytes = 0
        self._awake = False
        self._ready = threading.Condition()
        self.dropped = 0

    def put(self, item: T, length: int = 0, *, vital: bool = False) -> bool:
        """Leave `item`, which holds `length` bytes; False when there was no room. What is `vital` (and rare) always has room."""
        with self._ready:
            fits = vital or (len(self._items) < self._items_max and self._bytes + length <= self._bytes_max)
            if fits:
                self._items.append(item)
                self._bytes += length
                self._ready.notify()
            else:
                self.dropped += 1
        if not fits and self.dropped == 1:
            log.warning("messages arrive faster than they are processed; the excess is dropped and requested again")
        return fits

    def wake(self) -> None:
        """Make the taker look at the world although nothing was put."""
        with self._ready:
            self._awake = True
            self._ready.notify()

    def take(self, timeout_s: float) -> list[T]:
        """All items, oldest first; waits at most `timeout_s` for the first item or a `wake`."""
        with self._ready:
            self._ready.wait_for(lambda: self._items or self._awake, timeout_s)
            items = list(self._items)
            self._items.clear()
            self._bytes = 0
            self._awake = False
        return items
