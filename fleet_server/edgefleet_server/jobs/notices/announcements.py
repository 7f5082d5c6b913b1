"""Decides which recipients get a notice of which alert, and queues it.

Every open alert is compared with the recipients at each turn, not only when it begins: one that was silenced is announced when
the silence ends and it is still there. Its end is announced to those that got a notice of its start, and to no others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.alerting import recipients
from edgefleet_server.db.backend.engine import Connection, Database, raw
from edgefleet_server.db.devices import groups
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.notices.recipients import Recipient

NoticeRow = tuple[str, int, str, int | None]
"""Target, alert, body, recipient"""


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
            membership = _Membership(connection, known)
            for record in alerts.audible(raw(connection), now):
                found = [one for one in known if one.id not in record["notified"] and membership.takes(one, record)]
                if found:
                    body = json.dumps({"what": "began", **alerts.alert(raw(connection), record["id"])})
                    rows += [(one.target, record["id"], body, one.id) for one in found]
                    notified.append((record["id"], [*record["notified"], *(one.id for one in found)]))
        if rows:
            with self._database.write() as connection:
                alerts.add_notices(raw(connection), rows, now)
                recipients.set_notified(raw(connection), notified)
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
        if notified := recipients.notified(db, number):
            names = names or {record["id"]: f"{record['kind']} {record['name']}" for record in recipients.recipients(db)}
            body = json.dumps({"what": "ended", **alerts.alert(db, number)})
            rows += [(names[one], number, body, one) for one in notified if one in names]
    return rows


class _Membership:
    """The groups that recipients name, with their devices; looked up when they are needed."""

    def __init__(self, connection: Connection, known: list[Recipient]) -> None:
        self._connection = connection
        self._names = sorted({name for one in known for name in one.groups})
        self._devices: dict[str, frozenset[str]] | None = None

    def takes(self, one: Recipient, record: dict[str, Any]) -> bool:
        return one.takes(record["severity"], self._of(record) if one.groups else (), record["began_at"])

    def _of(self, record: dict[str, Any]) -> list[str]:
        """The groups of an alert's device, or that of its rollout."""
        if record["rollout"] is not None:
            return alerts.rollout_groups(raw(self._connection), record["rollout"])
        if self._devices is None:
            self._devices = {}
            for name in self._names:
                selector = groups.resolve_stored(self._connection, {"group": name})
                self._devices[name] = frozenset(groups.members(self._connection, selector)) if selector else frozenset()
        return [name for name, devices in self._devices.items() if record["device"] in devices]
