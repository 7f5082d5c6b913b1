"""Agreement of two answers: bounded, symmetric, and consistent with an operator's judgement."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.agreement import LabelledResult, agreement, confidence
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_agent.vision.results import Embedding, Mask, Value, Values


def boxes(*rows: tuple[float, float, float, float, float, int]) -> Detections:
    table = np.array(rows, np.float32).reshape(-1, 6)
    return Detections(table[:, :4], table[:, 4], table[:, 5].astype(np.int32))


ROWS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50), st.integers(1, 50), st.floats(0, 1), st.integers(0, 2)),
    max_size=6,
).map(lambda rows: boxes(*[(x, y, x + w, y + h, score, number) for x, y, w, h, score, number in rows]))
LABELS = ("person", "car", "dog")


@given(ROWS, ROWS)
def test_boxes_agree_from_0_to_1_and_both_ways(one: Detections, other: Detections) -> None:
    found = agreement(LabelledResult(one, LABELS), LabelledResult(other, LABELS))
    assert found is not None
    assert 0.0 <= found <= 1.0
    assert found == agreement(LabelledResult(other, LABELS), LabelledResult(one, LABELS))


@given(ROWS)
def test_equal_results_agree(one: Detections) -> None:
    assert agreement(LabelledResult(one, LABELS), LabelledResult(one, LABELS)) == 1.0


def test_labels_count_by_name_and_faint_boxes_do_not() -> None:
    """One model's class 0 is the other's class 1."""
    one = LabelledResult(boxes((0, 0, 10, 10, 0.9, 0)), ("person",))
    other = LabelledResult(boxes((0, 0, 10, 11, 0.8, 1), (30, 30, 40, 40, 0.1, 0)), ("background", "person"))
    assert agreement(one, other) == 1.0
    assert agreement(one, LabelledResult(other.result, ("background", "car"))) == 0.0


def test_one_of_two_people_is_two_thirds() -> None:
    """F1: one matched of three boxes in all."""
    two = boxes((0, 0, 10, 10, 0.9, 0), (30, 0, 40, 10, 0.9, 0))
    assert agreement(LabelledResult(two), LabelledResult(two[:1])) == 2.0 / 3.0


def test_classes_by_their_first_maps_by_cells_vectors_by_cosine() -> None:
    sure = Classes(np.array([0.1, 0.9], np.float32))
    other = Classes(np.array([0.6, 0.4], np.float32))
    assert agreement(LabelledResult(sure, ("a", "b")), LabelledResult(sure, ("a", "b"))) == 1.0
    assert agreement(LabelledResult(sure, ("a", "b")), LabelledResult(other, ("a", "b"))) == 0.0
    assert agreement(LabelledResult(sure, ("a", "b")), LabelledResult(other, ("b", "a"))) == 1.0
    cells = np.zeros((2, 2), np.int32)
    changed = cells.copy()
    changed[0, 0] = 3
    assert agreement(LabelledResult(Mask(cells)), LabelledResult(Mask(changed))) == 0.75
    assert agreement(
        LabelledResult(Embedding(np.array([1.0, 0.0], np.float32))), LabelledResult(Embedding(np.array([0.6, 0.8], np.float32)))
    ) == (np.float32(0.6))


def test_values_by_their_names() -> None:
    one = Values((Value("age", 40.0, "years"), Value("gender", 0.9, label="male"), Value("yaw", 0.5)))
    other = Values((Value("gender", 0.6, label="male"), Value("age", 43.9, "years"), Value("roll", 0.5)))
    assert agreement(LabelledResult(one), LabelledResult(one)) == 1.0
    assert agreement(LabelledResult(one), LabelledResult(other)) == 0.5
    changed = Values((Value("age", 44.1, "years"), Value("gender", 0.9, label="female"), Value("yaw", 0.6)))
    assert agreement(LabelledResult(one), LabelledResult(changed)) == pytest.approx(1 / 3)
    assert agreement(LabelledResult(Values(())), LabelledResult(Values(()))) == 1.0


def test_different_tasks_are_not_compared() -> None:
    assert agreement(LabelledResult(boxes()), LabelledResult(Classes(np.array([1.0], np.float32)))) is None
    assert confidence(boxes((0, 0, 1, 1, 0.9, 0), (0, 0, 1, 1, 0.2, 0))) == [np.float32(0.9)]
