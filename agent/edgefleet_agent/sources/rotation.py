"""Rotation of pictures that were stored sideways, as by phones and wall-mounted cameras: the option `rotate`."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

AUTO: Final = "auto"
"""Use the video's own display matrix."""

Plane = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Turn:
    """Steps that turn a stored picture upright: first exchange rows and columns, then left and right, then top and bottom."""

    transposed: bool = False
    mirrored: bool = False
    flipped: bool = False

    def apply(self, plane: Plane) -> Plane:
        """The turned plane; the same array if there is nothing to do."""
        if self.transposed:
            plane = np.asarray(cv2.transpose(plane), np.uint8)
        if self.mirrored or self.flipped:
            code = -1 if self.mirrored and self.flipped else 1 if self.mirrored else 0
            plane = np.asarray(cv2.flip(plane, code), np.uint8)
        return plane

    def size(self, width: int, height: int) -> tuple[int, int]:
        """The size of the turned picture."""
        return (height, width) if self.transposed else (width, height)


UPRIGHT: Final = Turn()
CLOCKWISE: Final = {
    "0": UPRIGHT,
    "90": Turn(transposed=True, mirrored=True),
    "180": Turn(mirrored=True, flipped=True),
    "270": Turn(transposed=True, flipped=True),
}
"""Turns by degrees."""


def rotate_option(spec: SourceSpec, rotate: str) -> str:
    """Check the option `rotate`.

    Raises:
        PipelineError: neither `auto` nor a quarter turn.
    """
    if rotate not in (AUTO, *CLOCKWISE):
        known = ", ".join(repr(word) for word in (AUTO, *CLOCKWISE))
        raise PipelineError(f"source of kind {spec.kind!r}: rotate {rotate!r}: must be one of {known}")
    return rotate


class StreamRotation:
    """The turns of the pictures of one stream: given by `rotate`, or with `auto` by the display matrix of each.

    The matrix is read for the first picture, and again when its angle changes. Reading it makes a picture refer to itself: read
    for all, each would stay in memory until the next garbage collection.
    """

    def __init__(self, rotate: str) -> None:
        self._fixed = CLOCKWISE.get(rotate)
        self._angle: int | None = None
        self._turn = UPRIGHT

    def turn(self, picture: VideoFrame) -> Turn:
        """The turn of the next picture."""
        if self._fixed is not None:
            return self._fixed
        if picture.rotation != self._angle:
            self._angle, self._turn = picture.rotation, _declared_turn(picture)
        return self._turn


def _declared_turn(picture: VideoFrame) -> Turn:
    """The turn that the picture's display matrix declares, rounded to a quarter turn."""
    try:
        matrix = picture.side_data.get("DISPLAYMATRIX")
    except ValueError:  # beside data that this av does not know, such as EXIF of JPEG pictures: its angle only
        return CLOCKWISE[str(round(-picture.rotation / 90) % 4 * 90)]
    if matrix is None:
        return UPRIGHT
    a, b, _, c, d, *_ = struct.unpack("<9i", bytes(matrix)[:36])  # type: ignore[call-overload]  # a buffer, which av does not declare
    if abs(b) + abs(c) > abs(a) + abs(d):
        return Turn(transposed=True, mirrored=c < 0, flipped=b < 0)
    return Turn(mirrored=a < 0, flipped=d < 0)


def can_rotate(rotate: str) -> bool:
    """Whether a clip of packets can be shown as its pictures were turned; an old av cannot write a turn of its own."""
    return CLOCKWISE.get(rotate, UPRIGHT) == UPRIGHT or hasattr(VideoStream, "set_display_rotation")


def set_rotation(copy: VideoStream, rotate: str) -> None:
    """Make players turn a clip of packets as its pictures were turned. With `auto` the clip has the display matrix of its
    source."""
    if rotate != AUTO and hasattr(copy, "set_display_rotation"):
        copy.set_display_rotation(-int(rotate))
