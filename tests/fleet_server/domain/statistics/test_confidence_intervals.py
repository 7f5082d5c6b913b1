"""Intervals against tables, and against fleets whose truth is known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.statistics.confidence_intervals import (
    of_difference,
    of_mean,
    of_share,
    of_share_difference,
    t_quantile,
)


@pytest.mark.parametrize(
    ("probability", "freedom", "expected"),
    [
        (0.975, 1, 12.7062),
        (0.975, 2, 4.30265),
        (0.95, 5, 2.01505),
        (0.975, 10, 2.22814),
        (0.995, 30, 2.75),
        (0.975, 1e6, 1.95997),
    ],
)
def test_quantiles_are_those_of_the_tables(probability: float, freedom: float, expected: float) -> None:
    assert t_quantile(probability, freedom) == pytest.approx(expected, rel=1e-4)


def test_welch_on_a_worked_example() -> None:
    """Two samples of unlike spread, against SciPy's `ttest_ind(equal_var=False).confidence_interval(0.95)`."""
    first = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]
    second = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4]
    found = of_difference(first, second, 0.95)
    assert found.low is not None
    assert found.high is not None
    assert found.value == pytest.approx(2.8333, abs=1e-3)
    assert (found.low, found.high) == (pytest.approx(0.7986439, abs=1e-6), pytest.approx(4.8680227, abs=1e-6))


def test_newcombe_on_his_own_example() -> None:
    """Newcombe (1998), table II, example (a), method 10: 56/70 less 48/80 is 0.2000, from 0.0524 to 0.3339."""
    found = of_share_difference((48, 80), (56, 70), 0.95)
    assert (found.value, found.low, found.high) == (
        pytest.approx(0.2, abs=1e-4),
        pytest.approx(0.0524, abs=1e-4),
        pytest.approx(0.3339, abs=1e-4),
    )


def test_wilson_never_leaves_the_scale() -> None:
    none = of_share(0, 20, 0.95)
    assert (none.low, none.high) == (pytest.approx(0.0), pytest.approx(0.1611, abs=1e-4))


def test_one_device_has_a_mean_and_no_limits() -> None:
    assert of_mean([3.0], 0.95).low is None
    assert of_difference([3.0], [4.0, 5.0], 0.95).high is None


def test_intervals_hold_as_often_as_they_say() -> None:
    """Arms of 8 and 25 devices, three times the spread in one, skewed: of 1,000 comparisons without a difference few are seen."""
    chance = random.Random(7)
    missed = 0
    for _ in range(1000):
        first = [chance.gammavariate(4.0, 3.0) for _ in range(8)]
        second = [12.0 + chance.gauss(0.0, 2.0) for _ in range(25)]
        found = of_difference(first, second, 0.95)
        assert found.low is not None
        assert found.high is not None
        missed += not found.low <= 0.0 <= found.high
    assert missed < 90


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.floats(0.5, 0.99))
def test_the_mean_lies_within_its_limits(values: list[float], confidence: float) -> None:
    found = of_mean(values, confidence)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high
