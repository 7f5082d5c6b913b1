"""The levels of a device over a period, from the figures of its minutes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median
from typing import Final

from edgefleet_server.domain.statistics import class_mix
from edgefleet_server.domain.statistics.regression_check import CLASS_CHANGE, Level, Levels, mix_of
from edgefleet_server.domain.statistics.summaries import CLASS, MINUTE_S, Figures, labels_of, merge, without_labels

MEANS: Final[tuple[str, ...]] = (
    "dropped_percent", "confidence", "temperature_c", "detections_per_frame", "memory_bytes", "shadow_agreement",
)  # fmt: skip
GROWTH_MINUTES_MAX: Final = 60
"""The growth of memory is that of the last hour of a period."""

Minutes = Sequence[tuple[int, Figures]]
"""Begin of each minute, and its figures."""


def levels(minutes: Minutes, before: Levels | None = None) -> Levels:
    """The median of the latency, which a burst of load does not change; the means of all others; boxes by label. `before`: levels
    before the update, if these are those after it."""
    figures = merge(without_labels(mine) for _, mine in minutes)
    found = {name: Level(figures[name].count, figures[name].mean) for name in MEANS if name in figures}
    if "latency_p95_ms" in figures:
        found["latency_p95_ms"] = Level(figures["latency_p95_ms"].count, figures["latency_p95_ms"].quantile(0.5))
    found |= _classes(minutes, before)
    growth = _growth(minutes)
    return found if growth is None else found | {"memory_growth": growth}


def _classes(minutes: Minutes, before: Levels | None) -> dict[str, Level]:
    """Boxes per minute by label, and the change of the mix: its spread, or since `before`. Counts are minutes."""
    seen = [labels for _, figures in minutes if sum((labels := labels_of(figures)).values()) >= class_mix.BOXES_MIN]
    if not seen:
        return {}
    change = class_mix.spread_percent(seen) if before is None else class_mix.least_change_percent(mix_of(before), seen)
    found = {CLASS + label: Level(len(seen), rate) for label, rate in class_mix.usual(seen).items()}
    return found | {CLASS_CHANGE: Level(len(seen), change)}


def _growth(minutes: Minutes) -> Level | None:
    """The growth of the memory in MB per hour: the median slope of all pairs of minutes (Theil and Sen), which a step, such as a
    model that is loaded, does not change. Its count is the minutes."""
    seen = [(at, figures["memory_bytes"].mean) for at, figures in minutes if "memory_bytes" in figures][-GROWTH_MINUTES_MAX:]
    slopes = [(second - first) / (later - at) for (at, first), (later, second) in combinations(seen, 2) if later > at]
    return Level((seen[-1][0] - seen[0][0]) // MINUTE_S + 1, median(slopes) * 3600.0 / 1e6) if slopes else None
