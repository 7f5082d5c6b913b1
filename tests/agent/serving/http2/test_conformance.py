"""RFC 9113 and RFC 7541, section by section, at the real listener: what h2spec tests, sent with hyperframe and hpack.

A case names its section and says what is expected of the server: a stream error or connection error with a code, or that the
connection goes on. As in h2spec, a connection error stands for a stream error, because an endpoint may choose so (5.4.2), and a
connection that is closed without GOAWAY for a connection error.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import hpack
import pytest
from hyperframe import frame as hf

from edgefleet_agent.serving.http2.frames import Fault
from edgefleet_agent.serving.http2.limits import DATA_BYTES_MAX
from tests.agent.serving.conftest import Api

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
LIVE = "/inference.GRPCInferenceService/ServerLive"
EMPTY_MESSAGE = bytes(5)
WAIT_S = 10.0
REQUEST = [
    (":method", "POST"), (":scheme", "http"), (":path", LIVE), (":authority", "localhost"),
    ("content-type", "application/grpc"), ("te", "trailers"),
]  # fmt: skip


class Client:
    """A connection that sends single frames. Stream 1 is not open yet."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.line = socket.create_connection((host, int(port)), WAIT_S)
        self.encoder = hpack.Encoder()
        self.decoder = hpack.Decoder()
        self._buffer = b""

    def greet(self, **settings: int) -> None:
        self.line.sendall(PREFACE)
        self.send(hf.SettingsFrame(0, settings={getattr(hf.SettingsFrame, name): value for name, value in settings.items()}))

    def send(self, *frames: hf.Frame | bytes) -> None:
        self.line.sendall(b"".join(each if isinstance(each, bytes) else each.serialize() for each in frames))

    def headers(
        self, number: int, *flags: str, change: dict[str, str | None] | None = None, more: Any = (), pairs: Any = None
    ) -> hf.HeadersFrame:
        fields = [(name, (change or {}).get(name, value)) for name, value in REQUEST] if pairs is None else pairs
        present = [(name, value) for name, value in fields if value is not None]
        block = self.encoder.encode([*present, *more], huffman=False)
        return hf.HeadersFrame(number, block, flags=["END_HEADERS", *flags])

    def open(self, number: int = 1) -> None:
        """A stream whose request is not complete."""
        self.send(self.headers(number))

    def call(self, number: int) -> None:
        self.send(self.headers(number), hf.DataFrame(number, EMPTY_MESSAGE, flags=["END_STREAM"]))

    def frames(self) -> Iterator[hf.Frame]:
        while True:
            while len(self._buffer) >= 9:
                found, size = hf.Frame.parse_frame_header(memoryview(self._buffer[:9]))
                if len(self._buffer) < 9 + size:
                    break
                found.parse_body(memoryview(self._buffer[9 : 9 + size]))
                self._buffer = self._buffer[9 + size :]
                if isinstance(found, hf.HeadersFrame):
                    self.decoder.decode(found.data)  # the server's compression, too, is right
                yield found
            try:
                received = self.line.recv(65536)
            except ConnectionResetError:
                return
            if not received:
                return
            self._buffer += received

    def answered(self, number: int) -> bool:
        return any(each.stream_id == number and "END_STREAM" in each.flags for each in self.frames())


@dataclass(frozen=True)
class Case:
    """Frames behind the preface and settings. codes: of the stream or connection error; none: the connection goes on."""

    section: str
    play: Callable[[Client], None]
    codes: tuple[Fault, ...] = ()
    stream: int = 0


def raw(kind: int, flags: int, number: int, payload: bytes = b"") -> bytes:
    """A frame that hyperframe would not make."""
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + number.to_bytes(4, "big") + payload


def after(*steps: Callable[[Client], None]) -> Callable[[Client], None]:
    def play(client: Client) -> None:
        for step in steps:
            step(client)

    return play


def sends(*frames: hf.Frame | bytes) -> Callable[[Client], None]:
    return lambda client: client.send(*frames)


def ended(number: int) -> Callable[[Client], None]:
    """A stream whose answer has been read."""

    def play(client: Client) -> None:
        client.call(number)
        assert client.answered(number)

    return play


