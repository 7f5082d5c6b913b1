"""Anomaly scores of each method."""

from __future__ import annotations

import numpy as np
import pytest

from edgefleet_agent.signal.anomaly import METHODS, Anomaly

DICE = np.random.default_rng(4)


def usual(count: int, mean: float = 10.0) -> np.ndarray:
    """Normal vectors: two features that rise and fall together."""
    common = DICE.normal(0, 1, (count, 1))
    return np.asarray(mean + common + DICE.normal(0, 0.1, (count, 2)))


@pytest.mark.parametrize("method", METHODS)
def test_the_usual_is_quiet_and_a_jump_is_not(method: str) -> None:
    anomaly = Anomaly(method, 100, 6.0)
    assert not any(anomaly.judge(vector).ready for vector in usual(100))
    assert max(anomaly.judge(vector).score for vector in usual(200)) < 6.0
    assert [anomaly.judge(vector + np.array([0, 15])) for vector in usual(5)][-1].score > 6.0
    assert anomaly.judge(np.array([10.0, 30.0])).feature == 1


def test_distance_sees_what_no_feature_shows() -> None:
    """The two features diverge, each within its own range."""
    distance, single = Anomaly("distance", 200, 6.0), Anomaly("robust_z", 200, 6.0)
    for vector in usual(200):
        distance.judge(vector)
        single.judge(vector)
    parted = np.array([11.5, 8.5])
    assert single.judge(parted).score < 3
    assert distance.judge(parted).score > 1.5 * distance.judge(np.array([11.5, 11.5])).score


def test_ewma_sees_a_drift_that_single_vectors_hide() -> None:
    slow, single = Anomaly("ewma", 200, 4.0), Anomaly("robust_z", 200, 4.0)
    for vector in usual(200):
        slow.judge(vector)
        single.judge(vector)
    drifted = usual(60, mean=11.8)
    slowly = [slow.judge(vector).score for vector in drifted][20:]
    assert min(slowly) > np.median([single.judge(vector).score for vector in drifted])


def test_a_change_that_stays_becomes_usual_only_where_the_baseline_slides() -> None:
    fixed, sliding = Anomaly("robust_z", 40, 6.0), Anomaly("robust_z", 40, 6.0, sliding=True)
    for vector in [*usual(60), *usual(100, mean=40.0)]:
        verdicts = fixed.judge(vector), sliding.judge(vector)
    assert verdicts[0].score > 6.0
    assert verdicts[1].score < 6.0


def test_a_feature_that_never_moved() -> None:
    anomaly = Anomaly("distance", 20, 6.0)
    for _ in range(20):
        anomaly.judge(np.array([5.0, 0.0]))
    assert anomaly.judge(np.array([5.0, 0.0])).score == 0.0
    assert np.isfinite(anomaly.judge(np.array([6.0, 1.0])).score)


def test_components_see_features_that_no_longer_go_together() -> None:
    """A large deviation along the normal direction is no anomaly; a small one across it is."""
    rebuilt = Anomaly("components", 200, 6.0)
    for vector in usual(200):
        rebuilt.judge(vector)
    assert rebuilt.judge(np.array([13.0, 13.0])).score < 4.0
    assert rebuilt.judge(np.array([11.0, 9.0])).score > 6.0
