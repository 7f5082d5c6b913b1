"""Histograms with fixed bounds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from edgefleet_contract.encoding.metrics_text import Distribution, Exemplar

LATENCY_S = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Histogram:
    """Counts of values by bounds. scale: one unit of the values in units of the bounds. One thread at a time."""

    __slots__ = ("_bounds", "_limits", "_scale", "counts", "exemplars", "total")

    def __init__(self, bounds: Sequence[float] = LATENCY_S, scale: float = 1e-9) -> None:
        self._limits = [round(bound / scale) for bound in bounds]
        self._bounds = tuple(bounds)
        self._scale = scale
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0
        self.exemplars: dict[int, tuple[str, int, float]] = {}

    def add(self, value: int, count: int = 1) -> None:
        """Count a value `count` times."""
        self.counts[bisect_left(self._limits, value)] += count
        self.total += value * count

    def add_waits(self, since_ns: Sequence[int], until_ns: int) -> None:
        """Count the times from each of `since_ns` to `until_ns`."""
        counts, limits = self.counts, self._limits
        for each_ns in since_ns:
            waited_ns = until_ns - each_ns
            counts[bisect_left(limits, waited_ns)] += 1
            self.total += waited_ns

    def add_exemplar(self, value: int, trace_id: str, at: float) -> None:
        """Attach a trace to a counted value. at: wall time."""
        self.exemplars[bisect_left(self._limits, value)] = trace_id, value, at

    @property
    def count(self) -> int:
        """Number of the counted values."""
        return sum(self.counts)

    def snapshot(self) -> Distribution:
        """The counts until now, in units of the bounds."""
        exemplars = {
            index: Exemplar(trace_id, value * self._scale, at) for index, (trace_id, value, at) in list(self.exemplars.items())
        }
        return Distribution(self._bounds, list(self.counts), round(self.total * self._scale, 9), exemplars)
