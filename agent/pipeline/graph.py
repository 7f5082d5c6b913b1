"""A pipeline's stages, checked and put in order: which models look at a frame, who follows what they find.

    motion   what moves, without a model: boxes of the label "motion". Options: `threshold`, `min_area`, `join` (see
             `agent.vision.motion`), `hold_s` (2), `look_s` (1). The first stage, one at most
    detect   a model on the whole frame. `model`, `labels` (empty = all), `min_score`, `every` (n-th frame only, one for all).
             `from` a motion stage: only while that sees motion, `hold_s` longer, and a frame every `look_s` in any case
    track    who is who. `from` names a detect or motion stage (the one before it if left out). Options: `low_score`
             (0.4 x min_score), `max_lost_s` (2), `any_label` (false)

Rules read every track stage. Pure: models are bound later, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from agent.contract.pipeline import PipelineSpec, StageSpec, check_pipeline
from agent.errors import PipelineError
from agent.vision.motion import MotionOptions
from agent.vision.track import TrackerOptions

LOW_SCORE = 0.4
"""What a track may begin with or live on, as a share of the detector's `min_score`."""
MAX_LOST_S = 2.0
"""How long a track out of sight is kept."""
HOLD_S = 2.0
"""How long after the last motion the detect stages go on."""
LOOK_S = 1.0
"""How often they look while nothing moves: what a gate cannot see is seen then, and what stands still keeps its track."""
MODEL_KINDS = ("slot:", "package:")


@dataclass(frozen=True, slots=True)
class Detect:
    """A model. floor: the least score that anyone downstream wants to hear of."""

    name: str
    model: str
    labels: frozenset[str]
    min_score: float
    floor: float


@dataclass(frozen=True, slots=True)
class Moves:
    """The motion stage. gates: the detect stages look only while something moves, `hold_s` longer, and every `look_s`."""

    name: str
    options: MotionOptions
    gates: bool
    hold_s: float
    look_s: float


@dataclass(frozen=True, slots=True)
class Track:
    """A tracker over the boxes of the stage at `source`: its place in `Graph.detects`, or after them the motion stage."""

    name: str
    source: int
    options: TrackerOptions


