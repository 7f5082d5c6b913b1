"""A queue shared by devices, in which each gets an equal share of the bytes taken (deficit round robin). Pure.

Each device has a bounded queue of its own. If all together reach the total, the newest item of the largest queue is dropped, so a
device that floods displaces its own items and not those of others.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

ITEM_BYTES: Final = 512
"""Added to the size of each item: an empty message occupies memory as well."""
QUANTUM_BYTES: Final = 16 * 1024
"""Bytes of each device in one round; an item that is longer waits for several rounds."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """Limits of a queue. device_items, device_bytes: of one device. total_bytes: of all together."""

    device_items: int
    device_bytes: int
    total_bytes: int


@dataclass(slots=True)
class _Waiting(Generic[T]):
    items: deque[tuple[T, int]] = field(default_factory=deque)
    length: int = 0
    credit: int = 0


class FairQueue(Generic[T]):
    """Items by device. Not for several threads at once: the owner locks."""

    def __init__(self, limits: QueueLimits, quantum_bytes: int = QUANTUM_BYTES) -> None:
        self._limits = limits
        self._quantum_bytes = quantum_bytes
        self._devices: OrderedDict[str, _Waiting[T]] = OrderedDict()
        self._by_size: dict[int, dict[str, None]] = {}
        self._count = 0
        self.length_bytes = 0
        """Bytes of all items, `ITEM_BYTES` for each included."""

    def __len__(self) -> int:
        """Number of items."""
        return self._count

    def put(self, device: str, item: T, length: int) -> list[T]:
        """Add an item of `length` bytes. Returns the items dropped for it, or itself if the device has reached its limit."""
        size = length + ITEM_BYTES
        waiting = self._devices.get(device)
        if waiting is None:
            waiting = _Waiting()
        elif len(waiting.items) >= self._limits.device_items or waiting.length + size > self._limits.device_bytes:
            return [item]
        self._devices[device] = waiting
        waiting.items.append((item, size))
        self._resize(device, waiting, size)
        self._count += 1
        dropped: list[T] = []
        while self.length_bytes > self._limits.total_bytes and self._count > 1:
            dropped.append(self._drop())
        return dropped

    def take(self, items_max: int, bytes_max: int) -> list[T]:
        """Remove and return the next items, at most `items_max`, and no more after `bytes_max` bytes."""
        taken: list[T] = []
        length = 0
        while self._devices and len(taken) < items_max and length < bytes_max:
            device, waiting = next(iter(self._devices.items()))
            waiting.credit += self._quantum_bytes
            while waiting.items and waiting.items[0][1] <= waiting.credit and len(taken) < items_max:
                item, size = waiting.items.popleft()
                waiting.credit -= size
                length += size
                self._resize(device, waiting, -size)
                self._count -= 1
                taken.append(item)
            if waiting.items:
                self._devices.move_to_end(device)
            else:
                del self._devices[device]
        return taken

    def discard(self, device: str) -> list[T]:
        """Remove and return all items of a device."""
        waiting = self._devices.pop(device, None)
        if waiting is None:
            return []
        self._resize(device, waiting, -waiting.length)
        self._count -= len(waiting.items)
        return [item for item, _size in waiting.items]

    def _drop(self) -> T:
        """Remove the newest item of the largest queue (within a factor of two)."""
        device = next(iter(self._by_size[max(self._by_size)]))
        waiting = self._devices[device]
        item, size = waiting.items.pop()
        self._resize(device, waiting, -size)
        self._count -= 1
        if not waiting.items:
            del self._devices[device]
        return item

    def _resize(self, device: str, waiting: _Waiting[T], change: int) -> None:
        """Change the length of a device's queue, and its place among the powers of two."""
        before, after = waiting.length.bit_length(), (waiting.length + change).bit_length()
        waiting.length += change
        self.length_bytes += change
        if before == after:
            return
        if before:
            peers = self._by_size[before]
            del peers[device]
            if not peers:
                del self._by_size[before]
        if after:
            self._by_size.setdefault(after, {})[device] = None
