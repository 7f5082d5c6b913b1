"""The HTTP requests of a notice, in the documented format of each kind of recipient.

Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Microsoft Teams: workflow "Post to a channel
when a webhook request is received", with an adaptive card. PagerDuty: Events API v2. ntfy: https://docs.ntfy.sh/publish/#publish-as-json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from edgefleet_server.domain.fleet.webhook_signing import SIGNATURE_HEADER, signature
from edgefleet_server.domain.notices.notice import TEST, Notice, cut, cut_bytes, iso
from edgefleet_server.domain.notices.recipients import Recipient

SLACK_TITLE_MAX: Final = 600
SLACK_TEXT_MAX: Final = 2_000
SLACK_FACT_MAX: Final = 500
"""A block has at most 3,000 characters."""
PAGERDUTY_SUMMARY_MAX: Final = 1_024
PAGERDUTY_KEY_MAX: Final = 255
NTFY_BYTES_MAX: Final = 4_096
"""ntfy makes a file of a longer message."""
TEAMS_TEXT_MAX: Final = 4_000

_SLACK_SIGNS: Final = {"critical": ":red_circle:", "warning": ":large_orange_circle:", "info": ":large_blue_circle:"}
_SLACK_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_TEAMS_COLOURS: Final = {"critical": "Attention", "warning": "Warning", "info": "Accent"}
_NTFY: Final = {"critical": (5, "rotating_light"), "warning": (4, "warning"), "info": (3, "information_source")}


@dataclass(frozen=True, slots=True)
class NoticeRequest:
    """A POST with these headers and this body."""

    url: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def requests_of(recipient: Recipient, notice: Notice, now: float) -> list[NoticeRequest]:
    """The requests that deliver a notice, in their order; several only for a test. Not for mail and browsers."""
    return _FORMATS[recipient.kind](recipient, notice, now)


def _json(url: str, content: Any, **headers: str) -> NoticeRequest:
    body = json.dumps(content).encode()
    return NoticeRequest(url, body, {"Content-Type": "application/json", **headers})


def _webhook(recipient: Recipient, notice: Notice, now: float) -> list[NoticeRequest]:
    request = _json(recipient.url, dict(notice.record))
    if recipient.secret:
        request.headers[SIGNATURE_HEADER] = signature(recipient.secret, int(now), request.body)
    return [request]


def _slack(recipient: Recipient, notice: Notice, _now: float) -> list[NoticeRequest]:
    sign = ":white_check_mark:" if notice.is_over else _SLACK_SIGNS[notice.severity]
    title, text = _escaped(notice.title, SLACK_TITLE_MAX), _escaped(notice.text, SLACK_TEXT_MAX)
    shown = f"<{notice.link}|{title}>" if notice.link else title
    facts = "  ·  ".join(f"{name}: {_escaped(value, SLACK_FACT_MAX)}" for name, value in notice.facts)
    content = {
        "text": f"{title}: {text}",
        "blocks": [
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": f"{sign} *{shown}*\n{text}"},
            },
            {"type": "context", "elements": [{"type": "mrkdwn", "text": facts}]},
        ],
    }
    return [_json(recipient.secret, content)]


def _escaped(text: str, length: int) -> str:
    """Text for Slack, in which three characters have a meaning, of at most `length` characters afterwards."""
    parts = [_SLACK_ESCAPES.get(character, character) for character in text[: length + 1]]
    while sum(map(len, parts)) > length:
        parts[-2:] = ["…"]
    return "".join(parts)


def _teams(recipient: Recipient, notice: Notice, _now: float) -> list[NoticeRequest]:
    colour = "Good" if notice.is_over else _TEAMS_COLOURS[notice.severity]
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [
            {
                "type": "TextBlock", "text": _plain(notice.title), "weight": "Bolder", "size": "Medium", "color": colour,
                "wrap": True,
            },
            {"type": "TextBlock", "text": _plain(cut(notice.text, TEAMS_TEXT_MAX)), "wrap": True},
            {"type": "FactSet", "facts": [{"title": name, "value": _plain(value)} for name, value in notice.facts]},
        ],
    }  # fmt: skip
    if notice.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": "Open in edgefleet", "url": notice.link}]
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return [_json(recipient.secret, {"type": "message", "attachments": [attachment]})]


def _plain(text: str) -> str:
    """Text for an adaptive card, whose text blocks are Markdown."""
    for character in "\\*_[]":
        text = text.replace(character, f"\\{character}")
    return text


def _pagerduty(recipient: Recipient, notice: Notice, _now: float) -> list[NoticeRequest]:
    record = notice.record
    key = cut(f"edgefleet/test/{record['began_at']:.3f}" if notice.what == TEST else notice.key, PAGERDUTY_KEY_MAX)
    resolve = {"routing_key": recipient.secret, "event_action": "resolve", "dedup_key": key}
    if notice.is_over:
        return [_json(recipient.url, resolve)]
    trigger: dict[str, Any] = {
        "routing_key": recipient.secret,
        "event_action": "trigger",
        "dedup_key": key,
        "client": "edgefleet",
        "payload": {
            "summary": cut(f"{notice.title}: {notice.text}", PAGERDUTY_SUMMARY_MAX),
            "source": record["device"] or record["subject"],
            "severity": notice.severity,
            "timestamp": iso(record["began_at"]),
            "class": record["rule_name"],
            "custom_details": {
                name: record[name] for name in ("id", "rule_name", "subject", "device", "pipeline", "rollout", "text", "value")
            },
        },
    }
    if notice.link:
        trigger |= {"client_url": notice.link, "links": [{"href": notice.link, "text": "Open in edgefleet"}]}
    requests = [_json(recipient.url, trigger)]
    return [*requests, _json(recipient.url, resolve)] if notice.what == TEST else requests


def _ntfy(recipient: Recipient, notice: Notice, _now: float) -> list[NoticeRequest]:
    priority, tag = (3, "white_check_mark") if notice.is_over else _NTFY[notice.severity]
    content: dict[str, Any] = {
        "topic": recipient.topic,
        "title": cut(notice.title, 250),
        "message": cut_bytes(notice.text, NTFY_BYTES_MAX),
        "priority": priority,
        "tags": [tag],
    }
    if notice.link:
        content["click"] = notice.link
    headers = {"Authorization": f"Bearer {recipient.secret}"} if recipient.secret else {}
    return [_json(f"{recipient.url.rstrip('/')}/", content, **headers)]


_FORMATS: Final = {"webhook": _webhook, "slack": _slack, "teams": _teams, "pagerduty": _pagerduty, "ntfy": _ntfy}
