"""Tables of aggregated telemetry, alert rules, alerts and notices."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, LargeBinary
from sqlmodel import Field, SQLModel


class RollupRecord(SQLModel, table=True):
    """The figures of a device over a minute, an hour or a day in UTC (`span_s`) that began at `at`
    (`domain.statistics.summaries`, packed)."""

    __tablename__ = "rollup"
    __table_args__ = (Index("rollup_at", "span_s", "at"), {"sqlite_with_rowid": False})

    span_s: int = Field(primary_key=True)
    device: str = Field(primary_key=True)
    at: int = Field(primary_key=True)
    figures: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class CameraHourRecord(SQLModel, table=True):
    """Detections of a pipeline in the hour that began at `at`, and the seconds of it of which samples have arrived."""

    __tablename__ = "camera_hour"
    __table_args__ = (Index("camera_hour_at", "at"), {"sqlite_with_rowid": False})

    device: str = Field(primary_key=True)
    pipeline: str = Field(primary_key=True)
    at: int = Field(primary_key=True)
    seconds: float
    detections: float


class CheckpointRecord(SQLModel, table=True):
    """The checkpoint of a job: the id of the last row it processed, or a wall time; of `leader`, the number of its terms."""

    __tablename__ = "checkpoint"

    name: str = Field(primary_key=True)
    value: int


class AlertRuleRecord(SQLModel, table=True):
    """An alert rule (`domain.fleet.alerts.AlertRuleTerms` with the API's field names)."""

    __tablename__ = "alert_rule"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    rule: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    enabled: bool = True
    silenced_until: float = 0.0
    silenced_by: str = ""
    created_at: float
    created_by: str = ""


class EventReviewRecord(SQLModel, table=True):
    """The mark of a user on an event: `seen`, `confirmed` or `false_alarm`."""

    __tablename__ = "event_review"

    event: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    verdict: str
    by: str
    at: float


class AlertSnoozeRecord(SQLModel, table=True):
    """Until `until_at`, no notices of alerts of a rule (None = of all), of the devices of a group ("" = of all), of
    a device ("" = of all)."""

    __tablename__ = "alert_snooze"
    __table_args__ = (Index("alert_snooze_until", "until_at"), Index("alert_snooze_rule", "rule"))

    id: int | None = Field(default=None, primary_key=True)
    rule: int | None = Field(default=None, foreign_key="alert_rule.id")
    device_group: str = ""
    device: str = ""
    until_at: float
    reason: str = ""
    created_at: float
    created_by: str = ""


class AlertRecord(SQLModel, table=True):
    """An alert of a rule for a subject (a device, a pipeline or a rollout), from its start to its end. `notified`: who got a
    notice of its start (`db.alerting.announced`)."""

    __tablename__ = "alert"
    __table_args__ = (Index("alert_open", "ended_at", "rule"),)

    id: int | None = Field(default=None, primary_key=True)
    rule: int = Field(foreign_key="alert_rule.id", index=True)
    subject: str
    text: str
    value: float
    began_at: float
    ended_at: float | None = None
    acknowledged_at: float | None = None
    acknowledged_by: str = ""
    notified: list[int | str] = Field(sa_column=Column(JSON, nullable=False))


class NoticeRecord(SQLModel, table=True):
    """A notification to deliver to a recipient, or to the webhook or `mailto:` address of a rule. Bounded in number; retried with
    growing pauses."""

    __tablename__ = "notice"
    __table_args__ = (Index("notice_due", "state", "due_at"), Index("notice_recipient", "recipient"))

    id: int | None = Field(default=None, primary_key=True)
    target: str
    alert: int
    body: str
    state: str = "waiting"
    tries: int = 0
    due_at: float
    created_at: float
    error: str = ""
    recipient: int | None = None


class AlertRecipientRecord(SQLModel, table=True):
    """A recipient of notices (`domain.notices.recipients.Recipient`). `settings`: url, secret, emails, topic, key."""

    __tablename__ = "alert_recipient"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    kind: str
    settings: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    groups: list[str] = Field(sa_column=Column(JSON, nullable=False))
    severities: list[str] = Field(sa_column=Column(JSON, nullable=False))
    enabled: bool = True
    since_at: float
    created_at: float
    created_by: str = ""