def request(*flags: str, **options: Any) -> Callable[[Client], None]:
    return lambda client: client.send(client.headers(1, *flags, **options))


def block(data: bytes) -> Callable[[Client], None]:
    return sends(hf.HeadersFrame(1, data, flags=["END_HEADERS", "END_STREAM"]))


def opened(client: Client) -> None:
    client.open(1)


def two_streams(client: Client) -> None:
    client.open(5)
    client.open(3)


PROTOCOL, SIZE, FLOW, CLOSED = Fault.PROTOCOL, Fault.FRAME_SIZE, Fault.FLOW_CONTROL, Fault.STREAM_CLOSED
COMPRESSION = Fault.COMPRESSION
PING = hf.PingFrame(0, opaque_data=b"12345678")
HALF = raw(1, 0, 1, b"\x83\x86")
RESET = hf.RstStreamFrame(1, error_code=8)
WINDOW_1 = hf.WindowUpdateFrame(1, window_increment=1)
PADDED_TOO_FAR = b"\x10abc"
CONTINUED = sends(raw(9, 4, 1, b"\x83"))

CASES: dict[str, Case] = {
    # 4 Frames
    "unknown frame type": Case("4.1", sends(raw(0x16, 0, 0, bytes(8)))),
    "undefined flags": Case("4.1", sends(raw(6, 0xFE, 0, bytes(8)))),
    "reserved bit of the stream number": Case("4.1", sends(raw(6, 0, 0x80000000, bytes(8)))),
    "DATA of the largest size": Case("4.2", after(opened, sends(hf.DataFrame(1, bytes(DATA_BYTES_MAX))))),
    "DATA beyond SETTINGS_MAX_FRAME_SIZE": Case("4.2", after(opened, sends(raw(0, 0, 1, bytes(2**20 + 1))[:9])), (SIZE,), 1),
    "padded DATA beyond the limit of padded frames": Case("4.2", after(opened, sends(raw(0, 8, 1, bytes(16385)))), (SIZE,), 1),
    "HEADERS beyond SETTINGS_MAX_FRAME_SIZE": Case("4.2", sends(raw(1, 4, 1, bytes(16385))), (SIZE,)),
    "invalid header block fragment": Case("4.3", block(b"\x40"), (COMPRESSION,)),
    "PRIORITY inside a header block": Case("4.3", sends(HALF, raw(2, 0, 1, bytes(5))), (PROTOCOL,)),
    "HEADERS of another stream inside a header block": Case("4.3", sends(HALF, raw(1, 4, 3, b"\x83")), (PROTOCOL,)),
    "unknown frame inside a header block": Case("5.5", sends(HALF, raw(0x16, 0, 0)), (PROTOCOL,)),
    # 5.1 Stream states
    "idle: DATA": Case("5.1", sends(hf.DataFrame(1, b"x")), (PROTOCOL,)),
    "idle: RST_STREAM": Case("5.1", sends(RESET), (PROTOCOL,)),
    "idle: WINDOW_UPDATE": Case("5.1", sends(WINDOW_1), (PROTOCOL,)),
    "idle: CONTINUATION": Case("5.1", CONTINUED, (PROTOCOL,)),
    "idle: PRIORITY": Case("5.1", sends(raw(2, 0, 1, bytes(5)))),
    "half closed (remote): DATA": Case(
        "5.1", after(request("END_STREAM", change={":path": "/inference.GRPCInferenceService/ModelStreamInfer"}),
                     sends(hf.DataFrame(1, b"x"))), (CLOSED,), 1
    ),
    "half closed (remote): HEADERS": Case("5.1", after(request("END_STREAM"), request("END_STREAM")), (CLOSED,), 1),
    "half closed (remote): CONTINUATION": Case("5.1", after(request("END_STREAM"), CONTINUED), (CLOSED, PROTOCOL)),
    "closed: DATA after RST_STREAM": Case("5.1", after(opened, sends(RESET, hf.DataFrame(1, b"x"))), (CLOSED,), 1),
    "closed: HEADERS after RST_STREAM": Case("5.1", after(opened, sends(RESET), request("END_STREAM")), (CLOSED,), 1),
    "closed: CONTINUATION after RST_STREAM": Case("5.1", after(opened, sends(RESET, raw(9, 4, 1, b"\x83"))), (CLOSED, PROTOCOL)),
    "closed: DATA": Case("5.1", after(ended(1), sends(hf.DataFrame(1, b"x"))), (CLOSED,), 1),
    "closed: HEADERS": Case("5.1", after(ended(1), request("END_STREAM")), (CLOSED,)),
    "closed: CONTINUATION": Case("5.1", after(ended(1), CONTINUED), (CLOSED, PROTOCOL)),
    "closed: WINDOW_UPDATE, RST_STREAM, PRIORITY": Case("5.1", after(ended(1), sends(WINDOW_1, RESET, raw(2, 0, 1, bytes(5))))),
    "even number": Case("5.1.1", lambda client: client.send(client.headers(2, "END_STREAM")), (PROTOCOL,)),
    "number below one that was used": Case("5.1.1", two_streams, (PROTOCOL,)),
    "more streams than allowed": Case(
        "5.1.2", lambda client: [client.open(number) for number in range(1, 515, 2)] and None, (Fault.REFUSED_STREAM,), 513
    ),
    # 6.1 DATA
    "DATA on stream 0": Case("6.1", sends(raw(0, 0, 0, b"x")), (PROTOCOL,)),
    "DATA with too much padding": Case("6.1", after(opened, sends(raw(0, 8, 1, PADDED_TOO_FAR))), (PROTOCOL,)),
    "DATA with padding": Case("6.1", after(opened, sends(hf.DataFrame(1, EMPTY_MESSAGE[:1], pad_length=7, flags=["PADDED"])))),
    # 6.2 HEADERS
    "HEADERS on stream 0": Case("6.2", sends(raw(1, 5, 0, b"\x83")), (PROTOCOL,)),
    "HEADERS with too much padding": Case("6.2", sends(raw(1, 13, 1, PADDED_TOO_FAR)), (PROTOCOL,)),
    "HEADERS without END_HEADERS, then a PING": Case("6.2", sends(HALF, PING), (PROTOCOL,)),
    "HEADERS too short for its priority": Case("6.2", sends(raw(1, 0x25, 1, b"\x83")), (SIZE, PROTOCOL)),
    # 6.3 PRIORITY
    "PRIORITY on stream 0": Case("6.3", sends(raw(2, 0, 0, bytes(5))), (PROTOCOL,)),
    "PRIORITY of another size": Case("6.3", after(opened, sends(raw(2, 0, 1, bytes(4)))), (SIZE,), 1),
    # 6.4 RST_STREAM
    "RST_STREAM on stream 0": Case("6.4", sends(raw(3, 0, 0, bytes(4))), (PROTOCOL,)),
    "RST_STREAM of another size": Case("6.4", after(opened, sends(raw(3, 0, 1, bytes(3)))), (SIZE,)),
    # 6.5 SETTINGS
    "SETTINGS with ACK and a payload": Case("6.5", sends(raw(4, 1, 0, bytes(6))), (SIZE,)),
    "SETTINGS on a stream": Case("6.5", sends(raw(4, 0, 1, bytes(6))), (PROTOCOL,)),
    "SETTINGS of another size": Case("6.5", sends(raw(4, 0, 0, bytes(3))), (SIZE,)),
    "SETTINGS_ENABLE_PUSH of 2": Case("6.5.2", sends(raw(4, 0, 0, b"\0\2\0\0\0\2")), (PROTOCOL,)),
    "SETTINGS_INITIAL_WINDOW_SIZE of 2^31": Case("6.5.2", sends(raw(4, 0, 0, b"\0\4\x80\0\0\0")), (FLOW,)),
    "SETTINGS_MAX_FRAME_SIZE of 2^14-1": Case("6.5.2", sends(raw(4, 0, 0, b"\0\5\0\0\x3f\xff")), (PROTOCOL,)),
    "SETTINGS_MAX_FRAME_SIZE of 2^24": Case("6.5.2", sends(raw(4, 0, 0, b"\0\5\1\0\0\0")), (PROTOCOL,)),
    "unknown setting": Case("6.5.2", sends(raw(4, 0, 0, b"\0\xff\0\0\0\1"))),
    "values of one setting in order": Case("6.5.3", sends(raw(4, 0, 0, b"\0\4\0\0\0\1" + b"\0\4\0\1\0\0"))),
    # 6.6 PUSH_PROMISE
    "PUSH_PROMISE": Case("6.6", after(opened, sends(raw(5, 4, 1, b"\0\0\0\2\x82"))), (PROTOCOL,)),
    # 6.7 PING
    "PING": Case("6.7", sends(PING)),
    "PING with ACK": Case("6.7", sends(raw(6, 1, 0, bytes(8)))),
    "PING on a stream": Case("6.7", sends(raw(6, 0, 1, bytes(8))), (PROTOCOL,)),
    "PING of another size": Case("6.7", sends(raw(6, 0, 0, bytes(6))), (SIZE,)),
    # 6.8 GOAWAY
    "GOAWAY": Case("6.8", sends(raw(7, 0, 0, bytes(8)))),
    "GOAWAY on a stream": Case("6.8", sends(raw(7, 0, 1, bytes(8))), (PROTOCOL,)),
    "GOAWAY too short": Case("6.8", sends(raw(7, 0, 0, bytes(4))), (SIZE,)),
    # 6.9 WINDOW_UPDATE
    "WINDOW_UPDATE of 0 on the connection": Case("6.9", sends(raw(8, 0, 0, bytes(4))), (PROTOCOL,)),
    "WINDOW_UPDATE of 0 on a stream": Case("6.9", after(opened, sends(raw(8, 0, 1, bytes(4)))), (PROTOCOL,), 1),
    "WINDOW_UPDATE of another size": Case("6.9", sends(raw(8, 0, 0, bytes(3))), (SIZE,)),
    "window of the connection beyond 2^31-1": Case("6.9.1", sends(raw(8, 0, 0, b"\x7f\xff\xff\xff") * 2), (FLOW,)),
    "window of a stream beyond 2^31-1": Case("6.9.1", after(opened, sends(raw(8, 0, 1, b"\x7f\xff\xff\xff") * 2)), (FLOW,), 1),
    "settings make a window beyond 2^31-1": Case(
        "6.9.2", after(opened, sends(raw(8, 0, 1, b"\0\0\0\1"), raw(4, 0, 0, b"\0\4\x7f\xff\xff\xff"))), (FLOW,)
    ),
    # 6.10 CONTINUATION
    "CONTINUATION after END_HEADERS": Case("6.10", after(opened, CONTINUED), (PROTOCOL,)),
    "CONTINUATION on stream 0": Case("6.10", sends(HALF, raw(9, 4, 0, b"\x83")), (PROTOCOL,)),
    "DATA inside a continued block": Case("6.10", sends(HALF, raw(9, 0, 1, b"\x84"), raw(0, 1, 1, b"x")), (PROTOCOL,)),
    # 8.1 and 8.2 Messages and fields
    "second HEADERS without END_STREAM": Case("8.1", after(opened, request(pairs=[("x", "y")])), (PROTOCOL,), 1),
    "pseudo-header field in trailers": Case("8.1", after(opened, request("END_STREAM", pairs=[(":path", "/")])), (PROTOCOL,), 1),
    "upper-case name in trailers": Case("8.2.1", after(opened, request("END_STREAM", pairs=[("X", "y")])), (PROTOCOL,), 1),
    "upper-case name": Case("8.2.1", request("END_STREAM", more=[("X-TEST", "ok")]), (PROTOCOL,), 1),
    "name with a space": Case("8.2.1", request("END_STREAM", more=[("x y", "ok")]), (PROTOCOL,), 1),
    "empty name": Case("8.2.1", request("END_STREAM", more=[("", "ok")]), (PROTOCOL,), 1),
    "value with NUL": Case("8.2.1", request("END_STREAM", more=[("x", "a\0b")]), (PROTOCOL,), 1),
    "value with LF": Case("8.2.1", request("END_STREAM", more=[("x", "a\nb")]), (PROTOCOL,), 1),
    "value with CR": Case("8.2.1", request("END_STREAM", more=[("x", "a\rb")]), (PROTOCOL,), 1),
    "value after a space": Case("8.2.1", request("END_STREAM", more=[("x", " a")]), (PROTOCOL,), 1),
    "value before a tab": Case("8.2.1", request("END_STREAM", more=[("x", "a\t")]), (PROTOCOL,), 1),
    "connection": Case("8.2.2", request("END_STREAM", more=[("connection", "keep-alive")]), (PROTOCOL,), 1),
    "transfer-encoding": Case("8.2.2", request("END_STREAM", more=[("transfer-encoding", "chunked")]), (PROTOCOL,), 1),
    "te other than trailers": Case("8.2.2", request("END_STREAM", change={"te": "trailers, deflate"}), (PROTOCOL,), 1),
    # 8.3 Pseudo-header fields
    "unknown pseudo-header field": Case("8.3", request("END_STREAM", more=[(":test", "ok")], pairs=REQUEST[:3]), (PROTOCOL,), 1),
    "pseudo-header field of responses": Case("8.3", request(more=[(":status", "200")], pairs=REQUEST[:3]), (PROTOCOL,), 1),
    "pseudo-header field behind others": Case("8.3", request("END_STREAM", pairs=[("x", "y"), *REQUEST]), (PROTOCOL,), 1),
    "empty :path": Case("8.3.1", request("END_STREAM", change={":path": ""}), (PROTOCOL,), 1),
    "no :method": Case("8.3.1", request("END_STREAM", change={":method": None}), (PROTOCOL,), 1),
    "no :scheme": Case("8.3.1", request("END_STREAM", change={":scheme": None}), (PROTOCOL,), 1),
    "no :path": Case("8.3.1", request("END_STREAM", change={":path": None}), (PROTOCOL,), 1),
    ":method twice": Case("8.3.1", request("END_STREAM", pairs=[REQUEST[0], *REQUEST]), (PROTOCOL,), 1),
    "host other than :authority": Case("8.3.1", request("END_STREAM", more=[("host", "other")]), (PROTOCOL,), 1),
    "content-length that the one DATA frame does not have": Case(
        "8.1.1", after(request(more=[("content-length", "1")]), sends(raw(0, 1, 1, b"test"))), (PROTOCOL,), 1
    ),
    "content-length that several DATA frames do not have": Case(
        "8.1.1", after(request(more=[("content-length", "9")]), sends(raw(0, 0, 1, b"te") + raw(0, 1, 1, b"st"))), (PROTOCOL,), 1
    ),
    "content-length without data": Case("8.1.1", request("END_STREAM", more=[("content-length", "1")]), (PROTOCOL,), 1),
    # RFC 7541
    "index beyond both tables": Case("7541 2.3.3", block(b"\xc6"), (COMPRESSION,)),
    "index 0": Case("7541 6.1", block(b"\x80"), (COMPRESSION,)),
    "change of the table's size behind a field": Case("7541 4.2", block(b"\x83\x20"), (COMPRESSION,)),
    "table larger than SETTINGS_HEADER_TABLE_SIZE": Case("7541 6.3", block(b"\x3f\xe2\x1f\x83"), (COMPRESSION,)),
    "changes of the table's size without end": Case("7541 4.2", block(b"\x20" * 16000), (COMPRESSION,)),
    "Huffman padding of more than 7 bits": Case("7541 5.2", block(b"\x00\x01a\x82\x1f\xff"), (COMPRESSION,)),
    "Huffman padding that is not EOS": Case("7541 5.2", block(b"\x00\x01a\x81\x18"), (COMPRESSION,)),
    "Huffman EOS": Case("7541 5.2", block(b"\x00\x01a\x84\xff\xff\xff\xff"), (COMPRESSION,)),
    "integer without end": Case("7541 5.1", block(b"\x7f" + b"\xff" * 30), (COMPRESSION,)),
    "string longer than its block": Case("7541 5.2", block(b"\x00\x7e" + b"a" * 10), (COMPRESSION,)),
}  # fmt: skip


