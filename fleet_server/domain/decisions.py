"""What can be decided about a rollout, and what each decision does to the value. The loop does the same to the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fleet_server.domain.facts import Attempt, Rollout, Wave
from fleet_server.domain.states import OPEN, AttemptState, RolloutState, WaveState


@dataclass(frozen=True, slots=True)
class Move:
    """An attempt changes state."""

    attempt: str
    state: AttemptState
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """Point the device's assignment at this attempt."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Point the device's assignment back at what it ran before."""

    attempt: str


@dataclass(frozen=True, slots=True)
class WaveTo:
    """A wave changes state."""

    index: int
    state: WaveState
    text: str = ""


@dataclass(frozen=True, slots=True)
class RolloutTo:
    """The rollout changes state; `reason` is for people."""

    state: RolloutState
    reason: str = ""


Decision = Move | Offer | Withdraw | WaveTo | RolloutTo


def apply(rollout: Rollout, decisions: Sequence[Decision], now: float) -> Rollout:
    """The rollout after `decisions`."""
    attempts = dict(rollout.attempts)
    waves = list(rollout.waves)
    state, changed_at = rollout.state, rollout.changed_at
    for decision in decisions:
        if isinstance(decision, Move):
            attempts[decision.attempt] = _moved(attempts[decision.attempt], decision, now)
        elif isinstance(decision, Offer):
            offered = replace(attempts[decision.attempt], state=AttemptState.OFFERED, offered_at=now, held=True)
            attempts[decision.attempt] = offered
        elif isinstance(decision, Withdraw):
            attempts[decision.attempt] = replace(attempts[decision.attempt], held=False)
        elif isinstance(decision, WaveTo):
            waves[decision.index] = _wave_moved(waves[decision.index], decision.state, now)
        else:
            state, changed_at = decision.state, now
    return replace(rollout, attempts=attempts, waves=tuple(waves), state=state, changed_at=changed_at)


def _moved(attempt: Attempt, move: Move, now: float) -> Attempt:
    ended = move.state not in OPEN
    return replace(attempt, state=move.state, reason=move.reason, detail=move.detail, finished_at=now if ended else 0.0)


def _wave_moved(wave: Wave, state: WaveState, now: float) -> Wave:
    if state is WaveState.RUNNING:
        return replace(wave, state=state, started_at=now)
    if state is WaveState.SOAKING:
        return replace(wave, state=state, soaking_at=now)
    return replace(wave, state=state)
