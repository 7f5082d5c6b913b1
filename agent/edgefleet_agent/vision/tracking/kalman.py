"""Motion model of boxes: a constant-velocity Kalman filter for the four edges of many boxes at once.

Time is in seconds, so a dropped frame or another frame rate changes only the uncertainty. The filter's state is the four edges,
not centre and size: a person who enters has edges that stand still at the border and edges that move, which a centre cannot
represent. Noise is relative to the size of the box, so near and far objects behave alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

SPEED_SIGMA = 2.0
"""Spread of the speed of a new object, in its own sizes a second. A walker moves at about 1.5."""
SPEED_DRIFT_SIGMA = 0.7
"""Change of speed: standard deviation after one second, in sizes a second."""
BOX_SIGMA = 0.05
"""Spread of a detector's edges in sizes of the box, at score 0; shrinks with the square root of 1 - score."""


def sizes(boxes: Array) -> Array:
    """Sides (n,) of the squares of the same area, at least 4 pixels."""
    sides = boxes[:, 2:] - boxes[:, :2]
    np.maximum(sides, 1.0, out=sides)
    areas = sides[:, 0] * sides[:, 1]
    return np.asarray(np.maximum(np.sqrt(areas, out=areas), 4.0, out=areas))


@dataclass(frozen=True, slots=True)
class BoxMotion:
    """Motion state of n boxes. edges, speeds (n, 4): pixels, pixels/s. variance (n, 4, 3): of position, of both, of speed."""

    edges: Array
    speeds: Array
    variance: Array

    def __len__(self) -> int:
        return len(self.edges)

    def __getitem__(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> BoxMotion:
        return BoxMotion(self.edges[chosen], self.speeds[chosen], self.variance[chosen])

    @staticmethod
    def none() -> BoxMotion:
        """No box."""
        return BoxMotion(np.empty((0, 4)), np.empty((0, 4)), np.empty((0, 4, 3)))

    @staticmethod
    def born(boxes: Array, scores: Array) -> BoxMotion:
        """New boxes (n, 4) at rest, of unknown speed."""
        size = sizes(boxes)
        variance = np.zeros((len(boxes), 4, 3))
        variance[:, :, 0] = _noise(size, scores)[:, None]
        variance[:, :, 2] = ((SPEED_SIGMA * size) ** 2)[:, None]
        return BoxMotion(np.array(boxes, np.float64), np.zeros((len(boxes), 4)), variance)

    def joined(self, other: BoxMotion) -> BoxMotion:
        """These boxes and the others after them."""
        return BoxMotion(
            np.concatenate([self.edges, other.edges]),
            np.concatenate([self.speeds, other.speeds]),
            np.concatenate([self.variance, other.variance]),
        )

    def replaced(self, rows: npt.NDArray[np.intp], other: BoxMotion) -> BoxMotion:
        """These boxes, with `rows` (k,) replaced by the k boxes of `other`."""
        edges, speeds, variance = self.edges.copy(), self.speeds.copy(), self.variance.copy()
        edges[rows], speeds[rows], variance[rows] = other.edges, other.speeds, other.variance
        return BoxMotion(edges, speeds, variance)

    def moved(self, shift: Array, speed: Array) -> BoxMotion:
        """The boxes displaced by `shift` (2,) pixels, and faster by `speed` (2,) pixels/s."""
        return BoxMotion(self.edges + np.tile(shift, 2), self.speeds + np.tile(speed, 2), self.variance)

    def after(self, duration_s: float, unseen: npt.NDArray[np.bool_]) -> BoxMotion:
        """Predicts the boxes `duration_s` later.

        Boxes `unseen` in the last frame move as rigid boxes: without a measurement the speeds of opposite edges drift apart, and
        the box would grow or turn inside out.
        """
        speeds = self.speeds
        if unseen.any():
            rigid = (speeds[:, [0, 1, 0, 1]] + speeds[:, [2, 3, 2, 3]]) / 2
            speeds = np.where(unseen[:, None], rigid, speeds)
        density = ((SPEED_DRIFT_SIGMA * sizes(self.edges)) ** 2)[:, None, None]
        # Continuous white acceleration: two half steps give exactly one whole step. Variance of position, of both, of speed
        # afterwards: p + t (2 b + t s) + d t^3 / 3, b + t s + d t^2 / 2, s + d t
        t = duration_s
        carried = np.array([[1.0, 0.0, 0.0], [2 * t, 1.0, 0.0], [t * t, t, 1.0]])
        variance = self.variance @ carried + density * np.array([t**3 / 3, t**2 / 2, t])
        return BoxMotion(self.edges + t * speeds, speeds, variance)

    def corrected(self, rows: npt.NDArray[np.intp], boxes: Array, scores: Array) -> BoxMotion:
        """The filter after `boxes` (k, 4) were measured for `rows` (k,)."""
        if not len(rows):
            return self
        variance = self.variance[rows]
        position, both, speed = variance[..., 0], variance[..., 1], variance[..., 2]
        total = position + _noise(sizes(boxes), scores)[:, None]
        position_gain, speed_gain = position / total, both / total
        surprise = boxes - self.edges[rows]
        edges, speeds, variances = self.edges.copy(), self.speeds.copy(), self.variance.copy()
        edges[rows] += position_gain * surprise
        speeds[rows] += speed_gain * surprise
        variance = np.empty((len(rows), 4, 3))
        left = 1 - position_gain
        np.multiply(position, left, out=variance[..., 0])
        np.multiply(both, left, out=variance[..., 1])
        np.subtract(speed, speed_gain * both, out=variance[..., 2])
        variances[rows] = variance
        return BoxMotion(edges, speeds, variances)

    def centre_variance(self) -> Array:
        """Variance (n, 2) of the centres' x and y, in square pixels."""
        position = self.variance[..., 0]
        return np.asarray((position[:, :2] + position[:, 2:]) / 4)


def _noise(size: Array, scores: Array) -> Array:
    """Variance (n,) of a measured edge: a higher score means a more accurate edge (NSA Kalman, GIAOTracker, 2021)."""
    return np.asarray((BOX_SIGMA * size) ** 2 * np.minimum(np.maximum(1.0 - scores, 0.1), 1.0))
