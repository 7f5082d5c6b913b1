"""The sequential test holds its error rate when evaluated after every device."""

from __future__ import annotations

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.statistics.sequential_test import TrialCounts, find, log_e_value, weigh


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
            if failed and find(streams, 0.01, 0.05):
                alarms += 1
                break
    assert alarms < 50


def test_few_bad_devices_are_enough() -> None:
    """A version that fails everywhere is found after a handful; a bad profile among good ones is named."""
    assert find({"a": TrialCounts(3, 3)}, 0.01, 0.01) is not None
    found = find({"a": TrialCounts(0, 500), "b": TrialCounts(5, 30)}, 0.01, 0.01)
    assert found is not None
    assert (found.profile, found.failed, found.tried) == ("b", 5, 30)
    assert find({"a": TrialCounts(1, 1)}, 0.01, 0.01) is None
    assert find({}, 0.01, 0.01) is None
    assert find({"a": TrialCounts(9, 9)}, 1.0, 0.01) is None


@given(st.floats(0.0, 0.5), st.integers(0, 20), st.integers(0, 60), st.sampled_from([0.05, 0.01]))
def test_further_failures_until_a_stop_are_counted(tolerated: float, failed: int, worked: int, alpha: float) -> None:
    """`more` further failures stop the rollout; one less does not."""
    tried = failed + worked
    seen = weigh({"cpu": TrialCounts(failed, tried)}, tolerated, alpha)
    if seen.failures_to_stop is None:
        assert find({"cpu": TrialCounts(tried, tried)}, tolerated, alpha) is None
        return
    assert seen.enough == (seen.failures_to_stop == 0)
    assert find({"cpu": TrialCounts(failed + seen.failures_to_stop, tried)}, tolerated, alpha) is not None
    if seen.failures_to_stop:
        assert find({"cpu": TrialCounts(failed + seen.failures_to_stop - 1, tried)}, tolerated, alpha) is None
