"""The nodes of a graph, and the options of each kind of stage.

motion    `threshold`, `min_area`, `join` (see `edgefleet_agent.vision.image.motion_detector`), `hold_s` (2), `idle_every_s` (1)
detect    `model`, `labels` (empty = all), `min_score`, `every` (n-th frame only), `when`, `keep`
classify  `model`, `labels`, `min_score`, `every`, `when`
crops     `model`, `labels`, `min_score`, `when` (which boxes); options `max` (8 a frame), `margin` (0, share of the box),
          `min_side` (8 pixels), `every_s` (0: every frame; of one track), `runs_max` (runs for one track, 0: no limit)
ensemble  `of`, `min_score`; options `method` (`wbf`, `mean`, `vote`, `nms`, `concat`), `iou` (0.55), `votes` (1),
          `weights` (1 each)
track     options `low_score` (0.4 x min_score), `max_lost_s` (2), `any_label` (false), `appearance` (a crops stage with
          embeddings), `similarity` (0.6: cosine from which two embeddings are of one object), `stationary_s` (0: off),
          `max_objects` (100 boxes of one frame)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding.names import NAMELESS
from edgefleet_contract.pipeline.spec import FilterSpec, PipelineSpec, StageSpec, WhenSpec
from edgefleet_contract.pipeline.stage_options import METHODS, MotionOptions, TrackerOptions

LOW_SCORE = 0.4
"""Default lowest score for starting or continuing a track, as a share of the detector's `min_score`."""
MODEL_KINDS = ("slot:", "package:")
OWN_KEYS = {
    "motion": (),
    "detect": ("model", "labels", "when", "keep"),
    "classify": ("model", "labels", "when"),
    "crops": ("model", "labels", "when"),
    "ensemble": ("of",),
    "track": (),
}
"""Keys besides name, kind, from, min_score, every and options that a stage of the kind has."""

RANGES: dict[str, dict[str, tuple[float, float, float]]] = {
    "motion": {
        "threshold": (1.0, 255.0, 14.0),
        "min_area": (0.0, 1.0, 0.002),
        "join": (0.0, 0.5, 0.02),
        "hold_s": (0.0, 3600.0, 2.0),
        "idle_every_s": (0.05, 3600.0, 1.0),
    },
    "crops": {
        "max": (1, 64, 8),
        "margin": (0.0, 2.0, 0.0),
        "min_side": (1, 4096, 8),
        "every_s": (0.0, 3600.0, 0.0),
        "runs_max": (0, 1000, 0),
    },
    "ensemble": {"iou": (0.0, 1.0, 0.55), "votes": (1, 32, 1)},
    "track": {
        "max_lost_s": (0.0, 3600.0, 2.0),
        "similarity": (-1.0, 1.0, 0.6),
        "stationary_s": (0.0, 86_400.0, 0.0),
        "max_objects": (1, 500, 100),
    },
}
"""Minimum, maximum and default of each numeric option; integers stay integers."""


@dataclass(frozen=True, slots=True)
class MotionNode:
    """The motion stage. gates: detect stages run only during motion, `hold_s` after it, and every `idle_every_s`."""

    name: str
    options: MotionOptions
    gates: bool
    hold_s: float
    idle_every_s: float


@dataclass(frozen=True, slots=True)
class DetectNode:
    """A model on the whole frame. floor: the lowest score that a downstream stage needs."""

    name: str
    model: str
    whole: bool
    labels: frozenset[str]
    min_score: float
    floor: float
    every: int
    gated: bool
    when: WhenSpec | None
    keep: FilterSpec | None


@dataclass(frozen=True, slots=True)
class CropsNode:
    """A model on the boxes of `source`. root: the stage that the cascade's boxes come from; followed: whether it is a track
    stage. read: a further crops stage uses its boxes; appearance: a track stage uses its embeddings. runs_max: runs for one
    track, 0 = no limit."""

    name: str
    model: str
    source: str
    root: str
    followed: bool
    labels: frozenset[str]
    min_score: float
    when: WhenSpec
    most: int
    margin: float
    min_side: int
    every_s: float
    runs_max: int
    read: bool
    appearance: bool


@dataclass(frozen=True, slots=True)
class MergeNode:
    """Merges results of the stages `of`; for the boxes of `source`, if they are crops stages."""

    name: str
    of: tuple[str, ...]
    source: str
    method: str
    min_score: float
    iou: float
    votes: int
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TrackNode:
    """A tracker over the boxes of `source`. appearance: the crops stage whose embeddings identify tracks. stationary_s: time
    without motion after which an object is stationary; 0 = off."""

    name: str
    source: str
    options: TrackerOptions
    appearance: str
    stationary_s: float


