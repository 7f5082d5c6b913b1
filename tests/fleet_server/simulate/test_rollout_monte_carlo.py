"""Campaigns in virtual time: what the rules are known for, seen in a few seeds."""

from __future__ import annotations

import pytest

from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.rollout.templates import TEMPLATES
from edgefleet_server.simulate.rollout_monte_carlo import Aws, Fault, HawkBit, Ours, StopRule, simulate

SEQUENTIAL = Ours("sequential", RolloutGate(0.5, 1, 300.0, 60.0, "sequential"))
SEEDS = range(40)


def stops(rule: StopRule, fault: Fault, devices: int = 400) -> int:
    return sum(simulate(rule, fault, devices, seed).stopped for seed in SEEDS)


def test_same_seed_same_campaign() -> None:
    """A table can be printed again."""
    fault = Fault("x", 0.1)
    assert simulate(SEQUENTIAL, fault, 300, 7) == simulate(SEQUENTIAL, fault, 300, 7)


def test_good_versions_go_through() -> None:
    """At the tolerated share, fewer than one of a hundred rollouts stops."""
    assert stops(SEQUENTIAL, Fault("good", 0.005)) <= 1


def test_the_careful_template_keeps_its_promise() -> None:
    """A version that fails on no more than it tolerates, over all its waves and all tests of them: under 1 %."""
    template = TEMPLATES["careful"]
    careful = Ours("careful", template.gate, tuple(wave.percent / 100.0 for wave in template.waves if wave.percent))
    stopped = sum(simulate(careful, Fault("good", 0.005), 400, seed).stopped for seed in range(500))
    assert stopped < 5
    assert stops(careful, Fault("bad", 0.1)) == len(SEEDS)


@pytest.mark.parametrize("how", ["trial", "offline", "late"])
def test_bad_versions_are_stopped(how: str) -> None:
    """However they fail."""
    fault = Fault("bad", 0.5, how)  # type: ignore[arg-type]  # parametrized literal
    assert stops(SEQUENTIAL, fault) == len(SEEDS)
    assert (stops(HawkBit(), fault) > 0) == (how == "trial")


def test_one_bad_profile_is_found() -> None:
    """A tenth of the fleet fails by half: too few for a limit of 10 %, plenty for evidence per profile."""
    fault = Fault("one profile", 0.5, profile="jetson-orin")
    assert stops(SEQUENTIAL, fault) >= len(SEEDS) - 1
    assert stops(HawkBit(), fault) < len(SEEDS) / 2


def test_the_ramp_of_offers_rises() -> None:
    """50 a minute, twice as many after every 200."""
    ramp = Aws()
    assert ramp.offered_at(0, 5.0) == 5.0
    assert ramp.offered_at(50, 0.0) == pytest.approx(60.0)
    assert ramp.offered_at(300, 0.0) - ramp.offered_at(200, 0.0) == pytest.approx(60.0)
