"""Log lines of a device, requested while they are shown. Nothing is sent, and nothing runs, without requests.

The first request of a viewer leaves its answer in the database, where it can be read while the device is offline; only the last
one is kept. The answers to requests that follow it are deleted as soon as they were read.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from starlette.concurrency import run_in_threadpool

from edgefleet_server.api.live.viewing_records import ViewingRecords
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError, TooManyError, UnavailableError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import command_orders, commands, devices

OP: Final = "logs"
FIRST_PREFIX: Final = "logs-"
"""Prefix of the ids of requests whose answers are kept."""
FOLLOW_PREFIX: Final = "tail-"
WAIT_S: Final = 25.0
POLL_S: Final = 0.2
AT_ONCE_MAX: Final = 4
"""Requests of one device at once: more viewers wait for their turn in the browser."""
RETRY_S: Final = 2


class LiveLogs:
    """The log lines of all devices. Used on one event loop. `greet`: sends pending commands to a device."""

    def __init__(self, database: Database, greet: Callable[[str], None]) -> None:
        self._database = database
        self._greet = greet
        self._records = ViewingRecords("view_logs")
        self._running: dict[str, int] = {}

    async def read(self, caller: Caller, device: str, args: dict[str, Any]) -> dict[str, Any]:
        """The command with the device's answer. `args`: of the command `logs`.

        Raises:
            NotFoundError: there is no such device. ConflictError: it is offline or refuses; the text gives the reason.
            TooManyError: too many viewers. UnavailableError: no answer arrived in time.
        """
        running = self._running.get(device, 0)
        if running >= AT_ONCE_MAX:
            raise TooManyError(f"{running} requests for the logs of {device} at once; try again in {RETRY_S} s", RETRY_S)
        self._running[device] = running + 1
        try:
            return await self._answered(caller, device, args)
        finally:
            left = self._running.pop(device) - 1
            if left:
                self._running[device] = left

    async def _answered(self, caller: Caller, device: str, args: dict[str, Any]) -> dict[str, Any]:
        name = await run_in_threadpool(self._ask, caller, device, args)
        self._greet(device)
        ends_s = time.monotonic() + WAIT_S
        row: dict[str, Any] = {"state": "pending"}
        try:
            while row["state"] == "pending" and time.monotonic() < ends_s:
                await asyncio.sleep(POLL_S)
                row = await run_in_threadpool(self._row, device, name)
        finally:
            await run_in_threadpool(self._tidy, device, name, keep=row["state"] == "done" and not args.get("after"))
        if row["state"] == "failed":
            raise ConflictError(f"{device}: {row['detail']}")
        if row["state"] != "done":
            raise UnavailableError(f"{device} sent no log within {WAIT_S:g} s; `edgefleet device show {device}` shows its status")
        return row

    def last(self, device: str) -> dict[str, Any] | None:
        """The command whose answer was received last; None if none is kept."""
        with self._database.read() as connection:
            devices.check_exists(connection, device)
            return next(iter(commands.newest(connection, device, OP, FIRST_PREFIX, 1)), None)

    def _ask(self, caller: Caller, device: str, args: dict[str, Any]) -> str:
        now = time.time()
        with self._database.write() as connection:
            devices.check_exists(connection, device)
            if not devices.is_online(connection, device):
                raise ConflictError(f"{device} is offline; its last received log is still here")
            prefix = FOLLOW_PREFIX if args.get("after") else FIRST_PREFIX
            name = command_orders.command(connection, device, OP, args, WAIT_S, now, prefix)
            self._records.note(connection, caller, f"/devices/{device}/logs", now)
        return name

    def _row(self, device: str, name: str) -> dict[str, Any]:
        with self._database.read() as connection:
            return commands.get(connection, device, name)

    def _tidy(self, device: str, name: str, *, keep: bool) -> None:
        with self._database.write() as connection:
            if keep:
                commands.delete_older(connection, device, OP, FIRST_PREFIX, name)
            else:
                commands.delete_command(connection, name)
