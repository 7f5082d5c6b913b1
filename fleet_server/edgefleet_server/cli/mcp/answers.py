"""Small typed answers of the tools: what a model needs of the REST API's objects, with limits. Times are UTC in ISO 8601."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

TEXT_CHARS_MAX: Final = 500
LIST_MAX: Final = 50
"""Limits of a text of a device or user, and of a list within an object; longer ones are cut."""


def _time(value: object) -> object:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")
    return value


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > TEXT_CHARS_MAX:
        return value[:TEXT_CHARS_MAX] + "…"
    return value


def _first(value: object) -> object:
    return value[:LIST_MAX] if isinstance(value, list) else value


Time = Annotated[str, BeforeValidator(_time)]
Text = Annotated[str, BeforeValidator(_short)]


class Answer(BaseModel):
    """Base of answers: fields of the REST API that are not listed are left out."""

    model_config = ConfigDict(extra="ignore")


class PackageName(Answer):
    package: str
    version: str


class VersionCount(PackageName):
    slot: str
    count: int


class FleetOverview(Answer):
    """Counts of devices; one may count as online, updating and in need of attention at once."""

    devices_total: int
    online: int
    offline: int
    updating: int
    attention: int
    degraded: int
    flapping: int
    on_target: int
    rollouts_active: int
    alerts_open: int
    events_24h: int
    versions: Annotated[list[VersionCount], BeforeValidator(_first)]
    server_version: str
    broker: str
    warnings: list[Text]


class Slot(Answer):
    """`on_target`: it runs the assigned package; `reason`, `detail`: why it does not."""

    slot: str
    phase: str
    on_target: bool
    reason: str
    detail: Text
    running: PackageName | None
    target: PackageName | None


class Device(Answer):
    """`attention`: the reasons why it needs attention."""

    id: str
    status: str
    online: bool
    attention: list[Text]
    flapping: bool
    profile: str
    agent_version: str
    last_seen_at: Time
    labels: dict[str, Text]
    reported_labels: dict[str, Text] = Field(default_factory=dict)
    fps: float
    latency_p95_ms: float
    dropped_per_s: float
    cpu_percent: float
    temperature_c: float | None
    slots: list[Slot]


class DevicePage(Answer):
    items: list[Device]
    total: int
    page: int
    size: int


class Attempt(Answer):
    """One try of one device; `outcome`: what it counts as; `against`: whom its reason speaks against; `explanation`: why it is
    not done, or its result."""

    device: str
    rollout: int
    wave: int
    number: int
    state: str
    outcome: str
    reason: str
    against: str | None
    detail: Text
    explanation: Text
    online: bool
    updated_at: Time


class DevicePin(PackageName):
    slot: str
    reason: Text
    pinned_by: str


class DeviceDetail(Device):
    first_seen_at: Time
    online_since_at: Time | None
    excluded_until: Time | None
    hardware: dict[str, Text]
    runtimes: list[str]
    disk_free_bytes: int
    pipeline_states: dict[str, Text]
    pins: Annotated[list[DevicePin], BeforeValidator(_first)]
    attempts: Annotated[list[Attempt], BeforeValidator(_first)]


class FigureSummary(Answer):
    mean: float
    low: float
    high: float
    p50: float
    p95: float
    count: int


class MetricPoint(Answer):
    """`figures`: by name, for example fps, latency_p95_ms, dropped_percent, temperature_c."""

    at: Time
    figures: dict[str, FigureSummary]


class MetricSeries(Answer):
    """Oldest first, one point for each minute or hour with data; a gap is time without data."""

    device: str
    span_s: int
    points: list[MetricPoint]


class Variant(Answer):
    name: str
    precision: str
    runtimes: list[str]
    profiles: list[str]
    length_bytes: int


class ModelVersion(Answer):
    name: str
    version: str
    title: Text
    task: str
    description: Text
    licence: str
    created_at: Time
    running_on: int
    length_bytes: int
    variants: list[Variant]


class ModelSummary(Answer):
    name: str
    task: str
    title: Text
    latest: str
    versions: Annotated[list[str], BeforeValidator(_first)]


class ModelPage(Answer):
    items: list[ModelSummary]
    total: int
    page: int
    size: int


class CoverageRow(Answer):
    """Devices of one profile; `variant` null: they cannot run the version, for `reason`."""

    profile: str
    devices: int
    online: int
    running: int
    variant: str | None
    runtime: str | None
    reason: Text


class VersionCoverage(Answer):
    """`covered` of `devices` can run the version."""

    version: ModelVersion
    covered: int
    devices: int
    rows: Annotated[list[CoverageRow], BeforeValidator(_first)]


class Gate(Answer):
    """`failed` of `reported` devices failed; the limit is `error_percent_max`, from `reported_min` reports on."""

    verdict: str
    failed: int
    reported: int
    reported_min: int
    error_percent: float
    error_percent_max: float
    text: Text


class WaveState(Answer):
    index: int
    name: str
    state: str
    total: int
    committed: int
    failed: int
    reported: int
    approval: bool
    approved_by: str | None
    gate: Gate


class SequentialTest(Answer):
    """The test over the whole rollout: it stops when `e_value` reaches `e_value_needed`. `step`: number of devices that may be on
    their way at once; null = a whole wave."""

    failed: int
    tried: int
    profile: str
    tolerated_percent: float
    confidence_percent: float
    e_value: float
    e_value_needed: float
    failures_to_stop: int | None
    step: int | None


class RolloutSummary(Answer):
    """`counts`: devices by state of their latest attempt; `outcomes`: the same by what they count as. Devices that `faulted` (by
    their own fault, the transfer's or the set-up's) or were `restored` by an operator have not failed."""

    id: int
    name: str
    state: str
    state_reason: Text
    package: str
    version: str
    slot: str
    created_by: str
    created_at: Time
    finished_at: Time | None
    total: int
    counts: dict[str, int]
    outcomes: dict[str, int]


class RolloutPage(Answer):
    items: list[RolloutSummary]
    total: int
    page: int
    size: int


class TimelineItem(Answer):
    at: Time
    kind: str
    text: Text
    device: str | None
    wave: int | None


class RolloutDetail(RolloutSummary):
    """`timeline`: the latest events, oldest first; `failed_attempts`: those that failed last, by a fault of the version or
    another one (`against`)."""

    approved_by: str | None
    selector: dict[str, Any]
    waves: list[WaveState]
    sequential_test: SequentialTest | None
    timeline: list[TimelineItem]
    failed_attempts: list[Attempt]


class AttemptPage(Answer):
    items: list[Attempt]
    total: int
    page: int
    size: int


class Event(Answer):
    """`event`: the device's record; `evidence`: what `get_event_snapshot` can show."""

    id: int
    device: str
    received_at: Time
    event: dict[str, Any]
    evidence: list[str]


