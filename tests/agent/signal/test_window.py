"""Uneven readings to even windows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.signal.window import GAP_PERIODS, Window, Windows

STEPS = st.lists(st.floats(0.05, 4.0), min_size=2, max_size=200)


def windows(readings: list[tuple[float, float]], length_s: float = 8.0, step_s: float = 4.0) -> list[Window]:
    cutter = Windows(1.0, length_s, step_s)
    return [window for at_s, value in readings for window in cutter.add(at_s, (value,))]


@given(STEPS, st.floats(-50, 50), st.floats(-5, 5), st.floats(0, 2e9))
def test_a_straight_line_stays_one(steps: list[float], base: float, slope: float, origin_s: float) -> None:
    times = origin_s + np.cumsum([0.0, *steps])
    made = windows([(float(at_s), base + slope * (float(at_s) - origin_s)) for at_s in times])
    assert len(made) == max(0, (math.floor(times[-1] - origin_s + 1e-6) - 7) // 4 + 1)
    for number, window in enumerate(made):
        assert window.start_s == pytest.approx(origin_s + 4 * number, abs=1e-5)
        assert window.end_s - window.start_s == pytest.approx(7.0, abs=1e-5)
        assert window.values[:, 0] == pytest.approx(base + slope * (4 * number + np.arange(8)), abs=1e-4)
        assert window.coverage == 1.0


@given(st.lists(st.tuples(st.floats(allow_nan=True, allow_infinity=True, width=32), st.floats(0, 100)), max_size=60))
def test_nothing_hostile_gets_in(readings: list[tuple[float, float]]) -> None:
    cutter = Windows(1.0, 4.0, 1.0)
    before, accepted = -math.inf, 0
    for value, at_s in readings:
        good = math.isfinite(value) and at_s > before
        before, accepted = (at_s, accepted + 1) if good else (before, accepted)
        for window in cutter.add(at_s, (value,)):
            assert np.isfinite(window.values).all()
    assert cutter.left_out == len(readings) - accepted


def test_a_gap_is_missing_and_a_long_one_restarts() -> None:
    short = windows([(float(second), 1.0) for second in [*range(10), *range(16, 30)]])
    assert [round(window.coverage, 3) for window in short] == [1.0, 0.75, 0.25, 0.5, 1.0, 1.0]
    long = windows([(float(second), 1.0) for second in [*range(10), *range(1000, 1012)]])
    assert long[-1].coverage == 1.0
    assert long[-1].start_s == 1004.0
    assert len(long) < 8
    assert GAP_PERIODS < 6


@pytest.mark.parametrize("length_s", [0.5, 1e9])
def test_windows_that_cannot_be(length_s: float) -> None:
    with pytest.raises(ValueError, match="must have 2 to"):
        Windows(1.0, length_s, 1.0)
