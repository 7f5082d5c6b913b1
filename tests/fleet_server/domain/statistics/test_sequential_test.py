"""The sequential test holds its error rate when evaluated after every device."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_server.domain.statistics.sequential_test import (
    AFTER_SHARE,
    EXACT_MAX,
    TrialCounts,
    capital_needed,
    failures_of_next,
    find,
    log_e_value,
    weigh,
)


@given(st.floats(0.001, 0.9), st.integers(0, 30), st.integers(0, 200))
def test_a_bet_is_fair_or_worse(tolerated: float, failed: int, worked: int) -> None:
    """If devices fail at the tolerated share, the next one leaves the expected wealth where it is; at a lower one it falls."""
    now = log_e_value(failed, failed + worked, tolerated)
    won = log_e_value(failed + 1, failed + worked + 1, tolerated)
    lost = log_e_value(failed, failed + worked + 1, tolerated)

    def expected(share: float) -> float:
        return share * math.exp(won - now) + (1 - share) * math.exp(lost - now)

    assert math.isclose(expected(tolerated), 1.0, rel_tol=1e-6)
    assert expected(tolerated / 2) <= 1.0 + 1e-9


@given(st.floats(0.0, 1.0), st.integers(0, 50), st.integers(0, 50))
def test_more_failures_never_speak_for_a_version(tolerated: float, failed: int, worked: int) -> None:
    """Monotone in both numbers, which is what makes late failures and devices at work harmless."""
    here = log_e_value(failed, failed + worked, tolerated)
    assert log_e_value(failed + 1, failed + worked, tolerated) >= here - 1e-9 or not worked
    assert log_e_value(failed, failed + worked + 1, tolerated) <= here + 1e-9


def test_false_alarms_are_rarer_than_promised() -> None:
    """1,000 good fleets of three profiles, evaluated after every one of 400 devices."""
    alarms = 0
    for seed in range(1000):
        chance = random.Random(seed)
        streams = {name: TrialCounts(0, 0) for name in "abc"}
        for number in range(400):
            name = "abc"[number % 3]
            failed = chance.random() < 0.01
            streams[name] = TrialCounts(streams[name].failed + failed, streams[name].tried + 1)
            if failed and find(streams, 0.01, 0.05, 400):
                alarms += 1
                break
    assert alarms < 50


@pytest.mark.parametrize("tolerated", [0.001, 0.01, 0.03])
@pytest.mark.parametrize("devices", [1, 20, 50, 100, 101, 200, 1000])
def test_the_chance_of_a_false_stop_is_exact(devices: int, tolerated: float) -> None:
    """At most the promised 1 % without the part of later devices; not far below where one failure more or less allows it."""
    needed = capital_needed(tolerated, 0.01, devices)
    assert needed.false_stops <= 0.01 * (1 - AFTER_SHARE)
    assert devices < 100 or needed.false_stops > 0.0075
    assert needed.within <= -math.log(0.01 * (1 - AFTER_SHARE))


def test_the_exact_chance_agrees_with_drawn_rollouts() -> None:
    """20,000 rollouts of 50 devices at 3 %, evaluated after each device: three standard deviations."""
    needed = capital_needed(0.03, 0.01, 50)
    bounds = [next(n for n in range(60) if n > tried or log_e_value(n, tried, 0.03) >= needed.within) for tried in range(1, 51)]
    failed = np.cumsum(np.random.default_rng(1).random((20_000, 50)) < 0.03, axis=1)
    drawn = float(np.mean((failed >= np.array(bounds)).any(axis=1)))
    assert abs(drawn - needed.false_stops) < 3 * math.sqrt(needed.false_stops / 20_000)


def test_large_rollouts_share_one_bound() -> None:
    """A rollout of a million needs for its first 1,000 devices as much as one of 1,000; later devices have the rest of alpha."""
    large = capital_needed(0.01, 0.01, 1_000_000)
    assert large.at(1000) == capital_needed(0.01, 0.01, EXACT_MAX).within
    assert large.at(1001) == pytest.approx(math.log(1 / (0.01 * AFTER_SHARE)))


def test_profiles_divide_the_error_probability() -> None:
    """Those without a device yet count: the bound does not move when they begin."""
    one = weigh({"a": TrialCounts(2, 9)}, 0.01, 0.01, 100)
    three = weigh({"a": TrialCounts(2, 9), "b": TrialCounts(0, 0), "c": TrialCounts(0, 0)}, 0.01, 0.01, 100)
    assert three.finding.profile == ""
    assert one.e_value_needed < three.e_value_needed


def test_few_bad_devices_are_enough() -> None:
    """A version that fails everywhere is found after a handful; a bad profile among good ones is named."""
    assert find({"a": TrialCounts(2, 2)}, 0.01, 0.01, 1000) is not None
    found = find({"a": TrialCounts(0, 500), "b": TrialCounts(5, 30)}, 0.01, 0.01, 1000)
    assert found is not None
    assert (found.profile, found.failed, found.tried) == ("b", 5, 30)
    assert find({"a": TrialCounts(1, 1)}, 0.01, 0.01, 1000) is None
    assert find({}, 0.01, 0.01, 0) is None
    assert find({"a": TrialCounts(9, 9)}, 1.0, 0.01, 1000) is None


@given(
    st.floats(0.0, 0.5), st.integers(0, 20), st.integers(0, 60), st.sampled_from([0.05, 0.01]), st.sampled_from([10, 100, 5000])
)
@settings(max_examples=30, deadline=None)
def test_further_failures_until_a_stop_are_counted(
    tolerated: float, failed: int, worked: int, alpha: float, devices: int
) -> None:
    """`more` further failures stop the rollout; one less does not."""
    tried = failed + worked
    seen = weigh({"cpu": TrialCounts(failed, tried)}, tolerated, alpha, devices)
    if seen.failures_to_stop is None:
        assert find({"cpu": TrialCounts(tried, tried)}, tolerated, alpha, devices) is None
        return
    assert seen.enough == (seen.failures_to_stop == 0)
    assert find({"cpu": TrialCounts(failed + seen.failures_to_stop, tried)}, tolerated, alpha, devices) is not None
    if seen.failures_to_stop:
        assert find({"cpu": TrialCounts(failed + seen.failures_to_stop - 1, tried)}, tolerated, alpha, devices) is None


@given(st.integers(0, 20), st.integers(0, 60), st.sampled_from([0.001, 0.01, 0.03]))
def test_the_smallest_step_that_decides(failed: int, worked: int, tolerated: float) -> None:
    """All of it failing stops the rollout, one device less does not."""
    more = failures_of_next(TrialCounts(failed, failed + worked), tolerated, 0.01, 500, 1)
    assert find({"a": TrialCounts(failed + more, failed + worked + more)}, tolerated, 0.01, 500)
    if more > 1:
        assert not find({"a": TrialCounts(failed + more - 1, failed + worked + more - 1)}, tolerated, 0.01, 500)
