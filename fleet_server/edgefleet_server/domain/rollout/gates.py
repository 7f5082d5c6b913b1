"""The gates that stop a rollout.

**`threshold`** applies a limit to the failures among the *reported* devices of each wave, never to the wave's total (hawkBit's
weakness: with 10 of 100 devices online and all 10 failing, a limit of 50 % of the total never fires). It is breached in two
cases: enough devices have reported and too many of them failed; or so many have failed that the wave could not pass even if
every other device succeeded. The second case stops a canary at its first failure instead of at its last.

**`sequential`** is one test over the whole rollout, on the counts of all waves together (`statistics.sequential_test`): a
version that fails on no more than the tolerated share of devices is stopped in fewer than `100 - confidence_percent` of 100
rollouts, whatever the number of devices, the waves and the profiles.

It is evaluated for the first wave, the first two, and so on: its bound holds after every device. So failures that show late, in
the soak or after it, are not outnumbered by devices that have begun meanwhile.

**`both`** is that test with double sampling. The limit does not stop, it holds: while more than `error_percent_max` of all
devices that have reported failed, and the test has not decided, later devices start in small steps instead of whole waves. A
step is as many devices as would decide the test if all of them failed, at least a tenth of those that have reported; its
results stop the rollout, or bring the share back to the limit, and then the wave goes on whole. A wave that would end over the
limit draws the step from the next wave, and soaks again: they are compared as the others of their wave are, in the first wave
with a shadow, and the next wave does not begin on a doubt. Besides, a wave after the first
starts in steps until the version works on `PROOF` devices, each step no larger than their number: so few devices without a
failure prove little (twenty without one are improbable, 1 in 100, for a version that fails on a fifth), and a large wave behind
them would be exposed at once.

Not part of the test, in all three: a rollout pauses at its end when every device that tried the version failed. Chance explains
that in rollouts of one device only.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal

from edgefleet_server.core import rollout_defaults as defaults
from edgefleet_server.domain.outcomes import (
    LEFT,
    NONE_ACCEPTED,
    REPORTED,
    UNJUDGED,
    CountedResults,
    Outcome,
    not_counting,
    results,
)
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.statistics.sequential_test import (
    SequentialFinding,
    SequentialStrength,
    TrialCounts,
    failures_of_next,
    find,
    overall,
    weigh,
)

WITHOUT_RESULT: Final = "faults of device, transfer or set-up, or no frames"
PROOF: Final = 20
"""Number of devices on which the version works, up to which the waves after the first start in steps."""
STEP_SHARE: Final = 10
"""A step over the limit is at least one of so many devices that have reported: the number of steps stays bounded."""


@dataclass(frozen=True, slots=True)
class RolloutGate:
    """The terms of a gate. `offline_s`: a device that is offline for this long after it took the update has failed. `soak_s`:
    time for which a wave is observed after its last device has finished.

    `test`: `threshold` = the limit on the reported devices of each wave; `sequential` = a sequential test over the whole rollout,
    overall and per profile, of the hypothesis that at most `tolerated_percent` of devices fail, wrong in
    `100 - confidence_percent` of 100 good rollouts; `both` = that test, and small steps instead of whole waves while more than
    `error_percent_max` failed and the test has not decided. `tolerated_percent` None = the limit; with `both` at most 1 %.

    `frames_required`: a device whose model was committed without a frame has shown nothing. `regressions`: a device that runs the
    version and performs worse than before by more than these limits has failed as well.
    """

    error_percent_max: float = defaults.ERROR_PERCENT_MAX
    reported_min: int = defaults.REPORTED_MIN
    offline_s: float = defaults.OFFLINE_S
    soak_s: float = defaults.SOAK_S
    test: defaults.Test = defaults.TEST
    tolerated_percent: float | None = None
    confidence_percent: float = defaults.CONFIDENCE_PERCENT
    regressions: RegressionLimits | None = None
    frames_required: bool = False

    @property
    def tolerated(self) -> float:
        """The share of devices on which a good version may fail, in percent."""
        if self.tolerated_percent is not None:
            return self.tolerated_percent
        return min(self.error_percent_max, defaults.TOLERATED_PERCENT) if self.test == "both" else self.error_percent_max

    @property
    def alpha(self) -> float:
        """The probability that a good version is stopped."""
        return 1.0 - self.confidence_percent / 100.0


class GateVerdict(str, Enum):
    WAITING = "waiting"
    HOLDING = "holding"
    BREACHED = "breached"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one wave. `candidates`: devices that were to try the version; `unjudged`: those of them that ended without a
    result about it; the excused ones were accepted by an operator."""

    candidates: int
    reported: int
    failed: int
    unreachable: int = 0
    excused_reported: int = 0
    excused_failed: int = 0
    unjudged: int = 0

    @property
    def accepted(self) -> CountedResults:
        """The results that an operator accepted."""
        return CountedResults(self.excused_failed, self.excused_reported)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the figures behind it, for people: counts exclude the excused devices. `text`: why; `following`: what
    decides next."""

    verdict: GateVerdict
    failed: int
    reported: int
    reported_min: int
    error_percent: float
    text: str
    following: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The counts of a whole rollout. `waves`: of each wave in order, by profile. `devices`: of all planned waves.
    `in_progress`: devices among the tried ones that have not reported. `proven`: devices on which the version works, also
    those that reported before the rollout was resumed. `accepted`: results that an operator accepted at the last resume; they are
    in no other count."""

    waves: Sequence[Mapping[str, TrialCounts]]
    devices: int
    in_progress: int = 0
    proven: int = 0
    accepted: CountedResults = NONE_ACCEPTED

    @property
    def streams(self) -> Mapping[str, TrialCounts]:
        """Counts by profile, every profile of the rollout."""
        return self.prefixes[-1]

    @property
    def prefixes(self) -> list[dict[str, TrialCounts]]:
        """Counts by profile of the first wave, of the first two, and so on: failures that show late, when later waves have begun
        already, are those of the earlier ones alone."""
        sums = {profile: TrialCounts(0, 0) for wave in self.waves for profile in wave}
        found: list[dict[str, TrialCounts]] = []
        for wave in self.waves:
            for profile, seen in wave.items():
                sums[profile] = TrialCounts(sums[profile].failed + seen.failed, sums[profile].tried + seen.tried)
            if not found or any(seen.tried for seen in wave.values()):
                found.append(dict(sums))
        return found or [sums]

    @property
    def ended(self) -> TrialCounts:
        """All profiles together, without the devices in progress."""
        counts = overall(self.streams)
        return TrialCounts(counts.failed, counts.tried - self.in_progress)


