"""YOLO models that give more than upright boxes: key points, masks, or rotated boxes. Their boxes have the layouts of `yolo`,
with further columns after the classes.

Written from the published shapes and equations (Maji et al., "YOLO-Pose", section 3.4; Bolya et al., "YOLACT", section 3: the
mask of an object is the sum of prototypes of the whole picture, weighted by its coefficients, within its box).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import ClassVar

import numpy as np

from edgefleet_agent.vision.box_parts import BoxMask, BoxParts
from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    TensorSpec,
    check_family_params,
    find_output,
    flag_param,
    number_param,
)
from edgefleet_agent.vision.heads.keypoints import BODY, POINTS_MAX
from edgefleet_agent.vision.heads.output_tensors import PIXELS_MAX, OutputTensors, found_points, refusal, sound_boxes
from edgefleet_agent.vision.heads.yolo_rows import YoloRows, box_columns, cell_count, corners_of
from edgefleet_agent.vision.nms import best_first, remaining
from edgefleet_agent.vision.rotated_boxes import quads_of, remaining_quads, upright
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec


class YoloPoseHead(Head):
    """Output `predictions`, a layout of `yolo` with x, y and a score of each key point after the classes:

        [1, 4 + classes + 3 * points, cells]    v8, v11: boxes as centre, width, height
        [1, n, 6 + 3 * points]                  suppressed inside the model: x1, y1, x2, y2, score, class

    The result is boxes with key points. Without `points` and labels, the model has one class.

    params:
        points      number of key points, or a list of their names (default: what the columns leave for the classes)
        visibility  each point has a score (default true); false: x and y only
        strides, objectness, normalized, iou  as for `yolo`
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["yolo_pose"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "yolo_pose")
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        spec = find_output(context, "predictions", 0)
        self._each = 2 + flag_param(context, "visibility", True)
        self._names = _point_names(context, spec, self._each)
        self._tensors = OutputTensors(context, "yolo_pose")
        self._boxes = YoloRows(context, "yolo_pose", spec, self._tensors, self._each * len(self._names))
        self.classes = self._boxes.classes

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (stored,) = self._tensors.arrays(outputs)
        stored = self._boxes.by_row(stored)
        boxes, rows = _suppressed(self._boxes, stored, min_score, self._iou)
        columns = self._boxes.further(stored, rows).reshape(len(rows), len(self._names), self._each)
        scores = columns[..., 2] if self._each == 3 else np.ones(columns.shape[:2], np.float32)
        points, scores = found_points(columns[..., :2] * self._boxes.unit, scores)
        parts = BoxParts(points, scores, self._names)
        return Detections(boxes.boxes, boxes.scores, boxes.class_ids, parts=parts)


