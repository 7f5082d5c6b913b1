"""Packets that wait for their pictures: the time of each picture, and the number of skipped packets before it.

Decoders return pictures in display order, packets come in decoding order, and packets dropped by a gate or decoder never return.
Pure: the caller provides the time.
"""

from __future__ import annotations

import threading
from bisect import bisect_right, insort
from dataclasses import dataclass

WAITING_MAX = 4096
CLOCK_STEP_US = 5_000_000
"""A larger step is a clock change, not a pause."""
STEP_US = 40_000
"""Replaces such a step."""
ROUND_US = 1000
"""Rounding of containers with millisecond times."""
FIRST_US = 1_000_000
"""Times start here, so that pictures displayed before the first packet's are positive, too."""


@dataclass(frozen=True, slots=True)
class SentPacket:
    """A packet. time_us: its time among all packets, without large steps. pts_s: the camera's own time, None if it has none.
    arrived_s: its arrival, monotonic.
    """

    time_us: int
    pts_s: float | None
    arrived_s: float


def _time_us(one: SentPacket) -> int:
    return one.time_us


class PendingPackets:
    """Pending packets of one connection. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[SentPacket] = []  # by time, at most WAITING_MAX
        self._shift_us: int | None = None
        self._next_us = FIRST_US

    def add(self, pts_s: float | None, arrived_s: float) -> int:
        """Register a packet; returns the time to pass on with it, in microseconds."""
        with self._lock:
            time_us = self._next_us
            if pts_s is not None:
                pts_us = round(pts_s * 1e6)
                if self._shift_us is None or abs(pts_us + self._shift_us - self._next_us) > CLOCK_STEP_US:
                    self._shift_us = self._next_us - pts_us
                time_us = max(0, pts_us + self._shift_us)
            self._next_us = time_us + STEP_US
            insort(self._waiting, SentPacket(time_us, pts_s, arrived_s), key=_time_us)
            del self._waiting[: max(0, len(self._waiting) - WAITING_MAX)]
        return time_us

    def match(self, time_us: int) -> tuple[SentPacket | None, int]:
        """The packet of a picture, and the number of packets before it without picture; None for an unknown picture."""
        with self._lock:
            index = bisect_right(self._waiting, time_us + ROUND_US, key=_time_us)
            found, self._waiting = self._waiting[:index], self._waiting[index:]
        if not found or found[-1].time_us < time_us - ROUND_US:
            return None, len(found)
        return found[-1], len(found) - 1
