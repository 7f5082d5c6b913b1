"""What is followed in one source: labels, tracks, what stands there, and what is known of each. It may outlive a graph."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.tracking.stationary import StationaryObject, StationaryWatch
from edgefleet_agent.vision.tracking.track_attributes import TrackAttributes
from edgefleet_agent.vision.tracking.tracker import Tracker
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.pipeline.graph import Graph

_NO_LABEL = -1
CLASSES_MAX = 10_000
"""Classes of a model without labels that get a name; what is beyond is no class but noise."""


class LabelTable:
    """Labels of one pipeline, numbered as they first occur. Safe from several threads."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def number(self, label: str) -> int:
        """The label's number here."""
        with self._lock:
            if label not in self._numbers:
                self.names.append(label)
                self._numbers[label] = len(self.names) - 1
            return self._numbers[label]

    def translation(self, labels: Sequence[str], wanted: frozenset[str], classes: int) -> npt.NDArray[np.int32]:
        """A model's class number -> number here, -1 where the label is not wanted, as is everything beyond the labels. A model
        that has none has `classes` of them, without names."""
        names = labels or [class_name(labels, number) for number in range(min(classes, CLASSES_MAX))]
        numbers = [self.number(label) if not wanted or label in wanted else _NO_LABEL for label in names]
        return np.array([*numbers, _NO_LABEL], np.int32)


@dataclass(frozen=True, slots=True)
class TrackState:
    """trackers, watches: by track stage."""

    labels: LabelTable
    trackers: dict[str, Tracker]
    watches: dict[str, StationaryWatch]
    traits: TrackAttributes

    @classmethod
    def begin(cls, graph: Graph, standing: Mapping[str, Sequence[StationaryObject]]) -> TrackState:
        """Nothing is followed yet. standing: what stood there before."""
        labels, ids = LabelTable(), itertools.count(1)
        trackers = {track.name: Tracker(track.options, ids) for track in graph.tracks}
        watches = {
            track.name: StationaryWatch(track.still_s, labels.names, standing.get(track.name, ()))
            for track in graph.tracks
            if track.still_s
        }
        return cls(labels, trackers, watches, TrackAttributes())
