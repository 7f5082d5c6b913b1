"""The error gates. The limit of a wave applies to the failures among its *reported* devices, never to the wave's total (hawkBit's
weakness: with 10 of 100 devices online and all 10 failing, a limit of 50 % of the total never fires).

A gate is breached in two cases: enough devices have reported and too many of them failed; or so many have failed that the wave
could not pass even if every other device succeeded. The second case stops a canary at its first failure instead of at its last.

Failures report sooner than successes, which last a whole trial: the first reports of a large wave are its few failures, however
good the version is. With the sequential test in addition (`both`), the share of failures among reported devices therefore counts
only once all reachable devices have reported, and the limit stops only what chance does not explain.

**Shared error probability.** A version that fails on no more than the tolerated share of devices is stopped in fewer than
`100 - confidence_percent` of 100 rollouts, over all tests. `both` therefore divides this probability (Bonferroni; the sum over
any number of waves stays below it):

    1/2   the limit on the first wave, where stopping saves most
    1/4   the sequential test over all waves, overall and by profile (`statistics.sequential_test`, valid at any time)
    1/8   the limit on the later waves: half of it for the second, a quarter for the third, ...
    1/8   the limit on the reported devices of a wave that is partly offline, divided by wave in the same way

The limit on a whole wave is a binomial test of a number that only grows, against a number of devices that can only shrink:
repeated evaluation does not change its error probability. Devices that return later make the last test a new one each time; it
therefore uses the e-value of the sequential test, which may be evaluated repeatedly. Not included in the sum: a wave in which
every reachable device has failed always stops. In a wave of one device, that may be chance; with two, the probability is
negligible.

**Small rollouts.** So few devices cannot reach a confidence of 99 %, and no later wave could: a version that fails on a third of
twelve devices would go to all of them. Up to `FEW` devices the limit therefore stops a result that fewer than one good wave in
twenty shows; in a canary of five, that is the first failure. The cost is an occasional false stop, after which an operator checks
one device.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal

from edgefleet_server.domain.states import FAILED, NOT_TRIED, REPORTED, AttemptState
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.statistics.sequential_test import SequentialStrength, TrialCounts, find, log_e_value, weigh

Test = Literal["threshold", "sequential", "both"]
TOLERATED_PERCENT: Final = 1.0
FIRST_SHARE: Final = 1 / 2
SEQUENTIAL_SHARE: Final = 1 / 4
LATER_SHARE: Final = 1 / 8
IN_REACH_SHARE: Final = 1 / 8
FEW: Final = 100
FEW_ALPHA: Final = 0.05


@dataclass(frozen=True, slots=True)
class RolloutGate:
    """The terms of a gate. `offline_s`: a device that is offline for this long after it took the update has failed. `soak_s`:
    time for which a wave is observed after its last device has finished.

    `test`: `threshold` = the limit on the reported devices of each wave; `sequential` = a sequential test over the whole rollout,
    overall and per profile, of the hypothesis that at most `tolerated_percent` of devices fail, wrong in
    `100 - confidence_percent` of 100 good rollouts; `both` = that test, and the limit on a wave that cannot pass it any more or
    of which all reachable devices have reported, if chance does not explain so many failures; together they have the same error
    probability. `tolerated_percent` None = the limit; with `both` at most 1 %.

    `regressions`: a device that runs the version and performs worse than before by more than these limits has failed as well.
    """

    error_percent_max: float = 10.0
    reported_min: int = 3
    offline_s: float = 120.0
    soak_s: float = 10.0
    test: Test = "both"
    tolerated_percent: float | None = None
    confidence_percent: float = 99.0
    regressions: RegressionLimits | None = None

    @property
    def tolerated(self) -> float:
        """The share of devices on which a good version may fail, in percent."""
        if self.tolerated_percent is not None:
            return self.tolerated_percent
        return min(self.error_percent_max, TOLERATED_PERCENT) if self.test == "both" else self.error_percent_max

    @property
    def alpha(self) -> float:
        """The probability that a good version is stopped, over all tests together."""
        return 1.0 - self.confidence_percent / 100.0

    @property
    def sequential_alpha(self) -> float:
        """The part of `alpha` that the sequential test over the whole rollout uses."""
        return self.alpha * SEQUENTIAL_SHARE if self.test == "both" else self.alpha


class GateVerdict(str, Enum):
    WAITING = "waiting"
    HOLDING = "holding"
    BREACHED = "breached"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Tally:
    """The input of a gate. `candidates`: devices that have reported or still can; the excused ones were accepted by an operator;
    `wave`: its number, from 0; `rollout`: number of devices of all waves, 0 = unknown, which counts as a small rollout."""

    candidates: int
    reported: int
    failed: int
    unreachable: int = 0
    excused_reported: int = 0
    excused_failed: int = 0
    wave: int = 0
    rollout: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the figures behind it, for the dashboard: counts exclude the excused devices."""

    verdict: GateVerdict
    failed: int
    reported: int
    reported_min: int
    error_percent: float
    text: str


