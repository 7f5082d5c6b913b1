"""Floods of control frames close their connection without delaying others; a reader with small windows is served."""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from edgefleet_agent.serving.grpc.messages import MESSAGES
from edgefleet_agent.serving.grpc.stream_infer import InferStream
from edgefleet_agent.serving.http2.flood_guard import CONTROLS_MAX
from edgefleet_agent.serving.http2.frame_sender import FrameSender
from edgefleet_agent.serving.http2.frames import (
    END_HEADERS,
    END_STREAM,
    SETTINGS_MAX,
    Fault,
    FrameSetting,
    Kind,
    frame,
    settings,
    window_update,
)
from edgefleet_agent.serving.http2.limits import STREAMS_MAX
from tests.agent.serving.conftest import Api
from tests.agent.serving.grpc.test_connection import INFER, LIVE, STREAM, Peer, outputs, wrapped

CALLS = STREAMS_MAX - 1
WAIT_S = 30.0


@pytest.fixture
def peer(api: Api) -> Iterator[Peer]:
    made = Peer(api.grpc)
    yield made
    made.line.close()


def live(peer: Peer, stream: int) -> None:
    """Makes a call and reads its answer, so that all earlier frames have been read."""
    peer.open(stream, LIVE)
    peer.send(stream, wrapped(b""))
    assert peer.answer(stream)[0]["grpc-status"] == "0"