Node = DetectNode | CropsNode | MergeNode | TrackNode
"""Any stage except motion, which the capture thread runs itself. A union at run time too: Python 3.10 allows it."""


def stage_error(spec: PipelineSpec, index: int, text: str, *key: str) -> PipelineError:
    """An error about the stage at `index`, with its line."""
    return PipelineError(f"{spec.at('stages', index, *key)}: stage {spec.stages[index].name!r}: {text}")


def motion_node(spec: PipelineSpec, index: int) -> MotionNode:
    """Build the node of a motion stage."""
    stage = spec.stages[index]
    chosen = _options(spec, index)
    if stage.from_:
        raise stage_error(spec, index, "a motion stage has no `from`; remove it", "from")
    options = MotionOptions(chosen["threshold"], chosen["min_area"], chosen["join"])
    gates = any(other.from_ == stage.name and other.kind in ("detect", "classify") for other in spec.stages)
    return MotionNode(stage.name, options, gates, chosen["hold_s"], chosen["idle_every_s"])


def detect_node(spec: PipelineSpec, index: int) -> DetectNode:
    """Build the node of a detect or classify stage."""
    stage = spec.stages[index]
    _options(spec, index)
    _check_model_name(spec, index)
    if stage.when is not None and not stage.when.stage:
        raise stage_error(spec, index, "`when` needs the `stage` whose findings decide", "when")
    low = min((score for score in stage.keep.scores.values()), default=1.0) if stage.keep is not None else 1.0
    if low < stage.min_score:
        text = f"keep.scores go down to {low:g}, min_score is {stage.min_score:g}; lower min_score to the least of them"
        raise stage_error(spec, index, text, "keep", "scores")
    return DetectNode(
        name=stage.name,
        model=stage.model,
        whole=stage.kind == "classify",
        labels=frozenset(stage.labels),
        min_score=stage.min_score,
        floor=stage.min_score,
        every=stage.every,
        gated=bool(stage.from_),
        when=stage.when,
        keep=stage.keep,
    )


def crops_node(spec: PipelineSpec, index: int, source: str, root: str) -> CropsNode:
    """Build the node of a crops stage on the boxes of `source`."""
    stage = spec.stages[index]
    chosen = _options(spec, index)
    _check_model_name(spec, index)
    if stage.when is not None and (stage.when.stage or stage.when.hold_s):
        raise stage_error(spec, index, "`when` of a crops stage is about its own boxes: labels, min_score and zone only", "when")
    return CropsNode(
        name=stage.name,
        model=stage.model,
        source=source,
        root=root,
        followed=any(other.name == root and other.kind == "track" for other in spec.stages),
        labels=frozenset(stage.labels),
        min_score=stage.min_score,
        when=stage.when or WhenSpec(),
        most=int(chosen["max"]),
        margin=chosen["margin"],
        min_side=int(chosen["min_side"]),
        every_s=chosen["every_s"],
        runs_max=int(chosen["runs_max"]),
        read=any(other.kind == "crops" and other.from_ == stage.name for other in spec.stages),
        appearance=any(other.options.get("appearance") == stage.name for other in spec.stages if other.kind == "track"),
    )


def merge_node(spec: PipelineSpec, index: int, source: str) -> MergeNode:
    """Build the node of an ensemble stage. source: the common input of its members, if they are crops stages."""
    stage = spec.stages[index]
    chosen = _options(spec, index, method="wbf", weights=[1.0] * len(stage.of))
    methods = ("mean", "vote") if source else METHODS
    if (not source and chosen["method"] not in methods) or (source and chosen["method"] not in (*methods, "wbf")):
        text = f"method {chosen['method']!r} is unknown; known are {', '.join(sorted(methods))}"
        raise stage_error(spec, index, text, "options", "method")
    weights = chosen["weights"]
    if len(weights) != len(stage.of) or not all(_number(weight) and weight > 0 for weight in weights):
        raise stage_error(spec, index, f"weights are {len(stage.of)} numbers above 0, one for each of `of`", "options", "weights")
    if chosen["votes"] > len(stage.of):
        raise stage_error(spec, index, f"votes is {chosen['votes']:g}; there are {len(stage.of)} stages", "options", "votes")
    return MergeNode(
        name=stage.name,
        of=tuple(stage.of),
        source=source,
        method="mean" if source and chosen["method"] == "wbf" else chosen["method"],
        min_score=stage.min_score,
        iou=chosen["iou"],
        votes=int(chosen["votes"]),
        weights=tuple(float(weight) for weight in weights),
    )


