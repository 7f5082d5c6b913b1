"""The sending half of a connection: frames to send, the peer's windows, queued data."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from edgefleet_agent.serving.http2 import frames as h2
from edgefleet_agent.serving.http2.flood_guard import FloodGuard
from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault, FrameSetting, Kind
from edgefleet_agent.serving.http2.header_writer import Fields, HeaderWriter
from edgefleet_agent.serving.http2.stream import Stream

_DATA, _HEADERS = int(Kind.DATA), int(Kind.HEADERS)

Piece = bytes | memoryview


class FrameSender:
    """Writes frames to `output`.

    Data that the peer's windows do not allow, or that is queued while `paused`, waits in its stream. Parts of data are neither
    copied nor joined: `output` has the caller's bytes, or views into them.
    """

    def __init__(self, guard: FloodGuard) -> None:
        self.output: list[Piece] = []
        self.headers = HeaderWriter()
        self.paused = False
        self.window = h2.WINDOW_USUAL
        self.initial_window = h2.WINDOW_USUAL
        self.frame_bytes = h2.FRAME_BYTES_USUAL
        self._guard = guard
        self._waiting: OrderedDict[int, Stream] = OrderedDict()
        """Streams whose data waits for the connection's window."""

    def send_headers(self, stream: Stream, fields: Fields, *, last: bool = False, remember: bool = True) -> None:
        """Send a header block. last: nothing follows. remember: see `HeaderWriter.encode`."""
        block = self.headers.encode(fields, remember=remember)
        flags = h2.END_HEADERS | h2.END_STREAM if last else h2.END_HEADERS
        self.output.append(h2.frame_head(len(block), Kind.HEADERS, flags, stream.number) + block)

    def send_response(self, stream: Stream, fields: Fields, parts: Sequence[bytes], trailers: Fields) -> bool:
        """Send headers, data and trailers as three frames, if the windows allow it. Whether that was done."""
        size = sum(map(len, parts))
        if self.paused or size > stream.send_window or size > self.window or size > self.frame_bytes:
            return False
        self.window -= size
        self._guard.data_sent(size)
        number, encode, pack = stream.number, self.headers.encode, h2.HEAD.pack
        head, end = encode(fields), encode(trailers)
        self.output += (pack(len(head) << 8 | _HEADERS, h2.END_HEADERS, number), head, pack(size << 8 | _DATA, 0, number))
        self.output += parts
        self.output += (pack(len(end) << 8 | _HEADERS, h2.END_HEADERS | h2.END_STREAM, number), end)
        return True

    def send_data(self, stream: Stream, parts: Sequence[bytes], now_s: float) -> bool:
        """Send data, or queue what the windows do not allow. Whether all was sent."""
        size = sum(map(len, parts))
        if (
            not stream.waiting_bytes
            and not self.paused
            and size <= stream.send_window
            and size <= self.window
            and size <= self.frame_bytes
        ):
            self._begin_frame(stream, size)
            self.output += parts
            return True
        stream.pieces.extend(memoryview(part) for part in parts if part)
        stream.waiting_bytes += size
        stream.progress_s = now_s
        return self.pump(stream, now_s)

    def pump(self, stream: Stream, now_s: float) -> bool:
        """Send queued data as far as the windows allow. Whether all was sent."""
        while stream.waiting_bytes and not self.paused:
            size = min(stream.waiting_bytes, stream.send_window, self.window, self.frame_bytes)
            if size <= 0:
                if self.window <= 0:
                    self._waiting[stream.number] = stream
                break
            self._begin_frame(stream, size)
            stream.waiting_bytes -= size
            stream.progress_s = now_s
            while size:
                piece = stream.pieces.popleft()
                if len(piece) > size:
                    stream.pieces.appendleft(piece[size:])
                    piece = piece[:size]
                size -= len(piece)
                self.output.append(piece)
        return not stream.waiting_bytes

    def take_settings(self, received: dict[int, int]) -> int:
        """Take the peer's settings, and acknowledge them. Returns by how much the window of each stream grows."""
        self.frame_bytes = received.get(FrameSetting.MAX_FRAME_SIZE, self.frame_bytes)
        if received.get(FrameSetting.HEADER_TABLE_SIZE, h2.TABLE_BYTES) < h2.TABLE_BYTES:
            self.headers.without_table()
        self.output.append(h2.frame(Kind.SETTINGS, h2.ACK, 0))
        more = received.get(FrameSetting.INITIAL_WINDOW_SIZE, self.initial_window) - self.initial_window
        self.initial_window += more
        return more

    def forget(self, stream: Stream) -> None:
        """Discard the queued data of a closed stream."""
        stream.drop_data()
        self._waiting.pop(stream.number, None)

    def widen(self, size: int) -> Iterable[Stream]:
        """The peer widens the connection's window. The streams that waited for it, one at a time while there is room.

        Raises:
            BrokenConnectionError: a window that cannot be.
        """
        self.window += size
        if not size:
            raise BrokenConnectionError(Fault.PROTOCOL, "a window update of nothing")
        if self.window > h2.WINDOW_MAX:
            raise BrokenConnectionError(Fault.FLOW_CONTROL, "a window that cannot be")
        while self._waiting and self.window > 0 and not self.paused:  # one that uses it up is queued last
            yield self._waiting.popitem(last=False)[1]

    def _begin_frame(self, stream: Stream, size: int) -> None:
        """Begin a DATA frame."""
        stream.send_window -= size
        self.window -= size
        self._guard.data_sent(size)
        self.output.append(h2.frame_head(size, Kind.DATA, 0, stream.number))
