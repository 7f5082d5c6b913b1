"""Motion detection for a fixed camera: luma against a running background, on a small plane.

Background subtraction with one mode a pixel (after Stauffer and Grimson, 1999), with additions for cameras in the field: the
exposure may change (the median difference of the whole picture is not motion), the light may be switched (most of the picture
differs: the background is learned again, and no motion is reported meanwhile), and noise is measured, so that a camera at night
does not report motion in its own grain. The background learns whole boxes slowly, not only the pixels that differ: otherwise a
plain roof that passes over a plain road would leave a ghost. Stopped objects are learned sooner.

Pure: the caller gives the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.resize import Resize
from edgefleet_contract.pipeline.stage_options import MotionOptions

ROWS = 120
"""Height of the small plane: a person of a tenth of the picture's height is a dozen pixels tall."""
COLUMNS_MAX = 480
STILL_S, STOPPED_S, MOVING_S = 4.0, 8.0, 60.0
"""Time constants with which the background follows: without an object, under a stopped object, under a moving one."""
LIGHT_SWITCH_SHARE = 0.6
"""A change of more than this share of the picture at once is a change of light, not motion."""
SETTLE_S = 0.4
"""Time after a switch of the light without motion detection: exposure is still changing."""
NOISE_FACTOR = 6.0
"""A pixel differs if its difference exceeds this multiple of the usual difference, and the threshold."""
MOVING_SHARE = 0.02
"""A box moves while this share of it differs from the previous frame; below, it has stopped."""
BRIDGE_SHARE, PART_SHARE = 0.05, 0.1
"""Two objects are split where their connection is thinner than twice this share of their size, and each is such a part."""
BOXES_MAX = 50
_SAMPLE = 3
"""The median is taken over every third row and column."""

Plane = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Edges = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Motion:
    """Result for one frame. boxes: regions that differ from the background, in pixels of the frame, class 0, score: 1 for moving
    ones, less for stopped ones. settling: the light has just changed, or this is the first frame; motion is unknown. left_out:
    regions beyond `BOXES_MAX`, the smallest."""

    boxes: Detections = field(default_factory=Detections.empty)
    share: float = 0.0
    moves: bool = False
    settling: bool = False
    left_out: int = 0


