"""The live videos of a process: requests them from devices, and bounds their number and their bytes.

A device connects to the process whose viewers wait: the ticket names it. Others refuse the device, which tries again, because
several processes may share one address.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from starlette.concurrency import run_in_threadpool

from edgefleet_contract.wire.live_video import VIDEO_OP, VideoPart
from edgefleet_server.api.video.byte_hours import ByteHours
from edgefleet_server.api.video.video_stream import VideoStream, Viewer
from edgefleet_server.core.errors import ConflictError, EdgefleetError, TooManyError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import command_orders, commands, devices

PREFIX: Final = "video-"
WAIT_S: Final = 20.0
POLL_S: Final = 0.3
LINGER_S: Final = 5.0
"""Time without viewers after which a stream ends."""
STREAMS_OF_DEVICE: Final = 4
VIEWERS_MAX: Final = 256
VIEWERS_OF_CALLER: Final = 32


class VideoHub:
    """All streams. Used on one event loop. `greet`: sends pending commands to a device; `address`: URL at which devices reach
    this process."""

    def __init__(
        self,
        database: Database,
        settings: Callable[[], Settings],
        greet: Callable[[str], None],
        address: Callable[[], str],
    ) -> None:
        self._database = database
        self.settings = settings
        self._greet = greet
        self._address = address
        self._process = secrets.token_hex(4)
        self._streams: dict[tuple[str, str], VideoStream] = {}
        self._tickets: dict[str, VideoStream] = {}
        self._viewers: Counter[str] = Counter()
        self._hours = ByteHours()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def streams(self) -> int:
        """Count of streams."""
        return len(self._streams)

    def join(self, caller: str, device: str, pipeline: str) -> tuple[VideoStream, Viewer]:
        """A viewer of a camera, whose stream is requested if there is none.

        Raises:
            TooManyError: a limit is reached.
        """
        if self._viewers[caller] >= VIEWERS_OF_CALLER or self._viewers.total() >= VIEWERS_MAX:
            raise TooManyError(f"limit of {VIEWERS_OF_CALLER} open videos reached; close some", 10)
        key = (device, pipeline)
        stream = self._streams.get(key)
        if stream is None:
            self._check_room(device)
            stream = self._streams[key] = VideoStream(device, pipeline)
            task = asyncio.create_task(self._order(stream), name=f"video:{device}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        viewer = Viewer()
        stream.join(viewer)
        self._viewers[caller] += 1
        return stream, viewer

    def leave(self, caller: str, stream: VideoStream, viewer: Viewer) -> None:
        """A viewer has left."""
        self._viewers[caller] -= 1
        self._viewers += Counter()
        stream.leave(viewer, time.monotonic())

    def redeem(self, ticket: str) -> VideoStream | None:
        """The stream of a ticket, once; None if this process did not issue it, or it was used."""
        stream = self._tickets.pop(ticket, None)
        return stream if stream is not None and not stream.over else None

    def is_other(self, ticket: str) -> bool:
        """Whether another process may have issued a ticket."""
        return not ticket.startswith(f"{self._process}.")

    def unwatched(self, stream: VideoStream) -> bool:
        """Whether a stream has had no viewers for some time."""
        return not stream.viewers and time.monotonic() - stream.left_s > LINGER_S

    def count(self, stream: VideoStream, part: VideoPart) -> str:
        """Count a part; returns the reason if a budget is used up."""
        now, settings = time.monotonic(), self.settings()
        stream.received_bytes += len(part.data)
        if stream.received_bytes > settings.video_session_bytes:
            return f"limit of {settings.video_session_bytes:,} bytes of one live video reached; start it again to go on"
        if self._hours.add(stream.device, len(part.data), now) > settings.video_device_bytes:
            return self._spent(stream.device, settings)
        return ""

    def end(self, stream: VideoStream, reason: str, *, stills: bool = False) -> None:
        """End a stream."""
        stream.end(reason, stills=stills)
        if self._streams.get((stream.device, stream.pipeline)) is stream:
            del self._streams[stream.device, stream.pipeline]
        self._tickets = {ticket: each for ticket, each in self._tickets.items() if each is not stream}

    def _check_room(self, device: str) -> None:
        settings = self.settings()
        if len(self._streams) >= settings.video_streams_max:
            raise TooManyError(f"limit of {settings.video_streams_max} live videos of this server reached; close some", 10)
        if sum(name == device for name, _ in self._streams) >= STREAMS_OF_DEVICE:
            raise TooManyError(f"limit of {STREAMS_OF_DEVICE} live videos of {device} reached; close some", 10)
        if self._hours.used(device, time.monotonic()) >= settings.video_device_bytes:
            raise TooManyError(self._spent(device, settings), 600)

    def _spent(self, device: str, settings: Settings) -> str:
        return f"{device} has used its {settings.video_device_bytes:,} bytes of live video for this hour"

    async def _order(self, stream: VideoStream) -> None:
        """Request the stream, and end it if the device does not connect."""
        ticket = f"{self._process}.{secrets.token_urlsafe(24)}"
        self._tickets[ticket] = stream
        name, reason = "", f"{stream.device} did not connect within {WAIT_S:g} s"
        try:
            name = await run_in_threadpool(self._ask, stream, ticket)
            self._greet(stream.device)
            ends_s = time.monotonic() + WAIT_S
            while not stream.connected and time.monotonic() < ends_s and not self.unwatched(stream):
                await asyncio.sleep(POLL_S)
                if not stream.connected:
                    await run_in_threadpool(self._check, stream.device, name)
        except EdgefleetError as error:
            reason = str(error)
        finally:
            self._tickets.pop(ticket, None)
            if not stream.connected:
                self.end(stream, reason, stills=True)
            if name:
                await run_in_threadpool(self._forget, name)

    def _ask(self, stream: VideoStream, ticket: str) -> str:
        with self._database.write() as connection:
            devices.check_exists(connection, stream.device)
            if not devices.is_online(connection, stream.device):
                raise ConflictError(f"{stream.device} is offline; cannot view its camera")
            args = {"pipeline": stream.pipeline, "url": self._address(), "ticket": ticket}
            return command_orders.command(connection, stream.device, VIDEO_OP, args, WAIT_S, time.time(), PREFIX)

    def _check(self, device: str, name: str) -> None:
        with self._database.read() as connection:
            row = commands.get(connection, device, name)
        if row["state"] == "failed":
            raise ConflictError(f"{device}: {row['detail']}")

    def _forget(self, name: str) -> None:
        with self._database.write() as connection:
            commands.delete_command(connection, name)
