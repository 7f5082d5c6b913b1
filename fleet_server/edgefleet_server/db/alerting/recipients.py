"""Recipients of alerts, and who has got a notice of which alert."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.domain.notices.recipients import Recipient

RECIPIENTS_MAX: Final = 100

Record = dict[str, Any]
_NAMES: Final = ("id", "name", "kind", "settings", "groups", "severities", "enabled", "since_at", "created_at", "created_by")
_READ: Final = f"SELECT {', '.join(_NAMES)} FROM alert_recipient"  # noqa: S608 (fixed names)


def recipients(db: Driver) -> list[Record]:
    """All recipients, with their secrets, by name."""
    return [_record(row) for row in db.execute(f"{_READ} ORDER BY name")]


def recipient(db: Driver, number: int) -> Record:
    """One recipient, with its secret.

    Raises:
        NotFoundError: there is no such recipient.
    """
    row = db.execute(f"{_READ} WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise NotFoundError(f"no recipient {number}; `edgefleet alert recipients` lists the recipients")
    return _record(row)


def _record(row: Sequence[Any]) -> Record:
    record = dict(zip(_NAMES, row, strict=True))
    lists = {name: json.loads(record[name]) for name in ("settings", "groups", "severities")}
    return {**record, **lists, "enabled": bool(record["enabled"])}


def recipient_of(record: Record) -> Recipient:
    """The recipient in a row."""
    settings = record["settings"]
    return Recipient(
        id=record["id"],
        name=record["name"],
        kind=record["kind"],
        url=settings["url"],
        secret=settings["secret"],
        emails=tuple(settings["emails"]),
        topic=settings["topic"],
        key=settings["key"],
        groups=frozenset(record["groups"]),
        severities=frozenset(record["severities"]),
        enabled=record["enabled"],
        since_at=record["since_at"],
    )


def put(db: Driver, number: int | None, record: Record, by: str, now: float) -> int:
    """Create a recipient, or change one: name, kind, settings, groups, severities, enabled; returns its number. One that is
    created or enabled again gets notices of alerts that begin from now on.

    Raises:
        ConflictError: the name is taken, or there are too many.
    """
    taken = db.execute("SELECT id FROM alert_recipient WHERE name = ?", (record["name"],)).fetchone()
    if taken is not None and taken[0] != number:
        raise ConflictError(f"recipient {record['name']!r} already exists; choose another name")
    lists = [json.dumps(record[name]) for name in ("settings", "groups", "severities")]
    values = (record["name"], record["kind"], *lists, record["enabled"])
    if number is not None:
        before = recipient(db, number)
        since_at = before["since_at"] if before["enabled"] or not record["enabled"] else now
        db.execute(
            "UPDATE alert_recipient SET name = ?, kind = ?, settings = ?, groups = ?, severities = ?, enabled = ?, since_at = ?"
            " WHERE id = ?",
            (*values, since_at, number),
        )
        return number
    if db.execute("SELECT count(*) FROM alert_recipient").fetchone()[0] >= RECIPIENTS_MAX:
        raise ConflictError(f"the limit of {RECIPIENTS_MAX} recipients is reached; delete one first")
    done = db.execute(
        "INSERT INTO alert_recipient (name, kind, settings, groups, severities, enabled, since_at, created_at, created_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (*values, now, now, by),
    )
    return int(done.fetchone()[0])


def delete(db: Driver, number: int) -> None:
    """Delete a recipient with its notices.

    Raises:
        NotFoundError: there is none.
    """
    recipient(db, number)
    db.execute("DELETE FROM notice WHERE recipient = ?", (number,))
    db.execute("DELETE FROM alert_recipient WHERE id = ?", (number,))


def disable(db: Driver, number: int) -> None:
    """Send it no more notices."""
    db.execute("UPDATE alert_recipient SET enabled = FALSE WHERE id = ?", (number,))
