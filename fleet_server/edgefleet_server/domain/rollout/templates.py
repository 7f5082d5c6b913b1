"""Predefined rollout plans, named by their degree of caution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.rollout.waves import WavePlan
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.terms import Rate

DEMO: Final = "demo"
"""Default template of `edgefleet demo`: finishes within a minute."""
LAB: Final = {"stage": "lab"}
"""The label by which `lab-then-field` selects the devices of the lab."""
LIMITS: Final = RegressionLimits()
"""Of every template but `demo`, whose waves are shorter than a comparison."""


@dataclass(frozen=True, slots=True)
class Template:
    """A plan. `shadow_s`: time for which devices of the first wave run the version beside theirs before its trial. `approvals`:
    indices of the waves whose start an operator has to approve."""

    name: str
    title: str
    waves: tuple[WavePlan, ...]
    gate: RolloutGate
    rate: Rate | None = None
    trial_s: float = defaults.TRIAL_S
    shadow_s: float = defaults.SHADOW_S
    approvals: frozenset[int] = field(default_factory=frozenset)


def _share(name: str, percent: float) -> WavePlan:
    return WavePlan(name, percent=percent)


def _shares() -> str:
    return ", ".join(name if percent is None else f"{percent:g} %" for name, percent in defaults.WAVES)


TEMPLATES: Final[Mapping[str, Template]] = {
    template.name: template
    for template in (
        Template(
            "careful",
            "1 %, 3 %, 10 %, 40 %, rest; soak time 1 h; starts at 50 devices per minute",
            (_share("canary", 1), _share("few", 3), _share("tenth", 10), _share("half", 40), WavePlan("rest")),
            RolloutGate(5.0, 3, 300.0, 3600.0, "both", 0.5, regressions=LIMITS),
            Rate(50, 2.0, 200, 1000),
            trial_s=60.0,
            shadow_s=600.0,
        ),
        Template(
            defaults.TEMPLATE,
            f"{_shares()}; soak time {defaults.SOAK_S / 60:g} min",
            tuple(WavePlan(name, percent=percent) for name, percent in defaults.WAVES),
            RolloutGate(tolerated_percent=defaults.TOLERATED_PERCENT, regressions=LIMITS),
        ),
        Template(
            "fast",
            "5 %, rest; soak time 3 min",
            (_share("canary", 5), WavePlan("rest")),
            RolloutGate(10.0, 3, 120.0, 180.0, "both", 2.0, regressions=LIMITS),
        ),
        Template(
            "lab-then-field",
            "Devices labelled stage=lab first; 5 % of the field after approval; then the rest",
            (WavePlan("lab", labels=LAB), _share("field canary", 5), WavePlan("field")),
            RolloutGate(5.0, 1, 300.0, 600.0, "both", 1.0, regressions=LIMITS),
            Rate(100, 2.0, 200, 1000),
            approvals=frozenset({1}),
        ),
        Template(
            DEMO,
            "For demos, not for production: 1 device, rest; soak time 5 s",
            (WavePlan("canary", count=1), WavePlan("rest")),
            RolloutGate(10.0, 1, 60.0, 5.0, "threshold"),
            trial_s=4.0,
            shadow_s=0.0,
        ),
    )
}
