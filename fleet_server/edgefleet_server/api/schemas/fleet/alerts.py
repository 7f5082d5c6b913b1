"""Bodies of the REST API v1 about alerts and figures. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import Name, StrictModel, Title

Figure = Literal["fps", "latency_p95_ms", "dropped_per_s", "temperature_c", "cpu_percent", "disk_free_bytes"]
Summed = Literal["fps", "latency_p95_ms", "dropped_percent", "temperature_c", "cpu_percent", "confidence"]
Severity = Literal["info", "warning", "critical"]
Email = Annotated[str, Field(pattern=r"^[^@\s]{1,64}@[^@\s]{1,190}$")]


class Webhook(StrictModel):
    """Address for notifications. With a `secret`, the header X-Edgefleet-Signature is
    `t=SECONDS,v1=HMAC-SHA256(SECONDS.BODY)`."""

    url: Annotated[str, Field(pattern=r"^https?://[^\s]{3,500}$")]
    secret: Annotated[str, Field(max_length=200)] = ""


class AlertRuleBody(StrictModel):
    """`threshold`: the latest `figure` of a device above or below a limit for `for_s`. `absence`: a device offline for `for_s`.
    `rate`: more than `above` events (of `event_kind`, with `event_label`) of a device in `window_s`. `anomaly`: an aggregated
    `figure` further than `deviations` from the device's own mean of the last day. `rollout_paused`: a rollout paused by a gate,
    not by an operator, for `for_s`. `rollout_approval`: a rollout, or its next wave, that has waited for approval for `for_s`.
    These two apply to every rollout and take no `group`. `clear`: value at which the alert ends (null = 5 % behind the limit)."""

    kind: Literal["threshold", "absence", "rate", "anomaly", "rollout_paused", "rollout_approval"]
    figure: Figure | Summed | None = None
    above: float | None = None
    below: float | None = None
    clear: float | None = None
    for_s: Annotated[float, Field(ge=0, le=2_592_000)] = 60.0
    window_s: Annotated[float, Field(ge=10, le=86_400)] = 300.0
    deviations: Annotated[float, Field(ge=1, le=100)] = 4.0
    event_kind: Annotated[str, Field(max_length=100)] | None = None
    event_label: Annotated[str, Field(max_length=200)] | None = None
    group: Name | None = None
    severity: Severity = "warning"
    webhooks: Annotated[list[Webhook], Field(max_length=10)] = Field(default_factory=list)
    emails: Annotated[list[Email], Field(max_length=10)] = Field(default_factory=list)


class AlertRuleRequest(StrictModel):
    name: Title
    rule: AlertRuleBody
    enabled: bool = True


class AlertRule(BaseModel):
    """Secrets of webhooks are returned as `(hidden)`; sent back like that they stay unchanged."""

    id: int
    name: str
    rule: AlertRuleBody
    enabled: bool
    silenced_until: float
    silenced_by: str
    created_at: float
    created_by: str
    alerts_open: int


class AlertRuleList(BaseModel):
    items: list[AlertRule]


class SilenceRequest(StrictModel):
    """Duration for which notifications are muted; 0 unmutes."""

    for_s: Annotated[float, Field(ge=0, le=2_592_000)]


class Alert(BaseModel):
    """`subject`: a device, or `rollout` and its number. `rollout`: that number; null for an alert about a device. The alert is
    open while `ended_at` is null."""

    id: int
    rule: int
    rule_name: str
    severity: Severity
    subject: str
    rollout: int | None
    text: str
    value: float
    began_at: float
    ended_at: float | None
    acknowledged_at: float | None
    acknowledged_by: str


class AlertList(BaseModel):
    """Newest first."""

    items: list[Alert]


class Notice(BaseModel):
    """A notification and its delivery state."""

    id: int
    target: str
    alert: int
    state: Literal["waiting", "delivered", "given up"]
    tries: int
    due_at: float
    created_at: float
    error: str


class NoticeList(BaseModel):
    """Newest first."""

    items: list[Notice]


class FigureSummary(BaseModel):
    """One figure over a minute or an hour. Quantiles are accurate within 2 %."""

    count: int
    mean: float
    low: float
    high: float
    p50: float
    p95: float


class FigurePoint(BaseModel):
    """`at`: start of the minute or hour."""

    at: int
    figures: dict[str, FigureSummary]


class FigureSeries(BaseModel):
    """Oldest first."""

    span_s: Literal[60, 3600]
    points: list[FigurePoint]
