"""Live pictures of a camera while a client requests them: at most one picture per second, regardless of the number of clients.

The first request makes the device send a picture; concurrent requests get the same one. Nothing runs without requests. The device
handles each request like any other snapshot request: it masks the picture, and may refuse it when its budget is used up.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from starlette.concurrency import run_in_threadpool

from edgefleet_server.api.live.viewing_records import ViewingRecords
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError, EdgefleetError, UnavailableError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import command_orders, commands, devices
from edgefleet_server.registry.evidence_store import LIVE_PREFIX, EvidenceStore

FRESH_S: Final = 1.0
"""A picture up to this age is returned to the next request."""
WAIT_S: Final = 15.0
POLL_S: Final = 0.1
ANSWER_S: Final = 0.5
"""Interval of the checks whether the picture has arrived or the device has refused."""
VIEWS_MAX: Final = 128
"""Cameras with live viewers; the least recently requested one is evicted."""


@dataclass(slots=True)
class _View:
    """A camera of a device, with or without overlays: its last picture, or the reason why there is none."""

    picture: bytes = b""
    failed: EdgefleetError | None = None
    came_s: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class LivePictures:
    """The live pictures of all cameras. Used on one event loop. `greet`: sends pending commands to a device."""

    def __init__(self, database: Database, evidence: EvidenceStore, greet: Callable[[str], None]) -> None:
        self._database = database
        self._evidence = evidence
        self._greet = greet
        self._views: OrderedDict[tuple[str, str, bool], _View] = OrderedDict()
        self._records = ViewingRecords("view_live")

    async def newest(self, caller: Caller, device: str, pipeline: str, *, overlays: bool, age_s: float = FRESH_S) -> bytes:
        """A picture as JPEG: the last one if it is at most `age_s` seconds old, or a current one.

        Raises:
            NotFoundError: there is no such device.
            ConflictError: the device is offline or refuses; the text gives the reason.
            UnavailableError: no picture arrived in time.
        """
        key = (device, pipeline, overlays)
        view = self._views.setdefault(key, _View())
        self._views.move_to_end(key)
        while len(self._views) > VIEWS_MAX:
            self._views.popitem(last=False)
        if view.picture and FRESH_S < time.monotonic() - view.came_s <= age_s:
            await run_in_threadpool(self._note, caller, device, pipeline)
            return view.picture
        async with view.lock:
            if time.monotonic() - view.came_s > FRESH_S or not (view.picture or view.failed):
                view.failed = None
                try:
                    view.picture = await self._taken(caller, device, pipeline, overlays=overlays)
                except EdgefleetError as error:
                    view.failed = error
                view.came_s = time.monotonic()
            if view.failed is not None:
                raise view.failed
            return view.picture

    async def _taken(self, caller: Caller, device: str, pipeline: str, *, overlays: bool) -> bytes:
        name = await run_in_threadpool(self._ask, caller, device, pipeline, overlays)
        self._greet(device)
        ends_s, requested_s = time.monotonic() + WAIT_S, time.monotonic()
        try:
            while time.monotonic() < ends_s:
                await asyncio.sleep(POLL_S)
                path = self._evidence.find(device, name, "picture")
                if path is not None:
                    return await run_in_threadpool(path.read_bytes)
                if time.monotonic() - requested_s > ANSWER_S:
                    requested_s = time.monotonic()
                    await run_in_threadpool(self._check, device, name)
        finally:
            await run_in_threadpool(self._forget, name)
        raise UnavailableError(f"{device} sent no picture within {WAIT_S:g} s; `edgefleet device show {device}` shows its status")

    def _ask(self, caller: Caller, device: str, pipeline: str, overlays: bool) -> str:
        now = time.time()
        with self._database.write() as connection:
            devices.check_exists(connection, device)
            if not devices.is_online(connection, device):
                raise ConflictError(f"{device} is offline; cannot view its camera")
            args = {"pipeline": pipeline, "overlays": overlays}
            name = command_orders.command(connection, device, "snapshot", args, WAIT_S, now, LIVE_PREFIX)
            self._records.note(connection, caller, f"/devices/{device}/live/{pipeline}", now)
        return name

    def _note(self, caller: Caller, device: str, pipeline: str) -> None:
        with self._database.write() as connection:
            devices.check_exists(connection, device)
            self._records.note(connection, caller, f"/devices/{device}/live/{pipeline}", time.time())

    def _check(self, device: str, name: str) -> None:
        with self._database.read() as connection:
            row = commands.get(connection, device, name)
        if row["state"] == "failed":
            raise ConflictError(f"{device}: {row['detail']}")

    def _forget(self, name: str) -> None:
        with self._database.write() as connection:
            commands.delete_command(connection, name)
