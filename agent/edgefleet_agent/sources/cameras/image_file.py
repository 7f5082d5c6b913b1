"""One picture file as a frame."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np

from edgefleet_agent.sources.rotation import AUTO, CLOCKWISE, UPRIGHT
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import MediaError

PICTURE_BYTES_MAX = 64 * 1024 * 1024
"""Largest picture file that is opened."""
SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG", b"BM", b"RIFF", b"II*\0", b"MM\0*")
"""First bytes of the formats that are read: JPEG, PNG, BMP, WebP, TIFF."""
STORED = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
PIXELS_MAX = int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"])
"""Most pixels of a picture, which `edgefleet_agent` sets."""


def read_picture(path: Path, rotate: str = AUTO) -> Frame:
    """The picture as a bgr frame, upright. rotate: as its EXIF orientation says, or clockwise from how it is stored.

    Raises:
        MediaError: not there, too large, or not a picture that can be decoded.
    """
    try:
        if path.stat().st_size > PICTURE_BYTES_MAX:
            raise MediaError(f"{path}: larger than the limit of {PICTURE_BYTES_MAX} bytes for an image; shrink it")
        data = np.fromfile(path, np.uint8)
    except OSError as cause:
        raise MediaError(f"{path}: cannot be read: {cause.strerror}") from cause
    return decode_picture(data, str(path), rotate)


def decode_picture(data: np.typing.NDArray[np.uint8], where: str, rotate: str = AUTO) -> Frame:
    """Bytes of a picture file as a bgr frame. `where` is for error texts. rotate: see `read_picture`.

    Raises:
        MediaError: not a picture that can be decoded.
    """
    try:
        pixels = cv2.imdecode(data, cv2.IMREAD_COLOR if rotate == AUTO else STORED) if data.size else None
    except cv2.error as cause:
        if "CV_IO_MAX_IMAGE" in str(cause):
            raise MediaError(f"{where}: more than {PIXELS_MAX // 10**6} megapixels; shrink it") from cause
        raise MediaError(f"{where}: cannot be decoded: {cause.err}") from cause
    if pixels is None:
        if data[:4].tobytes().startswith(SIGNATURES):
            raise MediaError(f"{where}: this image is damaged or not complete; copy it again")
        raise MediaError(f"{where}: cannot be decoded as an image; use JPEG, PNG, BMP, WebP or TIFF")
    plane = CLOCKWISE.get(rotate, UPRIGHT).apply(pixels.astype(np.uint8, copy=False))
    height, width = plane.shape[:2]
    return Frame(0, 0.0, 0.0, width, height, "bgr", (plane,))
