"""The rule of the gates in drawn rollouts of every size: few good versions are stopped, and bad ones harm no more devices."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.fleet.campaigns import CampaignEnd, Cell, Setting, aws, before, cells, edgefleet, hawkbit

RUNS = 400


def played(devices: int, tolerated: float, worse: float, profiles: int = 1) -> dict[str, Cell]:
    found = cells(Setting(devices, tolerated, profiles), tolerated + worse, RUNS, seed=1)
    return {cell.rule: cell for cell in found}


@pytest.mark.parametrize("tolerated", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("devices", [20, 50, 100, 101, 200])
def test_a_good_version_is_stopped_in_fewer_than_one_of_a_hundred_rollouts(devices: int, tolerated: float) -> None:
    """Wilson's lower limit of 400 rollouts is below 1 %; three times as many stops as promised would not be."""
    assert (played(devices, tolerated, 0.0)["edgefleet"].stopped.low or 0.0) < 0.01


@pytest.mark.parametrize("tolerated", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("devices", [50, 100, 101, 200])
def test_a_version_20_points_worse_is_stopped_and_harms_no_more_than_before(devices: int, tolerated: float) -> None:
    found = played(devices, tolerated, 20.0)
    assert (found["edgefleet"].stopped.high or 0.0) >= 0.95
    assert found["edgefleet"].stopped.value >= 0.94
    assert found["edgefleet"].harmed <= found["before"].harmed + 0.1


def test_profiles_divide_the_error_probability_and_the_rule_still_decides() -> None:
    assert (played(100, 1.0, 0.0, profiles=3)["edgefleet"].stopped.low or 0.0) < 0.01
    assert played(100, 1.0, 20.0, profiles=3)["edgefleet"].stopped.value > 0.98


def test_rules_on_one_known_rollout() -> None:
    """101 devices in waves of 6, 26 and 69, of which the second and third fail: a third of the canary."""
    fails = np.zeros(101, dtype=bool)
    fails[[1, 2]] = True
    setting = Setting(101, 1.0)
    assert setting.waves == [6, 26, 69]
    assert edgefleet(setting, fails) == CampaignEnd(True, 6, 1)
    assert hawkbit(setting, fails) == CampaignEnd(True, 6, 1)
    assert before(setting, fails) == CampaignEnd(True, 6, 1)
    assert before(Setting(101, 3.0), fails).began == 101
    assert aws(setting, fails).stopped
    fails[2] = False
    assert not edgefleet(setting, fails).stopped
    assert edgefleet(setting, fails).rounds > 3
