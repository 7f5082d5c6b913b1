"""Frames of HTTP/2 (RFC 9113): types, flags, error codes, encoding, and decoding of the payloads that are numbers."""

from __future__ import annotations

import struct
from enum import IntEnum

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEAD_BYTES = 9
FRAME_BYTES_USUAL = 16384
"""Default limit of a payload."""
WINDOW_USUAL = 65535
WINDOW_MAX = 2**31 - 1
HEADERS_BYTES_MAX = 16 * 1024
"""Limit of one header block, compressed and decoded."""
TABLE_BYTES = 4096
"""Default size of a table of header fields."""
SETTINGS_MAX = 64
"""Parameters in one frame; RFC 9113 knows six."""

HEAD = struct.Struct(">IBI")
"""The header of a frame: length and type in one number, flags, stream with a reserved bit."""


class Kind(IntEnum):
    """Types of frames."""

    DATA = 0
    HEADERS = 1
    PRIORITY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PUSH_PROMISE = 5
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


class Fault(IntEnum):
    """Error codes."""

    NO_ERROR = 0
    PROTOCOL = 1
    INTERNAL = 2
    FLOW_CONTROL = 3
    STREAM_CLOSED = 5
    FRAME_SIZE = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION = 9
    ENHANCE_YOUR_CALM = 11


END_STREAM = 0x1
ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITY_FIELDS = 0x20
PRIORITY_BYTES = 5


class FrameSetting(IntEnum):
    """Parameters of a connection."""

    HEADER_TABLE_SIZE = 1
    ENABLE_PUSH = 2
    MAX_CONCURRENT_STREAMS = 3
    INITIAL_WINDOW_SIZE = 4
    MAX_FRAME_SIZE = 5
    MAX_HEADER_LIST_SIZE = 6


class BrokenConnectionError(Exception):
    """A connection error (RFC 9113, 5.4.1): the connection has to be closed."""

    def __init__(self, fault: Fault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


def frame(kind: Kind, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A whole frame."""
    return HEAD.pack(len(payload) << 8 | kind, flags, stream) + payload


def frame_head(size: int, kind: int, flags: int, stream: int) -> bytes:
    """The header of a frame; its payload follows."""
    return HEAD.pack(size << 8 | kind, flags, stream)


def settings(values: dict[FrameSetting, int]) -> bytes:
    """A SETTINGS frame."""
    return frame(Kind.SETTINGS, 0, 0, b"".join(struct.pack(">HI", name, value) for name, value in values.items()))


def read_settings(payload: memoryview) -> dict[int, int]:
    """The parameters of a SETTINGS frame; of repeated ones the last.

    Raises:
        BrokenConnectionError: too many parameters, or a value that is not valid.
    """
    if len(payload) > 6 * SETTINGS_MAX:
        raise BrokenConnectionError(Fault.ENHANCE_YOUR_CALM, f"more than {SETTINGS_MAX} settings in a frame")
    found: dict[int, int] = {}
    for name, value in struct.iter_unpack(">HI", payload):
        if name == FrameSetting.INITIAL_WINDOW_SIZE and value > WINDOW_MAX:
            raise BrokenConnectionError(Fault.FLOW_CONTROL, "a window that cannot be")
        if name == FrameSetting.ENABLE_PUSH and value > 1:
            raise BrokenConnectionError(Fault.PROTOCOL, "push is neither on nor off")
        if name == FrameSetting.MAX_FRAME_SIZE and not FRAME_BYTES_USUAL <= value < 2**24:
            raise BrokenConnectionError(Fault.PROTOCOL, "a frame size that cannot be")
        found[name] = value
    return found


def window_update(stream: int, size: int) -> bytes:
    """A WINDOW_UPDATE frame; stream 0 is the connection."""
    return frame(Kind.WINDOW_UPDATE, 0, stream, size.to_bytes(4, "big"))


def reset(stream: int, fault: Fault) -> bytes:
    """A RST_STREAM frame."""
    return frame(Kind.RST_STREAM, 0, stream, int(fault).to_bytes(4, "big"))


def goaway(last_stream: int, fault: Fault, text: str) -> bytes:
    """A GOAWAY frame. last_stream: the last one that was accepted."""
    return frame(Kind.GOAWAY, 0, 0, last_stream.to_bytes(4, "big") + int(fault).to_bytes(4, "big") + text.encode())


def unpadded(payload: memoryview) -> memoryview:
    """The payload of a PADDED frame without its padding.

    Raises:
        BrokenConnectionError: more padding than payload.
    """
    if not payload or payload[0] >= len(payload):
        raise BrokenConnectionError(Fault.PROTOCOL, "more padding than payload")
    return payload[1 : len(payload) - payload[0]]
