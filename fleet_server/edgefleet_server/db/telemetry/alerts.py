"""Alert rules and alerts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.fleet.alerts import StartedAlert, camera_subject, device_of, pipeline_of, rollout_of

RULES_MAX: Final = 200
ALERTS_OPEN_MAX: Final = 5_000
"""Limit of open alerts of one rule: the failure of a whole fleet must not cause ten thousand."""
NO_ALERT: Final = "no alert {}; `edgefleet alert list` lists the alerts"
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
            "UPDATE alert_rule SET name = ?, rule = ?, enabled = ? WHERE id = ?",
            (name, json.dumps(terms, allow_nan=False), enabled, number),
        )
        return number
    if db.execute("SELECT count(*) FROM alert_rule").fetchone()[0] >= RULES_MAX:
        raise ConflictError(f"the limit of {RULES_MAX} alert rules is reached; delete one first")
    done = db.execute(
        "INSERT INTO alert_rule (name, rule, enabled, silenced_until, silenced_by, created_at, created_by)"
        " VALUES (?, ?, ?, 0, '', ?, ?) RETURNING id",
        (name, json.dumps(terms, allow_nan=False), enabled, now, by),
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
    db.execute("DELETE FROM alert_snooze WHERE rule = ?", (number,))
    db.execute("DELETE FROM alert_rule WHERE id = ?", (number,))


def silence(db: Driver, number: int, until_at: float, by: str) -> None:
    """Send no notices of this rule until `until_at`; its alerts are still stored.

    Raises:
        NotFoundError: there is none.
    """
    rule(db, number)
    db.execute("UPDATE alert_rule SET silenced_until = ?, silenced_by = ? WHERE id = ?", (until_at, by, number))


# -- alerts

NUMBER_MAX: Final = 2**62
"""More than any number of a row."""
_ALERT_NAMES: Final = (
    "id", "rule", "rule_name", "severity", "subject", "text", "value", "began_at", "ended_at",
    "acknowledged_at", "acknowledged_by",
)  # fmt: skip


def alerts(
    db: Driver,
    *,
    open_only: bool,
    rule_id: int | None = None,
    device: str = "",
    limit: int = 100,
    before_id: int = NUMBER_MAX,
    seen: Callable[[str], bool] | None = None,
) -> list[Record]:
    """Alerts, newest first. device: only those about it or one of its pipelines. before_id: only older ones than this. seen: only
    those about a subject for which it is true."""
    number = -1 if rule_id is None else rule_id
    rows = db.execute(
        "SELECT a.id, a.rule, r.name, json_extract(r.rule, '$.severity'), a.subject, a.text, a.value, a.began_at, a.ended_at,"
        " a.acknowledged_at, a.acknowledged_by FROM alert a JOIN alert_rule r ON r.id = a.rule"
        " WHERE (NOT ? OR a.ended_at IS NULL) AND (? < 0 OR a.rule = ?) AND a.id < ?"
        " AND (? = '' OR a.subject = ? OR substr(a.subject, 1, ?) = ?) ORDER BY a.id DESC LIMIT ?",
        (
            open_only, number, number, before_id, device, device, len(device) + 1, camera_subject(device, ""),
            limit if seen is None else NUMBER_MAX,
        ),
    )  # fmt: skip
    return [_alert(row) for row in islice((row for row in rows if seen is None or seen(row[4])), limit)]


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
    subject = record["subject"]
    return {**record, "device": device_of(subject), "pipeline": pipeline_of(subject), "rollout": rollout_of(subject)}


def audible(db: Driver, now: float) -> list[Record]:
    """Open alerts of rules that are enabled and not silenced, oldest first: id, rule, severity, began_at, notified, device,
    rollout."""
    rows = db.execute(
        "SELECT a.id, a.rule, json_extract(r.rule, '$.severity'), a.subject, a.began_at, a.notified FROM alert a"
        " JOIN alert_rule r ON r.id = a.rule WHERE a.ended_at IS NULL AND r.enabled AND r.silenced_until <= ? ORDER BY a.id",
        (now,),
    )
    return [
        {
            "id": number,
            "rule": rule_id,
            "severity": severity,
            "began_at": began_at,
            "notified": json.loads(notified),
            "device": device_of(subject),
            "rollout": rollout_of(subject),
        }
        for number, rule_id, severity, subject, began_at, notified in rows
    ]


def rollout_groups(db: Driver, rollout: int) -> list[str]:
    """The group that a rollout is for, if it is for one."""
    row = db.execute("SELECT json_extract(selector, '$.group') FROM rollout WHERE id = ?", (rollout,)).fetchone()
    return [row[0]] if row and row[0] else []


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
        raise NotFoundError(NO_ALERT.format(number))


def subject(db: Driver, number: int) -> str:
    """The subject of an alert.

    Raises:
        NotFoundError: there is none.
    """
    row = db.execute("SELECT subject FROM alert WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise NotFoundError(NO_ALERT.format(number))
    return str(row[0])


def open_subjects(db: Driver) -> list[str]:
    """The subjects of the alerts that have not ended."""
    return [row[0] for row in db.execute("SELECT subject FROM alert WHERE ended_at IS NULL")]


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
            "INSERT INTO alert (rule, subject, text, value, began_at, acknowledged_by, notified)"
            " VALUES (?, ?, ?, ?, ?, '', '[]') RETURNING id",
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