def text(size: int) -> tuple[bytes, bytes]:
    """A request whose answer has `size` bytes, and these bytes."""
    element = b"0123456789" * (size // 10)
    raw = struct.pack("<I", len(element)) + element + bytes(4 * 15)
    request = MESSAGES["ModelInferRequest"](model_name="identity_bytes")
    request.inputs.add(name="INPUT", datatype="BYTES", shape=[1, 16])
    request.raw_input_contents.append(raw)
    return wrapped(request.SerializeToString()), raw


@pytest.mark.parametrize(
    "data",
    [
        window_update(0, 1) * (CONTROLS_MAX + 1),
        window_update(1, 1) * (CONTROLS_MAX + 1),
        frame(Kind.SETTINGS, 0, 0, struct.pack(">HI", FrameSetting.INITIAL_WINDOW_SIZE, 65535) * (SETTINGS_MAX + 1)),
    ],
    ids=["of the connection", "of a call", "many settings in a frame"],
)
def test_a_flood_is_cut_off(peer: Peer, data: bytes) -> None:
    peer.open(1, STREAM)
    peer.line.sendall(data)
    assert peer.farewell() is Fault.ENHANCE_YOUR_CALM


def test_settings_count_by_the_calls_that_they_touch(peer: Peer) -> None:
    for stream in range(1, 2 * CALLS, 2):
        peer.open(stream, STREAM)
    sizes = (settings({FrameSetting.INITIAL_WINDOW_SIZE: 65535 + number % 2}) for number in range(CONTROLS_MAX // 10))
    peer.line.sendall(b"".join(sizes))
    assert peer.farewell() is Fault.ENHANCE_YOUR_CALM


def test_a_window_that_grows_is_no_work_for_calls_that_wait_for_nothing(peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in range(1, 2 * CALLS, 2):
        peer.open(stream, STREAM)
    live(peer, 2 * CALLS + 1)
    touched = []
    for owner, name in ((FrameSender, "pump"), (InferStream, "drained")):
        monkeypatch.setattr(owner, name, lambda *_: touched.append(1))
    peer.line.sendall((window_update(0, 1) + window_update(1, 1)) * (CONTROLS_MAX // 4))
    peer.line.sendall(frame(Kind.PING, 0, 0, b"all read"))
    for kind, _, _, payload in peer.frames():
        if (kind, payload) == (Kind.PING, b"all read"):
            break
    assert len(touched) == 0


def test_a_flood_does_not_delay_other_connections(api: Api) -> None:
    """A peer sends frames as fast as it can, and connects again when the server closes the connection."""
    other, ending = Peer(api.grpc), threading.Event()
    rounds = [0]

    def flood() -> None:
        while not ending.is_set():
            bad = Peer(api.grpc)
            try:
                for stream in range(1, 2 * CALLS, 2):
                    bad.open(stream, STREAM)
                bad.line.sendall(window_update(0, 1) * CONTROLS_MAX * 2)
            except OSError:  # cut off while it sent
                pass
            bad.line.close()
            rounds[0] += 1

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    waits_s = []
    for stream in range(1, 40, 2):
        began_s = time.monotonic()
        live(other, stream)
        waits_s.append(time.monotonic() - began_s)
        time.sleep(0.02)
    ending.set()
    thread.join(WAIT_S)
    assert rounds[0]
    # Each flood of 2 * 10,000 frames took seconds when every frame visited every open call.
    assert sorted(waits_s)[len(waits_s) // 2] < 1.0
    other.line.close()


@pytest.mark.parametrize("path", [INFER, "/no.such/Method"], ids=["without a body", "unknown method"])
def test_requests_as_fast_as_they_can_be_sent_do_not_delay_other_connections(api: Api, path: str) -> None:
    """Each is answered with an error, and costs more to handle than to send: connections take turns."""
    other, bad, ending = Peer(api.grpc), Peer(api.grpc), threading.Event()
    sent = [1]

    def flood() -> None:
        bad.open(1, path)
        head = bad.headers(path)  # only indices of the table that the first call has filled
        with contextlib.suppress(OSError):
            while not ending.is_set():
                first = 2 * sent[0] + 1
                numbers = range(first, first + 2000, 2)
                bad.line.sendall(b"".join(frame(Kind.HEADERS, END_STREAM | END_HEADERS, number, head) for number in numbers))
                sent[0] += 1000

    def read() -> None:
        with contextlib.suppress(OSError):
            while bad.line.recv(1 << 20):
                pass

    threads = [threading.Thread(target=each, daemon=True) for each in (flood, read)]
    for thread in threads:
        thread.start()
    waits_s = []
    for stream in range(1, 80, 2):
        began_s = time.monotonic()
        live(other, stream)
        waits_s.append(time.monotonic() - began_s)
        time.sleep(0.02)
    ending.set()
    bad.line.close()
    for thread in threads:
        thread.join(WAIT_S)
    assert sent[0] >= 1000
    assert max(waits_s) < 2.0  # seconds to minutes when all that had been read was handled at once
    other.line.close()


def test_a_large_answer_through_a_small_window_arrives(api: Api) -> None:
    """Two window updates for each frame, as some clients send: three times the limit of idle updates of one call."""
    size = 200
    peer = Peer(api.grpc, window=size)
    message, raw = text(CONTROLS_MAX * 3 // 2 * size)
    at = 0
    peer.open(1, INFER)
    body, updates = [], 0
    budget, own = 65535, 2**20
    peer.line.settimeout(WAIT_S)
    while at < len(message):
        room = min(16384, budget, own, len(message) - at)
        if room:
            peer.send(1, message[at : at + room], END_STREAM if at + room == len(message) else 0)
            at, budget, own = at + room, budget - room, own - room
            continue
        kind, _, stream, payload = next(peer.frames())
        if kind == Kind.WINDOW_UPDATE:
            more = int.from_bytes(payload, "big")
            budget, own = (budget, own + more) if stream else (budget + more, own)
    for kind, flags, stream, payload in peer.frames():
        assert kind != Kind.GOAWAY, payload
        if kind == Kind.DATA:
            body.append(payload)
            updates += 2
            peer.line.sendall(window_update(1, len(payload)) + window_update(0, len(payload)))
        if (kind, stream, flags & END_STREAM) == (Kind.HEADERS, 1, END_STREAM):
            break
    assert outputs(b"".join(body)) == [raw]
    assert updates > 2 * CONTROLS_MAX
    peer.line.close()


def test_answers_that_wait_for_one_window_take_turns_and_all_arrive(api: Api) -> None:
    """The connection's window is used up by calls that have large windows."""
    peer = Peer(api.grpc, window=2**20)
    streams = range(1, 21, 2)
    message, raw = text(15_000)
    for stream in streams:
        peer.open(stream, INFER)
        peer.send(stream, message)
    bodies: dict[int, bytes] = dict.fromkeys(streams, b"")
    ended: set[int] = set()
    taken = 0
    for kind, flags, stream, payload in peer.frames():
        assert kind != Kind.GOAWAY, payload
        if kind == Kind.DATA:
            bodies[stream] += payload
            taken += len(payload)
        if kind == Kind.HEADERS and flags & END_STREAM:
            ended.add(stream)
        if ended == set(streams):
            break
        if kind == Kind.DATA and taken >= 65535:  # nothing may be sent now
            peer.line.sendall(window_update(0, 1000))
            taken -= 1000
    assert {stream: outputs(body) for stream, body in bodies.items()} == {stream: [raw] for stream in streams}
    peer.line.close()
