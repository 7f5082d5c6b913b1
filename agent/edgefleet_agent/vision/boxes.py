"""Arithmetic of boxes: (n, 4) float arrays of x1, y1, x2, y2 in pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Boxes = npt.NDArray[np.floating[Any]]
Matrix = npt.NDArray[np.float64]


def areas(boxes: Boxes) -> Matrix:
    """(n,) square pixels; 0 for a box with swapped corners."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0)
    return np.asarray(sides[:, 0] * sides[:, 1], np.float64)


def intersections(first: Boxes, second: Boxes) -> Matrix:
    """(n, m) square pixels that each of `first` shares with each of `second`."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    sides = np.maximum(high - low, 0.0)
    return np.asarray(sides[..., 0] * sides[..., 1], np.float64)


def ious(first: Boxes, second: Boxes) -> Matrix:
    """(n, m) intersection over union, 0..1."""
    shared = intersections(first, second)
    union = areas(first)[:, None] + areas(second)[None, :] - shared
    return shared / np.maximum(union, 1e-9)


def covered(first: Boxes, second: Boxes) -> Matrix:
    """(n, m) intersection over the smaller of the two, 0..1: 1 where one lies within the other."""
    smaller = np.minimum(areas(first)[:, None], areas(second)[None, :])
    return intersections(first, second) / np.maximum(smaller, 1e-9)
