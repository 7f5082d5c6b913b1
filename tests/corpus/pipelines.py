"""Pipelines with every kind of source, stage and rule, documents of the fleet, and the agent's configuration file: as TOML, each
with what it means beside it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec.structs import replace

from edgefleet_agent import settings
from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.sensor.fusion_pipeline import compile_fusion
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.pipeline import fleet_pipeline, graph, nodes, sensor_options
from edgefleet_contract.pipeline.fleet_pipeline import FleetPipeline, read_fleet_pipeline
from edgefleet_contract.pipeline.spec import (
    EVENTS,
    RULE_KINDS,
    FilterSpec,
    PipelineSpec,
    RuleSpec,
    SourceSpec,
    StageSpec,
    WhenSpec,
    read_pipeline,
)
from edgefleet_contract.pipeline.validate import check_work
from tests.corpus import samples
from tests.corpus.folder import write_json
from tests.corpus.toml_text import toml_text

DEVICE, FLEET, AGENT = "pipelines/device", "pipelines/fleet", "agent.toml"
SPECIAL = ("press-07", "press-08", "press-09")
"""Devices with sections of their own in the document of the fleet."""
MODEL = "slot:detector"
SOURCE_TABLES = ("sources", "sensors")
DOCUMENT_ONLY = ("file", "places")
"""Fields of a pipeline that no document has: where it was written."""


class _FoundError(Exception):
    """Ends a constructor once its options are read."""

    def __init__(self, chosen: dict[str, Any]) -> None:
        super().__init__()
        self.chosen = chosen


def source_kinds() -> list[str]:
    """Every kind of source: those of the tables, the events of other pipelines, the device's own."""
    return [*(kind for table in SOURCE_TABLES for kind in plugins.TABLES[table]), EVENTS, fleet_pipeline.OWN_SOURCE]


def source_options(spec: SourceSpec) -> dict[str, Any]:
    """The options that the class of this kind of source reads from `spec`, with its defaults.

    Raises:
        PipelineError: it does not know one of them.
    """
    table = next((table for table in SOURCE_TABLES if spec.kind in plugins.TABLES[table]), None)
    if table is None:
        return {}
    kind = plugins.load(table, spec.kind)
    module = inspect.getmodule(kind)
    original: Callable[..., dict[str, Any]] = module.read_options  # type: ignore[union-attr]

    def read(given: SourceSpec, known: Mapping[str, Any], ranges: Mapping[str, Any]) -> dict[str, Any]:
        raise _FoundError(original(given, known, ranges))

    try:
        with mock.patch.object(module, "read_options", read):
            kind(spec)
    except _FoundError as found:
        return found.chosen
    raise AssertionError(f"the source {spec.kind!r} reads no options; name them in tests/corpus/pipelines.py")


def stage_options(spec: PipelineSpec) -> dict[str, dict[str, Any]]:
    """The options of each stage of a camera's pipeline by the stage's kind, given or default.

    Raises:
        PipelineError: an option that its kind does not have.
    """
    found: dict[str, dict[str, Any]] = {}
    original: Callable[..., dict[str, Any]] = nodes._options

    def read(given: PipelineSpec, index: int, **others: Any) -> dict[str, Any]:
        found[given.stages[index].kind] = original(given, index, **others)
        return found[given.stages[index].kind]

    with mock.patch.object(nodes, "_options", read):
        graph.compile_graph(spec)
    return found


def stage_kinds() -> set[str]:
    """Every kind of stage, of cameras and of sensors."""
    return {*graph._BUILDERS, *(kind for kinds in sensor_options.KINDS for kind in kinds)}


def every_stage_option() -> dict[str, set[str]]:
    """The options of each kind of stage, of cameras and of sensors."""
    cameras = {kind: set(options) for kind, options in stage_options(_camera()).items()}
    return cameras | {kind: set(options) for kind, options in sensor_options.OPTIONS.items()}


