"""Snoozes: alerts of a rule, of a group's devices, or of a device send no notices until a time."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.alerting.alert_groups import AlertGroups
from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.db.backend.engine import raw

SNOOZES_MAX: Final = 500
ENDED_MAX: Final = 2_000
"""Ended ones that are stored."""

Record = dict[str, Any]
_NAMES: Final = ("id", "rule", "group", "device", "until_at", "reason", "created_at", "created_by")
_READ: Final = (
    "SELECT s.id, s.rule, s.device_group, s.device, s.until_at, s.reason, s.created_at, s.created_by, r.name"
    " FROM alert_snooze s LEFT JOIN alert_rule r ON r.id = s.rule"
)


def current(db: Driver, now: float) -> list[Record]:
    """Snoozes that have not ended, the next one to end first; `rule_name` is empty where it is not about a rule."""
    rows = db.execute(f"{_READ} WHERE s.until_at > ? ORDER BY s.until_at, s.id", (now,))
    return [{**dict(zip(_NAMES, row[:-1], strict=True)), "rule_name": row[-1] or ""} for row in rows]


def add(db: Driver, record: Record, by: str, now: float) -> int:
    """Store a snooze (rule, group, device, until_at, reason); returns its number.

    Raises:
        ConflictError: there are too many.
    """
    if db.execute("SELECT count(*) FROM alert_snooze WHERE until_at > ?", (now,)).fetchone()[0] >= SNOOZES_MAX:
        raise ConflictError(f"the limit of {SNOOZES_MAX} snoozes is reached; end one first")
    done = db.execute(
        "INSERT INTO alert_snooze (rule, device_group, device, until_at, reason, created_at, created_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (record["rule"], record["group"], record["device"], record["until_at"], record["reason"], now, by),
    )
    number = int(done.fetchone()[0])
    db.execute(
        "DELETE FROM alert_snooze WHERE until_at <= ? AND id NOT IN"
        " (SELECT id FROM alert_snooze WHERE until_at <= ? ORDER BY until_at DESC LIMIT ?)",
        (now, now, ENDED_MAX),
    )
    return number


def end(db: Driver, number: int, now: float) -> None:
    """End a snooze now.

    Raises:
        NotFoundError: there is none, or it has ended.
    """
    done = db.execute("UPDATE alert_snooze SET until_at = ? WHERE id = ? AND until_at > ?", (now, number, now))
    if done.rowcount == 0:
        raise NotFoundError(f"no snooze {number}; `edgefleet alert snoozes` lists those that go on")


class Snoozed:
    """The snoozes that go on at a moment."""

    def __init__(self, connection: Connection, now: float) -> None:
        self._current = current(raw(connection), now)
        self._groups = AlertGroups(connection, [one["group"] for one in self._current if one["group"]])

    def covers(self, rule: int, device: str | None, rollout: int | None) -> bool:
        """Whether notices of an alert have to wait."""
        return any(
            one["rule"] in (None, rule)
            and one["device"] in ("", device)
            and (not one["group"] or one["group"] in self._groups.of(device, rollout))
            for one in self._current
        )
