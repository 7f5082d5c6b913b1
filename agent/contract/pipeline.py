"""A pipeline: one source, a graph of named stages, zones, lines and rules. Written as TOML.

name = "hall"

[source]
kind = "file"                 # a row of the sources table: file, rtsp, ...
uri = "visitors.mp4"
pace = "realtime"             # realtime | fast (as fast as it goes)
loop = true

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"       # what the slot runs now; or "package:DIR" for a folder on this machine
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
kind = "visit"                # visit | zone | line | count; of sensors: anomaly
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from agent.contract import toml
from agent.contract.codec import Wire, encode
from agent.contract.names import Name
from agent.errors import PipelineError

Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]
Point = tuple[Fraction, Fraction]
RuleKind = Literal["visit", "zone", "line", "count", "anomaly"]
RULE_KINDS: tuple[str, ...] = get_args(RuleKind)
Score = Annotated[float, Meta(ge=0.0, le=1.0)]


class SourceSpec(Wire):
    """Where frames come from. `options` belong to the kind. `credentials` names a user and a password that the device has."""

    kind: Name
    uri: str = ""
    credentials: Annotated[str, Meta(pattern=r"^([a-z0-9][a-z0-9_-]{0,63})?$")] = ""
    pace: Literal["realtime", "fast"] = "realtime"
    loop: bool = False
    fps: Annotated[float, Meta(ge=0.0, le=240.0)] = 0.0
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class StageSpec(Wire):
    """One node of the graph. `from_` ("from" in TOML) names the stage it reads; the first stage reads the source."""

    name: Name
    kind: Name
    from_: str = msgspec.field(default="", name="from")
    model: str = ""
    labels: list[str] = msgspec.field(default_factory=list)
    min_score: Score = 0.5
    every: Annotated[int, Meta(ge=1, le=1000)] = 1
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class ZoneSpec(Wire):
    """A polygon in fractions of width and height."""

    name: Name
    polygon: Annotated[list[Point], Meta(min_length=3, max_length=64)]


class LineSpec(Wire):
    """A directed segment. Looking along it from the first point to the second, `left_to_right` is the positive direction."""

    name: Name
    points: tuple[Point, Point]
    forward: str = "forward"
    backward: str = "backward"


class RuleSpec(Wire):
    """What becomes an event. `zone` / `line` name what the rule looks at (a count without either looks at the whole picture);
    `labels` empty = all. `anchor`: the point of a box that counts for zones and lines; `center` where the camera looks straight
    down.
    """

    name: Name
    kind: RuleKind
    zone: str = ""
    line: str = ""
    labels: list[str] = msgspec.field(default_factory=list)
    anchor: Literal["bottom", "center"] = "bottom"
    min_s: Annotated[float, Meta(ge=0.0)] = 0.6
    gap_s: Annotated[float, Meta(ge=0.0)] = 0.6
    every_s: Annotated[float, Meta(ge=0.0)] = 10.0


class EvidenceSpec(Wire):
    """What is kept of events on the device: a picture when one begins, a clip with `pre_s` before and `post_s` after it, of
    which at most `max_s` show the event itself. `rules` empty = all.
    """

    snapshots: bool = True
    clips: bool = True
    pre_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    post_s: Annotated[float, Meta(ge=0.0, le=60.0)] = 5.0
    max_s: Annotated[float, Meta(ge=1.0, le=600.0)] = 60.0
    rules: list[str] = msgspec.field(default_factory=list)


class PipelineSpec(Wire):
    """The whole pipeline."""

    name: Name
    source: SourceSpec
    stages: Annotated[list[StageSpec], Meta(min_length=1, max_length=32)]
    zones: Annotated[list[ZoneSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    lines: Annotated[list[LineSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    rules: Annotated[list[RuleSpec], Meta(max_length=64)] = msgspec.field(default_factory=list)
    evidence: EvidenceSpec | None = None

    def slots(self) -> list[str]:
        """The slots that the stages use, each once."""
        return list(dict.fromkeys(s.model.removeprefix("slot:") for s in self.stages if s.model.startswith("slot:")))


def config_digest(spec: PipelineSpec) -> str:
    """SHA-256 of the specification as it runs: two events with the same one were made by the same rules."""
    return hashlib.sha256(encode(spec)).hexdigest()


def read_pipeline(text: str, where: str) -> PipelineSpec:
    """Parse and check a pipeline.

    Raises:
        PipelineError: names the file and the stage, zone, line or rule at fault.
    """
    plain = toml.parse(text, where, PipelineError)
    rules = plain.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        kind = rule.get("kind") if isinstance(rule, dict) else None
        if isinstance(kind, str) and kind not in RULE_KINDS:
            raise PipelineError(f"{where}: rule {rule.get('name')!r}: unknown kind {kind!r}; known are {_list(list(RULE_KINDS))}")
    spec = toml.read(text, PipelineSpec, where, PipelineError)
    check_pipeline(spec, where)
    return spec


def check_pipeline(spec: PipelineSpec, where: str) -> None:
    """Names are unique and references lead somewhere.

    Raises:
        PipelineError: names the reference at fault and what exists.
    """
    for what, items in (("stage", spec.stages), ("zone", spec.zones), ("line", spec.lines), ("rule", spec.rules)):
        names = [item.name for item in items]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise PipelineError(f"{where}: two {what}s are called {twice!r}")
    earlier: list[str] = []
    for stage in spec.stages:
        if stage.from_ and stage.from_ not in earlier:
            known = _list(earlier)
            raise PipelineError(f"{where}: stage {stage.name!r} reads from {stage.from_!r}; earlier stages are {known}")
        earlier.append(stage.name)
    zones, lines = [zone.name for zone in spec.zones], [line.name for line in spec.lines]
    for rule in spec.rules:
        if (rule.zone or rule.kind == "zone") and rule.zone not in zones:
            raise PipelineError(f"{where}: rule {rule.name!r} names zone {rule.zone!r}; zones are {_list(zones)}")
        if (rule.line or rule.kind == "line") and rule.line not in lines:
            raise PipelineError(f"{where}: rule {rule.name!r} names line {rule.line!r}; lines are {_list(lines)}")
    strange = [name for name in (spec.evidence.rules if spec.evidence else []) if name not in [rule.name for rule in spec.rules]]
    if strange:
        known = _list([rule.name for rule in spec.rules])
        raise PipelineError(f"{where}: evidence names rule {strange[0]!r}; rules are {known}")


def _list(names: list[str]) -> str:
    return ", ".join(names) if names else "none"
