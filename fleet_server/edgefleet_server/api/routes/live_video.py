"""WebSockets of live video: of devices, with a ticket, and of viewers, with the rights of `view_live`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.routing import WebSocketRoute, compile_path
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_contract.wire.live_video import (
    OTHER_PROCESS,
    VIDEO_PATH,
    VIDEO_SCHEME,
    DeviceTime,
    ServerTime,
    StillThere,
    TimeAnswer,
    TimeQuestion,
    VideoEnd,
    VideoFormat,
    Watching,
    read_text,
    unpack_part,
)
from edgefleet_server.api.context import Context
from edgefleet_server.api.error_responses import refuse_socket
from edgefleet_server.api.live.viewing_records import write_viewing
from edgefleet_server.api.middleware.operations import Operation
from edgefleet_server.api.video.video_stream import VideoStream, Viewer
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import EdgefleetError

API: Final = "/api/v1"
VIEW_PATH: Final = f"{API}/devices/{{device}}/live/{{pipeline}}/video"
SOCKETS: Final = (Operation("view_live", frozenset({"GET"}), compile_path(VIEW_PATH)[0], "devices"),)
"""Sockets that need rights: those of this operation."""
HELLO_S: Final = 10.0
SILENCE_S: Final = 20.0
POLL_S: Final = 1.0
RATE_S: Final = 5.0
RATE_BYTES_MAX: Final = 8_000_000
"""Bytes of one stream a second, over `RATE_S`: more than cameras send."""
RATE_MESSAGES_MAX: Final = 100
ASK_S: Final = 30.0
"""Time before the end at which viewers are asked whether they still watch."""
ENDED: Final = 4000
"""Code of a close that follows a `VideoEnd`."""


class Flood:
    """Bytes and messages of one sender within `RATE_S`. `now` is monotonic time."""

    def __init__(self, bytes_max: float, messages_max: float, now: float) -> None:
        self._limits = (bytes_max * RATE_S, messages_max * RATE_S)
        self._began_s, self._bytes, self._messages = now, 0, 0

    def add(self, length: int, now: float) -> bool:
        """Count a message; True if there are too many."""
        if now - self._began_s > RATE_S:
            self._began_s, self._bytes, self._messages = now, 0, 0
        self._bytes += length
        self._messages += 1
        return self._bytes > self._limits[0] or self._messages > self._limits[1]


async def receive_video(socket: WebSocket) -> None:
    """The socket of a device: takes its stream until it ends, or has no viewers."""
    context: Context = socket.app.state.context
    scheme, _, ticket = socket.headers.get("authorization", "").partition(" ")
    stream = context.video.redeem(ticket) if scheme == VIDEO_SCHEME else None
    if stream is None:
        if scheme == VIDEO_SCHEME and context.video.is_other(ticket):
            await refuse_socket(socket.scope, socket.send, OTHER_PROCESS, "the ticket may be of another process of this server")
        else:
            await refuse_socket(socket.scope, socket.send, 403, "a ticket of the command for live video is required, valid once")
        return
    await socket.accept()
    stream.connected = True
    reason = "the device has ended the connection"
    try:
        reason = await _take_stream(context, socket, stream)
        await socket.send_text(encode(VideoEnd(reason=reason)).decode())
    except MessageError as error:
        reason = f"{stream.device} sends no live video: {error}"
    except (WebSocketDisconnect, RuntimeError):  # RuntimeError: sending after the end
        pass
    except asyncio.TimeoutError:
        reason = f"{stream.device} sends nothing"
    finally:
        context.video.end(stream, reason)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(ENDED)


async def _take_stream(context: Context, socket: WebSocket, stream: VideoStream) -> str:
    """Take messages until the end; returns the reason."""
    server_at = time.time()
    await socket.send_text(encode(ServerTime(at=server_at)).decode())
    hello = read_text((await asyncio.wait_for(_receive(socket), HELLO_S)).get("text") or "", DeviceTime)
    assert isinstance(hello, DeviceTime)
    ahead_s = ((server_at - hello.received_at) + (time.time() - hello.at)) / 2
    received_s = time.monotonic()
    flood = Flood(RATE_BYTES_MAX, RATE_MESSAGES_MAX, received_s)
    while not context.video.unwatched(stream):
        try:
            message = await asyncio.wait_for(_receive(socket), POLL_S)
        except asyncio.TimeoutError:
            if time.monotonic() - received_s > SILENCE_S:
                raise
            continue
        received_s = time.monotonic()
        data, text = message.get("bytes"), message.get("text")
        if flood.add(len(data or text or ""), received_s):
            return f"{stream.device} sends more than a camera"
        if text is not None:
            known = read_text(text, VideoFormat, VideoEnd)
            if isinstance(known, VideoEnd):
                return known.reason
            assert isinstance(known, VideoFormat)
            stream.take_format(known)
            continue
        part = unpack_part(data or b"")
        if spent := context.video.count(stream, part):
            return spent
        stream.take_part(part._replace(at=part.at + ahead_s))
    return "no viewers"


async def _receive(socket: WebSocket) -> Message:
    """The next message with a text or bytes.

    Raises:
        WebSocketDisconnect: the connection has ended.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    return message


