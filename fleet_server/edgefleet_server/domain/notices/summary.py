"""The notice that stands for those that found no room in the queue of a recipient: it counts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from edgefleet_server.domain.notices.notice import SUMMARY, utc

SEVERITIES: Final = ("critical", "warning", "info")
NO_ALERT: Final = 0
"""In place of an alert's id in a summary."""


def summary_of(before: Mapping[str, Any] | None, bodies: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The body of a summary that counts more notices. before: its body until now. bodies: those of the notices, at least one."""
    counts: dict[str, dict[str, int]] = {severity: dict(found) for severity, found in (before or {}).get("counts", {}).items()}
    times = [before["began_at"], before["last_at"]] if before else []
    for body in bodies:
        of_severity = counts.setdefault(body["severity"], {})
        of_severity[body["what"]] = of_severity.get(body["what"], 0) + 1
        times.append(body["ended_at"] if body["what"] == "ended" else body["began_at"])
    total = sum(sum(found.values()) for found in counts.values())
    first, last = min(times), max(times)
    return {
        "what": SUMMARY,
        "id": NO_ALERT,
        "rule": 0,
        "rule_name": "summary",
        "severity": next(severity for severity in SEVERITIES if severity in counts),
        "subject": f"{total} more {'notice' if total == 1 else 'notices'}",
        "device": None,
        "pipeline": None,
        "rollout": None,
        "text": f"{_counted(counts)}; first {utc(first)}, last {utc(last)}; see `edgefleet alert list --all`",
        "value": float(total),
        "began_at": first,
        "ended_at": None,
        "acknowledged_at": None,
        "acknowledged_by": "",
        "counts": counts,
        "last_at": last,
    }


def _counted(counts: Mapping[str, Mapping[str, int]]) -> str:
    """`214 more alerts of severity info, 3 ends of alerts of severity info`, the worst severity first."""
    parts = []
    for severity in SEVERITIES:
        found = counts.get(severity, {})
        if began := found.get("began", 0):
            parts.append(f"{began} more {'alert' if began == 1 else 'alerts'} of severity {severity}")
        if ended := found.get("ended", 0):
            parts.append(f"{ended} {'end' if ended == 1 else 'ends'} of alerts of severity {severity}")
    return ", ".join(parts)
