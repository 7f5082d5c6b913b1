"""Seeds and cases for the fuzzing of the inference API's two protocol cores, without sockets (see `tests.fuzz`).

`http2`: bytes to an `Http2State`, whose requests are answered. `http1`: bytes to an `Http1Connection`; the same bytes, whole and
in pieces, have to be the same requests. The first byte of an input chooses the pieces.
"""

from __future__ import annotations

import asyncio
import collections
import struct
from collections.abc import Callable
from typing import Any, cast

import hpack
from hyperframe import frame as hf

from edgefleet_agent.serving.frontend.listener_context import ListenerContext, ListenerLimits
from edgefleet_agent.serving.http.connection import Http1Connection
from edgefleet_agent.serving.http.exchange import Exchange
from edgefleet_agent.serving.http.request_head import RequestHead
from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.events import ConnectionFailed, DataReceived, RequestReceived
from edgefleet_agent.serving.http2.frames import PREFACE, WINDOW_MAX
from edgefleet_agent.serving.http2.limits import CONNECTION_WINDOW, STREAM_WINDOW, STREAMS_MAX
from tests.agent.serving.http.test_request_head import ANSWERED, REFUSED

HEAD = ((b":status", b"200"), (b"content-type", b"application/grpc"))
TRAILERS = ((b"grpc-status", b"0"),)
ANSWER = bytes(40_000)
LIMITS = ListenerLimits(body_bytes=4096, bodies_bytes=8192)
PAIRS = [(":method", "POST"), (":scheme", "http"), (":path", "/a.B/C"), (":authority", "localhost"), ("te", "trailers")]


def http2_seeds() -> list[bytes]:
    """Calls in different frames, and each kind of frame; behind a byte for the pieces."""
    encoder = hpack.Encoder()
    block = [encoder.encode([*PAIRS, ("x", str(number))]) for number in range(6)]
    call = hf.HeadersFrame(1, block[0], flags=["END_HEADERS"]), hf.DataFrame(1, b"abc", flags=["END_STREAM"])
    parts = hf.HeadersFrame(3, block[1][:5]), hf.ContinuationFrame(3, block[1][5:], flags=["END_HEADERS"])
    padded = (
        hf.HeadersFrame(5, block[2], pad_length=3, flags=["END_HEADERS", "PADDED", "PRIORITY"]),
        hf.DataFrame(5, b"ab", pad_length=9, flags=["PADDED"]),
        hf.HeadersFrame(5, encoder.encode([("sum", "1")]), flags=["END_HEADERS", "END_STREAM"]),
    )
    settings = hf.SettingsFrame(0, settings={1: 0, 3: 5, 4: 10, 5: 20000, 6: 100}), hf.SettingsFrame(0, flags=["ACK"])
    others = (
        hf.PingFrame(0, opaque_data=b"12345678"), hf.GoAwayFrame(0, last_stream_id=1), hf.PriorityFrame(9),
        hf.WindowUpdateFrame(0, window_increment=50_000), hf.WindowUpdateFrame(1, window_increment=50_000),
        hf.RstStreamFrame(3, error_code=8), hf.PushPromiseFrame(1, promised_stream_id=2),
    )  # fmt: skip
    sized = hf.HeadersFrame(7, encoder.encode([*PAIRS, ("content-length", "3")]), flags=["END_HEADERS"]), hf.DataFrame(7, b"abc")
    greeting = PREFACE + hf.SettingsFrame(0).serialize()
    groups = [call, parts, padded, (*settings, *call), (*call, *others), (*parts, others[5]), sized, others]
    return [bytes((pieces,)) + greeting + b"".join(each.serialize() for each in group) for group in groups for pieces in (0, 7)]


