"""YOLOX: anchor-free boxes on three grids, one row a cell (Ge et al., "YOLOX: Exceeding YOLO Series in 2021", section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    check_params,
    find_output,
    number_param,
    true_cells,
)
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class YoloxHead(Head):
    """Outputs: `predictions` [1, cells, 5 + classes]: x, y within the cell, log width, log height (all in strides), objectness,
    and a score for each class. Score of a box = objectness x class score.

    params:
        iou      boxes of one class that overlap by more than this are one (default 0.45)
        strides  pixels of a cell on each grid, in the order of the rows (default [8, 16, 32])
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["yolox"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("iou", "strides"))
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        self._centres, self._strides = _grid(context)
        spec = find_output(context, "predictions", 0)
        rows, columns = (spec.shape[-2], spec.shape[-1]) if len(spec.shape) == 3 else (0, 0)
        if rows not in (-1, len(self._strides)) or columns < 6:
            raise ManifestError(
                f"head yolox: output {spec.name!r} has shape {list(spec.shape)}, expected [1, {len(self._strides)}, 5 + classes] "
                f"for an input of {context.input_width} x {context.input_height}. Check the head and params.strides"
            )
        self.classes = columns - 5
        self._tensor = Quantity(spec)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        rows = outputs[self._tensor.name]
        rows = rows.reshape(-1, rows.shape[-1])
        # A class score is at most 1, so a box can only reach min_score if its objectness does: most cells are rejected here,
        # undecoded.
        (cells,) = np.nonzero(self._tensor.reaching(rows[:, 4], min_score))
        real = self._tensor.real(rows[cells])
        scores = real[:, 4:5] * real[:, 5:]
        which, classes = true_cells(scores >= min_score)
        cells, real = cells[which], real[which]
        strides = self._strides[cells]
        centres = (self._centres[cells] + real[:, :2]) * strides
        halves = np.exp(real[:, 2:4]) * strides / 2
        boxes = np.concatenate([centres - halves, centres + halves], axis=1)
        return suppress(Detections(boxes, scores[which, classes], classes.astype(np.int32)), self._iou)


def _grid(context: HeadContext) -> tuple[Floats, Floats]:
    """Column and row of every cell (cells, 2), and its stride (cells, 1)."""
    strides = context.params.get("strides", [8, 16, 32])
    whole = isinstance(strides, list) and all(isinstance(stride, int) and 1 <= stride <= 1024 for stride in strides)
    if not whole or not strides:
        raise ManifestError(f"head yolox: param 'strides' must be a list of whole numbers, got {strides!r}")
    centres, pixels = [], []
    for stride in strides:
        down, across = np.mgrid[: context.input_height // stride, : context.input_width // stride]
        centres.append(np.stack([across.ravel(), down.ravel()], axis=1))
        pixels.append(np.full((across.size, 1), stride))
    return np.concatenate(centres).astype(np.float32), np.concatenate(pixels).astype(np.float32)
