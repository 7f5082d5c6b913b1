"""Checks of the place and size of frames (RFC 9113, section 6). DATA and HEADERS are checked where they are handled."""

from __future__ import annotations

from edgefleet_agent.serving.http2.frames import BrokenConnectionError, Fault, Kind

_OF_STREAMS = frozenset((Kind.PRIORITY, Kind.RST_STREAM, Kind.CONTINUATION))
_OF_THE_CONNECTION = frozenset((Kind.SETTINGS, Kind.PING, Kind.GOAWAY))
_SIZES: dict[int, int] = {Kind.PRIORITY: 5, Kind.RST_STREAM: 4, Kind.PING: 8, Kind.WINDOW_UPDATE: 4}


def check_frame(kind: int, flags: int, number: int, size: int) -> None:
    """Check a frame by its header. size: of its payload.

    Raises:
        BrokenConnectionError: it cannot be of this stream or this size.
    """
    if kind in (_OF_THE_CONNECTION if number else _OF_STREAMS):
        raise BrokenConnectionError(Fault.PROTOCOL, "a frame of the connection on a stream, or the reverse")
    settings = kind == Kind.SETTINGS and (size % 6 or (flags & 0x1 and size))
    if settings or size != _SIZES.get(kind, size) or (kind == Kind.GOAWAY and size < 8):
        raise BrokenConnectionError(Fault.FRAME_SIZE, "a frame of a wrong size")
