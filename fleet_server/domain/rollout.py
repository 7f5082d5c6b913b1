"""The engine's mind: `decide(rollout, facts, now)` says what to do next. Pure; the loop carries it out and asks again.

    running       observe devices; a breached gate pauses; a wave runs, soaks, passes; then the next one begins
    paused        observe devices, nothing else: no offer, no progress
    completed     observe stragglers that were offline: they keep their offer and follow when they come back
    aborting      withdraw everything that is not on trial yet, wait for the rest
    rolling_back  withdraw everything, wait until the devices that took the version have left it

`decide` runs its rules until none fires, so its answer is complete: deciding again after carrying it out decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fleet_server.domain.attempts import observe, returned, runs
from fleet_server.domain.decisions import Decision, Move, Offer, RolloutTo, WaveTo, Withdraw, apply
from fleet_server.domain.facts import (
    Attempt,
    Facts,
    Rollout,
    Wave,
    at_work,
    evidence_of,
    fact_of,
    is_unreachable,
    started_waves,
    tally_of,
)
from fleet_server.domain.gates import Verdict, judge, judge_evidence
from fleet_server.domain.states import (
    FAILED,
    WAVE_ACTIVE,
    WAVE_TIMEOUT,
    WITHDRAWN,
    AttemptState,
    RolloutState,
    WaveState,
)

ROUNDS_MAX: Final = 1000
"""More than any plan needs (20 waves, a handful of rounds each): an endless loop is a bug, and said so."""


def decide(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Everything there is to decide now, in order."""
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
    if rollout.state is RolloutState.RUNNING:
        return _breach(rollout, facts, now) or _progress(rollout, facts, now)
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
            offline_s=rollout.gate.offline_s,
            watched=attempt.wave in watched,
            now=now,
        )
        if move is not None:
            moves.append(move)
    return moves


# -- running


