"""What the HTTP/1.1 connections of one listener share, and the way back of each request."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.loop_mailbox import LoopMailbox
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.protocol.errors import CallError

if TYPE_CHECKING:
    from edgefleet_agent.serving.http.connection import Http1Connection

LOOK_S = 0.02
"""How often who sends several parts looks whether a slow reader has made room."""

_STATUS = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What callers may take: one body, all bodies that are here at once, connections.

    Seconds: for the whole head or body to arrive, and between two requests.
    """

    body_bytes: int = 64 * 1024 * 1024
    bodies_bytes: int = 256 * 1024 * 1024
    connections: int = 256
    receive_s: float = 30.0
    idle_s: float = 75.0


class HttpContext:
    """What the connections of one listener share."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        handle: Callable[[RequestHead, Exchange], None],
        limits: HttpLimits,
        admit: Callable[[bytes, dict[bytes, bytes], str], CallError | None] | None = None,
        access: AccessLog | None = None,
    ) -> None:
        self.loop = loop
        self.handle = handle
        self.limits = limits
        self.admit = admit
        self.access = access
        self.thread_id = threading.get_ident()
        self.connections: set[Http1Connection] = set()
        self.bodies_bytes = 0
        self.answers: LoopMailbox[tuple[Exchange, bytes, list[bytes]]] = LoopMailbox(loop, _finish)
        self.parts: LoopMailbox[tuple[Exchange, bytes, bool]] = LoopMailbox(loop, _write)

    def sweep(self) -> None:
        """Close connections that take too long. Called now and then on the loop."""
        now_s = self.loop.time()
        for connection in list(self.connections):
            connection.check_time(now_s)


def _finish(answer: tuple[Exchange, bytes, list[bytes]]) -> None:
    exchange, head, parts = answer
    exchange.connection.finish(exchange, head, parts)


def _write(part: tuple[Exchange, bytes, bool]) -> None:
    exchange, data, last = part
    if last:
        exchange.connection.finish(exchange, data, [])
    else:
        exchange.connection.write_part(exchange, data)


class Exchange:
    """One request's way back. `answer` once, or `begin`, `send` any number of times, `end`; from any thread.

    old: the caller knows no chunks. streaming: `begin` was called.
    """

    __slots__ = ("_sent_bytes", "_status", "asked", "began_s", "connection", "keep", "old", "streaming")

    def __init__(self, connection: Http1Connection, keep: bool, asked: bytes = b"", old: bool = False) -> None:
        self.connection = connection
        self.keep = keep
        self.asked = asked
        self.old = old
        self.streaming = False
        self._status = self._sent_bytes = 0
        self.began_s = time.monotonic() if asked else 0.0

    def gone(self) -> bool:
        """Whether nobody waits for the answer any more. Any thread."""
        return self.connection.closed

    def answer(self, status: int, headers: bytes, parts: list[bytes]) -> None:
        """Send an answer. headers: whole lines. parts: the body."""
        length = sum(map(len, parts))
        close = b"" if self.keep else b"Connection: close\r\n"
        head = b"%b%bContent-Length: %d\r\n%b\r\n" % (_STATUS[status], headers, length, close)
        door = self.connection.door
        if door.access is not None:
            door.access.note("HTTP", self.connection.peer, self.asked, status, length, self.began_s or time.monotonic())
        if threading.get_ident() == door.thread_id:
            self.connection.finish(self, head, parts)
        else:
            door.answers.put((self, head, parts))

    def begin(self, status: int, headers: bytes) -> None:
        """Begin an answer in parts: chunks, or until the connection ends for who does not know them. headers: whole lines."""
        self.streaming = True
        self._status = status
        if self.old:
            self.keep = False
        framing = b"" if self.old else b"Transfer-Encoding: chunked\r\n"
        close = b"" if self.keep else b"Connection: close\r\n"
        self.connection.door.parts.put((self, b"%b%b%b%b\r\n" % (_STATUS[status], headers, framing, close), False))

    def send(self, part: bytes) -> bool:
        """Send a part, not an empty one. Waits while the caller does not read: not on the loop. False: nobody listens."""
        while self.connection.stalled and not self.gone():
            time.sleep(LOOK_S)
        if self.gone():
            return False
        self._sent_bytes += len(part)
        self.connection.door.parts.put((self, part if self.old else b"%x\r\n%b\r\n" % (len(part), part), False))
        return True

    def end(self) -> None:
        """There are no more parts."""
        door = self.connection.door
        if door.access is not None:
            door.access.note("HTTP", self.connection.peer, self.asked, self._status, self._sent_bytes, self.began_s)
        door.parts.put((self, b"" if self.old else b"0\r\n\r\n", True))
