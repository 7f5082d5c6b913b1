"""Frames that are cheap to send and costly to handle: how many of each end the connection."""

from __future__ import annotations

import struct

import hpack
import pytest

from edgefleet_agent.serving.http2.events import DataReceived, StreamReset
from edgefleet_agent.serving.http2.flood_guard import (
    CONTROL_BYTES,
    CONTROLS_FRAME,
    CONTROLS_MAX,
    RESETS_MAX,
    STREAMS_CONTROL,
    FloodGuard,
)
from edgefleet_agent.serving.http2.frames import (
    END_HEADERS,
    END_STREAM,
    PADDED,
    BrokenConnectionError,
    Fault,
    FrameSetting,
    Kind,
    frame,
    reset,
    settings,
    window_update,
)
from edgefleet_agent.serving.http2.limits import COST_BYTES, STREAMS_MAX, TURN_COST
from tests.agent.serving.http2.state_client import HEAD, TRAILERS, StateClient


@pytest.fixture
def client() -> StateClient:
    """Its first stream is open, and nothing is counted since."""
    made = StateClient()
    made.open(1)
    return made


@pytest.mark.parametrize(
    "each",
    [
        frame(Kind.PING, 0, 0, bytes(8)),
        frame(Kind.SETTINGS, 0, 0),
        frame(Kind.PRIORITY, 0, 1, bytes(5)),
        frame(Kind.GOAWAY, 0, 0, bytes(8)),
        b"\x00\x00\x00\x63\x00\x00\x00\x00\x00",
        window_update(0, 1),
        window_update(1, 1),
        frame(Kind.DATA, 0, 1),
        frame(Kind.DATA, PADDED, 1, b"\x00"),
        frame(Kind.DATA, PADDED, 1, b"\x03" + bytes(3)),
    ],
    ids=[
        "ping", "settings", "priority", "goaway", "unknown", "window of the connection", "window of a stream",
        "empty data", "data of no padding", "data of padding only",
    ],
)  # fmt: skip
def test_frames_that_carry_nothing(client: StateClient, each: bytes) -> None:
    events = client.send(each * CONTROLS_MAX)
    assert {type(event) for event in events} <= {DataReceived}
    assert client.failure(each) is Fault.ENHANCE_YOUR_CALM


def test_padding_alone_on_a_closed_stream_is_counted(client: StateClient) -> None:
    client.state.reset(client.state.streams[1], Fault.CANCEL)
    each = frame(Kind.DATA, PADDED, 1, b"\x03" + bytes(3))
    assert client.send(each * CONTROLS_MAX) == []
    assert client.failure(each) is Fault.ENHANCE_YOUR_CALM


def test_headers_of_closed_streams_are_counted(client: StateClient) -> None:
    client.state.reset(client.state.streams[1], Fault.CANCEL)
    for _ in range(CONTROLS_MAX):
        assert client.send(client.headers(1)) == []
    assert client.failure(client.headers(1)) is Fault.ENHANCE_YOUR_CALM


