"""Transformer detectors (DETR, RT-DETR, D-FINE, RF-DETR): a fixed number of queries, each a box and class logits, no suppression;
and detectors of PaddleDetection, which have their post-processing inside.

Carion et al., "End-to-End Object Detection with Transformers", section 3 (softmax with a last class "no object"); Zhao et al.,
"DETRs Beat YOLOs on Real-time Object Detection" (a sigmoid for every class).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    TensorSpec,
    check_family_params,
    check_params,
    find_output,
    flag_param,
    number_param,
    pair_by_width,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, fits, found_boxes, refusal
from edgefleet_agent.vision.heads.scores import Scores, activation_param
from edgefleet_agent.vision.heads.yolo_rows import corners_of
from edgefleet_agent.vision.nms import best_first
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

_FLAT = ("1, queries", "queries")


class DetrHead(Head):
    """Outputs, one of

        boxes [1, queries, 4], logits [1, queries, classes]           DETR, RF-DETR (dets, labels), exports of Transformers
        predictions [1, queries, 4 + classes]                         RT-DETR in one tensor, with scores for logits
        boxes [1, queries, 4], scores [1, queries], labels [1, queries]  RT-DETR, D-FINE with their post-processing
        rows [n, 6] of class, score, box, and perhaps their number    PaddleDetection: RT-DETR, PP-YOLOE

    The first two are distinguished by their width; a model of exactly four classes needs their names in [head.outputs]. Boxes are
    x, y, width, height in 0..1 of the input (x, y the centre); of the last two forms, x1, y1, x2, y2 in pixels of the input.

    params:
        activation  of the logits: none, sigmoid, softmax (default sigmoid, of `predictions` none; softmax: the last column is
                    "no object"); not for the last two forms
        corners     boxes are x1, y1, x2, y2
        normalized  boxes are in 0..1 of the input; false: pixels
        boxes_max   most boxes returned (default 300)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["detr"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        rows = _rows(context)
        listed = _listed(context) if rows is None else None
        joined = "predictions" in context.names or len(context.outputs) == 1
        logits_given = listed is None and rows is None
        check_params(
            context,
            tuple(name for name in ("corners", "normalized", "boxes_max", "activation") if name != "activation" or logits_given),
        )
        check_family_params(context, "detr")
        self._most = int(number_param(context, "boxes_max", 300, 1, 1000))
        self._corners = flag_param(context, "corners", not logits_given)
        unit = (context.input_width, context.input_height) if flag_param(context, "normalized", logits_given) else (1, 1)
        self._unit = np.array([*unit, *unit], np.float32)
        self._activation = activation_param(context, "none" if joined else "sigmoid") if logits_given else "none"
        self._tensors = OutputTensors(context, "detr")
        self._scores: Scores | None = None
        columns = "1 + classes" if self._activation == "softmax" else "classes"
        if rows is not None:
            self._boxes = self._tensors.add(rows, "n, 6", kinds="f")
        elif listed is not None:
            boxes, scores, labels = listed
            self._boxes = self._tensors.add(boxes, "1, queries, 4", "queries, 4")
            self._listed = (self._tensors.add(scores, *_FLAT), self._tensors.add(labels, *_FLAT))
        elif joined:
            spec = find_output(context, "predictions", 0)
            self._boxes = self._tensors.add(spec, f"1, queries, {5 if columns.startswith('1') else 4} + classes")
            self._scores = Scores(spec, self._activation)
        else:
            boxes, logits = pair_by_width(context, "boxes", "logits", 4)
            self._boxes = self._tensors.add(boxes, "1, queries, 4")
            self._tensors.add(logits, f"1, queries, {columns}")
            self._scores = Scores(logits, self._activation)
        self.by_picture = self._tensors.by_picture
        self.classes = self._tensors.count("classes")

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        arrays = self._tensors.arrays(outputs)
        boxes = arrays[0].reshape(-1, arrays[0].shape[-1])
        if len(arrays) == 1 and self._scores is None:
            return self._decode_rows(boxes, min_score)
        if self._scores is None:
            return self._decode_listed(boxes, arrays[1].reshape(-1), arrays[2].reshape(-1), min_score)
        logits = arrays[1].reshape(-1, arrays[1].shape[-1]) if len(arrays) == 2 else boxes[:, 4:]
        rows, classes, scores = self._scores.reaching(logits, min_score)
        if self._activation == "softmax":
            objects = classes < logits.shape[-1] - 1
            rows, classes, scores = rows[objects], classes[objects], scores[objects]
        order = best_first(scores, self._most)
        return self._found(boxes[rows[order]], scores[order], classes[order])

    def _decode_listed(self, boxes: Array, scores: Array, labels: Array, min_score: float) -> Detections:
        quantity, numbers = self._listed
        (rows,) = np.nonzero(quantity.reaching(scores, min_score))
        real = quantity.real(scores[rows])
        order = best_first(real, self._most)
        rows = rows[order]
        return self._found(boxes[rows], real[order], numbers.real(labels[rows]))

    def _decode_rows(self, rows: Array, min_score: float) -> Detections:
        rows = rows[rows[:, 1] >= min_score]
        rows = rows[best_first(rows[:, 1], self._most)]
        return self._found(rows[:, 2:], rows[:, 1], rows[:, 0])

    def _found(self, stored: Array, scores: Array, classes: Array) -> Detections:
        real = self._boxes.real(stored[:, :4])
        return found_boxes((real if self._corners else corners_of(real)) * self._unit, scores, classes)


def _rows(context: HeadContext) -> TensorSpec | None:
    """The table of a model of PaddleDetection, alone or beside the number of its rows; None if it has no such output."""
    if "rows" in context.names:
        return find_output(context, "rows", len(context.outputs))
    specs = list(context.outputs.values())
    tables = [spec for spec in specs if len(spec.shape) == 2 and spec.shape[0] != 1 and fits(spec, "n, 6") is not None]
    counts = [spec for spec in specs if len(spec.shape) < 2]
    return tables[0] if len(tables) == 1 and len(counts) == len(specs) - 1 <= 1 else None


def _listed(context: HeadContext) -> tuple[TensorSpec, TensorSpec, TensorSpec] | None:
    """Boxes, scores and labels of a model that does its post-processing; None if it has logits.

    Raises:
        ManifestError: scores and labels cannot be distinguished.
    """
    roles = ("boxes", "scores", "labels")
    if "labels" in context.names or all(role in context.outputs for role in roles):
        boxes, scores, labels = (find_output(context, role, len(context.outputs)) for role in roles)
        return boxes, scores, labels
    specs = list(context.outputs.values())
    wide = [spec for spec in specs if fits(spec, "1, queries, 4", "queries, 4") is not None]
    flat = [spec for spec in specs if spec not in wide and fits(spec, *_FLAT) is not None]
    if len(specs) != 3 or len(wide) != 1 or len(flat) != 2:
        return None
    whole = [spec.dtype.kind in "iu" and not spec.scale for spec in flat]
    named = ["label" in spec.name.lower() or "class" in spec.name.lower() for spec in flat]
    if whole[0] == whole[1] and named[0] == named[1]:
        raise refusal("detr", "do not show which one is the labels; set boxes, scores and labels in [head.outputs]", tuple(flat))
    first = whole[0] if whole[0] != whole[1] else named[0]
    return (wide[0], flat[1], flat[0]) if first else (wide[0], flat[0], flat[1])
