"""Input of the engine's decisions, read from the database at each turn (`db.assignment.loading`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_server.domain.outcomes import HAS_COMMITTED, REPORTED, CountedResults, Outcome, outcome, results
from edgefleet_server.domain.rollout.gates import Evidence, RolloutGate, Tally, tally
from edgefleet_server.domain.states import (
    OPEN,
    STARTED,
    WAVE_ACTIVE,
    WAVE_STARTED,
    AttemptState,
    RolloutState,
    WaveState,
)
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from edgefleet_server.domain.terms import DEFAULT, RAMP_S, Terms


@dataclass(frozen=True, slots=True)
class SlotFact:
    """A device's report about one slot."""

    phase: SlotPhase
    running_digest: str = ""
    target_digest: str = ""
    attempt: str = ""
    reason: str = "none"
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DeviceFact:
    """The facts about a device that one rollout depends on. `offline_since_at` is None while it is online.

    `answered`: the device has acknowledged the latest document published for it. `newer_rollout`: its slot belongs to a rollout
    that has precedence over this one; `higher_priority_rollout`: its slot belongs to this older rollout at work, which has a
    higher priority (0 = none). `window_opens_at`: time when its maintenance window opens next (0 = now). `window_time`:
    whose time the window has. `excluded_until`: time
    until which it gets no offer. `regressed`: the figures that are worse than before, as text.
    """

    offline_since_at: float | None
    slot: SlotFact | None
    answered: bool = False
    newer_rollout: bool = False
    higher_priority_rollout: int = 0
    window_opens_at: float = 0.0
    window_time: str = "local time of the device"
    excluded_until: float = 0.0
    pinned: str = ""
    regressed: str = ""

    def away_s(self, now: float, since_at: float) -> float:
        """Seconds for which it has been offline, counted from `since_at` at the earliest; 0 while online."""
        return 0.0 if self.offline_since_at is None else max(0.0, now - max(self.offline_since_at, since_at))


