"""A pipeline's stages, checked and put in order: which models look at a frame or at parts of it, who follows what they find.

    motion    what moves, without a model: boxes of the label "motion". The first stage, one at most
    detect    a model on the whole frame: boxes. `from` a motion stage: only while that sees motion, and now and then anyway
    classify  a model on the whole frame: the label it is, as a box around everything
    ensemble  what several detect or classify stages agree on, or several crops stages about the same boxes
    crops     a model on the boxes of an earlier stage, whatever its task: what it says becomes an attribute of the box and,
              where one is followed, of its track. Boxes that it finds can be read by further crops stages
    track     who is who in the boxes of a stage

A file may read earlier stages only, so its order is an order to work in. Rules read every track stage. Pure: models are bound
later, by name. What every kind may be told is in `edgefleet_contract.pipeline.nodes`.
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

BOXES = ("classify", "crops", "detect", "ensemble", "motion")
"""Kinds of stages that give boxes."""
SENSED = ("anomaly", "level", "together")
"""Kinds of rules that need no picture."""


@dataclass(frozen=True, slots=True)
class Graph:
    """What is done with every `every`-th frame, in this order. pace: every so many frames tracks are looked for."""

    nodes: tuple[Node, ...]
    every: int
    pace: int
    moves: MotionNode | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models that must be there, each once."""
        return tuple(dict.fromkeys(node.model for node in self.modelled))

    @property
    def modelled(self) -> tuple[DetectNode | CropsNode, ...]:
        """The nodes that have a model."""
        return tuple(node for node in self.nodes if isinstance(node, (DetectNode, CropsNode)))

    @property
    def looks(self) -> tuple[DetectNode, ...]:
        """The models on the whole frame."""
        return tuple(node for node in self.nodes if isinstance(node, DetectNode))

    @property
    def tracks(self) -> tuple[TrackNode, ...]:
        """The track stages."""
        return tuple(node for node in self.nodes if isinstance(node, TrackNode))


def compile_graph(spec: PipelineSpec) -> Graph:
    """The stages of `spec`.

    Raises:
        PipelineError: an unknown kind of stage, a reference or an option that leads nowhere; the text names what exists.
    """
    check_pipeline(spec)
    built: dict[str, Node | MotionNode] = {}
    for place, stage in enumerate(spec.stages):
        if stage.kind not in _BUILDERS:
            raise nodes.fault(spec, place, f"unknown kind {stage.kind!r}; known are {', '.join(sorted(_BUILDERS))}", "kind")
        built[stage.name] = _BUILDERS[stage.kind](spec, place, built)
    sensed = next((place for place, rule in enumerate(spec.rules) if rule.kind in SENSED), None)
    if sensed is not None:
        rule, at = spec.rules[sensed], spec.at("rules", sensed, "kind")
        raise PipelineError(f"{at}: rule {rule.name!r}: kind {rule.kind!r} is for sensors; {spec.source.kind!r} gives pictures")
    if spec.rules and not any(isinstance(node, TrackNode) for node in built.values()):
        raise PipelineError(f"{spec.at('rules')}: rules need a stage of kind 'track'; add one after the detect stage")
    moves = next((node for node in built.values() if isinstance(node, MotionNode)), None)
    looks = [node for node in built.values() if isinstance(node, DetectNode)]
    if moves is None and not looks:
        raise PipelineError(f"{spec.at('stages')}: no stage of kind 'detect', 'classify' or 'motion'; add one")
    every = reduce(gcd, (look.every for look in looks)) if looks else spec.stages[0].every
    pace = _pace(spec, looks, every)
    floors = _floors(built)
    ordered = [
        replace(node, floor=floors[name]) if isinstance(node, DetectNode) else node
        for name, node in built.items()
        if not isinstance(node, MotionNode)
    ]
    return Graph(tuple(ordered), every, pace, moves)


def read_name(spec: PipelineSpec, place: int, kinds: tuple[str, ...], purpose: str) -> str:
    """The stage that the one at `place` reads: the one it names, else the nearest before it of one of `kinds`.

    Raises:
        PipelineError: there is none; the text says what there is.
    """
    stage = spec.stages[place]
    before = [other.name for other in spec.stages[:place] if other.kind in kinds]
    if stage.from_:
        if stage.from_ not in before:
            known = ", ".join(before) or "none"
            raise nodes.fault(spec, place, f"{purpose}, not {stage.from_!r}; before it: {known}", "from")
        return stage.from_
    if not before:
        raise nodes.fault(spec, place, f"{purpose}; before it: none")
    return before[-1]


