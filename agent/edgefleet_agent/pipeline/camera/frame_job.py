"""One frame on its way through a graph, and what was found in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from edgefleet_agent.pipeline.model.loaded_model import PreparedInput
from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.ensemble_boxes import ClassScores
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.tracking.tracker import TrackResult

Looks = npt.NDArray[np.float32]


@dataclass(slots=True)
class Parts:
    """What a crops stage said. Rows are those of the boxes that its cascade began with. answers: by row, best first; looks: the
    embeddings (rows, size), NaN where nobody looked; boxes: found inside the crops, and the row that each belongs to."""

    answers: dict[int, list[ModelOutput]] = field(default_factory=dict)
    looks: Looks | None = None
    boxes: Detections = field(default_factory=Detections.empty)
    rows: list[int] = field(default_factory=list)


@dataclass(slots=True)
class FrameJob:
    """number: of the frame among those that are due. leases, prepared: by place in the graph, made by the thread that is told to
    prepare. moving: what the motion stage saw. quiet: media times of frames before this one that it kept back. spreads: all that
    classify stages said. found, parts, steps, spreads: by stage."""

    frame: Frame
    number: int = 0
    handed_at_s: float = 0.0
    leases: dict[int, LoadedSlot] = field(default_factory=dict)
    prepared: dict[int, PreparedInput] = field(default_factory=dict)
    moving: Detections = field(default_factory=Detections.empty)
    quiet: list[float] = field(default_factory=list)
    found: dict[str, Detections] = field(default_factory=dict)
    parts: dict[str, Parts] = field(default_factory=dict)
    steps: dict[str, TrackResult] = field(default_factory=dict)
    spreads: dict[str, ClassScores] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)

    def lease(self, place: int, slot: ModelSlot) -> LoadedSlot:
        """The model of this moment for a place, the same until the job is over.

        Raises:
            UnavailableError: the slot is empty.
        """
        if place not in self.leases:
            self.leases[place] = slot.lease()
        return self.leases[place]

    def prepare(self, place: int, slot: ModelSlot) -> float:
        """Write the frame into the input of the model of this moment; milliseconds.

        Raises:
            UnavailableError: the slot is empty.
        """
        prepared = self.prepared[place] = self.lease(place, slot).model.prepare(self.frame)
        return prepared.pre_ms

    def release(self) -> None:
        """Give every lease back; the job must not be computed any more."""
        for occupant in self.leases.values():
            occupant.release()
        self.leases.clear()
        self.prepared.clear()
