"""Types of the operations about alerts.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from edgefleet_client.not_required import NotRequired


class Alert(TypedDict):
    """`subject`: a device, a device and a pipeline with a slash between them, or `rollout` and its number; `device`,
    `pipeline` and `rollout` have the parts, null where the alert has none. The alert is open while `ended_at` is null."""

    acknowledged_at: float | None
    acknowledged_by: str
    began_at: float
    device: NotRequired[str | None]
    ended_at: float | None
    id: int
    pipeline: NotRequired[str | None]
    rollout: int | None
    rule: int
    rule_name: str
    severity: Literal["info", "warning", "critical"]
    subject: str
    text: str
    value: float


class AlertList(TypedDict):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[Alert]
    next_before_id: NotRequired[int | None]


class AlertRecipient(TypedDict):
    """A `secret` is returned as `(hidden)`, and of the `url` of a webhook or browser only scheme, host and port; sent back
    like that they stay unchanged."""

    created_at: float
    created_by: str
    emails: list[str]
    enabled: bool
    groups: list[str]
    id: int
    key: str
    kind: Literal["webhook", "email", "slack", "teams", "pagerduty", "ntfy", "push"]
    name: str
    secret: str
    severities: list[Literal["info", "warning", "critical"]]
    topic: str
    url: str


class AlertRecipientList(TypedDict):
    """Fields of AlertRecipientList."""

    items: list[AlertRecipient]
    next_after: NotRequired[str | None]


class AlertRecipientRequest(TypedDict):
    """A recipient of the alerts of every rule. `webhook`: a POST to `url`, signed with `secret` as those of rules. `email`:
    to `emails`, by the server's mail server. `slack`, `teams`: `secret` is the address of an incoming webhook (Slack) or
    of a workflow for webhook requests (Microsoft Teams). `pagerduty`: `secret` is the integration key of an Events API v2
    integration; `url` is `https://events.eu.pagerduty.com/v2/enqueue` for accounts in the EU. `ntfy`: to `topic` at the
    server `url` (default: `https://ntfy.sh`), with the access token `secret`. `push`: a browser's subscription, with its
    endpoint as `url`, `p256dh` as `key` and `auth` as `secret`. `groups`: only alerts about devices of these groups, and
    about rollouts for them; empty = all. `severities`: only these; empty = all."""

    emails: NotRequired[list[str]]
    enabled: NotRequired[bool]
    groups: NotRequired[list[str]]
    key: NotRequired[str]
    kind: Literal["webhook", "email", "slack", "teams", "pagerduty", "ntfy", "push"]
    name: str
    secret: NotRequired[str]
    severities: NotRequired[list[Literal["info", "warning", "critical"]]]
    topic: NotRequired[str]
    url: NotRequired[str]


class AlertRule(TypedDict):
    """Secrets of webhooks are returned as `(hidden)`, and of their addresses only scheme, host and port
    (`https://example.org/(hidden-1f2e3d4c)`); sent back like that they stay unchanged."""

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
    "memory_bytes",
    "memory_growth_percent",
    "dropped_percent",
    "confidence",
    "detections_per_hour",
    "coverage_percent",
]


class AlertRuleBody(TypedDict):
    """`threshold`: the latest `figure` of a device above or below a limit for `for_s`. `absence`: a device offline for
    `for_s`. `rate`: events (of `event_kind`, with `event_label`, of the rule `event_rule`) of a device in `window_s`,
    more than `above` or fewer than `below`; `below` leaves out devices that were not online in the whole window.
    `anomaly`: an aggregated `figure` further than `deviations` from the device's own mean of the last day.
    `blind_camera`: a `figure` of a pipeline `below` a limit for `for_s`: `detections_per_hour`, objects found in the last
    sixty minutes, or `coverage_percent`, analyzed frames of those expected. `memory`: the worker of a device is over its
    memory ceiling, or was restarted for that within the last day, for `for_s`. `rollout_paused`: a rollout paused by a
    gate, not by an operator, for `for_s`. `rollout_failed`: a rollout that was aborted or rolled back, for a day.
    `rollout_approval`: a rollout, or its next wave, that has waited for approval for `for_s`. The last three apply to
    every rollout and take no `group`. `pipeline`: limits `rate` and `blind_camera` to one pipeline. `clear`: value at
    which the alert ends (null = 5 % behind the limit). `memory_bytes`: of the agent's processes. `memory_growth_percent`:
    the last whole hour against the same hour a day before."""

    above: NotRequired[float | None]
    below: NotRequired[float | None]
    clear: NotRequired[float | None]
    deviations: NotRequired[float]
    emails: NotRequired[list[str]]
    event_kind: NotRequired[str | None]
    event_label: NotRequired[str | None]
    event_rule: NotRequired[str | None]
    figure: NotRequired[AlertRuleBodyFigure | None]
    for_s: NotRequired[float]
    group: NotRequired[str | None]
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
    pipeline: NotRequired[str | None]
    severity: NotRequired[Literal["info", "warning", "critical"]]
    webhooks: NotRequired[list[Webhook]]
    window_s: NotRequired[float]


class AlertRuleList(TypedDict):
    """Fields of AlertRuleList."""

    items: list[AlertRule]
    next_after: NotRequired[str | None]


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
    """A notification and its delivery state. `recipient`: its number; null for a webhook or mail address of a rule.
    `target`: of the address of a webhook only scheme, host and port. `summary`: what a notice says that stands for
    others, which found no room in the queue of the recipient; its `alert` is 0."""

    alert: int
    created_at: float
    due_at: float
    error: str
    id: int
    recipient: NotRequired[int | None]
    state: Literal["waiting", "delivered", "given up"]
    summary: NotRequired[str]
    target: str
    tries: int


class NoticeList(TypedDict):
    """Newest first. `next_before_id`: the `before_id` of the next page, if there may be one."""

    items: list[Notice]
    next_before_id: NotRequired[int | None]


class PushKey(TypedDict):
    """`applicationServerKey` of browsers' subscriptions: an uncompressed point of P-256 in base64url."""

    public_key: str


class RecipientTest(TypedDict):
    """Result of a test. `error`: why it was not delivered; empty if it was."""

    delivered: bool
    error: str


class SilenceRequest(TypedDict):
    """Duration for which notifications are muted; 0 unmutes."""

    for_s: float


class Snooze(TypedDict):
    """A snooze that goes on; it ends by itself at `until_at`."""

    created_at: float
    created_by: str
    device: str | None
    group: str | None
    id: int
    reason: str
    rule: int | None
    rule_name: str
    until_at: float


class SnoozeList(TypedDict):
    """The next one to end first."""

    items: list[Snooze]
    next_after: NotRequired[str | None]


class SnoozeRequest(TypedDict):
    """No notices of the alerts that match all of `rule` (null = every rule), `group` (null = every device) and `device`,
    until `until_at`, seconds since 1970. At least one of the three is needed."""

    device: NotRequired[str | None]
    group: NotRequired[str | None]
    reason: str
    rule: NotRequired[int | None]
    until_at: float


class Webhook(TypedDict):
    """Address for notifications. With a `secret`, the header X-Edgefleet-Signature is
    `t=SECONDS,v1=HMAC-SHA256(SECONDS.BODY)`."""

    secret: NotRequired[str]
    url: str
