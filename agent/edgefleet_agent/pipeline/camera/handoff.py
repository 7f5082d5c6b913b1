"""One place between two threads.

A live camera must never make inference look at old frames: the newest frame wins and the one it replaces is counted as dropped. A
file that is analysed must lose nothing: the thread that fills the place waits until it is empty.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestFrame(Generic[T]):
    """One place. `ready` is the condition that takers of several places wait on; whoever fills the place waits for room apart
    from them, or each frame would wake the threads of every source.

    keep_all: `put` waits for the place to be empty instead of replacing what is in it. cause: why it gives way, if it does;
    asked with `ready` held.
    """

    def __init__(self, ready: threading.Condition, *, keep_all: bool = False, cause: Callable[[], str] = lambda: "busy") -> None:
        self._ready = ready
        self._keep_all = keep_all
        self._cause = cause
        self._item: T | None = None
        self._closed = False
        self._room = threading.Event()
        self.dropped: Counter[str] = Counter()

    def put(self, item: T) -> bool:
        """Fill the place; False when it is closed (the item counts as dropped, cause `closed`)."""
        while True:
            with self._ready:
                if self._closed:
                    self.dropped["closed"] += 1
                    return False
                if self._item is None or not self._keep_all:
                    if self._item is not None:
                        self.dropped[self._cause()] += 1
                    self._item = item
                    self._ready.notify_all()
                    return True
                self._room.clear()
            self._room.wait()

    def peek(self) -> T | None:
        """What lies in the place. Call with `ready` held."""
        return self._item

    def take(self) -> T | None:
        """Empty the place; None when nothing is in it."""
        with self._ready:
            item, self._item = self._item, None
            self._room.set()
            return item

    def drop(self, cause: str) -> None:
        """Empty the place; what was in it counts as dropped. Call with `ready` held."""
        if self._item is not None:
            self._item = None
            self.dropped[cause] += 1
            self._room.set()
            self._ready.notify_all()

    def close(self) -> T | None:
        """Refuse more and give back what is there, which counts as dropped; wakes a waiting `put`."""
        with self._ready:
            left, self._item, self._closed = self._item, None, True
            if left is not None:
                self.dropped["closed"] += 1
            self._room.set()
            self._ready.notify_all()
            return left
