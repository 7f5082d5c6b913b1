"""Room for broadcasts in the memory of the broker. Pure.

The broker copies a block for each device that receives it, and keeps the copies that it cannot send yet. At its limit of memory
it drops them, and they have to be sent again. It reports the memory it uses; until the next report the copies of each further
block are added to it.
"""

from __future__ import annotations

from typing import Final

SHARE_MAX: Final = 0.9
"""Share of the limit that is not exceeded by the copies of a block, which are taken to be those of the block before it."""
SHARE_FREE: Final = 0.25
"""Share of the limit up to which a block is sent, however many copies it needs: sockets take most of them at once."""
WAIT_S_MAX: Final = 30.0
"""Longest wait for room: other messages may need the memory all the time, and reports may fail to come."""


class BrokerMemory:
    """Memory of a broker with a limit of `limit_bytes`; 0: unknown, and there is always room. Used from one thread; `now` is
    monotonic seconds."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._copied_bytes = self._next_bytes = 0
        self._sent_s = float("-inf")
        self.used_bytes = 0
        """As reported last."""

    def report(self, used_bytes: int) -> None:
        """Take a report of the broker."""
        self.used_bytes, self._copied_bytes = used_bytes, 0

    def send(self, length: int, devices: int, now: float) -> None:
        """Count a block of `length` bytes that is sent to so many devices."""
        self._next_bytes = length * devices
        self._copied_bytes += self._next_bytes
        self._sent_s = now

    def has_room(self, now: float) -> bool:
        """Whether the next block may be sent."""
        if not self._limit_bytes or now - self._sent_s >= WAIT_S_MAX:
            return True
        used = self.used_bytes + self._copied_bytes
        return used <= self._limit_bytes * SHARE_FREE or used + self._next_bytes <= self._limit_bytes * SHARE_MAX
