"""A notice: an alert that began or ended, a test, or a summary of others, with the texts that all formats share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Final, Literal

What = Literal["began", "ended", "test", "summary"]
Severity = Literal["info", "warning", "critical"]
TEST: Final = "test"
SUMMARY: Final = "summary"
_WORDS: Final = {"info": "Info", "warning": "Warning", "critical": "Critical"}


@dataclass(frozen=True, slots=True)
class Notice:
    """The content of what a recipient gets. `record`: the alert as in the REST API, and `what`. `site`: address of the
    dashboard; empty = not known."""

    what: What
    record: Mapping[str, Any]
    site: str = ""

    @property
    def severity(self) -> Severity:
        """The severity of the rule."""
        severity: Severity = self.record["severity"]
        return severity

    @property
    def is_over(self) -> bool:
        """Whether the alert has ended."""
        return self.what == "ended"

    @property
    def key(self) -> str:
        """The same for begin and end of an alert, and different for every other alert, also of other servers."""
        record = self.record
        return f"edgefleet/{record['id']}/{record['began_at']:.3f}/{record['subject']}"

    @property
    def title(self) -> str:
        """One line: "Critical: hot, dev-1", "Resolved: hot, dev-1"."""
        record = self.record
        if self.what == TEST:
            return f"Test: {record['rule_name']}"
        if self.what == SUMMARY:
            return f"{_WORDS[self.severity]}: {record['subject']}"
        return f"{'Resolved' if self.is_over else _WORDS[self.severity]}: {record['rule_name']}, {record['subject']}"

    @property
    def text(self) -> str:
        """The reason of the alert, and of one that has ended, how long it was open."""
        text = str(self.record["text"])
        return f"{text} (over after {_span(self.record['ended_at'] - self.record['began_at'])})" if self.is_over else text

    @property
    def link(self) -> str:
        """The page of the device, the rollout or the alerts; empty if the address of the dashboard is not known."""
        if not self.site:
            return ""
        return f"{self.site}{self.path}"

    @property
    def path(self) -> str:
        """The page below the address of the dashboard."""
        if self.record.get("rollout"):
            return f"/rollouts/{self.record['rollout']}"
        return f"/devices/{self.record['device']}" if self.record.get("device") else "/alerts"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """(name, value) of what else a reader wants to know."""
        record = self.record
        facts = [("Subject", str(record["subject"])), ("Severity", _WORDS[self.severity]), ("Since", utc(record["began_at"]))]
        if self.is_over:
            facts.append(("Until", utc(record["ended_at"])))
        return facts[2:] if self.what == TEST else facts[1:] if self.what == SUMMARY else facts


def notice_of(body: Mapping[str, Any], site: str = "") -> Notice:
    """The notice in the stored body of a delivery."""
    return Notice(body["what"], body, site)


def notice_of_test(recipient: str, by: str, now: float, site: str = "") -> Notice:
    """A notice that says that a recipient gets notices. by: the user who asked for it."""
    record = {
        "what": TEST,
        "id": 0,
        "rule": 0,
        "rule_name": f"notifications to {recipient}",
        "severity": "info",
        "subject": "test",
        "device": None,
        "pipeline": None,
        "rollout": None,
        "text": f"This is a test by {by or 'a local user'}. Alerts of the fleet arrive here.",
        "value": 0.0,
        "began_at": now,
        "ended_at": None,
        "acknowledged_at": None,
        "acknowledged_by": "",
    }
    return Notice("test", record, site)


def utc(at: float) -> str:
    """A time for people: "2026-11-27 06:28:11 UTC"."""
    return f"{datetime.fromtimestamp(at, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"


def iso(at: float) -> str:
    """A time in ISO 8601."""
    return datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds")


def cut(text: str, length: int) -> str:
    """A text of at most `length` characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def cut_bytes(text: str, length: int) -> str:
    """A text of at most `length` bytes of UTF-8."""
    data = text.encode()
    return text if len(data) <= length else f"{data[: length - 3].decode(errors='ignore')}…"


def _span(seconds: float) -> str:
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(max(0.0, seconds))} s"
