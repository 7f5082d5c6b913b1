"""One gRPC call: parses messages from its HTTP/2 stream and sends answers."""

from __future__ import annotations

import concurrent.futures
import functools
import logging
import struct
import threading
import time
from collections.abc import Callable
from typing import Protocol

from edgefleet_agent.serving.frontend.body_buffer import GrowingBuffer
from edgefleet_agent.serving.frontend.listener_context import ListenerContext
from edgefleet_agent.serving.grpc.message_limits import UnpackingError, decompressed
from edgefleet_agent.serving.grpc.methods import QUICK_BYTES_MAX, Method, Receiver
from edgefleet_agent.serving.grpc.response_headers import HEAD, OK_TRAILERS, Status, error_trailers
from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.header_reader import Head
from edgefleet_agent.serving.http2.stream import Stream
from edgefleet_agent.serving.protocol.errors import internal_fault
from edgefleet_agent.serving.protocol.inference_request import AtTurnEnd

log = logging.getLogger(__name__)

_PREFIX = struct.Struct(">BI")
PREFIX_BYTES = 5
"""The prefix of a message: whether it is compressed, and its length."""
COPIED_BYTES_MAX = 4096
"""A message of one frame is a view into the received bytes and keeps them alive; a smaller one is copied."""
UNPACKED_BYTES_MAX = 1024
"""A longer compressed message is decompressed on another thread: to a thousand times its length."""
_EMPTY = memoryview(b"")


class CallConnection(Protocol):
    """The connection of a call."""

    @property
    def context(self) -> ListenerContext: ...

    @property
    def state(self) -> Http2State: ...

    @property
    def peer(self) -> str: ...

    def flush_soon(self) -> None: ...

    def call_ended(self, rpc: GrpcCall) -> None: ...

    def run_aside(self, work: Callable[[], None]) -> concurrent.futures.Future[None]: ...