def tally(counts: Mapping[Outcome, int], *, unreachable: int = 0, excused_reported: int = 0, excused_failed: int = 0) -> Tally:
    """Sum outcomes for the gate."""
    return Tally(
        candidates=sum(n for ended, n in counts.items() if ended not in LEFT),
        reported=sum(n for ended, n in counts.items() if ended in REPORTED),
        failed=counts.get(Outcome.FAILED, 0),
        unjudged=sum(n for ended, n in counts.items() if ended in UNJUDGED),
        unreachable=unreachable,
        excused_reported=excused_reported,
        excused_failed=excused_failed,
    )


def judge(gate: RolloutGate, seen: Tally, *, ended: Literal["", "passed", "stopped"] = "") -> Judgement:
    """Apply the gate to one wave: its limit, and its minimum sample. `ended`: the wave is over, or a gate stopped in it.

    The gate does not wait for offline devices, and devices with a fault of their own say nothing, so the minimum sample is
    lowered to the others, but never to zero while there are candidates: a wave without a report proves nothing.
    """
    counted = results(seen.failed, seen.reported, seen.accepted)
    failed, reported = counted.failed, counted.reported
    candidates = max(0, seen.candidates - seen.excused_reported)
    able = candidates - seen.unjudged
    accepted = seen.excused_reported and not seen.unreachable  # with nothing more to come, what an operator accepted is enough
    needed = min(gate.reported_min, max(0 if accepted else 1, able - seen.unreachable), candidates)
    breach = _breach(gate, failed, reported, needed, able)
    percent = 100.0 * failed / reported if reported else 0.0
    limit = gate.error_percent_max

    def answer(verdict: GateVerdict, text: str) -> Judgement:
        following = _following(gate, verdict, Tally(able, reported, failed), needed)
        return Judgement(verdict, failed, reported, needed, round(percent, 2), text, following)

    share = f"{failed} of {reported} reported devices failed ({percent:.3g} %)"
    if not reported:
        share = "no results" if candidates else "no further devices" if seen.excused_reported else "no devices to update"
    unjudged = f"{seen.unjudged} ended without a result: {WITHOUT_RESULT}" if seen.unjudged else ""
    if unjudged:
        share += f"; {unjudged}"
    without = not_counting(seen.accepted)
    share += without
    decided = "decided by the sequential test over the whole rollout"
    bound = f"limit {limit:g} %" if gate.test != "sequential" else decided
    if breach == "of reported":
        return answer(GateVerdict.BREACHED, f"{share}; {bound}")
    if breach == "of all":
        return answer(
            GateVerdict.BREACHED,
            f"{failed} failed: above the limit of {limit:g} % even if the other {able - failed} of {able} succeed{without}",
        )
    if ended == "stopped" and gate.test != "threshold" and reported >= needed:
        return answer(GateVerdict.BREACHED, share)
    if gate.test == "both" and percent > limit:
        bound = f"over the limit of {limit:g} %: later devices start in small steps until the sequential test decides"
    if ended == "passed":
        return answer(GateVerdict.PASSED, f"{share}; {bound}")
    if reported < needed:
        text = f"waiting for {needed} reports, {reported} received; {failed} failed{without}"
        return answer(GateVerdict.WAITING, f"{text}; {unjudged}" if unjudged else text)
    return answer(GateVerdict.HOLDING, f"{share}; {bound}")


