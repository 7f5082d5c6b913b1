"""The levels of a device over a period, from the figures of its minutes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median
from typing import Final

from edgefleet_server.domain.statistics.regression_check import Level, Levels
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Figures, merge

MEANS: Final[tuple[str, ...]] = (
    "dropped_percent", "confidence", "temperature_c", "detections_per_frame", "memory_bytes", "shadow_agreement",
)  # fmt: skip
GROWTH_MINUTES_MAX: Final = 60
"""The growth of memory is that of the last hour of a period."""

Minutes = Sequence[tuple[int, Figures]]
"""Begin of each minute, and its figures."""


def levels(minutes: Minutes) -> Levels:
    """The median of the latency, which a burst of load does not change; the means of all others."""
    figures = merge(mine for _, mine in minutes)
    found = {name: Level(figures[name].count, figures[name].mean) for name in MEANS if name in figures}
    if "latency_p95_ms" in figures:
        found["latency_p95_ms"] = Level(figures["latency_p95_ms"].count, figures["latency_p95_ms"].quantile(0.5))
    growth = _growth(minutes)
    return found if growth is None else found | {"memory_growth": growth}


def _growth(minutes: Minutes) -> Level | None:
    """The growth of the memory in MB per hour: the median slope of all pairs of minutes (Theil and Sen), which a step, such as a
    model that is loaded, does not change. Its count is the minutes."""
    seen = [(at, figures["memory_bytes"].mean) for at, figures in minutes if "memory_bytes" in figures][-GROWTH_MINUTES_MAX:]
    slopes = [(second - first) / (later - at) for (at, first), (later, second) in combinations(seen, 2) if later > at]
    return Level((seen[-1][0] - seen[0][0]) // MINUTE_S + 1, median(slopes) * 3600.0 / 1e6) if slopes else None
