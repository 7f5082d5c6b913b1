"""One frame in a graph, and the results so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from edgefleet_agent.pipeline.model.model_slots import LoadedSlot, ModelSlot
from edgefleet_agent.pipeline.model.prepared_input import PreparedInput
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.ensemble_boxes import ClassScores
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.tracking.tracker import TrackResult

Embeddings = npt.NDArray[np.float32]


@dataclass(slots=True)
class Parts:
    """Results of a crops stage. Rows: indices of the boxes at the start of its cascade. answers: by row, best first. embeddings:
    (rows, size), NaN where none was computed. boxes: found inside the crops. rows: the row of each of these boxes."""

    answers: dict[int, list[ModelOutput]] = field(default_factory=dict)
    embeddings: Embeddings | None = None
    boxes: Detections = field(default_factory=Detections.empty)
    rows: list[int] = field(default_factory=list)


@dataclass(slots=True)
class FrameJob:
    """One frame, with its leases and results. number: count of due frames before this one. leases, prepared: by model node.
    moving: boxes of the motion stage. quiet: media times of the frames before this one in which nothing moved. found, parts,
    tracks, spreads: by stage; spreads hold all scores of classify stages. scores: of the boxes of models; labels: of these boxes,
    and of crops. left_out: boxes that stages left out because there were too many."""

    frame: Frame
    number: int = 0
    submitted_at_s: float = 0.0
    leases: dict[int, LoadedSlot] = field(default_factory=dict)
    prepared: dict[int, PreparedInput] = field(default_factory=dict)
    moving: Detections = field(default_factory=Detections.empty)
    quiet: list[float] = field(default_factory=list)
    found: dict[str, Detections] = field(default_factory=dict)
    parts: dict[str, Parts] = field(default_factory=dict)
    tracks: dict[str, TrackResult] = field(default_factory=dict)
    spreads: dict[str, ClassScores] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    left_out: int = 0

    def lease(self, index: int, slot: ModelSlot) -> LoadedSlot:
        """The current model of a node's slot, the same until the job is finished.

        Raises:
            UnavailableError: the slot is empty.
        """
        if index not in self.leases:
            self.leases[index] = slot.lease()
        return self.leases[index]

    def prepare(self, index: int, slot: ModelSlot) -> float:
        """Write the frame into the input of the node's current model. Returns milliseconds.

        Raises:
            UnavailableError: the slot is empty.
        """
        prepared = self.prepared[index] = self.lease(index, slot).model.prepare(self.frame)
        return prepared.pre_ms

    def release(self) -> None:
        """Release every lease; the job must not be computed afterwards."""
        for loaded in self.leases.values():
            loaded.release()
        self.leases.clear()
        self.prepared.clear()
