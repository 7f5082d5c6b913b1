"""SSD without post-processing: deltas and class scores for every anchor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.anchors import AnchorLevel, joined, ssd_levels
from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    TensorSpec,
    check_family_params,
    flag_param,
    number_param,
    numbers_param,
    pair_by_width,
    strides_param,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, found_boxes
from edgefleet_agent.vision.heads.scores import Scores, activation_param
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class AnchoredHead(Head):
    """Base of heads with anchors. Subclasses give the anchors, the order of the deltas and the activation."""

    def __init__(
        self,
        context: HeadContext,
        tensors: tuple[TensorSpec, TensorSpec],
        levels: Sequence[AnchorLevel],
        scores: Scores,
        *,
        family: str,
        background: bool,
        variances: list[float],
        rows_first: bool,
        iou: float,
    ) -> None:
        """Checks the tensors. tensors: boxes and scores. background: the first column of the scores is no class. rows_first:
        deltas are y, x, height, width."""
        super().__init__(context)
        boxes, classes = tensors
        self._tensors = OutputTensors(context, family, anchors=sum(level.count for level in levels))
        # A model with undeclared shapes has known shapes in its first run.
        self._boxes = self._tensors.add(boxes, "1, anchors, 4", "anchors, 4", undeclared=True)
        columns = "1 + classes" if background else "classes"
        self._tensors.add(classes, f"1, anchors, {columns}", f"anchors, {columns}", undeclared=True)
        self._tensors.check_rows(self._tensors.known("anchors")[0])
        self._scores = scores
        self._anchors, self._variances, self._iou = joined(levels), variances, iou
        self._order = [1, 0, 3, 2] if rows_first else [0, 1, 2, 3]
        self.by_picture = self._tensors.by_picture
        self.classes = self._tensors.count("classes")

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        deltas, stored = self._tensors.arrays(outputs)
        rows, classes, scores = self._scores.reaching(stored.reshape(-1, stored.shape[-1]), min_score)
        corners = self.corners(rows, self._boxes.real(deltas.reshape(-1, 4)[rows]))
        return suppress(found_boxes(corners, scores, self.class_ids(classes)), self._iou)

    def corners(self, rows: np.typing.NDArray[np.intp], deltas: Floats) -> Floats:
        """Corners of the boxes of the anchors `rows`, in pixels of the input."""
        return self._anchors.boxes(rows, deltas[:, self._order], self._variances)

    def class_ids(self, classes: np.typing.NDArray[np.intp]) -> np.typing.NDArray[np.int32]:
        """Converts columns of the scores (without the skipped ones) to class numbers."""
        return classes.astype(np.int32)


class SsdAnchorsHead(AnchoredHead):
    """Outputs: `boxes` [1, n, 4]: y, x, height, width as deltas of the anchors · `scores` [1, n, classes], the background first.
    Both may be quantized; they are distinguished by their width.

    params:
        strides      pixels of a cell on each level (default [16, 32, 64, 128, 256, 512])
        scales       smallest and largest anchor as a part of the picture (default [0.2, 0.95])
        ratios       width / height of the anchors (default [1, 2, 0.5, 3, 0.3333])
        reduced      the lowest level has three anchors only (default true)
        variances    of x, y, width, height (default [0.1, 0.1, 0.2, 0.2])
        activation   of the scores: none, sigmoid, softmax (default sigmoid)
        background   the first column is no class (default true)
        rows_first   deltas are y, x, height, width; false: x, y, width, height (default true)
        iou          boxes of one class that overlap by more than this are one (default 0.6)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["ssd_anchors"].input

    def __init__(self, context: HeadContext) -> None:
        check_family_params(context, "ssd_anchors")
        boxes, scores = pair_by_width(context, "boxes", "scores", 4)
        scales = numbers_param(context, "scales", (0.2, 0.95), 0.001, 4)
        variances = numbers_param(context, "variances", (0.1, 0.1, 0.2, 0.2), 1e-6, 100)
        if len(scales) != 2 or len(variances) != 4:
            raise ManifestError("head ssd_anchors: 'scales' has two numbers, 'variances' four")
        background = flag_param(context, "background", True)
        levels = ssd_levels(
            context.input_width,
            context.input_height,
            strides_param(context, (16, 32, 64, 128, 256, 512)),
            (scales[0], scales[1]),
            numbers_param(context, "ratios", (1.0, 2.0, 0.5, 3.0, 1 / 3), 0.01, 100),
            reduced=flag_param(context, "reduced", True),
        )
        super().__init__(
            context,
            (boxes, scores),
            levels,
            Scores(scores, activation_param(context, "sigmoid"), int(background)),
            family="ssd_anchors",
            background=background,
            variances=variances,
            rows_first=flag_param(context, "rows_first", True),
            iou=number_param(context, "iou", 0.6, 0, 1),
        )
