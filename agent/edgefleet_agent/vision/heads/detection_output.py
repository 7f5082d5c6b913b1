"""SSD with OpenVINO's DetectionOutput layer as output: one table of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, check_family_params, find_output
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_boxes
from edgefleet_agent.vision.nms import best_first
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class DetectionOutputHead(Head):
    """Outputs: `detections` [1, 1, n, 7], rows of picture, class, score, x1, y1, x2, y2 with corners in 0..1 of the input; a row
    whose picture is below 0 ends the table. No params.
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["detection_output"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "detection_output")
        spec = find_output(context, "detections", 0)
        self._tensors = OutputTensors(context, "detection_output")
        self._tensors.add(spec, "1, 1, n, 7", "1, n, 7", "n, 7", kinds="f")
        self.by_picture = self._tensors.by_picture
        width, height = context.input_width, context.input_height
        self._scale = np.array([width, height, width, height], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (stored,) = self._tensors.arrays(outputs)
        rows = stored.reshape(-1, 7)
        (ends,) = np.nonzero(rows[:, 0] < 0)
        rows = rows[: ends[0]] if len(ends) else rows
        rows = rows[rows[:, 2] >= min_score]
        rows = rows[best_first(rows[:, 2])].astype(np.float32)
        return found_boxes(rows[:, 3:] * self._scale, rows[:, 2], rows[:, 1])
