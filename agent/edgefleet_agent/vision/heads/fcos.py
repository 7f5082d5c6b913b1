"""FCOS on one grid: every cell gives class scores and its distances to the four sides of its object
(Tian et al., "FCOS: Fully Convolutional One-Stage Object Detection", section 3.1; without centre-ness and pyramid)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output, number_param, true_cells
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_boxes
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class FcosHead(Head):
    """Outputs: `scores` [1, rows, columns, classes] in 0..1 (after the sigmoid) · `boxes` [1, rows, columns, 4]: left, top,
    right, bottom distances in pixels of the input from the centre of the cell, ((column + 0.5) * stride, (row + 0.5) * stride),
    with stride = input / grid. Both may be quantized.

    params:
        iou  boxes of one class that overlap by more than this are one (default 0.5)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["fcos"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "fcos")
        self._iou = number_param(context, "iou", 0.5, 0.0, 1.0)
        scores, boxes = find_output(context, "scores", 0), find_output(context, "boxes", 1)
        self._tensors = OutputTensors(context, "fcos")
        self._scores = self._tensors.add(scores, "1, rows, columns, classes")
        self._boxes = self._tensors.add(boxes, "1, rows, columns, 4")
        rows, columns = self._tensors.known("rows", "columns")
        self._tensors.check_rows(rows * columns)
        self.classes = self._tensors.count("classes")
        down, across = np.mgrid[:rows, :columns]
        stride = np.array([context.input_width / columns, context.input_height / rows])
        centres = (np.stack([across.ravel(), down.ravel()], axis=1) + 0.5) * stride
        self._centres = centres.astype(np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        stored, sides = self._tensors.arrays(outputs)
        stored = stored.reshape(-1, stored.shape[-1])
        cells, classes = true_cells(self._scores.reaching(stored, min_score))
        scores = self._scores.real(stored[cells, classes])
        distances = self._boxes.real(sides.reshape(-1, 4)[cells])
        centres = self._centres[cells]
        boxes = np.concatenate([centres - distances[:, :2], centres + distances[:, 2:]], axis=1)
        return suppress(found_boxes(boxes, scores, classes), self._iou)
