"""Memory for one body or message, into which the socket is read: not cleared before, and not copied afterwards."""

from __future__ import annotations

import numpy as np

ALIGNED_BYTES = 16
"""Alignment of the memory, and of the first tensor in it: no tensor has larger elements."""
FIRST_BYTES_MAX = 1024 * 1024
"""Memory for the first bytes of a message; one that turns out to be larger is moved to memory of four times the size."""


class BodyBuffer:
    """The bytes of one body as they arrive.

    size: room that is allocated at once; memory that was not written to is not in RAM. tensor_at: position of the first tensor,
    which is aligned so that a runtime can read it in place.
    """

    __slots__ = ("_from", "_memory", "size", "used")

    def __init__(self, size: int, tensor_at: int = 0) -> None:
        self._from = -tensor_at % ALIGNED_BYTES
        self._memory = _allocated(self._from + size)
        self.size = size
        self.used = 0

    @property
    def missing(self) -> int:
        """Bytes for which there is room."""
        return self.size - self.used

    def room(self) -> memoryview:
        """The memory for the next bytes, of at least one; `add` counts those that were written to it."""
        return self._memory[self._from + self.used :]

    def add(self, count: int) -> None:
        """Count bytes that were written to the start of `room`."""
        self.used += count

    def append(self, data: bytes | memoryview) -> None:
        """Copy bytes to the end; there must be room for them."""
        start = self._from + self.used
        self._memory[start : start + len(data)] = data
        self.used += len(data)

    def whole(self) -> memoryview:
        """The bytes so far, without copying; at most `size`."""
        return self._memory[self._from : self._from + min(self.used, self.size)]

    def surplus(self) -> bytes:
        """The bytes beyond `size`, which belong to what follows."""
        return bytes(self._memory[self._from + self.size : self._from + self.used])

    def grow(self, size: int) -> None:
        """Make room for `size` bytes in all."""
        memory = _allocated(self._from + size)
        end = self._from + self.used
        memory[self._from : end] = self._memory[self._from : end]
        self._memory, self.size = memory, size


class GrowingBuffer(BodyBuffer):
    """The bytes of a message whose sender announced its size, of which at most `FIRST_BYTES_MAX` are allocated at once."""

    __slots__ = ("_announced",)

    def __init__(self, announced: int, tensor_at: int = 0) -> None:
        super().__init__(min(announced, FIRST_BYTES_MAX), tensor_at)
        self._announced = announced

    def append(self, data: bytes | memoryview) -> None:
        """Copy bytes to the end."""
        if len(data) > self.missing:
            self.grow(max(self.used + len(data), min(self._announced, 4 * self.size)))
        super().append(data)

    def room_for(self, count: int) -> memoryview | None:
        """The memory for at most `count` of the next bytes; None if all that was announced has arrived."""
        if not self.missing:
            if self.used >= self._announced:
                return None
            self.grow(min(self._announced, 4 * self.size))
        return self.room()[: min(count, self.missing)]


def _allocated(size: int) -> memoryview:
    """Memory with one byte more: a read that ends a body does not fill it, and is not tried again."""
    return np.empty(size + 1, np.uint8).data