def _motion(spec: PipelineSpec, place: int, built: dict[str, Node | MotionNode]) -> MotionNode:
    if place or built:
        raise nodes.fault(spec, place, "a motion stage reads the source and comes first, once; move it up")
    return nodes.moves(spec, place)


def _look(spec: PipelineSpec, place: int, built: dict[str, Node | MotionNode]) -> DetectNode:
    stage = spec.stages[place]
    if stage.from_ and not isinstance(built.get(stage.from_), MotionNode):
        raise nodes.fault(spec, place, f"a {stage.kind} stage reads the source or a motion stage, not {stage.from_!r}", "from")
    gated = next((node for node in built.values() if isinstance(node, DetectNode)), None)
    if gated is not None and gated.gated is not bool(stage.from_):
        raise nodes.fault(spec, place, "stages on the whole frame look at the same frames; give all the same `from`", "from")
    return nodes.look(spec, place)


def _crops(spec: PipelineSpec, place: int, built: dict[str, Node | MotionNode]) -> CropsNode:
    kinds = ("crops", "detect", "ensemble", "motion", "track")
    source = read_name(spec, place, kinds, "a crops stage reads a detect, track, motion, ensemble or crops stage")
    return nodes.crops(spec, place, source, root_of(built, source))


def _merge(spec: PipelineSpec, place: int, built: dict[str, Node | MotionNode]) -> MergeNode:
    stage = spec.stages[place]
    members = [built[name] for name in stage.of]
    whole = all(isinstance(node, DetectNode) for node in members)
    parts = [node for node in members if isinstance(node, CropsNode)]
    same = len(parts) == len(members) and len({part.source for part in parts}) == 1
    if len(set(stage.of)) < 2 or not (whole or same):
        text = "an ensemble is `of` two or more detect or classify stages, or of crops stages that read the same stage"
        raise nodes.fault(spec, place, text, "of")
    return nodes.merge(spec, place, parts[0].source if parts else "")


def _track(spec: PipelineSpec, place: int, built: dict[str, Node | MotionNode]) -> TrackNode:
    source = read_name(
        spec, place, ("classify", "detect", "ensemble", "motion"), "a track stage follows a detect or motion stage"
    )
    node = built[source]
    if isinstance(node, MergeNode) and node.source:
        raise nodes.fault(spec, place, f"{source!r} joins attributes, not boxes; follow {node.source!r}", "from")
    stage = next(other for other in spec.stages if other.name == source)
    track = nodes.track(spec, place, source, stage.min_score)
    seen = built.get(track.appearance)
    if track.appearance and not (isinstance(seen, CropsNode) and seen.source == source):
        known = ", ".join(name for name, other in built.items() if isinstance(other, CropsNode) and other.source == source)
        text = f"appearance {track.appearance!r} is no crops stage from {source!r}; there are {known or 'none'}"
        raise nodes.fault(spec, place, text, "options", "appearance")
    return track


def root_of(built: dict[str, Node | MotionNode], name: str) -> str:
    """The stage whose boxes a cascade began with."""
    node = built[name]
    return root_of(built, node.source) if isinstance(node, CropsNode) else name


def _pace(spec: PipelineSpec, looks: list[DetectNode], every: int) -> int:
    """One for all stages that are followed: a tracker shown nothing because nobody looked would take that for an empty
    picture."""
    followed = {look.every for look in looks if look.name in _followed(spec)}
    if len(followed) > 1:
        raise PipelineError(
            f"{spec.at('stages')}: detect stages that are followed look at the same frames; give all the same `every`"
        )
    return followed.pop() if followed else every


def _followed(spec: PipelineSpec) -> set[str]:
    stages: dict[str, StageSpec] = {stage.name: stage for stage in spec.stages}
    names: set[str] = set()
    for place, stage in enumerate(spec.stages):
        if stage.kind == "track":
            source = stages[read_name(spec, place, BOXES, "")]
            names.update(source.of or [source.name])
    return names


def _floors(built: dict[str, Node | MotionNode]) -> dict[str, float]:
    """The least score that anyone downstream of a look wants to hear of."""
    floors = {name: node.min_score for name, node in built.items() if isinstance(node, (DetectNode, MergeNode))}
    for node in built.values():
        if isinstance(node, TrackNode) and node.source in floors:
            floors[node.source] = min(floors[node.source], node.options.low_score)
    for node in built.values():
        for member in node.of if isinstance(node, MergeNode) else ():
            floors[member] = min(floors.get(member, 1.0), floors[node.name])
    return floors


_BUILDERS: dict[str, Callable[[PipelineSpec, int, dict[str, Node | MotionNode]], Node | MotionNode]] = {
    "classify": _look,
    "crops": _crops,
    "detect": _look,
    "ensemble": _merge,
    "motion": _motion,
    "track": _track,
}
