"""Whether a changed pipeline still follows the same things: then its tracks, and the rules that did not change, go on."""

from __future__ import annotations

from edgefleet_contract.pipeline.spec import PipelineSpec, StageSpec, ZoneSpec

TRACK = "track"


def same_tracks(old: PipelineSpec, new: PipelineSpec) -> bool:
    """Whether both follow by the same track stages, from the same boxes of the same models, found in the same way."""
    lines = [{stage.name: lineage(spec, stage.name) for stage in spec.stages if stage.kind == TRACK} for spec in (old, new)]
    return bool(lines[0]) and lines[0] == lines[1]


def lineage(spec: PipelineSpec, name: str) -> dict[str, tuple[StageSpec, tuple[ZoneSpec, ...]]]:
    """The stage and everything that decides what it gets, by name, with the zones that they ask about."""
    stages = {stage.name: stage for stage in spec.stages}
    zones = {zone.name: zone for zone in spec.zones}
    found: dict[str, tuple[StageSpec, tuple[ZoneSpec, ...]]] = {}
    waiting = [name]
    while waiting:
        stage = stages.get(waiting.pop())
        if stage is None or stage.name in found:
            continue
        asked = [*(stage.keep.inside + stage.keep.outside if stage.keep else ()), *([stage.when.zone] if stage.when else ())]
        found[stage.name] = stage, tuple(zones[zone] for zone in asked if zone in zones)
        waiting += [stage.from_, *stage.of, str(stage.options.get("appearance", "")), stage.when.stage if stage.when else ""]
    return found
