"""Suppression against the textbook loop, and its laws."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.nms import CANDIDATES_MAX, best_first, iou_matrix, suppress

BOX = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 30), st.integers(0, 30))


@st.composite
def some(draw: st.DrawFn) -> Detections:
    rows = draw(st.lists(st.tuples(BOX, st.integers(1, 1000), st.integers(0, 2)), max_size=30))
    boxes = np.array([(x, y, x + w, y + h) for (x, y, w, h), _, _ in rows], np.float32).reshape(-1, 4)
    return Detections(
        boxes, np.array([score / 1000 for _, score, _ in rows], np.float32), np.array([c for _, _, c in rows], np.int32)
    )


def textbook(found: Detections, iou_max: float) -> list[int]:
    remaining: list[int] = []
    for index in best_first(found.scores):
        rivals = [other for other in remaining if found.class_ids[other] == found.class_ids[index]]
        if all(iou_matrix(found.boxes[[index]], found.boxes[[other]])[0, 0] <= iou_max for other in rivals):
            remaining.append(int(index))
    return remaining


@given(found=some(), iou_max=st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]))
def test_same_as_the_textbook(found: Detections, iou_max: float) -> None:
    remaining = suppress(found, iou_max)
    reference = found[np.array(textbook(found, iou_max), np.int32)]
    assert np.array_equal(remaining.boxes, reference.boxes)
    assert np.array_equal(remaining.scores, reference.scores)
    assert np.array_equal(remaining.class_ids, reference.class_ids)


@given(found=some())
def test_suppressing_twice_changes_nothing_and_the_best_stays(found: Detections) -> None:
    once = suppress(found, 0.5)
    assert np.array_equal(suppress(once, 0.5).boxes, once.boxes)
    if len(found):
        assert once.scores[0] == found.scores.max()


def test_classes_do_not_suppress_each_other() -> None:
    boxes = np.array([[0, 0, 10, 10]] * 2, np.float32)
    found = Detections(boxes, np.array([0.9, 0.8], np.float32), np.array([0, 1], np.int32))
    assert len(suppress(found, 0.1)) == 2
    assert len(suppress(Detections(boxes, found.scores, np.zeros(2, np.int32)), 0.1)) == 1


def test_overlap_of_known_boxes() -> None:
    boxes = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30], [3, 3, 3, 3]], np.float32)
    assert np.allclose(iou_matrix(boxes, boxes)[0], [1.0, 1 / 3, 0.0, 0.0])
    assert iou_matrix(boxes[3:], boxes[3:])[0, 0] == 0.0


def test_a_flood_of_boxes_is_bounded() -> None:
    count = CANDIDATES_MAX * 3
    corners = np.arange(count, dtype=np.float32)[:, None] * 20
    boxes = np.concatenate([corners, corners, corners + 10, corners + 10], axis=1)
    assert len(suppress(Detections(boxes, np.full(count, 0.5, np.float32), np.zeros(count, np.int32)), 0.5)) == CANDIDATES_MAX
