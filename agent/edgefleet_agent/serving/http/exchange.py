"""One HTTP/1.1 request and its response."""

from __future__ import annotations

import functools
import threading
import time
from http import HTTPStatus
from typing import Protocol

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.listener_context import ListenerContext
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.protocol.errors import CallError

JOINED_BYTES_MAX = 256 * 1024
"""Answers below this size are joined for one write."""
STALL_POLL_S = 0.02
"""Interval at which a sender of several parts polls whether a slow reader has made room."""

_NOTHING = memoryview(b"")
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

    def finish(self, exchange: Exchange, pieces: list[bytes]) -> None: ...

    def write_part(self, exchange: Exchange, data: bytes) -> None: ...


class Exchange:
    """One request. `answer` once, or `begin`, `send` any number of times, `end`; from any thread.

    streaming: `begin` was called.
    """

    __slots__ = ("_began_s", "_head", "_sent_bytes", "_status", "body", "connection", "keep_alive", "streaming")

    def __init__(self, connection: AnswerWriter, head: RequestHead, body: memoryview = _NOTHING) -> None:
        self.connection = connection
        self._head = head
        self.body = body
        self.keep_alive = head.keep_alive
        self.streaming = False
        self._status = self._sent_bytes = 0
        self._began_s = time.monotonic() if connection.context.access is not None else 0.0

    def is_cancelled(self) -> bool:
        """Whether the caller has disconnected. Any thread."""
        return self.connection.closed

    def answer(self, status: int, headers: bytes, parts: list[bytes]) -> None:
        """Send a response. headers: whole lines. parts: the body, of which HEAD gets the length only."""
        length = sum(map(len, parts))
        if self._head.method == b"HEAD":
            parts = []
        context = self.connection.context
        if context.draining:
            self.keep_alive = False
        close = b"" if self.keep_alive else b"Connection: close\r\n"
        pieces = [b"%b%bContent-Length: %d\r\n%b\r\n" % (_STATUS[status], headers, length, close), *parts]
        if length < JOINED_BYTES_MAX:
            pieces = [b"".join(pieces)]
        if context.access is not None:
            self._note(context.access, status, length)
        if threading.get_ident() == context.thread_id:
            self.connection.finish(self, pieces)
        else:
            context.work.put(functools.partial(self.connection.finish, self, pieces))

    def begin(self, status: int, headers: bytes) -> None:
        """Start a response in parts: chunked, or until the connection closes for HTTP/1.0. headers: whole lines."""
        self.streaming = True
        self._status = status
        if self._head.http10:
            self.keep_alive = False
        framing = b"" if self._head.http10 else b"Transfer-Encoding: chunked\r\n"
        close = b"" if self.keep_alive else b"Connection: close\r\n"
        self._write(b"%b%b%b%b\r\n" % (_STATUS[status], headers, framing, close))

    def send(self, part: bytes) -> bool:
        """Send a non-empty part. Blocks while the caller does not read: not on the loop. False: the caller has disconnected."""
        while self.connection.stalled and not self.is_cancelled():
            time.sleep(STALL_POLL_S)
        if self.is_cancelled():
            return False
        self._sent_bytes += len(part)
        self._write(part if self._head.http10 else b"%x\r\n%b\r\n" % (len(part), part))
        return True

    def end(self) -> None:
        """End the response after its last part."""
        context = self.connection.context
        if context.access is not None:
            self._note(context.access, self._status, self._sent_bytes)
        context.work.put(functools.partial(self.connection.finish, self, [b"" if self._head.http10 else b"0\r\n\r\n"]))

    def _note(self, access: AccessLog, status: int, sent_bytes: int) -> None:
        request_line = b"%b %b" % (self._head.method, self._head.target) if self._head.method else b""
        access.note("HTTP", self.connection.peer, request_line, status, sent_bytes, self._began_s)

    def _write(self, data: bytes) -> None:
        self.connection.context.work.put(functools.partial(self.connection.write_part, self, data))


def answer_refusal(exchange: Exchange, error: CallError) -> None:
    """Answer with an error that is found before the request is routed."""
    retry = b"Retry-After: %d\r\n" % error.retry_s if error.retry_s else b""
    text = b'{"error":"%b"}' % str(error).replace('"', "'").encode()
    exchange.answer(error.code.value, b"Content-Type: application/json\r\n" + retry, [text])
