"""A sequential test for the failure rate of a version, valid when it is evaluated after every device.

A share of failures that is evaluated repeatedly exceeds any fixed limit by chance, sooner or later; a test that is planned for
100 devices may only be evaluated after 100. The *e-value* below is the capital of a gambler who starts with 1 and bets on each
device, one after another, that the version fails on more than the tolerated share p0. If it does not, the game is fair or
unfavourable, and by Ville's inequality the probability that the capital *ever* reaches 1/alpha is at most alpha, however often it
is evaluated and whenever the test is stopped. The bet is a mixture over a grid of failure shares above p0 (the method of
mixtures), so that it grows for 1 % above the tolerated share as well as for a version that fails everywhere.

J. Ville, "Etude critique de la notion de collectif" (1939). H. Robbins, "Statistical methods related to the law of the iterated
logarithm", Annals of Mathematical Statistics 41 (1970). R. Johari, P. Koomen, L. Pekelis, D. Walsh, "Always valid inference",
Operations Research 70 (2022). I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", Journal of
the Royal Statistical Society B 86 (2024).

Devices count in the order in which they started, not in the order of their reports: failures are quick and successes take a whole
trial, so that the reports alone would make every wave seem to fail at its start. A device in progress counts as a success so far;
that can only make the e-value smaller than its final value, so the bound holds at every time in between, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

GRID: Final = 24
"""Number of failure shares in the mixture, log-spaced from just above the tolerated share to 1, all with the same weight."""
TOLERATED_MIN: Final = 1e-4
"""The lowest share that can be tested; a limit of 0 means this."""


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


def log_e_value(failed: int, tried: int, tolerated: float) -> float:
    """The natural logarithm of the e-value against "fails on at most `tolerated` (a share) of devices"; 0 = no evidence."""
    p0 = max(tolerated, TOLERATED_MIN)
    if p0 >= 1.0 or tried <= 0:
        return 0.0
    worked = tried - failed
    logs = []
    for step in range(1, GRID + 1):
        p = p0 ** (1.0 - step / GRID)
        grown = failed * math.log(p / p0)
        if worked:
            grown += worked * (math.log1p(-p) - math.log1p(-p0)) if p < 1.0 else -math.inf
        logs.append(grown)
    top = max(logs)
    return 0.0 if top == -math.inf else top + math.log(sum(math.exp(value - top) for value in logs) / GRID)


@dataclass(frozen=True, slots=True)
class SequentialStrength:
    """The strongest evidence, sufficient from `e_value_needed` on. `failures_to_stop`: number of further failures, among the
    devices that have started, that would suffice; None = more than there are devices."""

    finding: SequentialFinding
    e_value_needed: float
    failures_to_stop: int | None

    @property
    def enough(self) -> bool:
        """Whether it stops a rollout."""
        return self.finding.e_value >= self.e_value_needed


def find(streams: Mapping[str, TrialCounts], tolerated: float, alpha: float) -> SequentialFinding | None:
    """The strongest evidence that a version fails on more than `tolerated`, if there is enough; overall and per profile."""
    found = weigh(streams, tolerated, alpha)
    return found.finding if found.enough else None


def weigh(streams: Mapping[str, TrialCounts], tolerated: float, alpha: float) -> SequentialStrength:
    """The strength of the evidence that a version fails on more than `tolerated`, and the failures missing to be sufficient.

    `streams`: by profile. The error probability `alpha` is divided among all streams (Bonferroni), overall included.
    """
    overall = TrialCounts(sum(one.failed for one in streams.values()), sum(one.tried for one in streams.values()))
    tested = {"": overall, **(streams if len(streams) > 1 else {})}
    needed = math.log(len(tested) / alpha)
    found = [(log_e_value(seen.failed, seen.tried, tolerated), profile, seen) for profile, seen in tested.items()]
    strongest, profile, seen = max(found, key=lambda item: item[0])
    more = [count for one in tested.values() if (count := _more(one, tolerated, needed)) is not None]
    finding = SequentialFinding(profile, seen.failed, seen.tried, math.exp(min(strongest, 700.0)))
    return SequentialStrength(finding, len(tested) / alpha, min(more, default=None))


def _more(seen: TrialCounts, tolerated: float, needed: float) -> int | None:
    """The smallest sufficient number of further failures among the devices of a stream; the e-value only grows with them."""
    low, high = 0, seen.tried - seen.failed
    if log_e_value(seen.tried, seen.tried, tolerated) < needed:
        return None
    while low < high:
        middle = (low + high) // 2
        if log_e_value(seen.failed + middle, seen.tried, tolerated) >= needed:
            high = middle
        else:
            low = middle + 1
    return low
