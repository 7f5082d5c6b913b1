"""Bodies of the REST API v1 about devices, their telemetry, events and commands. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_server.api.schemas.fields import Against, DeviceStatus, LabelKey, LabelValue, StrictModel
from edgefleet_server.api.schemas.fleet.device_admin import Pin
from edgefleet_server.api.schemas.rollouts.rollouts import AttemptRow


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
    """`drift_since_at`: time since which the device has not run the assigned package. `against`: whom the reason speaks against;
    null without a reason."""

    slot: str
    phase: str
    running: RunningModel | None
    target: TargetModel | None
    on_target: bool
    drift_since_at: float | None
    reason: str
    against: Against | None = None
    detail: str
    since_at: float
    bytes_done: int
    bytes_total: int
    attempt: str | None


class DeviceRow(BaseModel):
    """`status`: the first that applies of attention, offline, updating, online. `flapping`: the device reconnects frequently.
    `reported_labels`: those that the device gives itself and that are none of its labels: they select nothing."""

    id: str
    online: bool
    status: DeviceStatus
    last_seen_at: float
    online_since_at: float | None
    agent_version: str
    profile: str
    labels: dict[str, str]
    reported_labels: dict[str, str] = Field(default_factory=dict)
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


class SourceReason(BaseModel):
    """A cause for which a source gave nothing, and what to do. `at`, `until`: its last occurrence; `until` 0: it lasts."""

    state: str
    text: str
    at: float
    until: float = 0.0
    times: int = 1


class PipelineGauges(BaseModel):
    """One pipeline over the last window. `reason`: why its source gives nothing now; empty: it does. `reasons`: those of the
    window. `labels`: boxes and crops by the most frequent labels; the rest under an empty name."""

    state: str = ""
    camera_fps: float = 0.0
    process_fps: float = 0.0
    skipped_fps: float = 0.0
    quiet_fps: float = 0.0
    detection_fps: float = 0.0
    crops_fps: float = 0.0
    crops_shed: int = 0
    boxes_shed: int = 0
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
    reason: str = ""
    reasons: list[SourceReason] = Field(default_factory=list)
    labels: dict[str, int] = Field(default_factory=dict)


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
    frames_empty: int = 0


class TelemetryPoint(BaseModel):
    """One sample of a device. `worker_private_bytes`: memory of the worker's own, without files and shared memory.
    `worker_ceiling_bytes`: above it the worker is restarted; 0: not known. `memory_fault`: what is wrong with its memory, or was
    within the last day."""

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
    worker_private_bytes: int = 0
    worker_ceiling_bytes: int = 0
    memory_fault: str = ""


class TelemetrySeries(BaseModel):
    """Oldest first; thinned evenly if there are more than requested."""

    points: list[TelemetryPoint]


class DeviceDetail(DeviceRow):
    """`capabilities`: as reported; none by an agent before 0.3.0."""

    hardware: dict[str, str]
    runtimes: list[str]
    capabilities: list[str] = Field(default_factory=list)
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
    """`warnings`: labels of the request that no device has."""

    items: list[DeviceRow]
    total: int
    warnings: list[str] = Field(default_factory=list)


class LabelsPatch(StrictModel):
    """The new labels of the device; labels that are not listed are removed."""

    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=64)]


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
