"""When something that came over the border of the picture really came, and when it really left.

A detector wants to see a good part of a thing before it speaks, so the first box of someone who walks in is late by the time
the walk took until then. Where the first boxes touch a border and grow away from it, the speed of their free edge tells that
time; the same holds, backwards, for those who leave. Nothing is added to what appears inside the picture, or to what stands at
a border.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.tracking.tracker import SAME_MOMENT_S, Sighting

Floats = npt.NDArray[np.float64]

SPEED_MIN = 0.5
"""Sizes of the box a second: slower is jitter of the detector, not walking."""
TOUCH = 0.03
"""How well a detector places an edge, in fractions of the picture: a box so near a border touches it, and so much of its depth
may be air."""
WINDOWS_S = (0.3, 0.8)
"""The speed is taken over both of these and the faster is believed: the edge of the last bit in sight dawdles (a leg, a bag), and
too fast errs on the side of adding nothing."""
LEAD_S_MAX = WINDOWS_S[0]
"""Most that is ever added: never farther than the shorter evidence reaches."""
SIGHTINGS = 32
"""As many sightings at either end as are ever looked at."""


def lead_s(first: Sequence[Sighting], width: int, height: int) -> float:
    """How long before `first[0]` the thing came over a border, 0 where it did not. first: sightings in time order."""
    if len(first) < 2:
        return 0.0
    return _crossing_s(list(first[:SIGHTINGS]), width, height)


def lag_s(last: Sequence[Sighting], width: int, height: int) -> float:
    """How long after `last[-1]` the thing was gone over a border, 0 where it was not. last: sightings in time order."""
    if len(last) < 2:
        return 0.0
    return _crossing_s(list(reversed(last[-SIGHTINGS:])), width, height)


def _crossing_s(sightings: Sequence[Sighting], width: int, height: int) -> float:
    """Time from the border to the first of `sightings`, which go away from the border, in whichever direction of time."""
    boxes = np.array([sighting.box for sighting in sightings])
    times = np.abs(np.array([sighting.media_s for sighting in sightings]) - sightings[0].media_s)
    if times[1] <= 0:
        return 0.0
    x1, y1, x2, y2 = boxes[0]
    size = float(np.sqrt(max(x2 - x1, 1.0) * max(y2 - y1, 1.0)))
    # For each border: how far the free edge is inside, how far the near edge is from it, the picture's extent that way.
    depths = (
        (boxes[:, 2], x1, width),
        (boxes[:, 3], y1, height),
        (width - boxes[:, 0], width - x2, width),
        (height - boxes[:, 1], height - y2, height),
    )
    leads = []
    for depth, apart, extent in depths:
        speed = max(_slope(times, depth, window_s) for window_s in WINDOWS_S)
        if apart <= TOUCH * extent and speed >= SPEED_MIN * size:
            leads.append(max(0.0, float(depth[0]) - TOUCH * extent) / speed)
    # Over a corner the later border is the one that showed it.
    return min(*leads, LEAD_S_MAX) if leads else 0.0


def _slope(times: Floats, values: Floats, window_s: float) -> float:
    """Least squares over the first `window_s`, two values at least; pixels a second."""
    count = max(2, int(np.searchsorted(times, window_s + SAME_MOMENT_S)))
    centred = times[:count] - times[:count].mean()
    return float((centred * values[:count]).sum() / (centred**2).sum())