async def send_video(socket: WebSocket) -> None:
    """The socket of a viewer, whom the authorization has admitted."""
    context: Context = socket.app.state.context
    caller: Caller = socket.scope["state"]["caller"]
    device, pipeline = socket.path_params["device"], socket.path_params["pipeline"]
    await socket.accept()
    try:
        if re.match(NAME_PATTERN, pipeline) is None:
            raise MessageError(f"no pipeline {pipeline[:64]!r}")
        stream, viewer = context.video.join(caller.key, device, pipeline)
    except (EdgefleetError, MessageError) as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(encode(VideoEnd(reason=str(error)[:500], stills=True)).decode())
            await socket.close(ENDED)
        return
    began_s = time.monotonic()
    try:
        await run_in_threadpool(_record, context, caller, socket.url.path, {})
        await _serve_viewer(context, socket, viewer)
    finally:
        context.video.leave(caller.key, stream, viewer)
        spent = {"seconds": round(time.monotonic() - began_s, 1), "bytes": viewer.sent_bytes}
        await asyncio.shield(run_in_threadpool(_record, context, caller, socket.url.path, spent))


async def _serve_viewer(context: Context, socket: WebSocket, viewer: Viewer) -> None:
    watch = _Watch(context.video.settings().video_watch_s, time.monotonic())
    listening = asyncio.create_task(_listen(socket, viewer, watch))
    sending = asyncio.create_task(_send_all(socket, viewer))
    try:
        while not (listening.done() or sending.done()):
            await asyncio.wait((listening, sending), timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
            watch.turn(viewer, time.monotonic())
    finally:
        for task in (listening, sending):
            task.cancel()
        await asyncio.gather(listening, sending, return_exceptions=True)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(ENDED)


class _Watch:
    """Ends a video whose viewer does not confirm to be there."""

    def __init__(self, seconds_max: float, now: float) -> None:
        self._seconds_max = seconds_max
        self._was_requested = False
        self.confirmed_s = now

    def confirm(self, now: float) -> None:
        self.confirmed_s, self._was_requested = now, False

    def turn(self, viewer: Viewer, now: float) -> None:
        left_s = self._seconds_max - (now - self.confirmed_s)
        if left_s <= 0:
            viewer.end("no one has confirmed to be watching")
        elif left_s <= ASK_S and not self._was_requested:
            self._was_requested = True
            viewer.put_text(StillThere(seconds=left_s))


async def _send_all(socket: WebSocket, viewer: Viewer) -> None:
    while (message := await viewer.next()) is not None:
        if isinstance(message, str):
            await socket.send_text(message)
        else:
            await socket.send_bytes(message)


async def _listen(socket: WebSocket, viewer: Viewer, watch: _Watch) -> None:
    """Answer the viewer until it leaves, or sends what no viewer does."""
    flood = Flood(10_000, 20, time.monotonic())
    with contextlib.suppress(WebSocketDisconnect, MessageError):
        while True:
            text, now = (await _receive(socket)).get("text") or "", time.monotonic()
            if flood.add(len(text), now):
                return
            message = read_text(text, Watching, TimeQuestion)
            if isinstance(message, TimeQuestion):
                viewer.put_text(TimeAnswer(at=message.at, server_at=time.time()))
            else:
                watch.confirm(now)


def _record(context: Context, caller: Caller, path: str, detail: dict[str, float]) -> None:
    with context.database.write() as connection:
        write_viewing(connection, caller, "view_live", path.removeprefix(API), time.time(), json.dumps(detail))


ROUTES: Final = (WebSocketRoute(VIDEO_PATH, receive_video), WebSocketRoute(VIEW_PATH, send_video))