class EventPage(Answer):
    """Newest first; `next_before_id`: argument `before_id` of the following page."""

    items: list[Event]
    next_before_id: int | None


class Alert(Answer):
    """`subject`: a device, or a rollout; open while `ended_at` is null."""

    id: int
    rule_name: str
    severity: str
    subject: str
    rollout: int | None
    text: Text
    value: float
    began_at: Time
    ended_at: Time | None
    acknowledged_by: str


class AlertList(Answer):
    items: list[Alert]


class AuditRecord(Answer):
    seq: int
    at: Time
    actor: str
    role: str
    via: str
    action: str
    target: Text
    status: int
    detail: Text


class AuditPage(Answer):
    """Newest first; `next_before_seq`: argument `before_seq` of the following page."""

    items: list[AuditRecord]
    next_before_seq: int | None


class Group(Answer):
    name: str
    note: Text
    count: int
    selector: dict[str, Any]


class GroupPage(Answer):
    items: list[Group]
    total: int
    page: int
    size: int


class ProposalAnswer(Answer):
    """A change that waits for a person, or its outcome. `state`: pending, approved, failed, rejected or expired; nothing has
    changed unless it is approved. `reason`: that of the person; `outcome`: what the approved request did, or why it failed."""

    id: int
    state: str
    summary: Text
    operation: str
    method: str
    path: str
    body: Any
    note: Text
    checked: str
    made_at: Time
    expires_at: Time
    decided_by: str
    reason: Text
    status: int
    outcome: Text


class ProposalPage(Answer):
    items: list[ProposalAnswer]
    total: int
    page: int
    size: int
