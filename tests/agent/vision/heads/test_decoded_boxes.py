"""YOLO layouts, transformer detectors and anchors, on tensors made from known boxes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.anchors import Anchors, octave_levels, ssd_levels
from edgefleet_agent.vision.anchors import joined as joined_levels
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.detr import DetrHead
from edgefleet_agent.vision.heads.efficientdet import EfficientDetHead
from edgefleet_agent.vision.heads.nanodet import NanodetHead
from edgefleet_agent.vision.heads.ssd_anchors import SsdAnchorsHead
from edgefleet_agent.vision.heads.yolo import YoloHead
from edgefleet_contract.core.errors import ManifestError

SIZE = 128
CELLS = 16 * 16 + 8 * 8 + 4 * 4
BOXES = np.array([[10, 20, 50, 80], [64, 8, 120, 40], [70, 70, 90, 126]], np.float32)
"""Three boxes that do not overlap, of classes 0, 2 and 1, scoring 0.9, 0.8 and 0.7."""
CLASSES, SCORES = [0, 2, 1], [0.9, 0.8, 0.7]

Tensor = np.typing.NDArray[Any]


def build(
    head: type[Head], tensors: Mapping[str, Tensor], labels: int = 3, scale: float = 0.0, zero: int = 0, **params: Any
) -> Head:
    specs = {name: TensorSpec(name, each.shape, each.dtype, scale, zero) for name, each in tensors.items()}
    return head(HeadContext(specs, {}, params, SIZE, SIZE, tuple(f"label {number}" for number in range(labels))))


def found(head: type[Head], tensors: Mapping[str, Tensor], min_score: float = 0.5, **rest: Any) -> Detections:
    result = build(head, tensors, **rest).decode(tensors, min_score)
    assert isinstance(result, Detections)
    return result


def assert_known(result: Detections, tolerance: float = 0.02) -> None:
    assert result.class_ids.tolist() == CLASSES
    assert np.allclose(result.scores, SCORES, atol=tolerance / 4)
    assert np.allclose(result.boxes, BOXES, atol=tolerance)


def centred(boxes: Tensor) -> Tensor:
    """Corners to centre, width, height."""
    return np.concatenate([(boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]], axis=1)


def logit(score: float) -> float:
    return math.log(score / (1 - score))


def yolo_rows(count: int, *, objectness: bool) -> Tensor:
    """The three boxes, each with a worse neighbour that suppression has to remove."""
    rows = np.zeros((1, count, (5 if objectness else 4) + 3), np.float32)
    for index, (box, number, score) in enumerate(zip(centred(BOXES), CLASSES, SCORES, strict=True)):
        for place, part in ((index * 7, 1.0), (index * 7 + 1, 0.8)):
            rows[0, place, :4] = box
            if objectness:
                rows[0, place, 4] = 1.0
            rows[0, place, (5 if objectness else 4) + number] = score * part
    return rows


@pytest.mark.parametrize("labels", [3, 0])
def test_three_anchors_a_cell(labels: int) -> None:
    assert_known(found(YoloHead, {"o": yolo_rows(3 * CELLS, objectness=True)}, labels=labels))


@pytest.mark.parametrize("labels", [3, 0])
def test_a_column_a_cell(labels: int) -> None:
    columns = np.ascontiguousarray(yolo_rows(CELLS, objectness=False).swapaxes(1, 2))
    assert_known(found(YoloHead, {"o": columns}, labels=labels))


@pytest.mark.parametrize("objectness", [True, False])
def test_a_row_a_cell_is_distinguished_by_labels_or_params(objectness: bool) -> None:
    rows = {"o": yolo_rows(CELLS, objectness=objectness)}
    assert_known(found(YoloHead, rows))
    assert_known(found(YoloHead, rows, labels=0, objectness=objectness))
    with pytest.raises(ManifestError, match="specify labels or params"):
        build(YoloHead, rows, labels=0)


def test_rows_that_need_no_suppression() -> None:
    rows = np.zeros((1, 20, 6), np.float32)
    rows[0, 5:8] = np.concatenate([BOXES, np.array(SCORES)[:, None], np.array(CLASSES)[:, None]], axis=1)
    assert_known(found(YoloHead, {"o": rows}))
    rows[0, :, :4] /= SIZE
    assert_known(found(YoloHead, {"o": rows}, normalized=True))


def test_quantized_columns() -> None:
    real = yolo_rows(CELLS, objectness=False).swapaxes(1, 2)
    real[:, :4] /= SIZE
    scale, zero = 1 / 255, -128
    stored = np.clip(np.rint(real / scale) + zero, -128, 127).astype(np.int8)
    result = found(YoloHead, {"o": np.ascontiguousarray(stored)}, scale=scale, zero=zero, normalized=True)
    assert_known(result, tolerance=1.0)


@pytest.mark.parametrize("shape", [(1, 100, 85), (CELLS, 7), (1, 3 * CELLS, 5), (1, 4, CELLS)])
def test_a_shape_that_is_none_of_them(shape: tuple[int, ...]) -> None:
    with pytest.raises(ManifestError, match=r"expected \[1, 1008, 5 \+ classes\]"):
        build(YoloHead, {"o": np.zeros(shape, np.float32)})


def queries(scored: Tensor, boxes: Tensor) -> dict[str, Tensor]:
    return {"labels": scored[None].astype(np.float32), "dets": boxes[None].astype(np.float32)}


def test_queries_with_a_sigmoid() -> None:
    logits, boxes = np.full((30, 3), -9.0), np.zeros((30, 4))
    for place, box, number, score in zip((7, 3, 20), centred(BOXES) / SIZE, CLASSES, SCORES, strict=True):
        boxes[place], logits[place, number] = box, logit(score)
    assert_known(found(DetrHead, queries(logits, boxes)))
    assert len(found(DetrHead, queries(logits, boxes), boxes_max=2)) == 2


def test_queries_with_a_class_for_no_object() -> None:
    shares, boxes = np.tile([0.02, 0.02, 0.02, 0.94], (30, 1)), np.zeros((30, 4))
    for place, box, number, score in zip((7, 3, 20), centred(BOXES) / SIZE, CLASSES, SCORES, strict=True):
        shares[place] = (1 - score) / 3
        boxes[place], shares[place, number] = box, score
    swapped = dict(reversed(queries(np.log(shares), boxes).items()))
    result = found(
        DetrHead,
        {**swapped, "labels": np.pad(swapped["labels"], ((0, 0),) * 2 + ((0, 1),), constant_values=-99)[:, :, [0, 1, 2, 4, 3]]},
        activation="softmax",
    )
    assert_known(result)


def test_four_classes_need_names() -> None:
    with pytest.raises(ManifestError, match="cannot distinguish boxes and logits"):
        build(DetrHead, queries(np.zeros((30, 4)), np.zeros((30, 4))))
    with pytest.raises(ManifestError, match=r"'b' has shape \[1, 29, 3\] of float32, expected \[1, 30, classes\]"):
        build(DetrHead, {"a": np.zeros((1, 30, 4), np.float32), "b": np.zeros((1, 29, 3), np.float32)})


def encoded(anchors: Anchors, classes: int, variances: tuple[float, ...], absent: float) -> tuple[Tensor, Tensor]:
    """Class logits (n, classes) and deltas (n, 4) y, x, height, width with the three boxes at the anchors that fit them best."""
    logits, deltas = np.full((len(anchors), classes), absent, np.float32), np.zeros((len(anchors), 4), np.float32)
    for box, number, score in zip(centred(BOXES), CLASSES, SCORES, strict=True):
        misfit = np.abs(anchors.centres - box[:2]).sum(axis=1) + np.abs(anchors.sizes - box[2:]).sum(axis=1)
        best = int(misfit.argmin())
        moved = (box[:2] - anchors.centres[best]) / anchors.sizes[best]
        grown = np.log(box[2:] / anchors.sizes[best])
        deltas[best] = (np.array([*moved, *grown]) / variances)[[1, 0, 3, 2]]
        logits[best, classes - 3 + number] = logit(score)
    return logits, deltas


def test_ssd_anchors_with_a_background() -> None:
    anchors = joined_levels(ssd_levels(SIZE, SIZE, (16, 32, 64), (0.2, 0.95), (1.0, 2.0, 0.5, 3.0, 1 / 3), reduced=True))
    assert len(anchors) == 8 * 8 * 3 + 4 * 4 * 6 + 2 * 2 * 6
    logits, deltas = encoded(anchors, 4, (0.1, 0.1, 0.2, 0.2), -9.0)
    logits[:, 0] = 5.0  # background everywhere: of no interest
    assert_known(found(SsdAnchorsHead, {"boxes": deltas[None], "scores": logits[None]}, strides=[16, 32, 64]))


def test_the_anchors_of_the_mobilenet_ssd() -> None:
    strides = (16, 32, 64, 128, 256, 512)
    anchors = joined_levels(ssd_levels(300, 300, strides, (0.2, 0.95), (1.0, 2.0, 0.5, 3.0, 1 / 3), reduced=True))
    assert len(anchors) == 1917
    assert np.allclose(anchors.sizes[0], 30)
    assert np.allclose(anchors.centres[0], 300 / 19 / 2)
    assert np.allclose(anchors.sizes[-1], 300 * math.sqrt(0.95))


@pytest.mark.parametrize("joined", [True, False])
def test_efficientdet_levels(joined: bool) -> None:
    grids = octave_levels(SIZE, SIZE, (8, 16, 32, 64, 128), 4, 3, (1, 2, 0.5))
    levels, every = [grid.anchors() for grid in grids], joined_levels(grids)
    logits, deltas = encoded(every, 3, (1, 1, 1, 1), -9.0)
    if joined:
        tensors = {"boxes": deltas[None], "classes": logits[None]}
    else:
        tensors, first = {}, 0
        for index, level in enumerate(levels):
            rows, side = slice(first, first := first + len(level)), SIZE // (8 << index)
            tensors[f"class{index}"] = logits[rows].reshape(1, side, side, 27)
            tensors[f"box{index}"] = deltas[rows].reshape(1, side, side, 36)
    assert_known(found(EfficientDetHead, tensors))
    with pytest.raises(ManifestError, match="no two outputs"):
        build(EfficientDetHead, tensors, ratios=[1, 2])


def test_nanodet_plus_in_one_tensor() -> None:
    strides, rows = (8, 16, 32), []
    for stride in strides:
        side = SIZE // stride
        level = np.zeros((side * side, 3 + 32), np.float32)
        level[:, 3:] = -20
        if stride == 16:
            for box, number, score in zip(BOXES, CLASSES, SCORES, strict=True):
                column, row = (round(float(box[axis] + box[axis + 2]) / 2 / stride) for axis in (0, 1))
                cell = row * side + column
                level[cell, number] = score
                sides = np.array([column * 16 - box[0], row * 16 - box[1], box[2] - column * 16, box[3] - row * 16]) / stride
                for index, distance in enumerate(sides):
                    low = int(distance)
                    level[cell, 3 + index * 8 + low] = math.log(1 - (distance - low) + 1e-9)
                    level[cell, 3 + index * 8 + low + 1] = math.log(distance - low + 1e-9)
        rows.append(level)
    tensor = {"output": np.concatenate(rows)[None]}
    assert_known(found(NanodetHead, tensor, middle=False))
    with pytest.raises(ManifestError, match="Check the head, its params"):
        build(NanodetHead, tensor, strides=[8, 16])
