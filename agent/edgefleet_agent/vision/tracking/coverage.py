"""Coverage: the analysed share of a period of time, to distinguish an empty scene from missing frames."""

from __future__ import annotations

from collections import deque

GAPS_MAX = 1000
"""Gaps stored; older ones are dropped. With one gap every few seconds this covers an hour."""


class Coverage:
    """Analysed frames of one pipeline. period_s: time between analysed frames without loss."""

    def __init__(self, period_s: float) -> None:
        self._period_s = period_s
        self._last_s: float | None = None
        self._gaps: deque[tuple[float, float, int]] = deque(maxlen=GAPS_MAX)

    def sample(self, media_s: float) -> None:
        """Records an analysed frame; times rise from call to call."""
        if self._last_s is not None:
            missed = round((media_s - self._last_s) / self._period_s) - 1
            if missed > 0:
                self._gaps.append((self._last_s, media_s, missed))
        self._last_s = media_s

    def between(self, start_s: float, end_s: float) -> float:
        """Frames analysed / frames expected from `start_s` to `end_s`, 0..1."""
        expected = max(0.0, end_s - start_s) / self._period_s + 1
        missed = 0.0
        for before_s, after_s, count in reversed(self._gaps):
            if after_s <= start_s:
                break
            shared_s = min(after_s, end_s) - max(before_s, start_s)
            if shared_s > 0:
                missed += count * shared_s / (after_s - before_s)
        return round(max(0.0, 1.0 - missed / expected), 4)