def http2_case(data: bytes) -> None:
    """Play bytes to a state. Raises AssertionError if a limit or the framing of its output is broken."""
    size = data[0] or len(data) if data else 1
    state = Http2State(0.0)
    state.send_settings()
    sent = bytearray()
    for at in range(1, len(data), size):
        events = state.receive(data[at : at + size], float(at))
        while True:
            for event in events:
                if isinstance(event, ConnectionFailed):
                    assert event is events[-1]
                elif isinstance(event, DataReceived):
                    state.replenish(event.stream)
                if isinstance(event, RequestReceived | DataReceived) and (event.ended or event.stream.number % 4 == 3):
                    state.send_response(event.stream, HEAD, [ANSWER[: 100 * at]], TRAILERS, float(at))
            _check_state(state)
            if not state.behind:
                break
            events = state.receive(b"", float(at))
        sent += b"".join(state.take_output())
    at = 0
    while at < len(sent):
        word, _, number = struct.unpack_from(">IBI", sent, at)
        assert word & 0xFF < 10
        assert number < 2**31
        at += 9 + (word >> 8)
    assert at == len(sent)
    assert len(sent) < 1000 + len(data) * (len(ANSWER) + 1000)


def _check_state(state: Http2State) -> None:
    assert len(state.streams) <= STREAMS_MAX
    for stream in state.streams.values():
        assert stream.waiting_bytes == sum(map(len, stream.pieces))
        assert 0 <= stream.receive_window <= STREAM_WINDOW <= CONNECTION_WINDOW
        assert stream.send_window <= WINDOW_MAX


class _Loop:
    """Runs what a connection schedules, on demand."""

    def __init__(self) -> None:
        self.waiting: collections.deque[Callable[[], object]] = collections.deque()

    def time(self) -> float:
        return 0.0

    def call_soon(self, work: Callable[[], object], *arguments: object) -> None:
        self.waiting.append(lambda: work(*arguments))

    def call_later(self, _delay_s: float, _work: Callable[[], object]) -> None:
        """Nothing: time stands still."""

    def run(self) -> None:
        while self.waiting:
            self.waiting.popleft()()


class _Transport:
    """Collects what is written, and holds what arrives while the connection does not read."""

    def __init__(self) -> None:
        self.written = b""
        self.closed = False
        self.paused = False

    def get_extra_info(self, name: str) -> Any:
        return ("192.0.2.1", 1) if name == "peername" else None

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data: bytes) -> None:
        self.written += data

    def writelines(self, parts: list[bytes]) -> None:
        self.written += b"".join(parts)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def set_protocol(self, _protocol: object) -> None:
        """Ends the connection: what follows its last answer is not read by it."""
        self.closed = True

    def can_write_eof(self) -> bool:
        return False

    def abort(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


def http1_seeds() -> list[bytes]:
    """The requests of the table of RFC 9112, behind a byte for the pieces."""
    return [bytes((pieces,)) + data[:600] for data, _ in (*ANSWERED.values(), *REFUSED.values()) for pieces in (1, 30)]


def http1_case(data: bytes) -> None:
    """Play bytes to a connection. Raises AssertionError if pieces of them are other requests than the whole."""
    assert _requests(data[1:], data[0] if data else 1) == _requests(data[1:], len(data))


def _requests(data: bytes, size: int) -> tuple[list[tuple[bytes, bytes, dict[bytes, bytes], bytes]], bytes]:
    """The requests that are answered, and all that is written."""
    loop, transport = _Loop(), _Transport()
    context = ListenerContext(cast("asyncio.AbstractEventLoop", loop), LIMITS)
    found: list[tuple[bytes, bytes, dict[bytes, bytes], bytes]] = []

    def handle(request: RequestHead, exchange: Exchange) -> None:
        found.append((request.method, request.target, request.headers, bytes(exchange.body)))
        exchange.answer(200, b"", [])

    connection = Http1Connection(context, handle)
    connection.connection_made(cast("asyncio.BaseTransport", transport))
    for at in range(0, len(data), max(1, size)):
        assert not transport.paused
        piece = data[at : at + max(1, size)]
        while piece:
            room = connection.get_buffer(-1)[: len(piece)]
            room[:] = piece[: len(room)]
            connection.buffer_updated(len(room))
            piece = piece[len(room) :]
        loop.run()
        if transport.closed:
            break
        assert 0 <= context.bodies_bytes <= LIMITS.body_bytes
    connection.connection_lost(None)
    assert context.bodies_bytes == 0
    return found, transport.written


CASES: dict[str, tuple[Callable[[], list[bytes]], Callable[[bytes], None]]] = {
    "http1": (http1_seeds, http1_case),
    "http2": (http2_seeds, http2_case),
}
