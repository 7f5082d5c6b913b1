"""Comparison of stopping rules by size of the rollout: stopped good and bad versions, and devices that a bad one harms.

    python -m benchmarks.fleet.campaigns [--runs 2000] [--seed 1] [--profiles 1] [--devices 20 50 …] [--json]

A good version fails on the tolerated share of devices, a bad one on 20 points more. The rules see the same devices:

- edgefleet: `both`, > 5 % and > the tolerated share at 99 %, in waves of 5 %, 25 % and the rest (template standard), decided by
  the server's own code;
- before: the rule that edgefleet had before, with the same terms: the limit of each wave with its part of the error probability,
  in rollouts of up to 100 devices at 5 % for each wave, and a sequential test behind it;
- hawkBit: groups of the same sizes; error threshold > 10 % of the group's total, success threshold 90 %;
- AWS IoT Jobs: 50 devices a minute, twice as many after each 200; abort at >= 10 % failed of at least 10 executed.

Every device is online. Those of a wave or step are on trial at once; a device that began and fails is harmed, whether or not the
rollout was stopped before it failed. In virtual time: the same seed gives the same table, which is in docs/rollouts.md.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from edgefleet_server.domain.rollout.gates import Evidence, RolloutGate, judge_sequential, step
from edgefleet_server.domain.rollout.templates import TEMPLATES
from edgefleet_server.domain.rollout.waves import sizes
from edgefleet_server.domain.statistics.confidence_intervals import Interval, of_share
from edgefleet_server.domain.statistics.sequential_test import TrialCounts, capital_needed, log_e_value
from edgefleet_server.simulate.rollout_monte_carlo import Aws, HawkBit

DEVICES: Final = (20, 50, 100, 101, 200, 1_000, 10_000)
TOLERATED_PERCENT: Final = (0.1, 1.0, 3.0)
WORSE_PERCENT: Final = 20.0
LIMIT_PERCENT: Final = 5.0
TRIAL_S, FETCH_S = 120.0, 60.0

Fails = npt.NDArray[np.bool_]
"""By device, in the order of the update, whether the version fails on it."""


@dataclass(frozen=True, slots=True)
class CampaignEnd:
    """`began`: devices that had started the update; `rounds`: groups of devices that were on trial at once, one after another."""

    stopped: bool
    began: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Setting:
    """One rollout: devices, tolerated share in percent, profiles, which alternate."""

    devices: int
    tolerated_percent: float
    profiles: int = 1

    @property
    def waves(self) -> list[int]:
        """Sizes of the waves."""
        return sizes(TEMPLATES["standard"].waves, self.devices)


Rule = Callable[[Setting, Fails], CampaignEnd]


def counts(setting: Setting, fails: Fails, began: int) -> tuple[tuple[int, int], ...]:
    """(failed, tried) by profile of the first devices."""
    by_profile = (fails[number : began : setting.profiles] for number in range(setting.profiles))
    return tuple((int(one.sum()), len(one)) for one in by_profile)


@lru_cache(maxsize=1_000_000)
def _decide(setting: Setting, seen: tuple[tuple[int, int], ...], *, first: bool) -> tuple[bool, int | None]:
    """(whether the gate stops, size of the next step) by the server's code."""
    gate = RolloutGate(LIMIT_PERCENT, test="both", tolerated_percent=setting.tolerated_percent)
    streams = {str(number): TrialCounts(*one) for number, one in enumerate(seen)}
    evidence = Evidence([streams], setting.devices, 0, sum(tried - failed for failed, tried in seen))
    return bool(judge_sequential(gate, evidence)), step(gate, evidence, first=first)


def edgefleet(setting: Setting, fails: Fails) -> CampaignEnd:
    """The gate of this version."""
    began = rounds = 0
    for index, end in enumerate(accumulate(setting.waves)):
        while began < end or (began < setting.devices and _is_over(began, fails)):  # a wave over the limit draws from the next
            room = _decide(setting, counts(setting, fails, began), first=index == 0)[1]
            left = end - began if began < end else setting.devices - began
            began, rounds = began + (left if room is None else min(left, room)), rounds + 1
            if _decide(setting, counts(setting, fails, began), first=index == 0)[0]:
                return CampaignEnd(True, began, rounds)
    return CampaignEnd(False, began, rounds)


def _is_over(began: int, fails: Fails) -> bool:
    return began > 0 and 100.0 * int(fails[:began].sum()) > LIMIT_PERCENT * began


def _tail(failed: int, devices: int, share: float) -> float:
    """The probability of `failed` or more failures among `devices`."""
    ways = (math.lgamma(devices + 1) - math.lgamma(n + 1) - math.lgamma(devices - n + 1) for n in range(failed))
    return 1.0 - sum(math.exp(log + n * math.log(share) + (devices - n) * math.log1p(-share)) for n, log in enumerate(ways))


@lru_cache(maxsize=1_000_000)
def _stopped_before(setting: Setting, wave: int, size: int, failed: int, seen: tuple[tuple[int, int], ...]) -> bool:
    share, alpha = setting.tolerated_percent / 100.0, 0.01
    if failed and failed * 100.0 > LIMIT_PERCENT * size:
        needed = 0.05 if setting.devices <= 100 else alpha / 2 if not wave else alpha / 8 / 2**wave
        if failed == size and setting.devices > 100:
            return True
        if _tail(failed, size, share) <= needed:
            return True
    tested = [(sum(one[0] for one in seen), sum(one[1] for one in seen)), *(seen if len(seen) > 1 else ())]
    return any(log_e_value(*one, share) >= math.log(len(tested) / (alpha / 4)) for one in tested)


