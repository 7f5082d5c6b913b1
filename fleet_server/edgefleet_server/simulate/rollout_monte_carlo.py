"""Monte Carlo simulation of rollouts in virtual time: effect of stop rules on bad and good versions. Pure: seed in, outcome out.

A campaign is a fleet, a version with a fault, and a rule that decides which devices are offered the version and when to stop.
Of a device, only the events that a rule can see are simulated: it starts, succeeds, fails, or is missed. The rules of other
systems follow their documentation and code (sources: eclipse-hawkbit `ThresholdRolloutGroup*Condition`; AWS IoT developer guide
"Job configurations", `AbortCriteria`, `IoTJobExponentialRolloutRate`); the rules of this project use the engine's own gates.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from edgefleet_server.domain.rollout.gates import Evidence, GateVerdict, RolloutGate, Tally, judge, judge_sequential, step
from edgefleet_server.domain.rollout.templates import TEMPLATES, Template
from edgefleet_server.domain.statistics.sequential_test import TrialCounts

WAVE_SHARES: Final = (0.01, 0.10, 0.40)
"""Shares of the waves: a canary, a tenth, four tenths; then the rest."""
PROFILES: Final = {"cpu-x86": 0.6, "coral-usb": 0.3, "jetson-orin": 0.1}
BEGIN_S, FETCH_S, TRIAL_S, LATE_S = 30.0, 60.0, 120.0, 3600.0
OFFLINE_S: Final = 300.0
AWS_TIMER_S: Final = 1800.0
AWAY_SHARE: Final = 0.05

Kind = Literal["begin", "good", "fail", "missed", "late"]


@dataclass(frozen=True, slots=True)
class Fault:
    """`rate`: share of the devices (of the profile) that fail; `how`: in the trial, by going offline, or an hour after the
    commit."""

    name: str
    rate: float
    how: Literal["trial", "offline", "late"] = "trial"
    profile: str = ""


FAULTS: Final = (
    Fault("good: 0.2 % fail for other reasons", 0.002),
    Fault("good: 0.5 % fail for other reasons", 0.005),
    Fault("bad: 2 % fail", 0.02),
    Fault("bad: 10 % fail", 0.10),
    Fault("bad: 50 % fail", 0.50),
    Fault("bad on one profile: half of jetson-orin fail", 0.50, profile="jetson-orin"),
    Fault("bad after an hour: 50 % fail", 0.50, "late"),
    Fault("bad by going offline: 50 % vanish", 0.50, "offline"),
)


@dataclass(slots=True)
class Seen:
    """Facts for a stop rule. Counters by wave (`away`: offline devices); `streams`: of each wave by profile, failed and started
    devices."""

    now: float
    total: list[int]
    away: Counter[int]
    started: Counter[int]
    good: Counter[int]
    failed: Counter[int]
    missed: Counter[int]
    streams: list[dict[str, TrialCounts]]


class StopRule(Protocol):
    """The rollout rule of a system: waves, offers, stop and progress."""

    @property
    def name(self) -> str:
        """The name in the table."""
        ...

    def waves(self, devices: int) -> list[int]:
        """Sizes of the waves; one wave if the rule only limits the rate."""
        ...

    def offered_at(self, number: int, wave_at: float) -> float:
        """The time at which device `number` of a wave that starts at `wave_at` is offered the version."""
        ...

    def stops(self, seen: Seen, wave: int) -> bool:
        """Whether to stop, after an event in `wave`."""
        ...

    def passes(self, seen: Seen, wave: int, reachable: int) -> float | None:
        """Seconds until the next wave starts, or None while this one is not over."""
        ...

    def room(self, seen: Seen, wave: int) -> int | None:
        """The number of devices of `wave` that may be on their way at once; None = all."""
        ...


def _sizes(devices: int, shares: Sequence[float] = WAVE_SHARES) -> list[int]:
    sizes = [max(1, round(devices * share)) for share in shares]
    return [*sizes, devices - sum(sizes)]


@dataclass(frozen=True, slots=True)
class Ours:
    """The engine's gates."""

    name: str
    gate: RolloutGate
    shares: tuple[float, ...] = WAVE_SHARES

    def waves(self, devices: int) -> list[int]:
        """Waves of `WAVE_SHARES`, starting with a canary."""
        return _sizes(devices, self.shares)

    def offered_at(self, number: int, wave_at: float) -> float:  # noqa: ARG002 (all of a wave at once)
        """`wave_at`: all devices of a wave at once."""
        return wave_at

    def stops(self, seen: Seen, wave: int) -> bool:
        """Apply the limit of a wave and the sequential test over all waves. Devices that went offline after the offer count as
        failed."""
        failed = seen.failed[wave] + seen.missed[wave]
        tally = Tally(seen.total[wave], seen.good[wave] + failed, failed, seen.away[wave])
        return judge(self.gate, tally).verdict is GateVerdict.BREACHED or bool(judge_sequential(self.gate, _evidence(seen)))

    def passes(self, seen: Seen, wave: int, reachable: int) -> float | None:
        """The soak time once every reachable device has ended; None before."""
        ended = seen.good[wave] + seen.failed[wave] + seen.missed[wave]
        return self.gate.soak_s if ended >= reachable else None

    def room(self, seen: Seen, wave: int) -> int | None:
        """The step of the engine."""
        return step(self.gate, _evidence(seen), first=wave == 0)


