"""The rollout engine: `decide(rollout, facts, now)` returns the next decisions. Pure; `jobs.rollout_engine` carries them out.

    running       observe devices; a breached gate pauses; a wave runs, soaks, passes; then the next one begins. A wave over the
                  limit, on which the test has not decided, goes on with devices of the next one; where one of the two is by
                  labels, the rollout pauses instead
    paused        observe devices, nothing else: no offer, no progress
    (in both, and completed: of a wave that an operator skipped, withdraw everything that is not on trial yet)
    completed     returning devices and late joiners are updated; a gate that they breach pauses the rollout
    aborting      withdraw everything that is not on trial yet, wait for the rest
    rolling_back  withdraw everything, wait until the devices that took the version have left it

`decide` applies its rules until none fires, so its result is complete: a second call after its execution returns no decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.outcomes import CountedResults, Outcome, not_counting
from edgefleet_server.domain.rollout.attempts import observe, returned
from edgefleet_server.domain.rollout.decisions import Decision, Move, Retry, RolloutTo, WaveTo, Withdraw, apply
from edgefleet_server.domain.rollout.facts import (
    Attempt,
    Facts,
    Rollout,
    Wave,
    evidence_of,
    fact_of,
    is_in_progress,
    is_unreachable,
    started_waves,
    tally_of,
)
from edgefleet_server.domain.rollout.gates import Evidence, GateVerdict, RolloutGate, judge, judge_sequential
from edgefleet_server.domain.rollout.offers import draws, lender, offers, stagings
from edgefleet_server.domain.rollout.waves import empty_text, not_drawn
from edgefleet_server.domain.states import (
    BREAKS_BUNDLE,
    FAILED,
    HAS_VERSION,
    WAVE_ACTIVE,
    WAVE_SKIPPED,
    WAVE_STARTED,
    WAVE_TIMEOUT,
    WITHDRAWN,
    AttemptState,
    RolloutState,
    WaveState,
)

_SKIPS: Final = frozenset({RolloutState.RUNNING, RolloutState.PAUSED, RolloutState.COMPLETED})
_BEFORE_FETCHED: Final = frozenset({AttemptState.OFFERED, AttemptState.ACCEPTED, AttemptState.FETCHING})
ROUNDS_MAX: Final = 1000
"""More than any plan needs (20 waves, a few rounds each): an endless loop is a bug and raises an error."""


def decide(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """All decisions that are due now, in order of execution."""
    decided: list[Decision] = []
    for _ in range(ROUNDS_MAX):
        step = _step(rollout, facts, now)
        if not step:
            return decided
        rollout = apply(rollout, step, now)
        decided += step
    raise AssertionError(f"rollout {rollout.id}: no end of decisions after {ROUNDS_MAX} rounds")


def _step(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    observed = _observed(rollout, facts, now)
    if observed:
        return observed
    if rollout.atomic:
        apart = [Withdraw(one.id) for one in rollout.attempts.values() if one.held and one.state in BREAKS_BUNDLE]
        if apart:
            return apart
    if rollout.state in _SKIPS:
        skipped = _skipped(rollout)
        if skipped:
            return skipped
    if rollout.state is RolloutState.RUNNING:
        return _under_gates(rollout, facts, now) or _progress(rollout, facts, now)
    if rollout.state is RolloutState.COMPLETED:
        return _under_gates(rollout, facts, now) or _start_late_joiners(rollout)
    if rollout.state is RolloutState.ABORTING:
        return _abort(rollout, facts, now)
    if rollout.state is RolloutState.ROLLING_BACK:
        return _roll_back(rollout, facts, now)
    return ()


def _observed(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    watching = rollout.state in (RolloutState.RUNNING, RolloutState.PAUSED)
    watched = {wave.index for wave in rollout.waves if watching and wave.state in WAVE_ACTIVE}
    moves: list[Decision] = []
    for attempt in rollout.attempts.values():
        if attempt.state is AttemptState.QUEUED:
            continue
        move = observe(
            attempt,
            fact_of(facts, attempt.device),
            rollout.digest,
            rollout.gate,
            watched=attempt.wave in watched,
            now=now,
        )
        if move is not None:
            moves.append(_again(rollout, attempt, move, now) or move)
    return moves


def _again(rollout: Rollout, attempt: Attempt, move: Move, now: float) -> Retry | None:
    """The retry of an attempt whose failure does not concern the version, while the rollout is at work; else None."""
    at_work_states = (RolloutState.RUNNING, RolloutState.PAUSED, RolloutState.COMPLETED)
    if rollout.state not in at_work_states or not rollout.terms.tries_again(move.state, move.reason, attempt.number):
        return None
    pause_s = rollout.terms.retry.pause_s(attempt.number)
    failure = move.detail or move.reason.replace("_", " ")
    return Retry(move, now + pause_s, f"attempt {attempt.number} of {rollout.terms.retry.tries_max} failed: {failure}"[:300])


# -- running


def _under_gates(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    return (
        _breach(rollout, facts, now)
        or _overdue(rollout, facts, now)
        or offers(rollout, facts, now)
        or stagings(rollout, facts, now)
    )


def _overdue(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Time out devices that were offered the version, are online or busy with it, and have not ended in time."""
    late: list[Decision] = []
    for wave in rollout.waves:
        if wave.state not in WAVE_STARTED | {WaveState.SKIPPED}:
            continue
        for attempt in rollout.of_wave(wave.index):
            if not attempt.open or attempt.state is AttemptState.QUEUED or attempt.staging:
                continue
            if now - max(wave.started_at, attempt.offered_at) < rollout.wave_timeout_s:
                continue
            if is_in_progress(attempt) or fact_of(facts, attempt.device).offline_since_at is None:
                fetched = attempt.state not in _BEFORE_FETCHED
                text = f"not {'finished' if fetched else 'fetched'} after {rollout.wave_timeout_s:g} s"
                reason = WAVE_TIMEOUT if fetched else Reason.FETCH_TIMEOUT.value
                late.append(Move(attempt.id, AttemptState.TIMED_OUT, reason, text))
    return late


