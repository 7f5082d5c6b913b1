"""The messages of v1. Wall times (`*_at`) are seconds since 1970; durations end in `_s` or `_ms`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DeviceId, Digest, LabelKey, LabelValue, Name, Text, Version
from edgefleet_contract.wire.enrolment import Fingerprints
from edgefleet_contract.wire.reason_codes import Reason

NUMBER_MAX = 2**53 - 1
"""Largest whole number on the wire: databases and JavaScript hold it exactly. A generation beyond it could never be exceeded."""

Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Seq = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
BootId = Annotated[str, Meta(min_length=1, max_length=64)]

BLOCK_BYTES = 128 * 1024
"""Length of every block of a blob except the last."""
BLOCKS_PER_REQUEST_MAX = 64
RECORDS_PER_BATCH_MAX = 500
CAPABILITIES_MAX = 512
"""Capabilities that a device reports at most."""
METADATA_BYTES_MAX = 4 * 1024 * 1024
"""Longest file of signed metadata: some ten thousand packages."""
METADATA_FILES_MAX = 68
SIGNED_AT = "x-edgefleet-signed-at"
LOWEST_EPOCHS = "x-edgefleet-epochs"
"""Field of signed targets: the lowest epoch of each package that devices still take."""


class PresenceMessage(Wire):
    """Birth (online) and will (offline) of one connection. An offline of an older connection is ignored. capabilities: see
    `edgefleet_contract.capabilities`; a will has none. bill: digest of what is installed (`wire.environment_bill`); empty:
    unknown."""

    device: DeviceId
    online: bool
    boot: BootId
    connection: Count
    agent_version: str = ""
    sent_at: float = 0.0
    profile: str = ""
    runtimes: list[str] = msgspec.field(default_factory=list)
    capabilities: Annotated[list[Annotated[str, Meta(max_length=72)]], Meta(max_length=CAPABILITIES_MAX)] = msgspec.field(
        default_factory=list
    )
    hardware: dict[str, str] = msgspec.field(default_factory=dict)
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)
    bill: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?$")] = ""


class SlotPhase(str, Enum):
    """Stage of a slot's update on the device (docs/updates.md)."""

    ABSENT = "absent"
    FETCHING = "fetching"
    FETCHED = "fetched"
    VERIFIED = "verified"
    STAGED = "staged"
    WAITING_WINDOW = "waiting_window"
    TRIAL = "trial"
    COMMITTED = "committed"
    ROLLED_BACK = "rolled_back"
    REFUSED = "refused"
    ROLLBACK_FAILED = "rollback_failed"


class Running(Wire):
    """Package that a slot runs: the digest that the worker loaded and the runtime's placement of it. placement_reason: the reason
    for which it is not on the device that comes first; empty if it is."""

    package: Name
    version: Version
    digest: Digest
    variant: str = ""
    runtime: str = ""
    placement: str = ""
    placement_reason: Text = ""
    since_at: float = 0.0


class SlotReport(Wire):
    """One slot: what runs, and the progress of the latest target. `wait_reason`: the code of the reason for which the target
    waits on this device (`wire.reason_codes`); empty: it does not. `trial_frames`: frames that a committed model analyzed in its
    trial; null: unknown, or not a model in use."""

    phase: SlotPhase
    running: Running | None = None
    target: Digest | None = None
    attempt: str = ""
    reason: Reason = Reason.NONE
    detail: Text = ""
    bytes_done: Count = 0
    bytes_total: Count = 0
    bytes_sent_again: Count = 0
    since_at: float = 0.0
    wait_reason: Text = ""
    trial_frames: Count | None = None


class Reported(Wire):
    """Reported state of the device, sent on change and at most once a second. `version` rises with every report of a boot.
    `fault`: a fault of the device itself and what to do, above all with its disk; empty: none. `authorities`: fingerprints
    (SHA-256) of the server's authorities that the device trusts; empty: it has no certificate, or an agent before 0.3.0."""

    device: DeviceId
    boot: BootId
    version: Count
    generation: Count
    sent_at: float
    slots: dict[Name, SlotReport] = msgspec.field(default_factory=dict)
    pipelines: dict[Name, str] = msgspec.field(default_factory=dict)
    disk_free_bytes: Count = 0
    fault: Text = ""
    authorities: Fingerprints = msgspec.field(default_factory=list)


BroadcastKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
Channel = Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?$")]
BROADCAST_KEYS_MAX = 64
"""Keys for broadcast blocks that one target has at most."""