def _evidence(seen: Seen) -> Evidence:
    reported = seen.good.total() + seen.failed.total() + seen.missed.total()
    tried = sum(counts.tried for wave in seen.streams for counts in wave.values())
    return Evidence(seen.streams, sum(seen.total), tried - reported, seen.good.total())


@dataclass(frozen=True, slots=True)
class HawkBit:
    """Groups: success when finished / total >= p, error when error / total > p; total = the whole group, online or not."""

    name: str = "hawkBit: error > 10 %, success >= 90 % of the group"
    error_percent: float = 10.0
    success_percent: float = 90.0

    def waves(self, devices: int) -> list[int]:
        """The same groups as the waves of `Ours`."""
        return _sizes(devices)

    def offered_at(self, number: int, wave_at: float) -> float:  # noqa: ARG002 (all of a group at once)
        """`wave_at`: all devices of a group at once."""
        return wave_at

    def stops(self, seen: Seen, wave: int) -> bool:
        """Compare failures with the limit; devices that went offline are not counted."""
        return 100.0 * seen.failed[wave] > self.error_percent * seen.total[wave]

    def passes(self, seen: Seen, wave: int, reachable: int) -> float | None:
        """2 s once enough devices have succeeded, or all actions have ended (those of offline devices never end); None before."""
        over = seen.good[wave] + seen.failed[wave] >= seen.total[wave]
        del reachable
        return 2.0 if over or 100.0 * seen.good[wave] >= self.success_percent * seen.total[wave] else None

    def room(self, seen: Seen, wave: int) -> int | None:  # noqa: ARG002 (no steps)
        """None: no steps."""
        return None


@dataclass(frozen=True, slots=True)
class Aws:
    """A ramp of offers, and an abort when failed / executed >= p with a minimum of executed things; timers end the executions of
    missing things."""

    name: str = "AWS IoT Jobs: >= 10 % of at least 10 executed, 50/min doubling"
    abort_percent: float = 10.0
    executed_min: int = 10
    base_per_minute: float = 50.0
    factor: float = 2.0
    increase_every: int = 200

    def waves(self, devices: int) -> list[int]:
        """One wave of all devices."""
        return [devices]

    def offered_at(self, number: int, wave_at: float) -> float:
        """Exponential rate, increased by the number of notified things."""
        at, rate = wave_at, self.base_per_minute / 60.0
        while number > self.increase_every:
            at += self.increase_every / rate
            number -= self.increase_every
            rate = min(1000.0 / 60.0, rate * self.factor)
        return at + number / rate

    def stops(self, seen: Seen, wave: int) -> bool:
        """Compare FAILED and TIMED_OUT with all executions that have ended."""
        failed = seen.failed[wave] + seen.missed[wave]
        executed = failed + seen.good[wave]
        return executed >= self.executed_min and failed > 0 and 100.0 * failed >= self.abort_percent * executed

    def passes(self, seen: Seen, wave: int, reachable: int) -> float | None:  # noqa: ARG002 (there is no next wave)
        """None: there is no next wave."""
        return None

    def room(self, seen: Seen, wave: int) -> int | None:  # noqa: ARG002 (no steps)
        """None: no steps."""
        return None


