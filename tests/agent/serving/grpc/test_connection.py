"""The gRPC listener on the wire: fragmented calls, and peers that violate HTTP/2."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
from collections.abc import Iterator

import hpack
import pytest

from edgefleet_agent.serving.frontend.listener_context import ListenerContext
from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.grpc.response_headers import Status
from edgefleet_agent.serving.http2 import flood_guard
from edgefleet_agent.serving.http2.frames import (
    ACK,
    END_HEADERS,
    END_STREAM,
    HEADERS_BYTES_MAX,
    PADDED,
    PREFACE,
    Fault,
    FrameSetting,
    Kind,
    frame,
    settings,
    window_update,
)
from edgefleet_agent.serving.http2.limits import CONNECTION_WINDOW, STREAM_WINDOW, STREAMS_MAX
from tests.agent.serving.conftest import LIMITS, Api

INFER = "/inference.GRPCInferenceService/ModelInfer"
STREAM = "/inference.GRPCInferenceService/ModelStreamInfer"
LIVE = "/inference.GRPCInferenceService/ServerLive"


class Peer:
    """A client that sends single frames."""

    def __init__(self, address: str, window: int = 2**20) -> None:
        host, _, port = address.rpartition(":")
        self.line = socket.create_connection((host, int(port)), 30)
        self._encoder = hpack.Encoder()
        self._decoder = hpack.Decoder()
        self._buffer = b""
        self.line.sendall(PREFACE + settings({FrameSetting.INITIAL_WINDOW_SIZE: window}))

    def headers(self, path: str, **more: str) -> bytes:
        pairs = {":method": "POST", ":scheme": "http", ":path": path, "content-type": "application/grpc", "te": "trailers"}
        return self._encoder.encode([*pairs.items(), *((name.replace("_", "-"), value) for name, value in more.items())])

    def open(self, stream: int, path: str, **more: str) -> None:
        self.line.sendall(frame(Kind.HEADERS, END_HEADERS, stream, self.headers(path, **more)))

    def send(self, stream: int, data: bytes, flags: int = END_STREAM) -> None:
        self.line.sendall(frame(Kind.DATA, flags, stream, data))

    def frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        """Yields frames until the server closes the connection."""
        while True:
            while len(self._buffer) >= 9:
                word, flags, stream = struct.unpack_from(">IBI", self._buffer)
                end = 9 + (word >> 8)
                if len(self._buffer) < end:
                    break
                payload, self._buffer = self._buffer[9:end], self._buffer[end:]
                yield word & 255, flags, stream, payload
            try:
                got = self.line.recv(65536)
            except ConnectionResetError:
                return
            if not got:
                return
            self._buffer += got

    def answer(self, stream: int) -> tuple[dict[str, str], bytes]:
        """All headers of a call, and its messages."""
        headers: dict[str, str] = {}
        body = b""
        for kind, flags, of, payload in self.frames():
            if kind == Kind.HEADERS:
                found = self._decoder.decode(payload)
                if of == stream:
                    headers |= {str(name): str(value) for name, value in found}
            elif kind == Kind.DATA and of == stream:
                body += payload
            if kind in (Kind.HEADERS, Kind.DATA) and of == stream and flags & END_STREAM:
                return headers, body
            if kind == Kind.GOAWAY:
                raise AssertionError(payload[8:].decode())
        raise AssertionError("the server hung up")

    def farewell(self) -> Fault:
        """Error code of the GOAWAY frame with which the server closes the connection."""
        for kind, _, _, payload in self.frames():
            if kind == Kind.GOAWAY:
                assert not [each for each in self.frames() if each[0] == Kind.HEADERS]
                return Fault(int.from_bytes(payload[4:8], "big"))
        raise AssertionError("no reason was given")


@pytest.fixture
def peer(api: Api) -> Iterator[Peer]:
    made = Peer(api.grpc)
    yield made
    made.line.close()


def infer_message(rows: int = 1) -> bytes:
    request = MESSAGES["ModelInferRequest"](model_name="identity_fp32")
    request.inputs.add(name="INPUT", datatype="FP32", shape=[rows, 16])
    request.raw_input_contents.append(bytes(range(64)) * rows)
    return wrapped(request.SerializeToString())


def wrapped(message: bytes, packed: int = 0) -> bytes:
    return struct.pack(">BI", packed, len(message)) + message


def outputs(body: bytes) -> list[bytes]:
    found = []
    while body:
        (size,) = struct.unpack_from(">I", body, 1)
        response = MESSAGES["ModelInferResponse"].FromString(body[5 : 5 + size])
        found.append(b"".join(response.raw_output_contents))
        body = body[5 + size :]
    return found


def test_a_call_in_single_bytes_and_padded_and_continued(peer: Peer) -> None:
    block, message = peer.headers(INFER), infer_message()
    data = frame(Kind.HEADERS, 0, 1, block[:7]) + frame(Kind.CONTINUATION, END_HEADERS, 1, block[7:])
    data += frame(Kind.DATA, PADDED, 1, b"\x03" + message[:20] + b"\0\0\0") + frame(Kind.DATA, 0, 1, message[20:])
    for byte in data + frame(Kind.DATA, END_STREAM, 1):
        peer.line.sendall(bytes((byte,)))
    headers, body = peer.answer(1)
    assert (headers[":status"], headers["grpc-status"], outputs(body)) == ("200", "0", [bytes(range(64))])


def test_the_same_request_again_is_answered_from_its_plan(peer: Peer) -> None:
    first, body_first = [], []
    for stream in (1, 3, 5, 7):
        changed = infer_message()[:-4] + stream.to_bytes(4, "big")
        peer.open(stream, INFER)
        peer.send(stream, changed)
        headers, body = peer.answer(stream)
        first.append(headers["grpc-status"])
        body_first.append(outputs(body)[0][-4:])
    assert first == ["0"] * 4
    assert body_first == [stream.to_bytes(4, "big") for stream in (1, 3, 5, 7)]


def test_an_answer_waits_for_the_windows_of_its_reader(api: Api) -> None:
    peer = Peer(api.grpc, window=100)
    message = infer_message(rows=16)
    peer.open(1, INFER)
    for at in range(0, len(message), 300):
        peer.send(1, message[at : at + 300], END_STREAM if at + 300 >= len(message) else 0)
    body = b""
    for kind, flags, stream, payload in peer.frames():
        if kind == Kind.DATA:
            assert len(payload) <= 100
            body += payload
            peer.line.sendall(window_update(1, len(payload)) + window_update(0, len(payload)))
        if stream == 1 and flags & END_STREAM and kind == Kind.HEADERS:
            break
    assert outputs(body) == [bytes(range(64)) * 16]
    peer.line.close()


def test_packed_messages_are_unpacked_and_bounded(peer: Peer) -> None:
    plain = infer_message()[5:]
    bomb = gzip.compress(bytes(LIMITS.body_bytes + 1))
    for stream, message, coding, status in (
        (1, gzip.compress(plain), "gzip", Status.OK),
        (3, bomb, "gzip", Status.RESOURCE_EXHAUSTED),
        (5, b"nothing", "gzip", Status.INVALID_ARGUMENT),
        (7, plain, "br", Status.UNIMPLEMENTED),
    ):
        peer.open(stream, INFER, grpc_encoding=coding)
        peer.send(stream, wrapped(message, 1))
        assert peer.answer(stream)[0]["grpc-status"] == str(int(status)), stream


def test_messages_that_lie_or_do_not_come_are_refused(peer: Peer) -> None:
    for stream, data, status in (
        (1, b"", Status.INVALID_ARGUMENT),
        (3, b"\0\0\0", Status.INVALID_ARGUMENT),
        (5, struct.pack(">BI", 0, 100) + b"short", Status.INVALID_ARGUMENT),
        (7, struct.pack(">BI", 0, 2**32 - 1), Status.RESOURCE_EXHAUSTED),
        (9, wrapped(b"\xff\xff\xff"), Status.INVALID_ARGUMENT),
        (11, infer_message() + infer_message(), Status.UNIMPLEMENTED),
    ):
        peer.open(stream, INFER)
        peer.send(stream, data)
        assert peer.answer(stream)[0]["grpc-status"] == str(int(status)), stream
    peer.open(13, "/inference.GRPCInferenceService/Nothing")
    assert peer.answer(13)[0]["grpc-status"] == str(int(Status.UNIMPLEMENTED))


def test_a_slow_sender_gets_deadline_exceeded(peer: Peer) -> None:
    peer.open(1, INFER)
    peer.send(1, infer_message()[:9], 0)
    assert peer.answer(1)[0]["grpc-status"] == str(int(Status.DEADLINE_EXCEEDED))


def test_who_does_not_greet_or_never_ends_its_headers_is_cut_off(api: Api) -> None:
    host, _, port = api.grpc.rpartition(":")
    with socket.create_connection((host, int(port)), 30) as silent:
        assert set(_kinds(silent)) == {Kind.SETTINGS, Kind.WINDOW_UPDATE}
    peer = Peer(api.grpc)
    with peer.line:
        peer.line.sendall(frame(Kind.HEADERS, 0, 1, peer.headers(LIVE)))
        assert Kind.HEADERS not in {each[0] for each in peer.frames()}


def _kinds(line: socket.socket) -> Iterator[int]:
    data = b""
    try:
        while got := line.recv(4096):
            data += got
    except ConnectionResetError:
        pass
    at = 0
    while at < len(data):
        (word,) = struct.unpack_from(">I", data, at)
        yield word & 255
        at += 9 + (word >> 8)


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (frame(Kind.DATA, 0, 1, b"x"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, END_HEADERS, 2, b"\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, END_HEADERS, 1, b"\xff\xff\xff\xff\xff\xff\x0f"), Fault.COMPRESSION),
        (frame(Kind.HEADERS, END_HEADERS, 1, b"\xbe"), Fault.COMPRESSION),
        (frame(Kind.HEADERS, END_HEADERS | PADDED, 1, b"\xff\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, 0, 1, b"\x82") + frame(Kind.PING, 0, 0, bytes(8)), Fault.PROTOCOL),
        (frame(Kind.CONTINUATION, END_HEADERS, 1, b"\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, 0, 1, b"\x82") + frame(Kind.CONTINUATION, 0, 1, bytes(HEADERS_BYTES_MAX)), Fault.ENHANCE_YOUR_CALM),
        (frame(Kind.HEADERS, 0, 1, b"\x82") + frame(Kind.CONTINUATION, 0, 1), Fault.ENHANCE_YOUR_CALM),
        (frame(Kind.PING, 0, 0, b"short"), Fault.FRAME_SIZE),
        (frame(Kind.PING, 0, 0, bytes(8)) * (flood_guard.CONTROLS_MAX + 1), Fault.ENHANCE_YOUR_CALM),
        (frame(Kind.SETTINGS, 0, 0, b"short"), Fault.FRAME_SIZE),
        (settings({FrameSetting.INITIAL_WINDOW_SIZE: 2**31}), Fault.FLOW_CONTROL),
        (settings({FrameSetting.MAX_FRAME_SIZE: 1}), Fault.PROTOCOL),
        (window_update(0, 0), Fault.PROTOCOL),
        (window_update(0, 2**31 - 1), Fault.FLOW_CONTROL),
        (frame(Kind.WINDOW_UPDATE, 0, 0, b"x"), Fault.FRAME_SIZE),
        (frame(Kind.RST_STREAM, 0, 9, bytes(4)), Fault.PROTOCOL),
        (frame(Kind.PUSH_PROMISE, 0, 1, bytes(8)), Fault.PROTOCOL),
        (b"\xff\xff\xff\x00\x00\x00\x00\x00\x01", Fault.FRAME_SIZE),
    ],
)
def test_a_protocol_error_closes_the_connection_with_its_reason(peer: Peer, data: bytes, fault: Fault) -> None:
    peer.line.sendall(data)
    assert peer.farewell() is fault


def test_who_speaks_http1_is_sent_away(api: Api) -> None:
    host, _, port = api.grpc.rpartition(":")
    with socket.create_connection((host, int(port)), 30) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert Kind.GOAWAY in set(_kinds(line))


def test_more_data_than_the_window_allows_ends_the_connection(peer: Peer) -> None:
    peer.open(1, STREAM)
    block = frame(Kind.DATA, 0, 1, bytes(16384))
    # The server makes room as it reads; it does not accept a message of 16 MB beyond its limit.
    peer.send(1, struct.pack(">BI", 0, LIMITS.body_bytes + 1), 0)
    assert peer.answer(1)[0]["grpc-status"] == str(int(Status.RESOURCE_EXHAUSTED))
    peer.line.sendall(block * (2 * CONNECTION_WINDOW // len(block)))  # of a call that has ended: read and discarded
    peer.open(3, LIVE)
    peer.send(3, wrapped(b""))
    assert peer.answer(3)[0]["grpc-status"] == "0"
    assert LIMITS.body_bytes > STREAM_WINDOW


def test_calls_opened_and_given_up_in_a_row_are_an_attack(peer: Peer) -> None:
    for stream in range(1, 2 * flood_guard.RESETS_MAX + 2, 2):  # exactly one too many: what is not read would undo the farewell
        peer.open(stream, INFER)
        peer.line.sendall(frame(Kind.RST_STREAM, 0, stream, int(Fault.CANCEL).to_bytes(4, "big")))
    assert peer.farewell() is Fault.ENHANCE_YOUR_CALM


def test_more_calls_than_were_agreed_are_refused_and_the_others_go_on(peer: Peer) -> None:
    last = 2 * STREAMS_MAX + 1
    for stream in range(1, last + 1, 2):
        peer.open(stream, INFER)
    for kind, _, stream, payload in peer.frames():
        if kind == Kind.RST_STREAM:
            assert (stream, int.from_bytes(payload, "big")) == (last, Fault.REFUSED_STREAM)
            break
    peer.send(1, infer_message())
    assert peer.answer(1)[0]["grpc-status"] == "0"


def test_a_stream_answers_in_order_with_errors_in_their_position(peer: Peer) -> None:
    peer.open(1, STREAM)
    bad = wrapped(MESSAGES["ModelInferRequest"](model_name="nothing").SerializeToString())
    peer.send(1, infer_message() + bad[:7], 0)
    peer.send(1, bad[7:] + infer_message())
    headers, body = peer.answer(1)
    responses = []
    while body:
        (size,) = struct.unpack_from(">I", body, 1)
        responses.append(MESSAGES["ModelStreamInferResponse"].FromString(body[5 : 5 + size]))
        body = body[5 + size :]
    assert headers["grpc-status"] == "0"
    assert ["not found" in each.error_message for each in responses] == [False, True, False]


def test_a_peer_without_a_table_of_headers_understands_every_answer(peer: Peer) -> None:
    peer.line.sendall(settings({FrameSetting.HEADER_TABLE_SIZE: 0}))
    for kind, flags, _, _ in peer.frames():
        if kind == Kind.SETTINGS and flags & ACK:
            break
    for stream in (1, 3):
        peer.open(stream, LIVE)
        peer.send(stream, wrapped(b""))
        headers, body = peer.answer(stream)
        assert (headers["content-type"], headers["grpc-status"], body) == ("application/grpc", "0", wrapped(b"\x08\x01"))


def test_an_answer_after_the_listener_closed_is_discarded() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    done: list[int] = []
    ListenerContext(loop, LIMITS).work.put(lambda: done.append(1))
    assert not done
