"""Shaking of a camera, estimated from the boxes of its tracks: between two frames all of them are displaced by the same pixels.

The estimate is made only when it is needed: when half of the tracks of the last frame have no box where their motion could have
taken them, and for `HOLD_S` after that. At least half of the tracks then have to find a box of their size at one displacement;
otherwise nothing is corrected. Objects that start or stop together are no shaking: the uncertainty of their motion covers that.

The displacements are added up to the offset of the picture from its place at rest, which is where zones and lines were drawn.
The sum follows a camera that stays turned within `REST_S`: a shake has no lasting direction, and errors do not add up. For the
same reason a speed that all displacements have in common is given back to the tracks: from boxes alone, a camera that moves
evenly cannot be distinguished from objects that do.

Limitation: fewer than three objects, rotation and zoom are not corrected. Pure: the caller gives the time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.tracking.kalman import Array
from edgefleet_agent.vision.tracking.pair_geometry import PairGeometry

HOLD_S = 2.0
"""Time for which every frame is measured after one that needed it."""
REST_S = 5.0
"""Time constant with which the offset returns to zero."""
TREND_S, RETURN_S = 0.5, 2.0
"""Time constants of the mean speed of the displacements, and of its return to the tracks."""
VOTERS_MIN, VOTERS_MAX = 3, 60
"""Tracks that show a shake, and the most that are used. Two may be one person, whose box is found in parts: a visitor who
stood up was taken for a shake of the camera, and counted twice in a zone."""
REACH = 4.0
"""Largest displacement between two frames, in sizes of the median box."""
SAME_PLACE = 0.2
"""Distance within which a box supports a displacement, in its own sizes."""
CELLS_MAX = 6
"""Displacements that are examined, those that most pairs of boxes propose."""
OFFSET_MIN = 0.5
"""Offset in pixels below which the picture is at rest again."""

Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Shift:
    """A displacement of the picture. pixels (2,): since the last frame. speed (2,): to be added to the speeds of all tracks, in
    pixels/s."""

    pixels: Array
    speed: Array


class CameraShake:
    """The shaking of one camera. offset: of the last picture from its place at rest, x and y in pixels."""

    def __init__(self) -> None:
        self.offset = (0.0, 0.0)
        self._until_s = -math.inf
        self._elapsed_s = 0.0
        self._trend = np.zeros(2)

    def rest(self, elapsed_s: float, media_s: float) -> None:
        """Let the offset return towards zero, `elapsed_s` after the last frame."""
        self._elapsed_s = elapsed_s
        if self.offset == (0.0, 0.0):
            return
        self._trend = self._trend * math.exp(-elapsed_s / TREND_S)
        left = math.exp(-elapsed_s / REST_S)
        x, y = self.offset[0] * left, self.offset[1] * left
        still = media_s > self._until_s and math.hypot(x, y) < OFFSET_MIN
        self.offset = (0.0, 0.0) if still else (x, y)

    def measure(self, pairs: PairGeometry, possible: Bools, rows: Rows, media_s: float) -> Shift | None:
        """The displacement of the picture since the last frame; None if it does not shake.

        pairs: tracks and boxes of this frame. possible (n, m): pairs of the same label. rows: the tracks of the last frame.
        """
        count = len(rows)
        if count < VOTERS_MIN:
            return None
        explained = int((possible & pairs.likely)[rows].any(axis=1).sum())
        needed = count - explained >= max(VOTERS_MIN, count / 2)
        if not needed and media_s > self._until_s:
            return None
        rows = rows[:VOTERS_MAX]
        found = _common_shift(pairs.shifts[rows], possible[rows] & pairs.alike(rows), pairs.sizes[rows])
        if found is None:
            return None
        if needed:
            self._until_s = media_s + HOLD_S
        self.offset = (self.offset[0] + float(found[0]), self.offset[1] + float(found[1]))
        elapsed_s = max(self._elapsed_s, 1e-3)
        self._trend = self._trend + (1 - math.exp(-elapsed_s / TREND_S)) * found / elapsed_s
        return Shift(found, (1 - math.exp(-elapsed_s / RETURN_S)) * self._trend)


def _common_shift(shifts: Array, alike: Bools, sizes: Array) -> Array | None:
    """The displacement that the most tracks support, at least half of them; of equally good ones, the smallest."""
    size = float(np.median(sizes))
    alike = alike & (np.abs(shifts) <= REACH * size).all(axis=2)
    proposed = shifts[alike]
    if len(proposed) < VOTERS_MIN:
        return None
    cells = np.floor(proposed / (2 * SAME_PLACE * size)).astype(np.int64)
    _, where, votes = np.unique(cells @ np.array([1 << 20, 1]), return_inverse=True, return_counts=True)
    best: tuple[int, float, Array] | None = None
    for cell in np.argsort(-votes, kind="stable")[:CELLS_MAX].tolist():
        support, shift = _refined(np.median(proposed[where == cell], axis=0), shifts, alike, sizes)
        rank = (support, -float(np.hypot(*shift)))
        if best is None or rank > best[:2]:
            best = *rank, shift
    return best[2] if best is not None and best[0] >= max(VOTERS_MIN, len(sizes) / 2) else None


def _refined(shift: Array, shifts: Array, alike: Bools, sizes: Array) -> tuple[int, Array]:
    """Returns the number of tracks that support a displacement, and the mean of theirs."""
    support = 0
    for _ in range(2):
        errors = shifts - shift
        distances = np.where(alike, np.hypot(errors[..., 0], errors[..., 1]) / sizes[:, None], np.inf)
        nearest = distances.argmin(axis=1)
        rows = np.flatnonzero(distances[np.arange(len(sizes)), nearest] <= SAME_PLACE)
        support = len(rows)
        if not support:
            break
        shift = shift + errors[rows, nearest[rows]].mean(axis=0)
    return support, shift