def _ours(name: str, template: Template) -> Ours:
    return Ours(name, template.gate, tuple(wave.percent / 100.0 for wave in template.waves if wave.percent is not None))


RULES: Final[tuple[StopRule, ...]] = (
    _ours("edgefleet, template careful: both, > 5 % and > 0.5 % at 99 %, five waves, an hour's soak", TEMPLATES["careful"]),
    Ours("edgefleet, as the wizard proposes: both, > 5 % and > 1 % at 99 %", RolloutGate(5.0, 3, OFFLINE_S, 60.0, "both", 1.0)),
    Ours("edgefleet, sequential: > 0.5 % at 99 %", RolloutGate(0.5, 1, OFFLINE_S, 60.0, "sequential")),
    Ours("edgefleet, limit: > 10 % of at least 3", RolloutGate(10.0, 3, OFFLINE_S, 60.0, "threshold")),
    HawkBit(),
    Aws(),
)


@dataclass(frozen=True, slots=True)
class CampaignOutcome:
    """`began`: devices that had started the update when the campaign ended; `harmed`: those of them on which the version
    fails."""

    stopped: bool
    began: int
    harmed: int
    seconds: float


def simulate(rule: StopRule, fault: Fault, devices: int, seed: int) -> CampaignOutcome:
    """Simulate one campaign. With the same seed, every rule gets the same devices and random events."""
    return _Campaign(rule, fault, devices, seed).run()


class _Campaign:
    """One campaign; wave by wave, its devices wait in `_queue` until they are offered the version."""

    def __init__(self, rule: StopRule, fault: Fault, devices: int, seed: int) -> None:
        chance = random.Random(f"{seed}:{fault.name}")  # noqa: S311 (repeatable on purpose)
        self._rule = rule
        self._profiles = chance.choices(list(PROFILES), list(PROFILES.values()), k=devices)
        self._lives = [_life(chance, fault, profile) for profile in self._profiles]
        self._sizes = rule.waves(devices)
        self._wave_of = [index for index, size in enumerate(self._sizes) for _ in range(size)]
        self._reachable = Counter(wave for wave, life in zip(self._wave_of, self._lives, strict=True) if life)
        streams = [{profile: TrialCounts(0, 0) for profile in PROFILES} for _ in self._sizes]
        away = Counter({wave: size - self._reachable[wave] for wave, size in enumerate(self._sizes)})
        self._seen = Seen(0.0, self._sizes, away, Counter(), Counter(), Counter(), Counter(), streams)
        self._events: list[tuple[float, int, Kind]] = []
        self._queue: deque[tuple[float, int]] = deque()
        self._active, self._under_way = 0, 0
        self._following_at = math.inf
        self._began = self._harmed = 0

    def run(self) -> CampaignOutcome:
        self._begin_wave(0, 0.0)
        while self._events or self._following_at < math.inf:
            if not self._events or self._events[0][0] > self._following_at:
                at, self._following_at = self._following_at, math.inf
                self._begin_wave(self._active + 1, at)
                continue
            self._seen.now, device, kind = heapq.heappop(self._events)
            if self._happens(device, kind):
                return CampaignOutcome(True, self._began, self._harmed, self._seen.now)
        return CampaignOutcome(False, self._began, self._harmed, self._seen.now)

    def _begin_wave(self, wave: int, at: float) -> None:
        self._active = wave
        start = sum(self._sizes[:wave])
        for number in range(self._sizes[wave]):
            if self._lives[start + number]:
                self._queue.append((self._rule.offered_at(number, at), start + number))
        self._offer(at)

    def _offer(self, now: float) -> None:
        """Offer the version to as many waiting devices as the rule lets start."""
        room = self._rule.room(self._seen, self._active) if self._queue else None
        while self._queue and (room is None or self._under_way < room):
            offered_at, device = self._queue.popleft()
            self._under_way += 1
            for after_s, kind in self._lives[device]:
                heapq.heappush(self._events, (max(now, offered_at) + after_s, device, kind))

    def _happens(self, device: int, kind: Kind) -> bool:
        """An event of a device; returns whether it stops the campaign."""
        rule, seen, wave, profile = self._rule, self._seen, self._wave_of[device], self._profiles[device]
        if kind == "missed" and not _sees_missed(rule):
            self._harmed += 1
            return False
        before = seen.streams[wave][profile]
        if kind == "begin":
            self._began += 1
            seen.started[wave] += 1
            seen.streams[wave][profile] = TrialCounts(before.failed, before.tried + 1)
            return False
        self._under_way -= kind != "late"
        {"good": seen.good, "missed": seen.missed}.get(kind, seen.failed)[wave] += 1 if kind != "late" or _sees_late(rule) else 0
        if kind != "good":
            self._harmed += 1
            if kind == "late" and not _sees_late(rule):
                return False
            if kind == "late":
                seen.good[wave] -= 1
            seen.streams[wave][profile] = TrialCounts(before.failed + 1, before.tried)
            if rule.stops(seen, wave):
                return True
        self._offer(seen.now)
        if wave == self._active and wave + 1 < len(self._sizes) and self._following_at == math.inf:
            wait_s = rule.passes(seen, wave, self._reachable[wave])
            if wait_s is not None:
                self._following_at = seen.now + wait_s
        return False


