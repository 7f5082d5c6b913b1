"""Privacy masks: parts of the picture are blanked before any other processing of a frame.

`black` leaves nothing. `blur` leaves a few large patches of mean colour with soft edges: it shows the presence and colour of an
object, but no identity; if the law requires more, use `black`. The planes of a decoder are borrowed, so a masked frame is a copy:
0.05 ms at 768 x 432.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.pixel_formats import FrameKind
from edgefleet_contract.pipeline.spec import MaskSpec

Plane = npt.NDArray[np.uint8]

PATCHES_MAX = 12
"""Most patches along the longer side of a blurred part: far too few for a face or a plate."""


class _Shape:
    """One mask on one plane: its bounding rectangle, and the pixels in it that are masked."""

    def __init__(self, spec: MaskSpec, height: int, width: int) -> None:
        # The mask includes the polygon's border and half a pixel more: too large a mask is safer than too small a one.
        points = np.array([[min(x * width, width - 1), min(y * height, height - 1)] for x, y in spec.polygon])
        covered = np.zeros((height, width), np.uint8)
        cv2.fillPoly(covered, [np.floor(points).astype(np.int32)], 1)
        cv2.fillPoly(covered, [np.ceil(points).astype(np.int32)], 1)
        rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
        if not len(rows):
            rows = columns = np.array([0])
        self.window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        self.hidden = covered[self.window].astype(np.bool_)
        self.blur = spec.fill == "blur"

    def apply(self, plane: Plane, black: int) -> None:
        part = plane[self.window]
        part[self.hidden] = _patched(part)[self.hidden] if self.blur else black


class PrivacyMasks:
    """The masks of one pipeline. Used by one thread at a time."""

    def __init__(self, specs: Sequence[MaskSpec]) -> None:
        self._specs = list(specs)
        self._kind: FrameKind | None = None
        self._shapes: list[list[_Shape]] = []

    def __call__(self, frame: Frame) -> Frame:
        """A copy of the frame with the masks applied."""
        kind = FrameKind.of(frame)
        if kind != self._kind:
            self._kind = kind
            self._shapes = [[_Shape(spec, *plane.shape[:2]) for spec in self._specs] for plane in frame.planes]
        planes = tuple(plane.copy() for plane in frame.planes)
        for number, (plane, shapes) in enumerate(zip(planes, self._shapes, strict=True)):
            chroma = frame.layout == "i420" and number
            for shape in shapes:
                shape.apply(plane, 128 if chroma else 0 if frame.full_range or frame.layout != "i420" else 16)
        return replace(frame, planes=planes)


def _patched(part: Plane) -> Plane:
    """The part as a few patches of mean colour, softened so that patch edges are not mistaken for edges of the scene."""
    height, width = part.shape[:2]
    cell = max(8, -(-max(height, width) // PATCHES_MAX))
    few = (max(1, width // cell), max(1, height // cell))
    small = cv2.resize(part, few, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8).reshape(part.shape)
