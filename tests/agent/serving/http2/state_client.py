"""The peer of an `Http2State`: frames in, events and frames out, no socket."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import hpack

from edgefleet_agent.serving.http2.connection_state import Http2State
from edgefleet_agent.serving.http2.events import ConnectionFailed, Event, RequestReceived
from edgefleet_agent.serving.http2.frame_sender import Piece
from edgefleet_agent.serving.http2.frames import END_HEADERS, END_STREAM, PREFACE, Fault, FrameSetting, Kind, frame, settings
from edgefleet_agent.serving.http2.stream import Stream

HEAD = ((b":status", b"200"), (b"content-type", b"text/plain"))
TRAILERS = ((b"result", b"good"),)


class StateClient:
    """Sends frames to a state of its own at `now_s`. window: its initial window for each stream."""

    def __init__(self, window: int = 2**20) -> None:
        self.state = Http2State(0.0)
        self.now_s = 0.0
        self.encoder = hpack.Encoder()
        self.decoder = hpack.Decoder()
        self.state.send_settings()
        assert self.send(PREFACE + settings({FrameSetting.INITIAL_WINDOW_SIZE: window})) == []
        self.greeting = self.frames()

    def send(self, data: bytes) -> list[Event]:
        """The events of bytes, until none of them waits."""
        events = self.state.receive(data, self.now_s)
        while self.state.behind:
            events += self.state.receive(b"", self.now_s)
        return events

    def headers(self, number: int, flags: int = 0, path: str = "/path") -> bytes:
        """A HEADERS frame of a request."""
        pairs = [(":method", "POST"), (":scheme", "http"), (":path", path), ("te", "trailers")]
        return frame(Kind.HEADERS, END_HEADERS | flags, number, self.encoder.encode(pairs))

    def open(self, number: int, flags: int = 0) -> Stream:
        """Open a stream."""
        (event,) = self.send(self.headers(number, flags))
        assert isinstance(event, RequestReceived)
        return event.stream

    def failure(self, data: bytes) -> Fault:
        """The reason for which bytes end the connection: that of the last event, and of GOAWAY."""
        event = self.send(data)[-1]
        assert isinstance(event, ConnectionFailed)
        kind, _, _, payload = self.frames()[-1]
        assert (kind, int.from_bytes(payload[4:8], "big")) == (Kind.GOAWAY, event.fault)
        assert event.text.encode() == payload[8:]
        assert self.state.over
        return event.fault

    def frames(self, output: Sequence[Piece] | None = None) -> list[tuple[int, int, int, bytes]]:
        """Type, flags, stream and payload of the frames in `output`, or in the state's output."""
        data = b"".join(self.state.take_output() if output is None else output)
        found, at = [], 0
        while at < len(data):
            word, flags, number = struct.unpack_from(">IBI", data, at)
            end = at + 9 + (word >> 8)
            assert end <= len(data)
            found.append((word & 255, flags, number, data[at + 9 : end]))
            at = end
        return found

    def response(self, number: int, output: Sequence[Piece] | None = None) -> tuple[list[tuple[bytes, bytes]], bytes, bool]:
        """Fields, data and end of one stream in `output`, or in the state's output."""
        fields: list[tuple[bytes, bytes]] = []
        body, ended = b"", False
        for kind, flags, of, payload in self.frames(output):
            if kind == Kind.HEADERS:
                decoded = [(bytes(name), bytes(value)) for name, value in self.decoder.decode(payload, raw=True)]
                fields += decoded if of == number else []
            elif kind == Kind.DATA and of == number:
                body += payload
            ended |= of == number and kind in (Kind.HEADERS, Kind.DATA) and bool(flags & END_STREAM)
        return fields, body, ended
