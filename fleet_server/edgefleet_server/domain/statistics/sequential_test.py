"""A sequential test for the failure rate of a version: one rule for rollouts of every size, valid after every device.

A share of failures that is evaluated repeatedly exceeds any fixed limit by chance, sooner or later; a test that is planned for
100 devices may only be evaluated after 100. The *e-value* below is the capital of a gambler who starts with 1 and bets on each
device, one after another, that the version fails on more than the tolerated share p0. The bet is a mixture over a grid of
failure shares above p0 (the method of mixtures), so that it grows for 1 % above the tolerated share as well as for a version
that fails everywhere. If the version fails on no more than p0, the game is fair or unfavourable, and by Ville's inequality the
probability that the capital *ever* reaches 1/alpha is at most alpha.

"Ever" is longer than a rollout. A rollout has a known number of devices, so the capital that is needed is computed for it: the
smallest one that a version at p0 reaches with a probability of at most (1 - `AFTER_SHARE`) alpha within its devices, or within
the first `EXACT_MAX` of a larger rollout. The probability is exact (the distribution of a binomial random walk that stops at
the bound). Later devices, and those that join a rollout after its planning, have the rest of alpha by Ville's inequality.

J. Ville, "Etude critique de la notion de collectif" (1939). P. Armitage, C. K. McPherson, B. C. Rowe, "Repeated significance
tests on accumulating data", Journal of the Royal Statistical Society A 132 (1969). H. Robbins, "Statistical methods related to
the law of the iterated logarithm", Annals of Mathematical Statistics 41 (1970). R. Johari, P. Koomen, L. Pekelis, D. Walsh,
"Always valid inference", Operations Research 70 (2022). I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random
variables by betting", Journal of the Royal Statistical Society B 86 (2024).

Devices count in the order in which they started, not in the order of their reports: failures are quick and successes take a
whole trial, so that the reports alone would make every wave seem to fail at its start. A device in progress counts as a success
so far; that can only make the e-value smaller than its final value, so the bound holds at every time in between, too, however
the devices are divided into waves and whenever the test is evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

GRID: Final = 24
"""Number of failure shares in the mixture, log-spaced from just above the tolerated share to 1, all with the same weight."""
TOLERATED_MIN: Final = 1e-4
"""The lowest share above 0 that can be tested. With 0, the first failure is enough."""
EXACT_MAX: Final = 1000
"""Number of devices up to which the capital that is needed is computed."""
AFTER_SHARE: Final = 0.1
"""The part of alpha for the devices after that."""
OVERALL_SHARE: Final = 0.8
"""The part of alpha for all devices together; the profiles divide the rest. A rollout of one profile has all of it."""
CAPITAL_MIN: Final = 2.0
"""The least capital that stops a rollout, where the first failure of any device is improbable enough."""
HALVINGS: Final = 12
"""Steps of the search for the capital that is needed."""


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """Counts of the whole rollout or of one profile: `failed` of `tried` devices that have started."""

    failed: int
    tried: int


@dataclass(frozen=True, slots=True)
class SequentialFinding:
    """Evidence that is strong enough. `profile` empty = overall."""

    profile: str
    failed: int
    tried: int
    e_value: float


@lru_cache(maxsize=64)
def _bets(p0: float) -> list[tuple[float, float]]:
    """(growth by a failure, growth by a success) of each bet of the mixture, as logarithms."""
    shares = [p0 ** (1.0 - step / GRID) for step in range(1, GRID + 1)]
    return [(math.log(p / p0), math.log1p(-p) - math.log1p(-p0) if p < 1.0 else -math.inf) for p in shares]


def log_e_value(failed: int, tried: int, tolerated: float) -> float:
    """The natural logarithm of the e-value against "fails on at most `tolerated` (a share) of devices"; 0 = no evidence."""
    if tolerated >= 1.0 or tried <= 0:
        return 0.0
    if tolerated <= 0.0:
        return math.inf if failed else 0.0
    worked = tried - failed
    logs = [failed * up + (worked * down if worked else 0.0) for up, down in _bets(max(tolerated, TOLERATED_MIN))]
    top = max(logs)
    return 0.0 if top == -math.inf else top + math.log(sum(math.exp(value - top) for value in logs) / GRID)


@dataclass(frozen=True, slots=True)
class CapitalNeeded:
    """Logarithms of the e-value that stops a rollout: up to device `devices`, and after it. `false_stops`: the exact probability
    that a version at the tolerated share reaches the former."""

    devices: int
    within: float
    after: float
    false_stops: float

    def at(self, tried: int) -> float:
        """The logarithm that is needed after `tried` devices."""
        return self.within if tried <= self.devices else self.after


@lru_cache(maxsize=256)
def capital_needed(tolerated: float, alpha: float, devices: int) -> CapitalNeeded:
    """The e-value that stops a rollout of `devices` with an error probability of `alpha`."""
    counted, after = min(devices, EXACT_MAX), -math.log(alpha * AFTER_SHARE)
    if not 0.0 < tolerated < 1.0:
        return CapitalNeeded(counted, math.log(CAPITAL_MIN), after, 0.0)
    p0, allowed = max(tolerated, TOLERATED_MIN), alpha * (1.0 - AFTER_SHARE)
    low, high = math.log(CAPITAL_MIN), -math.log(allowed)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if _reached(p0, middle, counted, allowed) <= allowed else (middle, high)
    needed = low if _reached(p0, low, counted, allowed) <= allowed else high
    return CapitalNeeded(counted, needed, after, _reached(p0, needed, counted, 1.0))


def _reached(p0: float, needed: float, devices: int, enough: float) -> float:
    """The probability that a version that fails on p0 reaches the logarithm `needed` within `devices` devices. Ends above
    `enough`."""
    reached, bound = 0.0, 0
    alive = [1.0]
    for tried in range(1, devices + 1):
        while bound <= tried and log_e_value(bound, tried, p0) < needed:
            bound += 1
        following = [mass * (1.0 - p0) for mass in alive]
        following.append(0.0)
        for failed, mass in enumerate(alive):
            following[failed + 1] += mass * p0
        reached += sum(following[bound:])
        if reached > enough:
            break
        alive = following[:bound]
    return reached


@dataclass(frozen=True, slots=True)
class SequentialStrength:
    """The evidence nearest to a stop, sufficient from `e_value_needed` on. `failures_to_stop`: number of further failures, among
    the devices that have started, that would suffice; None = more than there are devices."""

    finding: SequentialFinding
    e_value_needed: float
    failures_to_stop: int | None

    @property
    def enough(self) -> bool:
        """Whether it stops a rollout."""
        return self.failures_to_stop == 0


@dataclass(frozen=True, slots=True)
class _Stream:
    """The counts of a profile, or of all together (empty), with the logarithms of their e-value and of the one that is needed."""

    profile: str
    seen: TrialCounts
    found: float
    needed: float


def overall(streams: Mapping[str, TrialCounts]) -> TrialCounts:
    """All profiles together."""
    return TrialCounts(sum(one.failed for one in streams.values()), sum(one.tried for one in streams.values()))


def find(streams: Mapping[str, TrialCounts], tolerated: float, alpha: float, devices: int) -> SequentialFinding | None:
    """The strongest evidence that a version fails on more than `tolerated`, if there is enough; overall and per profile.

    `streams`: by profile; every profile of the rollout from its start on, because they divide `alpha`. `devices`: the planned
    number of devices of the rollout.
    """
    nearest = _nearest(_tested(streams, tolerated, alpha, devices))
    return _finding(nearest) if nearest.found >= nearest.needed else None


def weigh(streams: Mapping[str, TrialCounts], tolerated: float, alpha: float, devices: int) -> SequentialStrength:
    """The strength of the evidence that a version fails on more than `tolerated`, and the failures missing to be sufficient.
    Arguments as for `find`."""
    tested = _tested(streams, tolerated, alpha, devices)
    more = [count for one in tested if (count := _more(one.seen, tolerated, one.needed)) is not None]
    nearest = _nearest(tested)
    return SequentialStrength(_finding(nearest), math.exp(min(nearest.needed, 700.0)), min(more, default=None))


def _tested(streams: Mapping[str, TrialCounts], tolerated: float, alpha: float, devices: int) -> list[_Stream]:
    counted = {"": overall(streams), **(streams if len(streams) > 1 else {})}
    return [
        _Stream(
            profile,
            seen,
            log_e_value(seen.failed, seen.tried, tolerated),
            capital_needed(tolerated, _part(alpha, profile, len(streams)), devices).at(seen.tried),
        )
        for profile, seen in counted.items()
    ]


def _nearest(tested: list[_Stream]) -> _Stream:
    return max(tested, key=lambda one: one.found - one.needed)


def _finding(stream: _Stream) -> SequentialFinding:
    return SequentialFinding(stream.profile, stream.seen.failed, stream.seen.tried, math.exp(min(stream.found, 700.0)))


def failures_of_next(seen: TrialCounts, tolerated: float, alpha: float, devices: int, profiles: int) -> int:
    """The smallest number of further devices that would stop the rollout if all of them failed; at most `devices`."""
    needed = capital_needed(tolerated, _part(alpha, "", profiles), devices)
    for more in range(1, devices):
        if log_e_value(seen.failed + more, seen.tried + more, tolerated) >= needed.at(seen.tried + more):
            return more
    return max(1, devices)


def _part(alpha: float, profile: str, profiles: int) -> float:
    """The part of `alpha` for one profile, or for all together."""
    if profiles <= 1:
        return alpha
    return alpha * (1.0 - OVERALL_SHARE) / profiles if profile else alpha * OVERALL_SHARE


def _more(seen: TrialCounts, tolerated: float, needed: float) -> int | None:
    """The smallest sufficient number of further failures among the devices of a stream; the e-value only grows with them."""
    low, high = 0, seen.tried - seen.failed
    if log_e_value(seen.tried, seen.tried, tolerated) < needed or not seen.tried:
        return None
    while low < high:
        middle = (low + high) // 2
        if log_e_value(seen.failed + middle, seen.tried, tolerated) >= needed:
            high = middle
        else:
            low = middle + 1
    return low
