"""A candidate's figures: each device once, and below the bound exactly where the gate says failed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.statistics.regression_check import Change, Level, RegressionLimits, compare
from edgefleet_server.domain.statistics.shadows import ShadowComparison, is_below, summaries, worst

ROWS = [
    ShadowComparison("a", "pi", 10, 90.0, 120.0, 1.0),
    ShadowComparison("b", "pi", 10, 70.0, 140.0, 3.0),
    ShadowComparison("c", "coral", 2, 10.0, None, None),
    ShadowComparison("d", "coral"),
]


def test_all_together_and_by_profile() -> None:
    overall, first, second = summaries(ROWS, RegressionLimits(agreement_percent_min=85.0))
    assert (overall.profile, overall.devices, overall.measured, overall.below) == ("", 4, 3, 1)
    assert overall.agreement_percent == (90.0 + 70.0 + 10.0) / 3
    assert (first.profile, second.profile) == ("coral", "pi")
    assert (first.low, first.high) == (None, None), "of one device there are no limits"
    assert (second.latency_percent, second.confidence_points) == (130.0, 2.0)
    assert [one.device for one in worst(ROWS)] == ["c", "b", "a"]


@given(st.lists(st.floats(0.0, 100.0), min_size=2, max_size=20))
def test_limits_of_a_share_are_shares(values: list[float]) -> None:
    overall = summaries([ShadowComparison(str(index), "pi", 9, value) for index, value in enumerate(values)], None)[0]
    assert overall.low is not None
    assert overall.high is not None
    assert 0.0 <= overall.low <= overall.high <= 100.0


@given(st.integers(1, 20), st.floats(0.0, 100.0), st.one_of(st.none(), st.floats(0.0, 100.0)))
def test_below_is_what_the_gate_counts(samples: int, agreement: float, bound: float | None) -> None:
    limits = RegressionLimits(agreement_percent_min=bound)
    worse_text = compare(limits, Change({}, {"shadow_agreement": Level(samples, agreement)}), ()).worse
    assert is_below(ShadowComparison("a", "pi", samples, agreement), limits) is bool(worse_text)