def every_pipeline() -> list[PipelineSpec]:
    """The pipelines of the corpus."""
    camera = _camera()
    found = [replace(camera, name="every-stage", rules=[rule for rule in _rules(RULE_KINDS) if _is_for_cameras(rule)])]
    for kind in source_kinds():
        source = replace(samples.full(SourceSpec), kind=kind, options={})
        options = source_options(source)
        found.append(PipelineSpec(name=f"source-{kind}", source=replace(source, options=options), stages=_stages_for(kind)))
    for name, kinds in (("sensor-score", ("window", "score")), ("sensor-classify", ("window", "classify"))):
        sensor = SourceSpec(kind="csv", uri="readings.csv")
        rules = [rule for rule in _rules(RULE_KINDS) if not _is_for_cameras(rule) and not rule.all]
        found.append(PipelineSpec(name=name, source=sensor, stages=[_sensor_stage(kind) for kind in kinds], rules=rules))
    combined = [rule for rule in _rules(RULE_KINDS) if rule.all]
    return [*found, PipelineSpec(name="combined", source=SourceSpec(kind=EVENTS), rules=combined)]


def check(spec: PipelineSpec) -> None:
    """Check a pipeline as the agent does before it runs it.

    Raises:
        PipelineError: it is not valid.
    """
    check_work(spec)
    source_options(spec.source)
    if spec.source.kind == EVENTS:
        compile_fusion(spec)


def fleet_document() -> str:
    """A document of the fleet with a section for each of three devices; the sections have every key that a section may have."""
    camera = _camera()
    spec = replace(camera, name="gate", source=SourceSpec(kind=fleet_pipeline.OWN_SOURCE, uri="north"))
    spec = replace(spec, rules=[rule for rule in _rules(RULE_KINDS) if _is_for_cameras(rule)])
    plain = _document(spec)
    changed = {key: plain[key] for key in fleet_pipeline._SECTION_KEYS if key in plain}
    rtsp = {"source": to_plain(SourceSpec(kind="rtsp", uri="rtsp://192.168.1.7/main", credentials="front"))}
    devices, run, *_ = fleet_pipeline._SECTION_KEYS
    sections = [
        {devices: [SPECIAL[0]], run: True, **changed},
        {devices: [SPECIAL[1]], **rtsp},
        {devices: [SPECIAL[2]], run: False},
    ]
    return toml_text({**plain, "for": sections})


def small_document(name: str) -> str:
    """A document of the fleet that every device can run."""
    source = SourceSpec(kind="rtsp", uri="rtsp://192.168.1.7/main", credentials="front")
    return toml_text(_document(PipelineSpec(name=name, source=source, stages=_stages_for(source.kind))))


def document_meaning(document: FleetPipeline) -> dict[str, Any]:
    """The pipeline of every device with a section and of one without; None where it does not run."""
    each = {device: document.for_device(device) for device in (*SPECIAL, "press-99")}
    return {device: spec and meaning(spec) for device, spec in each.items()}


def meaning(spec: PipelineSpec) -> dict[str, Any]:
    """Every field of the pipeline, defaults included, without where it was written."""
    return {key: value for key, value in samples.complete(spec).items() if key not in DOCUMENT_ONLY}


def record(folder: Path) -> None:
    """Write every document, and its meaning as JSON beside it."""
    for spec in every_pipeline():
        text = toml_text(_document(spec))
        _write(folder / DEVICE / f"{spec.name}.toml", text, meaning(_checked(text, spec.name)))
    text = fleet_document()
    _write(folder / FLEET / "gate.toml", text, document_meaning(read_fleet_pipeline(text, "gate")))
    configuration = samples.full(settings.Settings)
    _write(folder / AGENT, toml_text(to_plain(configuration)), samples.complete(configuration))


