"""YOLO models with boxes decoded inside the model; the shape of the single output determines the layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output, number_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_boxes
from edgefleet_agent.vision.heads.yolo_rows import YoloRows, corners_of
from edgefleet_agent.vision.nms import best_first, suppress
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class YoloHead(Head):
    """Output `predictions`, n boxes as one of

        [1, 3 * cells, 5 + classes]    x, y, width, height, objectness, classes (v5, v7 and similar: three anchors a cell)
        [1, 4 + classes, cells]        x, y, width, height, classes (v8, v9, v11 and similar: no anchors, no objectness)
        [1, cells, 4 or 5 + classes]   either; distinguished by the number of labels, or by params.objectness
        [1, n <= 1000, 6]              x1, y1, x2, y2, score, class (v10 and exports that suppress inside the model)

    with cells = those of all strides. Numbers are pixels of the input.

    params:
        strides     pixels of a cell on each level (default [8, 16, 32])
        objectness  whether there is an objectness column, if the shape is ambiguous
        normalized  coordinates are fractions of the input's sides, as in some TFLite exports (default false)
        iou         boxes of one class that overlap by more than this are one (default 0.45)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["yolo"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "yolo")
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        self._tensors = OutputTensors(context, "yolo")
        self._boxes = YoloRows(context, "yolo", find_output(context, "predictions", 0), self._tensors)
        self.classes = self._boxes.classes

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (stored,) = self._tensors.arrays(outputs)
        found = self._boxes.reaching(self._boxes.by_row(stored), min_score)
        if self._boxes.layout.ended:
            boxes = found_boxes(found.sides, found.scores, found.class_ids)
            return boxes[best_first(boxes.scores)]
        return suppress(found_boxes(corners_of(found.sides), found.scores, found.class_ids), self._iou)