def track_node(spec: PipelineSpec, index: int, source: str, min_score: float) -> TrackNode:
    """Build the node of a track stage on the boxes of `source`, which are reported from `min_score` on."""
    stage = spec.stages[index]
    if stage.every != 1 or stage.model:
        raise stage_error(spec, index, "`model` and `every` belong to a detect stage; move them there")
    chosen = _options(spec, index, low_score=LOW_SCORE * min_score, any_label=False, appearance="")
    if not 0.0 <= chosen["low_score"] <= min_score:
        raise stage_error(spec, index, f"low_score goes from 0 to min_score ({min_score})", "options", "low_score")
    options = TrackerOptions(
        min_score=min_score,
        low_score=float(chosen["low_score"]),
        max_lost_s=chosen["max_lost_s"],
        any_label=chosen["any_label"],
        similarity=chosen["similarity"],
        max_objects=int(chosen["max_objects"]),
    )
    return TrackNode(stage.name, source, options, chosen["appearance"], chosen["stationary_s"])


def check_labels(node: DetectNode | CropsNode, known: Collection[str], model: str, at: str = "pipeline") -> None:
    """Check that the model of `node` has all labels that the node names. at: location of the node in its file.

    Raises:
        PipelineError: the model lacks a label; the text gives some that it has.
    """
    check_model_labels(node.name, node.labels, known, model, at)


def check_model_labels(stage: str, required: Collection[str], known: Collection[str], model: str, at: str) -> None:
    """Same check as `check_labels`, for any stage. A model without labels has `class N` for every N.

    Raises:
        PipelineError: a label that the model does not have.
    """
    missing = sorted(label for label in set(required) - set(known) if known or not NAMELESS.fullmatch(label))
    if missing:
        some = ", ".join(list(known)[:12]) or "none, its classes are class 0, class 1, ..."
        more = ", ..." if len(known) > 12 else ""
        raise PipelineError(f"{at}: stage {stage!r}: {model} has no label {missing[0]!r}; it has {some}{more}")


def _options(spec: PipelineSpec, index: int, **others: Any) -> dict[str, Any]:
    """Every option of the stage's kind, with its given or default value. others: defaults of options without a fixed range."""
    stage = spec.stages[index]
    _check_keys(spec, index)
    ranges = RANGES.get(stage.kind, {})
    chosen: dict[str, Any] = {**{name: usual for name, (_, _, usual) in ranges.items()}, **others}
    for name, value in stage.options.items():
        if name not in chosen:
            known = ", ".join(sorted(chosen))
            kind = f"a {stage.kind} stage has none" if not known else f"known are {known}"
            raise stage_error(spec, index, f"unknown option {name!r}; {kind}", "options", name)
        usual = chosen[name]
        alike = _number(value) if _number(usual) else type(value) is type(usual)
        if not alike or (isinstance(usual, int) and value != int(value)):
            raise stage_error(spec, index, f"option {name!r} is {value!r}; give a value like {usual!r}", "options", name)
        low, high, _ = ranges.get(name, (-1e9, 1e9, 0))
        if _number(value) and not low <= value <= high:
            raise stage_error(spec, index, f"option {name!r} is {value!r}; it goes from {low:g} to {high:g}", "options", name)
        chosen[name] = float(value) if isinstance(usual, float) else value
    return chosen


def _check_keys(spec: PipelineSpec, index: int) -> None:
    stage = spec.stages[index]
    given: Mapping[str, object] = {
        "of": stage.of,
        "model": stage.model,
        "labels": stage.labels,
        "when": stage.when,
        "keep": stage.keep,
    }
    strange = next((key for key, value in given.items() if value and key not in OWN_KEYS[stage.kind]), None)
    if strange is not None:
        text = f"a {stage.kind} stage has no `{strange}`; "
        raise stage_error(
            spec, index, text + ("`model` and `every` belong to a detect stage" if strange == "model" else "remove it"), strange
        )


def _check_model_name(spec: PipelineSpec, index: int) -> None:
    stage: StageSpec = spec.stages[index]
    if not stage.model.startswith(MODEL_KINDS):
        raise stage_error(spec, index, f"model {stage.model!r} is neither 'slot:NAME' nor 'package:DIR'", "model")


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
