"""Live video: what a device sends over a WebSocket of its own while a camera has viewers (`docs/protocol.md`).

Text messages are JSON with a `type`. A binary message is one part of an MP4 stream, after a head of `HEAD_BYTES`.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Annotated, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.names import Name

VIDEO_OP: Final = "video"
"""The command that asks a device for live video."""
VIDEO_PATH: Final = "/api/v1/device-video"
"""Path on the fleet server to which devices connect."""
VIDEO_SCHEME: Final = "Edgefleet-Video"
"""Scheme of the `Authorization` header that carries the ticket of the command."""
OTHER_PROCESS: Final = 421
"""HTTP status of a process of the server that did not issue the ticket: try again."""
TEXT_BYTES_MAX: Final = 4096
PART_BYTES_MAX: Final = 8 * 1024 * 1024
"""Largest binary message: one picture of a camera of very high resolution."""

_HEAD: Final = struct.Struct(">Bd")
HEAD_BYTES: Final = _HEAD.size


class PartKind(IntEnum):
    """Content of a binary message: `ftyp` and `moov`; or `moof` and `mdat` that begin with a key frame, or do not."""

    INIT = 0
    KEY = 1
    MORE = 2


class VideoPart(NamedTuple):
    """A binary message. at: wall time at which its newest picture arrived, by the sender's clock; data: the boxes."""

    kind: PartKind
    at: float
    data: bytes


class VideoCommand(Wire):
    """Arguments of the command `video`. url: of the server, `https://HOST[:PORT]`."""

    pipeline: Name
    url: Annotated[str, Meta(min_length=1, max_length=500)]
    ticket: Annotated[str, Meta(min_length=1, max_length=200)]


class ServerTime(Wire, tag="time"):
    """The first message of the server, with its wall time."""

    at: float


class DeviceTime(Wire, tag="time"):
    """The device's response: `server_at` of the server's message, its own wall time when that came, and now."""

    server_at: float
    received_at: float
    at: float


class VideoFormat(Wire, tag="format"):
    """Precedes each INIT part. mime: for Media Source Extensions; matrix: a, b, c and d of a CSS transform that turns the
    pictures upright; encoded: by the device, because the camera's packets cannot be shown (masks, MJPEG)."""

    mime: Annotated[str, Meta(min_length=1, max_length=200, pattern=r'^video/mp4; codecs="[A-Za-z0-9.]+"$')]
    width: Annotated[int, Meta(ge=1, le=65535)]
    height: Annotated[int, Meta(ge=1, le=65535)]
    matrix: Annotated[list[float], Meta(min_length=4, max_length=4)] = msgspec.field(default_factory=lambda: [1.0, 0.0, 0.0, 1.0])
    encoded: bool = False


class VideoEnd(Wire, tag="end"):
    """The last message of either side: the reason, for people. stills: the camera can be watched as stills."""

    reason: Annotated[str, Meta(max_length=500)]
    stills: bool = False


class StillThere(Wire, tag="still_there"):
    """Asks a viewer for `Watching` within `seconds`."""

    seconds: float


class Watching(Wire, tag="watching"):
    """Sent by a viewer: a person still watches."""


class TimeQuestion(Wire, tag="time"):
    """Sent by a viewer: `at`, of any clock, is returned beside the server's time."""

    at: float


class TimeAnswer(Wire, tag="time"):
    """The server's answer."""

    at: float
    server_at: float


Text = TypeVar("Text", bound=Wire)


def pack_part(part: VideoPart) -> bytes:
    """The binary message of a part."""
    return _HEAD.pack(part.kind, part.at) + part.data


def unpack_part(message: bytes) -> VideoPart:
    """Read a binary message.

    Raises:
        MessageError: it is no part of an MP4 stream.
    """
    if not HEAD_BYTES + 8 < len(message) <= PART_BYTES_MAX:
        raise MessageError(f"a part of {len(message)} bytes")
    kind, at = _HEAD.unpack_from(message)
    box = b"ftyp" if kind == PartKind.INIT else b"moof"
    if kind not in iter(PartKind) or not 0 <= at < 1e11 or message[HEAD_BYTES + 4 : HEAD_BYTES + 8] != box:
        raise MessageError("a part that is none of an MP4 stream")
    return VideoPart(PartKind(kind), at, message[HEAD_BYTES:])


def read_text(text: str | bytes, *kinds: type[Wire]) -> Wire:
    """Read a text message of one of these types.

    Raises:
        MessageError: it is none of them; the text says why.
    """
    data = text.encode() if isinstance(text, str) else text
    if len(data) > TEXT_BYTES_MAX:
        raise MessageError(f"a message of {len(data)} bytes is over the limit of {TEXT_BYTES_MAX}")
    try:
        plain = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    tag = plain.get("type") if isinstance(plain, dict) else None
    for kind in kinds:
        if tag == kind.__struct_config__.tag:
            return from_plain(plain, kind)
    raise MessageError(f"unexpected message {str(tag)[:40]!r}")
