"""Arithmetic on boxes: (n, 4) float arrays of x1, y1, x2, y2 in pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Boxes = npt.NDArray[np.floating[Any]]
Matrix = npt.NDArray[np.float64]


def areas(boxes: Boxes) -> Matrix:
    """Areas (n,) in square pixels; 0 for a box with swapped corners."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0)
    return np.asarray(sides[:, 0] * sides[:, 1], np.float64)


def intersections(first: Boxes, second: Boxes) -> Matrix:
    """Areas (n, m), in square pixels, of the intersections of each of `first` with each of `second`."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    sides = np.maximum(high - low, 0.0)
    return np.asarray(sides[..., 0] * sides[..., 1], np.float64)


def ious(first: Boxes, second: Boxes) -> Matrix:
    """Intersection over union (n, m), 0..1."""
    shared = intersections(first, second)
    union = areas(first)[:, None] + areas(second)[None, :] - shared
    return shared / np.maximum(union, 1e-9)


def covered(first: Boxes, second: Boxes) -> Matrix:
    """Intersection over the smaller of the two areas (n, m), 0..1: 1 if one box lies within the other."""
    smaller = np.minimum(areas(first)[:, None], areas(second)[None, :])
    return intersections(first, second) / np.maximum(smaller, 1e-9)
