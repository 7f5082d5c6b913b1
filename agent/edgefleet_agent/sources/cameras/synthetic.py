"""A deterministic test pattern: bright boxes that move over a quiet background, for tests without a camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.frame_pacing import Pacer
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

OPTIONS: dict[str, Value] = {"width": 640, "height": 360, "rate": 25.0, "boxes": 3, "duration_s": 0.0, "seed": 1}
RANGES = {
    "width": (16, 7680),
    "height": (16, 4320),
    "rate": (0.1, 240.0),
    "boxes": (0, 50),
    "duration_s": (0.0, 1e9),
    "seed": (0, 2**31),
}
BACKGROUND, BOX, NEUTRAL = 60, 200, 128
"""Luma of the background's darker edge and of the boxes; chroma of grey."""

Plane = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class MovingBox:
    """width, height in pixels; start and speed (pixels a second) of the upper left corner in each axis."""

    width: int
    height: int
    start: tuple[float, float]
    speed: tuple[float, float]

    def corner(self, media_s: float, width: int, height: int) -> tuple[int, int]:
        """Left and top at that time; the box bounces off the borders."""
        return (
            _bounced(self.start[0] + self.speed[0] * media_s, width - self.width),
            _bounced(self.start[1] + self.speed[1] * media_s, height - self.height),
        )


class SyntheticSource(Source):
    """Kind `synthetic`. Options: `width`, `height`, `rate` (frames a second), `boxes`, `duration_s` (0: without end), `seed`.

    Raises:
        PipelineError: an invalid option, or `fast` without an end.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        options = read_options(spec, OPTIONS, RANGES)
        self._width, self._height = options["width"], options["height"]
        self._rate: float = options["rate"]
        self._count = round(options["duration_s"] * self._rate)
        if spec.pace == "fast" and not self._count:
            raise PipelineError("source of kind 'synthetic': pace 'fast' requires an end; set the option duration_s")
        self.boxes = _boxes(options["boxes"], options["seed"], self._width, self._height)

    def open(self) -> SourceInfo:
        """Return the properties; never fails."""
        return SourceInfo(self._width, self._height, self._rate, self._count, "pattern")

    def frames(self) -> Iterator[Frame]:
        """The pictures."""
        width, height = self._width, self._height
        pacer = Pacer(self.closing) if self.spec.pace == "realtime" else None
        shade = np.linspace(BACKGROUND, BACKGROUND + 40, width).astype(np.uint8)
        background = np.repeat(shade[None], height, axis=0)
        chroma = np.full(((height + 1) // 2, (width + 1) // 2), NEUTRAL, np.uint8)
        index = 0
        while not self.closing.is_set() and (not self._count or index < self._count):
            media_s = index / self._rate
            if pacer and not pacer.wait_for(media_s):
                return
            luma = self._painted(background, media_s)
            yield Frame(index, media_s, time.monotonic(), width, height, "i420", (luma, chroma, chroma))
            index += 1

    def close(self) -> None:
        """End `frames` soon."""
        self.stop()

    def _painted(self, background: Plane, media_s: float) -> Plane:
        luma: Plane = background.copy()
        for box in self.boxes:
            left, top = box.corner(media_s, self._width, self._height)
            luma[top : top + box.height, left : left + box.width] = BOX
        return luma


def _boxes(count: int, seed: int, width: int, height: int) -> list[MovingBox]:
    dice = np.random.default_rng(seed)
    boxes = []
    for _ in range(count):
        sides = (int(width * dice.uniform(0.08, 0.2)) + 1, int(height * dice.uniform(0.15, 0.35)) + 1)
        start = (float(dice.uniform(0, width)), float(dice.uniform(0, height)))
        speed = (float(width * dice.uniform(0.1, 0.3)), float(height * dice.uniform(0.05, 0.2)))
        boxes.append(MovingBox(*sides, start, speed))
    return boxes


def _bounced(position: float, room: int) -> int:
    """Fold a position on an endless line into 0..room."""
    if room <= 0:
        return 0
    folded = position % (2 * room)
    return int(folded if folded <= room else 2 * room - folded)
