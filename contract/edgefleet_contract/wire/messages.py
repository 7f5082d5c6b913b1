"""The messages of v1. Wall times (`*_at`) are seconds since 1970; durations end in `_s` or `_ms`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DeviceId, Digest, LabelKey, LabelValue, Name, Text, Version
from edgefleet_contract.wire.reason_codes import Reason

NUMBER_MAX = 2**53 - 1
"""Largest whole number on the wire: databases and JavaScript hold it exactly. A generation beyond it could never be exceeded."""

Count = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Seq = Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
BootId = Annotated[str, Meta(min_length=1, max_length=64)]

BLOCK_BYTES = 128 * 1024
"""Length of every block of a blob but the last."""
BLOCKS_PER_WANT_MAX = 64
RECORDS_PER_BATCH_MAX = 500
METADATA_BYTES_MAX = 4 * 1024 * 1024
"""Longest file of signed metadata: some ten thousand packages."""
METADATA_FILES_MAX = 68
SIGNED_AT = "x-edgefleet-signed-at"


class PresenceMessage(Wire):
    """Birth (online) and will (offline) of one connection. An offline of an older connection is ignored."""

    device: DeviceId
    online: bool
    boot: BootId
    connection: Count
    agent_version: str = ""
    sent_at: float = 0.0
    profile: str = ""
    runtimes: list[str] = msgspec.field(default_factory=list)
    hardware: dict[str, str] = msgspec.field(default_factory=dict)
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)


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
    """What a slot really runs now: the digest the worker loaded and where the runtime put it."""

    package: Name
    version: Version
    digest: Digest
    variant: str = ""
    runtime: str = ""
    placement: str = ""
    since_at: float = 0.0


class SlotReport(Wire):
    """One slot: what runs, and how the latest desire is going."""

    stage: SlotPhase
    running: Running | None = None
    target: Digest | None = None
    attempt: str = ""
    reason: Reason = Reason.NONE
    detail: Text = ""
    bytes_done: Count = 0
    bytes_total: Count = 0
    bytes_sent_again: Count = 0
    since_at: float = 0.0


class Reported(Wire):
    """The device's own account, sent by difference and at most once a second. `version` rises with every report of a boot.
    `trouble`: what is wrong with the device itself and what to do, above all with its disk; empty: nothing."""

    device: DeviceId
    boot: BootId
    version: Count
    generation: Count
    sent_at: float
    slots: dict[Name, SlotReport] = msgspec.field(default_factory=dict)
    pipelines: dict[Name, str] = msgspec.field(default_factory=dict)
    disk_free_bytes: Count = 0
    trouble: Text = ""


class SlotTarget(Wire):
    """What a slot shall run. `digest` names the package descriptor blob of `length` bytes. `hold`: fetch, verify and test it, and
    wait with it until a later document says otherwise. `together`: targets of one attempt that are all taken or none. `recipe`: a
    blob that tells how its files are put together from pieces of older ones; a hint, never believed."""

    package: Name
    version: Version
    digest: Digest
    length: Count
    attempt: str = ""
    hold: bool = False
    together: bool = False
    recipe: Digest | None = None
    recipe_length: Count = 0


class UpdatePolicy(Wire):
    """How a device applies a desire."""

    trial_s: float = 20.0
    trial_frames_min: Count = 10
    site_offline: bool = False
    fetch_window: Annotated[int, Meta(ge=1, le=BLOCKS_PER_WANT_MAX)] = 8


class Desired(Wire):
    """What a device shall be. A device ignores every generation it has already seen."""

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
    """Something a rule saw. `coverage` = frames looked at / frames expected while it lasted: 0 people is not "not looking"."""

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


class PipelineGauges(Wire):
    """One pipeline over the last window. Frigate's users know these names; `quiet_fps`: frames that the motion stage looked at
    and kept from the models; `detection_fps`: looks of models, of which a frame may have several; `crops_fps`: crops that
    cascades looked at, `crops_shed`: that they left out because a frame had too many."""

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


class ShadowGauges(Wire):
    """A candidate beside the incumbent of a slot over the last window (`package.shadow`): `frames` were looked at by both,
    of `frames_offered`. `agreement`: their mean, 0..1 (see the agent's `vision.agreement`). `confidence`: mean score of what
    each found. `hot`: it rests, because the device is hot."""

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
    hot: bool = False


class Telemetry(Wire):
    """One sample of a device."""

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
    worker_restarts: Count = 0
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
    """The server's *database* has everything of this stream up to `seq`. `window` = batches the device may have in flight."""

    stream: Stream
    epoch: BootId
    seq: Count
    window: Annotated[int, Meta(ge=0, le=64)] = 4


class Command(Wire):
    """Do something once. A device keeps the ids it has answered and answers a repeat from memory."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    op: Annotated[str, Meta(min_length=1, max_length=32)]
    deadline_at: float = 0.0
    args: dict[str, Any] = msgspec.field(default_factory=dict)


class CommandReply(Wire):
    """Answer to a command."""

    id: str
    ok: bool
    detail: Text = ""
    result: dict[str, Any] = msgspec.field(default_factory=dict)


class BlockRequest(Wire):
    """Ask for blocks: ranges of (first, count). An empty payload in a block's place means: the server has no such block.

    `missing`: all that is not there yet, as far as so many ranges tell it; what a server that sends to a whole wave goes by.
    """

    blob: Digest
    ranges: Annotated[list[tuple[Count, Seq]], Meta(min_length=1, max_length=BLOCKS_PER_WANT_MAX)]
    missing: Annotated[list[tuple[Count, Seq]], Meta(max_length=BLOCKS_PER_WANT_MAX)] = msgspec.field(default_factory=list)


class MetadataFile(Wire):
    """One file of the signed metadata, as TUF names it (`2.root.json`, `timestamp.json`, …), to be fetched as a blob."""

    name: Annotated[str, Meta(pattern=r"^([1-9][0-9]{0,8}\.)?[a-z0-9_-]{1,64}\.json$")]
    digest: Digest
    length: Annotated[int, Meta(ge=1, le=METADATA_BYTES_MAX)]


class TrustOffer(Wire):
    """The signed metadata that the server has now. Says where bytes are, never what is true: that is what signatures are for."""

    files: Annotated[list[MetadataFile], Meta(min_length=1, max_length=METADATA_FILES_MAX)]
    sent_at: float = 0.0
