"""Parts that boxes may have besides their sides: key points, masks and the corners of a rotated rectangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

SAMPLES = 64
"""Places along each side at which two masks are compared."""

Area = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class BoxMask:
    """The part of a picture that belongs to one object. cells: (rows, columns), true on the object; they share evenly the
    rectangle `area` x1, y1, x2, y2, in pixels."""

    cells: Bools
    area: Area

    def runs(self) -> list[int]:
        """Lengths of equal cells, row by row; the first is of cells beside the object, and may be 0. `cells_from` undoes it."""
        flat = np.concatenate([[False], self.cells.ravel()])
        starts = np.flatnonzero(np.diff(flat))
        lengths: list[int] = np.diff(np.concatenate([[0], starts, [self.cells.size]])).tolist()
        return lengths

    def moved(self, offset: Floats, scale: Floats, limit: tuple[float, float] | None = None) -> BoxMask:
        """The mask at (position - offset) / scale, without cells outside 0..limit (x, y)."""
        x1, y1, x2, y2 = ((np.array(self.area) - np.tile(offset, 2)) / np.tile(scale, 2)).tolist()
        if limit is None:
            return BoxMask(self.cells, (x1, y1, x2, y2))
        rows, columns = self.cells.shape
        left, right = _inner(x1, x2, columns, limit[0])
        top, bottom = _inner(y1, y2, rows, limit[1])
        wide, high = (x2 - x1) / columns, (y2 - y1) / rows
        area = (x1 + left * wide, y1 + top * high, x1 + right * wide, y1 + bottom * high)
        return BoxMask(self.cells[top:bottom, left:right], area)

    def at(self, xs: npt.NDArray[np.float64], ys: npt.NDArray[np.float64]) -> Bools:
        """Whether the object is at the places (ys, xs): (len(ys), len(xs))."""
        rows, columns = self.cells.shape
        x1, y1, x2, y2 = self.area
        across = np.floor((xs - x1) / max(x2 - x1, 1e-9) * columns).astype(np.intp)
        down = np.floor((ys - y1) / max(y2 - y1, 1e-9) * rows).astype(np.intp)
        within = ((down >= 0) & (down < rows))[:, None] & ((across >= 0) & (across < columns))
        found: Bools = self.cells[np.clip(down, 0, rows - 1)[:, None], np.clip(across, 0, columns - 1)] & within
        return found


@dataclass(frozen=True, slots=True)
class BoxParts:
    """Parts of n boxes, in pixels; arrays of parts that the model does not give are empty.

    points (n, k, 2) and point_scores (n, k): k key points called `point_names` · masks: n · corners (n, 4, 2): of rotated
    rectangles, clockwise from the one that is left of and above its centre before the rotation.
    """

    points: Floats = field(default_factory=lambda: np.empty((0, 0, 2), np.float32))
    point_scores: Floats = field(default_factory=lambda: np.empty((0, 0), np.float32))
    point_names: tuple[str, ...] = ()
    masks: tuple[BoxMask, ...] = ()
    corners: Floats = field(default_factory=lambda: np.empty((0, 4, 2), np.float32))

    def fits(self, count: int) -> bool:
        """Whether all parts are of `count` boxes."""
        points = (count, len(self.point_names)) if self.point_names else (0, 0)
        return (
            (self.points.shape, self.point_scores.shape) == ((*points, 2), points)
            and len(self.masks) in (0, count)
            and self.corners.shape[1:] == (4, 2)
            and len(self.corners) in (0, count)
        )

    def __getitem__(self, chosen: Any) -> BoxParts:
        """The parts of the chosen boxes: by mask, by indices or by slice."""
        return BoxParts(
            self.points[chosen] if self.point_names else self.points,
            self.point_scores[chosen] if self.point_names else self.point_scores,
            self.point_names,
            tuple(self.masks[index] for index in np.arange(len(self.masks))[chosen].tolist()) if self.masks else (),
            self.corners[chosen] if len(self.corners) else self.corners,
        )

    def moved(
        self, offset: tuple[float, float], scale: tuple[float, float] = (1.0, 1.0), limit: tuple[float, float] | None = None
    ) -> BoxParts:
        """The parts at (position - offset) / scale; masks without cells outside 0..limit."""
        off, by = np.array(offset, np.float32), np.array(scale, np.float32)
        return replace(
            self,
            points=((self.points - off) / by).astype(np.float32),
            masks=tuple(mask.moved(off, by, limit) for mask in self.masks),
            corners=((self.corners - off) / by).astype(np.float32),
        )


def cells_from(runs: Sequence[int], rows: int, columns: int) -> Bools:
    """The cells of `BoxMask.runs`.

    Raises:
        ValueError: the runs are not those of so many cells.
    """
    if min(runs, default=0) < 0 or sum(runs) != rows * columns:
        raise ValueError(f"runs of {sum(runs)} cells are no mask of {rows} x {columns}")
    inside = np.arange(len(runs)) % 2 == 1
    cells: Bools = np.repeat(inside, runs).reshape(rows, columns)
    return cells


def mask_iou(first: BoxMask, second: BoxMask) -> float:
    """Intersection over union of two masks, 0..1, sampled at `SAMPLES` places along each side; 0 if both are empty."""
    low = [min(first.area[axis], second.area[axis]) for axis in (0, 1)]
    high = [max(first.area[axis + 2], second.area[axis + 2]) for axis in (0, 1)]
    places = [low[axis] + (np.arange(SAMPLES) + 0.5) / SAMPLES * (high[axis] - low[axis]) for axis in (0, 1)]
    one, other = first.at(*places), second.at(*places)
    union = int((one | other).sum())
    return float((one & other).sum() / union) if union else 0.0


def _inner(first: float, last: float, count: int, limit: float) -> tuple[int, int]:
    """The range of `count` cells from `first` to `last` that overlaps 0..limit; at least one."""
    step = (last - first) / count
    if step <= 0:
        return 0, count
    begin = min(max(floor(-first / step), 0), count - 1)
    return begin, max(min(ceil((limit - first) / step), count), begin + 1)
