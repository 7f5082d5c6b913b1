"""A pipeline: one source, a graph of named stages, zones, lines and rules. Written as TOML.

`docs/examples` has examples. `docs/reference/pipeline.md` and its JSON Schema are made of the structs and of the text under each
field by `tools/write_reference.py`.

A spec read from a file holds the line number of every table and key, for errors that are found later.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import FieldError, Wire, encode, from_plain
from edgefleet_contract.encoding.names import Name
from edgefleet_contract.encoding.toml_lines import line_of, lines_of, path_steps

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
    """The source of frames or readings."""

    kind: Name
    """Kind of source; see the table of sources."""
    uri: str = ""
    """Address, path or device, depending on the kind."""
    credentials: Annotated[str, Meta(pattern=r"^([a-z0-9][a-z0-9_-]{0,63})?$")] = ""
    """Name of a user and password that are stored on the device."""
    pace: Literal["realtime", "fast"] = "realtime"
    """`realtime`: by the clock, the newest frame wins. `fast`: every frame, without pauses."""
    loop: bool = False
    """Begin again at the end; frame numbers and times go on."""
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0
    """Upper limit of analyzed frames a second. 0: no limit."""
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options of the kind."""


class WhenSpec(Wire):
    """Condition for running a model. A stage on the whole frame runs only while an earlier stage finds something; a `crops` stage
    runs only on such boxes of its input.
    """

    stage: str = ""
    """The earlier stage; in a `crops` stage always empty."""
    labels: list[str] = msgspec.field(default_factory=list)
    """Labels that count. Empty: all."""
    min_score: Score = 0.0
    """Least score that counts."""
    zone: str = ""
    """Zone that the box must be in. Empty: anywhere."""
    hold_s: Seconds = 0.0
    """The stage runs this much longer; not in a `crops` stage."""


class FilterSpec(Wire):
    """Filter for the boxes of a `detect` stage."""

    min_area: Fraction = 0.0
    """Least area of a box, as a share of the picture."""
    max_area: Fraction = 1.0
    """Largest area of a box, as a share of the picture."""
    min_ratio: Annotated[float, Meta(ge=0.0)] = 0.0
    """Least width / height of a box in pixels."""
    max_ratio: Positive = 1000.0
    """Largest width / height of a box in pixels."""
    scores: dict[str, Score] = msgspec.field(default_factory=dict)
    """Least score by label, instead of the stage's `min_score`, and not below it."""
    inside: list[str] = msgspec.field(default_factory=list)
    """Zones, one of which the anchor must be in."""
    outside: list[str] = msgspec.field(default_factory=list)
    """Zones that the anchor must not be in."""
    anchor: Anchor = "bottom"
    """Point of a box that is tested against zones."""


class StageSpec(Wire):
    """One node of the graph. A stage reads the source or earlier stages."""

    name: Name
    """Name, unique among the stages."""
    kind: Name
    """Kind of stage; see the table of stages."""
    from_: str = msgspec.field(default="", name="from")
    """The stage whose results are the input. Empty: the source, or the nearest earlier stage that fits."""
    of: list[str] = msgspec.field(default_factory=list)
    """Members of an `ensemble`."""
    model: str = ""
    """`slot:NAME`: the package that is active in the slot; `package:DIR`: a folder on this machine."""
    labels: list[str] = msgspec.field(default_factory=list)
    """Labels that are kept. Empty: all."""
    min_score: Score = 0.5
    """Least score of a result."""
    every: Annotated[int, Meta(ge=1, le=1000)] = 1
    """Only every n-th frame is analyzed."""
    when: WhenSpec | None = None
    keep: FilterSpec | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    """Options of the kind."""


class ZoneSpec(Wire):
    """An area of the picture for rules and conditions."""

    name: Name
    """Name, unique among the zones."""
    polygon: Polygon
    """Corners in fractions of width and height."""
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0
    """Analyzed frames a second while a track is in the zone, if more than in `[schedule]`. 0: unset."""


class MaskSpec(Wire):
    """A part of the picture that is removed before any other processing, for privacy."""

    name: Name
    """Name, unique among the masks."""
    polygon: Polygon
    """Corners in fractions of width and height."""
    fill: Literal["black", "blur"] = "black"
    """`black` leaves nothing; `blur` leaves patches of mean color."""


class PlaneSpec(Wire):
    """Four points of the picture and their positions on the ground; needed to measure speed."""

    points: tuple[Point, Point, Point, Point]
    """The points in fractions of width and height."""
    metres: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    """The same points on the ground, in metres from any origin."""
    anchor: Anchor = "bottom"
    """Point of a box that is on the ground."""


