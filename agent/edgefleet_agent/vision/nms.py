"""Non-maximum suppression: only the best of overlapping boxes of one class remains."""

from __future__ import annotations

import numpy as np

from edgefleet_agent.vision.detections import Detections, Floats, Ints

CANDIDATES_MAX = 1000
"""Most boxes compared with each other; the best by score. Limits the time for a noisy model."""


def iou_matrix(boxes: Floats, others: Floats) -> Floats:
    """Intersection over union of every box (n, 4) with every other (m, 4), x1 y1 x2 y2: (n, m), 0 where both are empty."""
    top_left = np.maximum(boxes[:, None, :2], others[None, :, :2])
    bottom_right = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    sides = np.maximum(bottom_right - top_left, 0)
    both = sides[:, :, 0] * sides[:, :, 1]
    union = area(boxes)[:, None] + area(others)[None, :] - both
    shares: Floats = np.divide(both, union, out=np.zeros_like(both), where=union > 0)
    return shares


def area(boxes: Floats) -> Floats:
    """Area of boxes (n, 4); 0 for a box whose corners are swapped."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 0)
    product: Floats = sides[:, 0] * sides[:, 1]
    return product


def best_first(scores: Floats, count_max: int = CANDIDATES_MAX) -> Ints:
    """Indices of the `count_max` best scores, best first; equal scores in their order."""
    order: Ints = np.argsort(-scores, kind="stable")[:count_max].astype(np.int32)
    return order


def suppress(detections: Detections, iou_max: float) -> Detections:
    """Greedy suppression within each class, best first: a box is removed if a remaining one overlaps it by more than
    `iou_max`."""
    return detections[remaining(detections, iou_max)]


def remaining(detections: Detections, iou_max: float) -> Ints:
    """Rows that `suppress` keeps, best first."""
    order = best_first(detections.scores)
    chosen = detections[order]
    count = len(chosen)
    if count < 2:
        return order
    overlaps = iou_matrix(chosen.boxes, chosen.boxes) > iou_max
    overlaps &= chosen.class_ids[:, None] == chosen.class_ids[None, :]
    alive = np.ones(count, np.bool_)
    for index in range(count - 1):
        if alive[index]:
            alive[index + 1 :] &= ~overlaps[index, index + 1 :]
    return order[alive]
