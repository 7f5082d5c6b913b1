"""Types of the operations about devices.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from edgefleet_client.not_required import NotRequired
from edgefleet_client.schemas.core import AttemptRow, Selector


class BulkRefusal(TypedDict):
    """Fields of BulkRefusal."""

    device: str
    reason: str


class BulkRequest(TypedDict):
    """One action for many devices: those of the group or of the selector. `command` needs `op`; `label` sets and removes
    labels (null = remove); `release` ends the exclusion of devices; `pin` (to `package` and `version`, or to the version
    that each runs now) and `unpin` need `slot`; `block` and `decommission` end sessions and accept at most 500 devices.
    `reason`: for pins and blocks."""

    action: Literal["command", "label", "release", "pin", "unpin", "block", "decommission"]
    args: NotRequired[dict[str, Any]]
    deadline_s: NotRequired[float]
    group: NotRequired[str | None]
    labels: NotRequired[dict[str, str | None]]
    op: NotRequired[str | None]
    package: NotRequired[str | None]
    reason: NotRequired[str]
    selector: NotRequired[Selector | None]
    slot: NotRequired[str | None]
    version: NotRequired[str | None]


class BulkResponse(TypedDict):
    """`commands`: the id of each device's command. `refused`: devices for which the action failed, with the reason."""

    commands: dict[str, str]
    devices: int
    done: int
    refused: list[BulkRefusal]


class CommandRequest(TypedDict):
    """Fields of CommandRequest."""

    args: NotRequired[dict[str, Any]]
    deadline_s: NotRequired[float]
    op: str


class CommandRow(TypedDict):
    """Fields of CommandRow."""

    created_at: float
    detail: str
    device: str
    finished_at: float | None
    id: str
    op: str
    result: dict[str, Any]
    state: Literal["pending", "done", "failed", "expired"]


class DeviceDetail(TypedDict):
    """`capabilities`: as reported; none by an agent before 0.3.0."""

    agent_version: str
    attempts: list[AttemptRow]
    attention: list[str]
    boot: str
    capabilities: NotRequired[list[str]]
    connection: int
    cpu_percent: float
    disk_free_bytes: int
    dropped_per_s: float
    excluded_until: float | None
    first_seen_at: float
    flapping: bool
    fps: float
    generation_desired: int
    generation_reported: int
    hardware: dict[str, str]
    id: str
    labels: dict[str, str]
    last_seen_at: float
    latency_p95_ms: float
    online: bool
    online_since_at: float | None
    pins: list[Pin]
    pipeline_states: dict[str, str]
    pipelines: dict[str, PipelineGauges]
    profile: str
    reported_labels: NotRequired[dict[str, str]]
    runtimes: list[str]
    slots: list[SlotRow]
    status: Literal["online", "offline", "updating", "attention"]
    temperature_c: float | None


class DeviceIds(TypedDict):
    """Ids of all devices of a list, on all its pages."""

    items: list[str]


class DevicePage(TypedDict):
    """`warnings`: labels of the request that no device has."""

    items: list[DeviceRow]
    total: int
    warnings: NotRequired[list[str]]


class DeviceRow(TypedDict):
    """`status`: the first that applies of attention, offline, updating, online. `flapping`: the device reconnects
    frequently. `reported_labels`: those that the device gives itself and that are none of its labels: they select
    nothing."""

    agent_version: str
    attention: list[str]
    cpu_percent: float
    dropped_per_s: float
    flapping: bool
    fps: float
    id: str
    labels: dict[str, str]
    last_seen_at: float
    latency_p95_ms: float
    online: bool
    online_since_at: float | None
    profile: str
    reported_labels: NotRequired[dict[str, str]]
    slots: list[SlotRow]
    status: Literal["online", "offline", "updating", "attention"]
    temperature_c: float | None


class Group(TypedDict):
    """A named group of devices: those that match the selector now. `warnings`: labels that no device has, when it is
    changed."""

    changed_at: float
    changed_by: str
    count: int
    name: str
    note: str
    selector: Selector
    warnings: NotRequired[list[str]]


class GroupList(TypedDict):
    """Fields of GroupList."""

    items: list[Group]
    next_after: NotRequired[str | None]


class GroupMembers(TypedDict):
    """Device ids."""

    items: list[str]
    next_after: NotRequired[str | None]


class GroupRequest(TypedDict):
    """Fields of GroupRequest."""

    note: NotRequired[str]
    selector: Selector


class LabelsPatch(TypedDict):
    """The new labels of the device; labels that are not listed are removed."""

    labels: dict[str, str]


class PictureList(TypedDict):
    """Newest first; only the newest are stored."""

    items: list[PictureRow]


class PictureRequest(TypedDict):
    """`pipeline`: the camera's pipeline; null if the device has only one. `overlays`: with boxes, zones and lines."""

    deadline_s: NotRequired[float]
    overlays: NotRequired[bool]
    pipeline: NotRequired[str | None]


