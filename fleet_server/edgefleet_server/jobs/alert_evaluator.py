"""The alarm: looks at the fleet through every rule, keeps what begins and ends, and puts notices into the queue.

How long a condition has held is remembered here; after a restart it is counted anew. Everything else is in the database.
"""

from __future__ import annotations

import json
from typing import Any, Final

from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.alerts import AlertRuleTerms, Changes, look

FIELDS: Final = ("kind", "figure", "above", "below", "clear", "for_s", "window_s", "deviations")


class AlertEvaluator:
    """Looks when it is told to. For one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, dict[str, float]] = {}

    def turn(self, now: float) -> int:
        """One look through every rule; how many alerts began or ended.

        Raises:
            StoreError: the database refuses; the next look finds the same.
        """
        with self._database.read() as connection:
            records = alerts.rules(raw(connection), enabled=True)
            seen = [(record, self._look(connection, record, now)) for record in records]
        self._waiting = {record["id"]: changes.waiting for record, changes in seen}
        changed = 0
        for record, changes in seen:
            if changes.begun or changes.ended:
                changed += self._keep(record, changes, now)
        return changed

    def _look(self, connection: Connection, record: dict[str, Any], now: float) -> Changes:
        said = record["rule"]
        rule = rule_of(record)
        members = None
        if said.get("group"):
            members = frozenset(groups.members(connection, groups.resolve(connection, {"group": said["group"]})))
        db = raw(connection)
        found = alerts.readings(db, rule, members, said, now)
        return look(rule, found, alerts.active(db, rule.id), self._waiting.get(rule.id, {}), now)

    def _keep(self, record: dict[str, Any], changes: Changes, now: float) -> int:
        with self._database.write() as connection:
            db = raw(connection)
            begun = alerts.begin(db, record["id"], changes.begun, now)
            ended = alerts.end(db, record["id"], changes.ended, now)
            if record["silenced_until"] <= now:
                told = [(number, "began") for number in begun] + [(number, "ended") for number in ended]
                rows = [
                    (target, number, json.dumps({"what": what, **alerts.alert(db, number)}))
                    for number, what in told
                    for target in targets_of(record)
                ]
                alerts.add_notices(db, rows, now)
        return len(begun) + len(ended)


def rule_of(record: dict[str, Any]) -> AlertRuleTerms:
    """The rule in a row."""
    said = record["rule"]
    return AlertRuleTerms(id=record["id"], **{name: said[name] for name in FIELDS if said.get(name) is not None})


def targets_of(record: dict[str, Any]) -> list[str]:
    """Where a rule's notices go: addresses of webhooks, and `mailto:`."""
    said = record["rule"]
    return [hook["url"] for hook in said.get("webhooks", [])] + [f"mailto:{address}" for address in said.get("emails", [])]
