"""NanoDet and NanoDet-Plus: FCOS-like boxes whose sides are distributions over bins
(Li et al., "Generalized Focal Loss", section 3.2: the distance is the expectation of a softmax over the bins)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    check_family_params,
    flag_param,
    number_param,
    strides_param,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, fits, found_boxes, refusal
from edgefleet_agent.vision.heads.scores import Scores
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


@dataclass(frozen=True, slots=True)
class _Level:
    """One pair of tensors. columns: first column of the four sides if they follow the scores in the same tensor, otherwise 0."""

    scores: Scores
    sides: Quantity
    columns: int
    centres: Floats
    strides: Floats


class NanodetHead(Head):
    """Outputs, recognised by their shapes: for each stride the scores [cells, classes] (after the sigmoid) and the sides [cells,
    4 * bins], with or without a leading 1; or one tensor [1, cells of all strides, classes + 4 * bins] (NanoDet-Plus). Sides are
    left, top, right, bottom in strides from the centre of the cell. A cell gives a box of its best class only.

    params:
        strides  pixels of a cell on each level (default [8, 16, 32])
        bins     of each side (default 8)
        middle   the centre is the middle pixel of the cell, index * stride + (stride - 1) / 2; false: its corner, index * stride,
                 as in NanoDet-Plus (default true)
        iou      boxes of one class that overlap by more than this are one (default 0.5)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["nanodet"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "nanodet")
        self._iou = number_param(context, "iou", 0.5, 0.0, 1.0)
        self._bins = int(number_param(context, "bins", 8, 2, 64))
        self._middle = flag_param(context, "middle", True)
        strides = strides_param(context, (8, 16, 32))
        self._tensors = OutputTensors(context, "nanodet")
        joined = len(context.outputs) == 1
        self._levels = [self._joined(strides)] if joined else [self._pair(stride) for stride in strides]
        self.classes = self._tensors.count("classes")

    def _pair(self, stride: int) -> _Level:
        count = _count(self.context, stride)
        rows = (f"1, {count}, ", f"{count}, ")
        found = [spec for spec in self.context.outputs.values() if fits(spec, *(f"{each}columns" for each in rows)) is not None]
        sides = [spec for spec in found if spec.shape[-1] == 4 * self._bins]
        scores = [spec for spec in found if spec.shape[-1] != 4 * self._bins]
        if len(sides) == 2 and not scores:  # equal numbers of class and side columns: scores come first in every export
            scores, sides = sides[:1], sides[1:]
        if len(sides) != 1 or len(scores) != 1:
            text = f"are no [{count}, classes] and [{count}, {4 * self._bins}]; check params.strides and params.bins"
            raise refusal("nanodet", text, tuple(self.context.outputs.values()))
        self._tensors.check_rows(count)
        self._tensors.add(scores[0], *(f"{each}classes" for each in rows))
        quantity = self._tensors.add(sides[0], *(f"{each}{4 * self._bins}" for each in rows))
        return _Level(Scores(scores[0], "none"), quantity, 0, *_cells(self.context, stride, self._middle))

    def _joined(self, strides: list[int]) -> _Level:
        (spec,) = self.context.outputs.values()
        count = sum(_count(self.context, stride) for stride in strides)
        quantity = self._tensors.add(spec, f"1, {count}, {4 * self._bins} + classes")
        self._tensors.check_rows(count)
        cells = [_cells(self.context, stride, self._middle) for stride in strides]
        centres, pixels = (np.concatenate(each) for each in zip(*cells, strict=True))
        return _Level(Scores(spec, "none"), quantity, self._tensors.known("classes")[0], centres, pixels)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        arrays = self._tensors.arrays(outputs)
        if len(self._levels) != len(arrays):
            pairs = list(zip(arrays[::2], arrays[1::2], strict=True))
        else:
            pairs = [(array, array) for array in arrays]
        found = [self._decode_level(level, *pair, min_score) for level, pair in zip(self._levels, pairs, strict=True)]
        boxes, scores, classes = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return suppress(found_boxes(boxes, scores, classes), self._iou)

    def _decode_level(self, level: _Level, stored: Array, sides: Array, min_score: float) -> tuple[Floats, Floats, Array]:
        stored = stored.reshape(-1, stored.shape[-1])
        cells, classes, scores = level.scores.reaching(stored[:, : level.columns] if level.columns else stored, min_score)
        order = np.argsort(-scores, kind="stable")
        _, best = np.unique(cells[order], return_index=True)
        chosen = order[best]
        cells, classes, scores = cells[chosen], classes[chosen], scores[chosen]
        real = level.sides.real(sides.reshape(-1, sides.shape[-1])[cells, level.columns :]).reshape(-1, 4, self._bins)
        weights = np.exp(real - real.max(axis=2, keepdims=True, initial=-np.inf))
        bins = np.arange(self._bins, dtype=np.float32)
        distances = (weights @ bins) / weights.sum(axis=2) * level.strides[cells]
        centres = level.centres[cells]
        return np.concatenate([centres - distances[:, :2], centres + distances[:, 2:]], axis=1), scores, classes


def _count(context: HeadContext, stride: int) -> int:
    """Number of cells of a level."""
    return -(-context.input_height // stride) * -(-context.input_width // stride)


def _cells(context: HeadContext, stride: int, middle: bool) -> tuple[Floats, Floats]:
    """Centres (cells, 2) in pixels of the input and strides (cells, 1)."""
    down, across = np.mgrid[: -(-context.input_height // stride), : -(-context.input_width // stride)]
    centres = np.stack([across.ravel(), down.ravel()], axis=1) * stride + ((stride - 1) / 2 if middle else 0)
    return centres.astype(np.float32), np.full((across.size, 1), stride, np.float32)