class LineSpec(Wire):
    """A directed segment. Seen along it from the first point to the second, crossing from left to right is the positive
    direction.
    """

    name: Name
    """Name, unique among the lines."""
    points: tuple[Point, Point]
    """The two ends in fractions of width and height."""
    forward: str = "forward"
    """Name of the direction from left to right, seen from the first point to the second."""
    backward: str = "backward"
    """Name of the direction from right to left."""


class RuleSpec(Wire):
    """A rule: it makes events of tracks, of sensors' values, or of other events."""

    name: Name
    """Name, unique among the rules."""
    kind: RuleKind
    """Kind of rule; see the table of rules."""
    zone: str = ""
    """Zone to which the rule is limited. Empty: the whole picture; `zone` and `loiter` require one."""
    line: str = ""
    """The line of a rule of kind `line`; `count` counts those who went over it."""
    labels: list[str] = msgspec.field(default_factory=list)
    """Labels of tracks that count. Empty: all."""
    where: dict[Name, list[str]] = msgspec.field(default_factory=dict)
    """`crops` stage to labels: only tracks with one of these as the stage's attribute count."""
    anchor: Anchor = "bottom"
    """Point of a box that is tested against zones and lines; `center` for cameras that point straight down."""
    stationary: Literal["count", "ignore"] = "count"
    """Whether stationary objects count."""
    min_s: Seconds = 0.6
    """Shorter stays are no events."""
    gap_s: Seconds = 0.6
    """Shorter gaps in a stay are closed."""
    every_s: Seconds = 10.0
    """Interval of the events of `count`."""
    after_s: Seconds = 30.0
    """Stay from which `loiter` reports."""
    mode: Literal["strict", "balanced", "loose"] = "balanced"
    """Evidence that `line` needs of a crossing: clearly on both sides, clearly over, or any change of sides."""
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 1
    """`crowd` reports more than this many at once."""
    limit_kmh: Positive = 30.0
    """`speed` reports more than this, in km/h."""
    channel: str = ""
    """Channel of the sensor, or feature of its windows, of a rule of kind `level`."""
    above: float | None = None
    """`level` reports values above this."""
    below: float | None = None
    """`level` reports values below this."""
    hysteresis: Annotated[float, Meta(ge=0.0)] = 0.0
    """The event of `level` ends when the value is this much inside the limit."""
    all: list[str] = msgspec.field(default_factory=list)
    """Rules, as `pipeline.rule`, that must all hold for `combine`."""
    none: list[str] = msgspec.field(default_factory=list)
    """Rules, as `pipeline.rule`, none of which may hold for `combine`."""
    settle_s: Annotated[float, Meta(ge=0.0, le=600.0)] = 3.0
    """Delay of `combine`, for late news of other pipelines."""


class ScheduleSpec(Wire):
    """This pipeline among others that share a model."""

    priority: Annotated[float, Meta(ge=0.1, le=100.0)] = 1.0
    """Share of the model's capacity if it does not suffice for all."""
    min_fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.5
    """Frames a second that are analyzed before other pipelines get more."""
    deadline_ms: Annotated[float, Meta(ge=0.0, le=60_000.0)] = 0.0
    """Older frames are skipped. 0: no limit."""
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0
    """Analyzed frames a second while no track is in a zone with an `fps` of its own. 0: every frame."""


class EvidenceSpec(Wire):
    """Snapshots and clips of events that are kept on the device."""

    snapshots: bool = True
    """A picture of the beginning of each event."""
    clips: bool = True
    """A video of each event."""
    pre_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    """Seconds of a clip before the event."""
    post_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    """Seconds of a clip after the event."""
    max_s: Annotated[float, Meta(ge=1.0, le=600.0)] = 60.0
    """Most seconds of the event itself in a clip."""
    rules: list[str] = msgspec.field(default_factory=list)
    """Rules whose events have evidence. Empty: all."""


class PipelineSpec(Wire):
    """The whole pipeline. file, places: its position in the file, for error texts."""

    name: Name
    """Name of the pipeline."""
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
    except FieldError as cause:
        raise PipelineError(f"{_at(where, lines, *path_steps(cause.path))}: {cause}") from cause
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


def _at(where: str, lines: dict[str, int], *path: str | int) -> str:
    line = line_of(lines, *path)
    return where if line is None else f"{where}:{line}"


def _list(names: list[str]) -> str:
    return ", ".join(names) if names else "none"