class MotionDetector:
    """Motion detector of one camera, for one frame size."""

    def __init__(self, width: int, height: int, options: MotionOptions) -> None:
        self._options = options
        rows = min(ROWS, height)
        columns = max(1, min(COLUMNS_MAX, round(width * rows / height)))
        self._scale = np.array([width / columns, height / rows] * 2, np.float32)
        self._resize = Resize((height, width), (rows, columns), 1, "area")
        self._small: Plane = np.empty((rows, columns), np.uint8)
        self._before: Plane | None = None
        self._background: Floats = np.empty((rows, columns), np.float32)
        self._settled_s = 0.0
        self._last_s = 0.0
        reach = max(1, round(options.join * rows / 2))
        self._join = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        self._speck = np.ones((2, 2), np.uint8)

    def detect(self, frame: Frame, media_s: float) -> Motion:
        """The motion of one frame; `media_s` rises from call to call. A frame of layout `i420` or `gray`, or `rgb`/`bgr`, whose
        green stands for its luma."""
        plane = frame.planes[0]
        self._resize(plane if plane.ndim == 2 else np.ascontiguousarray(plane[..., 1]), self._small)
        now = np.asarray(cv2.GaussianBlur(self._small, (3, 3), 0), np.uint8)
        before, self._before = self._before, now
        elapsed_s, self._last_s = max(0.0, media_s - self._last_s), media_s
        if before is None:
            return self._begin(now, media_s)
        moved, shift = self._differing(now, cv2.convertScaleAbs(self._background))
        share = cv2.countNonZero(moved) / moved.size
        if share > LIGHT_SWITCH_SHARE:
            return self._begin(now, media_s)
        if media_s < self._settled_s:
            np.copyto(self._background, now)
            return Motion(settling=True)
        # A bright object darkens the whole picture through the exposure, including the background.
        self._background += np.float32(shift)
        boxes, scores, left_out = self._boxes(moved, self._differing(now, before)[0])
        self._learn(now, boxes, scores, elapsed_s)
        found = Detections(boxes * self._scale, scores, np.zeros(len(boxes), np.int32))
        return Motion(found, share, bool((scores == 1.0).any()), left_out=left_out)

    def _begin(self, now: Plane, media_s: float) -> Motion:
        np.copyto(self._background, now)
        self._settled_s = media_s + SETTLE_S
        return Motion(settling=True)

    def _differing(self, now: Plane, other: cv2.typing.MatLike) -> tuple[Plane, float]:
        """Mask of 1 where `now` differs from `other` by more than light and noise explain, and the change of light: the
        difference of the whole picture."""
        signed = np.asarray(cv2.subtract(now, other, dtype=cv2.CV_16S))
        sample = signed[::_SAMPLE, ::_SAMPLE]
        shift = float(np.median(sample))
        # Half of all pixels differ by less than this, independent of motion in the other half.
        limit = max(self._options.threshold, NOISE_FACTOR * float(np.median(np.abs(sample - shift))))
        alike = cv2.inRange(signed, np.array(shift - limit), np.array(shift + limit))
        return np.asarray(alike == 0, np.uint8), shift

    def _learn(self, now: Plane, boxes: Floats, scores: Floats, elapsed_s: float) -> None:
        """Moves the background towards `now`, more slowly within the boxes."""
        before = [self._background[top:bottom, left:right].copy() for left, top, right, bottom in boxes.astype(int)]
        cv2.accumulateWeighted(now, self._background, _weight(elapsed_s, STILL_S))
        for (left, top, right, bottom), old, score in zip(boxes.astype(int), before, scores, strict=True):
            cv2.accumulateWeighted(now[top:bottom, left:right], old, _weight(elapsed_s, MOVING_S if score == 1.0 else STOPPED_S))
            self._background[top:bottom, left:right] = old

    def _boxes(self, moved: Plane, lively: Plane) -> tuple[Floats, Floats, int]:
        """Boxes (n, 4) on the small plane and their scores, large ones first, and how many more there were."""
        clean = np.asarray(cv2.morphologyEx(moved, cv2.MORPH_OPEN, self._speck), np.uint8)
        found: list[tuple[int, Edges, float]] = []
        for left, top, shape in _pieces(np.asarray(cv2.dilate(clean, self._join), np.uint8)):
            window = np.s_[top : top + shape.shape[0], left : left + shape.shape[1]]
            for part in _split(shape):
                # Pixels were widened to join them: the box is that of the pixels that really differ.
                real = part & clean[window]
                pixels = cv2.countNonZero(real)
                if pixels < self._options.min_area * moved.size:
                    continue
                x, y, wide, high = cv2.boundingRect(real)
                live = cv2.countNonZero(lively[window][y : y + high, x : x + wide]) / (wide * high)
                edges = (left + x, top + y, left + x + wide, top + y + high)
                found.append((pixels, edges, min(1.0, 0.5 + 0.5 * live / MOVING_SHARE)))
        chosen = sorted(found, key=lambda one: -one[0])[:BOXES_MAX]
        boxes = np.array([edges for _, edges, _ in chosen], np.float32).reshape(-1, 4)
        return boxes, np.array([score for _, _, score in chosen], np.float32), len(found) - len(chosen)


def _pieces(mask: Plane) -> Iterator[tuple[int, int, Plane]]:
    """Yields (left, top, mask of the part) for each connected part."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for number in range(1, count):
        left, top, wide, high = (int(edge) for edge in stats[number, :4])
        yield left, top, np.asarray(labels[top : top + high, left : left + wide] == number, np.uint8)


def _split(shape: Plane) -> list[Plane]:
    """Splits large objects that only touch (two cars, mirror to mirror) where the connection is thin."""
    reach = round(BRIDGE_SHARE * min(shape.shape))
    if reach < 2:
        return [shape]
    cut = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    eroded = np.asarray(cv2.erode(shape, cut, borderType=cv2.BORDER_CONSTANT, borderValue=1), np.uint8)
    least = PART_SHARE * cv2.countNonZero(shape)
    parts = []
    for left, top, core in _pieces(eroded):
        if cv2.countNonZero(core) >= least:
            whole = np.zeros_like(shape)
            whole[top : top + core.shape[0], left : left + core.shape[1]] = core
            parts.append(np.asarray(cv2.dilate(whole, cut), np.uint8) & shape)
    return parts if len(parts) > 1 else [shape]


def _weight(elapsed_s: float, constant_s: float) -> float:
    return 1.0 - math.exp(-elapsed_s / constant_s)
