"""What happens to a frame once its models have answered: labels, tracks, rules, events.

One object per pipeline and source; used by one thread at a time. Class numbers differ from model to model, so boxes carry numbers
of the pipeline's own label table: tracks live on when a model is swapped for one with another label file.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from agent.contract.messages import Event
from agent.contract.pipeline import PipelineSpec
from agent.pipeline.graph import Graph
from agent.vision.answers import Answer
from agent.vision.detections import Detections
from agent.vision.rules import RuleSet, Scene
from agent.vision.track import Sighting, Tracker, TrackStep

_NO_LABEL = -1
MOTION = "motion"
"""The label of what moves and has no other name."""


class LabelTable:
    """Labels of one pipeline, numbered as they first occur."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, label: str) -> int:
        """The label's number here."""
        if label not in self._numbers:
            self._numbers[label] = len(self.names)
            self.names.append(label)
        return self._numbers[label]

    def translation(self, labels: Sequence[str], wanted: frozenset[str]) -> npt.NDArray[np.int32]:
        """A model's class number -> number here, -1 where the label is not wanted, as is everything beyond the labels."""
        numbers = [self.number(label) if not wanted or label in wanted else _NO_LABEL for label in labels]
        return np.array([*numbers, _NO_LABEL], np.int32)


class Step:
    """Trackers and rules of one pipeline over one source."""

    def __init__(self, spec: PipelineSpec, graph: Graph, width: int, height: int, fps: float, prefix: str = "") -> None:
        self._graph = graph
        self._labels = LabelTable()
        self._translations: dict[int, tuple[tuple[str, ...], npt.NDArray[np.int32]]] = {}
        ids = itertools.count(1)
        self._trackers = [Tracker(track.options, ids) for track in graph.tracks]
        self._rules = RuleSet(spec, Scene(width, height, graph.every / fps, self._labels.names), prefix)
        self._last = (0, 0.0)
        self._found: Sequence[Detections] = ()
        self.sightings: tuple[Sighting, ...] = ()

    def translate(self, place: int, found: Detections, labels: tuple[str, ...]) -> Detections:
        """The boxes that the detect stage at `place` wants, with class numbers of this pipeline. labels: of the model."""
        if not len(found):
            return found
        known = self._translations.get(place)
        if known is None or known[0] is not labels:  # the model was swapped
            known = self._translations[place] = labels, self._labels.translation(labels, self._graph.detects[place].labels)
        table = known[1]
        numbers = table[np.clip(found.class_ids, 0, len(table) - 1)]
        return replace(found, class_ids=numbers)[numbers != _NO_LABEL]

    def advance(self, frame: int, media_s: float, found: Sequence[Detections]) -> list[Event]:
        """The events of one frame. found: the translated boxes of each detect stage."""
        self._last = (frame, media_s)
        steps = [
            tracker.update(found[track.source], frame, media_s)
            for tracker, track in zip(self._trackers, self._graph.tracks, strict=True)
        ]
        step = _joined(frame, media_s, steps)
        self._found, self.sightings = found, step.sightings
        return self._rules.step(step)

    def answers(self) -> list[Answer]:
        """What is followed in the last frame; the boxes of its models, where nothing is followed at all."""
        names = self._labels.names
        if self._trackers:
            return [
                Answer(label=names[seen.class_id], class_id=seen.track_id, score=round(seen.score, 4), box=seen.box)
                for seen in self.sightings
                if seen.media_s == self._last[1]  # a track just confirmed has earlier ones too
            ]
        answered = []
        for found in self._found:
            for box, score, number in zip(found.boxes.tolist(), found.scores.tolist(), found.class_ids.tolist(), strict=True):
                answered.append(Answer(label=names[number], class_id=number, score=round(score, 4), box=tuple(box)))
        return answered

    def quiet(self, media_s: Sequence[float]) -> None:
        """Frames of these times were looked at by the motion stage only, which saw nothing in them."""
        for moment_s in media_s:
            self._rules.quiet(moment_s)

    def moving(self, found: Detections) -> Detections:
        """Boxes of the motion stage, with the class number of this pipeline."""
        return replace(found, class_ids=np.full(len(found), self._labels.number(MOTION), np.int32))

    def finish(self) -> tuple[list[Event], float]:
        """The source has ended: what goes on, ends. The events, and the media time of the last frame."""
        frame, media_s = self._last
        return self._rules.finish(frame, media_s), media_s


def _joined(frame: int, media_s: float, steps: list[TrackStep]) -> TrackStep:
    if len(steps) == 1:
        return steps[0]
    sightings = tuple(sighting for step in steps for sighting in step.sightings)
    return TrackStep(frame, media_s, sightings, tuple(number for step in steps for number in step.gone))
