"""Precision, recall and lost boxes of a quantized detector at the threshold of use."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.package.manifest import Manifest
from edgefleet_server.model_tools.quantize.accuracy import EVIDENCE_MIN, compare
from edgefleet_server.model_tools.quantize.operating_point import LOST_MAX, operating_point
from tests.fleet_server.model_tools.quantize.test_accuracy import answered, box, boxes, manifest

Rows = list[list[dict[str, Any]]]


def test_the_figures_by_hand() -> None:
    truth = [[box(0, 0.9), box(100, 0.8), box(200, 0.7), box(300, 0.3)], [box(0, 0.6, class_id=2)]]
    found = [[box(1, 0.9), box(101, 0.45), box(300, 0.6), box(400, 0.6), box(1, 0.8)], [box(0, 0.9, class_id=1)]]
    at = operating_point(truth, found, 0.5)
    # Right: 0. Lost: 100 (its score fell), 200 and the one of class 2. More: 400, the second box on 0, and the one of class 1.
    # The box on 300 is one of which the float model is not sure.
    assert (at.truths, at.matched, at.extra) == (4, 1, 3)
    assert at.precision is not None
    assert at.recall is not None
    assert (at.precision.value, at.recall.value) == (0.25, 0.25)
    assert (round(at.recall.low or 0, 3), round(at.recall.high or 0, 3)) == (0.046, 0.699)  # Wilson, of 1 in 4
    assert [(each.sample, each.score, each.found_score) for each in at.lost] == [(0, 0.8, 0.45), (0, 0.7, 0.0), (1, 0.6, 0.0)]
    assert at.sentence() == (
        "at score 0.5: precision 0.250 (0.046 to 0.699), recall 0.250 (0.046 to 0.699), 3 of 4 boxes lost, 3 more"
    )


@given(st.lists(boxes, min_size=1, max_size=4), st.floats(0.05, 1.0))
def test_a_model_loses_nothing_against_itself(rows: Rows, threshold: float) -> None:
    at = operating_point(rows, rows, threshold)
    assert (at.matched, at.extra, at.lost) == (at.truths, 0, [])


@given(st.lists(st.tuples(boxes, boxes), min_size=1, max_size=4), st.floats(0.05, 1.0))
def test_every_box_is_counted_once(rows: list[tuple[list[dict[str, Any]], list[dict[str, Any]]]], threshold: float) -> None:
    truth, found = [row[0] for row in rows], [row[1] for row in rows]
    at = operating_point(truth, found, threshold)
    assert at.truths == sum(each["score"] >= threshold for row in truth for each in row) == at.matched + len(at.lost)
    assert at.matched + at.extra <= sum(each["score"] >= threshold for row in found for each in row)


def test_the_list_of_lost_boxes_has_a_limit() -> None:
    at = operating_point([[box(20.0 * place, 0.9) for place in range(LOST_MAX + 5)]], [[]], 0.5)
    assert (at.truths, len(at.lost), at.precision) == (LOST_MAX + 5, LOST_MAX, None)
    assert at.sentence().startswith("at score 0.5: recall 0.000 (")


def detector() -> Manifest:
    return manifest("detection")


@pytest.mark.parametrize(
    ("number", "score", "fault", "proven"),
    [
        (EVIDENCE_MIN, 0.8, "", True),
        (EVIDENCE_MIN - 1, 0.8, "", False),
        (3, 0.8, "", False),
        (EVIDENCE_MIN, 0.4, "at score 0.5: recall 0.000", True),  # ranked as before, and nothing is found any more
        (3, 0.4, "at score 0.5: recall 0.000", False),
    ],
)
def test_scores_that_fell_are_a_fault_though_the_rank_is_right(number: int, score: float, fault: str, proven: bool) -> None:
    truth = [[box(0, 0.9)] for _ in range(number)]
    found = [[box(0, score)] for _ in range(number)]
    accuracy = compare(detector(), answered([[1]] * number, truth), answered([[1]] * number, found))
    assert (accuracy.measure, accuracy.agreement, accuracy.is_proven) == ("map50", 1.0, proven)
    assert accuracy.fault(0.9).startswith(fault)
    assert bool(accuracy.fault(0.9)) == bool(fault)


def test_a_threshold_below_the_scores_finds_them_again() -> None:
    truth, found = [[box(0, 0.9)]] * 40, [[box(0, 0.4)]] * 40
    accuracy = compare(detector(), answered([[1]] * 40, truth), answered([[1]] * 40, found), threshold=0.35)
    assert accuracy.fault(0.9) == ""
    assert accuracy.at is not None
    assert (accuracy.at.threshold, accuracy.at.matched) == (0.35, 40)
