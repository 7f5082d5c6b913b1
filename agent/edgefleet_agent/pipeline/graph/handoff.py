"""A one-slot mailbox between two threads.

A live camera must not make inference compute old frames: the newest frame replaces the one in the mailbox, which counts as
dropped. The analysis of a file must lose no frame: `put` waits until the mailbox is empty.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class LatestFrame(Generic[T]):
    """One mailbox. Consumers of several mailboxes wait on the condition `ready`; `put` waits on a separate event, because
    otherwise each frame would wake the threads of every source.

    keep_all: `put` waits for an empty mailbox instead of replacing its item. cause: returns the cause of a drop; called with
    `ready` held.
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
        """Put an item in; False if the mailbox is closed (the item counts as dropped, cause `closed`)."""
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
        """The item, without taking it. Call with `ready` held."""
        return self._item

    def take(self) -> T | None:
        """Take the item; None if the mailbox is empty."""
        with self._ready:
            item, self._item = self._item, None
            self._room.set()
            return item

    def drop(self, cause: str) -> None:
        """Remove the item, which counts as dropped. Call with `ready` held."""
        if self._item is not None:
            self._item = None
            self.dropped[cause] += 1
            self._room.set()
            self._ready.notify_all()

    def close(self) -> T | None:
        """Refuse further items and return the current one, which counts as dropped. Wakes a waiting `put`."""
        with self._ready:
            left, self._item, self._closed = self._item, None, True
            if left is not None:
                self.dropped["closed"] += 1
            self._room.set()
            self._ready.notify_all()
            return left
