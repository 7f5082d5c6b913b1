"""The mail of a notice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from edgefleet_server.domain.notices.notice import SUMMARY, TEST, Notice, cut, utc

SUBJECT_MAX: Final = 200


def message_of(notice: Notice, sender: str, to: Sequence[str], now: float, unique: str) -> EmailMessage:
    """The message. unique: a text that no other message has."""
    record = notice.record
    message = EmailMessage()
    message["From"], message["To"] = sender, ", ".join(to)
    subject = f"[edgefleet] {record['rule_name']}: {record['subject']}"
    subject += f" {notice.what}" if notice.what != SUMMARY else ""
    if notice.what == TEST:
        subject = f"[edgefleet] {notice.title}"
    message["Subject"] = cut(subject.replace("\r", " ").replace("\n", " "), SUBJECT_MAX)
    message["Date"] = format_datetime(datetime.fromtimestamp(now, timezone.utc))
    message["Message-ID"] = f"<{unique}@{sender.rpartition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [f"{record['subject']}: {record['text']}" if notice.what != TEST else record["text"], ""]
    lines.append(f"since {utc(record['began_at'])}")
    if notice.is_over:
        lines.append(f"until {utc(record['ended_at'])}")
    if notice.what != TEST:
        lines.append(f"severity {record['severity']}" + (f", alert {record['id']}" if notice.what != SUMMARY else ""))
    lines += ["", notice.link] if notice.link else []
    message.set_content("\n".join(lines) + "\n")
    return message
