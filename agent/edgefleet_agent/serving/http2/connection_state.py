"""State of one connection, without I/O.

    for event in state.receive(data, now_s): ...     # again with b"" while state.behind
    state.send_headers(stream, fields); state.send_data(stream, parts, now_s); state.end(stream, trailers, now_s)
    write(state.take_output())
    if state.over: close()

Limits and error codes are those of RFC 9113; floods of frames that are cheap to send end the connection (`FloodGuard`). The time
is an argument of what needs it, in seconds of one monotonic clock.
"""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_agent.serving.http2 import frames as h2
from edgefleet_agent.serving.http2.closed_streams import ClosedStreams
from edgefleet_agent.serving.http2.events import (
    ConnectionFailed,
    DataReceived,
    Event,
    PeerStalled,
    RequestReceived,
    StreamDrained,
    StreamEnded,
    StreamReset,
)
from edgefleet_agent.serving.http2.flood_guard import FloodGuard
from edgefleet_agent.serving.http2.frame_reader import FrameReader
from edgefleet_agent.serving.http2.frame_rules import check_frame
from edgefleet_agent.serving.http2.frame_sender import FrameSender, Piece
from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault, FrameSetting, Kind
from edgefleet_agent.serving.http2.header_block import Block, HeaderBlock
from edgefleet_agent.serving.http2.header_reader import Head, HeaderReader
from edgefleet_agent.serving.http2.header_rules import trailer_fault
from edgefleet_agent.serving.http2.header_writer import Fields
from edgefleet_agent.serving.http2.limits import CONNECTION_WINDOW, DATA_BYTES_MAX, STREAM_WINDOW, STREAMS_MAX
from edgefleet_agent.serving.http2.stream import Stream

_EMPTY = memoryview(b"")
_DATA, _HEADERS = int(Kind.DATA), int(Kind.HEADERS)  # numbers compare faster than members
_SETTINGS, _CONTINUATION = int(Kind.SETTINGS), int(Kind.CONTINUATION)


