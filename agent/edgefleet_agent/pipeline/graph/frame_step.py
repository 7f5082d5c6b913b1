"""The state of a graph between frames, and every step except inference: labels, filters, ensembles, tracks, attributes, rules.

One object per pipeline and source size. Class numbers differ between models, so boxes carry numbers of the pipeline's own label
table: tracks survive the swap of a model for one with another label file. The nodes of a graph run in order, each in one thread
at a time, but a late node of one frame may run concurrently with an early node of the next: shared state is locked.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from edgefleet_agent.pipeline.graph.crop_answers import combined_answers, labelled_answers
from edgefleet_agent.pipeline.graph.frame_job import FrameJob, Parts
from edgefleet_agent.pipeline.graph.track_state import CLASSES_MAX, TrackState
from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.ensemble_boxes import BOXES_MAX, ClassScores, merge_boxes, merge_classes
from edgefleet_agent.vision.geometry import Place, inside, scaled
from edgefleet_agent.vision.results import Embedding, Result
from edgefleet_agent.vision.rules.rule_set import RuleSet, Scene
from edgefleet_agent.vision.tracking.false_positive_filter import FalsePositiveFilter, anchor_of
from edgefleet_agent.vision.tracking.stationary import StationaryObject
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.pipeline.graph import Graph
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, MergeNode, Node, TrackNode
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event

_NO_LABEL = -1
MOTION = "motion"
"""Label of moving regions without a class."""
COMBINING = ("mean", "vote", "wbf")
"""Ensemble methods that combine all scores of their classifiers."""
ZONE_HOLD_S = 1.0
"""Time for which a zone counts as occupied after the last sighting in it."""


class FrameGraphState:
    """State of one graph over one source. stationary: stationary objects of the last run, by track stage. previous: a state with
    the same track stages (see `graph_diff.lineage`) and size, whose tracks and unchanged rules continue here; `finish` it. ids:
    numbers for tracks; all states of a source share them, so that no number means two objects.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        graph: Graph,
        width: int,
        height: int,
        fps: float,
        prefix: str = "",
        stationary: Mapping[str, Sequence[StationaryObject]] | None = None,
        previous: FrameGraphState | None = None,
        ids: Iterator[int] | None = None,
    ) -> None:
        self._graph = graph
        tracked = previous.track_state if previous is not None else TrackState.start(graph, stationary or {}, ids)
        self.track_state: TrackState = tracked
        self._labels, self._trackers = tracked.labels, tracked.trackers
        self._stationary, self._attributes = tracked.stationary, tracked.attributes
        self._translations: dict[str, tuple[tuple[str, ...], npt.NDArray[np.int32]]] = {}
        self._spreads: dict[str, tuple[tuple[str, ...], npt.NDArray[np.int32]]] = {}
        names = self._labels.names
        zones = {zone.name: scaled(zone.polygon, width, height) for zone in spec.zones}
        self._zones: dict[str, Sequence[Place]] = {**zones}
        self._filters = {
            node.name: FalsePositiveFilter(node.keep, zones, width, height, names)
            for node in graph.nodes
            if isinstance(node, DetectNode) and node.keep is not None
        }
        self._rates = [(zone.fps, zones[zone.name]) for zone in spec.zones if zone.fps]
        self._rate, self._rate_until_s = 0.0, 0.0
        self._live = spec.source.pace == "realtime"
        self._uncertainty = dict.fromkeys(self._trackers, 0.0)
        self._lock = threading.Lock()
        period_s = max(graph.pace / fps, 1.0 / spec.schedule.fps if spec.schedule.fps else 0.0)
        scene = Scene(width, height, period_s, names)
        self.rules: RuleSet = RuleSet(spec, scene, prefix, self._attributes, previous.rules if previous is not None else None)
        self._merged = {name for node in graph.nodes if isinstance(node, MergeNode) for name in node.of}
        self._whole_frame = np.array([[0.0, 0.0, width, height]], np.float32)
        self._last_boxes: dict[str, Detections] = {}
        self._open_until_s: dict[str, float] = {}
        self.last: tuple[int, float] = previous.last if previous is not None else (0, 0.0)
        self._found_last: Sequence[Detections] = ()
        self.sightings: tuple[Sighting, ...] = ()

    # Results of models.

    def is_due(self, node: DetectNode | CropsNode, job: FrameJob) -> bool:
        """Whether the node's model computes this frame."""
        if isinstance(node, CropsNode):
            return bool(self.rows(node, job))
        if job.number % (node.every // self._graph.every):
            return False
        when = node.when
        if when is None:
            return True
        if self._found(job, when.stage, when.labels, when.min_score, when.zone):
            self._open_until_s[node.name] = job.frame.media_s + when.hold_s
            return True
        return job.frame.media_s < self._open_until_s.get(node.name, 0.0)

    def mark_skipped(self, node: DetectNode | CropsNode, job: FrameJob) -> None:
        """Record that the node did not run: if its condition was not met, it found nothing."""
        if isinstance(node, DetectNode) and not job.number % (node.every // self._graph.every):
            job.found[node.name] = self._last_boxes[node.name] = Detections.empty()

    def add_result(self, node: DetectNode, job: FrameJob, result: Result, labels: tuple[str, ...]) -> None:
        """Add the result of the node's model for the whole frame. labels: of the model."""
        if isinstance(result, Classes):
            boxes = self._as_boxes(node, result)
            if node.name in self._merged:
                numbers = self._numbers(node, labels, len(result.scores))
                job.spreads[node.name] = ClassScores(numbers, result.scores[: len(numbers)])
        else:
            assert isinstance(result, Detections)
            boxes = result
        boxes = self._translated(node, boxes, labels)
        box_filter = self._filters.get(node.name)
        job.found[node.name] = self._last_boxes[node.name] = boxes = box_filter(boxes) if box_filter is not None else boxes
        counted = boxes[boxes.scores >= node.min_score]
        job.scores += counted.scores.tolist()
        job.labels += map(self._name, counted.class_ids.tolist())

    def rows(self, node: CropsNode, job: FrameJob) -> list[int]:
        """Rows of the source's boxes whose crops the node computes, the most urgent first."""
        boxes = self._boxes(job, node.source)
        if boxes is None or not len(boxes):
            return []
        when, media_s = node.when, job.frame.media_s
        needs: list[tuple[float, float, int]] = []
        with self._lock:
            for row, (score, track_id) in enumerate(zip(boxes.scores.tolist(), boxes.track_ids.tolist(), strict=True)):
                analyses, last_s = self._attributes.runs(track_id, node.name) if track_id >= 0 else (0, -1e9)
                if (node.runs_max and analyses >= node.runs_max) or media_s - last_s < node.every_s - 1e-6:
                    continue
                if self._matches(boxes, row, when.labels, when.min_score, when.zone):
                    needs.append((last_s, -score, row))
        return [row for _, _, row in sorted(needs)]

    def boxes_of(self, node: CropsNode, job: FrameJob) -> Detections:
        """The boxes of the node's source."""
        boxes = self._boxes(job, node.source)
        return boxes if boxes is not None else Detections.empty()

    def add_crop_results(self, node: CropsNode, job: FrameJob, results: Mapping[int, Result], labels: tuple[str, ...]) -> None:
        """Add the results of the node's model for crops, by row of the node's source, in pixels of the frame."""
        parts = job.parts.setdefault(node.name, Parts())
        above = job.parts.get(node.source)
        source = self.boxes_of(node, job)
        inner: list[Detections] = []
        for row, result in results.items():
            root = above.rows[row] if above is not None else row
            if isinstance(result, Embedding):
                if parts.embeddings is None:
                    parts.embeddings = np.full((len(source), len(result.vector)), np.nan, np.float32)
                parts.embeddings[row] = result.vector
                continue
            answers = labelled_answers(node, result, labels)
            parts.answers.setdefault(root, []).extend(answers)
            if isinstance(result, (Classes, Detections)):  # not texts that were read
                job.labels += [answer.label for answer in answers[:1]]
            if isinstance(result, Detections) and node.read:
                boxes = self._translated(node, result, labels)
                inner.append(boxes[boxes.scores >= node.min_score])
                parts.rows += [root] * len(inner[-1])
        if inner:
            arrays = {name: np.concatenate([getattr(one, name) for one in inner]) for name in _ARRAYS}
            parts.boxes = Detections(arrays["boxes"], arrays["scores"], arrays["class_ids"], arrays["track_ids"])
        if node.root in job.tracks:
            self._remember(node.name, parts, job.tracks[node.root], job.frame.media_s)

    # Ensembles, tracks and rules.

    def run_between(self, nodes: Sequence[Node], job: FrameJob) -> None:
        """Run the ensembles and trackers among `nodes`, in order."""
        for node in nodes:
            if isinstance(node, MergeNode):
                self._merge(node, job)
            elif isinstance(node, TrackNode):
                self._track(node, job)

    def apply_rules(self, job: FrameJob) -> list[Event]:
        """The events of a frame after its last node."""
        frame = job.frame
        self.last = (frame.index, frame.media_s)
        self.quiet(job.quiet)
        steps = list(job.tracks.values())
        if len(steps) < len(self._trackers):  # the detectors did not run on this frame
            self.sightings = ()
            return []
        with self._lock:
            step = _joined_tracks(frame.index, frame.media_s, steps)
            self.sightings, self._found_last = step.sightings, list(job.found.values())
            self._update_rate(step, job.moving)
            return self.rules.step(step)

    def answers(self) -> list[ModelOutput]:
        """Tracks in the last frame with their attributes; without track stages, the boxes of its models."""
        if self._trackers:
            with self._lock:
                return [
                    ModelOutput(
                        label=self._name(seen.class_id),
                        class_id=seen.track_id,
                        score=round(seen.score, 4),
                        box=seen.box,
                        track_id=seen.track_id,
                        attributes=self._attributes.of(seen.track_id),
                    )
                    for seen in self.sightings
                    if seen.media_s == self.last[1]  # a track just confirmed has earlier ones too
                ]
        return [answer for boxes in self._found_last for answer in model_outputs(boxes, self._name, len(boxes))]

    def number(self, label: str) -> int:
        """The number of a label in this pipeline."""
        return self._labels.number(label)

    def quiet(self, media_s: Sequence[float]) -> None:
        """Record the times of frames in which the motion stage found nothing."""
        for moment_s in media_s:
            self.rules.quiet(moment_s)

    def moving(self, found: Detections) -> Detections:
        """Boxes of the motion stage, with the class number of this pipeline."""
        return replace(found, class_ids=np.full(len(found), self._labels.number(MOTION), np.int32))

    def finish(self) -> tuple[list[Event], float]:
        """End all open events. Returns them and the media time of the last frame."""
        frame, media_s = self.last
        with self._lock:
            return self.rules.finish(frame, media_s), media_s

    def uncertainty(self) -> float:
        """Uncertainty of the tracks' positions at the last update, 0..1."""
        return max(self._uncertainty.values(), default=0.0)

    def rate(self, media_s: float) -> float:
        """Highest `fps` of the occupied zones; 0 if none is occupied."""
        return self._rate if media_s < self._rate_until_s else 0.0

    def stationary_objects(self) -> dict[str, list[StationaryObject]]:
        """Stationary objects by track stage."""
        return {name: watch.standing for name, watch in self._stationary.items()}

    def stationary_changes(self) -> int:
        """Count of changes of the stationary objects."""
        return sum(watch.changes for watch in self._stationary.values())

    def _update_rate(self, step: TrackResult, moving: Detections) -> None:
        """Raise the frame rate while a zone with an `fps` is occupied."""
        if not self._rates:
            return
        places = [anchor_of(sighting.steady_box, "bottom") for sighting in step.sightings]
        places += [anchor_of(box, "center") for box in moving.boxes.tolist()]
        rate = max((fps for fps, zone in self._rates if any(inside(place, zone) for place in places)), default=0.0)
        if rate and rate >= self.rate(step.media_s):
            self._rate, self._rate_until_s = rate, step.media_s + ZONE_HOLD_S

    def _merge(self, node: MergeNode, job: FrameJob) -> None:
        if node.source:
            by_stage = [job.parts[name].answers if name in job.parts else {} for name in node.of]
            parts = job.parts[node.name] = Parts()
            for row in sorted(set().union(*by_stage)):
                joined = combined_answers(node, [answers_of.get(row, []) for answers_of in by_stage])
                parts.answers[row] = [answer for answer in joined if answer.score >= node.min_score]
            if node.source in job.tracks:
                self._remember(node.name, parts, job.tracks[node.source], job.frame.media_s)
            return
        if all(name in job.spreads for name in node.of) and node.method in COMBINING:
            job.found[node.name] = self._last_boxes[node.name] = self._combined_spreads(
                node, [job.spreads[name] for name in node.of]
            )
        elif all(name in job.found for name in node.of):
            job.left_out += max(0, sum(len(job.found[name]) for name in node.of) - BOXES_MAX)
            boxes = merge_boxes([job.found[name] for name in node.of], node.method, node.iou, node.votes, node.weights)
            job.found[node.name] = self._last_boxes[node.name] = boxes

    def _combined_spreads(self, node: MergeNode, spreads: Sequence[ClassScores]) -> Detections:
        """Combined classes of classifiers of the whole frame, as boxes around the frame."""
        members = [member.labels for member in self._graph.nodes if isinstance(member, DetectNode) and member.name in node.of]
        labels = frozenset().union(*members) if all(members) else frozenset[str]()
        joined = merge_classes(spreads, node.method, node.votes, node.weights)
        rows = [
            row
            for row, (number, score) in enumerate(zip(joined.class_ids.tolist(), joined.scores.tolist(), strict=True))
            if score >= node.min_score and (self._name(number) in labels if labels else row == 0)
        ]
        return Detections(self._whole_frame.repeat(len(rows), axis=0), joined.scores[rows], joined.class_ids[rows])

    def _track(self, node: TrackNode, job: FrameJob) -> None:
        boxes = self._boxes(job, node.source)
        if boxes is None:
            return
        frame, appearance = job.frame, job.parts.get(node.appearance)
        step = self._trackers[node.name].update(
            boxes, frame.index, frame.media_s, appearance.embeddings if appearance is not None else None
        )
        if self._live:  # read here: another thread may track the next frame a moment later
            self._uncertainty[node.name] = self._trackers[node.name].uncertainty()
        watch = self._stationary.get(node.name)
        job.left_out += step.left_out
        job.tracks[node.name] = step = watch.mark(step) if watch is not None else step
        for name, parts in job.parts.items():
            if self._root(name) == node.source:
                self._remember(name, parts, step, frame.media_s)

    def _root(self, name: str) -> str:
        node = next(node for node in self._graph.nodes if node.name == name)
        return node.root if isinstance(node, CropsNode) else node.source if isinstance(node, MergeNode) else ""

    def _remember(self, name: str, parts: Parts, step: TrackResult, media_s: float) -> None:
        numbers = step.detections.track_ids.tolist()
        with self._lock:
            for row, given in parts.answers.items():
                if row < len(numbers) and numbers[row] >= 0:
                    self._attributes.take(numbers[row], name, given, media_s)

    def _boxes(self, job: FrameJob, name: str) -> Detections | None:
        """The boxes of a stage in this frame; None if it did not run."""
        if name in job.tracks:
            detections = job.tracks[name].detections
            return detections if (detections.track_ids >= 0).all() else self._followed_only(detections)
        if self._graph.motion is not None and name == self._graph.motion.name:
            return job.moving
        if name in job.parts:
            return job.parts[name].boxes
        return job.found.get(name)

    def _followed_only(self, detections: Detections) -> Detections:
        """Boxes without a track keep their rows, which other stages refer to, with a score of -1."""
        return replace(detections, scores=np.where(detections.track_ids >= 0, detections.scores, np.float32(-1.0)))

    def _found(self, job: FrameJob, name: str, labels: Sequence[str], min_score: float, zone: str) -> bool:
        boxes = self._boxes(job, name)
        if boxes is None:
            boxes = self._last_boxes.get(name, Detections.empty())
        if name in job.parts and not len(boxes):
            given = [answer for row in job.parts[name].answers.values() for answer in row]
            return any((not labels or one.label in labels) and one.score >= min_score for one in given)
        return any(self._matches(boxes, row, labels, min_score, zone) for row in range(len(boxes)))

    def _matches(self, boxes: Detections, row: int, labels: Sequence[str], min_score: float, zone: str) -> bool:
        if float(boxes.scores[row]) < min_score or (labels and self._name(int(boxes.class_ids[row])) not in labels):
            return False
        return not zone or inside(anchor_of(boxes.boxes[row].tolist(), "bottom"), self._zones[zone])

    def _name(self, number: int) -> str:
        return self._labels.names[number]

    def _as_boxes(self, node: DetectNode, classes: Classes) -> Detections:
        """Classes of the whole frame as boxes around it: the best one, or those of `labels` above the floor."""
        best = classes.top(len(classes.scores) if node.labels else 1)
        chosen = [(number, score) for number, score in best if score >= node.floor]
        numbers = np.array([number for number, _ in chosen], np.int32)
        return Detections(
            self._whole_frame.repeat(len(chosen), axis=0), np.array([score for _, score in chosen], np.float32), numbers
        )

    def _numbers(self, node: DetectNode, labels: tuple[str, ...], classes: int) -> npt.NDArray[np.int32]:
        """The class numbers of this pipeline for all labels of a model, or for its `classes` unnamed ones."""
        known = self._spreads.get(node.name)
        if known is None or known[0] is not labels or (not labels and len(known[1]) != min(classes, CLASSES_MAX)):
            known = self._spreads[node.name] = labels, self._labels.translation(labels, frozenset(), classes)[:-1]
        return known[1]

    def _translated(self, node: DetectNode | CropsNode, found: Detections, labels: tuple[str, ...]) -> Detections:
        """The boxes with one of the node's labels, with class numbers of this pipeline."""
        if not len(found):
            return found
        known = self._translations.get(node.name)
        classes = len(labels) or min(int(found.class_ids.max()) + 1, CLASSES_MAX)
        if known is None or known[0] is not labels or len(known[1]) <= classes:  # swapped model, or more classes
            known = self._translations[node.name] = labels, self._labels.translation(labels, node.labels, classes)
        table = known[1]
        numbers = table[np.minimum(np.maximum(found.class_ids, 0), len(table) - 1)]
        renumbered = replace(found, class_ids=numbers)
        return renumbered if numbers.min() != _NO_LABEL else renumbered[numbers != _NO_LABEL]


_ARRAYS = ("boxes", "scores", "class_ids", "track_ids")


def _joined_tracks(frame: int, media_s: float, steps: list[TrackResult]) -> TrackResult:
    if len(steps) == 1:
        return steps[0]
    sightings = tuple(sighting for step in steps for sighting in step.sightings)
    return TrackResult(frame, media_s, sightings, tuple(number for step in steps for number in step.ended))
