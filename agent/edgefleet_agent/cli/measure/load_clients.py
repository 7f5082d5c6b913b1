"""Load-test clients of low cost: prepared bytes, one connection each, all in one thread, so that the server is measured and not
the client.

Closed loop: each client sends the next request as soon as it has an answer. Open loop: requests start when they are due,
independent of earlier answers, and their latency counts from the due time, so that waiting caused by a stalled server is
included.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import ssl
import struct
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from edgefleet_agent.core.protobuf_fields import varint
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.core.fault_text import fault_text

READ_BYTES = 262144
INFER = "/inference.GRPCInferenceService/ModelInfer"
LATE_S = 0.001
"""A request that starts this much after its due time counts as late."""
_FRAME = struct.Struct(">IBI")


@dataclass(frozen=True, slots=True)
class Tensor:
    """One input of a request, as its raw bytes."""

    name: str
    datatype: str
    shape: tuple[int, ...]
    data: bytes


def http_infer(model: str, tensors: Sequence[Tensor], *headers: str) -> bytes:
    """Encodes a request of KServe V2 with raw tensors."""
    inputs = [
        {"name": each.name, "shape": each.shape, "datatype": each.datatype, "parameters": {"binary_data_size": len(each.data)}}
        for each in tensors
    ]
    head = json.dumps({"inputs": inputs, "parameters": {"binary_data_output": True}}).encode()
    body = head + b"".join(each.data for each in tensors)
    return http_post(f"/v2/models/{model}/infer", body, f"Inference-Header-Content-Length: {len(head)}", *headers)


def http_post(path: str, body: bytes, *headers: str) -> bytes:
    """Encodes a POST request."""
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", *headers, f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def grpc_infer(model: str, tensors: Sequence[Tensor]) -> bytes:
    """Encodes a `ModelInferRequest` with raw tensors."""

    def member(number: int, data: bytes) -> bytes:
        return varint(number << 3 | 2) + varint(len(data)) + data

    def described(tensor: Tensor) -> bytes:
        shape = b"".join(varint(side) for side in tensor.shape)
        return member(1, tensor.name.encode()) + member(2, tensor.datatype.encode()) + member(3, shape)

    inputs = b"".join(member(5, described(each)) for each in tensors)
    return member(1, model.encode()) + inputs + b"".join(member(7, each.data) for each in tensors)


@dataclass(frozen=True, slots=True)
class LoadReply:
    """A complete reply. error: the server's error text."""

    took_s: float
    error: str = ""


class HttpLoadClient:
    """HTTP/1.1, kept alive."""

    def __init__(self, address: tuple[str, int], request: bytes, tls: ssl.SSLContext | None = None) -> None:
        self.line = _connected(address, tls)
        self._request = request
        self._answer = bytearray()
        self._expected_bytes = 0
        self._sent_s = 0.0

    def ask(self) -> None:
        """Send the request."""
        self._sent_s = time.perf_counter()
        self.line.sendall(self._request)

    def read(self) -> LoadReply | None:
        """The reply; None while it is incomplete.

        Raises:
            UnavailableError: the server closed the connection.
        """
        self._answer += _received(self.line)
        if not self._expected_bytes:
            end = self._answer.find(b"\r\n\r\n")
            if end < 0:
                return None
            head = bytes(self._answer[:end]).lower()
            self._expected_bytes = end + 4 + int(head.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0] or b"0")
        if len(self._answer) < self._expected_bytes:
            return None
        took_s = time.perf_counter() - self._sent_s
        error = ""
        if not self._answer.startswith(b"HTTP/1.1 200 "):
            head, _, body = bytes(self._answer).partition(b"\r\n\r\n")
            error = f"{head[9:12].decode()}: {body[:200].decode(errors='replace')}"
        self._answer.clear()
        self._expected_bytes = 0
        return LoadReply(took_s, error)