class Http2State:
    """One connection of a server. Not for several threads.

    streams: open ones, by number. draining: GOAWAY was sent, further streams are refused. now_s: time of the last received bytes.
    """

    def __init__(self, now_s: float) -> None:
        self.streams: dict[int, Stream] = {}
        self.draining = False
        self._failed = False
        self._guard = FloodGuard()
        self._reader = FrameReader()
        self._headers = HeaderReader()
        self._sender = FrameSender(self._guard)
        self._block = HeaderBlock()
        self._last_stream = 0
        self._closed = ClosedStreams()
        self._settings_received = False
        self._receive_window = CONNECTION_WINDOW
        self._events: list[Event] = []
        self.now_s = self._since_s = now_s

    # Of the transport.

    @property
    def over(self) -> bool:
        """Whether the connection has to be closed once the output is written."""
        return self._failed or (self.draining and not self.streams)

    @property
    def unsent(self) -> bool:
        """Whether there is output, or the connection is over."""
        return bool(self._sender.output) or self.over

    @property
    def behind(self) -> bool:
        """Whether received bytes wait to be handled by the next call of `receive`."""
        return self._reader.behind and not self._failed

    @property
    def awaited(self) -> tuple[int, int]:
        """The stream and the missing bytes of the DATA frame that has begun; (0, 0) if none has."""
        return self._reader.awaited()

    @property
    def used(self) -> bool:
        """Whether the peer has opened a stream."""
        return self._last_stream > 0

    def send_settings(self) -> None:
        """Send the server's settings: the first thing on an accepted connection."""
        values = {
            FrameSetting.MAX_CONCURRENT_STREAMS: STREAMS_MAX,
            FrameSetting.INITIAL_WINDOW_SIZE: STREAM_WINDOW,
            FrameSetting.MAX_FRAME_SIZE: DATA_BYTES_MAX,
            FrameSetting.MAX_HEADER_LIST_SIZE: h2.HEADERS_BYTES_MAX,
        }
        self._sender.output.append(h2.settings(values) + h2.window_update(0, CONNECTION_WINDOW - h2.WINDOW_USUAL))

    def refuse(self, fault: Fault, text: str) -> None:
        """Send GOAWAY; nothing is received from here on."""
        self._failed = True
        self._sender.output.append(h2.goaway(self._last_stream, fault, text))

    def go_away(self) -> None:
        """Refuse further streams; the connection is over after the last response."""
        if not self.draining and not self._failed:
            self.draining = True
            self._sender.output.append(h2.goaway(self._last_stream, Fault.NO_ERROR, ""))

    def receive(self, data: bytes | memoryview, now_s: float) -> list[Event]:
        """Take received bytes, and handle a limited number of frames; returns their events, of which the last may be
        `ConnectionFailed`."""
        if self._failed:
            return []
        self.now_s = now_s
        events = self._events = []
        try:
            for kind, flags, number, payload, size in self._reader.read(data):
                if self._block.started is not None and kind != _CONTINUATION:
                    raise BrokenConnectionError(Fault.PROTOCOL, "a header block was not continued")
                if not self._settings_received and kind != _SETTINGS:
                    raise BrokenConnectionError(Fault.PROTOCOL, "the first frame is not SETTINGS")
                if kind == _DATA:
                    self._on_data(flags, number, payload, size)
                elif kind == _HEADERS:
                    self._take_block(self._block.begin(flags, number, payload))
                    if self._block.started is not None:
                        self._since_s = now_s
                else:
                    check_frame(kind, flags, number, size)
                    self._on_control_frame(kind, flags, number, payload)
        except BrokenConnectionError as broken:
            self.refuse(broken.fault, str(broken))
            events.append(ConnectionFailed(broken.fault, str(broken)))
        return events

    def take_output(self) -> list[Piece]:
        """The bytes to send, in pieces."""
        output = self._sender.output
        self._sender.output = []
        return output

    def pause_sending(self, now_s: float) -> None:
        """Queue data of responses from here on: the peer does not read."""
        self._sender.paused = True
        self._since_s = now_s

    def resume_sending(self, now_s: float) -> list[Event]:
        """Send queued data again."""
        self._sender.paused = False
        self.now_s = self._since_s = now_s
        events = self._events = []
        self._pump_all()
        return events

    def check_time(self, now_s: float, receive_s: float, idle_s: float) -> list[Event]:
        """Find what takes too long. receive_s: for preface, headers and taking data. idle_s: without streams."""
        waited_s = now_s - self._since_s
        pending = self._sender.paused or not self._reader.preface_received or self._block.started is not None or self.draining
        if pending and waited_s > receive_s:
            return [PeerStalled()]
        if not self.streams and waited_s > idle_s:
            self.go_away()
        late = [each for each in self.streams.values() if each.waiting_bytes and now_s - each.progress_s > receive_s]
        for stream in late:
            self.reset(stream, Fault.CANCEL)
        return [StreamReset(stream) for stream in late]

    # Of the application. A closed stream ignores all.

    def send_response(self, stream: Stream, fields: Fields, parts: Sequence[bytes], trailers: Fields, now_s: float) -> bool:
        """Send headers, data and trailers, and close the stream. Whether all was sent; otherwise `StreamEnded` follows."""
        if not stream.closed:
            if not self._sender.send_response(stream, fields, parts, trailers):
                self._sender.send_headers(stream, fields)
                self._sender.send_data(stream, parts, now_s)
                return self.end(stream, trailers, now_s)
            self._close_ended(stream, now_s)
        return True

    def send_headers(self, stream: Stream, fields: Fields) -> None:
        """Send the headers of a response."""
        if not stream.closed:
            self._sender.send_headers(stream, fields)

    def send_data(self, stream: Stream, parts: Sequence[bytes], now_s: float) -> bool:
        """Send data, which must not be changed afterwards. Whether all was sent; otherwise `StreamDrained` follows."""
        return stream.closed or self._sender.send_data(stream, parts, now_s)

    def end(self, stream: Stream, trailers: Fields, now_s: float) -> bool:
        """Send the trailers after the data and close the stream. Whether all was sent; otherwise `StreamEnded` follows."""
        if stream.closed:
            return True
        if stream.waiting_bytes:
            stream.trailers = trailers
            return False
        self._sender.send_headers(stream, trailers, last=True)
        self._close_ended(stream, now_s)
        return True

    def fail(self, stream: Stream, fields: Fields, now_s: float) -> None:
        """Discard queued data, send the headers or trailers of an error, and close the stream."""
        if not stream.closed:
            self._sender.forget(stream)
            self._sender.send_headers(stream, fields, last=True, remember=False)
            self._close_ended(stream, now_s)

    def reset(self, stream: Stream, fault: Fault) -> None:
        """Close a stream without an end of its response."""
        if self._close(stream):
            self._refuse_stream(stream.number, fault, ended=stream.half_closed)

    def replenish(self, stream: Stream) -> None:
        """Widen the receive window of a stream whose data was taken."""
        if stream.receive_window < STREAM_WINDOW // 2 and not stream.closed and not stream.half_closed:
            self._sender.output.append(h2.window_update(stream.number, STREAM_WINDOW - stream.receive_window))
            stream.receive_window = STREAM_WINDOW

    # Frames.

    def _on_data(self, flags: int, number: int, payload: memoryview, size: int) -> None:
        if not number or number > self._last_stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "data of a stream that was not opened")
        stream = self.streams.get(number)
        self._receive_window -= size
        if stream is not None:
            stream.receive_window -= size
        if self._receive_window < 0 or (stream is not None and stream.receive_window < 0):
            raise BrokenConnectionError(Fault.FLOW_CONTROL, "more data than the window allows")
        if not payload or stream is None:
            self._guard.control_frame()
        # Memory is limited by the size of messages, not by the window of the connection.
        if self._receive_window < CONNECTION_WINDOW // 2:
            self._sender.output.append(h2.window_update(0, CONNECTION_WINDOW - self._receive_window))
            self._receive_window = CONNECTION_WINDOW
        ended = bool(flags & h2.END_STREAM)
        if stream is None:
            self._closed.check_data(number, ended=ended)
            return
        if stream.half_closed:
            raise BrokenConnectionError(Fault.STREAM_CLOSED, "data behind the end of a stream")
        stream.half_closed = ended
        if stream.expected_bytes is not None:
            stream.expected_bytes -= len(payload)
            if stream.expected_bytes < 0 or (ended and stream.expected_bytes):
                self._fail_stream(stream, Fault.PROTOCOL)
                return
        self._events.append(DataReceived(stream, payload, ended))

    def _on_control_frame(self, kind: int, flags: int, number: int, payload: memoryview) -> None:
        if kind == Kind.CONTINUATION:
            self._take_block(self._block.go_on(flags, number, payload))
        elif kind == Kind.WINDOW_UPDATE:
            self._on_window_update(number, payload)
        elif kind == Kind.RST_STREAM:
            self._on_reset(number)
        elif kind == Kind.SETTINGS:
            self._on_settings(flags, payload)
        elif kind == Kind.PING:
            self._on_ping(flags, payload)
        elif kind == Kind.PUSH_PROMISE:
            raise BrokenConnectionError(Fault.PROTOCOL, "a client does not push")
        else:  # PRIORITY, GOAWAY (its streams are still answered), unknown
            self._guard.control_frame()

    def _take_block(self, whole: Block | None) -> None:
        if whole is None:
            return
        number, flags, block = whole
        head = self._headers.read(block)
        ended = bool(flags & h2.END_STREAM)
        if number <= self._last_stream:
            self._on_trailers(number, head, ended)
            return
        self._last_stream = number
        self._closed.opened(number)
        self._guard.stream_opened()
        announced = head.headers.get(b"content-length")
        broken = head.fault or (ended and announced is not None and int(announced))
        if broken or len(self.streams) >= STREAMS_MAX or self.draining:
            self._refuse_stream(number, Fault.PROTOCOL if broken else Fault.REFUSED_STREAM, ended=ended)
            self._guard.stream_reset()
            return
        stream = self.streams[number] = Stream(number, self._sender.initial_window, half_closed=ended)
        if announced is not None:
            stream.expected_bytes = int(announced)
        self._events.append(RequestReceived(stream, head, ended))

    def _on_trailers(self, number: int, head: Head, ended: bool) -> None:
        """The second header block of a stream; its fields are ignored."""
        stream = self.streams.get(number)
        if stream is None:
            self._guard.control_frame()
            self._closed.check_headers(number, ended=ended)
            return
        if stream.half_closed:
            raise BrokenConnectionError(Fault.STREAM_CLOSED, "headers behind the end of a stream")
        stream.half_closed = ended
        if not ended or stream.expected_bytes or trailer_fault(head.fields):
            self._fail_stream(stream, Fault.PROTOCOL)
            return
        self._events.append(DataReceived(stream, _EMPTY, True))

    def _on_window_update(self, number: int, payload: memoryview) -> None:
        self._guard.control_frame()
        size = int.from_bytes(payload, "big") & 0x7FFFFFFF
        if not number:
            for stream in self._sender.widen(size):
                self._pump(stream)
        elif number > self._last_stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "a window update of a stream that was not opened")
        elif (stream_ := self.streams.get(number)) is not None:
            stream_.send_window += size
            if size and stream_.send_window <= h2.WINDOW_MAX:
                self._pump(stream_)
            else:
                self._fail_stream(stream_, Fault.FLOW_CONTROL if size else Fault.PROTOCOL)

    def _on_reset(self, number: int) -> None:
        if number > self._last_stream:
            raise BrokenConnectionError(Fault.PROTOCOL, "a reset of a stream that was not opened")
        stream = self.streams.get(number)
        if stream is not None:
            self._close(stream)
            self._events.append(StreamReset(stream))
            self._guard.stream_reset()

    def _on_settings(self, flags: int, payload: memoryview) -> None:
        self._settings_received = True
        self._guard.control_frame(len(self.streams))
        if flags & h2.ACK:
            return
        more = self._sender.take_settings(h2.read_settings(payload))
        if more:
            self._reader.charge(len(self.streams))
            for stream in self.streams.values():
                stream.send_window += more
                if stream.send_window > h2.WINDOW_MAX:
                    raise BrokenConnectionError(Fault.FLOW_CONTROL, "settings that make a window that cannot be")
            self._pump_all()

    def _on_ping(self, flags: int, payload: memoryview) -> None:
        self._guard.control_frame()
        if not flags & h2.ACK:
            self._sender.output.append(h2.frame(Kind.PING, h2.ACK, 0, bytes(payload)))

    # Streams.

    def _pump_all(self) -> None:
        for stream in list(self.streams.values()):
            self._pump(stream)

    def _pump(self, stream: Stream) -> None:
        """Send queued data, and the trailers behind it."""
        if not stream.waiting_bytes or not self._sender.pump(stream, self.now_s):
            return
        if stream.trailers is None:
            self._events.append(StreamDrained(stream))
            return
        self._sender.send_headers(stream, stream.trailers, last=True)
        self._close_ended(stream, self.now_s)
        self._events.append(StreamEnded(stream))

    def _close_ended(self, stream: Stream, now_s: float) -> None:
        """Close a stream after its response; further data of its peer is discarded."""
        del self.streams[stream.number]
        stream.closed = True
        self._guard.stream_finished()
        if not stream.half_closed:
            self._refuse_stream(stream.number, Fault.NO_ERROR, ended=False)
        self._since_s = now_s

    def _refuse_stream(self, number: int, fault: Fault, *, ended: bool) -> None:
        """Send RST_STREAM. ended: the peer sends nothing more on it."""
        self._sender.output.append(h2.reset(number, fault))
        if not ended:
            self._closed.abandoned(number)

    def _fail_stream(self, stream: Stream, fault: Fault) -> None:
        """A stream error of the peer (RFC 9113, 5.4.2). It counts as if the peer had reset the stream (CVE-2025-8671)."""
        self.reset(stream, fault)
        self._events.append(StreamReset(stream))
        self._guard.stream_reset()

    def _close(self, stream: Stream) -> bool:
        if self.streams.pop(stream.number, None) is None:
            return False
        stream.closed = True
        if stream.waiting_bytes:
            self._sender.forget(stream)
        return True
