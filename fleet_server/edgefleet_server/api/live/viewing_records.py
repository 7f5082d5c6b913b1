"""Entries of the audit log about who views what on a device: reading requests have none of their own."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.people import audit

AUDIT_S: Final = 600.0
"""Interval at which continued viewing is written to the audit log."""
RECORDS_MAX: Final = 128


class ViewingRecords:
    """Writes an entry when a caller begins to view something, and every `AUDIT_S` seconds after that. `action`: the operation."""

    def __init__(self, action: str) -> None:
        self._action = action
        self._written: OrderedDict[tuple[str, str], float] = OrderedDict()

    def note(self, connection: Connection, caller: Caller, target: str, now: float) -> None:
        """Write that the caller views `target`, unless that was written a short time ago."""
        key = (caller.name, target)
        if now - self._written.get(key, 0.0) < AUDIT_S:
            return
        self._written[key] = now
        self._written.move_to_end(key)
        while len(self._written) > RECORDS_MAX:
            self._written.popitem(last=False)
        write_viewing(connection, caller, self._action, target, now)


def write_viewing(connection: Connection, caller: Caller, action: str, target: str, now: float, detail: str = "{}") -> None:
    """Write one entry about a reading request. detail: JSON."""
    audit.append(
        connection,
        at=now,
        actor=caller.name or "(nobody)",
        role=caller.role.value,
        via=caller.via,
        source=caller.source,
        action=action,
        target=target,
        status=200,
        detail=detail,
    )
