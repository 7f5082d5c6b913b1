"""Requests the bills of devices whose digests are unknown, one device a digest."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from edgefleet_contract.wire.environment_bill import BILL_OP
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.components import bills
from edgefleet_server.db.devices import command_orders
from edgefleet_server.domain.fleet.job import Job

EVERY_S: Final = 5.0
HOUR_S: Final = 3600.0
DEADLINE_S: Final = 45.0
"""Earlier than the next try, `bills.FIRST_WAIT_S`."""

log = logging.getLogger(__name__)


class BillRequests:
    """Two jobs of `JobScheduler`. `greet` sends the pending commands of a device."""

    def __init__(self, database: Database, greet: Callable[[str], None]) -> None:
        self._database = database
        self._greet = greet
        self.jobs = [Job("bills of devices", EVERY_S, self.turn), Job("tidying of bills", HOUR_S, self._tidy)]

    def turn(self, now: float) -> None:
        """Request the bills that are due."""
        requested: list[str] = []
        with self._database.read() as connection:
            if not bills.is_due(raw(connection), now):
                return
        with self._database.write() as connection:
            for digest, device in bills.due(raw(connection), now):
                try:
                    command_orders.command(connection, device, BILL_OP, {"digest": digest}, DEADLINE_S, now, f"{BILL_OP}-")
                except ConflictError as error:
                    log.debug("%s", error)
                    continue
                requested.append(device)
        for device in requested:
            self._greet(device)

    def _tidy(self, _now: float) -> None:
        with self._database.write() as connection:
            bills.forget(raw(connection))