class GrpcCall:
    """One call. `answer`, `send`, `finish` and `fail` from any thread; the rest on the loop.

    complete: the peer has half-closed the stream. cancelled: the peer has reset it. filled: the data that is received next was
    read to `room`.
    """

    __slots__ = (
        "_aside", "_began_s", "_body", "_connection", "_dispatched", "_headers_sent", "_held_bytes", "_last", "_message",
        "_method", "_needed_bytes", "_paused", "_receiver", "_sent_bytes", "_since_s", "cancelled", "complete", "filled", "head",
        "stream",
    )  # fmt: skip

    def __init__(self, connection: CallConnection, stream: Stream, head: Head, method: Method[GrpcCall] | None) -> None:
        self.stream = stream
        self.head = head
        self.complete = False
        self.cancelled = False
        self.filled = False
        self._connection = connection
        self._method = method
        self._receiver: Receiver | None = None
        self._message: GrowingBuffer | None = None  # of a unary call
        self._body = bytearray()  # of a streaming call
        self._needed_bytes = PREFIX_BYTES
        self._held_bytes = 0
        self._dispatched = self._headers_sent = self._last = self._paused = self._aside = False
        self._since_s = 0.0
        self._began_s = time.monotonic() if connection.context.access is not None else 0.0
        self._sent_bytes = 0

    @property
    def waiting_bytes(self) -> int:
        """Bytes of answers that wait for the peer."""
        return self.stream.waiting_bytes

    @property
    def peer(self) -> str:
        """The address of the peer; empty for a Unix socket."""
        return self._connection.peer

    @property
    def dispatched(self) -> bool:
        """Whether a whole message has arrived."""
        return self._dispatched

    def begin(self) -> None:
        """Start an admitted call."""
        self._since_s = self._connection.state.now_s
        if self._method is not None and self._method.stream is not None:
            self._receiver = self._method.stream(self)

    def receive(self, part: memoryview, last: bool) -> None:
        """Take data of the stream. last: the peer has half-closed it."""
        self.complete = last
        if self._last or self.cancelled:
            return
        if last and self._message is None and self._receiver is None and len(part) > PREFIX_BYTES:
            packed, size = _PREFIX.unpack_from(part)
            if not packed and size == len(part) - PREFIX_BYTES and size <= QUICK_BYTES_MAX:  # complete
                if self._reserve(size):
                    data = part[PREFIX_BYTES:]
                    self._dispatch(data if size > COPIED_BYTES_MAX else memoryview(bytes(data)))
                return
        if part:
            if not self._reserve(len(part)):
                return
            self._since_s = self._connection.state.now_s
            if self._receiver is None:
                self._collect(part)
            else:
                self._body += part
        if self._receiver is None:
            if last or (self._message is not None and self._message.used >= self._needed_bytes):
                self._read_message()
        elif last or len(self._body) >= self._needed_bytes:
            self._read_messages(self._receiver)
        if not self.complete and not self._paused and not self._aside and not self._last:
            self._connection.state.replenish(self.stream)

    def room(self, count: int) -> memoryview | None:
        """Memory for at most `count` further bytes of a message, into which they can be read; None if there is none."""
        return None if self._message is None or self._last else self._message.room_for(count)

    def _collect(self, part: memoryview) -> None:
        """Add data to the message of a unary call."""
        if self._message is None:
            size = _PREFIX.unpack_from(part)[1] if len(part) >= PREFIX_BYTES else 0
            at = self._method.tensor_at(size) if size and self._method is not None and self._method.tensor_at is not None else 0
            self._message = GrowingBuffer(PREFIX_BYTES + min(size, self._bytes_max()), PREFIX_BYTES + at)
        if self.filled:
            self.filled = False
            self._message.add(len(part))
        else:
            self._message.append(part)

    def _read_message(self) -> None:
        """Dispatch the message of a unary call when it is complete."""
        data = _EMPTY if self._message is None else self._message.whole()
        if len(data) >= PREFIX_BYTES:
            packed, size = _PREFIX.unpack_from(data)
            if size > self._bytes_max():
                self._refuse_size(size)
                return
            self._needed_bytes = size + PREFIX_BYTES
            if len(data) >= self._needed_bytes:
                if not self.complete:
                    return
                self._message = None
                if len(data) > size + PREFIX_BYTES:
                    self.fail(Status.UNIMPLEMENTED, "more than one message for a unary method")
                else:
                    self._decompress(data[PREFIX_BYTES:], packed)
                return
        if self.complete:
            self.fail(Status.INVALID_ARGUMENT, "the call ends in the middle of a message")

    def _refuse_size(self, size: int) -> None:
        self.fail(Status.RESOURCE_EXHAUSTED, f"message of {size} bytes exceeds the limit of {self._bytes_max()} bytes")

    def _bytes_max(self) -> int:
        """Limit of one message."""
        limit = self._connection.context.limits.body_bytes
        return limit if self._method is None or self._method.bytes_max is None else min(limit, self._method.bytes_max)

    def pause(self) -> None:
        """Stop taking messages of a streaming call."""
        self._paused = True

    def resume(self) -> None:
        """Continue after `pause`."""
        if self._paused:
            self._paused = False
            self.receive(_EMPTY, self.complete)
            self._connection.flush_soon()

    def run_aside(self, work: Callable[[], None]) -> None:
        """Run `work` on another thread. The next message of the call is taken when it has ended."""
        self._aside = True
        ended = self._connection.run_aside(work)
        ended.add_done_callback(lambda future: self.on_loop(functools.partial(self._aside_ended, future)))

    def _aside_ended(self, future: concurrent.futures.Future[None]) -> None:
        self._aside = False
        fault = None if future.cancelled() else future.exception()
        if fault is not None:
            log.error("internal error in a call", exc_info=fault)
            self.fail(Status.INTERNAL, str(internal_fault()))
        elif self._receiver is not None:
            self.receive(_EMPTY, self.complete)
            self._connection.flush_soon()

    def _read_messages(self, receiver: Receiver) -> None:
        """Dispatch the complete messages of a streaming call."""
        while len(self._body) >= PREFIX_BYTES and not self._paused and not self._aside:
            packed, size = _PREFIX.unpack_from(self._body)
            if size > self._bytes_max():
                self._refuse_size(size)
                return
            if len(self._body) < size + PREFIX_BYTES:
                self._needed_bytes = size + PREFIX_BYTES
                break
            with memoryview(self._body) as body_view:
                message = bytes(body_view[PREFIX_BYTES : PREFIX_BYTES + size])
            self._needed_bytes = PREFIX_BYTES
            del self._body[: PREFIX_BYTES + size]
            self._release_bytes(PREFIX_BYTES + size)
            self._decompress(memoryview(message), packed)
            if self._last or self.cancelled:
                return
        if self.complete and not self._paused and not self._aside:
            if self._body:
                self.fail(Status.INVALID_ARGUMENT, "the call ends in the middle of a message")
            else:
                receiver.half_closed()

    def _decompress(self, data: memoryview, packed: int) -> None:
        if not packed:
            self._dispatch(data)
        elif packed == 1 and len(data) > UNPACKED_BYTES_MAX:
            self.run_aside(lambda: self._unpack(packed, data))
        else:
            self._unpack(packed, data)

    def _unpack(self, packed: int, data: memoryview) -> None:
        """Decompress a message; where it is on the loop, it is a small one."""
        try:
            found = decompressed(data, packed, self.head.headers.get(b"grpc-encoding", b"identity"), self._bytes_max())
        except UnpackingError as refusal:
            self.fail(refusal.status, str(refusal))
            return
        self.on_loop(functools.partial(self._dispatch, found))

    def _dispatch(self, data: memoryview) -> None:
        self._dispatched = True
        try:
            if self._receiver is not None:
                self._receiver.message(data)
            elif self._method is not None and self._method.unary is not None:
                self._method.unary(self, data)
        except Exception:
            log.exception("internal error in a call")
            self.fail(Status.INTERNAL, str(internal_fault()))

    def _reserve(self, size: int) -> bool:
        """Reserve memory for `size` bytes; False if the call was refused for it."""
        context = self._connection.context
        if self._held_bytes + size > context.limits.body_bytes + PREFIX_BYTES:
            self.fail(Status.RESOURCE_EXHAUSTED, f"a message is larger than {context.limits.body_bytes} bytes")
            return False
        if context.bodies_bytes + size > context.limits.bodies_bytes:
            self.fail(Status.UNAVAILABLE, "too many large requests at once; try again later", 1)
            return False
        self._held_bytes += size
        context.bodies_bytes += size
        return True

    def _release_bytes(self, size: int) -> None:
        self._held_bytes -= size
        self._connection.context.bodies_bytes -= size

    def answer(self, parts: list[bytes]) -> None:
        """Send the one message of a unary call, in parts, and end it."""
        if threading.get_ident() == self._connection.context.thread_id:
            self._send(parts, True)
        else:
            self._connection.context.work.put(functools.partial(self._send, parts, True))

    def send(self, parts: list[bytes]) -> None:
        """Send one message of several."""
        self.on_loop(functools.partial(self._send, parts, False))

    def finish(self) -> None:
        """End a successful streaming call."""
        self.on_loop(self._finish)

    def fail(self, status: Status, text: str, retry_s: int = 0) -> None:
        """End with an error. retry_s: seconds after which a retry may succeed, 0 if it will not."""
        self.on_loop(functools.partial(self._fail, status, text, retry_s))

    def is_cancelled(self) -> bool:
        """Whether the peer has reset the call."""
        return self.cancelled

    def cancel(self) -> None:
        """The peer has disconnected or reset the call."""
        if not self.cancelled and not self._last:
            self.cancelled = True
            if self._receiver is not None:
                self._receiver.cancelled()
        if not self._dispatched or self._last or self._receiver is not None:
            self._release()

    def check_time(self, now_s: float, receive_s: float) -> None:
        """End when the peer takes too long to send a message."""
        if now_s - self._since_s <= receive_s or self.waiting_bytes:
            return
        if not self._last and not self._paused and (self._body or (self._receiver is None and not self._dispatched)):
            self.fail(Status.DEADLINE_EXCEEDED, "the request took too long to arrive")

    def drained(self) -> None:
        """All queued answers were sent."""
        if self._receiver is not None:
            self._receiver.drained()

    def end_idle_stream(self) -> None:
        """End a streaming call that waits for a message: the server ends."""
        if self._receiver is not None and not self._aside:
            self._receiver.end()

    def ended(self) -> None:
        """The trailers of a successful call were sent."""
        self._end(Status.OK)

    def at_turn_end(self) -> AtTurnEnd | None:
        """The function of the loop's context; None on another thread."""
        context = self._connection.context
        return context.at_turn_end if threading.get_ident() == context.thread_id else None

    def on_loop(self, work: Callable[[], None]) -> None:
        """Run `work` on the loop; at once if called on its thread."""
        context = self._connection.context
        if threading.get_ident() == context.thread_id:
            work()
        else:
            context.work.put(work)

    def _send(self, parts: list[bytes], last: bool) -> None:
        if self.cancelled or self._last:
            self._release()
            return
        size = sum(map(len, parts))
        self._last = last
        self._sent_bytes += size + PREFIX_BYTES
        self._since_s = now_s = self._connection.context.loop.time()
        state, message = self._connection.state, [_PREFIX.pack(0, size), *parts]
        if last and not self._headers_sent:
            ended = state.send_response(self.stream, HEAD, message, OK_TRAILERS, now_s)
        else:
            self._send_head()
            state.send_data(self.stream, message, now_s)
            ended = last and state.end(self.stream, OK_TRAILERS, now_s)
        if ended:
            self._end(Status.OK)
        self._connection.flush_soon()

    def _send_head(self) -> None:
        if not self._headers_sent:
            self._headers_sent = True
            self._connection.state.send_headers(self.stream, HEAD)

    def _finish(self) -> None:
        if self.cancelled or self._last:
            return
        self._last = True
        self._send_head()
        if self._connection.state.end(self.stream, OK_TRAILERS, self._connection.context.loop.time()):
            self._end(Status.OK)
        self._connection.flush_soon()

    def _fail(self, status: Status, text: str, retry_s: int) -> None:
        if self.cancelled or self._last:
            self._release()
            return
        self._last = True
        fields = error_trailers(status, text, retry_s)
        connection = self._connection
        connection.state.fail(self.stream, fields if self._headers_sent else HEAD + fields, connection.context.loop.time())
        self._end(status)
        connection.flush_soon()

    def _end(self, status: Status) -> None:
        access = self._connection.context.access
        if access is not None:
            access.note("gRPC", self._connection.peer, self.head.path, int(status), self._sent_bytes, self._began_s)
        self._release()
        self._connection.call_ended(self)

    def _release(self) -> None:
        if self._held_bytes:
            self._release_bytes(self._held_bytes)
        if self._body:
            self._body = bytearray()
        self._message = None
