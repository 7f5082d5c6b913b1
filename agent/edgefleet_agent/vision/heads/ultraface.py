"""UltraFace (RFB-320, slim-320): faces on four levels; boxes are decoded inside the model or by the head."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.anchors import fixed_levels
from edgefleet_agent.vision.detections import Floats
from edgefleet_agent.vision.heads.base import HeadContext, check_family_params, flag_param, number_param, pair_by_width
from edgefleet_agent.vision.heads.scores import Scores
from edgefleet_agent.vision.heads.ssd_anchors import AnchoredHead
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

STRIDES = (8, 16, 32, 64)
SIDES = ((10, 16, 24), (32, 48), (64, 96), (128, 192, 256))


class UltraFaceHead(AnchoredHead):
    """Outputs: `scores` [1, n, 2 or more], background, face and further classes, after the softmax · `boxes` [1, n, 4]: x1,
    y1, x2, y2 in 0..1, or deltas of the priors. They are distinguished by their width. A face is class 1, further ones 2, 3 ...

    params:
        decoded  the boxes are corners; false: deltas (default true)
        iou      boxes that overlap by more than this are one (default 0.3)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["ultraface"].input

    def __init__(self, context: HeadContext) -> None:
        check_family_params(context, "ultraface")
        boxes, scores = pair_by_width(context, "boxes", "scores", 4)
        self._decoded = flag_param(context, "decoded", True)
        width, height = context.input_width, context.input_height
        self._scale = np.array([width, height, width, height], np.float32)
        super().__init__(
            context,
            (boxes, scores),
            fixed_levels(width, height, STRIDES, SIDES),
            Scores(scores, "none", skip=1),
            family="ultraface",
            background=True,
            variances=[0.1, 0.1, 0.2, 0.2],
            rows_first=False,
            iou=number_param(context, "iou", 0.3, 0.0, 1.0),
        )
        self.classes += bool(self.classes)  # the background is class 0, and has a label

    def corners(self, rows: np.typing.NDArray[np.intp], deltas: Floats) -> Floats:
        return deltas * self._scale if self._decoded else super().corners(rows, deltas)

    def class_ids(self, classes: np.typing.NDArray[np.intp]) -> np.typing.NDArray[np.int32]:
        numbers: np.typing.NDArray[np.int32] = classes.astype(np.int32) + np.int32(1)
        return numbers
