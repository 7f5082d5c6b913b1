"""Filters against the false alarms of one camera."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.tracking.false_positive_filter import FalsePositiveFilter
from edgefleet_contract.pipeline.spec import FilterSpec

ZONES = {"left": [(0, 0), (500, 0), (500, 1000), (0, 1000)]}
FOUND = Detections(
    np.array([[100, 100, 200, 300], [600, 100, 700, 300], [100, 100, 900, 900], [10, 10, 14, 14]], np.float32),
    np.array([0.9, 0.8, 0.7, 0.6], np.float32),
    np.array([0, 1, 0, 0], np.int32),
)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (FilterSpec(), [0.9, 0.8, 0.7, 0.6]),
        (FilterSpec(min_area=0.001), [0.9, 0.8, 0.7]),
        (FilterSpec(max_area=0.5), [0.9, 0.8, 0.6]),
        (FilterSpec(min_ratio=0.6), [0.7, 0.6]),
        (FilterSpec(max_ratio=0.6), [0.9, 0.8]),
        (FilterSpec(scores={"person": 0.75}), [0.9, 0.8]),
        (FilterSpec(scores={"car": 0.95}), [0.9, 0.7, 0.6]),
        (FilterSpec(inside=["left"]), [0.9, 0.6]),
        (FilterSpec(outside=["left"]), [0.8, 0.7]),
        (FilterSpec(outside=["left"], anchor="center"), [0.8, 0.7]),
    ],
)
def test_boxes_that_pass_the_filter(spec: FilterSpec, expected: list[float]) -> None:
    found = FalsePositiveFilter(spec, ZONES, 1000, 1000, ["person", "car"])(FOUND)
    assert found.scores.tolist() == pytest.approx(expected)
