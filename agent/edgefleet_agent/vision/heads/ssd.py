"""SSD with post-processing inside the model: TFLite_Detection_PostProcess and similar operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, Quantity, check_family_params, find_output, number_param
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, fits, found_boxes
from edgefleet_agent.vision.nms import best_first
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class SsdHead(Head):
    """Outputs: `boxes` [1, n, 4] ymin, xmin, ymax, xmax in 0..1 of the input · `classes` [1, n] · `scores` [1, n] · `count` [1]
    (optional). Without names in the manifest they are taken in this order.

    params:
        class_offset  added to the class number the model gives (default 0)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["ssd"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "ssd")
        roles = ("boxes", "classes", "scores")
        specs = {role: find_output(context, role, position) for position, role in enumerate(roles)}
        self._tensors = OutputTensors(context, "ssd")
        self._boxes = self._tensors.add(specs["boxes"], "1, n, 4", "n, 4")
        self._classes, self._scores = (
            self._tensors.add(specs[role], "1, n", "n", "1, n, 1", undeclared=True) for role in roles[1:]
        )
        counted = find_output(context, "count", 3) if "count" in context.names or len(context.outputs) > len(roles) else None
        # Without a name, the fourth output is the count if it is a single number.
        self._count: Quantity | None = None
        if counted is not None and ("count" in context.names or not counted.shape or fits(counted, "1") is not None):
            self._count = self._tensors.add(counted, "1", undeclared=True)
        self.by_picture = self._tensors.by_picture
        self._offset = int(number_param(context, "class_offset", 0, -1000, 1000))
        width, height = context.input_width, context.input_height
        self._scale = np.array([width, height, width, height], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        boxes, classes, scores, *counts = self._tensors.arrays(outputs)
        boxes, classes, scores = boxes.reshape(-1, 4), classes.reshape(-1), scores.reshape(-1)
        count = len(scores)
        if self._count is not None:
            stated = float(self._count.real(counts[0].reshape(-1))[0])
            count = int(min(max(stated, 0), count)) if stated == stated else 0  # NaN is no count
        (chosen,) = np.nonzero(self._scores.reaching(scores[:count], min_score))
        real = self._scores.real(scores[chosen])
        chosen, real = chosen[order := best_first(real)], real[order]
        corners = self._boxes.real(boxes[chosen])[:, [1, 0, 3, 2]] * self._scale
        return found_boxes(corners, real, np.rint(self._classes.real(classes[chosen])) + self._offset)
