"""Rotated rectangles as four corners: (n, 4, 2) arrays of x, y, clockwise in a picture, whose y axis points down."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Floats, Ints
from edgefleet_agent.vision.nms import best_first

CANDIDATES_MAX = 300
"""Most rotated boxes compared with each other; the best by score."""

Quads = npt.NDArray[np.floating[Any]]
Doubles = npt.NDArray[np.float64]


def quads_of(sides: Floats, angles: Floats) -> Floats:
    """Corners of rectangles with `sides` (n, 4) centre, width, height, rotated clockwise by `angles` (n,) radians around the
    centre."""
    halves = sides[:, None, 2:] / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = halves[..., 0], halves[..., 1]
    turned = np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=2)
    return (turned + sides[:, None, :2]).astype(np.float32)


def upright(quads: Floats) -> Floats:
    """The boxes (n, 4) x1, y1, x2, y2 around rotated ones."""
    if not len(quads):
        return np.empty((0, 4), np.float32)
    return np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)


def quad_ious(quad: Quads, others: Quads) -> Doubles:
    """Intersection over union of one convex quadrangle (4, 2) with each of `others` (m, 4, 2): (m,), 0..1."""
    middle = quad.astype(np.float64).mean(axis=0)
    one = np.broadcast_to(quad - middle, others.shape)
    second = others.astype(np.float64) - middle
    # Green's theorem: the border of the intersection consists of the parts of each border within the other quadrangle. Where
    # borders coincide, only those of the first count.
    shared = np.maximum(_border_within(one, second, strict=False) + _border_within(second, one, strict=True), 0)
    union = _areas(one) + _areas(second) - shared
    return np.clip(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0), 0, 1)


def remaining_quads(quads: Floats, scores: Floats, class_ids: Ints, iou_max: float) -> Ints:
    """Rows that remain after greedy suppression within each class, best first: a rotated box is removed if a remaining one
    overlaps it by more than `iou_max`. At most `CANDIDATES_MAX` are compared."""
    left, remaining = best_first(scores, CANDIDATES_MAX), []
    while len(left):
        best, left = left[0], left[1:]
        remaining.append(int(best))
        overlapping = (quad_ious(quads[best], quads[left]) > iou_max) & (class_ids[left] == class_ids[best])
        left = left[~overlapping]
    return np.array(remaining, np.int32)


def angles_of(quads: Floats) -> Doubles:
    """Angles in degrees of the widths of rotated boxes to the x axis, clockwise: 0 to below 180."""
    along = quads[:, 1].astype(np.float64) - quads[:, 0]
    return np.asarray(np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 180.0)


def _border_within(quads: Doubles, regions: Doubles, *, strict: bool) -> Doubles:
    """Half the sum of the cross products of the ends of the border of each of `quads` within the `regions`. strict: without what
    lies on the border of the region."""
    along, direction = np.roll(quads, -1, axis=1) - quads, np.roll(regions, -1, axis=1) - regions
    distance = _cross(direction[:, None], quads[:, :, None] - regions[:, None])
    change = _cross(direction[:, None], along[:, :, None])
    # Borders that differ by rounding only coincide.
    least = 1e-10 * max(float(np.abs(quads).max(initial=0)), float(np.abs(regions).max(initial=0))) ** 2
    distance, change = (np.where(np.abs(each) <= least, 0, each) for each in (distance, change))
    at = np.divide(-distance, change, out=np.zeros_like(distance), where=change != 0)
    low = np.maximum(np.where(change > 0, at, -np.inf).max(axis=2), 0)
    high = np.minimum(np.where(change < 0, at, np.inf).min(axis=2), 1)
    # A border on that of the region counts if both lie on the same side of it.
    same = (direction[:, None] * along[:, :, None]).sum(axis=3) > 0
    outside = (change == 0) & ((distance < 0) | ((distance == 0) & (strict | ~same)))
    within = (high > low) & ~outside.any(axis=2)
    begin, end = (quads + np.where(within, part, 0)[..., None] * along for part in (low, high))
    return np.asarray(np.where(within, _cross(begin, end), 0).sum(axis=1) / 2)


def _areas(quads: Doubles) -> Doubles:
    return np.asarray(np.maximum(_cross(quads, np.roll(quads, -1, axis=1)).sum(axis=1) / 2, 0), np.float64)


def _cross(first: Doubles, second: Doubles) -> Doubles:
    return np.asarray(first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0], np.float64)
