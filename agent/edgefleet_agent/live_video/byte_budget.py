"""The bytes of live video that a device sends within an hour."""

from __future__ import annotations

import threading
from collections import deque

HOUR_S = 3600.0
STEP_S = 60.0


class ByteBudget:
    """At most `bytes_max` within any hour, 0: no limit; counted by the minute. Used by the threads of all streams; `now` is
    monotonic time."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self._lock = threading.Lock()
        self._minutes: deque[tuple[float, int]] = deque()
        self._used = 0

    def take(self, count: int, now: float) -> bool:
        """Count bytes; False: they are beyond the budget, and must not be sent."""
        with self._lock:
            while self._minutes and now - self._minutes[0][0] >= HOUR_S:
                self._used -= self._minutes.popleft()[1]
            if self.bytes_max and self._used + count > self.bytes_max:
                return False
            start_s, held = self._minutes.pop() if self._minutes and now - self._minutes[-1][0] < STEP_S else (now, 0)
            self._minutes.append((start_s, held + count))
            self._used += count
            return True
