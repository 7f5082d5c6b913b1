"""Forecast of the duration of a rollout, drawn from earlier updates, for all parts of a bundle."""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_server.domain.rollout.forecast import LINK_BYTES_PER_S, ForecastPlan, forecast


def middle(took_s: Sequence[Sequence[float]], bytes_each: int = 0, trial_s: float = 20.0) -> float:
    """Seconds of a wave of one device without a soak."""
    plan = ForecastPlan([(1, 0)], 0.0, 60.0, trial_s, bytes_each, took_s)
    return forecast(plan, [], 0).total[0]


def test_parts_that_went_alone_before_go_one_after_another() -> None:
    """The trial of one begins when that of the other is over."""
    assert middle([[30.0]]) == 30.0
    assert middle([[30.0], [50.0, 50.0]]) == 80.0


def test_part_without_a_past_takes_its_trial_and_its_bytes() -> None:
    assert middle([[]]) == 20.0
    assert middle([[], []]) == 40.0
    assert middle([[30.0], []]) == 50.0
    assert middle([[], []], bytes_each=int(100 * LINK_BYTES_PER_S)) > 100.0


def test_who_is_away_is_waited_for_and_comes_back_as_it_did() -> None:
    """A wave without online devices lasts until its time limit; of two offline devices, one returns every day at noon."""
    found = forecast(ForecastPlan([(0, 2)], 5.0, 60.0, 20.0, 0, [[30.0]]), [{12: 1.0}, {}], hour_now=3)
    assert found.total[0] == 65.0
    assert found.reached_24h_percent == 50.0
