"""Decodes JPEG and PNG images of requests, after a check of their size in pixels."""

from __future__ import annotations

import struct

import numpy as np

from edgefleet_agent.serving.protocol.errors import invalid
from edgefleet_agent.sources.cameras.image_file import decode_picture
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError

PIXELS_MAX = 40_000_000
"""Larger images are refused: a few kilobytes can declare an image of gigabytes."""
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset((0x01, *range(0xD0, 0xD8)))
"""JPEG markers without a length."""


def frame_from(data: bytes) -> Frame:
    """Decode an image to a bgr frame.

    Raises:
        CallError: it is neither JPEG nor PNG, too large, or damaged.
    """
    size = picture_size(data)
    if size is None:
        raise invalid("the image is neither JPEG nor PNG, or its header is damaged")
    width, height = size
    if not 0 < width * height <= PIXELS_MAX:
        raise invalid(f"image of {width} x {height} pixels; send one of at most {PIXELS_MAX}")
    try:
        return decode_picture(np.frombuffer(data, np.uint8), "the picture")
    except MediaError as cause:
        raise invalid(str(cause)) from cause


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a PNG or JPEG; None if it is neither, or damaged."""
    if data.startswith(_PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if not data.startswith(_JPEG):
        return None
    at = len(_JPEG)
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # filling before a marker
            at += 1
        elif kind in _ALONE:
            at += 2
        elif kind in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            at += 2 + int(struct.unpack(">H", data[at + 2 : at + 4])[0])
    return None
