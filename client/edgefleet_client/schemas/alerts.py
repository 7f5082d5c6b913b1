"""Types of the operations about alerts.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from edgefleet_client.not_required import NotRequired


class Alert(TypedDict):
    """`subject`: a device, or `rollout` and its number. `rollout`: that number; null for an alert about a device. The alert
    is open while `ended_at` is null."""

    acknowledged_at: float | None
    acknowledged_by: str
    began_at: float
    ended_at: float | None
    id: int
    rollout: int | None
    rule: int
    rule_name: str
    severity: Literal["info", "warning", "critical"]
    subject: str
    text: str
    value: float


class AlertList(TypedDict):
    """Newest first."""

    items: list[Alert]


class AlertRule(TypedDict):
    """Secrets of webhooks are returned as `(hidden)`; sent back like that they stay unchanged."""

    alerts_open: int
    created_at: float
    created_by: str
    enabled: bool
    id: int
    name: str
    rule: AlertRuleBody
    silenced_by: str
    silenced_until: float


AlertRuleBodyFigure: TypeAlias = Literal[
    "fps",
    "latency_p95_ms",
    "dropped_per_s",
    "temperature_c",
    "cpu_percent",
    "disk_free_bytes",
    "dropped_percent",
    "confidence",
]


class AlertRuleBody(TypedDict):
    """`threshold`: the latest `figure` of a device above or below a limit for `for_s`. `absence`: a device offline for
    `for_s`. `rate`: more than `above` events (of `event_kind`, with `event_label`) of a device in `window_s`. `anomaly`:
    an aggregated `figure` further than `deviations` from the device's own mean of the last day. `rollout_paused`: a
    rollout paused by a gate, not by an operator, for `for_s`. `rollout_approval`: a rollout, or its next wave, that has
    waited for approval for `for_s`. These two apply to every rollout and take no `group`. `clear`: value at which the
    alert ends (null = 5 % behind the limit)."""

    above: NotRequired[float | None]
    below: NotRequired[float | None]
    clear: NotRequired[float | None]
    deviations: NotRequired[float]
    emails: NotRequired[list[str]]
    event_kind: NotRequired[str | None]
    event_label: NotRequired[str | None]
    figure: NotRequired[AlertRuleBodyFigure | None]
    for_s: NotRequired[float]
    group: NotRequired[str | None]
    kind: Literal["threshold", "absence", "rate", "anomaly", "rollout_paused", "rollout_approval"]
    severity: NotRequired[Literal["info", "warning", "critical"]]
    webhooks: NotRequired[list[Webhook]]
    window_s: NotRequired[float]


class AlertRuleList(TypedDict):
    """Fields of AlertRuleList."""

    items: list[AlertRule]


class AlertRuleRequest(TypedDict):
    """Fields of AlertRuleRequest."""

    enabled: NotRequired[bool]
    name: str
    rule: AlertRuleBody


class FigurePoint(TypedDict):
    """`at`: start of the minute or hour."""

    at: int
    figures: dict[str, FigureSummary]


class FigureSeries(TypedDict):
    """Oldest first."""

    points: list[FigurePoint]
    span_s: Literal[60, 3600]


class FigureSummary(TypedDict):
    """One figure over a minute or an hour. Quantiles are accurate within 2 %."""

    count: int
    high: float
    low: float
    mean: float
    p50: float
    p95: float


class Notice(TypedDict):
    """A notification and its delivery state."""

    alert: int
    created_at: float
    due_at: float
    error: str
    id: int
    state: Literal["waiting", "delivered", "given up"]
    target: str
    tries: int


class NoticeList(TypedDict):
    """Newest first."""

    items: list[Notice]


class SilenceRequest(TypedDict):
    """Duration for which notifications are muted; 0 unmutes."""

    for_s: float


class Webhook(TypedDict):
    """Address for notifications. With a `secret`, the header X-Edgefleet-Signature is
    `t=SECONDS,v1=HMAC-SHA256(SECONDS.BODY)`."""

    secret: NotRequired[str]
    url: str
