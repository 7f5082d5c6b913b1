"""The course of a process's memory: its level over the last minute, and whether it keeps growing. Pure.

A leak grows for as long as the process works; a buffer or an arena grows in a few steps and then stays. So the time since the
memory was last near its base is cut into six blocks of equal length, of which the lowest level counts: memory that grows in four
of the five steps between them keeps growing.
"""

from __future__ import annotations

import itertools
from collections import deque

RECENT_S = 60.0
FAST_S = 5.0
COVERED = 0.9
"""Share of a span that has to be covered by samples."""
POINTS_MAX = 128
STEP_S = 1.0
BLOCKS = 6
GROWING_STEPS = 4
NEAR_BASE = 8
"""Memory is near its base below this part of the allowance."""
STEP_PART = 20
"""A step counts as growth from this part of the allowance."""


class MemoryTrend:
    """Samples of one process. Times are monotonic seconds. Its length is bounded: older samples are joined, the lowest stays."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, int]] = deque()
        self._points: list[tuple[float, int]] = []
        self._step_s = STEP_S

    def add(self, bytes_now: int, now: float) -> None:
        """Take a sample."""
        self._recent.append((now, bytes_now))
        while self._recent[0][0] < now - RECENT_S:
            self._recent.popleft()
        if self._points and now - self._points[-1][0] < self._step_s:
            at, lowest = self._points[-1]
            self._points[-1] = (at, min(lowest, bytes_now))
            return
        self._points.append((now, bytes_now))
        if len(self._points) >= POINTS_MAX:
            pairs = zip(self._points[::2], self._points[1::2], strict=True)
            self._points = [(first[0], min(first[1], second[1])) for first, second in pairs]
            self._step_s *= 2

    def lowest(self, span_s: float) -> int | None:
        """The lowest sample of the last `span_s` seconds (at most a minute); None where samples do not cover them."""
        if not self._recent:
            return None
        now = self._recent[-1][0]
        if now - self._recent[0][0] < span_s * COVERED:
            return None
        return min(sample for at, sample in self._recent if at >= now - span_s)

    def keeps_growing(self, base: int, allowance: int) -> bool:
        """Whether memory has grown in most of the time since it was last near `base`."""
        near = base + allowance // NEAR_BASE
        first = max((index for index, (_, level) in enumerate(self._points) if level <= near), default=0)
        since = [level for _, level in self._points[first:]]
        if len(since) < BLOCKS:
            return False
        lows = [min(since[len(since) * block // BLOCKS : len(since) * (block + 1) // BLOCKS]) for block in range(BLOCKS)]
        grown = sum(later - earlier > allowance // STEP_PART for earlier, later in itertools.pairwise(lows))
        return grown >= GROWING_STEPS
