"""Decides which recipients get a notice of which alert, and queues it.

Every open alert is compared with the recipients at each turn, not only when it begins: one that was snoozed is announced when
the snooze ends and it is still there. Its end is announced to those that got a notice of its start, and to no others
(`db.alerting.announced`).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.alerting import announced, notices, recipients
from edgefleet_server.db.alerting.alert_groups import AlertGroups
from edgefleet_server.db.alerting.notices import NoticeRow
from edgefleet_server.db.alerting.snoozes import Snoozed
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.notices.recipients import Recipient
from edgefleet_server.domain.policy.hidden_secrets import masked_url

log = logging.getLogger(__name__)


class Announcements:
    """Queues notices of alerts that go on when `turn` is called. Not thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._faults = ItemFaults()

    def turn(self, now: float) -> int:
        """Queue the notices that recipients have not got yet; returns their number.

        Raises:
            StoreError: the database refuses; the next run queues them.
        """
        with self._database.read() as connection:
            known = self._recipients(connection)
            if not known:
                return 0
            rows: list[NoticeRow] = []
            notified = []
            snoozed = Snoozed(connection, now)
            named = AlertGroups(connection, [name for one in known for name in one.groups])
            for record in alerts.audible(raw(connection), now):
                if snoozed.covers(record["rule"], record["device"], record["rollout"]):
                    continue
                start = announced.read(record["notified"])
                found = [one for one in known if not start.knows(one.id) and _takes(one, record, named)]
                if found:
                    body = json.dumps({"what": "began", **alerts.alert(raw(connection), record["id"])})
                    rows += [(one.target, record["id"], body, one.id) for one in found]
                    notified.append((record["id"], [one.id for one in found]))
        if rows:
            with self._database.write() as connection:
                for number, ids in notified:
                    announced.add_recipients(raw(connection), number, ids)
                summarized = notices.add(raw(connection), rows, now)
            log_summarized(summarized)
        return len(rows)

    def _recipients(self, connection: Connection) -> list[Recipient]:
        found = []
        for record in recipients.recipients(raw(connection)):
            with self._faults.apart(record["id"], f"recipient {record['name']!r}"):
                found.append(recipients.recipient_of(record))
        return [one for one in found if one.enabled]


def ends(connection: Connection, numbers: Iterable[int]) -> list[NoticeRow]:
    """Notices of the end of these alerts, for the recipients that got one of the start."""
    db = raw(connection)
    names: dict[int, str] = {}
    rows: list[NoticeRow] = []
    for number in numbers:
        if notified := announced.of(db, number).recipients:
            names = names or {record["id"]: f"{record['kind']} {record['name']}" for record in recipients.recipients(db)}
            body = json.dumps({"what": "ended", **alerts.alert(db, number)})
            rows += [(names[one], number, body, one) for one in notified if one in names]
    return rows


def log_summarized(counts: Mapping[str, int]) -> None:
    """Log how many notices found no room, by target."""
    for target, count in counts.items():
        log.warning("notices to %s: no room for %d; a summary counts them", masked_url(target), count)


def _takes(one: Recipient, record: dict[str, Any], named: AlertGroups) -> bool:
    groups = named.of(record["device"], record["rollout"]) if one.groups else ()
    return one.takes(record["severity"], groups, record["began_at"])
