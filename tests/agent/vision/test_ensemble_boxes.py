"""Ensembles of boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.ensemble_boxes import merge_boxes
from edgefleet_contract.pipeline.stage_options import METHODS


def boxes(*rows: tuple[float, float, float, float, float, int]) -> Detections:
    table = np.array(rows, np.float64).reshape(-1, 6)
    return Detections(table[:, :4].astype(np.float32), table[:, 4].astype(np.float32), table[:, 5].astype(np.int32))


ONE = boxes((0, 0, 100, 100, 0.9, 0), (300, 0, 400, 100, 0.8, 0))
TWO = boxes((10, 0, 110, 100, 0.5, 0), (0, 0, 100, 100, 0.7, 1))


def plain(found: Detections) -> list[tuple[list[float], float, int]]:
    rows = zip(found.boxes.tolist(), found.scores.tolist(), found.class_ids.tolist(), strict=True)
    return [([round(edge, 2) for edge in box], round(score, 4), number) for box, score, number in rows]


def test_all_of_them_or_the_best_of_each() -> None:
    assert len(merge_boxes([ONE, TWO], "concat", 0.5, 1, [1, 1])) == 4
    assert [score for _, score, _ in plain(merge_boxes([ONE, TWO], "nms", 0.5, 1, [1, 1]))] == [0.9, 0.8, 0.7]


def test_weighted_fusion_moves_towards_the_surer_and_doubts_what_one_saw() -> None:
    found = plain(merge_boxes([ONE, TWO], "wbf", 0.5, 1, [1, 1]))
    assert found[0] == ([pytest.approx(3.57, abs=0.01), 0.0, pytest.approx(103.57, abs=0.01), 100.0], 0.7, 0)
    assert [(score, number) for _, score, number in found[1:]] == [(0.4, 0), (0.35, 1)]
    trusting = plain(merge_boxes([ONE, TWO], "wbf", 0.5, 1, [3, 1]))
    assert trusting[0][1] == pytest.approx((3 * 0.9 + 0.5) / 4)


def test_a_mean_counts_those_that_saw_nothing_as_nothing() -> None:
    assert [score for _, score, _ in plain(merge_boxes([ONE, TWO], "mean", 0.5, 1, [1, 1]))] == [0.7, 0.4, 0.35]


def test_a_vote_needs_its_votes() -> None:
    assert [(score, number) for _, score, number in plain(merge_boxes([ONE, TWO], "vote", 0.5, 2, [1, 1]))] == [(0.9, 0)]


def test_nothing_from_nothing() -> None:
    for method in METHODS:
        assert len(merge_boxes([boxes(), boxes()], method, 0.5, 1, [1, 1])) == 0
    with pytest.raises(ValueError, match="must be one of concat"):
        merge_boxes([ONE], "magic", 0.5, 1, [1])


rows = st.lists(
    st.tuples(*[st.floats(0, 300)] * 2, *[st.floats(301, 600)] * 2, st.floats(0, 1), st.integers(0, 2)), max_size=8
).map(lambda found: boxes(*found))


@given(st.lists(rows, min_size=1, max_size=4), st.sampled_from(METHODS))
def test_laws(answers: list[Detections], method: str) -> None:
    """Results are sorted best first; no score exceeds the best input, no box leaves the area of the inputs, no class is new."""
    found = merge_boxes(answers, method, 0.5, 1, [1.0] * len(answers))
    scores = found.scores.tolist()
    assert scores == sorted(scores, reverse=True)
    every = [answer for answer in answers if len(answer)]
    if scores:
        assert scores[0] <= max(float(answer.scores.max()) for answer in every) + 1e-5
        assert found.boxes.min() >= min(float(answer.boxes.min()) for answer in every) - 1e-2
        assert set(found.class_ids.tolist()) <= {number for answer in every for number in answer.class_ids.tolist()}
