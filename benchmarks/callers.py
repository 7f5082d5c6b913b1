"""Callers that cost next to nothing: prepared bytes, one connection each, all of them in one thread, asking again as soon as they
are answered. What is measured with them is the server.
"""

from __future__ import annotations

import json
import selectors
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BYTES = {"FP32": 4, "UINT8": 1}
READ_BYTES = 262144
INFER = "/inference.GRPCInferenceService/ModelInfer"
_FRAME = struct.Struct(">IBI")


@dataclass(frozen=True, slots=True)
class Model:
    """What is asked of a model: one input of zeros."""

    name: str
    input: str
    datatype: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape)) * BYTES[self.datatype]


def http_infer(model: Model) -> bytes:
    """One whole request of KServe V2 with a raw tensor."""
    tensor = {
        "name": model.input,
        "shape": model.shape,
        "datatype": model.datatype,
        "parameters": {"binary_data_size": model.size},
    }
    head = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    return http_post(f"/v2/models/{model.name}/infer", head + bytes(model.size), f"Inference-Header-Content-Length: {len(head)}")


def http_post(path: str, body: bytes, *headers: str) -> bytes:
    """One whole request."""
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", *headers, f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def grpc_infer(model: Model) -> bytes:
    """A `ModelInferRequest` with a raw tensor, as every client writes it."""

    def field(number: int, data: bytes) -> bytes:
        return varint(number << 3 | 2) + varint(len(data)) + data

    shape = b"".join(varint(side) for side in model.shape)
    tensor = field(1, model.input.encode()) + field(2, model.datatype.encode()) + field(3, shape)
    return field(1, model.name.encode()) + field(5, tensor) + field(7, bytes(model.size))


class HttpCaller:
    """HTTP/1.1, kept alive."""

    def __init__(self, address: tuple[str, int], request: bytes) -> None:
        self.line = socket.create_connection(address)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._request = request
        self._answer = bytearray()
        self._wanted = 0
        self._asked_s = 0.0

    def ask(self) -> None:
        self._asked_s = time.perf_counter()
        self.line.sendall(self._request)

    def read(self) -> float:
        """Seconds that the answer took, 0 while it is not whole."""
        got = self.line.recv(READ_BYTES)
        if not got:
            raise SystemExit("the server hung up")
        self._answer += got
        if not self._wanted:
            end = self._answer.find(b"\r\n\r\n")
            if end < 0:
                return 0.0
            head = bytes(self._answer[:end])
            if not head.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"the server said {bytes(self._answer).decode()}")
            self._wanted = end + 4 + int(head.lower().split(b"content-length: ")[-1].split(b"\r\n")[0])
        if len(self._answer) < self._wanted:
            return 0.0
        self._answer.clear()
        self._wanted = 0
        return time.perf_counter() - self._asked_s


class GrpcCaller:
    """Unary calls over HTTP/2: indexed headers after the first, windows respected."""

    def __init__(
        self, address: tuple[str, int], message: bytes, path: str = "/inference.GRPCInferenceService/ModelInfer"
    ) -> None:
        self.line = socket.create_connection(address)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = path.encode()
        self._block = b"\x83\x86" + b"\x44" + _text(name) + b"\x41" + _text(b"localhost")
        self._block += b"\x5f" + _text(b"application/grpc") + b"\x40" + _text(b"te") + _text(b"trailers")
        self._message = b"\x00" + len(message).to_bytes(4, "big") + message
        self._stream = -1
        self._window = self._stream_window = self._first_window = 65535
        self._frame = 16384
        self._sent = 0
        self._unread = 0
        self._buffer = b""
        self._answered = False
        self._asked_s = 0.0
        wide = _frame(4, 0, 0, struct.pack(">HI", 4, 2**31 - 1)) + _frame(8, 0, 0, (2**30).to_bytes(4, "big"))
        self.line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + wide)

    def ask(self) -> None:
        self._asked_s = time.perf_counter()
        self._stream += 2
        self._sent, self._stream_window, self._answered = 0, self._first_window, False
        self._send(_frame(1, 4, self._stream, self._block))
        self._block = b"\x83\x86\xc1\xc0\xbf\xbe"

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

    def read(self) -> float:
        got = self.line.recv(READ_BYTES)
        if not got:
            raise SystemExit("the server hung up")
        data = self._buffer + got
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
            if self._sent < len(self._message):
                self._send()
            return 0.0
        if not self._answered:
            raise SystemExit(f"the server refused the call: {data!r}")
        return time.perf_counter() - self._asked_s

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> bool:
        if kind == 0 and stream == self._stream:
            self._answered |= len(payload) > 0
            self._unread += len(payload)
            if self._unread > 2**28:
                self.line.sendall(_frame(8, 0, 0, self._unread.to_bytes(4, "big")))
                self._unread = 0
        elif kind == 4 and not flags & 1:
            for at in range(0, len(payload), 6):
                name, value = struct.unpack_from(">HI", payload, at)
                if name == 4:
                    self._stream_window += value - self._first_window
                    self._first_window = value
                elif name == 5:
                    self._frame = value
            self.line.sendall(_frame(4, 1, 0, b""))
        elif kind == 6 and not flags & 1:
            self.line.sendall(_frame(6, 1, 0, payload))
        elif kind == 8:
            size = int.from_bytes(payload, "big")
            if stream == 0:
                self._window += size
            elif stream == self._stream:
                self._stream_window += size
        elif kind in (3, 7):
            raise SystemExit(f"the server gave up: {payload!r}")
        return kind in (0, 1) and stream == self._stream and bool(flags & 1)


Caller = HttpCaller | GrpcCaller


def call(callers: Sequence[Caller], seconds: float) -> list[float]:
    """Closed loop; the latencies."""
    took: list[float] = []
    with selectors.DefaultSelector() as selector:
        for caller in callers:
            selector.register(caller.line, selectors.EVENT_READ, caller)
            caller.ask()
        ends_s = time.perf_counter() + seconds
        while time.perf_counter() < ends_s:
            for key, _ in selector.select(1.0):
                took_s = key.data.read()
                if took_s:
                    took.append(took_s)
                    key.data.ask()
        for caller in callers:
            caller.line.close()
    return took


def _text(data: bytes) -> bytes:
    assert len(data) < 127
    return bytes((len(data),)) + data


def _head(size: int, kind: int, flags: int, stream: int) -> bytes:
    return _FRAME.pack(size << 8 | kind, flags, stream)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return _head(len(payload), kind, flags, stream) + payload
