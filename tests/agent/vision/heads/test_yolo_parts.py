"""YOLO heads of key points, masks and rotated boxes against a plain decoding: every layout and type of the outputs, and the way
back to the frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.heads.base import Head, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.keypoints import BODY
from edgefleet_agent.vision.heads.yolo_parts import YoloObbHead, YoloPoseHead, YoloSegmentationHead
from edgefleet_agent.vision.image.crop import CropPlace, crop_to_frame
from edgefleet_agent.vision.image.preprocess import fit_geometry
from edgefleet_agent.vision.rotated_boxes import quads_of, upright
from edgefleet_contract.core.errors import ManifestError
from tests.agent.vision.heads.soundness import assert_sound
from tests.agent.vision.heads.yolo_reference import (
    CELLS,
    CLASSES,
    HEIGHT,
    WIDTH,
    Known,
    Stored,
    Tensor,
    corners,
    laid_out,
    objects,
    plain_decoding,
    store,
    upright_overlap,
)

POINTS, MASKS, ROWS, COLUMNS = 4, 6, HEIGHT // 4, WIDTH // 4
LAYOUTS = ["columns", "rows", "ended"]
DTYPES = ["float32", "float16", "int8", "uint8"]
LABELS = tuple(f"label {number}" for number in range(CLASSES))
UNIT = np.array([WIDTH, HEIGHT])
SHIFT = np.array([100, 50])

every_cell = [
    pytest.mark.parametrize("dtype", DTYPES),
    pytest.mark.parametrize("layout", LAYOUTS),
    pytest.mark.parametrize("min_score", [0.05, 0.5, 0.9]),
]


def matrix(test: Any) -> Any:
    """Every layout in every type at several minimum scores."""
    for mark in every_cell:
        test = mark(test)
    return test


def build(kind: type[Head], stored: Mapping[str, Stored], labels: tuple[str, ...] = LABELS, **params: Any) -> Head:
    specs = {
        name: TensorSpec(name, each.tensor.shape, each.tensor.dtype, each.scale, each.zero_point) for name, each in stored.items()
    }
    return kind(HeadContext(specs, {}, {"normalized": True, **params}, WIDTH, HEIGHT, labels))


def found(kind: type[Head], stored: Mapping[str, Stored], min_score: float, **rest: Any) -> Detections:
    result = build(kind, stored, **rest).decode({name: each.tensor for name, each in stored.items()}, min_score)
    assert isinstance(result, Detections)
    assert_sound(result, min_score, (WIDTH, HEIGHT))
    return result


def tensor(seed: int, extra: int, layout: str, dtype: str, *, as_corners: bool = True) -> Stored:
    rows = objects(seed, extra, layout)
    if layout == "ended" and as_corners:
        rows[:, :4] = np.concatenate([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2], axis=1)
    scale = 4 / 255 if layout == "ended" else 2 / 255
    return store(laid_out(rows, layout), dtype, scale)


def box_of(known: Known, layout: str) -> Tensor:
    return known.sides if layout == "ended" else corners(known)


def assert_boxes(result: Detections, known: list[Known], boxes: list[Tensor]) -> None:
    assert result.class_ids.tolist() == [each.number for each in known]
    assert np.allclose(result.scores, [each.score for each in known], atol=1e-4)
    assert np.allclose(result.boxes, np.array(boxes).reshape(-1, 4), atol=0.05)


@matrix
@pytest.mark.parametrize("visibility", [True, False])
def test_key_points_of_every_box(dtype: str, layout: str, min_score: float, visibility: bool) -> None:
    each = 2 + visibility
    stored = tensor(7, POINTS * each, layout, dtype)
    result = found(YoloPoseHead, {"o": stored}, min_score, visibility=visibility)
    known = plain_decoding(stored, layout, min_score, upright_overlap)
    assert_boxes(result, known, [box_of(one, layout) for one in known])
    assert result.parts is not None
    assert result.parts.point_names == tuple(f"point_{index}" for index in range(POINTS))
    for one, points, scores in zip(known, result.parts.points, result.parts.point_scores, strict=True):
        columns = one.extra.reshape(POINTS, each)
        assert np.allclose(points, columns[:, :2] * UNIT, atol=0.05)
        assert np.allclose(scores, np.clip(columns[:, 2], 0, 1) if visibility else 1, atol=1e-3)


@matrix
@pytest.mark.parametrize("channels_last", [True, False])
def test_masks_of_every_box(dtype: str, layout: str, min_score: float, channels_last: bool) -> None:
    stored = tensor(11, MASKS, layout, dtype)
    maps = np.random.default_rng(3).uniform(-0.4, 1.2, (1, MASKS, ROWS, COLUMNS))
    prototypes = store(np.ascontiguousarray(np.moveaxis(maps, 1, 3)) if channels_last else maps, dtype)
    result = found(YoloSegmentationHead, {"proto": prototypes, "boxes": stored}, min_score)
    known = plain_decoding(stored, layout, min_score, upright_overlap)
    assert_boxes(result, known, [box_of(one, layout) for one in known])
    real = prototypes.real()[0]
    real = np.moveaxis(real, 2, 0) if channels_last else real
    for index, one in enumerate(known):
        assert result.parts is not None
        mask, box = result.parts.masks[index], box_of(one, layout) / 4
        left, top = np.clip(np.floor(box[:2] + 1e-4), 0, [COLUMNS - 1, ROWS - 1]).astype(int).tolist()
        right, bottom = np.clip(np.ceil(box[2:] - 1e-4), [left + 1, top + 1], [COLUMNS, ROWS]).astype(int).tolist()
        if not np.allclose(mask.area, [left * 4, top * 4, right * 4, bottom * 4]):
            # An edge of the box that lies on an edge of cells.
            assert np.abs(box - np.rint(box)).min() < 1e-3
            continue
        logits = sum(one.extra[number] * real[number, top:bottom, left:right] for number in range(MASKS))
        unsure = np.abs(logits) < 1e-3
        assert ((mask.cells == (logits > 0)) | unsure).all()


def rotated_overlap(first: Known, second: Known) -> float:
    """Counts places of a fine grid."""
    xs, ys = np.meshgrid(np.arange(0.25, WIDTH, 0.5), np.arange(0.25, HEIGHT, 0.5))
    within = []
    for each in (first, second):
        x, y, width, height = each.sides
        cosine, sine = np.cos(each.extra[0]), np.sin(each.extra[0])
        along, across = (xs - x) * cosine + (ys - y) * sine, (ys - y) * cosine - (xs - x) * sine
        within.append((np.abs(along) <= width / 2) & (np.abs(across) <= height / 2))
    return float((within[0] & within[1]).sum() / max((within[0] | within[1]).sum(), 1))


@matrix
def test_rotated_boxes_are_suppressed_as_rotated(dtype: str, layout: str, min_score: float) -> None:
    stored = tensor(5, 1, layout, dtype, as_corners=False)
    result = found(YoloObbHead, {"o": stored}, min_score)
    known = plain_decoding(stored, layout, min_score, rotated_overlap)
    quads = [quads_of(one.sides[None].astype(np.float32), one.extra[:1].astype(np.float32)) for one in known]
    assert_boxes(result, known, [upright(each)[0] for each in quads])
    assert result.parts is not None
    assert np.allclose(result.parts.corners, np.array(quads).reshape(-1, 4, 2), atol=0.05)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", [YoloPoseHead, YoloSegmentationHead, YoloObbHead])
def test_a_score_that_equals_the_minimum_is_found(dtype: str, kind: type[Head]) -> None:
    extra = {YoloPoseHead: 3 * POINTS, YoloSegmentationHead: MASKS, YoloObbHead: 1}[kind]
    rows = np.zeros((CELLS, 4 + CLASSES + extra))
    rows[40, :4], rows[40, 5] = (0.5, 0.5, 0.25, 0.25), 0.5
    stored = {"o": store(laid_out(rows, "columns"), dtype)}
    if kind is YoloSegmentationHead:
        stored["p"] = store(np.zeros((1, MASKS, ROWS, COLUMNS)), dtype)
    (least,) = {float(value) for value in np.unique(stored["o"].real()[0, 5]) if value > 0.1}
    assert len(found(kind, stored, least)) == 1
    assert len(found(kind, stored, least + 1e-3)) == 0


@pytest.mark.parametrize("fit", ["letterbox", "letterbox_top_left", "stretch"])
@pytest.mark.parametrize("frame", [(640, 480), (300, 400), (1920, 300)])
def test_parts_are_placed_in_the_frame_as_boxes_are(fit: str, frame: tuple[int, int]) -> None:
    """A rectangle around a known place of the frame, as key points, mask and corners, comes back to that place."""
    geometry, _ = fit_geometry(fit, frame, (WIDTH, HEIGHT))
    scale, offset = np.array([geometry.scale_x, geometry.scale_y]), np.array([geometry.offset_x, geometry.offset_y])
    low, high = np.array(frame) * [0.3, 0.4], np.array(frame) * [0.6, 0.8]
    first, last = low * scale + offset, high * scale + offset
    sides = np.concatenate([(first + last) / 2, last - first])
    maps = np.zeros((1, 1, 4 * ROWS, 4 * COLUMNS), np.float32)
    maps[:, :, round(first[1]) : round(last[1]), round(first[0]) : round(last[0])] = 1
    rows = np.zeros((CELLS, 4 + CLASSES + 1), np.float32)
    rows[9, :4], rows[9, 4], rows[9, -1] = sides, 0.9, 1.0
    for kind in (YoloSegmentationHead, YoloObbHead, YoloPoseHead):
        extra = {YoloPoseHead: np.array([*first, 0.8, *last, 0.7]), YoloObbHead: np.zeros(1)}.get(kind, np.ones(1))
        whole = np.zeros((CELLS, 4 + CLASSES + len(extra)), np.float32)
        whole[9, : 4 + CLASSES], whole[9, 4 + CLASSES :] = rows[9, : 4 + CLASSES], extra
        stored = {"o": Stored(laid_out(whole, "columns"))}
        if kind is YoloSegmentationHead:
            stored["p"] = Stored(maps)
        placed = geometry.place(found(kind, stored, 0.5, normalized=False), (WIDTH, HEIGHT))
        assert isinstance(placed, Detections)
        assert placed.parts is not None
        assert np.allclose(placed.boxes[0], [*low, *high], atol=0.1)
        shifted = crop_to_frame(placed, CropPlace((100, 50)))
        assert isinstance(shifted, Detections)
        assert shifted.parts is not None
        cell = 1 / scale
        if kind is YoloPoseHead:
            assert np.allclose(placed.parts.points[0], [low, high], atol=0.1)
            assert np.allclose(shifted.parts.points[0], [low + SHIFT, high + SHIFT], atol=0.1)
        elif kind is YoloObbHead:
            assert np.allclose(placed.parts.corners[0], [low, [high[0], low[1]], high, [low[0], high[1]]], atol=0.1)
            assert np.allclose(shifted.parts.corners, placed.parts.corners + SHIFT, atol=0.1)
        else:
            mask = placed.parts.masks[0]
            ys, xs = np.arange(0.5, frame[1]), np.arange(0.5, frame[0])
            inside = (xs > low[0]) & (xs < high[0]) & ((ys > low[1]) & (ys < high[1]))[:, None]
            sure = (np.abs(xs[:, None] - [low[0], high[0]]).min(axis=1) > cell[0]) & (
                np.abs(ys[:, None] - [low[1], high[1]]).min(axis=1) > cell[1]
            )[:, None]
            assert ((mask.at(xs, ys) == inside) | ~sure).all()
            assert np.allclose(shifted.parts.masks[0].area, np.array(mask.area) + np.tile(SHIFT, 2))


@pytest.mark.parametrize(
    ("shape", "labels", "params", "names"),
    [
        ((1, 56, CELLS), 0, {}, BODY),
        ((1, 56, CELLS), 1, {}, BODY),
        ((1, 300, 57), 0, {}, BODY),
        ((1, 3 * CELLS, 57), 1, {}, BODY),
        ((1, CELLS, 11), 1, {}, ("point_0", "point_1")),
        ((1, 13, CELLS), 3, {"points": ["head", "tail"]}, ("head", "tail")),
        ((1, 13, CELLS), 0, {"points": 2}, ("point_0", "point_1")),
    ],
)
def test_the_number_of_labels_decides_the_number_of_points(
    shape: tuple[int, ...], labels: int, params: dict[str, Any], names: tuple[str, ...]
) -> None:
    head = build(YoloPoseHead, {"o": Stored(np.zeros(shape, np.float32))}, tuple(map(str, range(labels))), **params)
    result = head.decode({"o": np.zeros(shape, np.float32)}, 0.5)
    assert isinstance(result, Detections)
    assert result.parts is not None
    assert result.parts.point_names == names
    assert head.classes in (0, labels or {11: 1, 56: 1, 13: 3}.get(min(shape[1:]), 1))


@pytest.mark.parametrize(
    ("kind", "shapes", "params", "text"),
    [
        (YoloPoseHead, [(1, 57, CELLS)], {}, "leave no whole number of points"),
        (YoloPoseHead, [(1, 56, CELLS)], {"points": 0}, "param 'points' must be a number"),
        (YoloPoseHead, [(1, 56, CELLS)], {"points": [""]}, "param 'points' must be a number"),
        (YoloPoseHead, [(1, 56, 100)], {}, r"'out0' \[1, 56, 100\] has 100 columns a box"),
        (YoloSegmentationHead, [(1, 40, CELLS)], {}, "are not one of three and one of four dimensions"),
        (YoloSegmentationHead, [(1, 40, CELLS), (1, 40, 10, 10)], {}, r"'out0' is \[1, 40, 252\]"),
        (YoloObbHead, [(1, 5, CELLS)], {}, r"'out0' is \[1, 5, 252\]"),
        (YoloObbHead, [(1, 20, CELLS)], {"angle": 1}, "unknown param 'angle'"),
    ],
)
def test_what_does_not_fit_is_refused(kind: type[Head], shapes: list[tuple[int, ...]], params: dict[str, Any], text: str) -> None:
    stored = {f"out{index}": Stored(np.zeros(shape, np.float32)) for index, shape in enumerate(shapes)}
    with pytest.raises(ManifestError, match=text):
        build(kind, stored, (), **params)
