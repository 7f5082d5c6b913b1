"""Forecast of the duration of a rollout, drawn from earlier updates, for all parts of a bundle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from edgefleet_server.domain.rollout.forecast import (
    LINK_BYTES_PER_S,
    ForecastPlan,
    doubt,
    forecast,
    gate_warning,
    quality_warning,
)
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.rollout.templates import DEMO, TEMPLATES
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.statistics.sequential_test import TrialCounts


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


def test_waves_after_a_small_canary_take_several_steps() -> None:
    """After one device follow 1, 2, 4, 8 and the rest: six trials of 20 s and two soaks, where whole waves take two trials."""
    plan = ForecastPlan([(1, 0), (99, 0)], 5.0, 60.0, 20.0, 0, [[20.0]])
    assert forecast(plan, [], hour_now=0).total == (50.0, 50.0)
    stepped = forecast(replace(plan, steps=True), [], hour_now=0)
    assert stepped.total == (150.0, 150.0)
    assert stepped.waves[0] == (25.0, 25.0)
    assert forecast(replace(plan, waves=[(20, 0), (99, 0)], steps=True), [], hour_now=0).total == (50.0, 50.0)
    assert forecast(replace(plan, waves=[(1, 0), (0, 0), (3, 2)], steps=True), [], hour_now=0).total == (25 + 5 + 85, 25 + 5 + 85)


def test_past_rollouts_that_failed_more_often_than_is_tolerated_are_named() -> None:
    """39 of 1,240 devices are more than 1 % with confidence; 2 of 100 are not, nor is anything for a gate without the test."""
    gate = RolloutGate(tolerated_percent=1.0)
    assert doubt(gate, 9, TrialCounts(39, 1240)).startswith("39 of 1240 devices (3.1 %) failed in the last 9 completed rollouts")
    assert doubt(gate, 1, TrialCounts(2, 100)) == ""
    assert doubt(gate, 0, TrialCounts(0, 0)) == ""
    assert doubt(RolloutGate(tolerated_percent=5.0), 9, TrialCounts(39, 1240)) == ""
    assert doubt(RolloutGate(test="threshold"), 9, TrialCounts(39, 1240)) == ""


LIMITED, UNLIMITED = RegressionLimits(), None
AGREEING = RegressionLimits(agreement_percent_min=80.0)


@pytest.mark.parametrize(
    ("gate", "golden", "shadow", "measured", "why"),
    [
        (RolloutGate(regressions=LIMITED, soak_s=600.0), False, False, 3, ""),
        (RolloutGate(regressions=UNLIMITED, soak_s=600.0), True, False, 3, ""),
        (RolloutGate(regressions=UNLIMITED, soak_s=600.0), False, False, 3, "no comparison (regressions are not checked)"),
        (RolloutGate(regressions=LIMITED, soak_s=10.0), False, False, 3, "no comparison (a soak of 10 s is too short, 150 s are"),
        (RolloutGate(regressions=LIMITED, soak_s=600.0), False, False, 0, "no comparison (no device has sent figures lately)"),
        (RolloutGate(regressions=AGREEING, soak_s=600.0), False, True, 0, ""),
        (RolloutGate(regressions=LIMITED, soak_s=600.0), False, True, 0, "the shadow has no minimum agreement"),
    ],
)
def test_a_rollout_without_any_check_of_quality_has_a_warning(
    gate: RolloutGate, golden: bool, shadow: bool, measured: int, why: str
) -> None:
    found = quality_warning(gate, golden=golden, shadow=shadow, measured=measured)
    assert why in found
    assert bool(found) is bool(why)
    assert not found or found.startswith("Nothing will look at quality: no golden sample, ")
    assert not quality_warning(gate, golden=golden, shadow=shadow, measured=measured, beside=True)


def test_a_gate_that_nothing_stops_has_a_warning() -> None:
    assert "limit is 100 %" in gate_warning(RolloutGate(100.0, test="threshold"))
    assert "tolerates 100 %" in gate_warning(RolloutGate(tolerated_percent=100.0))
    assert not any(map(gate_warning, (RolloutGate(), RolloutGate(100.0), RolloutGate(99.0, test="threshold"))))


def test_every_template_for_production_checks_quality() -> None:
    """Of devices that send figures; the one for demos says that it does not."""
    silent = {name for name, each in TEMPLATES.items() if quality_warning(each.gate, golden=False, shadow=False, measured=1)}
    assert silent == {DEMO}
