"""Evaluates every alert rule, stores alerts that start and end, and queues notices.

The time for which a condition has held is in memory only; after a restart it counts from zero. All other state is in the
database.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.alerting import announced, notices
from edgefleet_server.db.alerting.notices import NoticeRow
from edgefleet_server.db.alerting.readings import readings
from edgefleet_server.db.alerting.snoozes import Snoozed
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.alerts import AlertRuleTerms, Changes, evaluate
from edgefleet_server.jobs.notices.announcements import Announcements, ends, log_summarized

FIELDS: Final = (
    "kind", "figure", "above", "below", "clear", "for_s", "window_s", "deviations", "event_kind", "event_label", "event_rule",
    "pipeline",
)  # fmt: skip


class AlertEvaluator:
    """Evaluates the rules when `turn` is called. Not thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: dict[int, dict[str, float]] = {}
        self._faults = ItemFaults()
        self._announcements = Announcements(database)

    def turn(self, now: float) -> int:
        """Evaluate every rule; returns the number of alerts that started or ended. A rule whose group does not exist any more
        finds nothing, and is logged.

        Raises:
            StoreError: the database refuses; the next run evaluates them again.
        """
        with self._database.read() as connection:
            records = alerts.rules(raw(connection), enabled=True)
            seen: list[tuple[dict[str, Any], Changes]] = []
            fleet = QueriedFleet(connection)
            for record in records:
                with self._faults.apart(record["id"], f"alert rule {record['name']!r}"):
                    seen.append((record, self._evaluate(connection, record, fleet, now)))
        self._waiting = {record["id"]: changes.waiting for record, changes in seen}
        changed = 0
        for record, changes in seen:
            if changes.started or changes.ended:
                with self._faults.apart(record["id"], f"alert rule {record['name']!r}"):
                    changed += self._keep(record, changes, now)
        self._announcements.turn(now)
        return changed

    def _evaluate(self, connection: Connection, record: dict[str, Any], fleet: QueriedFleet, now: float) -> Changes:
        terms = record["rule"]
        rule = rule_of(record)
        members = None
        if terms.get("group"):
            selector = groups.resolve(connection, {"group": terms["group"]}, fleet)
            members = frozenset(groups.members(connection, selector))
        found = readings(connection, rule, members, now)
        return evaluate(rule, found, alerts.active(raw(connection), rule.id), self._waiting.get(rule.id, {}), now)

    def _keep(self, record: dict[str, Any], changes: Changes, now: float) -> int:
        with self._database.write() as connection:
            db = raw(connection)
            started = alerts.start_alerts(db, record["id"], changes.started, now)
            ended = alerts.end_alerts(db, record["id"], changes.ended, now)
            changed = [(number, "began") for number in started] + [(number, "ended") for number in ended]
            own = _own_notices(connection, record, changed, now)
            summarized = notices.add(db, [*own, *ends(connection, ended)], now)
        log_summarized(summarized)
        return len(changed)


def _own_notices(
    connection: Connection, record: dict[str, Any], changed: Iterable[tuple[int, str]], now: float
) -> list[NoticeRow]:
    """Notices of alerts that began or ended for the rule's own webhooks and mail addresses, without those that are silenced or
    snoozed. An end goes to those that got the start."""
    db = raw(connection)
    rows: list[NoticeRow] = []
    targets, snoozed = targets_of(record), Snoozed(connection, now)
    for number, what in changed:
        alert = alerts.alert(db, number)
        quiet = record["silenced_until"] > now or snoozed.covers(record["id"], alert["device"], alert["rollout"])
        chosen = [] if quiet else targets
        if what == "began":
            announced.set_targets(db, number, chosen)
        elif (got := announced.of(db, number).targets) is not None:
            chosen = [target for target in chosen if target in got]
        body = json.dumps({"what": what, **alert})
        rows += [(target, number, body, None) for target in chosen]
    return rows


def rule_of(record: dict[str, Any]) -> AlertRuleTerms:
    """The rule in a row."""
    terms = record["rule"]
    return AlertRuleTerms(id=record["id"], **{name: terms[name] for name in FIELDS if terms.get(name) is not None})


def targets_of(record: dict[str, Any]) -> list[str]:
    """The targets of a rule's notices: URLs of webhooks, and `mailto:` addresses."""
    terms = record["rule"]
    return [hook["url"] for hook in terms.get("webhooks", [])] + [f"mailto:{address}" for address in terms.get("emails", [])]
