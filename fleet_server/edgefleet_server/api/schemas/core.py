"""Bodies of the REST API v1. Times (`*_at`) are float seconds since 1970, durations end in `_s`, sizes in `_bytes`.

`docs/openapi.json` is generated from the models of this package, and is a contract. The telemetry models mirror
`edgefleet_contract.wire.messages` field by field (a test compares them), because the dashboard's types are generated from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_server.api.schemas.device_admin import Pin
from edgefleet_server.api.schemas.fields import DeviceStatus, LabelKey, LabelValue, RolloutState, StrictModel
from edgefleet_server.api.schemas.rollouts import AttemptRow, Rollout


class Problem(BaseModel):
    """Body of every error that is not a validation error: one line with the error and its remedy."""

    detail: str


# -- server


class BrokerHealth(BaseModel):
    """`devices_max`: limit of connected devices of the managed broker (open files); null = unknown."""

    state: Literal["up", "down"]
    url: str
    devices_max: int | None = None


class BlockTraffic(BaseModel):
    """Blocks of models sent over MQTT since the server started; a broadcast counts once, regardless of the number of
    receivers."""

    broadcasts: int = 0
    sent_alone: int = 0
    sent_bytes: int = 0


class Health(BaseModel):
    """`status`: degraded if the broker is down, or the database damaged or not writable. `database_fault`: what is damaged
    in the database, and what to do; it is not written to then. Empty = nothing found. `database_unwritable_since`: wall time of
    the first refused write, for example on a full disk; null if the latest one succeeded. `storage_warnings`: reasons why stored
    data is damaged or could be lost, or nothing is stored, with what to do. `address_warnings`: reasons why devices on other
    machines cannot reach the broker at the address that they are given, with what to do."""

    status: Literal["ok", "degraded"] = "ok"
    version: str
    broker: BrokerHealth
    database: Literal["ok"] = "ok"
    database_fault: str = ""
    database_unwritable_since: float | None = None
    blocks: BlockTraffic = BlockTraffic()
    storage_warnings: list[str] = Field(default_factory=list)
    address_warnings: list[str] = Field(default_factory=list)


class VersionShare(BaseModel):
    """Number of devices that run this package in this slot."""

    slot: str
    package: str
    version: str
    digest: str
    count: int


class ServerInfo(BaseModel):
    """`storage_warnings`: reasons why stored data is damaged or could be lost, `address_warnings`: why devices on other machines
    cannot reach the broker, each with what to do."""

    version: str
    started_at: float
    broker: BrokerHealth
    storage_warnings: list[str] = Field(default_factory=list)
    address_warnings: list[str] = Field(default_factory=list)


class Overview(BaseModel):
    """Counts for the whole fleet. A device may count as online, updating and in need of attention at the same time. `on_target`:
    devices that run the assigned package in every slot with an assignment. `degraded`: connected devices whose latest sample has
    warnings (a stalled camera, few processed frames, high temperature, a full disk)."""

    devices_total: int
    online: int
    offline: int
    updating: int
    attention: int
    degraded: int
    on_target: int
    flapping: int
    versions: list[VersionShare]
    rollouts_active: int
    alerts_open: int
    events_24h: int
    telemetry_per_s: float
    server: ServerInfo


# -- devices


class RunningModel(BaseModel):
    """The package that a slot runs according to the device's report, with its variant, runtime and placement.

    placement_reason: the reason for which it is not on the device that comes first; empty if it is."""

    package: str
    version: str
    digest: str
    variant: str = ""
    runtime: str = ""
    placement: str = ""
    placement_reason: str = ""
    since_at: float = 0.0


class TargetModel(BaseModel):
    package: str
    version: str
    digest: str


class SlotRow(BaseModel):
    """`drift_since_at`: time since which the device has not run the assigned package."""

    slot: str
    phase: str
    running: RunningModel | None
    target: TargetModel | None
    on_target: bool
    drift_since_at: float | None
    reason: str
    detail: str
    since_at: float
    bytes_done: int
    bytes_total: int
    attempt: str | None


class DeviceRow(BaseModel):
    """`status`: the first that applies of attention, offline, updating, online. `flapping`: the device reconnects frequently."""

    id: str
    online: bool
    status: DeviceStatus
    last_seen_at: float
    online_since_at: float | None
    agent_version: str
    profile: str
    labels: dict[str, str]
    attention: list[str]
    flapping: bool
    slots: list[SlotRow]
    fps: float
    latency_p95_ms: float
    dropped_per_s: float
    temperature_c: float | None
    cpu_percent: float


class StageLatency(BaseModel):
    p50_ms: float = 0.0
    p95_ms: float = 0.0
    max_ms: float = 0.0


class PipelineGauges(BaseModel):
    """One pipeline over the last window."""

    state: str = ""
    camera_fps: float = 0.0
    process_fps: float = 0.0
    skipped_fps: float = 0.0
    quiet_fps: float = 0.0
    detection_fps: float = 0.0
    crops_fps: float = 0.0
    crops_shed: int = 0
    frames_total: int = 0
    dropped: dict[str, int] = Field(default_factory=dict)
    latency: dict[str, StageLatency] = Field(default_factory=dict)
    frame_age_ms: float = 0.0
    coverage: float = 1.0
    detections_per_frame: float = 0.0
    confidence: list[int] = Field(default_factory=list)
    model: str = ""
    model_digest: str = ""
    placement: str = ""


class ShadowGauges(BaseModel):
    """A shadow candidate of a slot: `frames` of `frames_offered` were processed by candidate and incumbent; `agreement` 0..1."""

    model: str = ""
    model_digest: str = ""
    frames: int = 0
    frames_offered: int = 0
    errors: int = 0
    agreement: float = 0.0
    latency: StageLatency = Field(default_factory=StageLatency)
    incumbent_latency: StageLatency = Field(default_factory=StageLatency)
    confidence: float = 0.0
    incumbent_confidence: float = 0.0
    paused_by_heat: bool = False


class TelemetryPoint(BaseModel):
    """One sample of a device."""

    at: float
    window_s: float = 0.0
    pipelines: dict[str, PipelineGauges] = Field(default_factory=dict)
    shadows: dict[str, ShadowGauges] = Field(default_factory=dict)
    cpu_percent: float = 0.0
    supervisor_rss_bytes: int = 0
    worker_rss_bytes: int = 0
    temperature_c: float | None = None
    disk_free_bytes: int = 0
    outbox_records: int = 0
    outbox_lost: int = 0
    outbox_damaged_files: int = 0
    worker_restarts: int = 0


class TelemetrySeries(BaseModel):
    """Oldest first; thinned evenly if there are more than requested."""

    points: list[TelemetryPoint]


class DeviceDetail(DeviceRow):
    hardware: dict[str, str]
    runtimes: list[str]
    boot: str
    connection: int
    generation_desired: int
    generation_reported: int
    first_seen_at: float
    disk_free_bytes: int
    pipelines: dict[str, PipelineGauges]
    pipeline_states: dict[str, str]
    attempts: list[AttemptRow]
    pins: list[Pin]
    excluded_until: float | None


class DevicePage(BaseModel):
    items: list[DeviceRow]
    total: int


class LabelsPatch(StrictModel):
    """The new labels of the device; labels that are not listed are removed."""

    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=64)]


class EventRow(BaseModel):
    """`event`: the device's record (`wire.messages.Event`). `evidence`: kinds of its uploaded evidence (`get_evidence`); always
    empty in the live stream, which is faster than the uploads.
    """

    id: int
    device: str
    received_at: float
    event: dict[str, Any]
    evidence: list[Literal["snapshot", "clip"]]


class EventPage(BaseModel):
    """Newest first. `next_before_id` is the `before_id` of the following page."""

    items: list[EventRow]
    next_before_id: int | None


class CommandRequest(StrictModel):
    op: Annotated[str, Field(pattern=NAME_PATTERN, max_length=32)]
    args: dict[str, Any] = Field(default_factory=dict)
    deadline_s: Annotated[float, Field(gt=0, le=86_400)] = 30.0


class CommandRow(BaseModel):
    id: str
    device: str
    op: str
    state: Literal["pending", "done", "failed", "expired"]
    detail: str
    result: dict[str, Any]
    created_at: float
    finished_at: float | None


# -- models


class ModelVariant(BaseModel):
    name: str
    format: str
    precision: str
    runtimes: list[str]
    profiles: list[str]
    length_bytes: int


class ModelVersion(BaseModel):
    name: str
    version: str
    digest: str
    title: str
    task: str
    description: str
    licence: str
    created_at: float
    length_bytes: int
    labels: list[str]
    card: dict[str, Any]
    epoch: int
    variants: list[ModelVariant]
    golden_count: int
    running_on: int


class ModelRow(BaseModel):
    """A model and its versions, newest version first."""

    name: str
    title: str
    task: str
    latest: str
    versions: list[ModelVersion]


class ModelList(BaseModel):
    items: list[ModelRow]


class ModelFile(BaseModel):
    path: str
    length: int
    sha256: str


class HeadInfo(BaseModel):
    family: str
    params: dict[str, Any]


class RolloutRef(BaseModel):
    id: int
    name: str
    state: RolloutState
    created_at: float


class ModelDetail(ModelVersion):
    files: list[ModelFile]
    provenance: dict[str, Any]
    head: HeadInfo
    rollouts: list[RolloutRef]


# -- stream


class TelemetryMessage(BaseModel):
    """Data of a `telemetry` message; only with topic `device:ID`."""

    device: str
    point: TelemetryPoint


StreamMessage = Overview | DeviceRow | TelemetryMessage | Rollout | AttemptRow | EventRow
"""Data of a server-sent event, by its name: overview, device, telemetry, rollout, attempt, event."""
