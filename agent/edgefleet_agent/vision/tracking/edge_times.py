"""Estimates the real entry and exit times of objects that cross the border of the picture.

A detector needs a good part of an object in view, so the first box of a person who walks in comes late. If the first boxes touch
a border and grow away from it, the speed of their free edge gives this delay; for objects that leave, the same applies backwards
in time. Nothing is added for objects that appear inside the picture, or stand still at a border.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.tracking.tracker import SAME_MOMENT_S, Sighting

Floats = npt.NDArray[np.float64]

SPEED_MIN = 0.5
"""Sizes of the box a second: slower motion is jitter of the detector, not walking."""
TOUCH_MARGIN = 0.03
"""Accuracy of a detector's edges, in fractions of the picture: a box this near to a border touches it, and this much of its depth
may be background."""
WINDOWS_S = (0.3, 0.8)
"""The speed is measured over both of these and the faster one is used: the last visible part is often slow (a leg, a bag), and
too high a speed adds too little time rather than too much."""
LEAD_S_MAX = WINDOWS_S[0]
"""Most time that is added: no more than the shorter window covers."""
SIGHTINGS_MAX = 32
"""Most sightings at either end that are used."""


def lead_s(first: Sequence[Sighting], width: int, height: int) -> float:
    """Time before `first[0]` at which the object entered over a border, 0 if it did not. first: sightings in time order."""
    if len(first) < 2:
        return 0.0
    return _crossing_s(list(first[:SIGHTINGS_MAX]), width, height)


def lag_s(last: Sequence[Sighting], width: int, height: int) -> float:
    """Time after `last[-1]` at which the object left over a border, 0 if it did not. last: sightings in time order."""
    if len(last) < 2:
        return 0.0
    return _crossing_s(list(reversed(last[-SIGHTINGS_MAX:])), width, height)


def _crossing_s(sightings: Sequence[Sighting], width: int, height: int) -> float:
    """Time from the border to the first of `sightings`, which move away from the border, in either direction of time."""
    boxes = np.array([sighting.box for sighting in sightings])
    times = np.abs(np.array([sighting.media_s for sighting in sightings]) - sightings[0].media_s)
    if times[1] <= 0:
        return 0.0
    x1, y1, x2, y2 = boxes[0]
    size = float(np.sqrt(max(x2 - x1, 1.0) * max(y2 - y1, 1.0)))
    # For each border: depth of the free edge, distance of the near edge, and extent of the picture in that direction.
    depths = (
        (boxes[:, 2], x1, width),
        (boxes[:, 3], y1, height),
        (width - boxes[:, 0], width - x2, width),
        (height - boxes[:, 1], height - y2, height),
    )
    leads = []
    for depth, apart, extent in depths:
        speed = max(_slope(times, depth, window_s) for window_s in WINDOWS_S)
        if apart <= TOUCH_MARGIN * extent and speed >= SPEED_MIN * size:
            leads.append(max(0.0, float(depth[0]) - TOUCH_MARGIN * extent) / speed)
    # At a corner the object becomes visible only at the later border.
    return min(*leads, LEAD_S_MAX) if leads else 0.0


def _slope(times: Floats, values: Floats, window_s: float) -> float:
    """Least squares over the first `window_s`, two values at least; pixels a second."""
    count = max(2, int(np.searchsorted(times, window_s + SAME_MOMENT_S)))
    centred = times[:count] - times[:count].mean()
    return float((centred * values[:count]).sum() / (centred**2).sum())
