"""Crops of a frame as views, without copying pixels, and results of a crop in coordinates of the frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Keypoints, Result

Corner = tuple[int, int]


def crop(frame: Frame, box: Sequence[float], margin: float = 0.0, min_side: int = 1) -> tuple[Frame, Corner] | None:
    """The part of `frame` in `box` (x1, y1, x2, y2, pixels), widened by `margin` of its size on every side and cut at the
    borders, with its corner; None if less than `min_side` pixels remain. Planes are views: sides of i420 start even.
    """
    wide, high = (box[2] - box[0]) * margin, (box[3] - box[1]) * margin
    left, top = max(0, int(box[0] - wide)), max(0, int(box[1] - high))
    right, bottom = min(frame.width, round(box[2] + wide)), min(frame.height, round(box[3] + high))
    planar = frame.layout == "i420"
    if planar:
        left, top = left & ~1, top & ~1
    if right - left < min_side or bottom - top < min_side:
        return None
    planes = [frame.planes[0][top:bottom, left:right]]
    if planar:
        half = np.s_[top // 2 : (bottom + 1) // 2, left // 2 : (right + 1) // 2]
        planes += [plane[half] for plane in frame.planes[1:]]
    part = Frame(
        frame.index, frame.media_s, frame.captured_at_s, right - left, bottom - top, frame.layout, tuple(planes), frame.full_range
    )
    return part, (left, top)


def crop_to_frame(result: Result, corner: Corner) -> Result:
    """A result for a crop, in pixels of the frame."""
    if isinstance(result, Detections):
        parts = result.parts.moved((-corner[0], -corner[1])) if result.parts is not None else None
        return Detections(result.boxes + np.array([*corner, *corner], np.float32), result.scores, result.class_ids, parts=parts)
    if isinstance(result, Keypoints):
        return Keypoints(result.points + np.array(corner, np.float32), result.scores, result.names, result.label)
    return result