def _breach(gate: RolloutGate, failed: int, reported: int, needed: int, able: int) -> Literal["", "of reported", "of all"]:
    """Whether the limit stops the wave. `able`: devices of the wave that have a result or still can."""
    if gate.test != "threshold" or not failed:
        return ""
    if reported >= needed and failed * 100.0 > gate.error_percent_max * reported:
        return "of reported"
    return "of all" if failed * 100.0 > gate.error_percent_max * able else ""


def _following(gate: RolloutGate, verdict: GateVerdict, seen: Tally, needed: int) -> str:
    """The next decision of the gate, as a sentence. `seen`: without the excused devices and those without a result."""
    limit, left = gate.error_percent_max, seen.candidates - seen.reported
    if verdict is GateVerdict.PASSED:
        return "The wave passed its gate."
    if verdict is GateVerdict.BREACHED:
        return "The rollout is stopped until an operator resumes, aborts or rolls back."
    if left <= 0:
        return "All devices of the wave have reported."
    if gate.test == "sequential":
        return "The sequential test over all waves decides."
    if gate.test == "both":
        return f"The sequential test over all waves decides. {_small_steps(gate)}."

    def stops(more: int) -> bool:
        return bool(_breach(gate, seen.failed + more, seen.reported + more, needed, seen.candidates))

    more = 1 + bisect_left(range(1, left + 1), True, key=stops)
    missing = needed - seen.reported
    plural = "s" if missing > 1 else ""
    first = f"{missing} more result{plural} needed for a decision." if missing > 0 else "Every new result is evaluated."
    if more > left:
        return f"{first} Even if all remaining devices fail, the rate stays within {limit:g} %."
    return f"{first} {'The next failure stops' if more == 1 else f'{more} more consecutive failures stop'} the rollout."


