"""Simulated scenes: objects that walk through a picture, and the boxes of a detector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.rules.rule_set import RuleSet, Scene
from edgefleet_agent.vision.tracking.tracker import Tracker, TrackResult
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.pipeline.stage_options import TrackerOptions
from edgefleet_contract.wire.messages import Event

WIDTH, HEIGHT = 640, 480


@dataclass(frozen=True)
class Walk:
    """A box of `size` whose centre goes in a straight line from `start` at `begin_s` with `speed` pixels/s for `stay_s`."""

    start: tuple[float, float]
    speed: tuple[float, float]
    begin_s: float = 0.0
    stay_s: float = 5.0
    size: tuple[float, float] = (60.0, 120.0)
    score: float = 0.9
    class_id: int = 0

    def box(self, at_s: float) -> list[float] | None:
        """x1, y1, x2, y2 at that time, clipped to the picture; None while it is not (or hardly) in it."""
        age_s = at_s - self.begin_s
        if not -1e-9 <= age_s <= self.stay_s + 1e-9:
            return None
        x, y = self.start[0] + self.speed[0] * age_s, self.start[1] + self.speed[1] * age_s
        across, down = self.size[0] / 2, self.size[1] / 2
        x1, y1, x2, y2 = max(0.0, x - across), max(0.0, y - down), min(WIDTH, x + across), min(HEIGHT, y + down)
        return [x1, y1, x2, y2] if x2 - x1 > 4 and y2 - y1 > 4 else None


def seen(walks: Sequence[Walk], at_s: float) -> Detections:
    """Detections of a perfect detector."""
    rows = [(box, walk.score, walk.class_id) for walk in walks if (box := walk.box(at_s)) is not None]
    boxes = np.array([row[0] for row in rows], np.float32).reshape(-1, 4)
    return Detections(boxes, np.array([row[1] for row in rows], np.float32), np.array([row[2] for row in rows], np.int32))


def steps(walks: Sequence[Walk], fps: float, until_s: float, options: TrackerOptions | None = None) -> Iterator[TrackResult]:
    """The tracker's results for the scene, including its end."""
    tracker = Tracker(options or TrackerOptions())
    frames = round(until_s * fps)
    for frame in range(frames):
        yield tracker.update(seen(walks, frame / fps), frame, frame / fps)
    yield tracker.finish(frames, frames / fps)


def events(spec: PipelineSpec, walks: Sequence[Walk], fps: float, until_s: float, shift_s: float = 0.0) -> list[Event]:
    """Every event of the scene under the rules of `spec`; `shift_s` moves the clock of the scene, not the scene."""
    rules = RuleSet(spec, Scene(WIDTH, HEIGHT, 1 / fps, ["person", "car"]))
    tracker = Tracker(TrackerOptions())
    events: list[Event] = []
    frames = round(until_s * fps)
    for frame in range(frames):
        events += rules.step(tracker.update(seen(walks, frame / fps), frame, frame / fps + shift_s))
    return events + rules.finish(frames - 1, (frames - 1) / fps + shift_s)
