"""Analysed and missing frames."""

from __future__ import annotations

import pytest

from edgefleet_agent.vision.tracking.coverage import Coverage


def coverage_of(*times: float) -> Coverage:
    coverage = Coverage(0.1)
    for time_s in times:
        coverage.sample(time_s)
    return coverage


TENTHS = [step / 10 for step in range(11)]


def test_everything_seen() -> None:
    assert coverage_of(*TENTHS).between(0.0, 1.0) == 1.0


def test_half_the_frames() -> None:
    assert coverage_of(*TENTHS[::2]).between(0.0, 1.0) == pytest.approx(6 / 11, abs=1e-3)


def test_only_gaps_within_count() -> None:
    coverage = coverage_of(0.0, 0.1, 0.2, 0.9, 1.0, 1.1)
    assert coverage.between(0.0, 0.2) == 1.0
    assert coverage.between(0.9, 1.1) == 1.0
    assert coverage.between(0.0, 1.1) == pytest.approx(6 / 12, abs=1e-3)


def test_jitter_is_no_gap() -> None:
    assert coverage_of(0.0, 0.13, 0.19, 0.31, 0.4).between(0.0, 0.4) == 1.0
