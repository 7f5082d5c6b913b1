"""Zones and lines of a pipeline, drawn into its picture; the picture of a pipeline that has none."""

from __future__ import annotations

import textwrap

import cv2
import numpy as np

from edgefleet_agent.vision.image.draw import Picture
from edgefleet_contract.pipeline.spec import PipelineSpec

ZONE, LINE, INK = (235, 180, 60), (60, 190, 250), (20, 20, 20)
"""Blue, green, red."""
NOTICE_SIZE = (640, 360)
NOTICE_CHARS, NOTICE_LINES_MAX = 56, 12
"""Of the notice's text, at its size of letters."""


def draw_scene(picture: Picture, spec: PipelineSpec) -> None:
    """Draw every zone as an outline and every line with an arrow to its forward side, with their names, into `picture`."""
    height, width = picture.shape[:2]
    size = min(max(min(height, width) / 1000, 0.4), 1.6)
    thick = max(1, round(size * 2))
    for zone in spec.zones:
        corners = np.array([(x * width, y * height) for x, y in zone.polygon]).round().astype(np.int32)
        cv2.polylines(picture, [corners], True, ZONE, thick, cv2.LINE_AA)
        left, top = corners[corners.sum(axis=1).argmin()]
        _name(picture, zone.name, (int(left), int(top)), ZONE, size)
    for line in spec.lines:
        (x1, y1), (x2, y2) = ((x * width, y * height) for x, y in line.points)
        cv2.line(picture, (round(x1), round(y1)), (round(x2), round(y2)), LINE, thick + 1, cv2.LINE_AA)
        length = max(1.0, float(np.hypot(x2 - x1, y2 - y1)))
        reach = 0.04 * min(width, height) / length
        middle = ((x1 + x2) / 2, (y1 + y2) / 2)
        forward = (middle[0] - (y2 - y1) * reach, middle[1] + (x2 - x1) * reach)  # to the right, going from first to second
        ends = [(round(x), round(y)) for x, y in (middle, forward)]
        cv2.arrowedLine(picture, ends[0], ends[1], LINE, thick, cv2.LINE_AA, tipLength=0.4)
        _name(picture, line.name, (round(x1), round(y1)), LINE, size)


def _name(picture: Picture, text: str, place: tuple[int, int], back: tuple[int, int, int], size: float) -> None:
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left = max(0, min(place[0], picture.shape[1] - width))
    top = max(0, min(place[1], picture.shape[0] - height - base))
    cv2.rectangle(picture, (left, top), (left + width, top + height + base), back, cv2.FILLED)
    cv2.putText(picture, text, (left, top + height + base // 2), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)


def draw_notice(text: str) -> Picture:
    """A dark picture with a text: what is wrong with a camera that gives no pictures."""
    picture = np.full((NOTICE_SIZE[1], NOTICE_SIZE[0], 3), INK, np.uint8)
    shown = text.encode("ascii", "replace").decode()  # the font has no other letters
    for number, line in enumerate(textwrap.wrap(shown, NOTICE_CHARS)[:NOTICE_LINES_MAX]):
        cv2.putText(picture, line, (24, 48 + 26 * number), cv2.FONT_HERSHEY_SIMPLEX, 0.55, LINE, 1, cv2.LINE_AA)
    return picture
