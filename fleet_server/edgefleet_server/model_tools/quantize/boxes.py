"""Boxes in answers of a detector, and their overlap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Answer = dict[str, Any]

UNSURE_SCORE_MIN = 0.2
"""Boxes of the float model from this score on that do not count as its own are neither right nor wrong in a variant (as in COCO's
crowds)."""
IOU_MIN = 0.5


def iou(first: Sequence[float], second: Sequence[float]) -> float:
    """Intersection over union of two boxes (x1, y1, x2, y2)."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return width * height / (areas - width * height)
