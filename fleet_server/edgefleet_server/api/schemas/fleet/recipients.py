"""Recipients of alerts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CursorPage, Name, StrictModel, Title
from edgefleet_server.api.schemas.fleet.alerts import Email, Severity

RecipientKind = Literal["webhook", "email", "slack", "teams", "pagerduty", "ntfy", "push"]


class AlertRecipientRequest(StrictModel):
    """A recipient of the alerts of every rule. `webhook`: a POST to `url`, signed with `secret` as those of rules. `email`: to
    `emails`, by the server's mail server. `slack`, `teams`: `secret` is the address of an incoming webhook (Slack) or of a
    workflow for webhook requests (Microsoft Teams). `pagerduty`: `secret` is the integration key of an Events API v2 integration;
    `url` is `https://events.eu.pagerduty.com/v2/enqueue` for accounts in the EU. `ntfy`: to `topic` at the server `url` (default:
    `https://ntfy.sh`), with the access token `secret`. `push`: a browser's subscription, with its endpoint as `url`, `p256dh` as
    `key` and `auth` as `secret`. `groups`: only alerts about devices of these groups, and about rollouts for them; empty = all.
    `severities`: only these; empty = all."""

    name: Title
    kind: RecipientKind
    url: Annotated[str, Field(max_length=1000)] = ""
    secret: Annotated[str, Field(max_length=1000)] = ""
    emails: Annotated[list[Email], Field(max_length=20)] = Field(default_factory=list)
    topic: Annotated[str, Field(max_length=64)] = ""
    key: Annotated[str, Field(max_length=200)] = ""
    groups: Annotated[list[Name], Field(max_length=50)] = Field(default_factory=list)
    severities: Annotated[list[Severity], Field(max_length=3)] = Field(default_factory=list)
    enabled: bool = True


class AlertRecipient(BaseModel):
    """A `secret` is returned as `(hidden)`, and of the `url` of a webhook or browser only scheme, host and port; sent back like
    that they stay unchanged."""

    id: int
    name: str
    kind: RecipientKind
    url: str
    secret: str
    emails: list[str]
    topic: str
    key: str
    groups: list[str]
    severities: list[Severity]
    enabled: bool
    created_at: float
    created_by: str


class AlertRecipientList(CursorPage):
    items: list[AlertRecipient]


class RecipientTest(BaseModel):
    """Result of a test. `error`: why it was not delivered; empty if it was."""

    delivered: bool
    error: str


class PushKey(BaseModel):
    """`applicationServerKey` of browsers' subscriptions: an uncompressed point of P-256 in base64url."""

    public_key: str
