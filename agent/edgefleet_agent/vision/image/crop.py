"""Crops of a frame, and results of a crop in coordinates of the frame. Upright crops are views, without copying pixels; those of
rotated rectangles are turned upright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.box_parts import BoxParts
from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Keypoints, Result
from edgefleet_agent.vision.rotated_boxes import upright

UPRIGHT: Final = 0.035
"""Sine of the angle below which a rectangle counts as upright: 2 degrees."""
LYING: Final = 1.5
"""Height as a multiple of the width from which on a line of text is laid on its side."""
AREA_MAX: Final = 2.0
"""Largest turned crop, as a multiple of the frame."""


@dataclass(frozen=True, slots=True)
class CropPlace:
    """The place of a crop in its frame. `corner`: its upper left one. `along`: direction of its rows, of length 1."""

    corner: tuple[float, float]
    along: tuple[float, float] = (1.0, 0.0)

    @property
    def is_turned(self) -> bool:
        """Whether the crop's rows are no rows of the frame."""
        return self.along != (1.0, 0.0)

    def points(self, points: Floats) -> Floats:
        """Points (..., 2) of the crop in pixels of the frame."""
        x, y = self.along
        moved: Floats = points @ np.array([[x, y], [-y, x]], np.float32) + np.array(self.corner, np.float32)
        return moved


def crop(frame: Frame, box: Sequence[float], margin: float = 0.0, min_side: int = 1) -> tuple[Frame, CropPlace] | None:
    """The part of `frame` in `box` (x1, y1, x2, y2, pixels), widened by `margin` of its size on every side and cut at the
    borders, with its place; None if less than `min_side` pixels remain. Planes are views: sides of i420 start even.
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
    return _part(frame, right - left, bottom - top, planes), CropPlace((left, top))


def turned_crop(
    frame: Frame, corners: Floats, margin: float = 0.0, min_side: int = 1, *, lying: bool = False
) -> tuple[Frame, CropPlace] | None:
    """The part of `frame` in a rotated rectangle (4, 2), turned by the least angle that makes it upright, and widened as by
    `crop`. `lying`: the longer side of a long one becomes its width, because text is read along it. None for a rectangle that
    `crop` suits: one that is upright, too small, or larger than twice the frame. Beyond the borders the border's pixels are
    repeated.
    """
    place = _placed(corners.astype(np.float64), lying)
    if place is None or abs(place[0][1]) < UPRIGHT:
        return None
    (x, y), wide, high = place
    wide, high = wide * (1 + 2 * margin), high * (1 + 2 * margin)
    width, height = round(wide), round(high)
    if min(width, height) < min_side or width * height > AREA_MAX * frame.width * frame.height:
        return None
    middle = corners.astype(np.float64).mean(axis=0)
    left = middle[0] - (x * wide - y * high) / 2
    top = middle[1] - (y * wide + x * high) / 2
    planes = []
    for number, plane in enumerate(frame.planes):
        scale = 2 if number else 1  # U and V
        # Pixels are squares: the middle of the first one is half a pixel from the corner.
        matrix = np.array([[x, -y, left / scale + (x - y - 1) / 2], [y, x, top / scale + (x + y - 1) / 2]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (-(-width // scale), -(-height // scale))
        planes.append(cv2.warpAffine(plane, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
    return _part(frame, width, height, planes), CropPlace((float(left), float(top)), (float(x), float(y)))


def crop_to_frame(result: Result, place: CropPlace) -> Result:
    """A result for a crop, in pixels of the frame. Boxes of a turned crop are rotated rectangles, without masks."""
    if isinstance(result, Detections) and place.is_turned:
        return _turned_boxes(result, place)
    if isinstance(result, Detections):
        x, y = place.corner
        parts = result.parts.moved((-x, -y)) if result.parts is not None else None
        return Detections(result.boxes + np.array([x, y, x, y], np.float32), result.scores, result.class_ids, parts=parts)
    if isinstance(result, Keypoints):
        return Keypoints(place.points(result.points), result.scores, result.names, result.label)
    return result


def _placed(corners: Floats, lying: bool) -> tuple[tuple[float, float], float, float] | None:
    """Direction of the rows, width and height of a rectangle; None if it has no sides."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    wide, high = hypot(*across), hypot(*down)
    if not (wide > 0 and high > 0 and np.isfinite(corners).all()):
        return None
    x, y = across / wide
    turns = [((x, y), wide, high), ((-y, x), high, wide), ((-x, -y), wide, high), ((y, -x), high, wide)]
    if lying and max(wide, high) >= LYING * min(wide, high):
        turns = [turn for turn in turns if turn[1] >= turn[2]]
    return max(turns, key=lambda turn: (round(turn[0][0], 6), turn[0][1]))


def _turned_boxes(result: Detections, place: CropPlace) -> Detections:
    given = result.parts or BoxParts()
    corners = given.corners if len(given.corners) else result.boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    corners = place.points(corners)
    points = place.points(given.points) if given.point_names else given.points
    parts = BoxParts(points, given.point_scores, given.point_names, corners=corners)
    return Detections(upright(corners), result.scores, result.class_ids, parts=parts)


def _part(frame: Frame, width: int, height: int, planes: Sequence[npt.NDArray[Any]]) -> Frame:
    return Frame(frame.index, frame.media_s, frame.captured_at_s, width, height, frame.layout, tuple(planes), frame.full_range)
