"""Compares the track stages of two versions of a pipeline: unchanged ones keep their tracks, and unchanged rules their state."""

from __future__ import annotations

from edgefleet_contract.pipeline.spec import PipelineSpec, StageSpec, ZoneSpec

TRACK = "track"


def same_tracks(old: PipelineSpec, new: PipelineSpec) -> bool:
    """Whether both have the same track stages with the same inputs: models, filters, conditions and zones."""
    lineages = [{stage.name: lineage(spec, stage.name) for stage in spec.stages if stage.kind == TRACK} for spec in (old, new)]
    return bool(lineages[0]) and lineages[0] == lineages[1]


def lineage(spec: PipelineSpec, name: str) -> dict[str, tuple[StageSpec, tuple[ZoneSpec, ...]]]:
    """The stage and all stages that determine its input, by name, each with the zones it uses."""
    stages = {stage.name: stage for stage in spec.stages}
    zones = {zone.name: zone for zone in spec.zones}
    found: dict[str, tuple[StageSpec, tuple[ZoneSpec, ...]]] = {}
    pending = [name]
    while pending:
        stage = stages.get(pending.pop())
        if stage is None or stage.name in found:
            continue
        zone_names = [*(stage.keep.inside + stage.keep.outside if stage.keep else ()), *([stage.when.zone] if stage.when else ())]
        found[stage.name] = stage, tuple(zones[zone] for zone in zone_names if zone in zones)
        pending += [stage.from_, *stage.of, str(stage.options.get("appearance", "")), stage.when.stage if stage.when else ""]
    return found
