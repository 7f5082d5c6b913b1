"""The response of one HTTP/1.1 request."""

from __future__ import annotations

import functools
import threading
import time
from http import HTTPStatus
from typing import Protocol

from edgefleet_agent.serving.frontend.listener_context import ListenerContext
from edgefleet_agent.serving.protocol.errors import CallError

STALL_POLL_S = 0.02
"""Interval at which a sender of several parts polls whether a slow reader has made room."""

_STATUS = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


class AnswerWriter(Protocol):
    """The connection that an exchange writes its response to."""

    @property
    def context(self) -> ListenerContext: ...

    @property
    def peer(self) -> str: ...

    @property
    def closed(self) -> bool: ...

    @property
    def stalled(self) -> bool: ...

    def finish(self, exchange: Exchange, head: bytes, parts: list[bytes]) -> None: ...

    def write_part(self, exchange: Exchange, data: bytes) -> None: ...


class Exchange:
    """The response of one request. `answer` once, or `begin`, `send` any number of times, `end`; from any thread.

    http10: the caller does not support chunks. streaming: `begin` was called.
    """

    __slots__ = ("_sent_bytes", "_status", "began_s", "connection", "http10", "keep_alive", "request_line", "streaming")

    def __init__(self, connection: AnswerWriter, keep_alive: bool, request_line: bytes = b"", http10: bool = False) -> None:
        self.connection = connection
        self.keep_alive = keep_alive
        self.request_line = request_line
        self.http10 = http10
        self.streaming = False
        self._status = self._sent_bytes = 0
        self.began_s = time.monotonic() if request_line else 0.0

    def is_cancelled(self) -> bool:
        """Whether the caller has disconnected. Any thread."""
        return self.connection.closed

    def answer(self, status: int, headers: bytes, parts: list[bytes]) -> None:
        """Send a response. headers: whole lines. parts: the body."""
        length = sum(map(len, parts))
        if self.connection.context.draining:
            self.keep_alive = False
        close = b"" if self.keep_alive else b"Connection: close\r\n"
        head = b"%b%bContent-Length: %d\r\n%b\r\n" % (_STATUS[status], headers, length, close)
        context = self.connection.context
        if context.access is not None:
            context.access.note("HTTP", self.connection.peer, self.request_line, status, length, self.began_s or time.monotonic())
        if threading.get_ident() == context.thread_id:
            self.connection.finish(self, head, parts)
        else:
            context.work.put(functools.partial(self.connection.finish, self, head, parts))

    def begin(self, status: int, headers: bytes) -> None:
        """Start a response in parts: chunked, or until the connection closes for HTTP/1.0. headers: whole lines."""
        self.streaming = True
        self._status = status
        if self.http10:
            self.keep_alive = False
        framing = b"" if self.http10 else b"Transfer-Encoding: chunked\r\n"
        close = b"" if self.keep_alive else b"Connection: close\r\n"
        self._write(b"%b%b%b%b\r\n" % (_STATUS[status], headers, framing, close))

    def send(self, part: bytes) -> bool:
        """Send a non-empty part. Blocks while the caller does not read: not on the loop. False: the caller has disconnected."""
        while self.connection.stalled and not self.is_cancelled():
            time.sleep(STALL_POLL_S)
        if self.is_cancelled():
            return False
        self._sent_bytes += len(part)
        self._write(part if self.http10 else b"%x\r\n%b\r\n" % (len(part), part))
        return True

    def end(self) -> None:
        """End the response after its last part."""
        context = self.connection.context
        if context.access is not None:
            context.access.note("HTTP", self.connection.peer, self.request_line, self._status, self._sent_bytes, self.began_s)
        context.work.put(functools.partial(self.connection.finish, self, b"" if self.http10 else b"0\r\n\r\n", []))

    def _write(self, data: bytes) -> None:
        self.connection.context.work.put(functools.partial(self.connection.write_part, self, data))


def answer_refusal(exchange: Exchange, error: CallError) -> None:
    """Answer with an error that is found before the request is routed."""
    retry = b"Retry-After: %d\r\n" % error.retry_s if error.retry_s else b""
    text = b'{"error":"%b"}' % str(error).replace('"', "'").encode()
    exchange.answer(error.code.value, b"Content-Type: application/json\r\n" + retry, [text])