class SlotTarget(Wire):
    """Desired package of a slot. `digest` names the package descriptor blob of `length` bytes. `hold`: fetch, verify and test it,
    but do not activate it until a later document clears the flag. `atomic`: targets of one attempt, activated all or none.
    `delta`: blob of a delta manifest that assembles its files from older ones; a hint that is never trusted. `keys`: of its blobs
    that may be broadcast (`sealed_block`); the others are fetched on request."""

    package: Name
    version: Version
    digest: Digest
    length: Count
    attempt: str = ""
    hold: bool = False
    atomic: bool = False
    delta: Digest | None = None
    delta_length: Count = 0
    keys: Annotated[dict[Digest, BroadcastKey], Meta(max_length=BROADCAST_KEYS_MAX)] = msgspec.field(default_factory=dict)


class UpdatePolicy(Wire):
    """Settings for applying a desired document on a device. `shadow_s`: for so long a model runs beside the committed one before
    its trial, where memory allows; it has to agree by `shadow_agreement_percent_min` (0: not at all)."""

    trial_s: float = 20.0
    trial_frames_min: Count = 10
    site_offline: bool = False
    fetch_window: Annotated[int, Meta(ge=1, le=BLOCKS_PER_REQUEST_MAX)] = 8
    shadow_s: float = 0.0
    shadow_agreement_percent_min: float = 0.0


class Desired(Wire):
    """Desired state of a device. A device ignores every generation that it has already received."""

    device: DeviceId
    generation: Seq
    sent_at: float = 0.0
    slots: dict[Name, SlotTarget] = msgspec.field(default_factory=dict)
    pipelines: dict[Name, str] | None = None
    policy: UpdatePolicy = msgspec.field(default_factory=UpdatePolicy)


class EventPhase(str, Enum):
    NEW = "new"
    UPDATE = "update"
    END = "end"


class Event(Wire):
    """The result of a rule. `coverage` = frames analysed / frames expected meanwhile; it distinguishes "0 people" from "not
    analysed"."""

    kind: str
    id: str = ""
    at: float = 0.0
    phase: EventPhase = EventPhase.END
    pipeline: str = ""
    rule: str = ""
    label: str = ""
    track_id: int | None = None
    start_frame: int | None = None
    end_frame: int | None = None
    start_s: float | None = None
    end_s: float | None = None
    zone: str = ""
    line: str = ""
    direction: str = ""
    count: int | None = None
    score: float | None = None
    box: list[float] | None = None
    coverage: float | None = None
    model: str = ""
    model_digest: str = ""
    config_digest: str = ""
    data: dict[str, Any] = msgspec.field(default_factory=dict)


class StageLatency(Wire):
    """Milliseconds over the last window."""

    p50_ms: float = 0.0
    p95_ms: float = 0.0
    max_ms: float = 0.0


class SourceReason(Wire):
    """A cause for which a source gave nothing, and what to do. `state`: the source's meanwhile. `at`, `until`: wall times of its
    last occurrence; 0: it lasts. `times`: number of occurrences so far."""

    state: str
    text: Text
    at: float
    until: float = 0.0
    times: Count = 1


class PipelineGauges(Wire):
    """One pipeline over the last window, with Frigate's names. `quiet_fps`: frames in which the motion stage found no motion, so
    that no model ran; `detection_fps`: model runs, of which a frame may have several; `crops_fps`: crops analysed by cascades;
    `crops_shed`: crops skipped because a frame had too many; `boxes_shed`: boxes left out by trackers, motion stages and
    ensembles for that reason. `reason`: why the source gives nothing now; empty: it does. `reasons`: the last ones, the latest
    last; the server gets those of the window. `labels`: boxes and crops by their label, the most frequent ones; the rest under an
    empty name."""

    state: str = ""
    camera_fps: float = 0.0
    process_fps: float = 0.0
    skipped_fps: float = 0.0
    quiet_fps: float = 0.0
    detection_fps: float = 0.0
    frames_total: Count = 0
    dropped: dict[str, Count] = msgspec.field(default_factory=dict)
    latency: dict[str, StageLatency] = msgspec.field(default_factory=dict)
    frame_age_ms: float = 0.0
    coverage: float = 1.0
    detections_per_frame: float = 0.0
    confidence: list[Count] = msgspec.field(default_factory=list)
    model: str = ""
    model_digest: str = ""
    placement: str = ""
    crops_fps: float = 0.0
    crops_shed: Count = 0
    reason: Text = ""
    reasons: list[SourceReason] = msgspec.field(default_factory=list)
    boxes_shed: Count = 0
    labels: dict[str, Count] = msgspec.field(default_factory=dict)


