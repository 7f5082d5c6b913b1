"""Encoding and decoding of HTTP/2 (RFC 9113, RFC 7541): frames, and the header blocks of gRPC.

The `hpack` library decodes each header block once: from its second request on, a client sends nothing but indexes into its
table, and equal bytes mean equal headers until the table changes. Response blocks are constant: the first response of a
connection puts their headers into the reader's table.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from urllib.parse import quote

import hpack

from edgefleet_agent.serving.grpc.varint import varint

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEAD_BYTES = 9
FRAME_BYTES_USUAL = 16384
"""Default limit of a payload."""
WINDOW_USUAL = 65535
WINDOW_MAX = 2**31 - 1
HEADERS_BYTES_MAX = 16 * 1024
"""Limit of one header block, compressed and decoded."""
TABLE_BYTES = 4096
SETTINGS_MAX = 64
"""Parameters in one frame; RFC 9113 knows six."""
BLOCKS_MAX = 64
"""Cached header blocks of one connection."""

_HEAD = struct.Struct(">IBI")


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


def read_frame_head(data: bytes, at: int) -> tuple[int, int, int, int]:
    """Payload bytes, type, flags and stream of the frame at `at`."""
    word, flags, stream = _HEAD.unpack_from(data, at)
    return word >> 8, word & 0xFF, flags, stream & 0x7FFFFFFF


def frame(kind: Kind, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A whole frame."""
    return _HEAD.pack(len(payload) << 8 | kind, flags, stream) + payload


def frame_head(size: int, kind: int, flags: int, stream: int) -> bytes:
    """The header of a frame; its payload follows."""
    return _HEAD.pack(size << 8 | kind, flags, stream)


def settings(values: dict[FrameSetting, int]) -> bytes:
    """A SETTINGS frame."""
    return frame(Kind.SETTINGS, 0, 0, b"".join(struct.pack(">HI", name, value) for name, value in values.items()))


def read_settings(payload: bytes) -> dict[int, int]:
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
        if name == FrameSetting.MAX_FRAME_SIZE and not FRAME_BYTES_USUAL <= value < 2**24:
            raise BrokenConnectionError(Fault.PROTOCOL, "a frame size that cannot be")
        found[name] = value
    return found


def window_update(stream: int, size: int) -> bytes:
    """A WINDOW_UPDATE frame; stream 0 is the connection."""
    return frame(Kind.WINDOW_UPDATE, 0, stream, size.to_bytes(4, "big"))


def unpadded(payload: bytes, flags: int) -> bytes:
    """The payload of a frame without its padding.

    Raises:
        BrokenConnectionError: more padding than payload.
    """
    if not flags & PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise BrokenConnectionError(Fault.PROTOCOL, "more padding than payload")
    return payload[1 : len(payload) - payload[0]]


@dataclass(frozen=True, slots=True)
class Head:
    """The headers of one request. Those that begin with a colon are in `headers` too."""

    path: bytes
    headers: dict[bytes, bytes]


class HeadReader:
    """Reads the header blocks of one connection, in their order."""

    def __init__(self) -> None:
        self._decoder = hpack.Decoder(max_header_list_size=HEADERS_BYTES_MAX)
        self._known: dict[bytes, Head] = {}

    def read(self, block: bytes) -> Head:
        """Decode a block.

        Raises:
            BrokenConnectionError: the block is not valid; later blocks cannot be decoded either.
        """
        known = self._known.get(block)
        if known is not None:
            return known
        try:
            pairs = self._decoder.decode(block, raw=True)
        except hpack.HPACKError as cause:
            raise BrokenConnectionError(Fault.COMPRESSION, "the headers cannot be read") from cause
        headers: dict[bytes, bytes] = {}
        for name, value in pairs:
            headers[name] = headers[name] + b"," + value if name in headers else value
        head = Head(headers.get(b":path", b""), headers)
        if not _only_indexes(block) or len(self._known) >= BLOCKS_MAX:
            self._known.clear()  # the table may have changed, and with it the meaning of indexes
        else:
            self._known[block] = head
        return head


def _only_indexes(block: bytes) -> bool:
    """Whether a valid block consists of indexes only, which do not change the table."""
    at = 0
    while at < len(block):
        if block[at] < 0x80:
            return False
        longer = block[at] == 0xFF
        at += 1
        while longer and at < len(block):
            longer = block[at] >= 0x80
            at += 1
    return True


def _integer(value: int, bits: int, first: int) -> bytes:
    limit = (1 << bits) - 1
    return bytes((first | value,)) if value < limit else bytes((first | limit,)) + varint(value - limit)


def literal(name: bytes, value: bytes, first: int = 0x00) -> bytes:
    """A literal header field. first: 0x00 without indexing, 0x40 with indexing."""
    return bytes((first,)) + _integer(len(name), 7, 0) + name + _integer(len(value), 7, 0) + value


_STATUS_200 = b"\x88"
_TYPE = (b"content-type", b"application/grpc")
_OK = (b"grpc-status", b"0")
FIRST_HEAD = _STATUS_200 + literal(*_TYPE, 0x40)
FIRST_END = literal(*_OK, 0x40)
NEW_HEAD = _STATUS_200 + b"\xbe"
OLD_HEAD = _STATUS_200 + b"\xbf"
NEXT_END = b"\xbe"
"""Blocks of a successful response. The first head and the first end of a connection go into the reader's table, where the newest
entry has index 62: the head has it until the first end, and index 63 from then on."""
PLAIN_HEAD = _STATUS_200 + literal(*_TYPE)
PLAIN_END = literal(*_OK)
"""The same blocks for a reader without a table."""


def end_block(status: int, text: str, extra: list[tuple[bytes, bytes]]) -> bytes:
    """The trailers of an error."""
    block = literal(b"grpc-status", str(status).encode())
    if text:
        block += literal(b"grpc-message", quote(text[:1000], safe=" !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~").encode())
    return block + b"".join(literal(name, value) for name, value in extra)
