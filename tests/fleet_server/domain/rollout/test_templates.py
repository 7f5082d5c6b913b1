"""Plans that come with the product."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

from edgefleet_server.api.schemas.rollouts.rollout_terms import GateSpec, PolicySpec, RegressionSpec
from edgefleet_server.core.rollout_defaults import SHADOW_S
from edgefleet_server.domain.rollout.templates import DEMO, TEMPLATES
from edgefleet_server.domain.states import RolloutState
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from tests.fleet_server.domain.world import Box, World

START = Path(__file__).resolve().parents[4] / "docs" / "start.md"


def test_demo_template_finishes_within_a_minute() -> None:
    """Three devices, of which one is the canary: less than a minute with its trials."""
    template = TEMPLATES[DEMO]
    boxes = [Box(f"line-{number}") for number in range(1, 4)]
    assert template.waves[0].count == 1
    world = World([boxes[:1], boxes[1:]], template.gate)
    began_at = world.now
    while world.rollout.state is RolloutState.RUNNING:
        world.turn()
        assert world.now + len(template.waves) * template.trial_s < began_at + 60.0
    assert world.rollout.state is RolloutState.COMPLETED


def test_the_first_rollout_of_a_newcomer_is_that_one() -> None:
    """The page that leads to it names the template."""
    (named,) = re.findall(r"all devices → \*([\w-]+)\*", START.read_text(encoding="utf-8"))
    assert named == DEMO


def test_a_shadow_comes_before_the_first_wave_by_default() -> None:
    assert {name for name, template in TEMPLATES.items() if not template.shadow_s} == {DEMO}
    assert PolicySpec().shadow_s == SHADOW_S
    assert PolicySpec().shadow_agreement_percent_min > 0


def test_regressions_are_compared_by_default() -> None:
    """By the same limits in the templates and in a request that does not mention them."""
    assert {name for name, template in TEMPLATES.items() if template.gate.regressions is None} == {DEMO}
    assert {template.gate.regressions for name, template in TEMPLATES.items() if name != DEMO} == {RegressionLimits()}
    assert GateSpec().regressions == RegressionSpec()
    assert RegressionSpec().model_dump() == asdict(RegressionLimits())
    assert GateSpec.model_validate({"regressions": None}).regressions is None