UNKNOWN_DEVICE = DeviceFact(offline_since_at=0.0, slot=None)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of one device. `held`: the device's assignment still points at this try. `not_before`: earliest time of its start.
    `staging`: the device fetches and verifies, and waits for its wave."""

    id: str
    device: str
    wave: int
    state: AttemptState = AttemptState.QUEUED
    reason: str = ""
    detail: str = ""
    offered_at: float = 0.0
    finished_at: float = 0.0
    held: bool = False
    profile: str = ""
    has_previous: bool = False
    number: int = 1
    not_before: float = 0.0
    staging: bool = False

    @property
    def open(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in OPEN

    @property
    def outcome(self) -> Outcome:
        """Returns what it counts as."""
        return outcome(self.state, self.reason)


@dataclass(frozen=True, slots=True)
class Wave:
    """A part of the fleet of `total` devices. `settled`: number of attempts that have ended and are not loaded one by one,
    the last of which ended at `settled_at`; `settled_counts`: by profile (each of the wave's), those of them that ended since
    the rollout last started or resumed. `waiting`: number of queued attempts that are not loaded because their devices are
    offline. `needs_approval`: an operator has to approve its start. `late_joiners`: the wave of devices that matched the
    selector only after planning. `by_labels`: its devices have the labels of its plan; none is drawn from it or into it."""

    index: int
    name: str
    state: WaveState = WaveState.PENDING
    total: int = 0
    started_at: float = 0.0
    soaking_at: float = 0.0
    settled: Mapping[Outcome, int] = field(default_factory=dict)
    settled_at: float = 0.0
    settled_counts: Mapping[str, TrialCounts] = field(default_factory=dict)
    excused_reported: int = 0
    excused_failed: int = 0
    waiting: int = 0
    needs_approval: bool = False
    late_joiners: bool = False
    by_labels: bool = False


@dataclass(frozen=True, slots=True)
class Rollout:
    """A rollout as the engine sees it. `attempts`: those whose state may still change; those of a wave that has not started may
    not be loaded yet. `offered_lately`: number of devices that were offered the version within `RAMP_S`, by attempts that are not
    loaded or were replaced. `atomic`: it has several parts, and a device whose try fails rolls back all of them."""

    id: int
    digest: str
    state: RolloutState
    gate: RolloutGate
    waves: tuple[Wave, ...]
    attempts: Mapping[str, Attempt]
    wave_timeout_s: float = 3600.0
    changed_at: float = 0.0
    terms: Terms = DEFAULT
    offered_lately: int = 0
    atomic: bool = False

    @property
    def active_wave(self) -> Wave | None:
        """The wave of the plan that is in progress."""
        return next((wave for wave in self.waves if wave.state in WAVE_ACTIVE and not wave.late_joiners), None)

    @property
    def next_devices(self) -> Wave | None:
        """The first wave of the plan with devices that has not begun, if none up to it waits for an approval."""
        pending = [wave for wave in self.waves if wave.state is WaveState.PENDING and not wave.late_joiners]
        found = next((wave for wave in pending if wave.total), None)
        return None if found is None or any(wave.needs_approval for wave in pending[: pending.index(found) + 1]) else found

    @property
    def next_wave(self) -> Wave | None:
        """The first wave of the plan that has not begun."""
        return next((wave for wave in self.waves if wave.state is WaveState.PENDING and not wave.late_joiners), None)

    def is_loaded(self, wave: Wave) -> bool:
        """Whether every attempt of a wave is known, loaded one by one or counted as settled."""
        return sum(self.counts(wave).values()) + wave.waiting >= wave.total

    def of_wave(self, index: int) -> Iterator[Attempt]:
        """The loaded attempts of one wave."""
        return (attempt for attempt in self.attempts.values() if attempt.wave == index)

    def is_first(self, index: int) -> bool:
        """Whether no wave before this one has devices."""
        return not any(each.index < index and each.total and each.state is not WaveState.SKIPPED for each in self.waves)

    def counts(self, wave: Wave) -> Counter[Outcome]:
        """Attempts of a wave by outcome, settled ones included."""
        counts = Counter(wave.settled)
        counts.update(attempt.outcome for attempt in self.of_wave(wave.index))
        return counts

    @property
    def accepted(self) -> CountedResults:
        """The results that an operator accepted at the last resume."""
        return CountedResults(sum(wave.excused_failed for wave in self.waves), sum(wave.excused_reported for wave in self.waves))

    @property
    def results(self) -> CountedResults:
        """Failed and reported devices of all waves, without those that an operator accepted."""
        found = sum((self.counts(wave) for wave in self.waves), Counter[Outcome]())
        return results(found[Outcome.FAILED], sum(found[ended] for ended in REPORTED), self.accepted)

    def may_begin(self, now: float) -> int | None:
        """The number of devices that may be offered the version now; None = no limit."""
        if self.terms.rate is None:
            return None
        committed = sum(n for wave in self.waves for ended, n in self.counts(wave).items() if ended in HAS_COMMITTED)
        lately = sum(attempt.offered_at > now - RAMP_S for attempt in self.attempts.values())
        return max(0, self.terms.rate.now(committed) - lately - self.offered_lately)


Facts = Mapping[str, DeviceFact]
"""By device id."""


def fact_of(facts: Facts, device: str) -> DeviceFact:
    """The facts about a device; an unknown device counts as offline."""
    return facts.get(device, UNKNOWN_DEVICE)


def is_unreachable(rollout: Rollout, wave: Wave, attempt: Attempt, facts: Facts, now: float) -> bool:
    """Whether the attempt has not started and is not waited for: the device has been offline for `offline_s`, is excluded, or
    belongs to another rollout. It follows later, under the gates."""
    if attempt.state not in (AttemptState.OFFERED, AttemptState.QUEUED):
        return False
    fact = fact_of(facts, attempt.device)
    if attempt.state is AttemptState.QUEUED and (fact.excluded_until > now or fact.higher_priority_rollout):
        return True
    return fact.away_s(now, max(wave.started_at, attempt.offered_at)) >= rollout.gate.offline_s


def tally_of(rollout: Rollout, wave: Wave, facts: Facts, now: float) -> Tally:
    """The input of the gate of a wave."""
    unreachable = sum(is_unreachable(rollout, wave, attempt, facts, now) for attempt in rollout.of_wave(wave.index))
    counts = rollout.counts(wave)
    counts[Outcome.QUEUED] += wave.waiting
    return tally(
        counts,
        unreachable=unreachable + wave.waiting,
        excused_reported=wave.excused_reported,
        excused_failed=wave.excused_failed,
    )


def evidence_of(rollout: Rollout) -> Evidence:
    """The input of the sequential test: all waves that have begun together, since the rollout last began to run. Attempts that
    ended before that were accepted by the operator who resumed it; those without a result are left out. Of waves that have not
    begun, devices only fetch and verify the version: that is no trial of it."""
    counts: defaultdict[int, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    under_test = {wave.index for wave in rollout.waves if wave.state is not WaveState.PENDING}
    in_progress = 0
    for wave in rollout.waves:
        for profile, seen in wave.settled_counts.items():
            counts[wave.index][profile][0] += seen.failed if wave.index in under_test else 0
            counts[wave.index][profile][1] += seen.tried if wave.index in under_test else 0
    for attempt in rollout.attempts.values():
        here = counts[attempt.wave][attempt.profile]
        ended = attempt.outcome in REPORTED and attempt.finished_at >= rollout.changed_at
        if attempt.wave in under_test and (ended or attempt.state in STARTED):
            here[0] += attempt.outcome is Outcome.FAILED
            here[1] += 1
            in_progress += not ended
    proven = sum(n for wave in rollout.waves for ended, n in rollout.counts(wave).items() if ended in REPORTED - {Outcome.FAILED})
    return Evidence(
        [{profile: TrialCounts(*seen) for profile, seen in counts[wave.index].items()} for wave in rollout.waves],
        sum(wave.total for wave in rollout.waves if not wave.late_joiners),
        in_progress,
        proven,
        rollout.accepted,
    )


def started_waves(rollout: Rollout) -> list[Wave]:
    """Waves that have begun, in order."""
    return [wave for wave in rollout.waves if wave.state in WAVE_STARTED]


def is_in_progress(attempt: Attempt) -> bool:
    """Whether the device has accepted the offer and is busy with it."""
    return attempt.state in STARTED
