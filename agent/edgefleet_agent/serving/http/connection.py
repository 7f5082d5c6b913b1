"""HTTP/1.1 connections on one event loop; independent of models.

A new head is parsed by llhttp (`read_head`); most requests of a client have the head of its last one, which is not parsed again.
Ambiguous requests (a length twice, a length and chunks, folded lines) are refused, as RFC 9112 asks. There are limits for head,
body, connections, and the time of each.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import cast

from edgefleet_agent.serving.frontend.authentication import OPEN_PATHS
from edgefleet_agent.serving.frontend.body_buffer import BodyBuffer
from edgefleet_agent.serving.frontend.chunked_body import ChunkedBody
from edgefleet_agent.serving.frontend.connection_table import Admission, Phase
from edgefleet_agent.serving.frontend.last_answer import close_after_rest
from edgefleet_agent.serving.frontend.listener import peer_of
from edgefleet_agent.serving.frontend.listener_context import ENDING, FIRST_BYTES, ListenerContext
from edgefleet_agent.serving.http.exchange import Exchange, answer_refusal
from edgefleet_agent.serving.http.request_head import NO_HEAD, RequestHead, read_head
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

HEAD_BYTES_MAX = 16 * 1024
LIVE_PATH = b"/v2/health/live"

Handle = Callable[[RequestHead, Exchange], None]
"""Answers a request through its exchange."""
Admit = Callable[[bytes, dict[bytes, bytes], str], CallError | None]
"""Admits a request with this target and headers from this address (None), or gives the error."""
Check = Callable[[RequestHead], None]
"""Checks a head that differs from the last one of its connection. Raises CallError."""

_NO_HEAD = re.compile(rb"^[^\r\n!-~]|(?<!\r)\n")
"""What never becomes a head: a first character of no method, and a line feed alone."""
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Http1Connection(asyncio.BufferedProtocol):
    """One caller. Requests are answered in order; pipelined requests wait in the socket. A body that does not arrive with its
    head is read from the socket to where it stays."""

    def __init__(self, context: ListenerContext, handle: Handle, admit: Admit | None = None, check: Check | None = None) -> None:
        self.context = context
        self._handle = handle
        self._admit = admit
        self._check = check
        self._health_only = self._ending = self._unread = False
        self._transport: asyncio.Transport | None = None
        self.peer = ""
        self._buffer = bytearray()
        self._request: RequestHead | None = None
        self._last_head = b""
        self._last_request = self._refusable = NO_HEAD
        self._body: BodyBuffer | None = None
        self._chunked: ChunkedBody | None = None
        self._held_bytes = 0
        self._exchange: Exchange | None = None
        self._paused = self._scheduled = self._stalled = False
        self._since_s = context.loop.time()

    @property
    def closed(self) -> bool:
        """Whether the caller has disconnected."""
        return self._transport is None

    @property
    def stalled(self) -> bool:
        """Whether the caller does not read its responses. Any thread."""
        return self._stalled

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transport has the same methods, but not this base class
        self.peer = peer_of(transport)
        admission = self.context.connections.add(self, self.peer, self._since_s)
        self._health_only = admission is Admission.HEALTH
        if admission is Admission.REFUSED:
            self._reject(CallError(Code.UNAVAILABLE, "too many connections of this address; try again later", 1))
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.context.connections.discard(self)
        self._transport = None
        if self._exchange is None:  # otherwise a model still uses the body
            self._release()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        return self.context.read_buffer if self._body is None else self._body.room()

    def buffer_updated(self, nbytes: int) -> None:
        body = self._body
        if body is not None:
            body.add(nbytes)
            self._end_body(body, b"")
            return
        received = self.context.read_buffer[:nbytes]
        self.receive(bytes(received[:FIRST_BYTES]))
        if nbytes <= FIRST_BYTES:
            return
        rest, body = received[FIRST_BYTES:], self._body
        if body is not None:
            size = min(len(rest), body.missing)
            body.append(rest[:size])
            self._end_body(body, bytes(rest[size:]))
        elif self._transport is not None and not self._transport.is_closing():
            self.receive(bytes(rest))

    def _end_body(self, body: BodyBuffer, rest: bytes) -> None:
        """Dispatch the request if its body has arrived. rest: what follows."""
        if body.missing <= 0 and self._transport is not None:
            self._body = None
            self._dispatch(body.whole(), body.surplus() + rest)

    def receive(self, data: bytes) -> None:
        """Take received bytes."""
        if self._transport is None or self._unread:
            return
        if self._buffer:
            self._buffer += data
            data = bytes(self._buffer)
            self._buffer.clear()
        if self._exchange is not None or self._stalled:
            self._buffer_ahead(data)
            return
        try:
            at = self._read_head(data) if self._request is None else 0
            if (request := self._request) is None:
                return
            if self._chunked is not None:
                body, rest = self._chunked.read(data[at:])
                if body is None:
                    self._buffer += rest
                else:
                    self._chunked = None
                    self._dispatch(body, rest)
            else:
                self._receive_body(request, data, at)
        except CallError as error:
            self._reject(error)

    def _parse_buffered(self) -> None:
        """Parse the next pipelined request. The socket is read again only where the buffer holds no whole one."""
        self._scheduled = False
        if self._body is None:  # otherwise its body is being read already
            self.receive(b"")
        if self._exchange is None and not self._scheduled and not self._stalled:
            self._resume_reading()

    def pause_writing(self) -> None:
        """The caller does not read its responses: stop taking requests."""
        self._stalled = True
        self._since_s = self.context.loop.time()

    def resume_writing(self) -> None:
        self._stalled = False
        self._continue_reading()

    def finish(self, exchange: Exchange, pieces: list[bytes]) -> None:
        """Write a response, or the rest of it, and continue with the next request. On the loop."""
        if exchange is not self._exchange:
            return
        self._exchange = None
        if self._held_bytes:
            self._release()
        if self._transport is None:
            return
        self._since_s = self.context.loop.time()
        if len(pieces) == 1:
            self._transport.write(pieces[0])
        else:
            self._transport.writelines(pieces)
        if not exchange.keep_alive:
            self._close()
            return
        if not self._stalled and (self._paused or self._buffer):
            self._continue_reading()

    def _close(self) -> None:
        """Close the connection after its last answer. On the loop."""
        assert self._transport is not None
        if self._unread or self._buffer:
            self._unread = True
            self._buffer.clear()
            close_after_rest(self._transport, self.context, self.connection_lost)
        else:
            self._transport.close()

    def write_part(self, exchange: Exchange, data: bytes) -> None:
        """Write a part of a response. On the loop."""
        if exchange is self._exchange and self._transport is not None:
            self._transport.write(data)

    def check_time(self, now_s: float) -> None:
        """Close the connection if the caller is too slow. Time in which the server computes does not count."""
        reading = self._exchange is not None and self._exchange.streaming and self._stalled
        if self._transport is None or (self._exchange is not None and not reading):
            return
        receiving = self._request is not None or bool(self._buffer)
        waited_s = now_s - self._since_s
        if self._stalled:
            if waited_s > self.context.limits.receive_s:
                self._transport.abort()
            return
        if receiving and waited_s > self.context.limits.receive_s:
            self._reject(CallError(Code.TOO_SLOW, "the request took too long to arrive"))
        elif not receiving and waited_s > self.context.limits.idle_s:
            self._transport.close()

    def phase(self) -> tuple[Phase, float]:
        """Return what the server waits for, and since when."""
        if self._exchange is not None:
            return Phase.ANSWER, self._since_s
        part = self._request is not None or self._buffer or self._stalled
        unsent = self._transport is not None and self._transport.get_write_buffer_size() > 0
        return Phase.PART if part or unsent else Phase.IDLE if self._last_head else Phase.NEW, self._since_s

    def give_up(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def close_when_idle(self) -> None:
        """Close the connection after the pending response."""
        if self._exchange is not None:
            self._exchange.keep_alive = False
        elif self._transport is not None:
            self._transport.close()

    def end_after_answer(self) -> None:
        """Take no request after the one that is being received or answered."""
        if self._exchange is not None:
            self._exchange.keep_alive = False
        if self._request is not None:
            self._ending = True

    def refuse_rest(self, error: CallError) -> None:
        """Answer the pending request with an error, and close the connection."""
        exchange = self._exchange
        if exchange is None:
            self.close_when_idle()
        elif exchange.streaming:
            self.give_up()
        else:
            exchange.keep_alive = False
            answer_refusal(exchange, error)

    def _continue_reading(self) -> None:
        if self._transport is None or self._exchange is not None:
            return
        if not self._buffer:
            self._resume_reading()
        elif not self._scheduled:
            # Not called directly: a thousand pipelined requests would nest a thousand calls, and hold up other connections.
            self._scheduled = True
            self.context.loop.call_soon(self._parse_buffered)

    def _resume_reading(self) -> None:
        if self._paused and self._transport is not None and not self._transport.is_closing():
            self._paused = False
            self._transport.resume_reading()

    def _buffer_ahead(self, data: bytes) -> None:
        """Buffer data of pipelined requests; the socket holds the rest."""
        self._buffer += data
        if self._buffer and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def _read_head(self, data: bytes) -> int:
        """Read the head at the start of `data`; returns the position after it. Sets `_request` if the head is complete."""
        known = self._last_head
        if known and data.startswith(known):  # most requests of a client have the head of its last one
            request, end = self._last_request, len(known)
        else:
            parsed, end = self._parse_head(data)
            if parsed is None:
                return 0
            request = parsed
        self._refusable = request
        if self._admit is not None and (refusal := self._admit(request.target, request.headers, self.peer)) is not None:
            raise refusal
        if self.context.draining:
            self._ending = True
            if not request.target.startswith(LIVE_PATH):
                raise ENDING
        if self._health_only:
            self._ending = True
            if not request.target.startswith(OPEN_PATHS):
                raise CallError(Code.UNAVAILABLE, "too many connections; try again later", 1)
        if request.length < 0:
            request.read_framing()
        if request.length:
            self._reserve(request.length)
        self._request, self._refusable = request, NO_HEAD
        if request.chunked:
            self._chunked = ChunkedBody(self._reserve)
            self._since_s = self.context.loop.time()
        if request.awaits and self._transport is not None:
            self._transport.write(_CONTINUE)
        return end

    def _parse_head(self, data: bytes) -> tuple[RequestHead | None, int]:
        """Parse a head that differs from the last one; returns it with the position after it, None if it is not complete."""
        start = 0
        while data.startswith(b"\r\n", start):  # RFC 9112, 2.2: empty lines before a request are ignored
            start += 2
        end = data.find(b"\r\n\r\n", start)
        lines = data[start:end] if end >= 0 else data[start:]
        if wrong := _NO_HEAD.search(lines, 0, HEAD_BYTES_MAX):
            why = "lines must end with CRLF" if wrong[0] == b"\n" else "is this a client of TLS? This port has none"
            raise invalid(f"not an HTTP/1.1 request: {why}")
        if len(lines) - (3 if end < 0 else 0) > HEAD_BYTES_MAX:
            raise CallError(Code.HEADERS, f"the head of the request is longer than {HEAD_BYTES_MAX} bytes")
        if end < 0:
            if lines and not self._buffer:
                self._since_s = self.context.loop.time()
            self._buffer += lines
            return None, 0
        request = self._refusable = read_head(lines)
        if self._check is not None:
            self._check(request)
        self._last_head, self._last_request = data[start : end + 4], request
        return request, end + 4

    def _reserve(self, size: int) -> None:
        """Reserve memory for `size` more bytes of a body."""
        context = self.context
        if self._held_bytes + size > context.limits.body_bytes:
            raise CallError(Code.TOO_LARGE, f"the body is larger than {context.limits.body_bytes} bytes")
        if context.bodies_bytes + size > context.limits.bodies_bytes:
            raise CallError(Code.UNAVAILABLE, "too many large requests at once; try again later", 1)
        self._held_bytes += size
        context.bodies_bytes += size

    def _release(self) -> None:
        self.context.bodies_bytes -= self._held_bytes
        self._held_bytes = 0

    def _receive_body(self, request: RequestHead, data: bytes, at: int) -> None:
        """Take the part of a body that arrived with its head, from `at`; `buffer_updated` takes the rest."""
        end = at + request.length
        if len(data) >= end:  # complete: no copy
            self._dispatch(memoryview(data)[at:end], data[end:])
            return
        self._since_s = self.context.loop.time()
        header = request.headers.get(b"inference-header-content-length", b"")
        self._body = BodyBuffer(request.length, int(header) if header.isdigit() and len(header) < 10 else 0)
        self._body.append(data[at:])

    def _dispatch(self, body: memoryview, rest: bytes) -> None:
        request, self._request = self._request, None
        assert request is not None
        exchange = self._exchange = Exchange(self, request, body)
        if self._ending:
            exchange.keep_alive = False
        if rest:
            self._buffer_ahead(rest)
        self._handle(request, exchange)

    def _reject(self, error: CallError) -> None:
        """Answer an invalid request and close the connection: the start of the next request is unknown."""
        self._buffer.clear()
        self._body = self._chunked = self._request = None
        self._release()
        self._exchange, self._refusable = Exchange(self, self._refusable), NO_HEAD
        self._exchange.keep_alive, self._unread = False, True
        answer_refusal(self._exchange, error)
