"""Frames that break RFC 9113 end the connection with their error code."""

from __future__ import annotations

import pytest

from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.events import ConnectionFailed
from edgefleet_agent.serving.http2.frames import (
    END_HEADERS,
    END_STREAM,
    FRAME_BYTES_USUAL,
    HEADERS_BYTES_MAX,
    PADDED,
    SETTINGS_MAX,
    WINDOW_MAX,
    Fault,
    FrameSetting,
    Kind,
    frame,
    reset,
    settings,
    window_update,
)
from edgefleet_agent.serving.http2.limits import CONNECTION_WINDOW, DATA_BYTES_MAX, STREAM_WINDOW
from tests.agent.serving.http2.state_client import StateClient

FULL = bytes(FRAME_BYTES_USUAL)
OPEN_BLOCK = frame(Kind.HEADERS, 0, 3, b"\x82")
"""An incomplete block."""


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nno"])
def test_bytes_that_are_not_http2(data: bytes) -> None:
    (event,) = Http2State(0.0).receive(data, 0.0)
    assert isinstance(event, ConnectionFailed)
    assert event.fault is Fault.PROTOCOL


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (frame(Kind.DATA, 0, 0, b"x"), Fault.PROTOCOL),
        (frame(Kind.DATA, 0, 3, b"x"), Fault.PROTOCOL),
        (frame(Kind.DATA, PADDED, 1), Fault.PROTOCOL),
        (frame(Kind.DATA, PADDED, 1, b"\x02x"), Fault.PROTOCOL),
        (frame(Kind.DATA, END_STREAM, 1) + frame(Kind.DATA, 0, 1, b"x"), Fault.STREAM_CLOSED),
        (frame(Kind.HEADERS, END_HEADERS, 0, b"\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, END_HEADERS, 2, b"\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, END_HEADERS, 3, b"\xff\xff\xff\xff\xff\xff\x0f"), Fault.COMPRESSION),
        (frame(Kind.HEADERS, END_HEADERS, 3, b"\xfe"), Fault.COMPRESSION),
        (frame(Kind.HEADERS, END_HEADERS | PADDED, 3, b"\xff\x82"), Fault.PROTOCOL),
        (frame(Kind.HEADERS, END_HEADERS | PADDED, 3), Fault.PROTOCOL),
        (OPEN_BLOCK + frame(Kind.PING, 0, 0, bytes(8)), Fault.PROTOCOL),
        (OPEN_BLOCK + frame(Kind.DATA, 0, 1, b"x"), Fault.PROTOCOL),
        (OPEN_BLOCK + frame(Kind.CONTINUATION, END_HEADERS, 1, b"\x82"), Fault.PROTOCOL),
        (frame(Kind.CONTINUATION, END_HEADERS, 1, b"\x82"), Fault.PROTOCOL),
        (OPEN_BLOCK + frame(Kind.CONTINUATION, 0, 3, bytes(HEADERS_BYTES_MAX)), Fault.ENHANCE_YOUR_CALM),
        (OPEN_BLOCK + frame(Kind.CONTINUATION, 0, 3), Fault.ENHANCE_YOUR_CALM),
        (frame(Kind.PING, 0, 0, b"short"), Fault.FRAME_SIZE),
        (frame(Kind.PING, 0, 1, bytes(8)), Fault.PROTOCOL),
        (frame(Kind.SETTINGS, 0, 0, b"short"), Fault.FRAME_SIZE),
        (frame(Kind.SETTINGS, 0, 1), Fault.PROTOCOL),
        (frame(Kind.SETTINGS, 0, 0, bytes(6) * (SETTINGS_MAX + 1)), Fault.ENHANCE_YOUR_CALM),
        (settings({FrameSetting.INITIAL_WINDOW_SIZE: 2**31}), Fault.FLOW_CONTROL),
        (window_update(1, 1) + settings({FrameSetting.INITIAL_WINDOW_SIZE: WINDOW_MAX}), Fault.FLOW_CONTROL),
        (settings({FrameSetting.MAX_FRAME_SIZE: FRAME_BYTES_USUAL - 1}), Fault.PROTOCOL),
        (settings({FrameSetting.MAX_FRAME_SIZE: 2**24}), Fault.PROTOCOL),
        (window_update(0, 0), Fault.PROTOCOL),
        (window_update(0, WINDOW_MAX), Fault.FLOW_CONTROL),
        (frame(Kind.WINDOW_UPDATE, 0, 0, b"x"), Fault.FRAME_SIZE),
        (frame(Kind.RST_STREAM, 0, 1, b"x"), Fault.FRAME_SIZE),
        (reset(0, Fault.CANCEL), Fault.PROTOCOL),
        (reset(9, Fault.CANCEL), Fault.PROTOCOL),
        (frame(Kind.PUSH_PROMISE, 0, 1, bytes(8)), Fault.PROTOCOL),
        ((DATA_BYTES_MAX + 1).to_bytes(3, "big") + bytes((Kind.DATA, 0, 0, 0, 0, 1)), Fault.FRAME_SIZE),
        ((FRAME_BYTES_USUAL + 1).to_bytes(3, "big") + bytes((Kind.DATA, PADDED, 0, 0, 0, 1)), Fault.FRAME_SIZE),
        ((FRAME_BYTES_USUAL + 1).to_bytes(3, "big") + bytes((Kind.HEADERS, 0, 0, 0, 0, 1)), Fault.FRAME_SIZE),
    ],
)
def test_a_broken_frame(data: bytes, fault: Fault) -> None:
    """Stream 1 is open."""
    client = StateClient()
    client.open(1)
    assert client.failure(data) is fault


def test_more_data_than_the_window_of_a_stream() -> None:
    client = StateClient()
    client.open(1)
    client.send(frame(Kind.DATA, 0, 1, FULL) * (STREAM_WINDOW // len(FULL)))
    assert client.failure(frame(Kind.DATA, 0, 1, b"x")) is Fault.FLOW_CONTROL


def test_padding_is_counted_against_the_window_of_a_stream() -> None:
    client = StateClient()
    stream = client.open(1)
    client.send(frame(Kind.DATA, 0, 1, FULL) * (STREAM_WINDOW // len(FULL) - 1))
    client.send(frame(Kind.DATA, 0, 1, bytes(len(FULL) - 2)))
    assert stream.receive_window == 2
    assert client.failure(frame(Kind.DATA, PADDED, 1, b"\x01x\0")) is Fault.FLOW_CONTROL


def test_the_window_of_the_connection_is_widened_before_it_is_used_up() -> None:
    client = StateClient()
    frames = CONNECTION_WINDOW // len(FULL)
    for number in range(1, 2 * (CONNECTION_WINDOW // STREAM_WINDOW), 2):
        client.open(number)
        client.send(frame(Kind.DATA, 0, number, FULL) * (STREAM_WINDOW // len(FULL)))
    widened = [int.from_bytes(payload, "big") for kind, _, number, payload in client.frames() if kind == Kind.WINDOW_UPDATE]
    assert sum(widened) > CONNECTION_WINDOW // 2
    assert sum(widened) <= frames * len(FULL)


def test_an_unknown_frame_and_an_unknown_setting_are_ignored() -> None:
    client = StateClient()
    assert client.send(frame(Kind.PRIORITY, 0, 1, bytes(5))) == []
    assert client.send(b"\x00\x00\x01\x63\xff\x00\x00\x00\x00x") == []
    assert client.send(frame(Kind.SETTINGS, 0, 0, b"\x00\x63" + bytes(4))) == []
    assert [each[0] for each in client.frames()] == [Kind.SETTINGS]
