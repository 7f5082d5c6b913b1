"""Notices that wait for their delivery, and the outcomes of those that were delivered or given up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from edgefleet_server.db.alerting import announced
from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.db.telemetry.alerts import NUMBER_MAX
from edgefleet_server.domain.notices.summary import NO_ALERT, summary_of

OUTCOMES_MAX: Final = 10_000
WAITING_MAX: Final = 20_000
WAITING_OF_TARGET: Final = 500
WAITING_OF_TARGET_MIN: Final = 20
"""Limits of stored outcomes, of waiting notices, and of those for one target: fewer if there are very many targets."""

Record = dict[str, Any]
NoticeRow = tuple[str, int, str, int | None]
"""Target, alert, body, recipient"""

_RANK: Final = (
    "CASE WHEN n.alert = 0 THEN 2 ELSE CASE json_extract(r.rule, '$.severity') WHEN 'critical' THEN 0 WHEN 'warning' THEN 1"
    " ELSE 3 END END"
)
"""Order of delivery: critical, warning, summaries, info"""
_JOINED: Final = "notice n LEFT JOIN alert a ON a.id = n.alert LEFT JOIN alert_rule r ON r.id = a.rule"


def add(db: Driver, rows: Iterable[NoticeRow], now: float) -> dict[str, int]:
    """Store notices until they are delivered. Of those that wait for a target and exceed its limit, the newest of the lowest
    severity are replaced by one summary that counts them. Returns the number of replaced notices, by target."""
    rows = list(rows)
    db.executemany(
        "INSERT INTO notice (target, alert, body, recipient, state, tries, due_at, created_at, error)"
        " VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?, '')",
        [(*row, now, now) for row in rows],
    )
    replaced = {}
    if rows:
        targets = int(db.execute("SELECT count(DISTINCT target) FROM notice WHERE state = 'waiting'").fetchone()[0])
        limit = min(WAITING_OF_TARGET, max(WAITING_OF_TARGET_MIN, WAITING_MAX // targets))
        counts = {
            target: _summarize(db, target, number, limit, now) for target, number in {row[0]: row[3] for row in rows}.items()
        }
        replaced = {target: count for target, count in counts.items() if count}
        db.execute(
            "DELETE FROM notice WHERE state <> 'waiting' AND id <="
            " (SELECT id FROM notice WHERE state <> 'waiting' ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (OUTCOMES_MAX,),
        )
    return replaced


def _summarize(db: Driver, target: str, number: int | None, limit: int, now: float) -> int:
    """Replace the waiting notices of a target beyond the limit by its summary; returns their number. Who does not get the start
    of an alert will not get its end."""
    rows = db.execute(
        f"SELECT n.id, n.body, n.alert, n.recipient FROM {_JOINED} WHERE n.target = ? AND n.state = 'waiting' AND n.alert <> 0"  # noqa: S608
        f" ORDER BY {_RANK}, n.id LIMIT ? OFFSET ?",
        (target, WAITING_MAX, limit),
    ).fetchall()
    if not rows:
        return 0
    found = db.execute(
        "SELECT id, body FROM notice WHERE target = ? AND state = 'waiting' AND alert = 0 ORDER BY id LIMIT 1", (target,)
    ).fetchone()
    body = json.dumps(summary_of(json.loads(found[1]) if found else None, [json.loads(row[1]) for row in rows]))
    db.executemany("DELETE FROM notice WHERE id = ?", [(row[0],) for row in rows])
    for _, text, alert, recipient in rows:
        if json.loads(text)["what"] == "began":
            announced.take_back(db, alert, recipient, target)
    if found:
        db.execute("UPDATE notice SET body = ? WHERE id = ?", (body, found[0]))
    else:
        db.execute(
            "INSERT INTO notice (target, alert, body, recipient, state, tries, due_at, created_at, error)"
            " VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?, '')",
            (target, NO_ALERT, body, number, now, now),
        )
    return len(rows)


def due(db: Driver, now: float, of_target: int, limit: int) -> list[Record]:
    """Notices that are due for delivery, in their order (`rank`), at most `of_target` of one target and `limit` of all."""
    ranked = (
        f"SELECT n.id, n.target, n.alert, n.body, n.tries, n.recipient, a.rule, n.due_at, {_RANK} AS rank FROM {_JOINED}"  # noqa: S608
        " WHERE n.state = 'waiting' AND n.due_at <= ? AND (n.alert = 0 OR a.id IS NOT NULL)"
    )
    placed = f"SELECT *, row_number() OVER (PARTITION BY target ORDER BY rank, due_at, id) AS place FROM ({ranked}) AS ranked"  # noqa: S608
    rows = db.execute(
        f"SELECT id, target, alert, body, tries, recipient, rule, rank FROM ({placed}) AS placed"  # noqa: S608 (fixed texts)
        " WHERE place <= ? ORDER BY place, rank, due_at, id LIMIT ?",
        (now, of_target, limit),
    )
    names = ("id", "target", "alert", "body", "tries", "recipient", "rule", "rank")
    return [dict(zip(names, row, strict=True)) for row in rows]


def set_delivery(db: Driver, notice: Record, state: str, tries: int, due_at: float, error: str) -> None:
    """Store the result of a delivery. A summary that has counted more notices meanwhile waits on, and comes again."""
    db.execute(
        "UPDATE notice SET state = ?, tries = ?, due_at = ?, error = ? WHERE id = ? AND (body = ? OR ? <> 'delivered')",
        (state, tries, due_at, error[:500], notice["id"], notice["body"], state),
    )


def notices(db: Driver, limit: int, before_id: int = NUMBER_MAX) -> list[Record]:
    """Notices, newest first. before_id: only older ones than this. `summary`: the text of a summary."""
    rows = db.execute(
        "SELECT id, target, alert, state, tries, due_at, created_at, error, recipient, CASE alert WHEN 0 THEN body ELSE '' END"
        " FROM notice WHERE id < ? ORDER BY id DESC LIMIT ?",
        (before_id, limit),
    )
    names = ("id", "target", "alert", "state", "tries", "due_at", "created_at", "error", "recipient", "summary")
    found = [dict(zip(names, row, strict=True)) for row in rows]
    return [{**one, "summary": json.loads(one["summary"])["text"] if one["summary"] else ""} for one in found]


def counts(db: Driver) -> tuple[int, int]:
    """The number of waiting notices, and of those that the stored summaries count."""
    waiting = db.execute("SELECT count(*) FROM notice WHERE state = 'waiting'").fetchone()[0]
    summaries = db.execute("SELECT body FROM notice WHERE alert = 0").fetchall()
    return int(waiting), sum(int(json.loads(row[0])["value"]) for row in summaries)