class GrpcLoadClient:
    """Unary calls over HTTP/2: indexed headers after the first, windows respected."""

    def __init__(
        self, address: tuple[str, int], message: bytes, path: str = INFER, key: str = "", tls: ssl.SSLContext | None = None
    ) -> None:
        self.line = _connected(address, tls)
        self._block = b"\x83\x86" + b"\x44" + _text(path.encode()) + b"\x41" + _text(b"localhost")
        self._block += b"\x5f" + _text(b"application/grpc") + b"\x40" + _text(b"te") + _text(b"trailers")
        self._again = b"\x83\x86\xc1\xc0\xbf\xbe"
        if key:
            self._block += b"\x40" + _text(b"x-api-key") + _text(key.encode())
            self._again = b"\x83\x86\xc2\xc1\xc0\xbf\xbe"
        self._message = b"\x00" + len(message).to_bytes(4, "big") + message
        self._stream = -1
        self._window = self._stream_window = self._first_window = 65535
        self._frame = 16384
        self._sent = 0
        self._unread = 0
        self._buffer = b""
        self._answered = False
        self._trailers = b""
        self._sent_s = 0.0
        wide = _frame(4, 0, 0, struct.pack(">HI", 4, 2**31 - 1)) + _frame(8, 0, 0, (2**30).to_bytes(4, "big"))
        self.line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + wide)

    def ask(self) -> None:
        """Start a call."""
        self._sent_s = time.perf_counter()
        self._stream += 2
        self._sent, self._stream_window, self._answered = 0, self._first_window, False
        self._send(_frame(1, 4, self._stream, self._block))
        self._block = self._again

    def read(self) -> LoadReply | None:
        """The reply; None while it is incomplete.

        Raises:
            UnavailableError: the server closed the connection, or announced that it will.
        """
        data = self._buffer + _received(self.line)
        at, ended = 0, False
        while len(data) - at >= 9:
            word, flags, stream = _FRAME.unpack_from(data, at)
            size, kind = word >> 8, word & 255
            if len(data) - at - 9 < size:
                break
            payload = data[at + 9 : at + 9 + size]
            at += 9 + size
            ended |= self._take(kind, flags, stream, payload)
        self._buffer = data[at:]
        if not ended:
            if 0 < self._sent < len(self._message):
                self._send()
            return None
        self._sent = len(self._message)  # the rest of a call that was refused early is not sent
        return LoadReply(time.perf_counter() - self._sent_s, "" if self._answered else _legible(self._trailers))

    def _send(self, head: bytes = b"") -> None:
        parts = [head]
        while self._sent < len(self._message):
            size = min(self._window, self._stream_window, self._frame, len(self._message) - self._sent)
            if size <= 0:
                break
            last = self._sent + size == len(self._message)
            parts += [_head(size, 0, int(last), self._stream), self._message[self._sent : self._sent + size]]
            self._sent += size
            self._window -= size
            self._stream_window -= size
        self.line.sendall(b"".join(parts))

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> bool:
        """Process one frame; True if it ends the call."""
        ours = stream == self._stream
        if kind == 0 and ours:
            self._answered |= len(payload) > 0
            self._unread += len(payload)
            if self._unread > 2**28:
                self.line.sendall(_frame(8, 0, 0, self._unread.to_bytes(4, "big")))
                self._unread = 0
        elif kind == 1 and ours:
            self._trailers = payload
        elif kind == 4 and not flags & 1:
            self._settle(payload)
        elif kind == 6 and not flags & 1:
            self.line.sendall(_frame(6, 1, 0, payload))
        elif kind == 8 and (ours or not stream):
            size = int.from_bytes(payload, "big")
            self._window += 0 if stream else size
            self._stream_window += size if stream else 0
        elif kind == 7 or (kind == 3 and ours and not self._answered):
            raise UnavailableError(
                f"the server closed the connection: {payload[8:].decode(errors='replace') or 'no reason given'}"
            )
        return kind in (0, 1) and ours and bool(flags & 1)

    def _settle(self, payload: bytes) -> None:
        for at in range(0, len(payload), 6):
            name, value = struct.unpack_from(">HI", payload, at)
            if name == 4:
                self._stream_window += value - self._first_window
                self._first_window = value
            elif name == 5:
                self._frame = value
        self.line.sendall(_frame(4, 1, 0, b""))


Caller = HttpLoadClient | GrpcLoadClient


