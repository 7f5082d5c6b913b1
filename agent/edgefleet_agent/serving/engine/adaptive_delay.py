"""How long a batch waits for more requests, learned: what one more of them would save against what waiting costs.

An execution of n rows takes about `fixed + row * n`; both are learned from executions as they happen. The next request is
expected after the usual gap between two. A request that joins a batch saves a whole `fixed`; waiting for it costs each of
those that wait the gap. So it pays to wait while `requests * gap < fixed`. (BentoML's dispatcher learns the same two numbers.)
Pure: times are arguments, in nanoseconds.
"""

from __future__ import annotations

FORGET = 0.98
"""What an execution still counts when the next one is learned."""
GAP_SMOOTHING = 0.1
GAPS_MAX = 2.0
"""A request that has not come after so many gaps is not on its way."""
LEARNED_MIN = 8
"""Executions before anything is believed."""


class AdaptiveDelay:
    """One model's batches. limit_ns: nothing waits for longer."""

    def __init__(self, limit_ns: int) -> None:
        self._limit_ns = limit_ns
        self._gap_ns = 0.0
        self._last_ns = 0
        self._count = 0
        # Sums of a weighted regression of duration on rows.
        self._weight = self._rows = self._rows2 = self._took = self._rows_took = 0.0

    @property
    def fixed_ns(self) -> float:
        """What an execution takes beside its rows; 0 until it is known."""
        spread = self._weight * self._rows2 - self._rows * self._rows
        if self._count < LEARNED_MIN or spread <= 1e-6 * self._weight * self._rows2:
            # One size alone says nothing; then half of it is taken for fixed, which tries larger ones.
            return 0.5 * self._took / self._weight if self._count >= LEARNED_MIN else 0.0
        row_ns = (self._weight * self._rows_took - self._rows * self._took) / spread
        return max(0.0, (self._took - row_ns * self._rows) / self._weight)

    def arrived(self, now_ns: int) -> None:
        """A request came."""
        if self._last_ns:
            gap_ns = min(now_ns - self._last_ns, 10 * self._limit_ns)
            self._gap_ns += GAP_SMOOTHING * (gap_ns - self._gap_ns)
        self._last_ns = now_ns

    def executed(self, rows: int, took_ns: int) -> None:
        """A batch took so long."""
        for name in ("_weight", "_rows", "_rows2", "_took", "_rows_took"):
            setattr(self, name, getattr(self, name) * FORGET)
        self._weight += 1
        self._rows += rows
        self._rows2 += rows * rows
        self._took += took_ns
        self._rows_took += rows * took_ns
        self._count += 1

    def waits_until_ns(self, requests: int, oldest_ns: int, now_ns: int) -> int:
        """Until when a batch of so many requests waits for the next one; not after now: it goes."""
        if requests * self._gap_ns >= self.fixed_ns or now_ns - self._last_ns > GAPS_MAX * self._gap_ns:
            return now_ns
        return min(oldest_ns + self._limit_ns, self._last_ns + int(GAPS_MAX * self._gap_ns) + 1)