def before(setting: Setting, fails: Fails) -> CampaignEnd:
    """The former gate."""
    began = 0
    for wave, size in enumerate(setting.waves):
        failed = int(fails[began : began + size].sum())
        began += size
        if _stopped_before(setting, wave, size, failed, counts(setting, fails, began)):
            return CampaignEnd(True, began, wave + 1)
    return CampaignEnd(False, began, len(setting.waves))


def hawkbit(setting: Setting, fails: Fails) -> CampaignEnd:
    """hawkBit's thresholds of a group."""
    began = 0
    for wave, size in enumerate(setting.waves):
        failed = int(fails[began : began + size].sum())
        began += size
        if 100.0 * failed > HawkBit().error_percent * size:
            return CampaignEnd(True, began, wave + 1)
    return CampaignEnd(False, began, len(setting.waves))


@lru_cache(maxsize=64)
def _offers(devices: int) -> npt.NDArray[np.float64]:
    return np.array([Aws().offered_at(number, 0.0) for number in range(devices)])


def aws(setting: Setting, fails: Fails) -> CampaignEnd:
    """AWS IoT Jobs' abort criteria, with its rate. A failure ends in the middle of the trial, a success at its end."""
    rule, offered = Aws(), _offers(setting.devices)
    ended = offered + FETCH_S + np.where(fails, TRIAL_S / 2.0, TRIAL_S)
    order = np.argsort(ended, kind="stable")
    executed, failed = np.arange(1, setting.devices + 1), np.cumsum(fails[order])
    aborts = (executed >= rule.executed_min) & (failed > 0) & (100.0 * failed >= rule.abort_percent * executed)
    if not aborts.any():
        return CampaignEnd(False, setting.devices, 1)
    return CampaignEnd(True, int((offered <= ended[order[int(np.argmax(aborts))]]).sum()), 1)


RULES: Final[dict[str, Rule]] = {"edgefleet": edgefleet, "before": before, "hawkBit": hawkbit, "AWS IoT Jobs": aws}


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one rule with one version. `stopped`: share in percent with Wilson's limits at 95 %; means of devices."""

    devices: int
    tolerated_percent: float
    failing_percent: float
    rule: str
    stopped: Interval
    harmed: float
    began: float
    rounds: float


def cells(setting: Setting, failing_percent: float, runs: int, seed: int) -> Iterator[Cell]:
    """Play one version under every rule; the same devices for each."""
    chance = np.random.default_rng([seed, setting.devices, round(failing_percent * 10)])
    drawn = [chance.random(setting.devices) < failing_percent / 100.0 for _ in range(runs)]
    for name, rule in RULES.items():
        ends = [rule(setting, fails) for fails in drawn]
        harmed = sum(int(fails[: end.began].sum()) for fails, end in zip(drawn, ends, strict=True))
        yield Cell(
            setting.devices,
            setting.tolerated_percent,
            failing_percent,
            name,
            of_share(sum(end.stopped for end in ends), runs, 0.95),
            harmed / runs,
            sum(end.began for end in ends) / runs,
            sum(end.rounds for end in ends) / runs,
        )


def share(found: Interval) -> str:
    """A share in percent with its limits, as text."""
    value, low, high = (round(100.0 * (each or 0.0), 2) for each in (found.value, found.low, found.high))
    return f"{value:g} ({low:g}–{high:g})"


def print_tables(results: Sequence[Cell], profiles: int) -> None:
    """Print the tables of the documentation: good versions, then bad ones."""
    names = list(RULES)
    rows = [results[start : start + len(names)] for start in range(0, len(results), len(names))]
    print(f"| devices | tolerated | exact | {' | '.join(names)} | rounds |\n|{'---|' * (len(names) + 4)}")
    for row in rows:
        if row[0].failing_percent == row[0].tolerated_percent:
            needed = capital_needed(row[0].tolerated_percent / 100, 0.01, row[0].devices)
            exact = f"{100 * needed.false_stops:.2f}" if profiles == 1 else "–"
            stopped = " | ".join(share(cell.stopped) for cell in row)
            print(f"| {row[0].devices:,} | {row[0].tolerated_percent:g} % | {exact} | {stopped} | {row[0].rounds:.1f} |")
    print(f"\n| devices | fails on | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}")
    for row in rows:
        if row[0].failing_percent != row[0].tolerated_percent:
            found = " | ".join(f"{share(cell.stopped)}; {cell.harmed:.2f}" for cell in row)
            print(f"| {row[0].devices:,} | {row[0].failing_percent:g} % | {found} |")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profiles", type=int, default=1)
    parser.add_argument("--devices", type=int, nargs="+", default=list(DEVICES))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results: list[Cell] = []
    for devices in arguments.devices:
        for tolerated in TOLERATED_PERCENT:
            setting = Setting(devices, tolerated, arguments.profiles)
            for failing in (tolerated, tolerated + WORSE_PERCENT):
                results += cells(setting, failing, arguments.runs, arguments.seed)
    if arguments.json:
        print(json.dumps([asdict(cell) for cell in results], indent=1))
    else:
        print_tables(results, arguments.profiles)


if __name__ == "__main__":
    main()