def tally(
    counts: Mapping[AttemptState, int],
    *,
    unreachable: int = 0,
    excused_reported: int = 0,
    excused_failed: int = 0,
    wave: int = 0,
    rollout: int = 0,
) -> Tally:
    """Sum attempt states for the gate."""
    tried = Counter(counts)
    return Tally(
        candidates=sum(n for state, n in tried.items() if state not in NOT_TRIED),
        reported=sum(n for state, n in tried.items() if state in REPORTED),
        failed=sum(n for state, n in tried.items() if state in FAILED),
        unreachable=unreachable,
        excused_reported=excused_reported,
        excused_failed=excused_failed,
        wave=wave,
        rollout=rollout,
    )


def judge(gate: RolloutGate, seen: Tally, *, passed: bool = False) -> Judgement:
    """Apply the gate. `passed`: the wave is over and has passed.

    The gate does not wait for offline devices, so the minimum sample is lowered to the reachable devices, but never to zero while
    there are candidates: a wave without a report proves nothing.
    """
    reported = max(0, seen.reported - seen.excused_reported)
    failed = min(reported, max(0, seen.failed - seen.excused_failed))
    candidates = max(0, seen.candidates - seen.excused_reported)
    needed = min(gate.reported_min, max(1, candidates - seen.unreachable), candidates)
    percent = 100.0 * failed / reported if reported else 0.0
    limit = gate.error_percent_max

    def answer(verdict: GateVerdict, text: str) -> Judgement:
        return Judgement(verdict, failed, reported, needed, round(percent, 2), text)

    share = f"{failed} of {reported} reported devices failed ({percent:.3g} %)" if reported else "no devices to update"
    if seen.excused_reported:
        share += f", not counting {seen.excused_reported} devices ({seen.excused_failed} failed) accepted by an operator"
    by_limit = gate.test != "sequential"
    bound = f"limit {limit:g} %" if by_limit else "decided by the sequential test over the whole rollout"
    enough = max(needed, candidates - seen.unreachable) if gate.test == "both" else needed
    if by_limit and failed and reported >= enough and percent > limit and _speaks_in_reach(gate, failed, reported, seen):
        return answer(GateVerdict.BREACHED, f"{share}; {bound}")
    if by_limit and failed * 100.0 > limit * candidates and _speaks(gate, failed, candidates, seen):
        return answer(
            GateVerdict.BREACHED,
            f"{failed} failed: above the limit of {limit:g} % even if the other {candidates - failed} of {candidates} succeed",
        )
    if passed:
        return answer(GateVerdict.PASSED, f"{share}; {bound}")
    if by_limit and percent > limit:
        bound += f", too few of {candidates} reported to reject a tolerated failure rate of {gate.tolerated:g} %"
    if reported < needed:
        return answer(GateVerdict.WAITING, f"waiting for {needed} reports, {reported} received; {failed} failed")
    return answer(GateVerdict.HOLDING, f"{share}; {bound}")


def _speaks(gate: RolloutGate, failed: int, devices: int, seen: Tally) -> bool:
    """Whether chance does not explain `failed` or more failures among a wave's `devices` with a good version (binomial test).
    Always true for a limit without the sequential test."""
    share = gate.tolerated / 100.0
    if gate.test == "threshold" or share <= 0.0:
        return True
    if share >= 1.0:
        return False
    ways = (math.lgamma(devices + 1) - math.lgamma(n + 1) - math.lgamma(devices - n + 1) for n in range(failed))
    fewer = sum(math.exp(log + n * math.log(share) + (devices - n) * math.log1p(-share)) for n, log in enumerate(ways))
    if seen.rollout <= FEW:
        return 1.0 - fewer < FEW_ALPHA
    return 1.0 - fewer <= gate.alpha * (LATER_SHARE / 2.0**seen.wave if seen.wave else FIRST_SHARE)


def _speaks_in_reach(gate: RolloutGate, failed: int, reported: int, seen: Tally) -> bool:
    """The same test for the reachable devices of a wave, whose number may grow at any time."""
    if gate.test == "threshold" or seen.rollout <= FEW or gate.tolerated <= 0.0:
        return _speaks(gate, failed, reported, seen)
    needed = gate.alpha * IN_REACH_SHARE / 2.0 ** (seen.wave + 1)
    return failed == reported or log_e_value(failed, reported, gate.tolerated / 100.0) >= -math.log(needed)


def sequential_strength(gate: RolloutGate, streams: Mapping[str, TrialCounts]) -> SequentialStrength | None:
    """The strength of the evidence over the whole rollout; None if only the limit counts or no device has started."""
    if gate.test == "threshold" or not any(seen.tried for seen in streams.values()):
        return None
    return weigh(streams, gate.tolerated / 100.0, gate.sequential_alpha)


def judge_sequential(gate: RolloutGate, streams: Mapping[str, TrialCounts]) -> str:
    """The evidence against the version over the whole rollout, by profile, as one sentence; empty while it is not enough."""
    if gate.test == "threshold":
        return ""
    found = find(streams, gate.tolerated / 100.0, gate.sequential_alpha)
    if found is None:
        return ""
    where = f"profile {found.profile!r}: " if found.profile else ""
    return (
        f"{where}{found.failed} of {found.tried} started devices failed, above the tolerated failure rate of"
        f" {gate.tolerated:g} % (confidence level {gate.confidence_percent:g} %)"
    )