def _write(path: Path, text: str, expected: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    write_json(path.with_suffix(".json"), expected)


def _checked(text: str, name: str) -> PipelineSpec:
    spec = read_pipeline(text, name)
    try:
        check(spec)
    except EdgefleetError as error:
        raise AssertionError(f"the corpus' pipeline {name} is not valid: {error}\n{text}") from error
    return spec


def _document(spec: PipelineSpec) -> dict[str, Any]:
    return {key: value for key, value in to_plain(spec).items() if key not in DOCUMENT_ONLY}


def _camera() -> PipelineSpec:
    """A file's pipeline with a stage of every kind, each option given and not its default where that stays valid."""
    whole = samples.full(PipelineSpec)
    zone = whole.zones[0].name
    keep = replace(samples.full(FilterSpec), inside=[zone], outside=[zone], scores={"person": 0.9})
    when = replace(samples.full(WhenSpec), labels=["person"], zone=zone)
    stages = [
        StageSpec(name="move", kind="motion"),
        StageSpec(name="find", kind="detect", from_="move", model=MODEL, labels=["person"], min_score=0.4, every=2, keep=keep),
        StageSpec(name="sort", kind="classify", from_="move", model=MODEL, every=2, when=replace(when, stage="find")),
        StageSpec(name="merge", kind="ensemble", of=["find", "sort"]),
        StageSpec(name="read", kind="crops", from_="merge", model=MODEL, when=replace(when, stage="", hold_s=0.0)),
        StageSpec(name="follow", kind="track", from_="merge"),
    ]
    spec = replace(whole, source=SourceSpec(kind="file", uri="a.mp4"), stages=stages, rules=[], evidence=None)
    options = stage_options(spec)
    given = [replace(stage, options=_changed(stage.kind, options.get(stage.kind, {}))) for stage in stages]
    evidence = replace(whole.evidence, rules=[]) if whole.evidence is not None else None
    return replace(spec, stages=given, evidence=evidence)


def _changed(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """Each option with another value than its default; the empty name becomes that of the stage of crops."""
    ranges = nodes.RANGES.get(kind, {})
    found: dict[str, Any] = {}
    for name, usual in options.items():
        if isinstance(usual, bool):
            found[name] = not usual
        elif usual == "":
            found[name] = "read"
        elif name in ranges:
            low, high, _ = ranges[name]
            nearer = usual + (high - usual) / 16 if isinstance(usual, float) else min(int(high), usual + 1)
            found[name] = nearer if nearer <= high else low
        else:
            found[name] = usual
    return found


def _stages_for(kind: str) -> list[StageSpec]:
    """The least that a pipeline with this source needs."""
    if kind == EVENTS or kind in plugins.TABLES["sensors"]:
        return []
    return [StageSpec(name="find", kind="detect", model=MODEL)]


def _sensor_stage(kind: str) -> StageSpec:
    options = dict(sensor_options.OPTIONS.get(kind, {}))
    given = {name: 5.0 if isinstance(value, float) and value <= 0 else value for name, value in options.items()}
    return StageSpec(name=kind, kind=kind, model=MODEL if kind == "classify" else "", options=given)


def _rules(kinds: tuple[str, ...]) -> list[RuleSpec]:
    """A rule of every kind with every field of it; a rule of sensors has only what it may have."""
    whole = samples.full(PipelineSpec)
    zone, line = whole.zones[0].name, whole.lines[0].name
    most = replace(samples.full(RuleSpec), zone=zone, line=line, where={"read": ["yes"]}, all=[], none=[], below=None)
    found = []
    for kind in kinds:
        rule = replace(most, name=f"rule-{kind}", kind=kind)
        if kind in graph.SENSOR_RULE_KINDS:
            rule = replace(rule, zone="", line="", where={})
        if kind == "combine":
            rule = replace(rule, all=["gate.rule-zone"], none=["press.rule-level"], below=None)
        found.append(rule)
    return found


def _is_for_cameras(rule: RuleSpec) -> bool:
    return rule.kind not in graph.SENSOR_RULE_KINDS
