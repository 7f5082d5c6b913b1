"""Positions of the boxes of a frame against those of tracks, and the costs of their pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision import boxes as box_math
from edgefleet_agent.vision.tracking.kalman import Array, BoxMotion, sizes

IOU_MIN = 0.1
"""Least overlap of a predicted and a detected box of the same object."""
SIZE_RATIO_MAX = 3.0
"""Areas that differ more do not match by distance."""
SIDE_RATIO_ALIKE = 1.35
"""Sides of boxes of the same size differ less."""
CHI_SQUARE_99, STRANGE = 9.21, 30.0
"""99 % quantile of the squared Mahalanobis distance in two dimensions, and a distance that only a sudden turn explains."""
STRANGE_IOU, HIDDEN = 0.5, 0.5
"""A strange box that overlaps its track less is another object's, if another box covers this part of the track: it is hidden."""
REACH_NEW, REACH_KNOWN = 2.0, 1.0
"""Farthest match without overlap, in sizes of the box: for a track of unknown and of known speed."""
HITS_KNOWN = 3
"""Boxes after which the speed of a track counts as known."""

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """n predicted and m measured boxes. shifts (n, m, 2): from the predicted to the measured centres, in pixels. sizes (n,): of
    the predicted boxes. distances (n, m): squared, in units of the uncertainty of the motion. likely (n, m): within that
    uncertainty, and of a possible size."""

    predicted: Array
    measured: Array
    shifts: Array
    sizes: Array
    distances: Array
    likely: Bools

    @staticmethod
    def between(motion: BoxMotion, measured: Array) -> PairGeometry:
        """The geometry of predicted and measured boxes (m, 4)."""
        own_size, seen_size = sizes(motion.edges), sizes(measured)
        shifts = _centres(measured)[None] - _centres(motion.edges)[:, None]
        spread = motion.centre_variance()[:, None] + (0.05 * seen_size[None, :, None]) ** 2
        ratio = np.abs(np.log(own_size[:, None] / seen_size[None])) * 2
        distances = (shifts**2 / spread).sum(axis=2)
        likely = (distances <= CHI_SQUARE_99) & (ratio <= np.log(SIZE_RATIO_MAX))
        return PairGeometry(motion.edges, measured, shifts, own_size, distances, likely)

    def costs(self, hits: npt.NDArray[np.intp]) -> Array:
        """Costs (n, m): 1 - IoU if they overlap, 1 + distance if the centre may have moved that far, otherwise infinite. hits
        (n,): boxes of each track so far."""
        overlap = box_math.ious(self.predicted, self.measured)
        distance = np.hypot(self.shifts[..., 0], self.shifts[..., 1]) / self.sizes[:, None]
        reach = np.where(hits >= HITS_KNOWN, REACH_KNOWN, REACH_NEW)
        near = self.likely & (distance <= reach[:, None])
        overlapping = overlap >= IOU_MIN
        costs = np.where(overlapping, 1.0 - overlap, np.where(near, 1.0 + distance, np.inf))
        strange = overlapping & (self.distances > STRANGE)
        if strange.any():
            costs[strange & (overlap < STRANGE_IOU) & self._hidden_by_others()] = np.inf
        return costs

    def _hidden_by_others(self) -> Bools:
        """Whether a box covers the track of a pair (n, m), other than the box of that pair, which some track expects."""
        shared = box_math.intersections(self.predicted, self.measured)
        covers = shared >= HIDDEN * box_math.areas(self.predicted)[:, None]
        covers &= self.likely.any(axis=0)
        return np.asarray(covers.sum(axis=1, keepdims=True) > covers)

    def alike(self, rows: npt.NDArray[np.intp]) -> Bools:
        """Mask (k, m) of the boxes that have the sides of the k chosen tracks."""
        sides, seen = self.predicted[rows, 2:] - self.predicted[rows, :2], self.measured[:, 2:] - self.measured[:, :2]
        ratio = np.abs(np.log(np.maximum(sides, 1.0))[:, None] - np.log(np.maximum(seen, 1.0))[None]).max(axis=2)
        return np.asarray(ratio <= np.log(SIDE_RATIO_ALIKE))


def _centres(boxes: Array) -> Array:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2)
