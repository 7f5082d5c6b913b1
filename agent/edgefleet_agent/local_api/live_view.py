"""The newest picture of each pipeline, for as long as somebody looks at it.

Nobody looking costs a comparison a frame. While somebody does, at most `fps` frames a second are copied (the decoder wants its
memory back), and turned into a JPEG by the thread of whoever looks first; all others get the same bytes.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2

from edgefleet_agent.local_api.overlay import draw_scene
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import draw, to_bgr
from edgefleet_contract.pipeline.spec import PipelineSpec

FPS_MAX = 10.0
WIDTH_MAX = 1280
"""Live pictures are made no wider: they are for looking, and a board has other work."""
JPEG_QUALITY = 80


@dataclass(slots=True)
class Picture:
    """One picture with what was followed in it. number: from 1, rising."""

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
        _, data = cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return data.tobytes()


@dataclass(slots=True)
class _View:
    """One pipeline. seen: of the last frame that models looked at; shown until the next one."""

    spec: PipelineSpec | None = None
    watchers: int = 0
    seen: tuple[ModelOutput, ...] = ()
    shot: Picture | None = None
    copied_s: float = 0.0


class LiveView:
    """All pipelines. `show` from their threads, `watch` and `next` from those who look."""

    def __init__(self, fps: float = FPS_MAX) -> None:
        self._period_s = 1.0 / fps
        self._changed = threading.Condition()
        self._views: dict[str, _View] = {}

    def pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Exactly these there are. Whoever looks at one that is gone sees no more pictures."""
        with self._changed:
            self._views = {spec.name: self._views.get(spec.name, _View()) for spec in specs}
            for spec in specs:
                self._views[spec.name].spec = spec
            self._changed.notify_all()

    def show(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput] | None) -> None:
        """A frame went through `pipeline`."""
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
        kept = replace(frame, planes=tuple(plane.copy() for plane in frame.planes))
        with self._changed:
            view.shot = Picture(number, kept, view.seen, view.spec)
            self._changed.notify_all()

    @contextlib.contextmanager
    def watch(self, pipeline: str) -> Iterator[None]:
        """Somebody looks at `pipeline`: frames are kept for the block.

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
        """The newest picture whose number is above `after`; None when none came in time."""

        def fresh() -> Picture | None:
            view = self._views.get(pipeline)
            shot = view.shot if view is not None else None
            return shot if shot is not None and shot.number > after else None

        with self._changed:
            self._changed.wait_for(lambda: fresh() is not None or pipeline not in self._views, wait_s)
            return fresh()
