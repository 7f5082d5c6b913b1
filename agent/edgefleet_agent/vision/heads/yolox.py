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
    check_family_params,
    find_output,
    number_param,
    strides_param,
    true_cells,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_boxes
from edgefleet_agent.vision.nms import suppress
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
        check_family_params(context, "yolox")
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        strides = strides_param(context, (8, 16, 32))
        cells = sum((context.input_height // stride) * (context.input_width // stride) for stride in strides)
        self._tensors = OutputTensors(context, "yolox", cells=cells)
        self._tensor = self._tensors.add(find_output(context, "predictions", 0), "1, cells, 5 + classes")
        self._tensors.check_rows(cells)
        self.classes = self._tensors.count("classes")
        self._centres, self._strides = _grid(context, strides)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (rows,) = self._tensors.arrays(outputs)
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
        return suppress(found_boxes(boxes, scores[which, classes], classes), self._iou)


def _grid(context: HeadContext, strides: list[int]) -> tuple[Floats, Floats]:
    """Column and row of every cell (cells, 2), and its stride (cells, 1)."""
    centres, pixels = [], []
    for stride in strides:
        down, across = np.mgrid[: context.input_height // stride, : context.input_width // stride]
        centres.append(np.stack([across.ravel(), down.ravel()], axis=1))
        pixels.append(np.full((across.size, 1), stride))
    return np.concatenate(centres).astype(np.float32), np.concatenate(pixels).astype(np.float32)
