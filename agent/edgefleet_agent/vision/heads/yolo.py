"""One-stage detectors of the YOLO family with boxes decoded inside the model; the shape of the single output determines the
layout.

Written from the published shapes and equations (Redmon et al., "YOLO9000", section 2: a box is centre, width, height, and the
probability of a class is the objectness times the class's own probability; Wang et al., "YOLOv10": one row a box, no
suppression).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    TensorSpec,
    check_params,
    find_output,
    flag_param,
    number_param,
    strides_param,
    true_cells,
)
from edgefleet_agent.vision.nms import best_first, suppress
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of the output tensor. rows: one row a box (otherwise one column). objectness: a separate column before the classes.
    ended: rows are x1, y1, x2, y2, score, class and need no suppression."""

    rows: bool
    objectness: bool
    ended: bool = False

    def classes(self, spec: TensorSpec) -> int:
        """Number of classes in `spec`; 0 if its rows hold the class's number."""
        return 0 if self.ended else spec.shape[-1 if self.rows else -2] - 4 - self.objectness


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
        check_params(context, ("strides", "objectness", "normalized", "iou"))
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        spec = find_output(context, "predictions", 0)
        self._layout = recognise(context, spec)
        self.classes = self._layout.classes(spec)
        self._tensor = Quantity(spec)
        width, height = context.input_width, context.input_height
        sides = [width, height, width, height] if flag_param(context, "normalized", False) else [1] * 4
        self._scale = np.array(sides, np.float32)

    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        stored = outputs[self._tensor.name]
        stored = stored.reshape(stored.shape[-2:])
        if self._layout.ended:
            return self._ended(self._tensor.real(stored), min_score)
        if not self._layout.rows:
            stored = stored.T
        if self._layout.objectness:
            # A class score is at most 1, so a box can only reach min_score if its objectness does.
            (cells,) = np.nonzero(self._tensor.reaching(stored[:, 4], min_score))
            real = self._tensor.real(stored[cells])
            products = real[:, 4:5] * real[:, 5:]
            which, classes = true_cells(products >= min_score)
            scores, corners = products[which, classes], real[which, :4]
        else:
            cells, classes = true_cells(self._tensor.reaching(stored[:, 4:], min_score))
            scores, corners = self._tensor.real(stored[cells, classes + 4]), self._tensor.real(stored[cells, :4])
        halves = corners[:, 2:] / 2
        boxes = np.concatenate([corners[:, :2] - halves, corners[:, :2] + halves], axis=1) * self._scale
        return suppress(Detections(boxes, np.array(scores, np.float32), classes.astype(np.int32)), self._iou)

    def _ended(self, rows: Array, min_score: float) -> Detections:
        rows = rows[rows[:, 4] >= min_score]
        rows = rows[best_first(rows[:, 4])]
        return Detections(rows[:, :4] * self._scale, rows[:, 4], np.rint(rows[:, 5]).astype(np.int32))


def recognise(context: HeadContext, spec: TensorSpec) -> Layout:
    """The layout that follows from the shape of `spec`.

    Raises:
        ManifestError: no layout fits, or two do.
    """
    cells = sum(
        -(-context.input_width // side) * -(-context.input_height // side) for side in strides_param(context, (8, 16, 32))
    )
    first, second = spec.shape[-2:] if len(spec.shape) == 3 else (0, 0)
    given = flag_param(context, "objectness", False) if "objectness" in context.params else None
    if second == cells != first and first >= 5:
        return Layout(rows=False, objectness=_objectness(context, spec, first, False if given is None else given))
    if first == 3 * cells and second >= 6:
        return Layout(rows=True, objectness=True)
    if first == cells and second >= 5:
        return Layout(rows=True, objectness=_objectness(context, spec, second, given))
    if second == 6 and 1 <= first <= 1000:
        return Layout(rows=True, objectness=False, ended=True)
    raise ManifestError(
        f"head yolo: output {spec.name!r} is {list(spec.shape)}; for an input of {context.input_width} x "
        f"{context.input_height} expected [1, {3 * cells}, 5 + classes], [1, 4 + classes, {cells}],"
        f" [1, {cells}, 4 or 5 + classes] or [1, n, 6]. Check the head and params.strides"
    )


def _objectness(context: HeadContext, spec: TensorSpec, columns: int, given: bool | None) -> bool:
    labels = len(context.labels)
    if "objectness" not in context.params and labels in (columns - 4, columns - 5):
        return labels == columns - 5
    if given is None:
        raise ManifestError(
            f"head yolo: output {spec.name} {list(spec.shape)} has {columns - 5} classes with objectness, {columns - 4} without;"
            " specify labels or params.objectness"
        )
    return given
