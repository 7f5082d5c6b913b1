"""The source `colours`: pictures of one colour, which changes with each picture."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import SourceSpec

OPTIONS: dict[str, Value] = {"width": 64, "height": 48, "rate": 10.0, "pictures": 0}
RANGES = {"width": (8, 4096), "height": (8, 4096), "rate": (0.1, 240.0), "pictures": (0, 1_000_000)}
COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255))


class ColourSource(Source):
    """Options: `width`, `height`, `rate` (pictures a second), `pictures` (0: without end)."""

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        options = read_options(spec, OPTIONS, RANGES)
        self._width, self._height, self._rate, self._count = (options[name] for name in OPTIONS)

    def open(self) -> SourceInfo:
        return SourceInfo(self._width, self._height, self._rate, self._count)

    def frames(self) -> Iterator[Frame]:
        index = 0
        while not self.closing.is_set() and (not self._count or index < self._count):
            picture = np.full((self._height, self._width, 3), COLOURS[index % 3], np.uint8)
            yield Frame(index, index / self._rate, time.monotonic(), self._width, self._height, "rgb", (picture,))
            index += 1
            if self.spec.pace == "realtime":
                self.closing.wait(1.0 / self._rate)  # ends at once when the source is stopped

    def close(self) -> None:
        self.stop()


def example(_folder: Path) -> SourceSpec:
    """A source for the contract tests."""
    return SourceSpec(kind="colours", options={"rate": 50.0})