@pytest.fixture
def client(api: Api) -> Iterator[Client]:
    made = Client(api.grpc)
    yield made
    made.line.close()


@pytest.mark.parametrize("name", [f"{case.section} {name}" for name, case in CASES.items()])
def test_a_case(client: Client, name: str) -> None:
    case = next(case for title, case in CASES.items() if f"{case.section} {title}" == name)
    client.greet()
    case.play(client)
    if not case.codes:
        client.call(1001)
        assert client.answered(1001)
        return
    client.send(hf.PingFrame(0, opaque_data=b"the last"))
    for each in client.frames():
        if isinstance(each, hf.GoAwayFrame):
            assert Fault(each.error_code) in case.codes
            return
        if isinstance(each, hf.RstStreamFrame) and each.error_code:
            assert case.stream == each.stream_id, "a connection error is expected"
            assert Fault(each.error_code) in case.codes
            break
        assert not (isinstance(each, hf.PingFrame) and each.opaque_data == b"the last"), "the server took it"
    else:
        pytest.fail("the connection was closed without a reason")
    client.send(RESET)  # makes room, where the streams are too many
    client.call(1001)
    assert client.answered(1001)  # a stream error is of its stream only


@pytest.mark.parametrize(
    "data",
    [
        b"INVALID CONNECTION PREFACE\r\n\r\n",
        PREFACE[:-1] + b"x",
        PREFACE + raw(6, 0, 0, bytes(8)),
        PREFACE + raw(8, 0, 0, b"\0\0\0\1"),
    ],
    ids=["3.4 no preface", "3.4 another preface", "3.4 PING before SETTINGS", "3.4 WINDOW_UPDATE before SETTINGS"],
)
def test_a_bad_preface_ends_the_connection(client: Client, data: bytes) -> None:
    client.send(data)
    codes = [each.error_code for each in client.frames() if isinstance(each, hf.GoAwayFrame)]
    assert codes == [Fault.PROTOCOL]


