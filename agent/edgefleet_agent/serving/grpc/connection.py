"""HTTP/2 connections of the gRPC listener, on one event loop.

An own implementation, for speed: grpcio's server spends 390 to 440 us of Python and thread switches on a call, this one a quarter
of it. It serves gRPC only: every response has status 200, messages and trailers. Windows, streams, sizes of frames and headers,
and times are enforced; floods of control frames, resets or headers close the connection (`abuse_limits`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import cast

from edgefleet_agent.serving.grpc import frames as h2
from edgefleet_agent.serving.grpc.abuse_limits import FloodGuard
from edgefleet_agent.serving.grpc.call import GrpcCall, Status
from edgefleet_agent.serving.grpc.context import GrpcContext
from edgefleet_agent.serving.grpc.frames import BrokenConnectionError, Fault, FrameSetting, Kind
from edgefleet_agent.serving.grpc.limits import CALLS_MAX, CONNECTION_WINDOW, STREAM_WINDOW, STREAMS_MAX
from edgefleet_agent.serving.grpc.response_headers import ResponseHeaders


class Http2Connection(asyncio.Protocol):
    """One peer."""

    def __init__(self, context: GrpcContext) -> None:
        self.context = context
        self.rpcs: dict[int, GrpcCall] = {}
        self.window = h2.WINDOW_USUAL
        self.peer_window = h2.WINDOW_USUAL
        self.frame_bytes = h2.FRAME_BYTES_USUAL
        self.peer = ""
        self.blocks = ResponseHeaders()
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._preface_received = False
        self._reader = h2.HeadReader()
        self._block: tuple[int, int, bytes] | None = None
        self._data: tuple[int, int, int] | None = None
        self._last_stream = 0
        self._credit = CONNECTION_WINDOW
        self.flood_guard = FloodGuard()
        self.window_blocked: OrderedDict[int, GrpcCall] = OrderedDict()
        """Calls whose answers wait for the connection's window."""
        self._draining = False
        self._stalled = False
        self._since_s = context.loop.time()
        self._out: list[bytes] = []
        self._flushing = False

    # Callbacks of asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        if len(self.context.connections) >= self.context.limits.connections:
            self._send_goaway(Fault.ENHANCE_YOUR_CALM, "too many connections")
            return
        name = transport.get_extra_info("peername")
        self.peer = str(name[0]) if isinstance(name, tuple) else ""
        self.context.connections.add(self)
        self.write(
            h2.settings(
                {
                    FrameSetting.MAX_CONCURRENT_STREAMS: STREAMS_MAX,
                    FrameSetting.INITIAL_WINDOW_SIZE: STREAM_WINDOW,
                    FrameSetting.MAX_HEADER_LIST_SIZE: h2.HEADERS_BYTES_MAX,
                }
            )
            + h2.window_update(0, CONNECTION_WINDOW - h2.WINDOW_USUAL)
        )

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.context.connections.discard(self)
        self._transport = None
        for stream in list(self.rpcs):
            self._remove_call(stream, given_up=True)

    def pause_writing(self) -> None:
        """The peer does not read: stop reading as well, or responses to its pings would fill memory."""
        self._stalled = True
        self._since_s = self.context.loop.time()
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._stalled = False
        self._since_s = self.context.loop.time()
        if self._transport is not None:
            self._transport.resume_reading()
            self._pump_calls()

    def data_received(self, data: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if self._rest:
            data, self._rest = self._rest + data, b""
        try:
            self._parse(data)
        except BrokenConnectionError as fault:
            self._send_goaway(fault.fault, str(fault))
        self.flush()

    # Methods for calls.

    @property
    def blocked(self) -> bool:
        """Whether the socket's buffer is full."""
        return self._stalled

    def write(self, data: bytes) -> None:
        """Buffer data; it is sent at the end of this loop iteration."""
        self._out.append(data)
        if not self._flushing:
            self._flushing = True
            self.context.loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send buffered data."""
        self._flushing = False
        if self._out:
            data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
            self._out.clear()
            if self._transport is not None and not self._transport.is_closing():
                self._transport.write(data)

    def call_ended(self, rpc: GrpcCall) -> None:
        """Close an answered call; further data of its peer is discarded."""
        if self._remove_call(rpc.stream) is not None:
            self.flood_guard.call_finished()
        if not rpc.complete and self._transport is not None:
            self.write(h2.frame(Kind.RST_STREAM, 0, rpc.stream, int(Fault.NO_ERROR).to_bytes(4, "big")))
        self._since_s = self.context.loop.time()
        if self._draining and not self.rpcs:
            self.flush()
            if self._transport is not None:
                self._transport.close()

    def reset_call(self, rpc: GrpcCall, fault: Fault) -> None:
        """Reset a call."""
        self._remove_call(rpc.stream, given_up=True)
        self.write(h2.frame(Kind.RST_STREAM, 0, rpc.stream, int(fault).to_bytes(4, "big")))

    def give_credit(self, rpc: GrpcCall, size: int) -> None:
        """Let the peer send `size` more bytes for a call."""
        rpc.credit += size
        self.write(h2.window_update(rpc.stream, size))

    def close_when_idle(self) -> None:
        """Refuse further calls, and close the connection after the last answer."""
        if not self._draining and self._transport is not None:
            self._draining = True
            self.write(self._goaway_frame(Fault.NO_ERROR, ""))
        if not self.rpcs and self._transport is not None:
            self.flush()
            self._transport.close()

    def check_time(self, now_s: float) -> None:
        """Close a connection without a preface, that does not read, or is idle; end calls that take too long to arrive."""
        limits = self.context.limits
        if self._transport is None:
            return
        waited_s = now_s - self._since_s
        if (self._stalled or not self._preface_received or self._block or self._draining) and waited_s > limits.receive_s:
            self._transport.abort()
            return
        if not self.rpcs:
            if waited_s > limits.idle_s:
                self.close_when_idle()
            return
        for rpc in list(self.rpcs.values()):
            rpc.check_time(now_s, limits.receive_s)

    # Frames.

    def _parse(self, data: bytes) -> None:
        at = 0
        if not self._preface_received:
            if not data.startswith(h2.PREFACE):
                if not h2.PREFACE.startswith(data[: len(h2.PREFACE)]):
                    raise BrokenConnectionError(Fault.PROTOCOL, "not HTTP/2; plain HTTP has another port")
                self._rest = data
                return
            self._preface_received = True
            at = len(h2.PREFACE)
        if self._data is not None:
            at = self._continue_data(data, at)
        end = len(data)
        while end - at >= h2.HEAD_BYTES:
            size, kind, flags, stream = h2.read_frame_head(data, at)
            if size > h2.FRAME_BYTES_USUAL:
                raise BrokenConnectionError(Fault.FRAME_SIZE, f"a frame of {size} bytes; {h2.FRAME_BYTES_USUAL} is the largest")
            if self._block is not None and kind != Kind.CONTINUATION:
                raise BrokenConnectionError(Fault.PROTOCOL, "a header block was not continued")
            start = at + h2.HEAD_BYTES
            if kind == Kind.DATA and not flags & h2.PADDED and end - start < size:
                self._data = stream, size, flags
                self._consume_window(stream, size)
                self._continue_data(data, start)
                return
            if end - start < size:
                break
            at = start + size
            payload = data[start:at]
            if kind == Kind.DATA:
                self._consume_window(stream, size)
                self._deliver_data(stream, h2.unpadded(payload, flags), bool(flags & h2.END_STREAM))
                self._replenish_window()
            else:
                self._on_control_frame(kind, flags, stream, payload)
        self._rest = data[at:]

    def _continue_data(self, data: bytes, at: int) -> int:
        """Take further bytes of an incomplete DATA frame; returns the start of the next frame."""
        assert self._data is not None
        stream, missing, flags = self._data
        part = data[at : at + missing]
        missing -= len(part)
        self._data = (stream, missing, flags) if missing else None
        self._deliver_data(stream, part, not missing and bool(flags & h2.END_STREAM))
        if not missing:
            self._replenish_window()
        return at + len(part)

    def _consume_window(self, stream: int, size: int) -> None:
        """Subtract a DATA frame from the receive windows."""
        if not stream or stream > self._last_stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "data of a call that was not opened")
        self._credit -= size
        rpc = self.rpcs.get(stream)
        if rpc is not None:
            rpc.credit -= size
        if self._credit < 0 or (rpc is not None and rpc.credit < 0):
            raise BrokenConnectionError(Fault.FLOW_CONTROL, "more data than the window allows")
        if not size:
            self.flood_guard.control_frame()

    def _replenish_window(self) -> None:
        """Widen the connection's window for all data that was read: memory is limited by message size, not by this window."""
        if self._credit < CONNECTION_WINDOW // 2:
            self.write(h2.window_update(0, CONNECTION_WINDOW - self._credit))
            self._credit = CONNECTION_WINDOW

    def _deliver_data(self, stream: int, part: bytes, last: bool) -> None:
        rpc = self.rpcs.get(stream)
        if rpc is not None:
            if rpc.complete:
                raise BrokenConnectionError(Fault.STREAM_CLOSED, "data behind the end of a call")
            rpc.receive(part, last)

    def _on_control_frame(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == Kind.HEADERS:
            payload = h2.unpadded(payload, flags)
            self._on_headers(stream, flags, payload[5:] if flags & h2.PRIORITY_FIELDS else payload)
        elif kind == Kind.CONTINUATION:
            self._on_continuation(stream, flags, payload)
        elif kind == Kind.WINDOW_UPDATE:
            self._on_window_update(stream, payload)
        elif kind == Kind.RST_STREAM:
            self._on_reset(stream, payload)
        elif kind == Kind.SETTINGS:
            self._on_settings(flags, stream, payload)
        elif kind == Kind.PING:
            self._on_ping(flags, stream, payload)
        elif kind == Kind.PUSH_PROMISE:
            raise BrokenConnectionError(Fault.PROTOCOL, "a client does not push")
        else:  # PRIORITY, GOAWAY (its calls are still answered), unknown
            self.flood_guard.control_frame()

    def _on_headers(self, stream: int, flags: int, block: bytes) -> None:
        if stream <= self._last_stream and stream not in self.rpcs:
            if stream % 2 == 0:
                raise BrokenConnectionError(Fault.PROTOCOL, "headers of a stream that is not a client's")
        elif stream % 2 == 0:
            raise BrokenConnectionError(Fault.PROTOCOL, "a client's streams have odd numbers")
        if flags & h2.END_HEADERS:
            self._open_call(stream, flags, block)
        else:
            self._block = stream, flags, block
            self._since_s = self.context.loop.time()

    def _on_continuation(self, stream: int, flags: int, part: bytes) -> None:
        if self._block is None or self._block[0] != stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "a header block continues that was not begun")
        block = self._block[2] + part
        if len(block) > h2.HEADERS_BYTES_MAX or not part:
            raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, f"headers of more than {h2.HEADERS_BYTES_MAX} bytes")
        if flags & h2.END_HEADERS:
            opened, self._block = self._block, None
            self._open_call(stream, opened[1], block)
        else:
            self._block = stream, self._block[1], block

    def _open_call(self, stream: int, flags: int, block: bytes) -> None:
        head = self._reader.read(block)
        last = bool(flags & h2.END_STREAM)
        if stream <= self._last_stream:  # trailers
            if stream in self.rpcs and not self.rpcs[stream].complete:
                self.rpcs[stream].receive(b"", True)
            return
        self._last_stream = stream
        self.flood_guard.call_opened()
        context = self.context
        if len(self.rpcs) >= STREAMS_MAX or self._draining:
            self.write(h2.frame(Kind.RST_STREAM, 0, stream, int(Fault.REFUSED_STREAM).to_bytes(4, "big")))
            self.flood_guard.call_reset()
            return
        method = context.methods.get(head.path)
        rpc = self.rpcs[stream] = GrpcCall(self, stream, head, method, self.peer_window)
        rpc.complete = last
        context.calls += 1
        if head.headers.get(b":method") != b"POST" or not head.headers.get(b"content-type", b"").startswith(b"application/grpc"):
            rpc.fail(Status.UNKNOWN, "not a gRPC call")
        elif method is None:
            rpc.fail(Status.UNIMPLEMENTED, f"there is no method {head.path[:200].decode('latin-1')}")
        elif context.calls > CALLS_MAX:
            rpc.fail(Status.RESOURCE_EXHAUSTED, "too many calls at once; try again later", retry_s=1)
        elif context.admit is not None and (refusal := context.admit(head, self.peer)) is not None:
            rpc.fail(*refusal)
        else:
            rpc.begin()
            if last:
                rpc.receive(b"", True)

    def _on_window_update(self, stream: int, payload: bytes) -> None:
        if len(payload) != 4:
            raise BrokenConnectionError(Fault.FRAME_SIZE, "a window update of a wrong size")
        self.flood_guard.control_frame()
        size = int.from_bytes(payload, "big") & 0x7FFFFFFF
        if not stream:
            self.window += size
            if not size or self.window > h2.WINDOW_MAX:
                raise BrokenConnectionError(Fault.FLOW_CONTROL, "a window that cannot be")
            while self.window_blocked and self.window > 0 and not self._stalled:  # a call that uses it up is queued last
                self.window_blocked.popitem(last=False)[1].pump()
        elif (rpc := self.rpcs.get(stream)) is not None:
            rpc.window += size
            if not size or rpc.window > h2.WINDOW_MAX:
                raise BrokenConnectionError(Fault.FLOW_CONTROL, "a window that cannot be")
            if rpc.waiting_bytes:
                rpc.pump()

    def _pump_calls(self) -> None:
        for rpc in [rpc for rpc in self.rpcs.values() if rpc.waiting_bytes]:
            rpc.pump()

    def _on_reset(self, stream: int, payload: bytes) -> None:
        if len(payload) != 4 or not stream or stream > self._last_stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "a reset of a call that was not opened")
        if self._remove_call(stream, given_up=True) is not None:
            self.flood_guard.call_reset()

    def _remove_call(self, stream: int, *, given_up: bool = False) -> GrpcCall | None:
        rpc = self.rpcs.pop(stream, None)
        self.window_blocked.pop(stream, None)
        if rpc is not None:
            self.context.calls -= 1
            if given_up:
                rpc.cancel()
        return rpc

    def _on_settings(self, flags: int, stream: int, payload: bytes) -> None:
        self.flood_guard.control_frame(len(self.rpcs))
        if stream or len(payload) % 6:
            raise BrokenConnectionError(Fault.FRAME_SIZE, "settings of a wrong size or place")
        if flags & h2.ACK:
            return
        received = h2.read_settings(payload)
        self.frame_bytes = received.get(FrameSetting.MAX_FRAME_SIZE, self.frame_bytes)
        if received.get(FrameSetting.HEADER_TABLE_SIZE, h2.TABLE_BYTES) < h2.TABLE_BYTES:
            self.blocks.without_table()
        self.write(h2.frame(Kind.SETTINGS, h2.ACK, 0))
        more = received.get(FrameSetting.INITIAL_WINDOW_SIZE, self.peer_window) - self.peer_window
        if more:
            self.peer_window += more
            for rpc in self.rpcs.values():
                rpc.window += more
            self._pump_calls()

    def _on_ping(self, flags: int, stream: int, payload: bytes) -> None:
        if len(payload) != 8 or stream:
            raise BrokenConnectionError(Fault.FRAME_SIZE, "a ping of a wrong size or place")
        self.flood_guard.control_frame()
        if not flags & h2.ACK:
            self.write(h2.frame(Kind.PING, h2.ACK, 0, payload))

    def _goaway_frame(self, fault: Fault, text: str) -> bytes:
        payload = self._last_stream.to_bytes(4, "big") + int(fault).to_bytes(4, "big") + text.encode()
        return h2.frame(Kind.GOAWAY, 0, 0, payload)

    def _send_goaway(self, fault: Fault, text: str) -> None:
        """Send GOAWAY with the reason, and close the connection."""
        self.write(self._goaway_frame(fault, text))
        self.flush()
        if self._transport is not None:
            self._transport.close()
