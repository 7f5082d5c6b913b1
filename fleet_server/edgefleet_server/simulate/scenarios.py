"""Named scenarios of simulated fleets, which tests and documents share: each is a set of options of `edgefleet simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Scenario:
    """`summary`: what happens, for the list; `options`: values of options of the command, by name."""

    summary: str
    options: Mapping[str, Any]


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "bad-version": Scenario("--bad-version is rolled back on a third of the devices", {"fail_by": "rollback", "fail_rate": 0.33}),
    "slow-drift": Scenario(
        "--bad-version is committed everywhere, then becomes slower and less certain", {"fail_by": "slow", "fail_rate": 1.0}
    ),
    "stuck-trial": Scenario(
        "the trial of --bad-version does not end on a fifth of the devices", {"fail_by": "stuck", "fail_rate": 0.2}
    ),
    "flapping-line": Scenario(
        "devices are offline for a fifth of the time, for 5 s at a time", {"offline_rate": 0.2, "offline_s": 5.0}
    ),
    "wrong-clocks": Scenario("clocks are up to three weeks wrong", {"clock_days": 21.0}),
    "late-joiners": Scenario("a third of the devices come after two minutes", {"late_rate": 0.33, "late_s": 120.0}),
}
NEED_VERSION: Final = frozenset({"bad-version", "slow-drift", "stuck-trial"})
"""Those that require --bad-version."""