@dataclass(slots=True)
class LoadResult:
    """Results of all callers. latencies_s: of answers. failures: text -> count. late: requests started after they were due."""

    latencies_s: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    late: int = 0

    def note(self, reply: LoadReply, due_s: float = 0.0) -> None:
        """Count one reply; its latency counts from `due_s` if given."""
        if reply.error:
            self.failures[reply.error] += 1
        else:
            self.latencies_s.append(time.perf_counter() - due_s if due_s else reply.took_s)


def closed_loop(callers: Sequence[Caller], seconds: float) -> LoadResult:
    """Let every caller send the next request as soon as it has an answer. Callers cannot be used again.

    Raises:
        UnavailableError: the server closed the connection.
    """
    result = LoadResult()
    with _listening(callers) as selector:
        for caller in callers:
            caller.ask()
        ends_s = time.perf_counter() + seconds
        while time.perf_counter() < ends_s:
            for key, _ in selector.select(min(1.0, max(0.0, ends_s - time.perf_counter()))):
                reply = key.data.read()
                if reply is not None:
                    result.note(reply)
                    key.data.ask()
    return result


def open_loop(callers: Sequence[Caller], moments_s: Iterable[float]) -> LoadResult:
    """Start requests at these times (rising, in seconds from now); a request without a free caller starts as soon as one is free.

    Raises:
        UnavailableError: the server closed the connection.
    """
    result = LoadResult()
    free = list(callers)
    due: dict[int, float] = {}
    waiting: deque[float] = deque()
    coming = iter(moments_s)
    began_s = time.perf_counter()
    next_s = next(coming, None)
    with _listening(callers) as selector:
        while next_s is not None or waiting or due:
            now_s = time.perf_counter() - began_s
            while next_s is not None and next_s <= now_s:
                waiting.append(next_s)
                next_s = next(coming, None)
            while waiting and free:
                moment_s = waiting.popleft()
                result.late += now_s - moment_s > LATE_S
                caller = free.pop()
                due[id(caller)] = moment_s + began_s
                caller.ask()
            pause_s = 1.0 if next_s is None else max(0.0, next_s + began_s - time.perf_counter())
            for key, _ in selector.select(pause_s):
                reply = key.data.read()
                if reply is not None:
                    result.note(reply, due.pop(id(key.data)))
                    free.append(key.data)
    return result


@contextlib.contextmanager
def _listening(callers: Sequence[Caller]) -> Iterator[selectors.BaseSelector]:
    with selectors.DefaultSelector() as selector:
        for caller in callers:
            selector.register(caller.line, selectors.EVENT_READ, caller)
        try:
            yield selector
        finally:
            for caller in callers:
                caller.line.close()


def _connected(address: tuple[str, int], tls: ssl.SSLContext | None) -> socket.socket:
    try:
        line = socket.create_connection(address, 10.0)
    except OSError as cause:
        raise UnavailableError(f"{address[0]}:{address[1]} is unreachable: {cause.strerror or cause}") from cause
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.settimeout(60.0)
    if tls is None:
        return line
    try:
        return tls.wrap_socket(line, server_hostname=address[0])
    except OSError as cause:
        line.close()
        raise UnavailableError(f"{address[0]}:{address[1]} TLS handshake failed: {fault_text(cause)}") from cause


def _received(line: socket.socket) -> bytes:
    try:
        got = line.recv(READ_BYTES)
        while isinstance(line, ssl.SSLSocket) and line.pending():  # already read from the system: no event follows
            got += line.recv(READ_BYTES)
    except OSError as cause:
        raise UnavailableError(f"connection lost: {cause.strerror or cause}") from cause
    if not got:
        raise UnavailableError("the server closed the connection")
    return got


def _legible(trailers: bytes) -> str:
    """Readable text of a refusal's trailers, without an HPACK table."""
    text = "".join(chr(byte) if 32 <= byte < 127 else " " for byte in trailers)
    return " ".join(text.split())[:200] or "refused"


def _text(data: bytes) -> bytes:
    return varint(len(data)) + data if len(data) < 127 else b"\x7f" + varint(len(data) - 127) + data


def _head(size: int, kind: int, flags: int, stream: int) -> bytes:
    return _FRAME.pack(size << 8 | kind, flags, stream)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return _head(len(payload), kind, flags, stream) + payload
