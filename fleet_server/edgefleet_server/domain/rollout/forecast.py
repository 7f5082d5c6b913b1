"""Forecast of the duration of a rollout. A wave takes as long as its slowest online device; it does not wait for offline devices.

A Monte Carlo simulation: durations are drawn from those of earlier updates of the package; the return of an offline device in an
hour of the day is drawn from the share of days of the last week on which it was online in that hour. The random generator has a
fixed seed, so that the same input gives the same forecast. Steps over the limit of the gate are not forecast.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_server.domain.rollout.gates import PROOF, RolloutGate
from edgefleet_server.domain.statistics.confidence_intervals import of_share
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from edgefleet_server.domain.terms import Rate

RUNS: Final = 40
SAMPLE_MAX: Final = 400
"""Limit for the devices of a wave that are drawn one by one; in a larger wave, the slowest is drawn as a quantile."""
LINK_BYTES_PER_S: Final = 1e6
"""Assumed rate of a slow uplink, for a fleet without earlier updates."""
SPREAD: Final = 0.3
PAST_CONFIDENCE: Final = 0.95
DAY_HOURS: Final = 24
COMPARED_S: Final = 150.0
"""Least soak in which a device is compared for regressions: the rest of a minute, a whole one, and a rollup."""


@dataclass(frozen=True, slots=True)
class ForecastPlan:
    """The input of a forecast. `waves`: (online devices, offline devices) of each. `took_s`: durations of earlier updates, one
    list for each part of a bundle (they are tried one after another), or one for all parts if they were updated together before.
    `steps`: waves after the first begin in steps (`gates.step`).
    """

    waves: Sequence[tuple[int, int]]
    soak_s: float
    offline_s: float
    trial_s: float
    bytes_each: int
    took_s: Sequence[Sequence[float]]
    rate: Rate | None = None
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Forecast:
    """Durations in seconds, by wave and in total: (median, 95th percentile)."""

    waves: list[tuple[float, float]]
    total: tuple[float, float]
    reached_24h_percent: float


def forecast(plan: ForecastPlan, there_by_hour: Sequence[Mapping[int, float]], hour_now: int, seed: int = 1) -> Forecast:
    """Forecast the duration of a plan. `there_by_hour`: for each offline device, the share of days on which it was online in each
    hour of the day (UTC)."""
    chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)
    groups = _groups(plan)
    runs = [
        [sum(_wave_s(plan, there, away, chance) for there, away in wave) + plan.soak_s for wave in groups] for _ in range(RUNS)
    ]
    totals = sorted(sum(run) for run in runs)
    by_wave = [sorted(run[index] for run in runs) for index in range(len(plan.waves))]
    there_in_all = sum(there for there, _ in plan.waves)
    return Forecast(
        [(_at(wave, 0.5), _at(wave, 0.95)) for wave in by_wave],
        (_at(totals, 0.5), _at(totals, 0.95)),
        _reached(there_in_all, there_by_hour, hour_now, _at(totals, 0.5)),
    )


def _groups(plan: ForecastPlan) -> list[list[tuple[int, int]]]:
    """For each wave, (online, offline devices) of the groups that start one after another."""
    waves: list[list[tuple[int, int]]] = []
    done = 0
    for there, away in plan.waves:
        sizes, left = [], there
        while plan.steps and left and 0 < done < PROOF:
            sizes.append(min(left, done))
            left, done = left - sizes[-1], done + sizes[-1]
        if left or not sizes:
            sizes.append(left)
        done += left
        waves.append([*((size, 0) for size in sizes[:-1]), (sizes[-1], away)])
    return waves


def doubt(gate: RolloutGate, rollouts: int, past: TrialCounts) -> str:
    """A sentence if the fleet's past rollouts failed on more devices than the gate tolerates; else empty. `past`: failed and
    reported devices of versions that were kept. A good version would then be stopped more often than promised."""
    if gate.test == "threshold" or not past.failed:
        return ""
    found = of_share(past.failed, past.tried, PAST_CONFIDENCE)
    if (found.low or 0.0) * 100.0 <= gate.tolerated:
        return ""
    return (
        f"{past.failed} of {past.tried} devices ({100.0 * found.value:.2g} %) failed in the last {rollouts} completed rollouts of"
        f" this package, and the gate tolerates {gate.tolerated:g} %: it will stop versions that are no worse than those"
    )


def gate_warning(gate: RolloutGate) -> str:
    """A sentence if no number of failures stops the rollout before its end; else empty."""
    if gate.test == "threshold" and gate.error_percent_max >= 100.0:
        return "No failure rate stops this rollout: the limit is 100 %"
    if gate.test != "threshold" and gate.tolerated >= 100.0:
        return "No failure rate stops this rollout: the gate tolerates 100 %"
    return ""


def quality_warning(gate: RolloutGate, *, golden: bool, shadow: bool, measured: int, beside: bool = False) -> str:
    """A sentence if nothing will look at the quality of the version; else empty. `golden`: the packages have golden samples.
    `shadow`: the version is a shadow candidate. `measured`: number of the devices with figures to compare with. `beside`: devices
    run it beside theirs before its trial, and it has to agree."""
    limits = gate.regressions
    if golden or beside or (shadow and limits is not None and limits.agreement_percent_min is not None):
        return ""
    if limits is None:
        why = "regressions are not checked"
    elif gate.soak_s < COMPARED_S:
        why = f"a soak of {gate.soak_s:g} s is too short, {COMPARED_S:g} s are needed"
    elif not measured:
        why = "no device has sent figures lately"
    else:
        return ""
    off = "the shadow has no minimum agreement" if shadow else "shadow off"
    return f"Nothing will look at quality: no golden sample, {off}, no comparison ({why})"


def _wave_s(plan: ForecastPlan, there: int, away: int, chance: random.Random) -> float:
    """One draw of the duration of devices that start together: the slowest one, after its start in the ramp."""
    if not there:
        return plan.offline_s if away else 0.0
    drawn = sorted(_device_s(plan, chance) for _ in range(min(there, SAMPLE_MAX)))
    slowest = drawn[-1] if there <= SAMPLE_MAX else drawn[-1] * (1.0 + SPREAD * math.log10(there / SAMPLE_MAX))
    return max(_last_start_s(plan.rate, there) + slowest, plan.offline_s if away else 0.0)


def _device_s(plan: ForecastPlan, chance: random.Random) -> float:
    parts_s = sum(chance.choice(took) if took else plan.trial_s for took in plan.took_s)
    if all(plan.took_s):
        return parts_s
    return parts_s + plan.bytes_each / LINK_BYTES_PER_S * chance.lognormvariate(0.0, SPREAD)


def _last_start_s(rate: Rate | None, devices: int) -> float:
    """Seconds until the last of `devices` starts under the rate limit, if all earlier ones commit."""
    if rate is None:
        return 0.0
    minutes = started = 0
    while started + rate.now(started) < devices:
        started += rate.now(started)
        minutes += 1
    return minutes * 60.0


def _reached(there: int, away: Sequence[Mapping[int, float]], hour_now: int, total_s: float) -> float:
    """Share of devices that are done within a day, in percent."""
    if not there and not away:
        return 100.0
    hours = [(hour_now + step) % DAY_HOURS for step in range(DAY_HOURS)]
    back = sum(1.0 - math.prod(1.0 - min(1.0, shares.get(hour, 0.0)) for hour in hours) for shares in away)
    done = there if total_s <= DAY_HOURS * 3600.0 else there * DAY_HOURS * 3600.0 / total_s
    return 100.0 * (done + back) / (there + len(away))


def _at(ranked: Sequence[float], share: float) -> float:
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
