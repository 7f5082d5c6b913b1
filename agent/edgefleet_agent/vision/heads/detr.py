"""Transformer detectors (DETR, RT-DETR, D-FINE, RF-DETR): a fixed number of queries, each a box and class logits, no suppression.

Carion et al., "End-to-End Object Detection with Transformers", section 3 (softmax with a last class "no object"); Zhao et al.,
"DETRs Beat YOLOs on Real-time Object Detection" (a sigmoid for every class).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Array, Head, HeadContext, Quantity, check_params, number_param, pair_by_width
from edgefleet_agent.vision.heads.scores import Scores, activation_param
from edgefleet_agent.vision.nms import best_first
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class DetrHead(Head):
    """Outputs: `boxes` [1, queries, 4] x, y, width, height in 0..1 of the input (x, y the centre) · `logits` [1, queries,
    classes]. They are distinguished by their width; a model of exactly four classes needs their names in [head.outputs].

    params:
        activation  of the logits: none, sigmoid, softmax (default sigmoid; softmax: the last column is "no object")
        boxes_max   most boxes returned (default 300)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["detr"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("activation", "boxes_max"))
        boxes, logits = pair_by_width(context, "boxes", "logits", 4)
        if boxes.shape[-1:] != (4,) or len(boxes.shape) != 3 or boxes.shape[:2] != logits.shape[:2]:
            raise ManifestError(
                f"head detr: outputs {boxes.name!r} {list(boxes.shape)} and {logits.name!r} {list(logits.shape)} are not "
                "[1, queries, 4] and [1, queries, classes]. Set [head.outputs]"
            )
        self._activation = activation_param(context, "sigmoid")
        self._boxes, self._scores = Quantity(boxes), Scores(logits, self._activation)
        self._classes = logits.shape[-1]
        self.classes = self._classes - (self._activation == "softmax")
        self._most = int(number_param(context, "boxes_max", 300, 1, 1000))
        width, height = context.input_width, context.input_height
        self._scale = np.array([width, height, width, height], np.float32)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        rows, classes, scores = self._scores.reaching(outputs[self._scores.name].reshape(-1, self._classes), min_score)
        if self._activation == "softmax":
            objects = classes < self._classes - 1
            rows, classes, scores = rows[objects], classes[objects], scores[objects]
        order = best_first(scores, self._most)
        real = self._boxes.real(outputs[self._boxes.name].reshape(-1, 4)[rows[order]])
        halves = real[:, 2:] / 2
        boxes = np.concatenate([real[:, :2] - halves, real[:, :2] + halves], axis=1) * self._scale
        return Detections(boxes.astype(np.float32), scores[order], classes[order].astype(np.int32))
