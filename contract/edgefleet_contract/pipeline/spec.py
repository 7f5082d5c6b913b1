"""A pipeline: one source, a graph of named stages, zones, lines and rules. Written as TOML.

name = "hall"

[source]
kind = "file"                 # a row of the sources table: file, rtsp, ...
uri = "visitors.mp4"
pace = "realtime"             # realtime | fast (without pauses)
loop = true

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"       # the package that is active in the slot; or "package:DIR" for a folder on this machine
labels = ["person"]
min_score = 0.5

[[stages]]
name = "follow"
kind = "track"
from = "find"

[[zones]]
name = "door"
polygon = [[0.44, 0.69], [0.73, 0.69], [0.73, 1.0], [0.44, 1.0]]    # fractions of width and height

[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]

[[rules]]
name = "visits"
kind = "visit"                # one of `RULE_KINDS`

A spec read from a file holds the line number of every table and key, for errors that are found later.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import MessageError, PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire, encode, from_plain
from edgefleet_contract.encoding.names import Name
from edgefleet_contract.encoding.toml_lines import line_of, lines_of

Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]
Point = tuple[Fraction, Fraction]
Polygon = Annotated[list[Point], Meta(min_length=3, max_length=64)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e7)]
Positive = Annotated[float, Meta(gt=0.0, le=1e6)]
RuleKind = Literal["visit", "zone", "loiter", "line", "count", "occupancy", "crowd", "speed", "anomaly", "level", "combine"]
RULE_KINDS: tuple[str, ...] = get_args(RuleKind)
ZONE_KINDS = ("zone", "loiter")
"""Rules that require a zone."""
EVENTS = "events"
"""The source kind of a pipeline whose input is the events of other pipelines."""
Score = Annotated[float, Meta(ge=0.0, le=1.0)]
Anchor = Literal["bottom", "center"]


class SourceSpec(Wire):
    """The source of frames or readings. `options` depend on the kind. `credentials` names a user and password stored on the
    device.
    """

    kind: Name
    uri: str = ""
    credentials: Annotated[str, Meta(pattern=r"^([a-z0-9][a-z0-9_-]{0,63})?$")] = ""
    pace: Literal["realtime", "fast"] = "realtime"
    loop: bool = False
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class WhenSpec(Wire):
    """Condition for running a model. A stage on the whole frame runs only while the earlier `stage` finds one of `labels` with
    `min_score` (in `zone`), and `hold_s` longer. A crops stage runs only on such boxes; `stage` is empty.
    """

    stage: str = ""
    labels: list[str] = msgspec.field(default_factory=list)
    min_score: Score = 0.0
    zone: str = ""
    hold_s: Seconds = 0.0


class FilterSpec(Wire):
    """Filter for the boxes of a detect stage. Areas: shares of the picture. Ratios: width / height in pixels. scores: minimum by
    label, instead of the stage's. inside, outside: zones that the anchor has to be in, or must not be in.
    """

    min_area: Fraction = 0.0
    max_area: Fraction = 1.0
    min_ratio: Annotated[float, Meta(ge=0.0)] = 0.0
    max_ratio: Positive = 1000.0
    scores: dict[str, Score] = msgspec.field(default_factory=dict)
    inside: list[str] = msgspec.field(default_factory=list)
    outside: list[str] = msgspec.field(default_factory=list)
    anchor: Anchor = "bottom"


class StageSpec(Wire):
    """One node of the graph. `from_` ("from" in TOML) names its input stage; the first stage reads the source. `of`: the members
    of an ensemble.
    """

    name: Name
    kind: Name
    from_: str = msgspec.field(default="", name="from")
    of: list[str] = msgspec.field(default_factory=list)
    model: str = ""
    labels: list[str] = msgspec.field(default_factory=list)
    min_score: Score = 0.5
    every: Annotated[int, Meta(ge=1, le=1000)] = 1
    when: WhenSpec | None = None
    keep: FilterSpec | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class ZoneSpec(Wire):
    """A polygon in fractions of width and height. fps: rate of the models while a tracked object is in the zone, if it is higher
    than in `[schedule]`; 0 = unset.
    """

    name: Name
    polygon: Polygon
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0


class MaskSpec(Wire):
    """A part of the picture that is blanked before any other processing, for privacy."""

    name: Name
    polygon: Polygon
    fill: Literal["black", "blur"] = "black"


class PlaneSpec(Wire):
    """Four points in the picture and their positions on the ground, in metres; needed to measure speed."""

    points: tuple[Point, Point, Point, Point]
    metres: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    anchor: Anchor = "bottom"


class LineSpec(Wire):
    """A directed segment. Seen along it from the first point to the second, `left_to_right` is the positive direction."""

    name: Name
    points: tuple[Point, Point]
    forward: str = "forward"
    backward: str = "backward"


class RuleSpec(Wire):
    """Rule that creates events. `zone` / `line` limit the rule (none: the whole picture, if the kind allows that); `labels` empty
    = all; `where`: only tracks whose attribute of that crops phase is one of these. `anchor`: the point of a box that is tested
    against zones and lines; `center` for cameras that point straight down. stationary: whether stationary objects count or are
    ignored. The other fields belong to one kind each: see the agent's `vision.rules` and `docs/pipelines.md`.
    """

    name: Name
    kind: RuleKind
    zone: str = ""
    line: str = ""
    labels: list[str] = msgspec.field(default_factory=list)
    where: dict[Name, list[str]] = msgspec.field(default_factory=dict)
    anchor: Anchor = "bottom"
    stationary: Literal["count", "ignore"] = "count"
    min_s: Seconds = 0.6
    gap_s: Seconds = 0.6
    every_s: Seconds = 10.0
    after_s: Seconds = 30.0
    mode: Literal["strict", "balanced", "loose"] = "balanced"
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 1
    limit_kmh: Positive = 30.0
    channel: str = ""
    above: float | None = None
    below: float | None = None
    hysteresis: Annotated[float, Meta(ge=0.0)] = 0.0
    all: list[str] = msgspec.field(default_factory=list)
    none: list[str] = msgspec.field(default_factory=list)
    settle_s: Annotated[float, Meta(ge=0.0, le=600.0)] = 3.0


class ScheduleSpec(Wire):
    """Scheduling among pipelines that share a model. priority: share of the capacity if it does not suffice for all. min_fps:
    guaranteed rate. deadline_ms: older frames are skipped, 0 = no limit. fps: frames analysed a second while no object is in a
    zone with a higher rate, 0 = every frame.
    """

    priority: Annotated[float, Meta(ge=0.1, le=100.0)] = 1.0
    min_fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.5
    deadline_ms: Annotated[float, Meta(ge=0.0, le=60_000.0)] = 0.0
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0


class EvidenceSpec(Wire):
    """Evidence stored on the device for events: a snapshot at the start, a clip with `pre_s` before and `post_s` after the event,
    of which at most `max_s` show the event itself. `rules` empty = all.
    """

    snapshots: bool = True
    clips: bool = True
    pre_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    post_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    max_s: Annotated[float, Meta(ge=1.0, le=600.0)] = 60.0
    rules: list[str] = msgspec.field(default_factory=list)


class PipelineSpec(Wire):
    """The whole pipeline. file, places: its position in the file, for error texts."""

    name: Name
    source: SourceSpec
    stages: Annotated[list[StageSpec], Meta(max_length=32)] = msgspec.field(default_factory=list)
    zones: Annotated[list[ZoneSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    masks: Annotated[list[MaskSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    lines: Annotated[list[LineSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    rules: Annotated[list[RuleSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    plane: PlaneSpec | None = None
    schedule: ScheduleSpec = msgspec.field(default_factory=ScheduleSpec)
    evidence: EvidenceSpec | None = None
    file: str = ""
    places: dict[str, int] = msgspec.field(default_factory=dict)

    def slots(self) -> list[str]:
        """The slots that the stages use, each once."""
        return list(dict.fromkeys(s.model.removeprefix("slot:") for s in self.stages if s.model.startswith("slot:")))

    def at(self, *path: str | int) -> str:
        """Location of `path` for error texts: `hall.toml:12`; only the file or pipeline if the line is unknown."""
        line = line_of(self.places, *path)
        return f"{self.file}:{line}" if line is not None else self.file or f"pipeline {self.name!r}"

    def work(self) -> PipelineSpec:
        """The specification without its location: an added comment in the file does not change it."""
        return msgspec.structs.replace(self, file="", places={})


def config_digest(spec: PipelineSpec) -> str:
    """SHA-256 of the specification without its location: events with the same digest come from the same rules."""
    return hashlib.sha256(encode(spec.work())).hexdigest()


def read_pipeline(text: str, where: str) -> PipelineSpec:
    """Parse and check a pipeline.

    Raises:
        PipelineError: names file and line, and the wrong stage, zone, line or rule.
    """
    return pipeline_from_plain(toml.parse(text, where, PipelineError), where, lines_of(text))


def pipeline_from_plain(plain: dict[str, Any], where: str, lines: dict[str, int]) -> PipelineSpec:
    """Check a pipeline that was parsed already. lines: of every table and key, see `toml_lines`.

    Raises:
        PipelineError: names file and line, and the wrong stage, zone, line or rule.
    """
    rules = plain.get("rules")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        kind = rule.get("kind") if isinstance(rule, dict) else None
        if isinstance(kind, str) and kind not in RULE_KINDS:
            at = _at(where, lines, "rules", index, "kind")
            raise PipelineError(f"{at}: rule {rule.get('name')!r}: unknown kind {kind!r}; known are {_list(list(RULE_KINDS))}")
    try:
        spec = from_plain(plain, PipelineSpec)
    except MessageError as cause:
        raise PipelineError(f"{_at(where, lines, *_named(str(cause)))}: {cause}") from cause
    spec.file, spec.places = where, lines
    _refuse_unknown(spec, spec)
    check_pipeline(spec)
    return spec


def check_pipeline(spec: PipelineSpec) -> None:
    """Check that names are unique and references resolve.

    Raises:
        PipelineError: names the wrong reference, its line, and the existing names.
    """
    kinds = (("stage", spec.stages), ("zone", spec.zones), ("mask", spec.masks), ("line", spec.lines), ("rule", spec.rules))
    for what, items in kinds:
        names = [item.name for item in items]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise PipelineError(f"{spec.at(f'{what}s', index, 'name')}: two {what}s are called {name!r}")
    zones = [zone.name for zone in spec.zones]
    _check_stages(spec, zones)
    _check_rules(spec, zones)
    known = [rule.name for rule in spec.rules]
    strange = [name for name in (spec.evidence.rules if spec.evidence else []) if name not in known]
    if strange:
        raise PipelineError(f"{spec.at('evidence', 'rules')}: evidence names rule {strange[0]!r}; rules are {_list(known)}")


def _check_stages(spec: PipelineSpec, zones: list[str]) -> None:
    earlier: list[str] = []
    for index, stage in enumerate(spec.stages):
        when, keep = stage.when, stage.keep
        for key, name in (("from", stage.from_), *(("of", name) for name in stage.of), ("when", when.stage if when else "")):
            if name and name not in earlier:
                at = spec.at("stages", index, key)
                raise PipelineError(f"{at}: stage {stage.name!r} reads from {name!r}; earlier stages are {_list(earlier)}")
        for key, name in (
            *(("when", name) for name in ([when.zone] if when and when.zone else [])),
            *(("keep", name) for name in ([*keep.inside, *keep.outside] if keep else [])),
        ):
            if name not in zones:
                at = spec.at("stages", index, key)
                raise PipelineError(f"{at}: stage {stage.name!r} names zone {name!r}; zones are {_list(zones)}")
        earlier.append(stage.name)


def _check_rules(spec: PipelineSpec, zones: list[str]) -> None:
    lines, stages = [line.name for line in spec.lines], [stage.name for stage in spec.stages]
    for index, rule in enumerate(spec.rules):
        if (rule.zone or rule.kind in ZONE_KINDS) and rule.zone not in zones:
            at = spec.at("rules", index, "zone")
            raise PipelineError(f"{at}: rule {rule.name!r} names zone {rule.zone!r}; zones are {_list(zones)}")
        if (rule.line or rule.kind == "line") and rule.line not in lines:
            at = spec.at("rules", index, "line")
            raise PipelineError(f"{at}: rule {rule.name!r} names line {rule.line!r}; lines are {_list(lines)}")
        strange = next((name for name in rule.where if name not in stages), None)
        if strange is not None:
            at = spec.at("rules", index, "where")
            raise PipelineError(f"{at}: rule {rule.name!r} asks for {strange!r}; stages are {_list(stages)}")
        if rule.kind == "speed" and spec.plane is None:
            at = spec.at("rules", index, "kind")
            raise PipelineError(f"{at}: rule {rule.name!r} measures speed; add a [plane] with four points and their metres")


def _refuse_unknown(spec: PipelineSpec, value: Any, *path: str | int) -> None:
    """Refuse unknown keys: a misspelt key would have no effect."""
    if isinstance(value, Wire):
        fields = [field for field in msgspec.structs.fields(value) if field.name != "unknown_fields"]
        if value.unknown_fields:
            wrong = next(iter(value.unknown_fields))
            known = _list([field.encode_name for field in fields if field.name not in ("file", "places")])
            table = ".".join(part for part in path if isinstance(part, str)) or "the file"
            raise PipelineError(f"{spec.at(*path, wrong)}: {table} has no key {wrong!r}; known are {known}")
        for field in fields:
            _refuse_unknown(spec, getattr(value, field.name), *path, field.encode_name)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _refuse_unknown(spec, item, *path, index)


def _named(text: str) -> list[str]:
    """The path in a msgspec error, `... - at `$.stages[0].min_score``."""
    found = re.search(r"at `\$([^`]*)`", text)
    return re.findall(r"[A-Za-z0-9_-]+", found[1]) if found else []


def _at(where: str, lines: dict[str, int], *path: str | int) -> str:
    line = line_of(lines, *path)
    return where if line is None else f"{where}:{line}"


def _list(names: list[str]) -> str:
    return ", ".join(names) if names else "none"
