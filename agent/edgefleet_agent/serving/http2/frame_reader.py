"""Splits received bytes into frames."""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_agent.serving.http2 import frames as h2
from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault, Kind
from edgefleet_agent.serving.http2.limits import COST_BYTES, DATA_BYTES_MAX, REQUEST_COST, TURN_COST

_DATA, _HEADERS = int(Kind.DATA), int(Kind.HEADERS)  # numbers compare faster than members

_SINGLE = h2.PADDED | h2.END_STREAM
"""Flags of a DATA frame that is passed on alone."""

ReceivedFrame = tuple[int, int, int, memoryview, int]
"""Type, flags, stream, payload without padding, bytes of the payload with padding."""


class FrameReader:
    """Splits the bytes of one connection. Payloads are views into the received bytes.

    A DATA frame is passed on in parts as they arrive, each with bytes in it; only the last has the flag END_STREAM. Whole ones of
    a stream that follow each other are passed on as one: each costs more to handle than its bytes to copy. Other frames, and
    padded ones, are passed on when they are complete; they are not longer than the protocol's default. behind: frames worth
    `TURN_COST` were passed on, and further bytes wait.
    """

    def __init__(self) -> None:
        self.preface_received = False
        self.behind = False
        self._rest = b""
        self._missing = 0
        self._flags = self._stream = 0
        self._cost = 0

    def charge(self, cost: int) -> None:
        """Count the cost of a frame that was passed on beyond what its size says."""
        self._cost += cost

    def awaited(self) -> tuple[int, int]:
        """The stream and the missing bytes of the DATA frame that has begun; (0, 0) if none has."""
        return (self._stream, self._missing) if self._missing and not self.behind else (0, 0)

    def read(self, data: bytes | memoryview) -> Iterator[ReceivedFrame]:
        """The first frames in waiting and further bytes, worth `TURN_COST`. All have to be taken before the next call.

        Raises:
            BrokenConnectionError: no preface, a too large frame, more padding than payload.
        """
        if self._rest:
            data, self._rest = self._rest + data, b""
        at = self._cost = 0
        self.behind = False
        if not self.preface_received:
            greeting = bytes(data[: len(h2.PREFACE)])
            if greeting != h2.PREFACE:
                if not h2.PREFACE.startswith(greeting):
                    raise BrokenConnectionError(Fault.PROTOCOL, "not HTTP/2; plain HTTP has another port")
                self._rest = greeting
                return
            self.preface_received = True
            at = len(h2.PREFACE)
        view, end = memoryview(data), len(data)
        if self._missing and at < end:
            size = min(self._missing, end - at)
            self._missing -= size
            flags = self._flags & ~h2.END_STREAM if self._missing else self._flags
            yield Kind.DATA, flags, self._stream, view[at : at + size], size
            at += size
        while end - at >= h2.HEAD_BYTES:
            if self._cost >= TURN_COST:
                self.behind = True
                break
            word, flags, stream = h2.HEAD.unpack_from(data, at)
            size, kind = word >> 8, word & 0xFF
            stream &= 0x7FFFFFFF
            if size > h2.FRAME_BYTES_USUAL:
                limit = DATA_BYTES_MAX if kind == _DATA and not flags & h2.PADDED else h2.FRAME_BYTES_USUAL
                if size > limit:
                    raise BrokenConnectionError(Fault.FRAME_SIZE, f"a frame of {size} bytes; {limit} is the largest")
            start = at + h2.HEAD_BYTES
            arrived = end - start
            if arrived < size:
                if kind != _DATA or flags & h2.PADDED:
                    break
                self._stream, self._flags, self._missing = stream, flags, size - arrived
                if arrived:
                    yield kind, flags & ~h2.END_STREAM, stream, view[start:], arrived
                return
            at = start + size
            payload = view[start:at]
            if kind == _DATA:
                self._cost += 1
                if size and not flags & _SINGLE and end - at >= h2.HEAD_BYTES:
                    parts = [payload]
                    at, flags = self._read_run(view, at, stream, parts)
                    if len(parts) > 1:
                        payload = memoryview(b"".join(parts))
                        size = len(payload)
            else:
                self._cost += size // COST_BYTES + (REQUEST_COST if kind == _HEADERS else 1)
            if flags & h2.PADDED and kind <= _HEADERS:
                payload = h2.unpadded(payload)
            yield kind, flags, stream, payload, size
        self._rest = bytes(data[at:])

    def _read_run(self, view: memoryview, at: int, stream: int, parts: list[memoryview]) -> tuple[int, int]:
        """Add the payloads of further whole DATA frames of a stream to `parts`; returns the position after them, and the flags of
        the last."""
        found, end = 0, len(view)
        while end - at >= h2.HEAD_BYTES and self._cost < TURN_COST and not found:
            word, flags, number = h2.HEAD.unpack_from(view, at)
            size = word >> 8
            start = at + h2.HEAD_BYTES
            other = word & 0xFF != _DATA or number & 0x7FFFFFFF != stream or flags & h2.PADDED
            if other or not 0 < size <= min(end - start, DATA_BYTES_MAX):
                break
            self._cost += 1
            at, found = start + size, flags & h2.END_STREAM
            parts.append(view[start:at])
        return at, found
