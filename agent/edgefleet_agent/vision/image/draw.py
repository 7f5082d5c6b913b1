"""Draws results of a model into a picture."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.answers import POINT_SCORE_MIN, ModelOutput, ObjectMask, value_texts
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.pixel_formats import FrameKind, painter
from edgefleet_agent.vision.results import Mask
from edgefleet_contract.encoding.number_text import number_text

Picture = npt.NDArray[np.uint8]

_GOLDEN_ANGLE = 0.618033988749895
"""Steps of this part of the colour circle give successive class numbers clearly different colours."""


def to_bgr(frame: Frame) -> Picture:
    """A copy of the frame as bgr (height, width, 3)."""
    picture = np.empty((frame.height, frame.width, 3), np.uint8)
    painter(FrameKind.of(frame), "bgr", "linear", picture).paint(frame)
    return picture


_LIMBS = (
    *(
        ("left_shoulder", "right_shoulder"),
        ("left_hip", "right_hip"),
        ("left_shoulder", "left_hip"),
        ("right_shoulder", "right_hip"),
    ),
    *(("left_shoulder", "left_elbow"), ("left_elbow", "left_wrist"), ("right_shoulder", "right_elbow")),
    *(("right_elbow", "right_wrist"), ("left_hip", "left_knee"), ("left_knee", "left_ankle")),
    *(("right_hip", "right_knee"), ("right_knee", "right_ankle"), ("nose", "left_eye"), ("nose", "right_eye")),
    *(("left_eye", "left_ear"), ("right_eye", "right_ear")),
)
"""Pairs of body key points that are connected by a line."""


def shade(picture: Picture, mask: Mask) -> None:
    """Blend the colour of every class except 0, the background, over its part of `picture` (bgr)."""
    cells = np.ascontiguousarray(np.minimum(mask.class_ids, 255), np.uint8)
    classes = cv2.resize(cells, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_NEAREST)
    table = np.array([(0, 0, 0), *(colour(number) for number in range(1, 256))], np.uint8)
    covered = classes > 0
    picture[covered] = picture[covered] // 2 + table[classes[covered]] // 2


def draw(picture: Picture, found: Sequence[ModelOutput]) -> None:
    """Draw boxes with label and score into `picture` (bgr), upright or rotated, masks of objects, key points and their limbs;
    results for the whole picture as text lines in its corner."""
    height, width = picture.shape[:2]
    size = min(max(min(height, width) / 900, 0.4), 2.0)
    thick = max(2, round(size * 2))
    corner = 0
    # The best result last, so that no other covers it.
    for answer in reversed(found):
        if answer.box is not None:
            x1, y1, x2, y2 = (round(side) for side in answer.box)
            if answer.mask is not None:
                _shade_object(picture, answer.mask, colour(answer.class_id))
            if answer.corners:
                corners = np.rint(np.array(answer.corners)).astype(np.int32)
                cv2.polylines(picture, [corners], isClosed=True, color=colour(answer.class_id), thickness=thick)
            else:
                cv2.rectangle(picture, (x1, y1), (x2, y2), colour(answer.class_id), thick)
            _tag(picture, _caption(answer), x1, y1, colour(answer.class_id), size)
            _draw_points(picture, answer, thick)
    for answer in found:
        if answer.box is None:
            for text in value_texts(answer) or [f"{answer.label} {number_text(answer.score, '.2f')}"]:
                corner = _tag(picture, text, 0, corner, colour(answer.class_id), size, below=True)


def _caption(answer: ModelOutput) -> str:
    """Label and score, and the labels of cascades."""
    more = "".join(f", {attribute['label']}" for attribute in answer.attributes.values() if attribute.get("label"))
    return f"{answer.label} {number_text(answer.score, '.2f')}{more}"


def colour(class_id: int) -> tuple[int, int, int]:
    """Blue, green, red 0..255 of a class."""
    red, green, blue = colorsys.hsv_to_rgb(class_id * _GOLDEN_ANGLE % 1.0, 0.75, 0.95)
    return round(blue * 255), round(green * 255), round(red * 255)


def _shade_object(picture: Picture, mask: ObjectMask, back: tuple[int, int, int]) -> None:
    """Blend a colour over the object, with smooth edges between cells."""
    cells = mask.mask().cells.astype(np.float32)
    height, width = picture.shape[:2]
    left, top, right, bottom = (round(side) for side in mask.area)
    if not (left < right <= 2 * width and top < bottom <= 2 * height):
        return
    whole = cv2.resize(cells, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR) >= 0.5
    part = picture[max(top, 0) : bottom, max(left, 0) : right]
    covered = whole[max(-top, 0) :, max(-left, 0) :][: part.shape[0], : part.shape[1]]
    part[covered] = part[covered] // 2 + np.array(back, np.uint8) // 2


def _draw_points(picture: Picture, answer: ModelOutput, thick: int) -> None:
    places = {point.name: (round(point.x), round(point.y)) for point in answer.keypoints if point.score >= POINT_SCORE_MIN}
    for first, second in _LIMBS:
        if first in places and second in places:
            cv2.line(picture, places[first], places[second], colour(answer.class_id + 1), thick, cv2.LINE_AA)
    for number, place in enumerate(places.values(), 2):
        cv2.circle(picture, place, thick * 2, colour(number), cv2.FILLED, cv2.LINE_AA)


def _tag(
    picture: Picture, text: str, left: int, edge: int, back: tuple[int, int, int], size: float, *, below: bool = False
) -> int:
    """Draws text on a filled background above (or below) `edge`, moved inside the picture if necessary. Returns its lower
    edge."""
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left = max(0, min(left, picture.shape[1] - width))
    bottom = max(height + base, edge + height + base if below else edge)
    cv2.rectangle(picture, (left, bottom - height - base), (left + width, bottom), back, cv2.FILLED)
    cv2.putText(picture, text, (left, bottom - base // 2), cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 1, cv2.LINE_AA)
    return bottom
