"""Connections of the gRPC listener, on one event loop: the I/O of an `Http2State`, and the calls of its streams.

An own implementation, for speed: grpcio's server spends 390 to 440 us of Python and thread switches on a call, this one a quarter
of it. It serves gRPC only: every response has status 200, messages and trailers.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from typing import cast

from edgefleet_agent.serving.frontend.authentication import OPEN_PATHS
from edgefleet_agent.serving.frontend.connection_table import Admission, Phase
from edgefleet_agent.serving.frontend.listener import peer_of
from edgefleet_agent.serving.frontend.listener_context import ENDING, FIRST_BYTES, ListenerContext
from edgefleet_agent.serving.grpc.call import GrpcCall
from edgefleet_agent.serving.grpc.methods import MethodTable
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.events import (
    ConnectionFailed,
    DataReceived,
    Event,
    PeerStalled,
    RequestReceived,
    StreamDrained,
    StreamEnded,
)
from edgefleet_agent.serving.http2.frames import Fault
from edgefleet_agent.serving.protocol.errors import CallError

JOINED_BYTES_MAX = 64 * 1024
"""Output below this size is joined for one write; larger output is written in its pieces, without a copy."""
DIRECT_BYTES_MIN = 64 * 1024
"""Missing bytes of a frame from which on they are read to the memory of their call. Of small frames several are read at once."""
_EMPTY = memoryview(b"")


class GrpcConnection(asyncio.BufferedProtocol):
    """One peer."""

    def __init__(self, context: ListenerContext, methods: MethodTable) -> None:
        self.context = context
        self.peer = ""
        self.state = Http2State(context.loop.time())
        self._methods = methods
        self._calls: dict[int, GrpcCall] = {}
        self._transport: asyncio.Transport | None = None
        self._encrypted = False
        self._flushing = False
        self._stalled = self._scheduled = self._health_only = False
        self._missing = 0
        self._filled: tuple[GrpcCall, memoryview] | None = None

    # Callbacks of asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._encrypted = transport.get_extra_info("sslcontext") is not None
        self.peer = peer_of(transport)
        admission = self.context.connections.add(self, self.peer, self.state.now_s)
        if admission is Admission.REFUSED:
            self.state.refuse(Fault.ENHANCE_YOUR_CALM, "too many connections of this address")
            self._flush()
            return
        self._health_only = admission is Admission.HEALTH
        self.state.send_settings()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.context.connections.discard(self)
        self._transport = None
        for number in list(self._calls):
            self._remove_call(number).cancel()

    def pause_writing(self) -> None:
        """The peer does not read: stop reading as well, or responses to its pings would fill memory."""
        self.state.pause_sending(self.context.loop.time())
        self._stalled = True
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        events = self.state.resume_sending(self.context.loop.time())
        self._stalled = False
        if self._transport is not None:
            self._handle(events)
            self._continue_reading()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        number, missing = self.state.awaited
        self._missing = missing
        rpc = self._calls.get(number) if missing >= DIRECT_BYTES_MIN else None
        room = rpc.room(missing) if rpc is not None else None
        if rpc is None or room is None:
            self._filled = None
            return self.context.read_buffer
        self._filled = rpc, room
        return room

    def buffer_updated(self, nbytes: int) -> None:
        filled = self._filled
        if filled is not None:
            self._receive_filled(*filled, nbytes)
            return
        received = self.context.read_buffer[:nbytes]
        if self._missing or nbytes <= FIRST_BYTES:  # in the middle of a small frame no message begins
            self._receive(bytes(received))
            return
        self._receive(bytes(received[:FIRST_BYTES]))
        rest = received[FIRST_BYTES:]
        while rest:
            room = self.get_buffer(-1)
            filled = self._filled
            if filled is None:
                self._receive(bytes(rest))
                return
            size = min(len(room), len(rest))
            room[:size] = rest[:size]
            self._receive_filled(*filled, size)
            rest = rest[size:]

    def _receive_filled(self, rpc: GrpcCall, room: memoryview, size: int) -> None:
        """Take bytes that are in the memory of a call already."""
        self._filled = None
        rpc.filled = True
        self._receive(room[:size])

    def _receive(self, data: bytes | memoryview) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._handle(self.state.receive(data, self.context.loop.time()))
            if self.state.behind and not self._scheduled:
                self._transport.pause_reading()
                self._schedule()

    def _schedule(self) -> None:
        """Handle the bytes that wait after the other connections had their turn."""
        self._scheduled = True
        self.context.loop.call_soon(self._catch_up)

    def _catch_up(self) -> None:
        self._scheduled = False
        if self._stalled or self._transport is None or self._transport.is_closing():
            return
        self._handle(self.state.receive(b"", self.context.loop.time()))
        self._continue_reading()

    def _continue_reading(self) -> None:
        """Handle bytes that wait, or read further ones."""
        if self._stalled or self._scheduled or self._transport is None or self._transport.is_closing():
            return
        if self.state.behind:
            self._schedule()
        else:
            self._transport.resume_reading()

    # Methods for calls.

    def flush_soon(self) -> None:
        """Send the output: at the end of this loop iteration, or at once if no open call could add an answer until then."""
        if self._flushing:
            return
        if not self._calls:
            self._flush()
        else:
            self._flushing = True
            self.context.loop.call_soon(self._flush)

    def call_ended(self, rpc: GrpcCall) -> None:
        """Forget an answered call."""
        self._remove_call(rpc.stream.number)

    def run_aside(self, work: Callable[[], None]) -> concurrent.futures.Future[None]:
        """Run work on another thread."""
        return self._methods.pool.submit(work)

    # Methods for the listener.

    def close_when_idle(self) -> None:
        """Refuse further calls, and close the connection after the last answer."""
        self.state.go_away()
        self._flush()

    def end_after_answer(self) -> None:
        """Refuse further calls, and end streams that wait for a request."""
        self.close_when_idle()
        for rpc in list(self._calls.values()):
            rpc.end_idle_stream()

    def refuse_rest(self, error: CallError) -> None:
        """End the open calls with an error."""
        self.state.go_away()
        for rpc in list(self._calls.values()):
            rpc.fail(Status.UNAVAILABLE, str(error), error.retry_s)
        self._flush()

    def phase(self) -> tuple[Phase, float]:
        """Return what the server waits for, and since when."""
        if any(rpc.dispatched for rpc in self._calls.values()):
            return Phase.ANSWER, self.state.now_s
        unsent = self._stalled or (self._transport is not None and self._transport.get_write_buffer_size() > 0)
        return Phase.PART if self._calls or unsent else Phase.IDLE if self.state.used else Phase.NEW, self.state.now_s

    def give_up(self) -> None:
        """Close the connection at once."""
        self._abort()

    def check_time(self, now_s: float) -> None:
        """Close a connection without a preface, that does not read, or is idle; end calls that take too long to arrive."""
        limits = self.context.limits
        self._handle(self.state.check_time(now_s, limits.receive_s, limits.idle_s))
        for rpc in list(self._calls.values()):
            rpc.check_time(now_s, limits.receive_s)

    def _handle(self, events: list[Event]) -> None:
        """Pass events to their calls, and send the output."""
        self._flushing = True  # what calls send now is sent below
        for event in events:
            if isinstance(event, DataReceived):
                rpc = self._calls.get(event.stream.number)
                if rpc is not None:
                    rpc.receive(event.data, event.ended)
            elif isinstance(event, RequestReceived):
                self._open_call(event)
            elif isinstance(event, PeerStalled):
                self._abort()
            elif not isinstance(event, ConnectionFailed) and (rpc := self._calls.get(event.stream.number)) is not None:
                if isinstance(event, StreamDrained):
                    rpc.drained()
                elif isinstance(event, StreamEnded):
                    rpc.ended()
                else:
                    self._remove_call(event.stream.number).cancel()
        self._flushing = False
        if self.state.unsent:
            self._flush()

    def _abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _flush(self) -> None:
        """Send the output; close a connection that is over."""
        self._flushing = False
        transport, state = self._transport, self.state
        if transport is None:
            return
        pieces = state.take_output()
        if pieces and not transport.is_closing():
            if self._encrypted or sum(map(len, pieces)) < JOINED_BYTES_MAX:  # each piece would be a record of TLS
                transport.write(b"".join(pieces))
            else:
                transport.writelines(pieces)
        if state.over:
            transport.close()

    # Calls.

    def _open_call(self, event: RequestReceived) -> None:
        if event.stream.closed:  # reset in the same bytes
            return
        head = event.head
        methods = self._methods
        rpc = self._calls[event.stream.number] = GrpcCall(self, event.stream, head, methods.methods.get(head.path))
        rpc.complete = event.ended
        methods.open_calls += 1
        connections = len(self.context.connections) if methods.crowded else 1
        refusal = methods.refusal(head, self.peer, len(self._calls), connections)
        if refusal is None and self._health_only and not head.path.startswith(OPEN_PATHS):
            refusal = Status.UNAVAILABLE, "too many connections; try again later", 1
        if refusal is None and self.context.draining and not head.path.startswith(OPEN_PATHS):
            refusal = Status.UNAVAILABLE, str(ENDING), ENDING.retry_s
        if self._health_only or self.context.draining:
            self.state.go_away()
        if refusal is not None:
            rpc.fail(*refusal)
            return
        rpc.begin()
        if event.ended:
            rpc.receive(_EMPTY, True)

    def _remove_call(self, number: int) -> GrpcCall:
        self._methods.open_calls -= 1
        return self._calls.pop(number)
