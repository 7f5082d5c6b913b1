"""Alert rules, alerts, and notices to deliver."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.db.telemetry import rollout_alerts
from edgefleet_server.domain.fleet.alerts import AlertRuleTerms, Reading, StartedAlert, rollout_of, spread_of
from edgefleet_server.domain.statistics.summaries import HOUR_S, MINUTE_S, unpack

RULES_MAX: Final = 200
ALERTS_OPEN_MAX: Final = 5_000
"""Limit of open alerts of one rule: the failure of a whole fleet must not cause ten thousand."""
NOTICES_MAX: Final = 10_000
WAITING_OF_TARGET: Final = 500
RECENT_S: Final = 900.0
"""Older samples are not used as readings."""
HISTORY_HOURS: Final = 24

_COLUMNS: Final = {
    "fps": "fps",
    "latency_p95_ms": "latency_p95_ms",
    "dropped_per_s": "dropped_per_s",
    "temperature_c": "temperature_c",
    "cpu_percent": "cpu_percent",
    "disk_free_bytes": "disk_free_bytes",
}
"""Figures that a rule may name, each with the place of its latest value."""

Record = dict[str, Any]


def rules(db: Driver, enabled: bool = False) -> list[Record]:
    """All rules, or only the enabled ones."""
    rows = db.execute(
        "SELECT id, name, rule, enabled, silenced_until, silenced_by, created_at, created_by,"
        " (SELECT count(*) FROM alert a WHERE a.rule = r.id AND a.ended_at IS NULL) FROM alert_rule r"
        " WHERE enabled OR NOT ? ORDER BY id",
        (enabled,),
    )
    names = ("id", "name", "rule", "enabled", "silenced_until", "silenced_by", "created_at", "created_by", "alerts_open")
    return [{**dict(zip(names, row, strict=True)), "rule": json.loads(row[2]), "enabled": bool(row[3])} for row in rows]


def rule(db: Driver, number: int) -> Record:
    """One rule.

    Raises:
        NotFoundError: there is no such rule.
    """
    for record in rules(db):
        if record["id"] == number:
            return record
    raise NotFoundError(f"no alert rule {number}; `edgefleet alert rules` lists the rules")


def put_rule(db: Driver, number: int | None, name: str, terms: Record, enabled: bool, by: str, now: float) -> int:
    """Create a rule, or change one; returns its number.

    Raises:
        ConflictError: the name is taken, or there are too many.
    """
    taken = db.execute("SELECT id FROM alert_rule WHERE name = ?", (name,)).fetchone()
    if taken is not None and taken[0] != number:
        raise ConflictError(f"alert rule {name!r} already exists; choose another name")
    if number is not None:
        db.execute(
            "UPDATE alert_rule SET name = ?, rule = ?, enabled = ? WHERE id = ?", (name, json.dumps(terms), enabled, number)
        )
        return number
    if db.execute("SELECT count(*) FROM alert_rule").fetchone()[0] >= RULES_MAX:
        raise ConflictError(f"the limit of {RULES_MAX} alert rules is reached; delete one first")
    done = db.execute(
        "INSERT INTO alert_rule (name, rule, enabled, silenced_until, silenced_by, created_at, created_by)"
        " VALUES (?, ?, ?, 0, '', ?, ?) RETURNING id",
        (name, json.dumps(terms), enabled, now, by),
    )
    return int(done.fetchone()[0])


def delete_rule(db: Driver, number: int) -> None:
    """Delete a rule with its alerts.

    Raises:
        NotFoundError: there is none.
    """
    rule(db, number)
    db.execute("DELETE FROM notice WHERE alert IN (SELECT id FROM alert WHERE rule = ?)", (number,))
    db.execute("DELETE FROM alert WHERE rule = ?", (number,))
    db.execute("DELETE FROM alert_rule WHERE id = ?", (number,))


def silence(db: Driver, number: int, until_at: float, by: str) -> None:
    """Send no notices of this rule until `until_at`; its alerts are still stored.

    Raises:
        NotFoundError: there is none.
    """
    rule(db, number)
    db.execute("UPDATE alert_rule SET silenced_until = ?, silenced_by = ? WHERE id = ?", (until_at, by, number))


# -- alerts

_ALERT_NAMES: Final = (
    "id", "rule", "rule_name", "severity", "subject", "text", "value", "began_at", "ended_at",
    "acknowledged_at", "acknowledged_by",
)  # fmt: skip


def alerts(db: Driver, *, open_only: bool, rule_id: int | None = None, subject: str = "", limit: int = 100) -> list[Record]:
    """Alerts, newest first."""
    number = -1 if rule_id is None else rule_id
    rows = db.execute(
        "SELECT a.id, a.rule, r.name, json_extract(r.rule, '$.severity'), a.subject, a.text, a.value, a.began_at, a.ended_at,"
        " a.acknowledged_at, a.acknowledged_by FROM alert a JOIN alert_rule r ON r.id = a.rule"
        " WHERE (NOT ? OR a.ended_at IS NULL) AND (? < 0 OR a.rule = ?) AND (? = '' OR a.subject = ?)"
        " ORDER BY a.id DESC LIMIT ?",
        (open_only, number, number, subject, subject, limit),
    )
    return [_alert(row) for row in rows]


def alert(db: Driver, number: int) -> Record:
    """One alert, which has to exist."""
    row = db.execute(
        "SELECT a.id, a.rule, r.name, json_extract(r.rule, '$.severity'), a.subject, a.text, a.value, a.began_at, a.ended_at,"
        " a.acknowledged_at, a.acknowledged_by FROM alert a JOIN alert_rule r ON r.id = a.rule WHERE a.id = ?",
        (number,),
    ).fetchone()
    return _alert(row)


def _alert(row: Sequence[Any]) -> Record:
    record = dict(zip(_ALERT_NAMES, row, strict=True))
    return {**record, "rollout": rollout_of(record["subject"])}


def acknowledge(db: Driver, number: int, by: str, now: float) -> None:
    """Record that the user `by` acknowledges an alert.

    Raises:
        NotFoundError: there is none.
    """
    done = db.execute(
        "UPDATE alert SET acknowledged_at = coalesce(acknowledged_at, ?), acknowledged_by = CASE acknowledged_by WHEN '' THEN ?"
        " ELSE acknowledged_by END WHERE id = ?",
        (now, by, number),
    )
    if done.rowcount == 0:
        raise NotFoundError(f"no alert {number}; `edgefleet alert list` lists the alerts")


def count_open(db: Driver) -> int:
    """Number of alerts that have not ended."""
    return int(db.execute("SELECT count(*) FROM alert WHERE ended_at IS NULL").fetchone()[0])


def active(db: Driver, number: int) -> frozenset[str]:
    """Subjects with an open alert of a rule."""
    return frozenset(row[0] for row in db.execute("SELECT subject FROM alert WHERE rule = ? AND ended_at IS NULL", (number,)))


def start_alerts(db: Driver, number: int, started: Iterable[StartedAlert], now: float) -> list[int]:
    """Store new alerts; returns their ids."""
    room = ALERTS_OPEN_MAX - len(active(db, number))
    found = []
    for one in list(started)[: max(0, room)]:
        done = db.execute(
            "INSERT INTO alert (rule, subject, text, value, began_at, acknowledged_by) VALUES (?, ?, ?, ?, ?, '') RETURNING id",
            (number, one.subject, one.text, one.value, now),
        )
        found.append(int(done.fetchone()[0]))
    return found


def end_alerts(db: Driver, number: int, subjects: Iterable[str], now: float) -> list[int]:
    """End the open alerts of these subjects; returns their ids."""
    found = []
    for subject in subjects:
        rows = db.execute(
            "UPDATE alert SET ended_at = ? WHERE rule = ? AND subject = ? AND ended_at IS NULL RETURNING id",
            (now, number, subject),
        ).fetchall()
        found += [row[0] for row in rows]
    return found


# -- readings


def readings(
    db: Driver, rule: AlertRuleTerms, members: frozenset[str] | None, terms: Mapping[str, Any], now: float
) -> dict[str, Reading]:
    """The readings of a rule, by subject. `members`: the devices it applies to; None = all devices."""
    found = _READERS[rule.kind](db, rule, terms, now)
    return {subject: reading for subject, reading in found.items() if members is None or subject in members}


def _threshold(db: Driver, rule: AlertRuleTerms, _terms: Mapping[str, Any], now: float) -> dict[str, Reading]:
    column = _COLUMNS[rule.figure]
    rows = db.execute(
        f"SELECT device, {column} FROM device_last WHERE sample_at > ? AND {column} IS NOT NULL",  # noqa: S608 (fixed names)
        (now - RECENT_S,),
    )
    return {device: Reading(value) for device, value in rows}


def _absence(db: Driver, _rule: AlertRuleTerms, _terms: Mapping[str, Any], now: float) -> dict[str, Reading]:
    rows = db.execute("SELECT device, presence, presence_at FROM device_last")
    return {device: Reading(0.0 if presence == "online" else now - since) for device, presence, since in rows}


def _rate(db: Driver, rule: AlertRuleTerms, terms: Mapping[str, Any], now: float) -> dict[str, Reading]:
    kind, label = terms.get("event_kind") or "", terms.get("event_label") or ""
    rows = db.execute(
        "SELECT device, count(*) FROM event WHERE received_at > ? AND (? = '' OR kind = ?) AND (? = '' OR label = ?)"
        " GROUP BY device",
        (now - rule.window_s, kind, kind, label, label),
    ).fetchall()
    return {**_quiet(db, rule), **{device: Reading(float(count)) for device, count in rows}}


def _quiet(db: Driver, rule: AlertRuleTerms) -> dict[str, Reading]:
    """Zero readings of the subjects with an open alert, for a rule whose query returns only the subjects it finds."""
    return dict.fromkeys(active(db, rule.id), Reading(0.0))


def _rollout_paused(db: Driver, rule: AlertRuleTerms, _record: Mapping[str, Any], now: float) -> dict[str, Reading]:
    return {**_quiet(db, rule), **rollout_alerts.paused(db, now)}


def _rollout_approval(db: Driver, rule: AlertRuleTerms, _record: Mapping[str, Any], now: float) -> dict[str, Reading]:
    return {**_quiet(db, rule), **rollout_alerts.waiting(db, now)}


def _anomaly(db: Driver, rule: AlertRuleTerms, _terms: Mapping[str, Any], now: float) -> dict[str, Reading]:
    """Readings of the latest whole minute, each with mean and spread of the last day's hours, which contain count, sum and
    extremes of the values."""
    minute = int(now) // MINUTE_S * MINUTE_S - MINUTE_S
    latest = {
        device: unpack(data)
        for device, data in db.execute("SELECT device, figures FROM rollup WHERE span_s = ? AND at = ?", (MINUTE_S, minute))
    }
    past: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    hours = db.execute(
        "SELECT device, figures FROM rollup WHERE span_s = ? AND at >= ? AND at < ?",
        (HOUR_S, now - HISTORY_HOURS * HOUR_S, int(now) // HOUR_S * HOUR_S),
    )
    for device, data in hours:
        summary = unpack(data).get(rule.figure)
        if summary is not None and device in latest:
            sums = past[device]
            sums[0] += summary.count
            sums[1] += summary.total
            low, middle, high = summary.quantile(0.16), summary.mean, summary.quantile(0.84)
            sums[2] += summary.count * (((high - low) / 2) ** 2 + middle * middle)
    found: dict[str, Reading] = {}
    for device, figures in latest.items():
        if rule.figure in figures and device in past:
            count, total, squares = past[device]
            mean, spread = spread_of(total, squares, int(count))
            found[device] = Reading(figures[rule.figure].mean, mean, spread, int(count))
    return found


_READERS: Final = {
    "threshold": _threshold,
    "absence": _absence,
    "rate": _rate,
    "anomaly": _anomaly,
    "rollout_paused": _rollout_paused,
    "rollout_approval": _rollout_approval,
}


# -- notices


def add_notices(db: Driver, rows: Iterable[tuple[str, int, str]], now: float) -> None:
    """Store notices (target, alert, body) until they are delivered. Above the limits the oldest are deleted: of all, and of those
    that wait for one target."""
    rows = list(rows)
    db.executemany(
        "INSERT INTO notice (target, alert, body, state, tries, due_at, created_at, error)"
        " VALUES (?, ?, ?, 'waiting', 0, ?, ?, '')",
        [(*row, now, now) for row in rows],
    )
    for target in {target for target, _, _ in rows}:
        db.execute(
            "DELETE FROM notice WHERE target = ? AND state = 'waiting' AND id < (SELECT id FROM notice WHERE target = ?"
            " AND state = 'waiting' ORDER BY id DESC LIMIT 1 OFFSET ?)",
            (target, target, WAITING_OF_TARGET - 1),
        )
    db.execute("DELETE FROM notice WHERE id <= (SELECT max(id) FROM notice) - ?", (NOTICES_MAX,))


def due(db: Driver, now: float, of_target: int, limit: int) -> list[Record]:
    """Notices that are due for delivery, oldest first, at most `of_target` of one target and `limit` of all."""
    rows = db.execute(
        "SELECT id, target, alert, body, tries, rule FROM (SELECT n.id, n.target, n.alert, n.body, n.tries, a.rule, n.due_at,"
        " row_number() OVER (PARTITION BY n.target ORDER BY n.due_at, n.id) AS place FROM notice n JOIN alert a ON a.id = n.alert"
        " WHERE n.state = 'waiting' AND n.due_at <= ?) AS waiting WHERE place <= ? ORDER BY place, due_at, id LIMIT ?",
        (now, of_target, limit),
    )
    return [dict(zip(("id", "target", "alert", "body", "tries", "rule"), row, strict=True)) for row in rows]


def set_delivery(db: Driver, number: int, state: str, tries: int, due_at: float, error: str) -> None:
    """Store the result of a delivery."""
    db.execute(
        "UPDATE notice SET state = ?, tries = ?, due_at = ?, error = ? WHERE id = ?", (state, tries, due_at, error[:500], number)
    )


def notices(db: Driver, limit: int) -> list[Record]:
    """Notices, newest first."""
    rows = db.execute(
        "SELECT id, target, alert, state, tries, due_at, created_at, error FROM notice ORDER BY id DESC LIMIT ?", (limit,)
    )
    names = ("id", "target", "alert", "state", "tries", "due_at", "created_at", "error")
    return [dict(zip(names, row, strict=True)) for row in rows]
