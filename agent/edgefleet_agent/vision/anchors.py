"""Default boxes (anchors, priors) of one-stage detectors, and the decoding of a network's deltas to boxes.

Anchors stand in the order of a network's rows: level by level, in each row by row, cell by cell, then the boxes of the cell.
Sources: Liu et al., "SSD: Single Shot MultiBox Detector", section 2.2 (with the reduced lowest layer and the extra box at the
geometric mean, as in its MobileNet models); Tan et al., "EfficientDet", section 4.1 with RetinaNet's three octaves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edgefleet_agent.vision.detections import Floats


@dataclass(frozen=True, slots=True)
class Anchors:
    """Anchors of one model: centres (n, 2) x, y and sizes (n, 2) width, height in pixels of the input."""

    centres: Floats
    sizes: Floats

    def __len__(self) -> int:
        return len(self.centres)

    def boxes(self, rows: np.typing.NDArray[np.intp], deltas: Floats, variances: Sequence[float]) -> Floats:
        """Corners x1, y1, x2, y2 of the anchors `rows` moved by `deltas` (len(rows), 4): x, y in sizes, log width, log height,
        each times its variance."""
        scaled = deltas * np.asarray(variances, np.float32)
        sizes = self.sizes[rows]
        centres = self.centres[rows] + scaled[:, :2] * sizes
        # A damaged model may give a box of any size: e^10 of an anchor is larger than every picture.
        halves = sizes * np.exp(np.minimum(scaled[:, 2:], np.float32(10))) / 2
        boxes: Floats = np.concatenate([centres - halves, centres + halves], axis=1)
        return boxes


@dataclass(frozen=True, slots=True)
class AnchorLevel:
    """One level, before its arrays are made: boxes of `shapes` (width, height) around the middle of every cell of `step` (x, y)
    pixels. limit: largest x, y of centres and sizes."""

    rows: int
    columns: int
    step: tuple[float, float]
    shapes: tuple[tuple[float, float], ...]
    limit: tuple[float, float] = (math.inf, math.inf)

    @property
    def count(self) -> int:
        """Number of anchors."""
        return self.rows * self.columns * len(self.shapes)

    def anchors(self) -> Anchors:
        """The anchors of the level."""
        down, across = np.mgrid[: self.rows, : self.columns]
        centres = (np.stack([across.ravel(), down.ravel()], axis=1) + 0.5) * np.asarray(self.step)
        sizes = np.asarray(self.shapes, np.float32).reshape(-1, 2)
        limit = np.asarray(self.limit, np.float32)
        return Anchors(
            np.minimum(np.repeat(centres.astype(np.float32), len(sizes), axis=0), limit),
            np.minimum(np.tile(sizes, (self.rows * self.columns, 1)), limit),
        )


def joined(levels: Sequence[AnchorLevel]) -> Anchors:
    """The anchors of levels one after the other."""
    every = [level.anchors() for level in levels]
    return Anchors(np.concatenate([each.centres for each in every]), np.concatenate([each.sizes for each in every]))


def fixed_levels(width: int, height: int, strides: Sequence[int], sides: Sequence[Sequence[float]]) -> list[AnchorLevel]:
    """Squares with `sides` pixels on the level of each stride; cells share the picture evenly: UltraFace's priors."""
    levels = []
    for stride, level in zip(strides, sides, strict=True):
        rows, columns = -(-height // stride), -(-width // stride)
        step = (width / max(columns, 1), height / max(rows, 1))
        levels.append(AnchorLevel(rows, columns, step, tuple((side, side) for side in level), (width, height)))
    return levels


def ssd_levels(
    width: int, height: int, strides: Sequence[int], scales: tuple[float, float], ratios: Sequence[float], *, reduced: bool
) -> list[AnchorLevel]:
    """SSD's boxes: scales from scales[0] to scales[1] over the levels, at every ratio width / height, and a square between this
    scale and the next. reduced: the lowest level has three boxes only, at 0.1 and the first scale."""
    low, high = scales
    count = len(strides)
    steps = [low + (high - low) * index / max(count - 1, 1) for index in range(count)] + [1.0]
    levels = []
    for index, stride in enumerate(strides):
        pairs = [(steps[index], ratio) for ratio in ratios] + [(math.sqrt(steps[index] * steps[index + 1]), 1.0)]
        if index == 0 and reduced:
            pairs = [(0.1, 1.0), (steps[0], 2.0), (steps[0], 0.5)]
        shapes = tuple((scale * math.sqrt(ratio) * width, scale / math.sqrt(ratio) * height) for scale, ratio in pairs)
        rows, columns = -(-height // stride), -(-width // stride)
        levels.append(AnchorLevel(rows, columns, (width / max(columns, 1), height / max(rows, 1)), shapes))
    return levels


def octave_levels(
    width: int, height: int, strides: Sequence[int], scale: float, octaves: int, ratios: Sequence[float]
) -> list[AnchorLevel]:
    """EfficientDet's boxes: `octaves` sizes from scale x stride up to twice that, each at every ratio width / height."""
    levels = []
    for stride in strides:
        sides = [scale * stride * 2 ** (octave / octaves) for octave in range(octaves)]
        shapes = tuple((side * math.sqrt(ratio), side / math.sqrt(ratio)) for side in sides for ratio in ratios)
        levels.append(AnchorLevel(-(-height // stride), -(-width // stride), (stride, stride), shapes))
    return levels
