"""HTTP/1.1 on one event loop: requests in, answers out, nothing about models.

Its own, because it was measured: a head that repeats costs 0.6 us here, and 1.2 us in httptools with its callbacks (3.5 us here
when it is new). The rules are those of RFC 9112, and what could be read in two ways (a length twice, a length and chunks, folded
lines) is refused. Limits: head, body, connections, and the time each of them may take.
"""

from __future__ import annotations

import asyncio
from typing import cast

from edgefleet_agent.serving.http.exchange import Exchange, HttpContext
from edgefleet_agent.serving.http.request_head import RequestHead, read_head
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

HEAD_BYTES_MAX = 16 * 1024
CHUNK_LINE_BYTES_MAX = 256
READ_BYTES_MAX = 256 * 1024

_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Http1Connection(asyncio.Protocol):
    """One caller. Requests are answered one after the other; what a caller sends ahead waits in the socket."""

    def __init__(self, door: HttpContext) -> None:
        self.door = door
        self._transport: asyncio.Transport | None = None
        self.peer = ""
        self._buffer = bytearray()
        self._request: RequestHead | None = None
        self._last_head = b""
        self._last_request = RequestHead(b"", b"", {}, False)
        self._body = bytearray()
        self._missing = 0
        self._held_bytes = 0
        self._chunked = False
        self._chunk_ended = False
        self._exchange: Exchange | None = None
        self._paused = False
        self._stalled = False
        self._since_s = door.loop.time()

    @property
    def closed(self) -> bool:
        """Whether the caller has hung up."""
        return self._transport is None

    @property
    def stalled(self) -> bool:
        """Whether the caller does not read what is sent. Any thread."""
        return self._stalled

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one in all but its bases
        name = transport.get_extra_info("peername")
        self.peer = str(name[0]) if isinstance(name, tuple) else ""
        if len(self.door.connections) >= self.door.limits.connections:
            self._refuse(CallError(Code.UNAVAILABLE, "too many connections; try again later", 1))
            return
        self.door.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.door.connections.discard(self)
        self._transport = None
        if self._exchange is None:  # else a model still has the body
            self._let_go()

    def data_received(self, data: bytes) -> None:
        if self._transport is None:
            return
        if self._missing and not self._chunked:
            self._receive_body(data)
            return
        if self._buffer:
            self._buffer += data
            data = bytes(self._buffer)
            self._buffer.clear()
        self._parse(data)

    def pause_writing(self) -> None:
        """The caller does not read its answers: no further request is taken."""
        self._stalled = True
        self._since_s = self.door.loop.time()

    def resume_writing(self) -> None:
        self._stalled = False
        self._go_on()

    def finish(self, exchange: Exchange, head: bytes, parts: list[bytes]) -> None:
        """Write an answer and go on with the next request. On the loop."""
        if exchange is not self._exchange:
            return
        self._exchange = None
        self._let_go()
        if self._transport is None:
            return
        self._since_s = self.door.loop.time()
        if sum(map(len, parts)) < READ_BYTES_MAX:
            self._transport.write(b"".join((head, *parts)))
        else:
            self._transport.writelines([head, *parts])
        if not exchange.keep:
            self._transport.close()
            return
        if not self._stalled:
            self._go_on()

    def write_part(self, exchange: Exchange, data: bytes) -> None:
        """Write a part of an answer. On the loop."""
        if exchange is self._exchange and self._transport is not None:
            self._transport.write(data)

    def check_time(self, now_s: float) -> None:
        """Close when the caller is too slow. Waiting for our own answer costs the caller nothing."""
        reading = self._exchange is not None and self._exchange.streaming and self._stalled
        if self._transport is None or (self._exchange is not None and not reading):
            return
        receiving = self._request is not None or bool(self._buffer)
        waited_s = now_s - self._since_s
        if self._stalled:
            if waited_s > self.door.limits.receive_s:
                self._transport.abort()
            return
        if receiving and waited_s > self.door.limits.receive_s:
            self._refuse(CallError(Code.TOO_SLOW, "the request took too long to arrive"))
        elif not receiving and waited_s > self.door.limits.idle_s:
            self._transport.close()

    def close_when_idle(self) -> None:
        """Hang up, after the answer that is on its way."""
        if self._exchange is not None:
            self._exchange.keep = False
        elif self._transport is not None:
            self._transport.close()

    def _go_on(self) -> None:
        if self._transport is None or self._exchange is not None:
            return
        if self._paused:
            self._paused = False
            self._transport.resume_reading()
        if self._buffer:
            # Not from here: a caller who sends a thousand requests ahead shall not nest a thousand calls.
            self.door.loop.call_soon(self.data_received, b"")

    def _parse(self, data: bytes) -> None:
        if self._exchange is not None or self._stalled:
            self._hold(data)
            return
        try:
            if self._request is None:
                data = self._read_head(data)
            if self._request is None:
                return
            if self._chunked:
                self._read_chunks(data)
            else:
                self._receive_body(data)
        except CallError as error:
            self._refuse(error)

    def _hold(self, data: bytes) -> None:
        """Keep what came ahead of its turn; the socket keeps the rest."""
        self._buffer += data
        if self._buffer and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def _read_head(self, data: bytes) -> bytes:
        """Take one head off `data`; what follows it. Sets `_request` when the head is whole."""
        while data.startswith(b"\r\n"):  # RFC 9112, 2.2: empty lines before a request are ignored
            data = data[2:]
        end = data.find(b"\r\n\r\n")
        if end > HEAD_BYTES_MAX or (end < 0 and len(data) > HEAD_BYTES_MAX):
            raise CallError(Code.HEADERS, f"the head of the request is longer than {HEAD_BYTES_MAX} bytes")
        if end < 0:
            if data and not self._buffer:
                self._since_s = self.door.loop.time()
            self._buffer += data
            return b""
        lines = data[:end]
        if lines == self._last_head:  # a client's requests mostly begin like its last one
            request = self._last_request.again()
        else:
            request = read_head(lines)
            self._last_head, self._last_request = lines, request
        if self.door.admit is not None and (refusal := self.door.admit(request.target, request.headers, self.peer)) is not None:
            raise refusal
        self._length(request)
        self._request = request
        if request.headers.get(b"expect", b"").lower() == b"100-continue" and self._transport is not None:
            self._transport.write(_CONTINUE)
        self._since_s = self.door.loop.time()
        return data[end + 4 :]

    def _length(self, request: RequestHead) -> None:
        """How the body of the request is framed."""
        length, coding = request.headers.get(b"content-length"), request.headers.get(b"transfer-encoding")
        self._missing, self._chunked, self._chunk_ended = 0, coding is not None, False
        if coding is not None and (coding.lower() != b"chunked" or length is not None):
            raise invalid("a body is sent either with Content-Length or with Transfer-Encoding: chunked")
        if length is not None:
            if not length.isdigit() or len(length) > 18:
                raise invalid("Content-Length is not a number")
            self._hold_bytes(int(length))
            self._missing = int(length)

    def _hold_bytes(self, size: int) -> None:
        """Take memory for so much more of a body."""
        door = self.door
        if self._held_bytes + size > door.limits.body_bytes:
            raise CallError(Code.TOO_LARGE, f"the body is larger than {door.limits.body_bytes} bytes")
        if door.bodies_bytes + size > door.limits.bodies_bytes:
            raise CallError(Code.UNAVAILABLE, "too many large requests at once; try again later", 1)
        self._held_bytes += size
        door.bodies_bytes += size

    def _let_go(self) -> None:
        self.door.bodies_bytes -= self._held_bytes
        self._held_bytes = 0

    def _receive_body(self, data: bytes) -> None:
        if not self._body and len(data) >= self._missing:  # all of it at once: no copy
            body, rest = memoryview(data)[: self._missing], data[self._missing :]
        else:
            taken = data[: self._missing]
            self._body += taken
            self._missing -= len(taken)
            if self._missing:
                return
            body, rest = memoryview(self._body), data[len(taken) :]
            self._body = bytearray()
        self._missing = 0
        self._hand_over(body, rest)

    def _read_chunks(self, data: bytes) -> None:
        at = 0
        while True:
            if self._missing:  # of the chunk and the line end after it
                taken = data[at : at + self._missing]
                at += len(taken)
                self._missing -= len(taken)
                self._body += taken
                if self._missing:
                    return
                if self._body[-2:] != b"\r\n":
                    raise invalid("a chunk of the body does not end where it says")
                del self._body[-2:]
            end = data.find(b"\r\n", at)
            if end < 0:
                if len(data) - at > CHUNK_LINE_BYTES_MAX:
                    raise invalid("a chunk of the body has no length")
                self._buffer += data[at:]
                return
            line, at = data[at:end], end + 2
            if self._chunk_ended:
                if line:
                    continue  # a trailer field: nothing here reads one
                body, self._body = memoryview(self._body), bytearray()
                self._chunked = False
                self._hand_over(body, data[at:])
                return
            size = line.partition(b";")[0].strip()
            if not size or len(size) > 8 or size.strip(b"0123456789abcdefABCDEF"):
                raise invalid("a chunk of the body has no valid length")
            self._chunk_ended = int(size, 16) == 0
            if not self._chunk_ended:
                self._hold_bytes(int(size, 16))
                self._missing = int(size, 16) + 2

    def _hand_over(self, body: memoryview, rest: bytes) -> None:
        request, self._request = self._request, None
        assert request is not None
        request.body = body
        asked = b"%b %b" % (request.method, request.target) if self.door.access is not None else b""
        self._exchange = Exchange(self, request.keep, asked, request.old)
        if rest:
            self._hold(rest)
        self.door.handle(request, self._exchange)

    def _refuse(self, error: CallError) -> None:
        """Answer what is not a request, and hang up: where the next one begins is not known."""
        self._buffer.clear()
        self._body = bytearray()
        self._request, self._missing = None, 0
        self._let_go()
        self._exchange = Exchange(self, keep=False)
        retry = b"Retry-After: %d\r\n" % error.retry_s if error.retry_s else b""
        text = b'{"error":"%b"}' % str(error).replace('"', "'").encode()
        self._exchange.answer(error.code.value, b"Content-Type: application/json\r\n" + retry, [text])
