"""The state of a connection: requests, responses, windows in both directions, ends, times."""

from __future__ import annotations

import struct

import pytest

from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.events import (
    DataReceived,
    PeerStalled,
    RequestReceived,
    StreamDrained,
    StreamEnded,
    StreamReset,
)
from edgefleet_agent.serving.http2.frames import (
    ACK,
    END_HEADERS,
    END_STREAM,
    FRAME_BYTES_USUAL,
    PADDED,
    PREFACE,
    PRIORITY_FIELDS,
    WINDOW_MAX,
    WINDOW_USUAL,
    Fault,
    FrameSetting,
    Kind,
    frame,
    reset,
    settings,
    window_update,
)
from edgefleet_agent.serving.http2.limits import CONNECTION_WINDOW, REQUEST_COST, STREAM_WINDOW, STREAMS_MAX, TURN_COST
from tests.agent.serving.http2.state_client import HEAD, TRAILERS, StateClient

RECEIVE_S, IDLE_S = 10.0, 60.0
FULL = bytes(FRAME_BYTES_USUAL)


@pytest.fixture
def client() -> StateClient:
    return StateClient()


# Beginning.


def test_the_server_sends_its_settings_and_acknowledges_those_of_the_peer(client: StateClient) -> None:
    first, window, ack = client.greeting
    sent = dict(struct.iter_unpack(">HI", first[3]))
    assert (first[0], sent[FrameSetting.MAX_CONCURRENT_STREAMS]) == (Kind.SETTINGS, STREAMS_MAX)
    assert sent[FrameSetting.INITIAL_WINDOW_SIZE] == STREAM_WINDOW
    assert window == (Kind.WINDOW_UPDATE, 0, 0, (CONNECTION_WINDOW - WINDOW_USUAL).to_bytes(4, "big"))
    assert ack == (Kind.SETTINGS, ACK, 0, b"")


def test_a_refused_connection_gets_goaway_alone() -> None:
    state = Http2State(0.0)
    state.refuse(Fault.ENHANCE_YOUR_CALM, "too many connections")
    assert state.over
    assert state.receive(PREFACE, 0.0) == []
    assert b"".join(state.take_output())[9:] == bytes(4) + Fault.ENHANCE_YOUR_CALM.to_bytes(4, "big") + b"too many connections"


# Receiving.


def test_a_request_in_single_bytes_is_the_same_request(client: StateClient) -> None:
    block = client.encoder.encode([(":method", "GET"), (":scheme", "http"), (":path", "/long/path"), ("many", "fields" * 10)])
    data = frame(Kind.HEADERS, 0, 1, block[:5]) + frame(Kind.CONTINUATION, 0, 1, block[5:9])
    data += frame(Kind.CONTINUATION, END_HEADERS, 1, block[9:]) + frame(Kind.DATA, END_STREAM, 1, b"abc")
    first, *rest = [event for byte in data for event in client.send(bytes((byte,)))]
    assert isinstance(first, RequestReceived)
    assert (first.head.path, first.head.headers[b"many"], first.ended) == (b"/long/path", b"fields" * 10, False)
    parts = [(bytes(each.data), each.ended) for each in rest if isinstance(each, DataReceived)]
    assert parts == [(b"a", False), (b"b", False), (b"c", True)]


def test_padding_and_priority_are_removed_and_padding_counts_against_the_window(client: StateClient) -> None:
    block = client.headers(1)[9:]
    padded = b"\x04" + bytes(5) + block + bytes(4)
    (opened,) = client.send(frame(Kind.HEADERS, END_HEADERS | PADDED | PRIORITY_FIELDS, 1, padded))
    assert isinstance(opened, RequestReceived)
    assert opened.head.path == b"/path"
    data = frame(Kind.DATA, PADDED | END_STREAM, 1, b"\x03abc" + bytes(3))
    (event,) = [*client.send(data[:12]), *client.send(data[12:])]
    assert isinstance(event, DataReceived)
    assert (bytes(event.data), event.ended) == (b"abc", True)
    assert opened.stream.receive_window == STREAM_WINDOW - 7


def test_data_is_a_view_into_the_received_bytes(client: StateClient) -> None:
    client.open(1)
    whole, part = frame(Kind.DATA, 0, 1, FULL), frame(Kind.DATA, END_STREAM, 1, FULL)
    received = whole + part[:1000]
    events = client.send(received)
    assert [isinstance(each, DataReceived) and each.data.obj is received for each in events] == [True, True]
    assert [isinstance(each, DataReceived) and each.ended for each in client.send(part[1000:])] == [True]