@dataclass(frozen=True, slots=True)
class Graph:
    """What is done with every `every`-th frame, in this order."""

    detects: tuple[Detect, ...]
    tracks: tuple[Track, ...]
    every: int
    moves: Moves | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models that must be there, each once."""
        return tuple(dict.fromkeys(detect.model for detect in self.detects))


def compile_graph(spec: PipelineSpec) -> Graph:
    """The stages of `spec`.

    Raises:
        PipelineError: an unknown kind of stage, a reference or an option that leads nowhere; the text names what exists.
    """
    check_pipeline(spec, f"pipeline {spec.name!r}")
    builders: dict[str, Callable[[StageSpec, list[StageSpec]], None]] = {
        "detect": _check_detect,
        "motion": _check_motion,
        "track": _check_track,
    }
    earlier: list[StageSpec] = []
    for stage in spec.stages:
        if stage.kind not in builders:
            raise PipelineError(f"stage {stage.name!r}: unknown kind {stage.kind!r}; known are {', '.join(sorted(builders))}")
        builders[stage.kind](stage, earlier)
        earlier.append(stage)
    sensed = next((rule for rule in spec.rules if rule.kind == "anomaly"), None)
    if sensed is not None:
        raise PipelineError(f"rule {sensed.name!r}: kind 'anomaly' is for sensors; source {spec.source.kind!r} gives pictures")
    tracked = [stage for stage in spec.stages if stage.kind == "track"]
    if spec.rules and not tracked:
        raise PipelineError(f"pipeline {spec.name!r}: rules need a stage of kind 'track'; add one after the detect stage")
    found = [stage for stage in spec.stages if stage.kind == "detect"]
    moving = [stage for stage in spec.stages if stage.kind == "motion"]
    if not found and not moving:
        raise PipelineError(f"pipeline {spec.name!r}: no stage of kind 'detect' or 'motion'; add one")
    places = {stage.name: place for place, stage in enumerate([*found, *moving])}
    tracks = []
    for stage in tracked:
        source = _source_of(stage, spec.stages)
        tracks.append(Track(stage.name, places[source.name], _tracker_options(stage, source.min_score)))
    detects = []
    for place, stage in enumerate(found):
        lows = [track.options.low_score for track in tracks if track.source == place]
        floor = min([stage.min_score, *lows])
        detects.append(Detect(stage.name, stage.model, frozenset(stage.labels), stage.min_score, floor))
    if len({stage.every for stage in found}) > 1 or len({bool(stage.from_) for stage in found}) > 1:
        raise PipelineError(
            f"pipeline {spec.name!r}: its detect stages look at the same frames; give all the same `every` and `from`"
        )
    every = found[0].every if found else moving[0].every
    return Graph(tuple(detects), tuple(tracks), every, _moves(moving[0], found) if moving else None)


def check_labels(detect: Detect, known: Collection[str], model: str) -> None:
    """A detector that can never find what it is asked for is a mistake, not silence.

    Raises:
        PipelineError: a label that the model does not have; the text gives some that it has.
    """
    missing = sorted(detect.labels - set(known))
    if missing:
        some = ", ".join(list(known)[:12]) or "none"
        more = ", ..." if len(known) > 12 else ""
        raise PipelineError(f"stage {detect.name!r}: {model} has no label {missing[0]!r}; it has {some}{more}")


def _check_detect(stage: StageSpec, earlier: list[StageSpec]) -> None:
    if stage.from_ and not any(other.name == stage.from_ and other.kind == "motion" for other in earlier):
        raise PipelineError(f"stage {stage.name!r}: a detect stage reads the source or a motion stage, not {stage.from_!r}")
    if not stage.model.startswith(MODEL_KINDS):
        raise PipelineError(f"stage {stage.name!r}: model {stage.model!r} is neither 'slot:NAME' nor 'package:DIR'")
    if stage.options:
        raise PipelineError(f"stage {stage.name!r}: unknown option {min(stage.options)!r}; a detect stage has none")


def _check_motion(stage: StageSpec, earlier: list[StageSpec]) -> None:
    if earlier:
        raise PipelineError(f"stage {stage.name!r}: a motion stage reads the source and comes first, once; move it up")
    if stage.from_ or stage.model or stage.labels:
        raise PipelineError(f"stage {stage.name!r}: a motion stage has no `from`, `model` or `labels`; remove them")
    _moves(stage, [])


def _moves(stage: StageSpec, found: list[StageSpec]) -> Moves:
    ranges = {
        "threshold": (1.0, 255.0),
        "min_area": (0.0, 1.0),
        "join": (0.0, 0.5),
        "hold_s": (0.0, 3600.0),
        "look_s": (0.05, 3600.0),
    }
    plain = MotionOptions()
    chosen = {"threshold": plain.threshold, "min_area": plain.min_area, "join": plain.join, "hold_s": HOLD_S, "look_s": LOOK_S}
    for name, value in stage.options.items():
        if name not in ranges:
            raise PipelineError(f"stage {stage.name!r}: unknown option {name!r}; known are {', '.join(sorted(ranges))}")
        low, high = ranges[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise PipelineError(f"stage {stage.name!r}: option {name!r} is {value!r}; it goes from {low:g} to {high:g}")
        chosen[name] = float(value)
    options = MotionOptions(chosen["threshold"], chosen["min_area"], chosen["join"])
    gates = any(other.from_ == stage.name for other in found)
    return Moves(stage.name, options, gates, chosen["hold_s"], chosen["look_s"])


def _check_track(stage: StageSpec, earlier: list[StageSpec]) -> None:
    if stage.every != 1 or stage.model:
        raise PipelineError(f"stage {stage.name!r}: `model` and `every` belong to a detect stage; move them there")
    _source_of(stage, earlier)


def _source_of(stage: StageSpec, stages: list[StageSpec]) -> StageSpec:
    """The detect or motion stage that the track stage reads."""
    before = []
    for other in stages:
        if other.name == stage.name:
            break
        if other.kind in ("detect", "motion"):
            before.append(other)
    named = [other for other in before if not stage.from_ or other.name == stage.from_]
    if not named:
        known = ", ".join(other.name for other in before) or "none"
        raise PipelineError(f"stage {stage.name!r}: a track stage follows a detect or motion stage; before it: {known}")
    return named[-1]


def _tracker_options(stage: StageSpec, min_score: float) -> TrackerOptions:
    options: Mapping[str, Any] = {"low_score": LOW_SCORE * min_score, "max_lost_s": MAX_LOST_S, "any_label": False}
    for name, value in stage.options.items():
        if name not in options:
            raise PipelineError(f"stage {stage.name!r}: unknown option {name!r}; known are {', '.join(sorted(options))}")
        if isinstance(options[name], bool) is not isinstance(value, bool) or not isinstance(value, (int, float)):
            raise PipelineError(f"stage {stage.name!r}: option {name!r} is {value!r}; give a value like {options[name]!r}")
    chosen = {**options, **stage.options}
    if not (0.0 <= chosen["low_score"] <= min_score and 0.0 <= chosen["max_lost_s"] <= 3600.0):
        raise PipelineError(f"stage {stage.name!r}: low_score goes from 0 to min_score ({min_score}), max_lost_s from 0 to 3600")
    return TrackerOptions(min_score, float(chosen["low_score"]), float(chosen["max_lost_s"]), chosen["any_label"])
