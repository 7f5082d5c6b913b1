"""Packets whose pictures have not come yet: what time a picture belongs to, and how many before it never came.

Decoders give pictures in the order in which they are shown, packets come in the order in which they are decoded, and what a gate
or a decoder leaves out comes never. Pure: the caller brings the time.
"""

from __future__ import annotations

import threading
from bisect import bisect_right, insort
from dataclasses import dataclass

WAITING_MAX = 4096
BREAK_US = 5_000_000
"""A step so large is a clock that was set, not a pause."""
STEP_US = 40_000
"""What takes the place of such a step."""
ROUND_US = 1000
"""Containers with times of milliseconds."""
FIRST_US = 1_000_000
"""Times begin here, so that pictures shown before the first packet's have one, too."""


@dataclass(frozen=True, slots=True)
class SentPacket:
    """A packet. time_us: its time among all packets, which has no large steps. pts_s: the camera's own time of it, None where it
    gave none. arrived_s: when it came, monotonic.
    """

    time_us: int
    pts_s: float | None
    arrived_s: float


def _time_us(one: SentPacket) -> int:
    return one.time_us


class PendingPackets:
    """One connection. Any thread may send, another take what came."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[SentPacket] = []  # by time, at most WAITING_MAX
        self._shift_us: int | None = None
        self._next_us = FIRST_US

    def sent(self, pts_s: float | None, arrived_s: float) -> int:
        """A packet came; the time to give on with it, in microseconds."""
        with self._lock:
            time_us = self._next_us
            if pts_s is not None:
                pts_us = round(pts_s * 1e6)
                if self._shift_us is None or abs(pts_us + self._shift_us - self._next_us) > BREAK_US:
                    self._shift_us = self._next_us - pts_us
                time_us = max(0, pts_us + self._shift_us)
            self._next_us = time_us + STEP_US
            insort(self._waiting, SentPacket(time_us, pts_s, arrived_s), key=_time_us)
            del self._waiting[: max(0, len(self._waiting) - WAITING_MAX)]
        return time_us

    def came(self, time_us: int) -> tuple[SentPacket | None, int]:
        """The packet of a picture, and how many before it have none; None for a picture that no packet waits for."""
        with self._lock:
            place = bisect_right(self._waiting, time_us + ROUND_US, key=_time_us)
            found, self._waiting = self._waiting[:place], self._waiting[place:]
        if not found or found[-1].time_us < time_us - ROUND_US:
            return None, len(found)
        return found[-1], len(found) - 1
