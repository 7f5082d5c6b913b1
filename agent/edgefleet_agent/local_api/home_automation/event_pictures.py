"""Pictures of events for a broker, cropped as Frigate's are."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics
from edgefleet_agent.local_api.home_automation.retained_topics import RetainedTopics
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import Picture, to_bgr
from edgefleet_contract.wire.messages import Event

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


class EventPictures:
    """Publishes the pictures of events."""

    def __init__(self, topics: FrigateTopics, retained: RetainedTopics) -> None:
        self._topics = topics
        self._retained = retained

    def publish_first(self, events: Sequence[Event], frame: Frame) -> None:
        """Publish the frame in which events began."""
        picture = to_bgr(frame)
        for event in events:
            self._publish(event, event.box, picture)

    def publish_better(self, event: Event, jpeg: bytes) -> None:
        """Publish the best view of an event so far. jpeg: empty without one."""
        best = event.data.get("best")
        if jpeg and isinstance(best, dict):
            decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            if decoded is not None:
                self._publish(event, best["box"], np.asarray(decoded, np.uint8))

    def _publish(self, event: Event, box: Sequence[float] | None, picture: Picture) -> None:
        camera, topics = event.pipeline, self._topics
        self._retained.picture(camera, topics.snapshot(camera), to_jpeg(picture))
        if box is not None and event.label:
            self._retained.picture(camera, topics.label_snapshot(camera, event.label), to_jpeg(crop_box(picture, box)))
