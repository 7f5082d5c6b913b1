"""A mergeable histogram: counts by buckets whose width grows with their value, so that every quantile is accurate within 2 %.

C. Masson, J. E. Rim, H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees", PVLDB 12
(2019). Two sketches merge by adding counts, in any order, so minutes make hours and devices make fleets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

ACCURACY: Final = 0.02
GAMMA: Final = (1 + ACCURACY) / (1 - ACCURACY)
SMALLEST: Final = 1e-3
"""Smaller values count as zero."""
BUCKETS_MAX: Final = 256
"""Limit of a sketch: so many buckets span a factor of 28,000 (from 0.001 to 28); of more, the lowest are merged first."""

Sketch = dict[int, int]
"""Counts by bucket; bucket `NOTHING` holds what is below `SMALLEST`."""
NOTHING: Final = -(2**15)

_LOG: Final = math.log(GAMMA)


def bucket(value: float) -> int:
    """The bucket of a value."""
    return NOTHING if value < SMALLEST else math.ceil(math.log(value) / _LOG)


def add(sketch: Sketch, value: float) -> None:
    """Count a value."""
    key = bucket(value)
    sketch[key] = sketch.get(key, 0) + 1
    if len(sketch) > BUCKETS_MAX:
        _join(sketch)


def merge(sketches: Iterable[Mapping[int, int]]) -> Sketch:
    """The sum of all sketches."""
    total: Sketch = {}
    for sketch in sketches:
        for key, count in sketch.items():
            total[key] = total.get(key, 0) + count
    if len(total) > BUCKETS_MAX:
        _join(total)
    return total


def _join(sketch: Sketch) -> None:
    keys = sorted(sketch)
    joined = keys[: len(keys) - BUCKETS_MAX + 1]
    sketch[joined[-1]] = sum(sketch.pop(key) for key in joined)


def quantile(sketch: Mapping[int, int], share: float) -> float:
    """The value below which `share` (0 to 1) of the counted values lies; 0 for an empty sketch."""
    rank = share * (sum(sketch.values()) - 1)
    seen = 0
    for key in sorted(sketch):
        seen += sketch[key]
        if seen > rank:
            return 0.0 if key == NOTHING else 2.0 * GAMMA**key / (GAMMA + 1.0)
    return 0.0