def rules(gate: RolloutGate) -> list[str]:
    """The rule of a gate in sentences: what stops the rollout, what slows it down, and what counts as a failure."""
    limit, odds = f"{gate.error_percent_max:g} %", 100.0 - gate.confidence_percent
    sentences: list[str] = []
    if gate.test == "threshold":
        from_first = (
            f"A wave stops the rollout if more than {limit} of its reported devices failed, from {gate.reported_min} results on"
        )
        sentences.append(f"{from_first}, or if it can no longer stay within that limit.")
    else:
        shows = f"once it shows that more than {gate.tolerated:g} % of devices fail, overall or of one profile"
        good = f"It stops fewer than {odds:.3g} of 100 versions that fail on no more than that"
        sentences.append(f"A sequential test over all waves stops the rollout {shows}. {good}.")
    if gate.test == "both":
        sentences.append(f"{_small_steps(gate)} until the test has decided.")
        sentences.append(f"Waves after the first start in steps until the version works on {PROOF} devices.")
    if gate.error_percent_max < 100.0:
        sentences.append("A rollout in which every device that tried the version failed does not complete.")
    return [
        *sentences,
        *(["A device counts only if its model analyzed frames in the trial."] if gate.frames_required else []),
        "A wave without a result does not pass.",
        "Only failures that speak against the version count; faults of device, transfer and set-up are shown.",
        f"A device that is offline for {gate.offline_s:g} s after it took the update counts as failed.",
        "A stopped rollout waits for an operator; updated devices are not rolled back automatically.",
    ]


def _small_steps(gate: RolloutGate) -> str:
    return f"While more than {gate.error_percent_max:g} % of all results are failures, later devices start in small steps"


def sequential_strength(gate: RolloutGate, seen: Evidence) -> SequentialStrength | None:
    """The strength of the evidence over the whole rollout, or over its first waves if that is enough; None if only the limit
    counts or no device has started."""
    if gate.test == "threshold" or not overall(seen.streams).tried:
        return None
    found = [weigh(streams, gate.tolerated / 100.0, gate.alpha, seen.devices) for streams in seen.prefixes]
    shown = next((each for each in found if each.enough), found[-1])
    return replace(shown, failures_to_stop=min((n for each in found if (n := each.failures_to_stop) is not None), default=None))


def judge_sequential(gate: RolloutGate, seen: Evidence) -> str:
    """The evidence against the version over the whole rollout, by profile, as one sentence; empty while it is not enough."""
    if gate.test == "threshold" or not overall(seen.streams).failed:
        return ""
    for streams in seen.prefixes:
        found = find(streams, gate.tolerated / 100.0, gate.alpha, seen.devices)
        if found is not None:
            waves = "over all waves" if streams == seen.streams else "over the first waves"
            return _sentence(gate, found, waves) + not_counting(seen.accepted)
    return ""


def _sentence(gate: RolloutGate, found: SequentialFinding, waves: str) -> str:
    where = f"profile {found.profile!r}: " if found.profile else ""
    return (
        f"{waves}, {where}{found.failed} of {found.tried} started devices failed, above the tolerated failure rate of"
        f" {gate.tolerated:g} % (confidence level {gate.confidence_percent:g} %)"
    )


def is_over_limit(gate: RolloutGate, seen: Evidence) -> bool:
    """Whether more than the limit of all devices that have reported failed."""
    return seen.ended.failed * 100.0 > gate.error_percent_max * seen.ended.tried


def step(gate: RolloutGate, seen: Evidence, *, first: bool) -> int | None:
    """The number of devices that may be on their way at once (`both`); None = no limit. `first`: of the first wave."""
    if gate.test != "both":
        return None
    if is_over_limit(gate, seen):
        deciding = failures_of_next(seen.ended, gate.tolerated / 100.0, gate.alpha, seen.devices, len(seen.streams))
        return max(deciding, math.ceil(seen.ended.tried / STEP_SHARE))
    return max(1, seen.proven) if not first and seen.proven < PROOF else None
