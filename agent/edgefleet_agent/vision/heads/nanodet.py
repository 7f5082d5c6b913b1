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
    check_params,
    flag_param,
    number_param,
    strides_param,
)
from edgefleet_agent.vision.heads.scores import Scores
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.core.errors import ManifestError
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
        check_params(context, ("strides", "bins", "middle", "iou"))
        self._iou = number_param(context, "iou", 0.5, 0.0, 1.0)
        self._bins = int(number_param(context, "bins", 8, 2, 64))
        middle = flag_param(context, "middle", True)
        cells = [_cells(context, stride, middle) for stride in strides_param(context, (8, 16, 32))]
        if len(context.outputs) == 1:
            self._levels = [
                self._joined(np.concatenate([each[0] for each in cells]), np.concatenate([each[1] for each in cells]))
            ]
        else:
            self._levels = [self._pair(*each) for each in cells]
        self.classes = self._levels[0].columns or context.outputs[self._levels[0].scores.name].shape[-1]

    def _pair(self, centres: Floats, pixels: Floats) -> _Level:
        found = [spec for spec in self.context.outputs.values() if len(spec.shape) >= 2 and spec.shape[-2] == len(centres)]
        sides = [spec for spec in found if spec.shape[-1] == 4 * self._bins]
        scores = [spec for spec in found if spec.shape[-1] != 4 * self._bins]
        if len(sides) == 2 and not scores:  # equal numbers of class and side columns: scores come first in every export
            scores, sides = sides[:1], sides[1:]
        if len(sides) != 1 or len(scores) != 1:
            raise self._refusal(len(centres))
        return _Level(Scores(scores[0], "none"), Quantity(sides[0]), 0, centres, pixels)

    def _joined(self, centres: Floats, pixels: Floats) -> _Level:
        (spec,) = self.context.outputs.values()
        classes = spec.shape[-1] - 4 * self._bins
        if len(spec.shape) != 3 or spec.shape[1] != len(centres) or classes < 1:
            raise self._refusal(len(centres))
        return _Level(Scores(spec, "none"), Quantity(spec), classes, centres, pixels)

    def _refusal(self, cells: int) -> ManifestError:
        shapes = ", ".join(f"{spec.name} {list(spec.shape)}" for spec in self.context.outputs.values())
        expected = f"[{cells}, classes] and [{cells}, {4 * self._bins}]"
        return ManifestError(f"head nanodet: no outputs {expected} among {shapes}; check params.strides and params.bins")

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        found = [self._decode_level(level, outputs, min_score) for level in self._levels]
        boxes, scores, classes = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return suppress(Detections(boxes, scores, classes.astype(np.int32)), self._iou)

    def _decode_level(self, level: _Level, outputs: Mapping[str, Array], min_score: float) -> tuple[Floats, Floats, Array]:
        stored = outputs[level.scores.name]
        stored = stored.reshape(-1, stored.shape[-1])
        cells, classes, scores = level.scores.reaching(stored[:, : level.columns] if level.columns else stored, min_score)
        order = np.argsort(-scores, kind="stable")
        _, best = np.unique(cells[order], return_index=True)
        chosen = order[best]
        cells, classes, scores = cells[chosen], classes[chosen], scores[chosen]
        sides = outputs[level.sides.name]
        real = level.sides.real(sides.reshape(-1, sides.shape[-1])[cells, level.columns :]).reshape(-1, 4, self._bins)
        weights = np.exp(real - real.max(axis=2, keepdims=True, initial=-np.inf))
        bins = np.arange(self._bins, dtype=np.float32)
        distances = (weights @ bins) / weights.sum(axis=2) * level.strides[cells]
        centres = level.centres[cells]
        return np.concatenate([centres - distances[:, :2], centres + distances[:, 2:]], axis=1), scores, classes


def _cells(context: HeadContext, stride: int, middle: bool) -> tuple[Floats, Floats]:
    """Centres (cells, 2) in pixels of the input and strides (cells, 1)."""
    down, across = np.mgrid[: -(-context.input_height // stride), : -(-context.input_width // stride)]
    centres = np.stack([across.ravel(), down.ravel()], axis=1) * stride + ((stride - 1) / 2 if middle else 0)
    return centres.astype(np.float32), np.full((across.size, 1), stride, np.float32)
