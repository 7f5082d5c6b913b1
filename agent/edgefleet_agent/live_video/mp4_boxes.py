"""Reads codec and rotation of an MP4 stream, for players, from the boxes of its first part (ISO/IEC 14496-12, -15)."""

from __future__ import annotations

import struct
from typing import NamedTuple

from edgefleet_contract.core.errors import MediaError

_FIXED = 65536.0
_IDENTITY = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
_HEVC_SPACES = ("", "A", "B", "C")


class InitPart(NamedTuple):
    """The first part of a stream, without rotation. codec: as in a MIME type; matrix: the rotation, a, b, c and d of CSS."""

    data: bytes
    codec: str
    matrix: tuple[float, float, float, float]


def read_init(data: bytes) -> InitPart:
    """Read `ftyp` and `moov`, and take the rotation out of them: browsers differ in whether they apply it.

    Raises:
        MediaError: a codec that no browser plays.
    """
    codec, data = _codec(data)
    at = data.find(b"tkhd")
    if at < 0:
        raise MediaError("the stream has no track")
    at += 4 + (52 if data[at + 4] == 1 else 40)
    a, b, _, c, d, *_ = struct.unpack_from(">9i", data, at)
    matrix = (a / _FIXED, b / _FIXED, c / _FIXED, d / _FIXED)
    return InitPart(data[:at] + _IDENTITY + data[at + len(_IDENTITY) :], codec, matrix)


def _codec(data: bytes) -> tuple[str, bytes]:
    if (at := data.find(b"avcC")) >= 0:
        return f"avc1.{data[at + 5 : at + 8].hex()}", data
    if (at := data.find(b"hvcC")) >= 0:
        # Safari plays HEVC under the name for parameters in the header only; other players know both.
        return _hevc(data[at + 4 : at + 17]), data.replace(b"hev1", b"hvc1", 1)
    if (at := data.find(b"vpcC")) >= 0:
        profile, level, depth = data[at + 8], data[at + 9], data[at + 10] >> 4
        return f"vp09.{profile:02d}.{level:02d}.{depth:02d}", data
    if (at := data.find(b"av1C")) >= 0:
        first, second = data[at + 5], data[at + 6]
        depth = 8 if not second & 0x40 else 12 if second & 0x20 else 10
        return f"av01.{first >> 5}.{first & 31:02d}{'H' if second & 0x80 else 'M'}.{depth:02d}", data
    raise MediaError("the camera's codec is none that browsers play; use H.264")


def _hevc(record: bytes) -> str:
    """The name of HEVC with the profile, tier, level and constraints of a decoder configuration record."""
    profile = f"{_HEVC_SPACES[record[1] >> 6]}{record[1] & 31}"
    compatible = int(f"{int.from_bytes(record[2:6], 'big'):032b}"[::-1], 2)
    constraints = record[6:12].rstrip(b"\0")
    parts = [f"hvc1.{profile}", f"{compatible:X}", f"{'H' if record[1] & 32 else 'L'}{record[12]}"]
    return ".".join([*parts, *(f"{byte:X}" for byte in constraints)])
