"""What happens to a frame besides models: labels, filters, ensembles, tracks, attributes, rules, events.

One object per pipeline and source size. Class numbers differ from model to model, so boxes carry numbers of the pipeline's own
label table: tracks live on when a model is swapped for one with another label file. Nodes of a graph are worked through in order,
each by one thread at a time, but a late node of one frame may be at work beside an early one of the next: what both use is
locked.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from edgefleet_agent.pipeline.camera.frame_job import FrameJob, Parts
from edgefleet_agent.pipeline.camera.track_state import CLASSES_MAX, TrackState
from edgefleet_agent.vision.answers import ModelOutput, model_outputs
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.ensemble_boxes import ClassScores, merge_boxes, merge_classes
from edgefleet_agent.vision.geometry import Place, inside, scaled
from edgefleet_agent.vision.results import Embedding, Result
from edgefleet_agent.vision.rules.rule_set import RuleSet, Scene
from edgefleet_agent.vision.tracking.false_positive_filter import FalsePositiveFilter, anchor_of
from edgefleet_agent.vision.tracking.stationary import StationaryObject
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.encoding.names import class_name
from edgefleet_contract.pipeline.graph import Graph
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, MergeNode, Node, TrackNode
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event

_NO_LABEL = -1
MOTION = "motion"
"""The label of what moves and has no other name."""
AGREED = ("mean", "vote", "wbf")
"""Ensembles of classifiers that hear all that each of them said."""
ANSWERS_MAX = 5
"""Classes of one crop that an ensemble hears of."""
ZONE_HOLD_S = 1.0
"""How long a zone counts as taken after somebody was seen in it."""


class FrameGraphState:
    """The graph's work over one source. standing: what stood there before, by track stage. before: a step with the same track
    stages (see `lineage`) and the same size, whose tracks and unchanged rules go on here; what it has left is to be finished.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        graph: Graph,
        width: int,
        height: int,
        fps: float,
        prefix: str = "",
        standing: Mapping[str, Sequence[StationaryObject]] | None = None,
        before: FrameGraphState | None = None,
    ) -> None:
        self._graph = graph
        follow = before.following if before is not None else TrackState.begin(graph, standing or {})
        self.following: TrackState = follow
        self._labels, self._trackers, self._watches, self._traits = follow.labels, follow.trackers, follow.watches, follow.traits
        self._translations: dict[str, tuple[tuple[str, ...], npt.NDArray[np.int32]]] = {}
        self._spreads: dict[str, tuple[tuple[str, ...], npt.NDArray[np.int32]]] = {}
        names = self._labels.names
        zones = {zone.name: scaled(zone.polygon, width, height) for zone in spec.zones}
        self._zones: dict[str, Sequence[Place]] = {**zones}
        self._keeps = {
            node.name: FalsePositiveFilter(node.keep, zones, width, height, names)
            for node in graph.nodes
            if isinstance(node, DetectNode) and node.keep is not None
        }
        self._rates = [(zone.fps, zones[zone.name]) for zone in spec.zones if zone.fps]
        self._rate, self._rate_until_s = 0.0, 0.0
        self._live = spec.source.pace == "realtime"
        self._unsure = dict.fromkeys(self._trackers, 0.0)
        self._lock = threading.Lock()
        period_s = max(graph.pace / fps, 1.0 / spec.schedule.fps if spec.schedule.fps else 0.0)
        scene = Scene(width, height, period_s, names)
        self.rules: RuleSet = RuleSet(spec, scene, prefix, self._traits, before.rules if before is not None else None)
        self._joined = {name for node in graph.nodes if isinstance(node, MergeNode) for name in node.of}
        self._whole = np.array([[0.0, 0.0, width, height]], np.float32)
        self._before: dict[str, Detections] = {}
        self._open_until_s: dict[str, float] = {}
        self.last: tuple[int, float] = before.last if before is not None else (0, 0.0)
        self._found_last: Sequence[Detections] = ()
        self.sightings: tuple[Sighting, ...] = ()

    # What models say.

    def wanted(self, node: DetectNode | CropsNode, job: FrameJob) -> bool:
        """Whether the node's model has to look at this frame."""
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

    def skipped(self, node: DetectNode | CropsNode, job: FrameJob) -> None:
        """The node's model was not asked: where a condition said so, there is nothing."""
        if isinstance(node, DetectNode) and not job.number % (node.every // self._graph.every):
            job.found[node.name] = self._before[node.name] = Detections.empty()

    def saw(self, node: DetectNode, job: FrameJob, result: Result, labels: tuple[str, ...]) -> None:
        """What the node's model found in the whole frame. labels: of the model."""
        if isinstance(result, Classes):
            boxes = self._as_boxes(node, result)
            if node.name in self._joined:
                numbers = self._numbers(node, labels, len(result.scores))
                job.spreads[node.name] = ClassScores(numbers, result.scores[: len(numbers)])
        else:
            assert isinstance(result, Detections)
            boxes = result
        boxes = self._translated(node, boxes, labels)
        keep = self._keeps.get(node.name)
        job.found[node.name] = self._before[node.name] = boxes = keep(boxes) if keep is not None else boxes
        job.scores += [score for score in boxes.scores.tolist() if score >= node.min_score]

    def rows(self, node: CropsNode, job: FrameJob) -> list[int]:
        """The boxes of its source that the node has to look at, most needed first."""
        boxes = self._boxes(job, node.source)
        if boxes is None or not len(boxes):
            return []
        when, media_s = node.when, job.frame.media_s
        needs: list[tuple[float, float, int]] = []
        with self._lock:
            for row, (score, track_id) in enumerate(zip(boxes.scores.tolist(), boxes.track_ids.tolist(), strict=True)):
                looks, last_s = self._traits.runs(track_id, node.name) if track_id >= 0 else (0, -1e9)
                if (node.runs_max and looks >= node.runs_max) or media_s - last_s < node.every_s - 1e-6:
                    continue
                if self._fits(boxes, row, when.labels, when.min_score, when.zone):
                    needs.append((last_s, -score, row))
        return [row for _, _, row in sorted(needs)]

    def boxes_of(self, node: CropsNode, job: FrameJob) -> Detections:
        """The boxes that the node reads."""
        boxes = self._boxes(job, node.source)
        return boxes if boxes is not None else Detections.empty()

    def took(self, node: CropsNode, job: FrameJob, results: Mapping[int, Result], labels: tuple[str, ...]) -> None:
        """What the node's model found in crops, by row of the node's source, in pixels of the frame."""
        parts = job.parts.setdefault(node.name, Parts())
        above = job.parts.get(node.source)
        source = self.boxes_of(node, job)
        inner: list[Detections] = []
        for row, result in results.items():
            root = above.rows[row] if above is not None else row
            if isinstance(result, Embedding):
                if parts.looks is None:
                    parts.looks = np.full((len(source), len(result.vector)), np.nan, np.float32)
                parts.looks[row] = result.vector
                continue
            parts.answers.setdefault(root, []).extend(_told(node, result, labels))
            if isinstance(result, Detections) and node.read:
                boxes = self._translated(node, result, labels)
                inner.append(boxes[boxes.scores >= node.min_score])
                parts.rows += [root] * len(inner[-1])
        if inner:
            parts.boxes = Detections(*(np.concatenate([getattr(one, name) for one in inner]) for name in _ARRAYS))
        if node.root in job.steps:
            self._remember(node.name, parts, job.steps[node.root], job.frame.media_s)

    # What follows from it.

    def between(self, nodes: Sequence[Node], job: FrameJob) -> None:
        """Ensembles and trackers among `nodes`, in order."""
        for node in nodes:
            if isinstance(node, MergeNode):
                self._merge(node, job)
            elif isinstance(node, TrackNode):
                self._follow(node, job)

    def conclude(self, job: FrameJob) -> list[Event]:
        """The events of one frame whose every node is done."""
        frame = job.frame
        self.last = (frame.index, frame.media_s)
        self.quiet(job.quiet)
        steps = list(job.steps.values())
        if len(steps) < len(self._trackers):  # the detectors were not asked about this frame
            self.sightings = ()
            return []
        with self._lock:
            step = _joined(frame.index, frame.media_s, steps)
            self.sightings, self._found_last = step.sightings, list(job.found.values())
            self._heed(step, job.moving)
            return self.rules.step(step)

    def answers(self) -> list[ModelOutput]:
        """What is followed in the last frame, with what is known of it; the boxes of its models, where nothing is followed."""
        if self._trackers:
            with self._lock:
                return [
                    ModelOutput(
                        label=self._name(seen.class_id),
                        class_id=seen.track_id,
                        score=round(seen.score, 4),
                        box=seen.box,
                        track_id=seen.track_id,
                        attributes=self._traits.of(seen.track_id),
                    )
                    for seen in self.sightings
                    if seen.media_s == self.last[1]  # a track just confirmed has earlier ones too
                ]
        return [answer for boxes in self._found_last for answer in model_outputs(boxes, self._name, len(boxes))]

    def number(self, label: str) -> int:
        """The number of a label in this pipeline."""
        return self._labels.number(label)

    def quiet(self, media_s: Sequence[float]) -> None:
        """Frames of these times were looked at by the motion stage only, which saw nothing in them."""
        for moment_s in media_s:
            self.rules.quiet(moment_s)

    def moving(self, found: Detections) -> Detections:
        """Boxes of the motion stage, with the class number of this pipeline."""
        return replace(found, class_ids=np.full(len(found), self._labels.number(MOTION), np.int32))

    def finish(self) -> tuple[list[Event], float]:
        """The source has ended: what goes on, ends. The events, and the media time of the last frame."""
        frame, media_s = self.last
        with self._lock:
            return self.rules.finish(frame, media_s), media_s

    def uncertainty(self) -> float:
        """How little was known of where things are when they were followed last, 0..1."""
        return max(self._unsure.values(), default=0.0)

    def rate(self, media_s: float) -> float:
        """How many looks a second the zones ask for, where somebody is."""
        return self._rate if media_s < self._rate_until_s else 0.0

    def standing(self) -> dict[str, list[StationaryObject]]:
        """What stands there, by track stage."""
        return {name: watch.standing for name, watch in self._watches.items()}

    def standing_changes(self) -> int:
        """How often that has changed."""
        return sum(watch.changes for watch in self._watches.values())

    def _heed(self, step: TrackResult, moving: Detections) -> None:
        """Look more often while somebody is in a zone that asks for it."""
        if not self._rates:
            return
        places = [anchor_of(sighting.box, "bottom") for sighting in step.sightings]
        places += [anchor_of(box, "center") for box in moving.boxes.tolist()]
        rate = max((fps for fps, zone in self._rates if any(inside(place, zone) for place in places)), default=0.0)
        if rate and rate >= self.rate(step.media_s):
            self._rate, self._rate_until_s = rate, step.media_s + ZONE_HOLD_S

    def _merge(self, node: MergeNode, job: FrameJob) -> None:
        if node.source:
            said = [job.parts[name].answers if name in job.parts else {} for name in node.of]
            parts = job.parts[node.name] = Parts()
            for row in sorted(set().union(*said)):
                joined = _agreed(node, [answers_of.get(row, []) for answers_of in said])
                parts.answers[row] = [answer for answer in joined if answer.score >= node.min_score]
            if node.source in job.steps:
                self._remember(node.name, parts, job.steps[node.source], job.frame.media_s)
            return
        if all(name in job.spreads for name in node.of) and node.method in AGREED:
            job.found[node.name] = self._before[node.name] = self._agreed(node, [job.spreads[name] for name in node.of])
        elif all(name in job.found for name in node.of):
            boxes = merge_boxes([job.found[name] for name in node.of], node.method, node.iou, node.votes, node.weights)
            job.found[node.name] = self._before[node.name] = boxes

    def _agreed(self, node: MergeNode, spreads: Sequence[ClassScores]) -> Detections:
        """What classifiers of the whole frame say together, as boxes around all of it."""
        wanted = [member.labels for member in self._graph.nodes if isinstance(member, DetectNode) and member.name in node.of]
        asked = frozenset().union(*wanted) if all(wanted) else frozenset[str]()
        joined = merge_classes(spreads, node.method, node.votes, node.weights)
        rows = [
            row
            for row, (number, score) in enumerate(zip(joined.class_ids.tolist(), joined.scores.tolist(), strict=True))
            if score >= node.min_score and (self._name(number) in asked if asked else row == 0)
        ]
        return Detections(self._whole.repeat(len(rows), axis=0), joined.scores[rows], joined.class_ids[rows])

    def _follow(self, node: TrackNode, job: FrameJob) -> None:
        boxes = self._boxes(job, node.source)
        if boxes is None:
            return
        frame, parts = job.frame, job.parts.get(node.appearance)
        step = self._trackers[node.name].update(boxes, frame.index, frame.media_s, parts.looks if parts is not None else None)
        if self._live:  # told here: a moment later another thread may be following the next frame
            self._unsure[node.name] = self._trackers[node.name].uncertainty()
        watch = self._watches.get(node.name)
        job.steps[node.name] = step = watch.mark(step) if watch is not None else step
        for name, said in job.parts.items():
            if self._root(name) == node.source:
                self._remember(name, said, step, frame.media_s)

    def _root(self, name: str) -> str:
        node = next(node for node in self._graph.nodes if node.name == name)
        return node.root if isinstance(node, CropsNode) else node.source if isinstance(node, MergeNode) else ""

    def _remember(self, name: str, parts: Parts, step: TrackResult, media_s: float) -> None:
        numbers = step.detections.track_ids.tolist()
        with self._lock:
            for row, said in parts.answers.items():
                if row < len(numbers) and numbers[row] >= 0:
                    self._traits.take(numbers[row], name, said, media_s)

    def _boxes(self, job: FrameJob, name: str) -> Detections | None:
        """The boxes of a stage in this frame; None where it was not asked."""
        if name in job.steps:
            detections = job.steps[name].detections
            return detections if (detections.track_ids >= 0).all() else self._followed_only(detections)
        if self._graph.motion is not None and name == self._graph.motion.name:
            return job.moving
        if name in job.parts:
            return job.parts[name].boxes
        return job.found.get(name)

    def _followed_only(self, detections: Detections) -> Detections:
        """Boxes without a track keep their rows, which others count by, and score nothing."""
        return replace(detections, scores=np.where(detections.track_ids >= 0, detections.scores, np.float32(-1.0)))

    def _found(self, job: FrameJob, name: str, labels: Sequence[str], min_score: float, zone: str) -> bool:
        boxes = self._boxes(job, name)
        if boxes is None:
            boxes = self._before.get(name, Detections.empty())
        if name in job.parts and not len(boxes):
            said = [answer for told in job.parts[name].answers.values() for answer in told]
            return any((not labels or one.label in labels) and one.score >= min_score for one in said)
        return any(self._fits(boxes, row, labels, min_score, zone) for row in range(len(boxes)))

    def _fits(self, boxes: Detections, row: int, labels: Sequence[str], min_score: float, zone: str) -> bool:
        if float(boxes.scores[row]) < min_score or (labels and self._name(int(boxes.class_ids[row])) not in labels):
            return False
        return not zone or inside(anchor_of(boxes.boxes[row].tolist(), "bottom"), self._zones[zone])

    def _name(self, number: int) -> str:
        return self._labels.names[number]

    def _as_boxes(self, node: DetectNode, classes: Classes) -> Detections:
        """What the whole picture is, as boxes around all of it: the best class, or each of those that were asked for."""
        best = classes.top(len(classes.scores) if node.labels else 1)
        chosen = [(number, score) for number, score in best if score >= node.floor]
        numbers = np.array([number for number, _ in chosen], np.int32)
        return Detections(self._whole.repeat(len(chosen), axis=0), np.array([score for _, score in chosen], np.float32), numbers)

    def _numbers(self, node: DetectNode, labels: tuple[str, ...], classes: int) -> npt.NDArray[np.int32]:
        """The class numbers of this pipeline for all of a model's labels, or for its `classes` without any."""
        known = self._spreads.get(node.name)
        if known is None or known[0] is not labels or (not labels and len(known[1]) != min(classes, CLASSES_MAX)):
            known = self._spreads[node.name] = labels, self._labels.translation(labels, frozenset(), classes)[:-1]
        return known[1]

    def _translated(self, node: DetectNode | CropsNode, found: Detections, labels: tuple[str, ...]) -> Detections:
        """The boxes that the node wants, with class numbers of this pipeline."""
        if not len(found):
            return found
        known = self._translations.get(node.name)
        classes = len(labels) or min(int(found.class_ids.max()) + 1, CLASSES_MAX)
        if known is None or known[0] is not labels or len(known[1]) <= classes:  # the model was swapped, or has more classes
            known = self._translations[node.name] = labels, self._labels.translation(labels, node.labels, classes)
        table = known[1]
        numbers = table[np.minimum(np.maximum(found.class_ids, 0), len(table) - 1)]
        kept = replace(found, class_ids=numbers)
        return kept if numbers.min() != _NO_LABEL else kept[numbers != _NO_LABEL]


_ARRAYS = ("boxes", "scores", "class_ids", "track_ids")


def _told(node: CropsNode, result: Result, labels: tuple[str, ...]) -> list[ModelOutput]:
    """What a crop's result says, best first, as far as anybody wants to hear it."""

    def name(number: int) -> str:
        return class_name(labels, number)

    top = (len(labels) or CLASSES_MAX) if node.labels else ANSWERS_MAX
    said = [
        one
        for one in model_outputs(result, name, top)
        if one.score >= node.min_score and (not node.labels or one.label in node.labels)
    ]
    return said[:ANSWERS_MAX]


def _agreed(node: MergeNode, said: Sequence[Sequence[ModelOutput]]) -> list[ModelOutput]:
    """Labels that several models gave one thing, best first. `vote`: each model has one vote for its best; `mean`: scores."""
    totals: dict[str, list[float]] = {}
    for weight, told in zip(node.weights, said, strict=True):
        for answer in told[:1] if node.method == "vote" else told:
            totals.setdefault(answer.label, []).append(weight * (1.0 if node.method == "vote" else answer.score))
    whole = sum(node.weights)
    chosen = [(sum(votes) / whole, label) for label, votes in totals.items() if len(votes) >= node.votes]
    return [ModelOutput(label=label, class_id=0, score=round(score, 4)) for score, label in sorted(chosen, reverse=True)]


def _joined(frame: int, media_s: float, steps: list[TrackResult]) -> TrackResult:
    if len(steps) == 1:
        return steps[0]
    sightings = tuple(sighting for step in steps for sighting in step.sightings)
    return TrackResult(frame, media_s, sightings, tuple(number for step in steps for number in step.ended))
