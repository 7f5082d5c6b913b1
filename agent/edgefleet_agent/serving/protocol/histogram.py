"""Histograms with fixed bounds, in the form of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

LATENCY_S = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Histogram:
    """Counts of values by bounds. scale: one unit of the values in units of the bounds. One thread at a time."""

    __slots__ = ("_limits", "_scale", "_texts", "counts", "exemplars", "total")

    def __init__(self, bounds: Sequence[float] = LATENCY_S, scale: float = 1e-9) -> None:
        self._limits = [round(bound / scale) for bound in bounds]
        self._texts = [f"{bound:g}" for bound in bounds]
        self._scale = scale
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0
        self.exemplars: dict[int, tuple[str, int, float]] = {}

    def add(self, value: int) -> None:
        """Count a value."""
        self.counts[bisect_left(self._limits, value)] += 1
        self.total += value

    def add_exemplar(self, value: int, trace_id: str, at: float) -> None:
        """Attach a trace to a counted value. at: wall time."""
        self.exemplars[bisect_left(self._limits, value)] = trace_id, value, at

    def lines(self, name: str, labels: str, *, exemplars: bool = False) -> Iterator[str]:
        """The histogram in Prometheus' text format, or with exemplars in that of OpenMetrics."""
        below = 0
        for index, (text, count) in enumerate(zip([*self._texts, "+Inf"], self.counts, strict=True)):
            below += count
            shown = self.exemplars.get(index) if exemplars else None
            tail = f' # {{trace_id="{shown[0]}"}} {shown[1] * self._scale:.9g} {shown[2]:.3f}' if shown else ""
            yield f'{name}_bucket{{{labels},le="{text}"}} {below}{tail}'
        yield f"{name}_sum{{{labels}}} {self.total * self._scale:.9g}"
        yield f"{name}_count{{{labels}}} {below}"
