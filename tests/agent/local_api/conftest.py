"""A local API with pipelines simulated by the test."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase

HALL = """
name = "hall"
[source]
kind = "synthetic"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
labels = ["person"]
[[stages]]
name = "follow"
kind = "track"
from = "find"
[[zones]]
name = "door"
polygon = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]
forward = "in"
backward = "out"
[[rules]]
name = "visits"
kind = "visit"
[[rules]]
name = "at_door"
kind = "zone"
zone = "door"
[[rules]]
name = "crossings"
kind = "line"
line = "gate"
"""
PUMP = """
name = "pump"
[source]
kind = "csv"
uri = "pump.csv"
[[stages]]
name = "w"
kind = "window"
[[stages]]
name = "s"
kind = "score"
from = "w"
[[rules]]
name = "unusual"
kind = "anomaly"
"""


@pytest.fixture
def hall() -> PipelineSpec:
    """One camera with a zone, a line and three rules."""
    return read_pipeline(HALL, "hall.toml")


@pytest.fixture
def pump() -> PipelineSpec:
    """One sensor."""
    return read_pipeline(PUMP, "pump.toml")


def frame(index: int = 0, *, shade: int = 90, width: int = 320, height: int = 180) -> Frame:
    """A grey picture."""
    luma = np.full((height, width), shade, np.uint8)
    chroma = np.full(((height + 1) // 2, (width + 1) // 2), 128, np.uint8)
    return Frame(index, index / 10, 100.0 + index / 10, width, height, "i420", (luma, chroma, chroma))


def person(track: int = 1, score: float = 0.9, shift: float = 0.0) -> ModelOutput:
    """A tracked person. shift: pixels to the right."""
    box = (100.0 + shift, 40.0, 160.0 + shift, 160.0)
    return ModelOutput(label="person", class_id=track, score=score, box=box, track_id=track)


def stay(phase: EventPhase, number: int = 1, kind: str = "zone") -> Event:
    """The start, update or end of an event."""
    event = Event(
        kind=kind,
        id=f"a1b2-{kind}-{number}",
        at=1_790_000_000.0 + (8.0 if phase is EventPhase.END else 0.0),
        phase=phase,
        pipeline="hall",
        rule="at_door" if kind == "zone" else "visits",
        label="person",
        track_id=number,
        start_s=2.0,
        zone="door" if kind == "zone" else "",
        score=0.9,
        box=[100.0, 40.0, 160.0, 160.0],
        model_digest="e" * 64,
        config_digest="c" * 64,
    )
    if phase is EventPhase.END:
        event.end_s, event.coverage = 10.0, 0.98
    return event
