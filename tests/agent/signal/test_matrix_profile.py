"""Comparison of days: anomalies that no single reading shows, gaps, the history limit, and a baseline that is too short."""

from __future__ import annotations

import math

import numpy as np
import pytest

from edgefleet_agent.signal.matrix_profile import HISTORY_MAX, MatrixProfile

COURSE = 24


def day(hour: int, shift: float = 0.0) -> list[float]:
    """Two features of an hour: a daily course with small deterministic noise, and its negative."""
    noise = 0.05 * math.sin(hour * 12.9898) * math.cos(hour * 78.233)
    value = math.sin(2 * math.pi * hour / COURSE) + noise
    return [value + shift, -value]


def scores(hours: list[list[float]], baseline: int = 5 * COURSE) -> list[float]:
    discord = MatrixProfile(baseline, COURSE)
    return [discord.judge(np.array(hour)).score for hour in hours]


def test_a_flat_morning_is_unlike_every_day_though_each_of_its_hours_was_there_before() -> None:
    hours = [day(hour) for hour in range(20 * COURSE)]
    for hour in range(12 * COURSE, 12 * COURSE + 8):
        hours[hour] = day(12 * COURSE)  # the value of midnight, for eight hours
    profile = scores(hours)
    usual = [score for hour, score in enumerate(profile) if not 12 * COURSE <= hour < 13 * COURSE + 8]
    assert max(usual) < 1.5
    assert max(profile[12 * COURSE + 6 : 13 * COURSE]) > 10


def test_the_feature_that_moved_is_named() -> None:
    discord = MatrixProfile(5 * COURSE, COURSE)
    for hour in range(8 * COURSE):
        verdict = discord.judge(np.array(day(hour, shift=2.0 if hour > 7 * COURSE else 0.0)))
    assert verdict.score > 5
    assert verdict.feature == 0


def test_what_was_seen_once_is_known() -> None:
    strange = [day(hour, shift=3.0) for hour in range(COURSE)]
    hours = [day(hour) for hour in range(8 * COURSE)] + strange + [day(hour) for hour in range(3 * COURSE)] + strange
    profile = scores(hours)
    assert profile[9 * COURSE - 1] > 10
    assert profile[-1] < 1.5


def test_no_stretch_spans_a_gap() -> None:
    """Half a day is missing: without `interrupt`, the shifted course would have the highest score."""
    interrupted, uninterrupted = MatrixProfile(5 * COURSE, COURSE), MatrixProfile(5 * COURSE, COURSE)
    hours = [*range(8 * COURSE), *range(8 * COURSE + 12, 11 * COURSE)]
    worst = {interrupted: 0.0, uninterrupted: 0.0}
    ready = []
    for number, hour in enumerate(hours):
        if number == 8 * COURSE:
            interrupted.interrupt()
        verdict = interrupted.judge(np.array(day(hour)))
        ready.append(verdict.ready)
        worst[interrupted] = max(worst[interrupted], verdict.score)
        worst[uninterrupted] = max(worst[uninterrupted], uninterrupted.judge(np.array(day(hour))).score)
    assert worst[interrupted] < 1.5
    assert worst[uninterrupted] > 5
    assert not any(ready[8 * COURSE : 9 * COURSE - 1])
    assert all(ready[9 * COURSE - 1 :])


def test_memory_is_bounded_and_the_baseline_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small memory, which the series fills several times."""
    monkeypatch.setattr("edgefleet_agent.signal.matrix_profile.HISTORY_MAX", 400)
    course, baseline = 4, 40
    discord = MatrixProfile(baseline, course)
    for number in range(1500):
        verdict = discord.judge(np.array([math.sin(math.pi * number / 2) + 0.1 * math.sin(number)]))
    assert verdict.ready
    assert verdict.score < 1.5


def test_a_series_that_never_changed_and_then_does() -> None:
    profile = scores([[20.0]] * 8 * COURSE + [[20.5]] * COURSE)
    assert max(profile[: 8 * COURSE]) == 0
    assert profile[-1] > 1e3


@pytest.mark.parametrize(("baseline", "course"), [(71, 24), (10, 1), (HISTORY_MAX, 24)])
def test_a_baseline_that_cannot_be(baseline: int, course: int) -> None:
    with pytest.raises(ValueError, match="requires a baseline of"):
        MatrixProfile(baseline, course)