def _life(chance: random.Random, fault: Fault, profile: str) -> list[tuple[float, Kind]]:
    """Events of a device after its offer; none while it is offline."""
    away, fails = chance.random() < AWAY_SHARE, chance.random() < fault.rate
    start_s = chance.uniform(0.0, BEGIN_S)
    trial_at = start_s + FETCH_S * chance.lognormvariate(0.0, 0.5)
    ends_at, breaks_at = trial_at + TRIAL_S, trial_at + chance.uniform(0.0, TRIAL_S)
    if away:
        return []
    begin: tuple[float, Kind] = (start_s, "begin")
    if not fails or (fault.profile and profile != fault.profile):
        return [begin, (ends_at, "good")]
    if fault.how == "trial":
        return [begin, (breaks_at, "fail")]
    if fault.how == "late":
        return [begin, (ends_at, "good"), (ends_at + LATE_S, "late")]
    return [begin, (breaks_at + OFFLINE_S, "missed")]


def _sees_missed(rule: StopRule) -> bool:
    """Whether a rule counts devices that do not answer: hawkBit waits for them without limit, the others have a timeout."""
    return not isinstance(rule, HawkBit)


def _sees_late(rule: StopRule) -> bool:
    """Whether a rule counts failures after a reported success: only this project's engine does; elsewhere an ended action is
    final."""
    return isinstance(rule, Ours)


@dataclass(frozen=True, slots=True)
class Row:
    """Results of many campaigns of one rule with one fault. Devices at the median and at the 95th percentile of all campaigns."""

    rule: str
    fault: str
    campaigns: int
    stopped_percent: float
    began_p50: int
    began_p95: int
    harmed_p50: int


def table(devices: int, seeds: int, faults: tuple[Fault, ...] = FAULTS, rules: tuple[StopRule, ...] = RULES) -> Iterator[Row]:
    """Simulate every rule with every fault."""
    for fault in faults:
        for rule in rules:
            yield _row(rule, fault, [simulate(rule, fault, devices, seed) for seed in range(seeds)])


def _row(rule: StopRule, fault: Fault, outcomes: list[CampaignOutcome]) -> Row:
    stopped = [outcome for outcome in outcomes if outcome.stopped]
    began = sorted(outcome.began for outcome in outcomes)
    harmed = sorted(outcome.harmed for outcome in outcomes)
    return Row(
        rule.name,
        fault.name,
        len(outcomes),
        round(100.0 * len(stopped) / len(outcomes), 2),
        began[len(began) // 2],
        began[int(len(began) * 0.95)],
        harmed[len(harmed) // 2],
    )
