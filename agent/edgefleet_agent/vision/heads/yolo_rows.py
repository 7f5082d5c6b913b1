"""Rows of YOLO models with boxes decoded inside the model: the shape of the tensor determines the layout.

Written from the published shapes and equations (Redmon et al., "YOLO9000", section 2: a box is centre, width, height, and the
probability of a class is the objectness times the class's own probability; Wang et al., "YOLOv10": one row a box, no
suppression).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edgefleet_agent.vision.detections import Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    HeadContext,
    Rows,
    TensorSpec,
    flag_param,
    strides_param,
    true_cells,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors
from edgefleet_contract.core.errors import ManifestError

ENDED_MAX = 1000
"""Most boxes of a model that suppresses by itself."""


@dataclass(frozen=True, slots=True)
class YoloLayout:
    """Layout of the output tensor. rows: one row a box (otherwise one column). objectness: a separate column before the classes.
    ended: rows are four sides, score, class and need no suppression. extra: further columns, the last ones."""

    rows: bool
    objectness: bool
    ended: bool = False
    extra: int = 0

    def pattern(self, count: int) -> str:
        """The pattern of a shape with `count` boxes."""
        if self.ended:
            return f"1, {count}, {6 + self.extra}"
        columns = f"{4 + self.objectness + self.extra} + classes"
        return f"1, {count}, {columns}" if self.rows else f"1, {columns}, {count}"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Boxes that reach the minimum score. sides (n, 4): centre, width, height, or the corners of a layout that is `ended`.
    rows: of the tensor."""

    sides: Floats
    scores: Floats
    class_ids: Array
    rows: Rows


class YoloRows:
    """The tensor of boxes of one model, with `extra` further columns.

    Raises:
        ManifestError: no layout fits its shape, or two do.
    """

    def __init__(self, context: HeadContext, family: str, spec: TensorSpec, tensors: OutputTensors, extra: int = 0) -> None:
        self.layout = recognise(context, family, spec, extra)
        count = spec.shape[-2 if self.layout.rows else -1]
        self._tensor = tensors.add(spec, self.layout.pattern(count))
        self.classes = tensors.count("classes")
        width, height = context.input_width, context.input_height
        unit = (width, height) if flag_param(context, "normalized", False) else (1, 1)
        self.unit: Floats = np.array(unit, np.float32)
        """Pixels of a unit of x and of y."""
        self._units: Floats = np.tile(self.unit, 2)

    def by_row(self, stored: Array) -> Array:
        """The tensor of a run with one row a box."""
        rows = stored.reshape(stored.shape[-2:])
        return rows if self.layout.rows else rows.T

    def reaching(self, rows: Array, min_score: float) -> Candidates:
        """The boxes of `rows` of at least `min_score`, in pixels of the input."""
        if self.layout.ended:
            real = self._tensor.real(rows)
            (chosen,) = np.nonzero(real[:, 4] >= min_score)
            return Candidates(self._sides(real[chosen]), real[chosen, 4], real[chosen, 5], chosen)
        last = rows.shape[1] - self.layout.extra
        if self.layout.objectness:
            # A class score is at most 1, so a box can only reach min_score if its objectness does.
            (cells,) = np.nonzero(self._tensor.reaching(rows[:, 4], min_score))
            real = self._tensor.real(rows[cells, :last])
            products = real[:, 4:5] * real[:, 5:]
            which, classes = true_cells(products >= min_score)
            return Candidates(self._sides(real[which]), products[which, classes], classes, cells[which])
        cells, classes = true_cells(self._tensor.reaching(rows[:, 4:last], min_score))
        scores = self._tensor.real(rows[cells, classes + 4])
        return Candidates(self._sides(self._tensor.real(rows[cells, :4])), scores, classes, cells)

    def further(self, rows: Array, chosen: Rows) -> Floats:
        """The further columns (chosen, extra) as real numbers."""
        return self._tensor.real(rows[chosen, rows.shape[1] - self.layout.extra :])

    def _sides(self, real: Floats) -> Floats:
        return real[:, :4] * self._units


def corners_of(sides: Floats) -> Floats:
    """Corners x1, y1, x2, y2 of boxes with centre, width, height."""
    halves = sides[:, 2:] / 2
    return np.concatenate([sides[:, :2] - halves, sides[:, :2] + halves], axis=1)


def cell_count(context: HeadContext) -> int:
    """Cells of all levels."""
    strides = strides_param(context, (8, 16, 32))
    return sum(-(-context.input_width // side) * -(-context.input_height // side) for side in strides)


def box_columns(context: HeadContext, spec: TensorSpec) -> int:
    """Number of columns of a box: the side that does not count the boxes; 0 for a shape of another rank."""
    if len(spec.shape) != 3:
        return 0
    first, second = spec.shape[1:]
    return first if second == cell_count(context) != first else second


def recognise(context: HeadContext, family: str, spec: TensorSpec, extra: int) -> YoloLayout:
    """The layout that follows from the shape of `spec`.

    Raises:
        ManifestError: no layout fits, or two do.
    """
    cells = cell_count(context)
    first, second = spec.shape[-2:] if len(spec.shape) == 3 else (0, 0)
    given = flag_param(context, "objectness", False) if "objectness" in context.params else None
    if second == cells != first and first >= 5 + extra:
        return YoloLayout(rows=False, objectness=bool(given), extra=extra)
    if first == 3 * cells and second >= 6 + extra:
        return YoloLayout(rows=True, objectness=True, extra=extra)
    if first == cells and second >= 5 + extra:
        return YoloLayout(rows=True, objectness=_objectness(context, family, spec, second - extra, given), extra=extra)
    if second == 6 + extra and 1 <= first <= ENDED_MAX:
        return YoloLayout(rows=True, objectness=False, ended=True, extra=extra)
    raise ManifestError(
        f"head {family}: output {spec.name!r} is {list(spec.shape)}; for an input of {context.input_width} x "
        f"{context.input_height} expected [1, {3 * cells}, {5 + extra} + classes], [1, {4 + extra} + classes, {cells}],"
        f" [1, {cells}, {4 + extra} or {5 + extra} + classes] or [1, n, {6 + extra}]. Check the head and params.strides"
    )


def _objectness(context: HeadContext, family: str, spec: TensorSpec, columns: int, given: bool | None) -> bool:
    labels = len(context.labels)
    if "objectness" not in context.params and labels in (columns - 4, columns - 5):
        return labels == columns - 5 and labels > 0
    if given is None:
        raise ManifestError(
            f"head {family}: output {spec.name!r} {list(spec.shape)} has {columns - 5} classes with objectness, {columns - 4}"
            " without; specify labels or params.objectness"
        )
    return given