class PictureRow(TypedDict):
    """A stored picture. `id`: that of the command that requested it."""

    id: str
    length_bytes: int
    received_at: float


class Pin(TypedDict):
    """Fields of Pin."""

    package: str
    pinned_at: float
    pinned_by: str
    reason: str
    slot: str
    version: str


class PinRequest(TypedDict):
    """The pinned version of a slot: the one it runs now, or `package` and `version`, which is installed if the slot runs
    another."""

    package: NotRequired[str | None]
    reason: NotRequired[str]
    version: NotRequired[str | None]


class PipelineGauges(TypedDict):
    """One pipeline over the last window. `reason`: why its source gives nothing now; empty: it does. `reasons`: those of the
    window. `labels`: boxes and crops by the most frequent labels; the rest under an empty name."""

    boxes_shed: NotRequired[int]
    camera_fps: NotRequired[float]
    confidence: NotRequired[list[int]]
    coverage: NotRequired[float]
    crops_fps: NotRequired[float]
    crops_shed: NotRequired[int]
    detection_fps: NotRequired[float]
    detections_per_frame: NotRequired[float]
    dropped: NotRequired[dict[str, int]]
    frame_age_ms: NotRequired[float]
    frames_total: NotRequired[int]
    labels: NotRequired[dict[str, int]]
    latency: NotRequired[dict[str, StageLatency]]
    model: NotRequired[str]
    model_digest: NotRequired[str]
    placement: NotRequired[str]
    process_fps: NotRequired[float]
    quiet_fps: NotRequired[float]
    reason: NotRequired[str]
    reasons: NotRequired[list[SourceReason]]
    skipped_fps: NotRequired[float]
    state: NotRequired[str]


class RunningModel(TypedDict):
    """The package that a slot runs according to the device's report, with its variant, runtime and placement.

    placement_reason: the reason for which it is not on the device that comes first; empty if it is."""

    digest: str
    package: str
    placement: NotRequired[str]
    placement_reason: NotRequired[str]
    runtime: NotRequired[str]
    since_at: NotRequired[float]
    variant: NotRequired[str]
    version: str


class ShadowGauges(TypedDict):
    """A shadow candidate of a slot: `frames` of `frames_offered` were processed by candidate and incumbent; `agreement`
    0..1."""

    agreement: NotRequired[float]
    confidence: NotRequired[float]
    errors: NotRequired[int]
    frames: NotRequired[int]
    frames_empty: NotRequired[int]
    frames_offered: NotRequired[int]
    incumbent_confidence: NotRequired[float]
    incumbent_latency: NotRequired[StageLatency]
    latency: NotRequired[StageLatency]
    model: NotRequired[str]
    model_digest: NotRequired[str]
    paused_by_heat: NotRequired[bool]


class SlotRow(TypedDict):
    """`drift_since_at`: time since which the device has not run the assigned package. `against`: whom the reason speaks
    against; null without a reason."""

    against: NotRequired[Literal["version", "device", "line", "operator"] | None]
    attempt: str | None
    bytes_done: int
    bytes_total: int
    detail: str
    drift_since_at: float | None
    on_target: bool
    phase: str
    reason: str
    running: RunningModel | None
    since_at: float
    slot: str
    target: TargetModel | None


class SourceReason(TypedDict):
    """A cause for which a source gave nothing, and what to do. `at`, `until`: its last occurrence; `until` 0: it lasts."""

    at: float
    state: str
    text: str
    times: NotRequired[int]
    until: NotRequired[float]


class StageLatency(TypedDict):
    """Fields of StageLatency."""

    max_ms: NotRequired[float]
    p50_ms: NotRequired[float]
    p95_ms: NotRequired[float]


class TargetModel(TypedDict):
    """Fields of TargetModel."""

    digest: str
    package: str
    version: str


class TelemetryPoint(TypedDict):
    """One sample of a device. `worker_private_bytes`: memory of the worker's own, without files and shared memory.
    `worker_ceiling_bytes`: above it the worker is restarted; 0: not known. `memory_fault`: what is wrong with its memory,
    or was within the last day."""

    at: float
    cpu_percent: NotRequired[float]
    disk_free_bytes: NotRequired[int]
    memory_fault: NotRequired[str]
    outbox_damaged_files: NotRequired[int]
    outbox_lost: NotRequired[int]
    outbox_records: NotRequired[int]
    pipelines: NotRequired[dict[str, PipelineGauges]]
    shadows: NotRequired[dict[str, ShadowGauges]]
    supervisor_rss_bytes: NotRequired[int]
    temperature_c: NotRequired[float | None]
    window_s: NotRequired[float]
    worker_ceiling_bytes: NotRequired[int]
    worker_private_bytes: NotRequired[int]
    worker_restarts: NotRequired[int]
    worker_rss_bytes: NotRequired[int]


class TelemetrySeries(TypedDict):
    """Oldest first; thinned evenly if there are more than requested."""

    points: list[TelemetryPoint]