def _breach(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Stop where a gate does not hold: that of the active wave, or of an earlier one through its stragglers."""
    for wave in started_waves(rollout):
        judgement = judge(rollout.gate, tally_of(rollout, wave, facts, now))
        if judgement.verdict is Verdict.BREACHED:
            return _stop(wave, f"gate of wave {wave.name!r}: {judgement.text}")
    against = judge_evidence(rollout.gate, evidence_of(rollout))
    if not against:
        return []
    active = rollout.active_wave
    failed: list[Decision] = [WaveTo(active.index, WaveState.FAILED, against)] if active else []
    return [*failed, RolloutTo(RolloutState.PAUSED, against)]


def _stop(wave: Wave, text: str) -> list[Decision]:
    failed: list[Decision] = [WaveTo(wave.index, WaveState.FAILED, text)] if wave.state in WAVE_ACTIVE else []
    return [*failed, RolloutTo(RolloutState.PAUSED, text)]


def _progress(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    wave = rollout.active_wave
    if wave is None:
        following = rollout.next_wave
        if following is None:
            return [RolloutTo(RolloutState.COMPLETED, _farewell(rollout))]
        return [WaveTo(following.index, WaveState.RUNNING)] if rollout.is_loaded(following) else ()
    if wave.state is WaveState.RUNNING:
        return _offers(rollout, wave, facts) or _run(rollout, wave, facts, now)
    return _soak(rollout, wave, facts, now)


def _offers(rollout: Rollout, wave: Wave, facts: Facts) -> list[Decision]:
    decisions: list[Decision] = []
    for attempt in rollout.of_wave(wave.index):
        if attempt.state is not AttemptState.QUEUED:
            continue
        fact = fact_of(facts, attempt.device)
        if fact.newer_rollout:
            decisions.append(Move(attempt.id, AttemptState.SUPERSEDED, "superseded", "a newer rollout took over this device"))
        elif runs(fact.slot, rollout.digest):
            decisions.append(Move(attempt.id, AttemptState.ALREADY_INSTALLED))
        else:
            decisions.append(Offer(attempt.id))
    return decisions


def _run(rollout: Rollout, wave: Wave, facts: Facts, now: float) -> list[Decision]:
    waited_for = [
        attempt
        for attempt in rollout.of_wave(wave.index)
        if attempt.open and not is_unreachable(attempt, facts, rollout.gate.offline_s, now)
    ]
    if now - wave.started_at >= rollout.wave_timeout_s:
        late: list[Decision] = [
            Move(attempt.id, AttemptState.TIMED_OUT, WAVE_TIMEOUT, f"not done after {rollout.wave_timeout_s:g} s")
            for attempt in waited_for
            if at_work(attempt) or fact_of(facts, attempt.device).offline_since_at is None
        ]
        return late or [WaveTo(wave.index, WaveState.SOAKING)]
    if waited_for:
        return []
    seen = tally_of(rollout, wave, facts, now)
    if seen.candidates and not seen.reported:
        return []  # all of it is away: nothing proven yet, so wait for the first one or for the time limit
    return [WaveTo(wave.index, WaveState.SOAKING)]


def _soak(rollout: Rollout, wave: Wave, facts: Facts, now: float) -> list[Decision]:
    last_at = max((attempt.finished_at for attempt in rollout.of_wave(wave.index)), default=wave.settled_at)
    if now < max(wave.soaking_at, last_at, wave.settled_at) + rollout.gate.soak_s:
        return []
    if now - wave.started_at < rollout.wave_timeout_s and any(map(at_work, rollout.of_wave(wave.index))):
        return []  # a device that was away is back and busy: its result belongs to this wave
    away = [
        attempt
        for attempt in rollout.of_wave(wave.index)
        if attempt.state is AttemptState.COMMITTED and fact_of(facts, attempt.device).offline_since_at is not None
    ]
    if away:
        return []  # each either returns or is counted as failed when `offline_s` is over
    judgement = judge(rollout.gate, tally_of(rollout, wave, facts, now))
    if judgement.verdict is Verdict.WAITING:
        return _stop(wave, f"wave {wave.name!r} ended too thin to judge: {judgement.text}")
    return [WaveTo(wave.index, WaveState.PASSED, judgement.text)]


def _farewell(rollout: Rollout) -> str:
    waiting = sum(attempt.open for attempt in rollout.attempts.values())
    if not waiting:
        return ""
    return f"{waiting} device{'s' if waiting > 1 else ''} away; each follows when it comes back"


# -- stopping


def _withdrawals(rollout: Rollout) -> list[Decision]:
    """Cancel what has not begun to run the new version, and let nothing point at it any more."""
    decisions: list[Decision] = []
    for attempt in rollout.attempts.values():
        if attempt.held and attempt.state not in (AttemptState.COMMITTED, AttemptState.TRIAL):
            decisions.append(Withdraw(attempt.id))
        if attempt.open and attempt.state is not AttemptState.TRIAL:
            decisions.append(Move(attempt.id, AttemptState.CANCELLED, WITHDRAWN, "the rollout was stopped"))
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
    decisions = _withdrawals(rollout) + _close_waves(rollout)
    if decisions:
        return decisions
    if any(_still_waited_for(rollout, attempt, facts, now) for attempt in rollout.attempts.values() if attempt.open):
        return ()
    return [*_give_up_trials(rollout), RolloutTo(RolloutState.ABORTED)]


def _roll_back(rollout: Rollout, facts: Facts, now: float) -> Sequence[Decision]:
    decisions = _withdrawals(rollout) + _close_waves(rollout)
    leaving: list[Attempt] = []
    for attempt in rollout.attempts.values():
        if attempt.state not in (AttemptState.COMMITTED, AttemptState.TRIAL) or not attempt.has_previous:
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
        Move(attempt.id, AttemptState.TIMED_OUT, WAVE_TIMEOUT, "its trial did not end while the rollout was being stopped")
        for attempt in rollout.attempts.values()
        if attempt.open
    ]


def _stayed(rollout: Rollout) -> str:
    """Devices that keep the version, because they are away or had none before."""
    staying = sum(attempt.state in FAILED | {AttemptState.COMMITTED} and attempt.held for attempt in rollout.attempts.values())
    waiting = sum(attempt.state is AttemptState.COMMITTED and not attempt.held for attempt in rollout.attempts.values())
    parts = [f"{staying} had no earlier version and keep this one"] if staying else []
    parts += [f"{waiting} are away and go back when they return"] if waiting else []
    return "; ".join(parts)
