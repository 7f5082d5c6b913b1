"""Tables of devices, streams, packages and commands. Times are float seconds since 1970 (UTC). Columns that change with
every message are separated from others: `device` is written when a device is added or edited, `device_last` and `device_slot` by
every report.

Rows of `telemetry` and `event` are never searched by sequence number: `cursor` records which are stored, so that an insertion is
an append (measured: 14 times faster than a unique index over a million rows).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, ForeignKey, Index, String
from sqlmodel import Field, SQLModel


def json_column() -> Any:
    return Column(JSON, nullable=False)


def columns_of(table: type[SQLModel]) -> list[Any]:
    """Every column of a table, for a query that returns plain rows."""
    return list(SQLModel.metadata.tables[str(table.__tablename__)].columns)


class DeviceRecord(SQLModel, table=True):
    """A device that has sent at least one message. `released_at`: failures before that no longer count for its exclusion."""

    __tablename__ = "device"

    id: str = Field(primary_key=True)
    first_seen_at: float
    agent_version: str = ""
    profile: str = Field(default="", index=True)
    runtimes: list[str] = Field(sa_column=json_column())
    capabilities: list[str] = Field(sa_column=json_column())
    hardware: dict[str, str] = Field(sa_column=json_column())
    labels: dict[str, str] = Field(sa_column=json_column())
    labels_own: dict[str, str] = Field(sa_column=json_column())
    label_edits: dict[str, str | None] = Field(sa_column=json_column())
    released_at: float = 0.0


class DeviceLast(SQLModel, table=True):
    """The last state of a device: presence, report, latest sample. `births`: the decayed number of connections
    (`domain.fleet.presence.births_now`); `authorities`: fingerprints of those that it trusts."""

    __tablename__ = "device_last"

    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), primary_key=True))
    presence: str = Field(default="offline", index=True)
    presence_at: float = 0.0
    boot: str = ""
    boot_before: str = ""
    connection: int = 0
    last_seen_at: float = Field(default=0.0, index=True)
    report_boot: str = ""
    report_version: int = 0
    generation: int = 0
    pipelines: dict[str, str] = Field(sa_column=json_column())
    disk_free_bytes: int = 0
    attention_slots: list[str] = Field(sa_column=json_column())
    attention_sample: list[str] = Field(sa_column=json_column())
    attention_count: int = Field(default=0, index=True)
    sample_at: float = 0.0
    sample: dict[str, Any] = Field(sa_column=json_column())
    fps: float = Field(default=0.0, index=True)
    latency_p95_ms: float = Field(default=0.0, index=True)
    dropped_per_s: float = 0.0
    temperature_c: float | None = None
    cpu_percent: float = 0.0
    births: float = 0.0
    births_at: float = 0.0
    authorities: list[str] = Field(default_factory=list, sa_column=json_column())


class DeviceSlot(SQLModel, table=True):
    """One slot of a device as reported."""

    __tablename__ = "device_slot"
    __table_args__ = (Index("device_slot_running", "running_package", "running_version"),)

    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), primary_key=True))
    slot: str = Field(primary_key=True)
    phase: str
    running_package: str = ""
    running_version: str = ""
    running_digest: str = ""
    running: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    target_digest: str = ""
    attempt: str = ""
    reason: str = "none"
    detail: str = ""
    bytes_done: int = 0
    bytes_total: int = 0
    since_at: float = 0.0


class Cursor(SQLModel, table=True):
    """The stored part of a stream of a device, per epoch (life of one outbox). `ahead`: ranges beyond a gap, [[from, to], …]."""

    __tablename__ = "cursor"

    device: str = Field(primary_key=True)
    stream: str = Field(primary_key=True)
    epoch: str = Field(primary_key=True)
    seq: int = 0
    ahead: list[list[int]] = Field(sa_column=json_column())
    gap_at: float = 0.0
    lost: int = 0
    refused: int = 0
    updated_at: float = 0.0


class TelemetryRecord(SQLModel, table=True):
    """One sample, as the device sent it."""

    __tablename__ = "telemetry"
    __table_args__ = (Index("telemetry_device_at", "device", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    device: str
    at: float
    received_at: float
    record: str


class EventRecord(SQLModel, table=True):
    """One event, as the device sent it."""

    __tablename__ = "event"
    __table_args__ = (
        Index("event_device", "device", "id"),
        Index("event_kind", "kind", "id"),
        Index("event_label", "label", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    device: str
    at: float
    received_at: float = Field(index=True)
    kind: str
    label: str
    record: str


class Package(SQLModel, table=True):
    """A version of a model. The digest is the SHA-256 of its descriptor, which is a blob of `descriptor_bytes`. A retired version
    keeps its row for the history of rollouts, without files."""

    __tablename__ = "package"
    __table_args__ = (Index("package_name_version", "name", "version", unique=True),)

    digest: str = Field(primary_key=True)
    name: str
    version: str
    created_at: float
    descriptor_bytes: int
    length_bytes: int
    manifest: dict[str, Any] = Field(sa_column=json_column())
    files: list[dict[str, Any]] = Field(sa_column=json_column())
    retired_at: float | None = None


class Blob(SQLModel, table=True):
    """Bytes named by their SHA-256, on disk under `blobs/`."""

    __tablename__ = "blob"

    sha256: str = Field(primary_key=True)
    length: int
    created_at: float


class PackageBlob(SQLModel, table=True):
    """A blob that a package needs; blobs that no package needs may be deleted."""

    __tablename__ = "package_blob"

    package: str = Field(sa_column=Column(String, ForeignKey("package.digest"), primary_key=True))
    sha256: str = Field(sa_column=Column(String, ForeignKey("blob.sha256"), primary_key=True, index=True))


class AssignmentRecord(SQLModel, table=True):
    """The package that a slot of a device has to run. Written by offers and withdrawals; the desired document is built from
    it."""

    __tablename__ = "assignment"

    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), primary_key=True))
    slot: str = Field(primary_key=True)
    package: str = Field(foreign_key="package.digest")
    attempt: str = ""
    rollout: int = 0
    assigned_at: float = 0.0
    trial_s: float
    trial_frames_min: int
    hold: bool = False
    atomic: bool = False
    shadow_s: float = 0.0
    shadow_agreement_percent_min: float = 0.0


class PinRecord(SQLModel, table=True):
    """A slot of a device that rollouts do not change. `package`: the digest that it has to run."""

    __tablename__ = "pin"

    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), primary_key=True))
    slot: str = Field(primary_key=True)
    package: str = Field(foreign_key="package.digest")
    reason: str = ""
    pinned_by: str = ""
    pinned_at: float


class GroupRecord(SQLModel, table=True):
    """A named selector; its members are evaluated at every query."""

    __tablename__ = "device_group"

    name: str = Field(primary_key=True)
    selector: dict[str, Any] = Field(sa_column=json_column())
    note: str = ""
    changed_at: float
    changed_by: str = ""


class DesiredRecord(SQLModel, table=True):
    """The document of a device. `published` = the generation that the broker has confirmed."""

    __tablename__ = "desired"

    device: str = Field(sa_column=Column(String, ForeignKey("device.id"), primary_key=True))
    generation: int
    document: str
    published: int = 0


class SecretRecord(SQLModel, table=True):
    """A secret shared by all processes of a server (`db.backend.shared_secrets`)."""

    __tablename__ = "secret"

    name: str = Field(primary_key=True)
    value: str
    made_at: float


class MemberRecord(SQLModel, table=True):
    """A process of the server (`db.backend.members`)."""

    __tablename__ = "member"

    id: str = Field(primary_key=True)
    role: str
    host: str
    pid: int
    version: str
    started_at: float
    seen_at: float
    leads: bool
    ingests: bool
    broker_up_at: float
    messages: int
    refused: int
    waiting: int
    samples_per_s: float
    wait_p50_s: float
    wait_p99_s: float
    broadcasts: int
    sent_alone: int
    sent_bytes: int


class CommandRecord(SQLModel, table=True):
    """A command to a device."""

    __tablename__ = "command"
    __table_args__ = (Index("command_device", "device", "state"), Index("command_deadline", "state", "deadline_at"))

    id: str = Field(primary_key=True)
    device: str = Field(foreign_key="device.id")
    op: str
    args: dict[str, Any] = Field(sa_column=json_column())
    state: str
    detail: str = ""
    result: dict[str, Any] = Field(sa_column=json_column())
    created_at: float
    deadline_at: float
    finished_at: float | None = None
