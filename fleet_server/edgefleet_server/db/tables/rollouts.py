"""Tables of rollouts: waves, attempts and the timeline. Times are float seconds since 1970 (UTC)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer
from sqlmodel import Field, SQLModel

from edgefleet_server.db.tables.core import json_column


class RolloutRecord(SQLModel, table=True):
    """A rollout. `changed_at`: time of its latest state change. `terms`: `domain.terms.Terms` with the API's field names."""

    __tablename__ = "rollout"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    package: str = Field(foreign_key="package.digest", index=True)
    slot: str
    state: str = Field(index=True)
    state_reason: str = ""
    created_at: float
    started_at: float | None = None
    finished_at: float | None = None
    changed_at: float
    selector: dict[str, Any] = Field(sa_column=json_column())
    plans: list[dict[str, Any]] = Field(sa_column=json_column())
    gate: dict[str, Any] = Field(sa_column=json_column())
    policy: dict[str, Any] = Field(sa_column=json_column())
    wave_timeout_s: float
    terms: dict[str, Any] = Field(sa_column=json_column())
    priority: int = 500
    created_by: str = ""
    approved_by: str | None = None


class RolloutPart(SQLModel, table=True):
    """A further package of a rollout (`rollout.package` is the first); `position` from 1."""

    __tablename__ = "rollout_part"

    rollout: int = Field(sa_column=Column(Integer, ForeignKey("rollout.id"), primary_key=True))
    slot: str = Field(primary_key=True)
    package: str = Field(foreign_key="package.digest")
    position: int


class AttemptPart(SQLModel, table=True):
    """The previous package of a further slot of an attempt."""

    __tablename__ = "attempt_part"

    attempt: str = Field(primary_key=True)
    slot: str = Field(primary_key=True)
    previous: str | None = None


class WaveRecord(SQLModel, table=True):
    """One wave of a rollout. `approval`: its start has to be approved. `late_joiners`: the wave of late joiners."""

    __tablename__ = "wave"

    rollout: int = Field(sa_column=Column(Integer, ForeignKey("rollout.id"), primary_key=True))
    index: int = Field(primary_key=True)
    name: str
    state: str
    total: int
    started_at: float | None = None
    soaking_at: float | None = None
    finished_at: float | None = None
    excused_reported: int = 0
    excused_failed: int = 0
    approval: bool = False
    approved_by: str | None = None
    late_joiners: bool = False


class AttemptRecord(SQLModel, table=True):
    """One try of one device. `previous`: the digest that it returns to when the rollout is stopped. Of several tries only the
    `latest` counts. `baseline`: figures of the device before the offer; `regressed`: text about the figures that are worse since
    (`domain.statistics.regression_check`); `controls`: number of devices that they were compared with, None = not compared."""

    __tablename__ = "attempt"
    __table_args__ = (
        Index("attempt_rollout", "rollout", "wave", "state"),
        Index("attempt_device", "device", "rollout"),
        Index("attempt_open", "rollout", "open"),
        Index("attempt_offered", "rollout", "offered_at"),
        Index("attempt_ended", "state", "finished_at"),
    )

    id: str = Field(primary_key=True)
    rollout: int = Field(foreign_key="rollout.id")
    device: str = Field(foreign_key="device.id")
    wave: int
    number: int
    state: str
    open: bool
    latest: bool = True
    staging: bool = False
    not_before: float = 0.0
    baseline: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON))
    regressed: str = ""
    controls: int | None = None
    reason: str = ""
    detail: str = ""
    previous: str | None = None
    offered_at: float | None = None
    updated_at: float
    finished_at: float | None = None
    bytes_done: int = 0
    bytes_total: int = 0


class TimelineRecord(SQLModel, table=True):
    """An event of a rollout, as readable text."""

    __tablename__ = "timeline"

    id: int | None = Field(default=None, primary_key=True)
    rollout: int = Field(sa_column=Column(Integer, ForeignKey("rollout.id"), nullable=False, index=True))
    at: float
    kind: str
    text: str
    wave: int | None = None
    device: str | None = None
