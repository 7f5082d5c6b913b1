"""Tracking state of one source: labels, trackers, stationary objects and track attributes. It may outlive a graph."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
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
"""Limit of named classes of a model without labels; class numbers above it are noise."""


class LabelTable:
    """Labels of one pipeline, numbered in order of their first use. Safe from several threads."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def number(self, label: str) -> int:
        """The label's number in this pipeline."""
        with self._lock:
            if label not in self._numbers:
                self.names.append(label)
                self._numbers[label] = len(self.names) - 1
            return self._numbers[label]

    def translation(self, labels: Sequence[str], included: frozenset[str], classes: int) -> npt.NDArray[np.int32]:
        """Maps a model's class numbers to numbers of this table: -1 for labels that are not `included` (empty: all are) and for
        numbers beyond the labels. A model without labels has `classes` unnamed ones."""
        names = labels or [class_name(labels, number) for number in range(min(classes, CLASSES_MAX))]
        numbers = [self.number(label) if not included or label in included else _NO_LABEL for label in names]
        return np.array([*numbers, _NO_LABEL], np.int32)


@dataclass(frozen=True, slots=True)
class TrackState:
    """State of one source's tracks. trackers, stationary: by track stage."""

    labels: LabelTable
    trackers: dict[str, Tracker]
    stationary: dict[str, StationaryWatch]
    attributes: TrackAttributes

    @classmethod
    def start(
        cls, graph: Graph, standing: Mapping[str, Sequence[StationaryObject]], ids: Iterator[int] | None = None
    ) -> TrackState:
        """A new state. standing: stationary objects of the last run, by track stage. ids: numbers for its tracks."""
        labels, ids = LabelTable(), ids if ids is not None else itertools.count(1)
        trackers = {track.name: Tracker(track.options, ids) for track in graph.tracks}
        stationary = {
            track.name: StationaryWatch(track.stationary_s, labels.names, standing.get(track.name, ()))
            for track in graph.tracks
            if track.stationary_s
        }
        return cls(labels, trackers, stationary, TrackAttributes())
