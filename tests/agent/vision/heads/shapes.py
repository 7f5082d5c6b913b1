"""Usual shapes of the outputs of each family, and its params, for tests that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

Shape = tuple[int, ...]

ACTIVATIONS = st.sampled_from(["none", "sigmoid", "softmax"])
PARAMS: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "classification": st.fixed_dictionaries({}, optional={"softmax": st.booleans(), "background": st.booleans()}),
    "ctc": st.fixed_dictionaries({}, optional={"softmax": st.booleans(), "blank": st.sampled_from([0, -1])}),
    "dbnet": st.fixed_dictionaries({}, optional={"threshold": st.sampled_from([0, 0.5, 1]), "unclip": st.sampled_from([0, 10])}),
    "detection_output": st.just({}),
    "detr": st.fixed_dictionaries(
        {}, optional={"boxes_max": st.sampled_from([1, 300]), "corners": st.booleans(), "normalized": st.booleans()}
    )
    | st.fixed_dictionaries({"activation": ACTIVATIONS}),
    "efficientdet": st.fixed_dictionaries({}, optional={"activation": ACTIVATIONS}),
    "embedding": st.just({}),
    "fcos": st.fixed_dictionaries({}, optional={"iou": st.sampled_from([0.0, 1.0])}),
    "heatmap": st.fixed_dictionaries({}, optional={"sigmoid": st.booleans()}),
    "landmarks": st.just({}),
    "movenet": st.just({}),
    "nanodet": st.fixed_dictionaries({}, optional={"middle": st.booleans()}),
    "reconstruction": st.fixed_dictionaries(
        {"threshold": st.sampled_from([1e-9, 0.1, 1e9])},
        optional={"cell": st.sampled_from([0, 1, 16, 4096]), "layout": st.sampled_from(["nhwc", "nchw"])},
    ),
    "regression": st.dictionaries(
        st.sampled_from(["out0", "out1"]),
        st.fixed_dictionaries({}, optional={"scale": st.sampled_from([-1e9, 0, 2.5]), "offset": st.just(1), "unit": st.just("m")})
        | st.fixed_dictionaries({"labels": st.sampled_from([["a", "b"], ["a"]])}, optional={"softmax": st.booleans()}),
        max_size=2,
    ),
    "segmentation": st.fixed_dictionaries({}, optional={"layout": st.sampled_from(["nhwc", "nchw"])}),
    "ssd": st.fixed_dictionaries({}, optional={"class_offset": st.sampled_from([-1000, -1, 1])}),
    "ssd_anchors": st.fixed_dictionaries({}, optional={"activation": ACTIVATIONS, "background": st.booleans()}),
    "ultraface": st.fixed_dictionaries({}, optional={"decoded": st.booleans()}),
    "yolo": st.fixed_dictionaries({}, optional={"objectness": st.booleans(), "normalized": st.booleans()}),
    "yolo_obb": st.fixed_dictionaries({}, optional={"objectness": st.booleans(), "normalized": st.booleans()}),
    "yolo_pose": st.fixed_dictionaries({}, optional={"visibility": st.booleans(), "points": st.sampled_from([1, 2, 17])}),
    "yolo_segmentation": st.fixed_dictionaries({}, optional={"boxes_max": st.sampled_from([1, 300])}),
    "yolox": st.just({}),
}


def _up(width: int, height: int, stride: int) -> int:
    return -(-width // stride) * -(-height // stride)


def _cells(width: int, height: int) -> int:
    return sum(_up(width, height, stride) for stride in (8, 16, 32))


def _anchors(width: int, height: int) -> int:
    strides = (16, 32, 64, 128, 256, 512)
    return sum(_up(width, height, stride) * (6 if index else 3) for index, stride in enumerate(strides))


def _priors(width: int, height: int) -> int:
    return sum(_up(width, height, stride) * count for stride, count in zip((8, 16, 32, 64), (3, 2, 2, 3), strict=True))


def _efficientdet(width: int, height: int) -> list[list[Shape]]:
    strides = (8, 16, 32, 64, 128)
    grids = [(-(-height // stride), -(-width // stride)) for stride in strides]
    levels = [(1, rows, columns, 9 * depth) for rows, columns in grids for depth in (3, 4)]
    count = 9 * sum(rows * columns for rows, columns in grids)
    return [list(levels), [(1, count, 3), (1, count, 4)]]


def _nanodet(width: int, height: int) -> list[list[Shape]]:
    pairs = [(1, _up(width, height, stride), depth) for stride in (8, 16, 32) for depth in (3, 32)]
    return [list(pairs), [(1, _cells(width, height), 35)]]


def _yolo(width: int, height: int) -> list[list[Shape]]:
    cells = _cells(width, height)
    shapes = [(1, 3 * cells, 8), (1, 3 * cells, 6), (1, 7, cells), (1, 5, cells), (1, cells, 7), (1, cells, 5), (1, 300, 6)]
    return [[shape] for shape in shapes]


_SHAPES: Mapping[str, Callable[[int, int], list[list[Shape]]]] = {
    "classification": lambda _w, _h: [[(1, 10)], [(1, 10, 1, 1)], [(1, 1, 1, 10)], [(1, 1)], [(-1, 1001)]],
    "detection_output": lambda _w, _h: [[(1, 1, 20, 7)], [(1, 1, -1, 7)]],
    "detr": lambda _w, _h: [
        [(1, 30, 4), (1, 30, 5)],
        [(1, 30, 5), (1, 30, 4)],
        [(1, 30, 4), (1, 30, 1)],
        [(1, 30, 9)],
        [(1, 30), (1, 30, 4), (1, 30)],
        [(-1, 4), (-1,), (-1,)],
        [(-1, 6)],
        [(300, 6), (1,)],
    ],
    "efficientdet": _efficientdet,
    "embedding": lambda _w, _h: [[(1, 128)], [(1, 128, 1, 1)]],
    "fcos": lambda _w, _h: [[(1, 4, 8, 3), (1, 4, 8, 4)], [(1, 1, 1, 1), (1, 1, 1, 4)]],
    "heatmap": lambda _w, _h: [[(1, 17, 24, 20)], [(1, 24, 20, 17)], [(1, 3, 1, 1)]],
    "landmarks": lambda _w, _h: [[(1, 10)], [(1, 10, 1, 1)], [(1, 5, 2)], [(1, 2)]],
    "movenet": lambda _w, _h: [[(1, 1, 17, 3)], [(1, 1, 1, 3)]],
    "nanodet": _nanodet,
    "reconstruction": lambda w, h: [[(1, h or 1, w or 1, 3)], [(1, 3, h or 1, w or 1)], [(1, 32, 2)], [(1, 64)]],
    "regression": lambda _w, _h: [[(1, 1, 1, 1), (1, 2, 1, 1)], [(1, 1), (1, 1), (1, 1)], [(1, 3)], [(-1, 2)]],
    "segmentation": lambda _w, _h: [[(1, 16, 12)], [(1, 16, 12, 1)], [(1, 16, 12, 4)], [(1, 4, 16, 12)], [(1, 1, 16, 12)]],
    "dbnet": lambda w, h: [[(1, 1, h or 1, w or 1)], [(1, -(-h // 4) or 1, -(-w // 4) or 1, 1)], [(1, 7, 9)], [(1, 1, -1, -1)]],
    "ssd": lambda _w, _h: [
        [(1, 10, 4), (1, 10), (1, 10), (1,)],
        [(1, 10, 4), (1, 10), (1, 10)],
        [(1, 10, 4), (), (), ()],
        [(1, -1, 4), (1, -1), (1, -1), (1,)],
    ],
    "ssd_anchors": lambda w, h: [[(1, _anchors(w, h), 4), (1, _anchors(w, h), 5)], [(1, -1, 4), (1, -1, 5)]],
    "ultraface": lambda w, h: [[(1, _priors(w, h), 2), (1, _priors(w, h), 4)], [(1, -1, 3), (1, -1, 4)]],
    "yolo": _yolo,
    "yolo_obb": lambda w, h: [[(1, 8, _cells(w, h))], [(1, 300, 7)], [(1, _cells(w, h), 8)], [(1, 3 * _cells(w, h), 8)]],
    "yolo_pose": lambda w, h: [[(1, 56, _cells(w, h))], [(1, 11, _cells(w, h))], [(1, 100, 12)], [(1, _cells(w, h), 11)]],
    "yolo_segmentation": lambda w, h: [
        [(1, 4 + 3 + 5, _cells(w, h)), (1, 5, -(-h // 4), -(-w // 4))],
        [(1, 20, 6 + 5), (1, -(-h // 4), -(-w // 4), 5)],
        [(1, _cells(w, h), 4 + 3 + 5), (1, 5, 7, 9)],
    ],
    "yolox": lambda w, h: [[(1, sum((w // s) * (h // s) for s in (8, 16, 32)), 7)], [(1, -1, 6)]],
}


def usual_shapes(family: str, width: int, height: int, labels: int) -> list[list[Shape]]:
    """Shapes of all outputs of usual models of a family, for an input of this size and a number of labels."""
    if family == "ctc":
        return [[(1, 24, labels + 1)], [(24, 1, labels + 2)], [(24, labels + 1)]]
    return _SHAPES[family](width, height)