class ShadowGauges(Wire):
    """A shadow candidate of a slot over the last window (`package.shadow`): `frames` were analysed by both, of `frames_offered`;
    `frames_empty` of them are those on which neither found anything, and agree.
    `agreement`: mean, 0..1 (see the agent's `vision.agreement`). `confidence`: mean score of each. `paused_by_heat`: the
    comparison pauses while the device is hot."""

    model: str = ""
    model_digest: str = ""
    frames: Count = 0
    frames_offered: Count = 0
    errors: Count = 0
    agreement: float = 0.0
    latency: StageLatency = msgspec.field(default_factory=StageLatency)
    incumbent_latency: StageLatency = msgspec.field(default_factory=StageLatency)
    confidence: float = 0.0
    incumbent_confidence: float = 0.0
    paused_by_heat: bool = False
    frames_empty: Count = 0


class Telemetry(Wire):
    """One sample of a device. outbox_damaged_files: outbox files that were lost with an unknown number of records.
    worker_private_bytes: memory of its own, without files and shared memory. worker_ceiling_bytes: above it the worker is
    restarted; 0: not known. memory_fault: what is wrong with its memory, or was within the last day."""

    at: float
    window_s: float = 0.0
    pipelines: dict[Name, PipelineGauges] = msgspec.field(default_factory=dict)
    cpu_percent: float = 0.0
    supervisor_rss_bytes: Count = 0
    worker_rss_bytes: Count = 0
    temperature_c: float | None = None
    disk_free_bytes: Count = 0
    outbox_records: Count = 0
    outbox_lost: Count = 0
    outbox_damaged_files: Count = 0
    worker_restarts: Count = 0
    worker_private_bytes: Count = 0
    worker_ceiling_bytes: Count = 0
    memory_fault: Text = ""
    shadows: dict[Name, ShadowGauges] = msgspec.field(default_factory=dict)


class TelemetryBatch(Wire):
    """Records of one stream, numbered without gaps from `first_seq` within `epoch` (the life of one outbox file)."""

    device: DeviceId
    epoch: BootId
    first_seq: Seq
    records: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=RECORDS_PER_BATCH_MAX)]
    lost_before: Count = 0


class Stream(str, Enum):
    TELEMETRY = "telemetry"
    EVENTS = "events"


class Ack(Wire):
    """The server's *database* holds everything of this stream up to `seq`. `window` = batches the device may have in flight."""

    stream: Stream
    epoch: BootId
    seq: Count
    window: Annotated[int, Meta(ge=0, le=64)] = 4


class Command(Wire):
    """A command to run once. A device stores the ids that it has answered and repeats the stored reply."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    op: Annotated[str, Meta(min_length=1, max_length=32)]
    deadline_at: float = 0.0
    args: dict[str, Any] = msgspec.field(default_factory=dict)


class CommandReply(Wire):
    """Reply to a command."""

    id: str
    ok: bool
    detail: Text = ""
    result: dict[str, Any] = msgspec.field(default_factory=dict)


class BlockRequest(Wire):
    """Request for blocks: ranges of (first, count). An empty payload instead of a block means: the server has no such block.
    `missing`: all missing blocks, as far as the ranges can list them; used by a server that multicasts to a whole wave.
    `reads_refusals`: a request that is refused is answered by a `BlockRefusal`; without it by an empty block. `channel`: the
    device listens to this channel of broadcasts, and has its key; empty: it needs copies of its own.
    """

    blob: Digest
    ranges: Annotated[list[tuple[Count, Seq]], Meta(min_length=1, max_length=BLOCKS_PER_REQUEST_MAX)]
    missing: Annotated[list[tuple[Count, Seq]], Meta(max_length=BLOCKS_PER_REQUEST_MAX)] = msgspec.field(default_factory=list)
    reads_refusals: bool = False
    channel: Channel = ""


class BlockRefusal(Wire):
    """The answer to a request for blocks of a blob that is not part of the packages of the device's desired document."""

    blob: Digest
    detail: Text = ""


class MetadataFile(Wire):
    """One file of the signed metadata, with its TUF name (`2.root.json`, `timestamp.json`, …), to be fetched as a blob."""

    name: Annotated[str, Meta(pattern=r"^([1-9][0-9]{0,8}\.)?[a-z0-9_-]{1,64}\.json$")]
    digest: Digest
    length: Annotated[int, Meta(ge=1, le=METADATA_BYTES_MAX)]


class TrustOffer(Wire):
    """The server's current signed metadata. It only locates the files; the signatures decide which are valid."""

    files: Annotated[list[MetadataFile], Meta(min_length=1, max_length=METADATA_FILES_MAX)]
    sent_at: float = 0.0
