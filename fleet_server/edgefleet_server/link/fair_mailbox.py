"""A mailbox between the thread of a connection and a thread that works: bounded, and fair to all devices."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

from edgefleet_server.domain.delivery.fair_queue import FairQueue, QueueLimits

T = TypeVar("T")


class FairMailbox(Generic[T]):
    """A `FairQueue` for several threads. `close` ends every waiting `take`."""

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._queue: FairQueue[T] = FairQueue(limits)
        self._changed = threading.Condition()
        self._closing = threading.Event()

    def __len__(self) -> int:
        """Number of waiting items."""
        return len(self._queue)

    @property
    def is_half_full(self) -> bool:
        """Whether the waiting items have half of the bytes that may wait."""
        return self._queue.length_bytes > self._limits.total_bytes // 2

    def put(self, device: str, item: T, length: int) -> list[T]:
        """Add an item of `length` bytes; never blocks. Returns the items dropped for it, or itself if there is no room for it."""
        with self._changed:
            dropped = self._queue.put(device, item, length)
            self._changed.notify()
        return dropped

    def take(self, items_max: int, bytes_max: int, wait_s: float | None = None, gather_s: float = 0.0) -> list[T]:
        """Wait at most `wait_s` (None: until `close`) for an item, and `gather_s` for more of them; returns the next items, at
        most `items_max`, and no more after `bytes_max` bytes. Empty: there are none, or the mailbox is closed."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._closing.is_set() or len(self._queue) > 0, wait_s):
                return []
            is_full = len(self._queue) >= items_max or self._queue.length_bytes >= bytes_max
        if gather_s and not is_full:
            self._closing.wait(gather_s)
        with self._changed:
            return [] if self._closing.is_set() else self._queue.take(items_max, bytes_max)

    def discard(self, device: str) -> list[T]:
        """Remove and return what waits from a device."""
        with self._changed:
            return self._queue.discard(device)

    def close(self) -> None:
        """End every `take`, now and later."""
        with self._changed:
            self._closing.set()
            self._changed.notify_all()
