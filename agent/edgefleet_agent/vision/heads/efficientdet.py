"""EfficientDet without post-processing (Tan et al., "EfficientDet: Scalable and Efficient Object Detection", section 4.1): class
logits and deltas for the anchors of five levels. Exports that end in TFLite_Detection_PostProcess are the family `ssd`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.anchors import Anchors, octave_anchors
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    TensorSpec,
    check_params,
    number_param,
    numbers_param,
    strides_param,
)
from edgefleet_agent.vision.heads.scores import Scores, activation_param
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class EfficientDetHead(Head):
    """Outputs, in any order: for each level [1, rows, columns, anchors * classes] and [1, rows, columns, anchors * 4], or all
    levels joined as [1, n, classes] and [1, n, 4]. Deltas are y, x, log height, log width of the anchors, with variance 1.

    params:
        strides     pixels of a cell on each level (default [8, 16, 32, 64, 128])
        scale       anchor side in strides (default 4)
        octaves     anchor sizes from one level to the next (default 3)
        ratios      width / height of the anchors (default [1, 2, 0.5])
        activation  of the scores: none, sigmoid, softmax (default sigmoid)
        iou         boxes of one class that overlap by more than this are one (default 0.5)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["efficientdet"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_params(context, ("strides", "scale", "octaves", "ratios", "activation", "iou"))
        self._iou = number_param(context, "iou", 0.5, 0.0, 1.0)
        self._activation = activation_param(context, "sigmoid")
        ratios = numbers_param(context, "ratios", (1.0, 2.0, 0.5), 0.01, 100)
        octaves = int(number_param(context, "octaves", 3, 1, 8))
        width, height, scale = context.input_width, context.input_height, number_param(context, "scale", 4, 0.1, 64)
        levels = [
            octave_anchors(width, height, [stride], scale, octaves, ratios)
            for stride in strides_param(context, (8, 16, 32, 64, 128))
        ]
        self._levels = [self._level(anchors, octaves * len(ratios)) for anchors in _groups(context, levels)]
        anchors, scores, _ = self._levels[0]
        self.classes = _count(context.outputs[scores.name]) // len(anchors)

    def _level(self, anchors: Anchors, per_cell: int) -> tuple[Anchors, Scores, Quantity]:
        """The two tensors that belong to `anchors`."""
        found = [spec for spec in self.context.outputs.values() if _boxes_of(spec, len(anchors), per_cell)]
        boxes = [spec for spec in found if spec.shape[-1] in (4, 4 * per_cell) and _count(spec) == 4 * len(anchors)]
        scores = [spec for spec in found if spec not in boxes]
        if len(boxes) != 1 or len(scores) != 1:
            shapes = ", ".join(f"{spec.name} {list(spec.shape)}" for spec in self.context.outputs.values())
            raise ManifestError(
                f"head efficientdet: no two outputs for the {len(anchors)} anchors of a level among {shapes}; check the params"
            )
        return anchors, Scores(scores[0], self._activation), Quantity(boxes[0])

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        boxes, reached, class_ids = [], [], []
        for anchors, scores, deltas in self._levels:
            rows, classes, values = scores.reaching(outputs[scores.name].reshape(len(anchors), -1), min_score)
            moved = deltas.real(outputs[deltas.name].reshape(-1, 4)[rows])[:, [1, 0, 3, 2]]
            boxes.append(anchors.boxes(rows, moved, (1, 1, 1, 1)))
            reached.append(values)
            class_ids.append(classes.astype(np.int32))
        return suppress(Detections(np.concatenate(boxes), np.concatenate(reached), np.concatenate(class_ids)), self._iou)


def _groups(context: HeadContext, levels: list[Anchors]) -> list[Anchors]:
    """The anchors grouped by pair of tensors: one group for each level, or one for all levels."""
    if len(context.outputs) != 2:
        return levels
    return [Anchors(np.concatenate([each.centres for each in levels]), np.concatenate([each.sizes for each in levels]))]


def _boxes_of(spec: TensorSpec, count: int, per_cell: int) -> bool:
    """Whether `spec` has one row for each of `count` anchors."""
    if len(spec.shape) == 4:
        return spec.shape[1] * spec.shape[2] * per_cell == count and spec.shape[3] % per_cell == 0
    return len(spec.shape) == 3 and spec.shape[1] == count


def _count(spec: TensorSpec) -> int:
    return int(np.prod(spec.shape))