def test_data_in_padded_frames_is_not_counted(client: StateClient) -> None:
    stream = client.state.streams[1]
    for _ in range(3 * CONTROLS_MAX // 1000):
        events = client.send(frame(Kind.DATA, PADDED, 1, b"\x00x") * 1000)
        assert len(events) == 1000
        client.state.replenish(stream)


def test_a_new_stream_starts_a_new_count(client: StateClient) -> None:
    client.send(window_update(0, 1) * CONTROLS_MAX)
    client.open(3)
    assert client.send(window_update(0, 1) * CONTROLS_MAX) == []
    assert client.failure(window_update(0, 1)) is Fault.ENHANCE_YOUR_CALM


def test_a_response_allows_updates_of_its_windows(client: StateClient) -> None:
    stream = client.state.streams[1]
    client.state.send_headers(stream, HEAD)
    client.state.send_data(stream, [bytes(CONTROL_BYTES)], 0.0)
    assert client.send(window_update(0, 1) * (CONTROLS_MAX + CONTROLS_FRAME + 1)) == []
    assert client.failure(window_update(0, 1)) is Fault.ENHANCE_YOUR_CALM


def test_settings_count_by_the_streams_that_they_touch() -> None:
    client = StateClient()
    for number in range(1, 2 * STREAMS_MAX, 2):
        client.open(number)
    allowed = CONTROLS_MAX // (1 + STREAMS_MAX // STREAMS_CONTROL)
    changes = [struct.pack(">HI", FrameSetting.INITIAL_WINDOW_SIZE, 1000 + number % 2) for number in range(allowed)]
    assert client.send(b"".join(frame(Kind.SETTINGS, 0, 0, each) for each in changes)) == []
    assert client.failure(settings({FrameSetting.INITIAL_WINDOW_SIZE: 1})) is Fault.ENHANCE_YOUR_CALM


def test_streams_that_are_opened_and_reset() -> None:
    client = StateClient()
    for number in range(1, 2 * RESETS_MAX, 2):
        client.open(number)
        assert isinstance(client.send(reset(number, Fault.CANCEL))[0], StreamReset)
    client.open(2 * RESETS_MAX + 1)
    assert client.failure(reset(2 * RESETS_MAX + 1, Fault.CANCEL)) is Fault.ENHANCE_YOUR_CALM


def test_responses_allow_resets() -> None:
    """Two for one reset."""
    client = StateClient()
    for number in range(1, 12 * RESETS_MAX, 6):
        for answered in (number, number + 2):
            client.state.send_response(client.open(answered, END_STREAM), HEAD, [b"x"], TRAILERS, 0.0)
        client.open(number + 4)
        assert isinstance(client.send(reset(number + 4, Fault.CANCEL))[-1], StreamReset)


def test_streams_beyond_the_limit() -> None:
    client = StateClient()
    for number in range(1, 2 * STREAMS_MAX, 2):
        client.open(number)
    first = 2 * STREAMS_MAX + 1
    for number in range(first, first + 2 * RESETS_MAX, 2):
        assert client.send(client.headers(number)) == []
    assert client.failure(client.headers(first + 2 * RESETS_MAX)) is Fault.ENHANCE_YOUR_CALM


def test_updates_may_come_long_after_the_data() -> None:
    """A reader with a huge window acknowledges late; a new stream does not take away what it is owed."""
    guard = FloodGuard()
    for _ in range(CONTROLS_MAX):
        guard.data_sent(16384)
    guard.stream_opened()
    for _ in range(3 * CONTROLS_MAX):
        guard.control_frame()
    owed = CONTROLS_MAX * (CONTROLS_FRAME + 16384 // CONTROL_BYTES) - 3 * CONTROLS_MAX
    for _ in range(owed + CONTROLS_MAX):
        guard.control_frame()
    with pytest.raises(BrokenConnectionError):
        guard.control_frame()


def test_streams_that_the_server_resets_for_their_errors() -> None:
    """CVE-2025-8671: the peer sends no reset, it breaks each stream."""
    client = StateClient()
    for number in range(1, 2 * RESETS_MAX, 2):
        client.open(number)
        assert isinstance(client.send(window_update(number, 0))[0], StreamReset)
    client.open(2 * RESETS_MAX + 1)
    assert client.failure(window_update(2 * RESETS_MAX + 1, 0)) is Fault.ENHANCE_YOUR_CALM


def test_malformed_requests_count_as_resets() -> None:
    client = StateClient()
    block = client.encoder.encode([("no", "pseudo-header")])
    for number in range(1, 2 * RESETS_MAX, 2):
        assert client.send(frame(Kind.HEADERS, END_HEADERS, number, block)) == []
    assert client.failure(frame(Kind.HEADERS, END_HEADERS, 2 * RESETS_MAX + 1, block)) is Fault.ENHANCE_YOUR_CALM


def test_large_header_blocks_take_turns() -> None:
    """A turn handles as many bytes of headers as it takes some milliseconds to decode, not a number of frames."""
    client = StateClient()
    fields = [(":method", "POST"), (":scheme", "http"), (":path", "/path"), ("x", "a" * 15_000)]
    frames = [frame(Kind.HEADERS, END_HEADERS, 1, hpack.Encoder().encode(fields))]
    frames += [frame(Kind.HEADERS, END_HEADERS, number, hpack.Encoder().encode(fields)) for number in range(3, 40, 2)]
    handled = [len(client.state.receive(b"".join(frames), 0.0))]
    while client.state.behind:
        handled.append(len(client.state.receive(b"", 0.0)))
    assert sum(handled) == len(frames)
    assert max(handled) <= 1 + TURN_COST * COST_BYTES // len(frames[0])


def test_settings_that_touch_many_streams_take_turns() -> None:
    client = StateClient()
    for number in range(1, 2 * STREAMS_MAX, 2):
        client.open(number)
    changes = [settings({FrameSetting.INITIAL_WINDOW_SIZE: 1000 + number % 2}) for number in range(40)]
    client.state.take_output()
    client.state.receive(b"".join(changes), 0.0)
    assert client.state.behind
    assert len(client.state.take_output()) <= 1 + TURN_COST // STREAMS_MAX
