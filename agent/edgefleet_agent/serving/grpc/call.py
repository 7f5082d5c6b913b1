"""One gRPC call: parses messages from its HTTP/2 stream and sends answers."""

from __future__ import annotations

import asyncio
import functools
import logging
import struct
import threading
import time
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.loop_mailbox import LoopMailbox
from edgefleet_agent.serving.grpc import frames as h2
from edgefleet_agent.serving.grpc.abuse_limits import FloodGuard
from edgefleet_agent.serving.grpc.frames import Fault, Head, Kind
from edgefleet_agent.serving.grpc.limits import STREAM_WINDOW
from edgefleet_agent.serving.grpc.response_headers import ResponseHeaders, retry_info
from edgefleet_agent.serving.http.exchange import HttpLimits
from edgefleet_agent.serving.protocol.errors import internal_fault

log = logging.getLogger(__name__)

_PREFIX = struct.Struct(">BI")
PREFIX_BYTES = 5
"""The prefix of a message: whether it is compressed, and its length."""


class Status(IntEnum):
    """gRPC's status codes."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


class Receiver(Protocol):
    """Receives the messages of one streaming call. On the loop."""

    def message(self, data: memoryview) -> None: ...

    def half_closed(self) -> None: ...

    def cancelled(self) -> None: ...

    def drained(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Method:
    """One method, unary or streaming. unary: called with the message. stream: called at the start of the call."""

    unary: Callable[[GrpcCall, memoryview], None] | None = None
    stream: Callable[[GrpcCall], Receiver] | None = None


class CallContext(Protocol):
    """State shared by the calls of a listener; `GrpcContext` has it."""

    loop: asyncio.AbstractEventLoop
    limits: HttpLimits
    access: AccessLog | None
    thread_id: int
    bodies_bytes: int
    work: LoopMailbox[Callable[[], None]]


class StreamTransport(Protocol):
    """The connection of a call. window, frame_bytes: limits of the peer. window_blocked: calls that wait for `window`."""

    window: int
    frame_bytes: int
    blocks: ResponseHeaders
    flood_guard: FloodGuard
    window_blocked: OrderedDict[int, GrpcCall]

    @property
    def context(self) -> CallContext: ...

    @property
    def peer(self) -> str: ...

    @property
    def blocked(self) -> bool: ...

    def write(self, data: bytes) -> None: ...

    def give_credit(self, rpc: GrpcCall, size: int) -> None: ...

    def call_ended(self, rpc: GrpcCall) -> None: ...

    def reset_call(self, rpc: GrpcCall, fault: Fault) -> None: ...


class GrpcCall:
    """One call. `answer`, `send`, `finish` and `fail` from any thread; the rest on the loop.

    complete: the peer has half-closed the stream. cancelled: the peer has reset it. credit, window: bytes that the peer may still
    send, and that may still be sent to it. waiting_bytes: of messages that wait for the peer's window.
    """

    __slots__ = (
        "_began_s", "_body", "_connection", "_dispatched", "_headers_sent", "_held_bytes", "_last", "_method", "_out", "_paused",
        "_receiver", "_sent_bytes", "_since_s", "cancelled", "complete", "credit", "head", "stream", "waiting_bytes", "window",
    )  # fmt: skip

    def __init__(self, connection: StreamTransport, stream: int, head: Head, method: Method | None, window: int) -> None:
        self.stream = stream
        self.head = head
        self.window = window
        self.credit = STREAM_WINDOW
        self.complete = False
        self.cancelled = False
        self._connection = connection
        self._method = method
        self._receiver: Receiver | None = None
        self._body = bytearray()
        self._held_bytes = 0
        self._dispatched = self._headers_sent = self._last = self._paused = False
        self._out: deque[memoryview] = deque()
        self._since_s = 0.0
        self._began_s = time.monotonic() if connection.context.access is not None else 0.0
        self._sent_bytes = self.waiting_bytes = 0

    # Receiving.

    def begin(self) -> None:
        """Start an admitted call."""
        self._since_s = self._connection.context.loop.time()
        if self._method is not None and self._method.stream is not None:
            self._receiver = self._method.stream(self)

    def receive(self, part: bytes, last: bool) -> None:
        """Take data of the stream. last: the peer has half-closed it."""
        self.complete = last
        if self._last or self.cancelled:
            return
        if last and not self._body and self._receiver is None and len(part) > PREFIX_BYTES:
            packed, size = _PREFIX.unpack_from(part)
            if not packed and size == len(part) - PREFIX_BYTES:  # complete: no copy
                if self._reserve(size):
                    self._dispatch(memoryview(part)[PREFIX_BYTES:])
                return
        if part:
            if not self._reserve(len(part)):
                return
            self._body += part
            self._since_s = self._connection.context.loop.time()
        self._read_messages()
        if not self.complete and not self._paused and self.credit < STREAM_WINDOW // 2 and not self._last:
            self._connection.give_credit(self, STREAM_WINDOW - self.credit)

    def pause(self) -> None:
        """Stop taking messages of a streaming call."""
        self._paused = True

    def resume(self) -> None:
        """Continue after `pause`."""
        if self._paused:
            self._paused = False
            self.receive(b"", self.complete)

    def _read_messages(self) -> None:
        bytes_max = self._connection.context.limits.body_bytes
        while len(self._body) >= PREFIX_BYTES and not self._paused:
            packed, size = _PREFIX.unpack_from(self._body)
            if size > bytes_max:
                self.fail(Status.RESOURCE_EXHAUSTED, f"a message of {size} bytes is larger than {bytes_max}")
                return
            if len(self._body) < size + PREFIX_BYTES:
                break
            if self._receiver is None:
                if not self.complete:
                    return
                body, self._body = self._body, bytearray()
                if len(body) != size + PREFIX_BYTES:
                    self.fail(Status.UNIMPLEMENTED, "more than one message for a method that takes one")
                    return
                self._decompress(memoryview(body)[PREFIX_BYTES:], packed)
                return
            message = bytes(self._body[PREFIX_BYTES : PREFIX_BYTES + size])
            del self._body[: PREFIX_BYTES + size]
            self._release_bytes(PREFIX_BYTES + size)
            self._decompress(memoryview(message), packed)
            if self._last or self.cancelled:
                return
        if self.complete and not self._paused:
            if self._body or (self._receiver is None and not self._dispatched):
                self.fail(Status.INVALID_ARGUMENT, "the call ends in the middle of a message")
            elif self._receiver is not None:
                self._receiver.half_closed()

    def _decompress(self, data: memoryview, packed: int) -> None:
        if packed:
            coding = self.head.headers.get(b"grpc-encoding", b"identity")
            if packed != 1 or coding not in (b"gzip", b"deflate"):
                self.fail(Status.UNIMPLEMENTED, "messages may be packed with gzip or deflate")
                return
            bytes_max = self._connection.context.limits.body_bytes
            unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | (16 if coding == b"gzip" else 0))
            try:
                data = memoryview(unpacker.decompress(data, bytes_max + 1))
            except zlib.error as cause:
                self.fail(Status.INVALID_ARGUMENT, f"a message is not {coding.decode()}: {cause}")
                return
            if len(data) > bytes_max or not unpacker.eof:
                self.fail(Status.RESOURCE_EXHAUSTED, f"an unpacked message is larger than {bytes_max} bytes, or not whole")
                return
        self._dispatch(data)

    def _dispatch(self, data: memoryview) -> None:
        self._dispatched = True
        try:
            if self._receiver is not None:
                self._receiver.message(data)
            elif self._method is not None and self._method.unary is not None:
                self._method.unary(self, data)
        except Exception:
            log.exception("a call could not be answered")
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

    # Sending.

    def answer(self, parts: list[bytes]) -> None:
        """Send the one message of a unary call, in parts, and end it."""
        self.on_loop(functools.partial(self._send, parts, True))

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
        self._drop()

    def check_time(self, now_s: float, receive_s: float) -> None:
        """End when the peer takes too long to send a message or to take an answer."""
        if now_s - self._since_s <= receive_s:
            return
        if self._out:
            self._connection.reset_call(self, Fault.CANCEL)
        elif not self._last and not self._paused and (self._body or (self._receiver is None and not self._dispatched)):
            self.fail(Status.DEADLINE_EXCEEDED, "the request took too long to arrive")

    def pump(self) -> None:
        """Send queued messages as far as the windows allow."""
        connection = self._connection
        while self._out and not connection.blocked:
            size = min(len(self._out[0]), self.window, connection.window, connection.frame_bytes)
            if size <= 0:
                if connection.window <= 0:
                    connection.window_blocked[self.stream] = self
                return
            part = self._out[0]
            connection.write(h2.frame_head(size, Kind.DATA, 0, self.stream) + part[:size])
            self.window -= size
            connection.window -= size
            self.waiting_bytes -= size
            connection.flood_guard.data_sent(size)
            self._since_s = connection.context.loop.time()
            if size == len(part):
                self._out.popleft()
            else:
                self._out[0] = part[size:]
        if self._out:
            return
        if self._last:
            self._end(connection.blocks.end())
        elif self._receiver is not None:
            self._receiver.drained()

    def _drop(self) -> None:
        self._out.clear()
        self.waiting_bytes = 0

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
        connection = self._connection
        size = sum(map(len, parts)) + PREFIX_BYTES
        prefix = _PREFIX.pack(0, size - PREFIX_BYTES)
        self._last = last
        self._sent_bytes += size
        head = b""
        if not self._headers_sent:
            self._headers_sent = True
            block = connection.blocks.head()
            head = h2.frame_head(len(block), Kind.HEADERS, h2.END_HEADERS, self.stream) + block
        if not self._out and not connection.blocked and size <= min(self.window, connection.window, connection.frame_bytes):
            self.window -= size
            connection.window -= size
            connection.flood_guard.data_sent(size)
            connection.write(b"".join((head, h2.frame_head(size, Kind.DATA, 0, self.stream), prefix, *parts)))
            if last:
                self._end(connection.blocks.end())
            return
        if head:
            connection.write(head)
        self._since_s = connection.context.loop.time()
        self._out.append(memoryview(b"".join((prefix, *parts))))
        self.waiting_bytes += size
        self.pump()

    def _finish(self) -> None:
        if self.cancelled or self._last:
            return
        self._last = True
        if not self._headers_sent:
            self._headers_sent = True
            block = self._connection.blocks.head()
            self._connection.write(h2.frame_head(len(block), Kind.HEADERS, h2.END_HEADERS, self.stream) + block)
        self.pump()

    def _fail(self, status: Status, text: str, retry_s: int) -> None:
        if self.cancelled or self._last:
            self._release()
            return
        self._last = True
        self._drop()
        extra = [] if not retry_s else [(b"retry-after", str(retry_s).encode()), retry_info(status, text, retry_s)]
        self._end((b"" if self._headers_sent else h2.PLAIN_HEAD) + h2.end_block(status, text, extra), status)

    def _end(self, block: bytes, status: Status = Status.OK) -> None:
        access = self._connection.context.access
        if access is not None:
            access.note("gRPC", self._connection.peer, self.head.path, int(status), self._sent_bytes, self._began_s)
        flags = h2.END_HEADERS | h2.END_STREAM
        self._connection.write(h2.frame_head(len(block), Kind.HEADERS, flags, self.stream) + block)
        self._release()
        self._connection.call_ended(self)

    def _release(self) -> None:
        if self._held_bytes:
            self._release_bytes(self._held_bytes)
        self._body = bytearray()