class YoloSegmentationHead(Head):
    """Outputs: `predictions`, a layout of `yolo` with the coefficients of the object's mask after the classes, and `prototypes`:

        [1, 4 + classes + masks, cells]  or, suppressed inside the model, [1, n, 6 + masks]
        [1, masks, rows, columns]        or [1, rows, columns, masks]

    They are distinguished by the numbers of their dimensions. The result is boxes with masks in cells of the prototypes.

    params:
        boxes_max  most boxes returned (default 300)
        strides, objectness, normalized, iou  as for `yolo`
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["yolo_segmentation"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "yolo_segmentation")
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        self._most = int(number_param(context, "boxes_max", 300, 1, 1000))
        predictions, prototypes = _segmentation_outputs(context)
        self._tensors = OutputTensors(context, "yolo_segmentation")
        self._last = _masks_last(prototypes, context)
        self._prototypes = self._tensors.add(prototypes, "1, rows, columns, masks" if self._last else "1, masks, rows, columns")
        masks, rows, columns = self._tensors.known("masks", "rows", "columns")
        self._tensors.check_rows(rows * columns)
        self._boxes = YoloRows(context, "yolo_segmentation", predictions, self._tensors, masks)
        self.classes = self._boxes.classes
        self._cell: Floats = np.array([context.input_width / columns, context.input_height / rows], np.float32)

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        prototypes, stored = self._tensors.arrays(outputs)
        stored = self._boxes.by_row(stored)
        boxes, rows = _suppressed(self._boxes, stored, min_score, self._iou)
        boxes, rows = boxes[: self._most], rows[: self._most]
        if not len(boxes):
            return boxes
        real = self._prototypes.real(prototypes[0])
        real = np.moveaxis(real, 2, 0) if self._last else real
        coefficients = self._boxes.further(stored, rows)
        masks = tuple(self._mask(each, box, real) for each, box in zip(coefficients, boxes.boxes, strict=True))
        return Detections(boxes.boxes, boxes.scores, boxes.class_ids, parts=BoxParts(masks=masks))

    def _mask(self, coefficients: Floats, box: Floats, prototypes: Floats) -> BoxMask:
        """The mask of one object: the cells that its box touches."""
        rows, columns = prototypes.shape[1:]
        places = box / np.tile(self._cell, 2)
        limits = np.array([columns, rows])
        first = np.clip(np.floor(places[:2]), 0, limits - 1).astype(int)
        last = np.clip(np.ceil(places[2:]), first + 1, limits).astype(int)
        part = prototypes[:, first[1] : last[1], first[0] : last[0]]
        # A matrix product would use more than one thread.
        cells = np.einsum("m,mrc->rc", coefficients, part) > 0
        area = (np.concatenate([first, last]) * np.tile(self._cell, 2)).tolist()
        return BoxMask(np.asarray(cells), (area[0], area[1], area[2], area[3]))


class YoloObbHead(Head):
    """Output `predictions`, a layout of `yolo` with the angle of the box after the classes, in radians clockwise:

        [1, 4 + classes + 1, cells]    centre, width, height, classes, angle
        [1, n, 7]                      suppressed inside the model: centre, width, height, score, class, angle

    The result is the upright boxes around the rotated ones, with their corners. Suppression compares rotated boxes.

    params:
        strides, objectness, normalized, iou  as for `yolo`
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["yolo_obb"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        check_family_params(context, "yolo_obb")
        self._iou = number_param(context, "iou", 0.45, 0.0, 1.0)
        self._tensors = OutputTensors(context, "yolo_obb")
        self._boxes = YoloRows(context, "yolo_obb", find_output(context, "predictions", 0), self._tensors, 1)
        self.classes = self._boxes.classes

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Detections:
        (stored,) = self._tensors.arrays(outputs)
        stored = self._boxes.by_row(stored)
        found = self._boxes.reaching(stored, min_score)
        order = best_first(found.scores)
        sides, angles = found.sides[order], self._boxes.further(stored, found.rows[order])[:, 0]
        quads = quads_of(np.where(sides[:, 2:].min(axis=1, keepdims=True) >= 0, sides, np.nan), angles)
        boxes, sound = sound_boxes(upright(quads), found.scores[order], found.class_ids[order])
        quads = np.clip(quads[sound], -PIXELS_MAX, PIXELS_MAX)
        if not self._boxes.layout.ended:
            chosen = remaining_quads(quads, boxes.scores, boxes.class_ids, self._iou)
            boxes, quads = boxes[chosen], quads[chosen]
        return Detections(boxes.boxes, boxes.scores, boxes.class_ids, parts=BoxParts(corners=quads))


def _suppressed(reader: YoloRows, stored: Array, min_score: float, iou: float) -> tuple[Detections, Array]:
    """The boxes that remain, best first, and their rows of `stored`."""
    found = reader.reaching(stored, min_score)
    ended = reader.layout.ended
    boxes, sound = sound_boxes(found.sides if ended else corners_of(found.sides), found.scores, found.class_ids)
    chosen = best_first(boxes.scores) if ended else remaining(boxes, iou)
    return boxes[chosen], found.rows[sound][chosen]


def _point_names(context: HeadContext, spec: TensorSpec, each: int) -> tuple[str, ...]:
    """Names of the key points: those of the params, those of a body, or numbers.

    Raises:
        ManifestError: the columns of the output leave no whole number of points.
    """
    given = context.params.get("points")
    if isinstance(given, list) and given and len(given) <= POINTS_MAX and all(isinstance(name, str) and name for name in given):
        return tuple(given)
    if given is not None and not (isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= POINTS_MAX):
        raise ManifestError(
            f"head yolo_pose: param 'points' must be a number from 1 to {POINTS_MAX} or a list of names, got {given!r}"
        )
    count = given or _point_count(context, spec, each)
    return BODY if count == len(BODY) else tuple(f"point_{index}" for index in range(count))


def _point_count(context: HeadContext, spec: TensorSpec, each: int) -> int:
    columns, cells = box_columns(context, spec), cell_count(context)
    rows = spec.shape[1] if len(spec.shape) == 3 else 0
    classes = len(context.labels) or 1
    if cells in spec.shape[1:]:
        beside = 4 + (context.params.get("objectness") is True) + classes
    else:
        beside = 5 + classes if rows == 3 * cells else 6
    count, rest = divmod(columns - beside, each)
    if count < 1 or rest or count > POINTS_MAX:
        text = (
            f"has {columns} columns a box: {beside} of box and classes leave no whole number of points of {each} numbers;"
            " specify the labels of the classes, or params.points"
        )
        raise refusal("yolo_pose", text, (spec,))
    return count


def _segmentation_outputs(context: HeadContext) -> tuple[TensorSpec, TensorSpec]:
    """Predictions and prototypes: those named in the manifest, or the one of three and the one of four dimensions.

    Raises:
        ManifestError: there are not both.
    """
    flat = [spec for spec in context.outputs.values() if len(spec.shape) == 3]
    maps = [spec for spec in context.outputs.values() if len(spec.shape) == 4]
    named = [context.names.get(role, role) in context.outputs for role in ("predictions", "prototypes")]
    if not any(named) and not context.names and (len(flat) != 1 or len(maps) != 1):
        text = "are not one of three and one of four dimensions, [1, 4 + classes + masks, cells] and [1, masks, rows, columns]"
        raise refusal("yolo_segmentation", f"{text}; set [head.outputs]", tuple(context.outputs.values()))
    predictions = flat[0] if len(flat) == 1 and not named[0] else find_output(context, "predictions", 0)
    prototypes = maps[0] if len(maps) == 1 and not named[1] else find_output(context, "prototypes", 1)
    return predictions, prototypes


def _masks_last(prototypes: TensorSpec, context: HeadContext) -> bool:
    """Whether the masks are the last side: then the two sides before it are closer to the ratio of the input's sides."""
    if len(prototypes.shape) != 4 or min(*prototypes.shape[1:], context.input_width, context.input_height) < 1:
        return False
    _, one, two, three = prototypes.shape
    ratio = context.input_height / context.input_width
    return abs(log(one / two / ratio)) < abs(log(two / three / ratio))