def test_trailers_end_a_request(client: StateClient) -> None:
    stream = client.open(1)
    (event,) = client.send(frame(Kind.HEADERS, END_HEADERS | END_STREAM, 1, client.encoder.encode([("checksum", "1")])))
    assert event == DataReceived(stream, memoryview(b""), True)
    assert stream.half_closed


def test_repeated_header_blocks_are_decoded_from_the_table(client: StateClient) -> None:
    heads = []
    for number in (1, 3, 5, 7):
        (event,) = client.send(client.headers(number, END_STREAM, path=f"/{number // 4}"))
        assert isinstance(event, RequestReceived)
        heads.append(event.head.path)
    assert heads == [b"/0", b"/0", b"/1", b"/1"]


def test_a_limited_number_of_frames_is_handled_at_once(client: StateClient) -> None:
    """The rest waits, whole, until the transport asks again: other connections have their turn in between."""
    count = TURN_COST // REQUEST_COST
    data = b"".join(client.headers(number, END_STREAM) for number in range(1, 4 * count, 2)) + FULL[:20]
    events = client.state.receive(data, 0.0)
    assert [type(event) for event in events] == [RequestReceived] * count
    assert client.state.behind
    later = client.state.receive(b"", 0.0)
    assert [event.stream.number for event in later if isinstance(event, RequestReceived)] == list(
        range(2 * count + 1, 4 * count, 2)
    )
    client.state.receive(b"", 0.0)
    assert not client.state.behind