def test_settings_and_pings_are_acknowledged(client: Client) -> None:
    """6.5.3, 6.7"""
    client.greet()
    client.send(PING)
    acknowledged = []
    for each in client.frames():
        if "ACK" in each.flags:
            acknowledged.append(type(each))
        if isinstance(each, hf.PingFrame):
            assert each.opaque_data == b"12345678"
            break
    assert acknowledged == [hf.SettingsFrame, hf.PingFrame]


def test_the_window_of_a_stream_and_its_changes_are_respected(client: Client) -> None:
    """6.9, 6.9.2: with a window of one byte one byte arrives; a window below zero takes updates until it is above."""
    client.greet(INITIAL_WINDOW_SIZE=1)
    client.call(1)
    sizes = []
    for each in client.frames():
        if isinstance(each, hf.DataFrame):
            sizes.append(len(each.data))
            client.send(raw(4, 0, 0, b"\0\4\0\0\0\0"), raw(8, 0, 1, b"\0\0\0\2"), raw(8, 0, 1, b"\0\0\0\x20"))
            break
    for each in client.frames():
        if isinstance(each, hf.DataFrame):
            sizes.append(len(each.data))
        if "END_STREAM" in each.flags:
            break
    assert sizes[0] == 1
    assert sum(sizes) > 1


def test_data_that_a_peer_had_sent_before_it_knew_of_the_end_is_ignored(client: Client) -> None:
    """5.1: the server closes the stream first; its peer's data, trailers and reset in transit are no errors."""
    client.greet()
    client.send(client.headers(1, change={":path": "/no.such/Method"}))
    assert client.answered(1)
    client.send(hf.DataFrame(1, bytes(100)), client.headers(1, "END_STREAM", pairs=[("x", "y")]), RESET)
    client.call(3)
    assert client.answered(3)


@pytest.mark.parametrize("timeout", ["", "1", "1s", "-1S", "123456789S", "1 S", "S"])
def test_a_bad_grpc_timeout_is_an_error_of_its_call(client: Client, timeout: str) -> None:
    client.greet()
    client.send(client.headers(1, "END_STREAM", more=[("grpc-timeout", timeout)]))
    for each in client.frames():
        if isinstance(each, hf.HeadersFrame) and each.stream_id == 1:
            break
    client.call(3)
    assert client.answered(3)
