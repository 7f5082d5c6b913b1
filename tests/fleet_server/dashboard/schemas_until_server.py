from __future__ import annotations
from typing import Any, Literal
from pydantic import BaseModel

class BrokerHealth(BaseModel):
    state: Literal["up", "down"]
    url: str
class Health(BaseModel):
    status: str
    version: str
    broker: BrokerHealth
    database: str
class VersionShare(BaseModel):
    slot: str
    package: str
    version: str
    digest: str
    count: int
class ServerInfo(BaseModel):
    version: str
    started_at: float
    broker: BrokerHealth
class Overview(BaseModel):
    devices_total: int
    online: int
    offline: int
    updating: int
    attention: int
    versions: list[VersionShare]
    rollouts_active: int
    events_24h: int
    telemetry_per_s: float
    server: ServerInfo
class RunningModel(BaseModel):
    package: str
    version: str
    digest: str
    variant: str
    runtime: str
    placement: str
    since_at: float
class TargetModel(BaseModel):
    package: str
    version: str
    digest: str
class SlotRow(BaseModel):
    slot: str
    stage: str
    running: RunningModel | None
    target: TargetModel | None
    on_target: bool
    reason: str
    detail: str
    since_at: float
    bytes_done: int
    bytes_total: int
    attempt: str | None
DeviceStatus = Literal["online", "offline", "updating", "attention"]
class DeviceRow(BaseModel):
    id: str
    online: bool
    status: DeviceStatus
    last_seen_at: float
    online_since_at: float | None
    agent_version: str
    profile: str
    labels: dict[str, str]
    attention: list[str]
    slots: list[SlotRow]
    fps: float
    latency_p95_ms: float
    dropped_per_s: float
    temperature_c: float | None
    cpu_percent: float
class StageLatency(BaseModel):
    p50_ms: float
    p95_ms: float
    max_ms: float
class PipelineGauges(BaseModel):
    state: str
    camera_fps: float
    process_fps: float
    skipped_fps: float
    frames_total: int
    dropped: dict[str, int]
    latency: dict[str, StageLatency]
    frame_age_ms: float
    coverage: float
    detections_per_frame: float
    confidence: list[int]
    model: str
    model_digest: str
    placement: str
class TelemetryPoint(BaseModel):
    at: float
    window_s: float
    pipelines: dict[str, PipelineGauges]
    cpu_percent: float
    supervisor_rss_bytes: int
    worker_rss_bytes: int
    temperature_c: float | None
    disk_free_bytes: int
    outbox_records: int
    outbox_lost: int
    worker_restarts: int
class TelemetrySeries(BaseModel):
    points: list[TelemetryPoint]
AttemptState = Literal["queued", "offered", "accepted", "rejected", "fetching", "verified", "staged", "waiting_window", "trial", "committed", "rolled_back", "rollback_failed", "timed_out", "superseded", "cancelled", "incompatible", "already_installed"]
class AttemptRow(BaseModel):
    id: str
    rollout: int
    device: str
    wave: int
    number: int
    state: AttemptState
    reason: str
    detail: str
    why: str
    bytes_done: int
    bytes_total: int
    offered_at: float | None
    updated_at: float
    finished_at: float | None
    online: bool
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
    attempts: list[AttemptRow]
class LabelsPatch(BaseModel):
    labels: dict[str, str]
class DevicePage(BaseModel):
    items: list[DeviceRow]
    total: int
class EventRow(BaseModel):
    id: int
    device: str
    received_at: float
    event: dict[str, Any]
class EventPage(BaseModel):
    items: list[EventRow]
    next_before_id: int | None
class CommandRequest(BaseModel):
    op: str
    args: dict[str, Any] = {}
    deadline_s: float = 30.0
class CommandRow(BaseModel):
    id: str
    device: str
    op: str
    state: Literal["pending", "done", "failed", "expired"]
    detail: str
    result: dict[str, Any]
    created_at: float
    finished_at: float | None
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
    state: str
    created_at: float
class ModelDetail(ModelVersion):
    files: list[ModelFile]
    provenance: dict[str, Any]
    head: HeadInfo
    rollouts: list[RolloutRef]
class Selector(BaseModel):
    all: bool = False
    ids: list[str] = []
    labels: dict[str, str] = {}
class WaveSpec(BaseModel):
    name: str
    percent: float | None = None
    count: int | None = None
class PreviewRequest(BaseModel):
    package: str
    version: str
    slot: str = "detector"
    selector: Selector
    waves: list[WaveSpec]
class IneligibleDevice(BaseModel):
    device: str
    reason: str
class WaveCount(BaseModel):
    name: str
    count: int
class Preview(BaseModel):
    eligible: int
    ineligible: list[IneligibleDevice]
    already: int
    offline: int
    waves: list[WaveCount]
    bytes_total: int
class GateSpec(BaseModel):
    error_percent_max: float = 10.0
    reported_min: int = 3
    offline_s: float = 120.0
    soak_s: float = 10.0
class PolicySpec(BaseModel):
    trial_s: float = 20.0
    trial_frames_min: int = 10
class RolloutRequest(BaseModel):
    name: str
    package: str
    version: str
    slot: str = "detector"
    selector: Selector
    waves: list[WaveSpec]
    gate: GateSpec
    policy: PolicySpec
    wave_timeout_s: float
    start: bool = True
class GateState(BaseModel):
    failed: int
    reported: int
    reported_min: int
    error_percent: float
    error_percent_max: float
    verdict: Literal["waiting", "holding", "breached", "passed"]
    text: str
class Wave(BaseModel):
    index: int
    name: str
    state: Literal["pending", "running", "soaking", "passed", "failed", "skipped"]
    total: int
    counts: dict[str, int]
    committed: int
    failed: int
    reported: int
    gate: GateState
    started_at: float | None
    finished_at: float | None
RolloutState = Literal["draft", "running", "paused", "completed", "aborting", "aborted", "rolling_back", "rolled_back"]
class Rollout(BaseModel):
    id: int
    name: str
    package: str
    version: str
    digest: str
    slot: str
    state: RolloutState
    state_reason: str
    created_at: float
    started_at: float | None
    finished_at: float | None
    selector: Selector
    gate: GateSpec
    policy: PolicySpec
    wave_timeout_s: float
    total: int
    counts: dict[str, int]
    waves: list[Wave]
class RolloutPage(BaseModel):
    items: list[Rollout]
    total: int
class AttemptPage(BaseModel):
    items: list[AttemptRow]
    total: int
class TimelineItem(BaseModel):
    at: float
    kind: str
    text: str
    wave: int | None
    device: str | None
class Timeline(BaseModel):
    items: list[TimelineItem]
class ActionRequest(BaseModel):
    reason: str = ""
