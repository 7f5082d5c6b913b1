"""Pictures of events for a broker, cropped as Frigate's are."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from edgefleet_agent.vision.image.draw import Picture

CROP_HEIGHT_MAX = 270
"""Maximum height of label snapshots, which are cropped as Frigate's are."""
CROP_MARGIN = 0.15
"""Margin around the box in such a picture, as a share of the box."""


def crop_box(picture: Picture, box: Sequence[float]) -> Picture:
    """The part of a picture (height, width, 3) around a box (x1, y1, x2, y2 in pixels), at most `CROP_HEIGHT_MAX` high."""
    height, width = picture.shape[:2]
    x1, y1, x2, y2 = box
    grow = CROP_MARGIN * max(x2 - x1, y2 - y1)
    left, top = max(0, int(x1 - grow)), max(0, int(y1 - grow))
    right, bottom = min(width, int(x2 + grow) + 1), min(height, int(y2 + grow) + 1)
    part = picture[top:bottom, left:right]
    if not part.size:
        return picture
    if part.shape[0] > CROP_HEIGHT_MAX:
        wide = max(1, round(part.shape[1] * CROP_HEIGHT_MAX / part.shape[0]))
        part = np.asarray(cv2.resize(part, (wide, CROP_HEIGHT_MAX), interpolation=cv2.INTER_AREA), np.uint8)
    return part


def to_jpeg(picture: Picture) -> bytes:
    """The picture as a JPEG."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes()
