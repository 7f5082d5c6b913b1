"""EfficientDet without post-processing (Tan et al., "EfficientDet: Scalable and Efficient Object Detection", section 4.1): class
logits and deltas for the anchors of five levels. Exports that end in TFLite_Detection_PostProcess are the family `ssd`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.anchors import AnchorLevel, Anchors, joined, octave_levels
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    check_family_params,
    number_param,
    numbers_param,
    strides_param,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, fits, found_boxes, refusal
from edgefleet_agent.vision.heads.scores import Scores, activation_param
from edgefleet_agent.vision.nms import suppress
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
        check_family_params(context, "efficientdet")
        self._iou = number_param(context, "iou", 0.5, 0.0, 1.0)
        self._activation = activation_param(context, "sigmoid")
        ratios = numbers_param(context, "ratios", (1.0, 2.0, 0.5), 0.01, 100)
        octaves = int(number_param(context, "octaves", 3, 1, 8))
        width, height, scale = context.input_width, context.input_height, number_param(context, "scale", 4, 0.1, 64)
        levels = octave_levels(width, height, strides_param(context, (8, 16, 32, 64, 128)), scale, octaves, ratios)
        self._tensors = OutputTensors(context, "efficientdet", sides=4)
        # All levels joined are one pair of tensors.
        groups = [levels] if len(context.outputs) == 2 else [[level] for level in levels]
        self._levels = [self._level(group) for group in groups]
        self.classes = self._tensors.count("classes")

    def _level(self, levels: list[AnchorLevel]) -> tuple[Anchors, Scores, Quantity]:
        """The anchors of `levels`, and the two tensors that belong to them."""
        count, first = sum(level.count for level in levels), levels[0]
        rows = [f"1, {count}, "]
        if len(levels) == 1:
            rows = [f"1, {first.rows}, {first.columns}, {len(first.shapes)} * ", *rows]
        found = [spec for spec in self.context.outputs.values() if fits(spec, *(f"{each}classes" for each in rows)) is not None]
        boxes = [spec for spec in found if fits(spec, *(f"{each}classes" for each in rows), classes=4) is not None]
        scores = [spec for spec in found if spec not in boxes]
        if len(boxes) != 1 or len(scores) != 1:
            text = f"have no two outputs for the {count} anchors of a level; check the params"
            raise refusal("efficientdet", text, tuple(self.context.outputs.values()))
        self._tensors.check_rows(count)
        self._tensors.add(scores[0], *(f"{each}classes" for each in rows))
        deltas = self._tensors.add(boxes[0], *(f"{each}sides" for each in rows))
        return joined(levels), Scores(scores[0], self._activation), deltas

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        boxes, reached, class_ids = [], [], []
        arrays = self._tensors.arrays(outputs)
        for (anchors, scores, deltas), stored, moves in zip(self._levels, arrays[::2], arrays[1::2], strict=True):
            rows, classes, values = scores.reaching(stored.reshape(len(anchors), -1), min_score)
            moved = deltas.real(moves.reshape(-1, 4)[rows])[:, [1, 0, 3, 2]]
            boxes.append(anchors.boxes(rows, moved, (1, 1, 1, 1)))
            reached.append(values)
            class_ids.append(classes.astype(np.int32))
        return suppress(found_boxes(np.concatenate(boxes), np.concatenate(reached), np.concatenate(class_ids)), self._iou)
