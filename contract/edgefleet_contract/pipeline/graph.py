"""Checks a pipeline's stages and orders them into a graph of models on frames or crops, and trackers on their boxes.

    motion    motion detection without a model: boxes labelled "motion". The first stage, one at most
    detect    a model on the whole frame: boxes. `from` a motion stage: only during motion, and at intervals without
    classify  a model on the whole frame: its label, as a box around the frame
    ensemble  boxes of several detect or classify stages merged, or results of several crops stages for the same boxes
    crops     a model of any task on the boxes of an earlier stage: its result becomes an attribute of the box and, for a box
              of a track stage, of its track. Boxes that it finds can be read by further crops stages
    track     gives boxes of a stage an identity over time

A stage reads earlier stages only, so the file order is an execution order. Rules read every track stage. Pure: models are bound
later, by name. `edgefleet_contract.pipeline.nodes` lists the options of each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline import nodes
from edgefleet_contract.pipeline.nodes import CropsNode, DetectNode, MergeNode, MotionNode, Node, TrackNode
from edgefleet_contract.pipeline.spec import PipelineSpec, StageSpec, check_pipeline

BOX_STAGE_KINDS = ("classify", "crops", "detect", "ensemble", "motion")
"""Kinds of stages that output boxes."""
SENSOR_RULE_KINDS = ("anomaly", "level", "combine")
"""Kinds of rules that need no picture."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in execution order, for every `every`-th frame. pace: trackers are updated every `pace` frames."""

    nodes: tuple[Node, ...]
    every: int
    pace: int
    motion: MotionNode | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models that the graph needs, each once."""
        return tuple(dict.fromkeys(node.model for node in self.modelled))

    @property
    def modelled(self) -> tuple[DetectNode | CropsNode, ...]:
        """The nodes that have a model."""
        return tuple(node for node in self.nodes if isinstance(node, (DetectNode, CropsNode)))

    @property
    def detectors(self) -> tuple[DetectNode, ...]:
        """The nodes with a model on the whole frame."""
        return tuple(node for node in self.nodes if isinstance(node, DetectNode))

    @property
    def tracks(self) -> tuple[TrackNode, ...]:
        """The track stages."""
        return tuple(node for node in self.nodes if isinstance(node, TrackNode))


def compile_graph(spec: PipelineSpec) -> Graph:
    """Compile the stages of `spec`.

    Raises:
        PipelineError: an unknown stage kind, an unresolved reference or an invalid option; the text names valid ones.
    """
    check_pipeline(spec)
    built: dict[str, Node | MotionNode] = {}
    for index, stage in enumerate(spec.stages):
        if stage.kind not in _BUILDERS:
            raise nodes.stage_error(spec, index, f"unknown kind {stage.kind!r}; known are {', '.join(sorted(_BUILDERS))}", "kind")
        built[stage.name] = _BUILDERS[stage.kind](spec, index, built)
    sensed = next((index for index, rule in enumerate(spec.rules) if rule.kind in SENSOR_RULE_KINDS), None)
    if sensed is not None:
        rule, at = spec.rules[sensed], spec.at("rules", sensed, "kind")
        raise PipelineError(f"{at}: rule {rule.name!r}: kind {rule.kind!r} is for sensors; {spec.source.kind!r} gives pictures")
    if spec.rules and not any(isinstance(node, TrackNode) for node in built.values()):
        raise PipelineError(f"{spec.at('rules', 0)}: rules need a stage of kind 'track'; add one after the detect stage")
    motion = next((node for node in built.values() if isinstance(node, MotionNode)), None)
    detectors = [node for node in built.values() if isinstance(node, DetectNode)]
    if motion is None and not detectors:
        raise PipelineError(f"{spec.at('stages')}: no stage of kind 'detect', 'classify' or 'motion'; add one")
    every = reduce(gcd, (node.every for node in detectors)) if detectors else spec.stages[0].every
    pace = _pace(spec, detectors, every)
    floors = _score_floors(built)
    ordered = [
        replace(node, floor=floors[name]) if isinstance(node, DetectNode) else node
        for name, node in built.items()
        if not isinstance(node, MotionNode)
    ]
    return Graph(tuple(ordered), every, pace, motion)


def input_stage(spec: PipelineSpec, index: int, kinds: tuple[str, ...], purpose: str) -> str:
    """The input stage of the stage at `index`: the one that it names, otherwise the nearest earlier one of `kinds`.

    Raises:
        PipelineError: there is none; the text lists the candidates.
    """
    stage = spec.stages[index]
    before = [other.name for other in spec.stages[:index] if other.kind in kinds]
    if stage.from_:
        if stage.from_ not in before:
            known = ", ".join(before) or "none"
            raise nodes.stage_error(spec, index, f"{purpose}, not {stage.from_!r}; before it: {known}", "from")
        return stage.from_
    if not before:
        raise nodes.stage_error(spec, index, f"{purpose}; before it: none")
    return before[-1]


def _motion(spec: PipelineSpec, index: int, built: dict[str, Node | MotionNode]) -> MotionNode:
    if index or built:
        raise nodes.stage_error(spec, index, "a motion stage reads the source and comes first, once; move it up")
    return nodes.motion_node(spec, index)


def _detect(spec: PipelineSpec, index: int, built: dict[str, Node | MotionNode]) -> DetectNode:
    stage = spec.stages[index]
    if stage.from_ and not isinstance(built.get(stage.from_), MotionNode):
        raise nodes.stage_error(
            spec, index, f"a {stage.kind} stage reads the source or a motion stage, not {stage.from_!r}", "from"
        )
    gated = next((node for node in built.values() if isinstance(node, DetectNode)), None)
    if gated is not None and gated.gated is not bool(stage.from_):
        raise nodes.stage_error(
            spec, index, "stages on the whole frame look at the same frames; give all the same `from`", "from"
        )
    return nodes.detect_node(spec, index)


def _crops(spec: PipelineSpec, index: int, built: dict[str, Node | MotionNode]) -> CropsNode:
    kinds = ("crops", "detect", "ensemble", "motion", "track")
    source = input_stage(spec, index, kinds, "a crops stage reads a detect, track, motion, ensemble or crops stage")
    return nodes.crops_node(spec, index, source, root_of(built, source))


def _merge(spec: PipelineSpec, index: int, built: dict[str, Node | MotionNode]) -> MergeNode:
    stage = spec.stages[index]
    members = [built[name] for name in stage.of]
    whole = all(isinstance(node, DetectNode) for node in members)
    parts = [node for node in members if isinstance(node, CropsNode)]
    same = len(parts) == len(members) and len({part.source for part in parts}) == 1
    if len(set(stage.of)) < 2 or not (whole or same):
        text = "an ensemble is `of` two or more detect or classify stages, or of crops stages that read the same stage"
        raise nodes.stage_error(spec, index, text, "of")
    return nodes.merge_node(spec, index, parts[0].source if parts else "")


def _track(spec: PipelineSpec, index: int, built: dict[str, Node | MotionNode]) -> TrackNode:
    source = input_stage(
        spec, index, ("classify", "detect", "ensemble", "motion"), "a track stage follows a detect or motion stage"
    )
    node = built[source]
    if isinstance(node, MergeNode) and node.source:
        raise nodes.stage_error(spec, index, f"{source!r} joins attributes, not boxes; follow {node.source!r}", "from")
    stage = next(other for other in spec.stages if other.name == source)
    track = nodes.track_node(spec, index, source, stage.min_score)
    seen = built.get(track.appearance)
    if track.appearance and not (isinstance(seen, CropsNode) and seen.source == source):
        known = ", ".join(name for name, other in built.items() if isinstance(other, CropsNode) and other.source == source)
        text = f"appearance {track.appearance!r} is no crops stage from {source!r}; there are {known or 'none'}"
        raise nodes.stage_error(spec, index, text, "options", "appearance")
    return track


def root_of(built: dict[str, Node | MotionNode], name: str) -> str:
    """The stage whose boxes are the first input of a cascade."""
    node = built[name]
    return root_of(built, node.source) if isinstance(node, CropsNode) else name


def _pace(spec: PipelineSpec, detectors: list[DetectNode], every: int) -> int:
    """The common pace of all tracked stages: on a frame that was not analysed a tracker would interpret missing boxes as an empty
    picture."""
    followed = {node.every for node in detectors if node.name in _followed(spec)}
    if len(followed) > 1:
        raise PipelineError(
            f"{spec.at('stages')}: detect stages that are followed look at the same frames; give all the same `every`"
        )
    return followed.pop() if followed else every


def _followed(spec: PipelineSpec) -> set[str]:
    stages: dict[str, StageSpec] = {stage.name: stage for stage in spec.stages}
    names: set[str] = set()
    for index, stage in enumerate(spec.stages):
        if stage.kind == "track":
            source = stages[input_stage(spec, index, BOX_STAGE_KINDS, "")]
            names.update(source.of or [source.name])
    return names


def _score_floors(built: dict[str, Node | MotionNode]) -> dict[str, float]:
    """The lowest score that a consumer of each stage needs."""
    floors = {name: node.min_score for name, node in built.items() if isinstance(node, (DetectNode, MergeNode))}
    for node in built.values():
        if isinstance(node, TrackNode) and node.source in floors:
            floors[node.source] = min(floors[node.source], node.options.low_score)
    for node in built.values():
        for member in node.of if isinstance(node, MergeNode) else ():
            floors[member] = min(floors.get(member, 1.0), floors[node.name])
    return floors


_BUILDERS: dict[str, Callable[[PipelineSpec, int, dict[str, Node | MotionNode]], Node | MotionNode]] = {
    "classify": _detect,
    "crops": _crops,
    "detect": _detect,
    "ensemble": _merge,
    "motion": _motion,
    "track": _track,
}
