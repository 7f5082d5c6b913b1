"""Live view: the newest picture of each pipeline while it has viewers.
Without viewers the cost is a comparison a frame. With viewers, at most `fps` frames a second are copied (the decoder reuses its
memory), and encoded as JPEG by the thread of the first viewer; all others get the same bytes.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy.typing as npt

from edgefleet_agent.local_api.overlay import draw_scene
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import draw, to_bgr
from edgefleet_contract.pipeline.spec import PipelineSpec

FPS_MAX = 10.0
WIDTH_MAX = 1280
"""Maximum width of live pictures, to limit the load of the board."""
JPEG_QUALITY = 80


def as_jpeg(picture: npt.NDArray[Any]) -> bytes:
    """A picture in blue, green and red as the bytes of a live picture."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes()


@dataclass(slots=True)
class Picture:
    """One picture with its tracked objects. number: from 1, rising."""

    number: int
    frame: Frame
    seen: tuple[ModelOutput, ...]
    spec: PipelineSpec | None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _jpegs: dict[bool, bytes] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the JPEG."""
        width, height = self.frame.width, self.frame.height
        return (WIDTH_MAX, round(height * WIDTH_MAX / width)) if width > WIDTH_MAX else (width, height)

    def jpeg(self, *, overlays: bool) -> bytes:
        """The picture; `overlays`: with boxes, zones and lines."""
        with self._lock:
            if overlays not in self._jpegs:
                self._jpegs[overlays] = self._encoded(overlays=overlays)
            return self._jpegs[overlays]

    def _encoded(self, *, overlays: bool) -> bytes:
        picture = to_bgr(self.frame)
        if overlays:
            if self.spec is not None:
                draw_scene(picture, self.spec)
            draw(picture, self.seen)
        scaled = cv2.resize(picture, self.size, interpolation=cv2.INTER_AREA) if self.frame.width > WIDTH_MAX else picture
        return as_jpeg(scaled)


@dataclass(slots=True)
class _View:
    """One pipeline. seen: objects of the last analysed frame; shown until the next one."""

    spec: PipelineSpec | None = None
    watchers: int = 0
    seen: tuple[ModelOutput, ...] = ()
    shot: Picture | None = None
    copied_s: float = 0.0


class LiveView:
    """Live pictures of all pipelines. `show` is called by their threads, `watch` and `next` by viewers."""

    def __init__(self, fps: float = FPS_MAX) -> None:
        self._period_s = 1.0 / fps
        self._changed = threading.Condition()
        self._views: dict[str, _View] = {}

    def pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Set the pipelines. Viewers of a removed one get no more pictures."""
        with self._changed:
            self._views = {spec.name: self._views.get(spec.name, _View()) for spec in specs}
            for spec in specs:
                self._views[spec.name].spec = spec
            self._changed.notify_all()

    def show(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput] | None) -> None:
        """Add a frame of `pipeline`."""
        view = self._views.get(pipeline)
        if view is None or not view.watchers:
            return
        if seen is not None:
            view.seen = tuple(seen)
        now_s = time.monotonic()
        if now_s - view.copied_s < self._period_s:
            return
        view.copied_s = now_s
        number = view.shot.number + 1 if view.shot is not None else 1
        copy = replace(frame, planes=tuple(plane.copy() for plane in frame.planes))
        with self._changed:
            view.shot = Picture(number, copy, view.seen, view.spec)
            self._changed.notify_all()

    @contextlib.contextmanager
    def watch(self, pipeline: str) -> Iterator[None]:
        """Be a viewer of `pipeline` for the block: its frames are copied.

        Raises:
            KeyError: there is no such pipeline.
        """
        with self._changed:
            view = self._views[pipeline]
            view.watchers += 1
        try:
            yield
        finally:
            with self._changed:
                view.watchers -= 1
                if not view.watchers:
                    view.shot, view.seen = None, ()

    def next(self, pipeline: str, after: int, wait_s: float) -> Picture | None:
        """The newest picture with a number above `after`; None if none came in time."""

        def fresh() -> Picture | None:
            view = self._views.get(pipeline)
            shot = view.shot if view is not None else None
            return shot if shot is not None and shot.number > after else None

        with self._changed:
            self._changed.wait_for(lambda: fresh() is not None or pipeline not in self._views, wait_s)
            return fresh()
