"""The figures that decide whether a variant is good enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.package.manifest import Manifest
from edgefleet_server.model_tools.quantize.accuracy import compare, cosine, mean_average_precision
from edgefleet_server.model_tools.quantize.samples import Answered


def box(x: float, score: float, class_id: int = 1) -> dict[str, Any]:
    return {"class_id": class_id, "label": "a", "score": score, "box": [x, 0.0, x + 10.0, 10.0]}


boxes = st.lists(
    st.builds(box, st.integers(0, 20).map(lambda place: place * 20.0), st.floats(0.05, 1.0), st.integers(0, 3)),
    max_size=6,
    unique_by=lambda each: (each["class_id"], tuple(each["box"])),
)


@given(st.lists(boxes, min_size=1, max_size=4))
def test_a_model_agrees_with_itself(rows: list[list[dict[str, Any]]]) -> None:
    value, truths = mean_average_precision(rows, rows)
    assert truths == sum(each["score"] >= 0.5 for row in rows for each in row)
    assert value == (1.0 if truths else 0.0)


@given(st.lists(st.tuples(boxes, boxes), min_size=1, max_size=4))
def test_precision_is_a_part(rows: list[tuple[list[dict[str, Any]], list[dict[str, Any]]]]) -> None:
    value, _ = mean_average_precision([row[0] for row in rows], [row[1] for row in rows])
    assert 0.0 <= value <= 1.0


def test_average_precision_by_hand() -> None:
    truth = [[box(0, 0.9), box(100, 0.8), box(200, 0.7)]]
    # right, wrong, right: the precision is 1 at the first third of recall and 2/3 at the second; the third is never reached.
    found = [[box(1, 0.9), box(50, 0.8), box(101, 0.7)]]
    value, truths = mean_average_precision(truth, found)
    assert (round(value, 6), truths) == (round((1 + 2 / 3) / 3, 6), 3)
    # A box that the float model is not sure of is neither right nor wrong.
    assert mean_average_precision([[*truth[0], box(50, 0.3)]], found)[0] == pytest.approx(2 / 3)
    # One box is found once: the second on the same place is wrong.
    assert mean_average_precision([[box(0, 0.9), box(60, 0.9)]], [[box(0, 0.9), box(1, 0.8), box(60, 0.7)]])[0] == pytest.approx(
        (1 + 2 / 3) / 2
    )


def test_cosine_of_nothing() -> None:
    zero, one = np.zeros(3, np.float32), np.ones(3, np.float32)
    assert (cosine(zero, zero), cosine(zero, one), round(cosine(one, one * 5), 6)) == (1.0, 0.0, 1.0)


def answered(outputs: list[Any], answers: list[Any] | None = None) -> Answered:
    return Answered([{"out": np.asarray(each, np.float32)} for each in outputs], answers or [[] for _ in outputs])


def manifest(task: str, **params: Any) -> Manifest:
    from edgefleet_contract.package.manifest import manifest_from_plain

    variant = {"name": "v", "format": "onnx", "files": ["m.onnx"], "runtimes": ["onnx_runtime"]}
    head = {"family": "classification", "params": params}
    return manifest_from_plain({"name": "m", "version": "1.0.0", "task": task, "head": head, "variants": [variant]})


def test_classes_segments_and_poses() -> None:
    first, second = [{"class_id": 1, "score": 0.9}, {"class_id": 2, "score": 0.1}], [{"class_id": 2, "score": 0.9}]
    top = compare(manifest("classification"), answered([[1], [1]], [first, first]), answered([[1], [1]], [first, second]))
    assert (top.measure, top.agreement, top.truths) == ("top1", 0.5, 2)

    maps = np.zeros((1, 2, 2, 3)), np.zeros((1, 2, 2, 3))
    maps[0][..., 1] = maps[1][..., 1] = 1
    maps[1][0, 0, 0] = (0, 0, 2)
    pixels = compare(manifest("segmentation"), answered([maps[0]]), answered([maps[1]]))
    assert (pixels.measure, pixels.agreement) == ("pixels", 0.75)
    planes = compare(
        manifest("segmentation", layout="nchw"),
        answered([maps[0].transpose(0, 3, 1, 2)]),
        answered([maps[1].transpose(0, 3, 1, 2)]),
    )
    assert planes.agreement == 0.75

    def pose(x: float) -> list[dict[str, Any]]:
        points = [{"name": "nose", "x": x, "y": 5.0, "score": 0.9}, {"name": "hip", "x": 50.0, "y": 50.0, "score": 0.1}]
        return [{"class_id": 0, "score": 0.9, "box": [0.0, 0.0, 100.0, 100.0], "keypoints": points}]

    points = compare(manifest("pose"), answered([[1], [1]], [pose(5), pose(5)]), answered([[1], [1]], [pose(14), pose(16)]))
    assert (points.measure, points.agreement, points.truths) == ("points", 0.5, 2)


def test_outputs_of_another_shape_count_for_nothing() -> None:
    found = compare(manifest("embedding"), answered([[1.0, 2.0]]), answered([[1.0, 2.0, 3.0]]))
    assert (found.measure, found.agreement) == ("cosine", 0.0)
