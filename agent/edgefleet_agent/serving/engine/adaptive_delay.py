"""Learns the delay of a batch for more requests: compares the time saved by one more request with the cost of waiting.

An execution of n rows takes about `fixed + row * n`; both are learned from executions. The next request is expected after the
average gap between two. A request that joins a batch saves `fixed`; waiting for it costs each queued request one gap. Waiting is
therefore worthwhile while `requests * gap < fixed`. (BentoML's dispatcher learns the same two numbers.) Pure: times are
arguments, in nanoseconds.
"""

from __future__ import annotations

FORGET = 0.98
"""Factor of the weight of an execution when the next one is learned."""
GAP_SMOOTHING = 0.1
GAPS_MAX = 2.0
"""Gaps after which no further request is expected."""
LEARNED_MIN = 8
"""Executions before the estimates are used."""


class AdaptiveDelay:
    """The delay of one model's batches. limit_ns: the longest delay."""

    def __init__(self, limit_ns: int) -> None:
        self._limit_ns = limit_ns
        self._gap_ns = 0.0
        self._last_ns = 0
        self._count = 0
        # Sums of a weighted regression of duration on rows.
        self._weight = self._rows = self._rows2 = self._took = self._rows_took = 0.0

    @property
    def fixed_ns(self) -> float:
        """The fixed cost of an execution; 0 until it is known."""
        spread = self._weight * self._rows2 - self._rows * self._rows
        if self._count < LEARNED_MIN or spread <= 1e-6 * self._weight * self._rows2:
            # One batch size gives no slope; half of the duration is taken as fixed, which tries larger batches.
            return 0.5 * self._took / self._weight if self._count >= LEARNED_MIN else 0.0
        row_ns = (self._weight * self._rows_took - self._rows * self._took) / spread
        return max(0.0, (self._took - row_ns * self._rows) / self._weight)

    def arrived(self, now_ns: int) -> None:
        """Learn from an arrived request."""
        if self._last_ns:
            gap_ns = min(now_ns - self._last_ns, 10 * self._limit_ns)
            self._gap_ns += GAP_SMOOTHING * (gap_ns - self._gap_ns)
        self._last_ns = now_ns

    def executed(self, rows: int, took_ns: int) -> None:
        """Learn from the duration of a batch."""
        for name in ("_weight", "_rows", "_rows2", "_took", "_rows_took"):
            setattr(self, name, getattr(self, name) * FORGET)
        self._weight += 1
        self._rows += rows
        self._rows2 += rows * rows
        self._took += took_ns
        self._rows_took += rows * took_ns
        self._count += 1

    def waits_until_ns(self, requests: int, oldest_ns: int, now_ns: int) -> int:
        """The time until which a batch of `requests` waits for the next one; not after `now_ns`: it runs now."""
        if requests * self._gap_ns >= self.fixed_ns or now_ns - self._last_ns > GAPS_MAX * self._gap_ns:
            return now_ns
        return min(oldest_ns + self._limit_ns, self._last_ns + int(GAPS_MAX * self._gap_ns) + 1)