def test_taken_data_widens_the_windows(client: StateClient) -> None:
    stream = client.open(1)
    for _ in range(STREAM_WINDOW // 2 // len(FULL) + 1):
        client.send(frame(Kind.DATA, 0, 1, FULL))
    taken = STREAM_WINDOW - stream.receive_window
    client.state.replenish(stream)
    client.state.replenish(stream)
    assert client.frames() == [(Kind.WINDOW_UPDATE, 0, 1, taken.to_bytes(4, "big"))]
    assert stream.receive_window == STREAM_WINDOW


def test_data_of_a_closed_stream_is_discarded_and_widens_the_connection(client: StateClient) -> None:
    stream = client.open(1)
    client.state.fail(stream, TRAILERS, 0.0)
    assert [each[0] for each in client.frames()] == [Kind.HEADERS, Kind.RST_STREAM]
    count = CONNECTION_WINDOW // 2 // len(FULL) + 1
    assert client.send(frame(Kind.DATA, 0, 1, FULL) * count) == []
    assert client.frames() == [(Kind.WINDOW_UPDATE, 0, 0, (count * len(FULL)).to_bytes(4, "big"))]


# Sending.


def test_a_response_is_two_header_blocks_around_its_data_and_its_parts_are_not_copied(client: StateClient) -> None:
    stream = client.open(1, END_STREAM)
    parts = [b"first", b"second" * 100]
    assert client.state.send_response(stream, HEAD, parts, TRAILERS, 0.0)
    output = client.state.take_output()
    assert [piece for piece in output if any(piece is part for part in parts)] == parts
    assert client.response(1, output) == ([*HEAD, *TRAILERS], b"".join(parts), True)
    assert stream.closed
    assert not client.state.streams


def test_a_large_response_is_sent_in_frames_that_are_views(client: StateClient) -> None:
    large = bytes(60_000)
    client.state.send_response(client.open(1, END_STREAM), HEAD, [b"x", large], TRAILERS, 0.0)
    output = client.state.take_output()
    views = [piece for piece in output if isinstance(piece, memoryview)]
    assert sum(map(len, views)) == 60_001
    assert all(piece.obj is large for piece in views if len(piece) > 1)
    assert all(len(payload) <= FRAME_BYTES_USUAL for _, _, _, payload in client.frames(output))


def test_frames_have_the_size_that_the_peer_allows(client: StateClient) -> None:
    client.send(settings({FrameSetting.MAX_FRAME_SIZE: 60_000}))
    client.state.send_response(client.open(1, END_STREAM), HEAD, [bytes(50_000)], TRAILERS, 0.0)
    assert [len(payload) for kind, _, _, payload in client.frames() if kind == Kind.DATA] == [50_000]


def test_data_waits_for_the_window_of_its_stream_and_the_trailers_wait_for_it() -> None:
    client = StateClient(window=100)
    stream = client.open(1, END_STREAM)
    client.state.send_headers(stream, HEAD)
    assert not client.state.send_data(stream, [bytes(150), bytes(60)], 0.0)
    assert not client.state.end(stream, TRAILERS, 0.0)
    assert (len(client.response(1)[1]), stream.waiting_bytes) == (100, 110)
    assert client.send(window_update(1, 100)) == []
    assert client.send(window_update(1, 100)) == [StreamEnded(stream)]
    assert client.response(1) == ([*TRAILERS], bytes(110), True)


def test_a_drained_stream_is_reported_and_takes_more() -> None:
    client = StateClient(window=100)
    stream = client.open(1)
    client.state.send_headers(stream, HEAD)
    client.state.send_data(stream, [bytes(150)], 0.0)
    assert client.send(window_update(1, 1000)) == [StreamDrained(stream)]
    assert client.state.send_data(stream, [bytes(150)], 0.0)
    assert len(client.response(1)[1]) == 300


def test_streams_take_turns_at_the_window_of_the_connection(client: StateClient) -> None:
    streams = [client.open(number, END_STREAM) for number in (1, 3)]
    for stream in streams:
        client.state.send_response(stream, HEAD, [bytes(WINDOW_USUAL)], TRAILERS, 0.0)
    assert streams[0].closed  # used the window up
    assert streams[1].waiting_bytes == WINDOW_USUAL
    third = client.open(5, END_STREAM)
    client.state.send_response(third, HEAD, [bytes(1000)], TRAILERS, 0.0)
    client.frames()
    client.send(window_update(0, 500))
    client.send(window_update(0, 500))
    assert [(number, len(payload)) for kind, _, number, payload in client.frames() if kind == Kind.DATA] == [(3, 500), (5, 500)]


def test_settings_widen_and_narrow_the_windows_of_open_streams() -> None:
    client = StateClient(window=100)
    stream = client.open(1)
    client.state.send_headers(stream, HEAD)
    client.state.send_data(stream, [bytes(300)], 0.0)
    assert client.send(settings({FrameSetting.INITIAL_WINDOW_SIZE: 50})) == []
    assert stream.send_window == -50
    client.send(window_update(1, 60))
    assert client.send(settings({FrameSetting.INITIAL_WINDOW_SIZE: 1000})) == [StreamDrained(stream)]
    assert len(client.response(1)[1]) == 300
    assert stream.send_window == 1060 - 300


def test_settings_may_widen_a_window_to_the_largest_and_not_beyond(client: StateClient) -> None:
    stream = client.open(1)
    client.send(window_update(1, 1))
    assert client.send(settings({FrameSetting.INITIAL_WINDOW_SIZE: WINDOW_MAX - 1})) == []
    assert stream.send_window == WINDOW_MAX
    assert client.failure(settings({FrameSetting.INITIAL_WINDOW_SIZE: WINDOW_MAX})) is Fault.FLOW_CONTROL


def test_nothing_is_sent_while_the_transport_is_full_but_replies(client: StateClient) -> None:
    stream = client.open(1, END_STREAM)
    client.state.pause_sending(0.0)
    assert not client.state.send_response(stream, HEAD, [b"data"], TRAILERS, 0.0)
    client.send(frame(Kind.PING, 0, 0, b"12345678"))
    assert [each for each in client.frames() if each[0] != Kind.HEADERS] == [(Kind.PING, ACK, 0, b"12345678")]
    assert client.state.resume_sending(1.0) == [StreamEnded(stream)]


def test_an_error_discards_what_waits() -> None:
    client = StateClient(window=10)
    stream = client.open(1, END_STREAM)
    client.state.send_headers(stream, HEAD)
    client.state.send_data(stream, [bytes(100)], 0.0)
    client.state.fail(stream, ((b"result", b"bad"),), 0.0)
    assert client.response(1) == ([*HEAD, (b"result", b"bad")], bytes(10), True)
    assert client.send(window_update(0, 1000)) == []
    assert client.frames() == []


@pytest.mark.parametrize("by_peer", [True, False])
def test_a_closed_stream_does_not_wait_for_the_window_of_the_connection(client: StateClient, by_peer: bool) -> None:
    for number in (1, 3):
        client.state.send_response(client.open(number, END_STREAM), HEAD, [bytes(WINDOW_USUAL)], TRAILERS, 0.0)
    stream = client.state.streams[3]
    if by_peer:
        client.send(reset(3, Fault.CANCEL))
    else:
        client.state.fail(stream, TRAILERS, 0.0)
    client.frames()
    assert stream.waiting_bytes == 0
    assert client.send(window_update(0, 1000)) == []
    assert client.frames() == []


def test_a_peer_without_a_table_is_sent_no_indexes_and_the_size_of_the_table(client: StateClient) -> None:
    client.state.send_response(client.open(1, END_STREAM), HEAD, [b"x"], TRAILERS, 0.0)
    client.frames()
    client.send(settings({FrameSetting.HEADER_TABLE_SIZE: 0}))
    client.decoder.max_allowed_table_size = 0
    for number in (3, 5):
        client.state.send_response(client.open(number, END_STREAM), HEAD, [b"x"], TRAILERS, 0.0)
        assert client.response(number) == ([*HEAD, *TRAILERS], b"x", True)


# Ends.


def test_a_reset_stream_ignores_what_is_sent_on_it(client: StateClient) -> None:
    stream = client.open(1)
    assert client.send(reset(1, Fault.CANCEL)) == [StreamReset(stream)]
    client.state.send_headers(stream, HEAD)
    assert client.state.send_data(stream, [b"x"], 0.0)
    assert client.state.end(stream, TRAILERS, 0.0)
    client.state.fail(stream, TRAILERS, 0.0)
    client.state.reset(stream, Fault.CANCEL)
    client.state.replenish(stream)
    assert client.frames() == []


def test_too_many_streams_are_refused(client: StateClient) -> None:
    for number in range(1, 2 * STREAMS_MAX, 2):
        client.open(number)
    last = 2 * STREAMS_MAX + 1
    assert client.send(client.headers(last)) == []
    assert client.frames()[-1] == (Kind.RST_STREAM, 0, last, Fault.REFUSED_STREAM.to_bytes(4, "big"))


def test_goaway_refuses_further_streams_and_ends_after_the_last_response(client: StateClient) -> None:
    stream = client.open(1, END_STREAM)
    client.state.go_away()
    client.state.go_away()
    assert client.frames() == [(Kind.GOAWAY, 0, 0, (1).to_bytes(4, "big") + bytes(4))]
    assert client.send(client.headers(3)) == []
    assert client.frames() == [(Kind.RST_STREAM, 0, 3, Fault.REFUSED_STREAM.to_bytes(4, "big"))]
    assert not client.state.over
    client.state.send_response(stream, HEAD, [b"x"], TRAILERS, 0.0)
    assert client.state.over


def test_goaway_of_the_peer_leaves_its_streams(client: StateClient) -> None:
    stream = client.open(1, END_STREAM)
    assert client.send(frame(Kind.GOAWAY, 0, 0, bytes(8))) == []
    client.state.send_response(stream, HEAD, [b"x"], TRAILERS, 0.0)
    assert client.response(1) == ([*HEAD, *TRAILERS], b"x", True)


def test_what_arrived_before_an_error_is_reported_and_nothing_after_it(client: StateClient) -> None:
    events = client.send(client.headers(1) + frame(Kind.PUSH_PROMISE, 0, 1, bytes(8)) + client.headers(3))
    assert [type(each).__name__ for each in events] == ["RequestReceived", "ConnectionFailed"]
    assert client.send(client.headers(5)) == []


# Times.


def test_a_peer_that_sends_no_preface_or_half_a_header_block_or_does_not_read_is_stalled(client: StateClient) -> None:
    silent, half, full = Http2State(0.0), StateClient(), StateClient()
    half.now_s = 5.0
    half.send(frame(Kind.HEADERS, 0, 1, b"\x82"))
    full.state.pause_sending(5.0)
    for state, since_s in ((silent, 0.0), (half.state, 5.0), (full.state, 5.0)):
        assert state.check_time(since_s + RECEIVE_S, RECEIVE_S, IDLE_S) == []
        assert state.check_time(since_s + RECEIVE_S + 0.1, RECEIVE_S, IDLE_S) == [PeerStalled()]
    assert client.state.check_time(RECEIVE_S + 0.1, RECEIVE_S, IDLE_S) == []


def test_an_idle_connection_is_over_one_with_streams_is_not(client: StateClient) -> None:
    stream = client.open(1)
    client.state.check_time(IDLE_S + 1, RECEIVE_S, IDLE_S)
    assert not client.state.draining
    client.state.send_response(stream, HEAD, [b"x"], TRAILERS, IDLE_S)
    client.state.check_time(2 * IDLE_S, RECEIVE_S, IDLE_S)
    assert not client.state.over
    client.state.check_time(2 * IDLE_S + 0.1, RECEIVE_S, IDLE_S)
    assert client.state.over
    assert client.frames()[-1][0] == Kind.GOAWAY


def test_a_response_that_is_not_taken_in_time_is_reset() -> None:
    client = StateClient(window=10)
    stream = client.open(1, END_STREAM)
    client.state.send_response(stream, HEAD, [bytes(100)], TRAILERS, 0.0)
    client.now_s = RECEIVE_S
    client.send(window_update(1, 10))
    client.frames()
    assert client.state.check_time(2 * RECEIVE_S, RECEIVE_S, IDLE_S) == []
    assert client.state.check_time(2 * RECEIVE_S + 0.1, RECEIVE_S, IDLE_S) == [StreamReset(stream)]
    assert client.frames() == [(Kind.RST_STREAM, 0, 1, Fault.CANCEL.to_bytes(4, "big"))]
    assert stream.closed