def _start_late_joiners(rollout: Rollout) -> list[Decision]:
    waiting = [wave for wave in rollout.waves if wave.late_joiners and wave.state is WaveState.PENDING]
    return [WaveTo(wave.index, WaveState.RUNNING) for wave in waiting]


def _breach(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Pause at a breached limit, of the active wave or of an earlier one whose late devices failed, or by the sequential test."""
    for wave in started_waves(rollout):
        judgement = judge(rollout.gate, tally_of(rollout, wave, facts, now))
        if judgement.verdict is GateVerdict.BREACHED:
            return _stop(wave, f"gate of wave {wave.name!r}: {judgement.text}")
    active = rollout.active_wave
    waits = any(attempt.open for attempt in rollout.attempts.values()) or any(wave.waiting for wave in rollout.waves)
    if active and not waits and (none_works := _why_none_works(rollout)):
        return _stop(active, f"gate of wave {active.name!r}: {none_works}")
    against = judge_sequential(rollout.gate, evidence_of(rollout))
    if not against:
        return []
    return _stop(active, f"gate of wave {active.name!r}: {against}") if active else [RolloutTo(RolloutState.PAUSED, against)]


def _stop(wave: Wave, text: str) -> list[Decision]:
    failed: list[Decision] = [WaveTo(wave.index, WaveState.FAILED, text)] if wave.state in WAVE_ACTIVE else []
    return [*failed, RolloutTo(RolloutState.PAUSED, text)]


def _progress(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    wave = rollout.active_wave
    if wave is None:
        following = rollout.next_wave
        if following is None:
            return [RolloutTo(RolloutState.COMPLETED, _completion_reason(rollout, facts))]
        if following.needs_approval or not rollout.is_loaded(following):
            return ()
        return [WaveTo(following.index, WaveState.RUNNING)]
    if not wave.total:
        return [WaveTo(wave.index, WaveState.PASSED, empty_text(by_labels=wave.by_labels))]
    if wave.state is WaveState.RUNNING:
        return _run(rollout, wave, facts, now)
    return _soak(rollout, wave, facts, now)


def _run(rollout: Rollout, wave: Wave, facts: Facts, now: float) -> list[Decision]:
    waits = any(
        attempt.open and not is_unreachable(rollout, wave, attempt, facts, now) for attempt in rollout.of_wave(wave.index)
    )
    if waits:
        return []
    seen = tally_of(rollout, wave, facts, now)
    if seen.unreachable and not seen.reported and now - wave.started_at < rollout.wave_timeout_s:
        return []  # all devices are offline, so there is no result yet: wait for the first one or for the time limit
    return [WaveTo(wave.index, WaveState.SOAKING)]


def _soak(rollout: Rollout, wave: Wave, facts: Facts, now: float) -> list[Decision]:
    last_at = max((attempt.finished_at for attempt in rollout.of_wave(wave.index)), default=wave.settled_at)
    if now < max(wave.soaking_at, last_at, wave.settled_at) + rollout.gate.soak_s:
        return []
    if now - wave.started_at < rollout.wave_timeout_s and any(map(is_in_progress, rollout.of_wave(wave.index))):
        return []  # a device that was offline is back and busy: its result belongs to this wave
    away = [
        attempt
        for attempt in rollout.of_wave(wave.index)
        if attempt.state is AttemptState.COMMITTED and fact_of(facts, attempt.device).offline_since_at is not None
    ]
    if away:
        return []  # each of them either returns or counts as failed after `offline_s`
    judgement = judge(rollout.gate, tally_of(rollout, wave, facts, now))
    if judgement.verdict is GateVerdict.WAITING:
        return _stop(wave, f"wave {wave.name!r} ended with too few reports: {judgement.text}")
    if none_works := _why_none_works(rollout):
        return _stop(wave, f"gate of wave {wave.name!r}: {none_works}")
    evidence = evidence_of(rollout)
    following = lender(rollout, evidence)
    if following is not None and (wave.by_labels or following.by_labels):
        over = _over(rollout.gate, evidence.ended.failed, evidence.ended.tried, evidence.accepted)
        return _stop(wave, f"gate of wave {wave.name!r}: {over}; {not_drawn(following.name)}")
    if following is not None and following.waiting:
        return []  # the devices of the next wave are not loaded before the next turn
    if following is not None and (drawn := draws(rollout, wave, following, evidence, facts, now)):
        return [*drawn, WaveTo(wave.index, WaveState.RUNNING, _why_drawn(rollout.gate, evidence, len(drawn)))]
    return [WaveTo(wave.index, WaveState.PASSED, judgement.text)]


def _why_drawn(gate: RolloutGate, evidence: Evidence, drawn: int) -> str:
    more = f"{drawn} more device{'s' if drawn > 1 else ''} of the next wave"
    return f"with {more}, because {_over(gate, evidence.ended.failed, evidence.ended.tried, evidence.accepted)}"


def _over(gate: RolloutGate, failed: int, of: int, accepted: CountedResults) -> str:
    counted = f"{failed} of {of} devices failed{not_counting(accepted)}"
    return f"{counted}, over the limit of {gate.error_percent_max:g} %: too few to decide"


def _why_none_works(rollout: Rollout) -> str:
    """A sentence if no wave is left and every device that tried the version failed; else empty."""
    seen = rollout.results
    if rollout.gate.error_percent_max >= 100.0 or any(wave.total and wave.state is WaveState.PENDING for wave in rollout.waves):
        return ""
    if not 0 < seen.failed == seen.reported:
        return ""
    return f"every device that tried the version failed ({seen.failed}){not_counting(rollout.accepted)}"


def _completion_reason(rollout: Rollout, facts: Facts) -> str:
    seen, limit = rollout.results, rollout.gate.error_percent_max
    left = [attempt for attempt in rollout.attempts.values() if attempt.open]
    there = sum(fact_of(facts, attempt.device).offline_since_at is None for attempt in left)
    waiting = len(left) - there + sum(wave.waiting for wave in rollout.waves)
    counts: Counter[Outcome] = sum((rollout.counts(wave) for wave in rollout.waves), Counter())
    incompatible, superseded = counts[Outcome.INCOMPATIBLE], counts[Outcome.SUPERSEDED]
    faulted, unproven = counts[Outcome.FAULTED], counts[Outcome.UNPROVEN]
    parts = []
    if rollout.gate.test == "both" and seen.failed * 100.0 > limit * seen.reported:
        parts.append(_over(rollout.gate, seen.failed, seen.reported, rollout.accepted))
    if waiting:
        parts.append(f"{waiting} device{'s' if waiting > 1 else ''} offline; updated when back online")
    if there:
        parts.append(f"{there} online device{'s' if there > 1 else ''} not updated yet")
    if incompatible:
        parts.append(f"{incompatible} device{'s' if incompatible > 1 else ''} cannot run this version")
    if faulted:
        parts.append(f"{faulted} device{'s' if faulted > 1 else ''} not updated: faults of device, transfer or set-up")
    if unproven:
        parts.append(f"{unproven} device{'s' if unproven > 1 else ''} not tried on frames, which the gate requires")
    if superseded:
        of = f"{superseded} of {sum(wave.total for wave in rollout.waves)} devices"
        parts.append(f"{of} left without this version: a newer rollout took them over")
    return "; ".join(parts)


# -- skipping and stopping


def _skipped(rollout: Rollout) -> list[Decision]:
    """Withdraw the offers of skipped waves: devices keep what they run; those on trial or with the version keep the version."""
    skipped = {wave.index for wave in rollout.waves if wave.state is WaveState.SKIPPED}
    mine = [attempt for attempt in rollout.attempts.values() if attempt.wave in skipped and attempt.open]
    return _withdrawals(mine, WAVE_SKIPPED, "the wave was skipped")


def _withdrawals(attempts: Iterable[Attempt], reason: str = WITHDRAWN, text: str = "the rollout was stopped") -> list[Decision]:
    """Cancel attempts whose devices do not run the new version yet, and point their assignments back."""
    decisions: list[Decision] = []
    for attempt in attempts:
        if attempt.held and attempt.state not in HAS_VERSION | {AttemptState.TRIAL}:
            decisions.append(Withdraw(attempt.id))
        if attempt.open and attempt.state is not AttemptState.TRIAL:
            decisions.append(Move(attempt.id, AttemptState.CANCELLED, reason, text))
    return decisions


def _close_waves(rollout: Rollout) -> list[Decision]:
    closed: list[Decision] = []
    for wave in rollout.waves:
        if wave.state is WaveState.PENDING:
            closed.append(WaveTo(wave.index, WaveState.SKIPPED))
        elif wave.state in WAVE_ACTIVE:
            closed.append(WaveTo(wave.index, WaveState.FAILED, "stopped"))
    return closed


def _abort(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    decisions = _withdrawals(rollout.attempts.values()) + _close_waves(rollout)
    if decisions:
        return decisions
    if any(_still_waited_for(rollout, attempt, facts, now) for attempt in rollout.attempts.values() if attempt.open):
        return ()
    return [*_give_up_trials(rollout), RolloutTo(RolloutState.ABORTED)]


def _roll_back(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    decisions = _withdrawals(rollout.attempts.values()) + _close_waves(rollout)
    leaving: list[Attempt] = []
    for attempt in rollout.attempts.values():
        if attempt.state not in HAS_VERSION | {AttemptState.TRIAL} or not attempt.has_previous:
            continue
        if attempt.held:
            decisions.append(Withdraw(attempt.id))
        move = None if attempt.held else returned(attempt, fact_of(facts, attempt.device), rollout.digest)
        if move is not None:
            decisions.append(move)
        leaving.append(attempt)
    if decisions:
        return decisions
    if any(_still_waited_for(rollout, attempt, facts, now) for attempt in leaving):
        return ()
    return [*_give_up_trials(rollout), RolloutTo(RolloutState.ROLLED_BACK, _stayed(rollout))]


def _still_waited_for(rollout: Rollout, attempt: Attempt, facts: Facts, now: float) -> bool:
    away_s = fact_of(facts, attempt.device).away_s(now, rollout.changed_at)
    return away_s < rollout.gate.offline_s and now - rollout.changed_at < rollout.wave_timeout_s


def _give_up_trials(rollout: Rollout) -> list[Decision]:
    return [
        Move(attempt.id, AttemptState.TIMED_OUT, WAVE_TIMEOUT, "the trial did not end before the rollout stopped")
        for attempt in rollout.attempts.values()
        if attempt.open
    ]


def _stayed(rollout: Rollout) -> str:
    """A sentence about devices that keep the version because they are offline or had none before."""
    staying = sum(attempt.state in FAILED | HAS_VERSION and attempt.held for attempt in rollout.attempts.values())
    waiting = sum(attempt.state in HAS_VERSION and not attempt.held for attempt in rollout.attempts.values())
    parts = [f"{staying} without a previous version keep this one"] if staying else []
    parts += [f"{waiting} offline, rolled back when back online"] if waiting else []
    return "; ".join(parts)
