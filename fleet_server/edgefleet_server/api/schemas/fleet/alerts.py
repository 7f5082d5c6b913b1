"""Bodies of the REST API v1 about alerts and figures. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, Name, StrictModel, Title

Figure = Literal[
    "fps", "latency_p95_ms", "dropped_per_s", "temperature_c", "cpu_percent", "disk_free_bytes", "memory_bytes",
    "memory_growth_percent",
]  # fmt: skip
Summed = Literal["fps", "latency_p95_ms", "dropped_percent", "temperature_c", "cpu_percent", "confidence", "memory_bytes"]
OfCamera = Literal["detections_per_hour", "coverage_percent"]
Severity = Literal["info", "warning", "critical"]
Email = Annotated[str, Field(pattern=r"^[^@\s]{1,64}@[^@\s]{1,190}$")]


class Webhook(StrictModel):
    """Address for notifications. With a `secret`, the header X-Edgefleet-Signature is
    `t=SECONDS,v1=HMAC-SHA256(SECONDS.BODY)`."""

    url: Annotated[str, Field(pattern=r"^https?://[^\s]{3,500}$")]
    secret: Annotated[str, Field(max_length=200)] = ""


class AlertRuleBody(StrictModel):
    """`threshold`: the latest `figure` of a device above or below a limit for `for_s`. `absence`: a device offline for `for_s`.
    `rate`: events (of `event_kind`, with `event_label`, of the rule `event_rule`) of a device in `window_s`, more than `above` or
    fewer than `below`; `below` leaves out devices that were not online in the whole window. `anomaly`: an aggregated `figure`
    further than `deviations` from the device's own mean of the last day. `blind_camera`: a `figure` of a pipeline `below` a limit
    for `for_s`: `detections_per_hour`, objects found in the last sixty minutes, or `coverage_percent`, analyzed frames of those
    expected. `memory`: the worker of a device is over its memory ceiling, or was restarted for that within the last day, for
    `for_s`. `rollout_paused`: a rollout paused by a gate, not by an operator, for `for_s`. `rollout_failed`: a rollout that was
    aborted or rolled back, for a day. `rollout_approval`: a rollout, or its next wave, that has waited for approval for `for_s`.
    The last three apply to every rollout and take no `group`. `pipeline`: limits `rate` and `blind_camera` to one pipeline.
    `clear`: value at which the alert ends (null = 5 % behind the limit). `memory_bytes`: of the agent's processes.
    `memory_growth_percent`: the last whole hour against the same hour a day before."""

    kind: Literal[
        "threshold",
        "absence",
        "rate",
        "anomaly",
        "blind_camera",
        "memory",
        "rollout_paused",
        "rollout_failed",
        "rollout_approval",
    ]
    figure: Figure | Summed | OfCamera | None = None
    above: float | None = None
    below: float | None = None
    clear: float | None = None
    for_s: Annotated[float, Field(ge=0, le=2_592_000)] = 60.0
    window_s: Annotated[float, Field(ge=10, le=86_400)] = 300.0
    deviations: Annotated[float, Field(ge=1, le=100)] = 4.0
    event_kind: Annotated[str, Field(max_length=100)] | None = None
    event_label: Annotated[str, Field(max_length=200)] | None = None
    event_rule: Annotated[str, Field(max_length=100)] | None = None
    pipeline: Annotated[str, Field(max_length=100)] | None = None
    group: Name | None = None
    severity: Severity = "warning"
    webhooks: Annotated[list[Webhook], Field(max_length=10)] = Field(default_factory=list)
    emails: Annotated[list[Email], Field(max_length=10)] = Field(default_factory=list)


class AlertRuleRequest(StrictModel):
    name: Title
    rule: AlertRuleBody
    enabled: bool = True


class AlertRule(BaseModel):
    """Secrets of webhooks are returned as `(hidden)`, and of their addresses only scheme, host and port
    (`https://example.org/(hidden-1f2e3d4c)`); sent back like that they stay unchanged."""

    id: int
    name: str
    rule: AlertRuleBody
    enabled: bool
    silenced_until: float
    silenced_by: str
    created_at: float
    created_by: str
    alerts_open: int


class AlertRuleList(CursorPage):
    items: list[AlertRule]


class SilenceRequest(StrictModel):
    """Duration for which notifications are muted; 0 unmutes."""

    for_s: Annotated[float, Field(ge=0, le=2_592_000)]


class Alert(BaseModel):
    """`subject`: a device, a device and a pipeline with a slash between them, or `rollout` and its number; `device`, `pipeline`
    and `rollout` have the parts, null where the alert has none. The alert is open while `ended_at` is null."""

    id: int
    rule: int
    rule_name: str
    severity: Severity
    subject: str
    device: str | None = None
    pipeline: str | None = None
    rollout: int | None
    text: str
    value: float
    began_at: float
    ended_at: float | None
    acknowledged_at: float | None
    acknowledged_by: str


class AlertList(BaseModel):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[Alert]
    next_before_id: int | None = None


class Notice(BaseModel):
    """A notification and its delivery state. `recipient`: its number; null for a webhook or mail address of a rule. `target`: of
    the address of a webhook only scheme, host and port. `summary`: what a notice says
    that stands for others, which found no room in the queue of the recipient; its `alert` is 0."""

    id: int
    target: str
    alert: int
    state: Literal["waiting", "delivered", "given up"]
    tries: int
    due_at: float
    created_at: float
    error: str
    recipient: int | None = None
    summary: str = ""


class NoticeList(BaseModel):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[Notice]
    next_before_id: int | None = None


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
