"""The history of a device: its figures over time, and the updates that it was part of."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.db.telemetry.rollups import closed_spans
from edgefleet_server.domain.statistics.summaries import MINUTE_S, SPANS_S, Figures, merge, unpack, without_labels

UPDATES_MAX: Final = 100
_UPDATES: Final = (
    "SELECT a.rollout, r.slot, p.name, p.version, a.state, a.offered_at, a.finished_at FROM attempt a"
    " JOIN rollout r ON r.id = a.rollout JOIN package p ON p.digest = r.package"
    " WHERE a.device = ? AND a.offered_at > 0 AND a.offered_at < ? AND (a.offered_at >= ? OR a.finished_at >= ?)"
    " ORDER BY a.offered_at DESC LIMIT ?"
)


def figures_by_start(db: Driver, device: str, span_s: int, since: int, until: int) -> dict[int, Figures]:
    """The figures of the spans that begin from `since` to before `until`, by their start; a span without samples is missing. Both
    are starts of spans. A span that is not over, or not computed yet, is merged from shorter ones."""
    closed_to = until if span_s == MINUTE_S else min(max(closed_spans(db)[span_s], since), until)
    rows = db.execute(
        "SELECT at, figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ? AND at < ? ORDER BY at",
        (span_s, device, since, closed_to),
    )
    found = {int(at): without_labels(unpack(data)) for at, data in rows.fetchall()}
    if closed_to < until:
        shorter_s = SPANS_S[SPANS_S.index(span_s) - 1]
        parts: defaultdict[int, list[Figures]] = defaultdict(list)
        for at, figures in figures_by_start(db, device, shorter_s, closed_to, until).items():
            parts[at // span_s * span_s].append(figures)
        found |= {at: merge(figures) for at, figures in parts.items()}
    return found


def updates(db: Driver, device: str, since: float, until: float) -> tuple[list[dict[str, Any]], bool]:
    """Offers in the period and ends of updates in it, oldest first; whether earlier ones were left out. `state`: `offered`, or
    the state in which the update ended."""
    rows = db.execute(_UPDATES, (device, until, since, since, UPDATES_MAX + 1)).fetchall()
    marks = []
    for rollout, slot, package, version, state, offered_at, finished_at in rows[:UPDATES_MAX]:
        about = {"rollout": rollout, "slot": slot, "package": package, "version": version}
        if offered_at >= since:
            marks.append({"at": offered_at, "state": "offered", **about})
        if finished_at is not None and since <= finished_at < until:
            marks.append({"at": finished_at, "state": state, **about})
    return sorted(marks, key=lambda mark: (mark["at"], mark["rollout"])), len(rows) > UPDATES_MAX
