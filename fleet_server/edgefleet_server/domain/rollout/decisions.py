"""Decisions about a rollout, and their effect on its value. `db.assignment.execution` applies the same to the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from edgefleet_server.domain.rollout.facts import Attempt, Rollout, Wave
from edgefleet_server.domain.states import BACK_OFF, OPEN, AttemptState, RolloutState, WaveState
from edgefleet_server.domain.terms import RAMP_S


@dataclass(frozen=True, slots=True)
class Move:
    """An attempt changes state."""

    attempt: str
    state: AttemptState
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """Point the device's assignment at this attempt. `first`: it is of the first wave."""

    attempt: str
    first: bool = False


@dataclass(frozen=True, slots=True)
class StageUpdate:
    """Let the device fetch and verify the version and wait for its wave before it switches."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Replace an ended try (`move`) by a new, queued attempt of the same device."""

    move: Move
    not_before: float
    detail: str = ""

    @property
    def attempt(self) -> str:
        """The id of the try that has ended."""
        return self.move.attempt


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Point the device's assignment back at the version that it ran before."""

    attempt: str


@dataclass(frozen=True, slots=True)
class Draw:
    """A device of a later wave tries the version as one of `wave`."""

    attempt: str
    wave: int


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


Decision = Move | Offer | StageUpdate | Retry | Withdraw | Draw | WaveTo | RolloutTo


def apply(rollout: Rollout, decisions: Sequence[Decision], now: float) -> Rollout:
    """The rollout after `decisions`."""
    attempts = dict(rollout.attempts)
    waves = list(rollout.waves)
    state, changed_at, offered_lately = rollout.state, rollout.changed_at, rollout.offered_lately
    for decision in decisions:
        if isinstance(decision, Move):
            attempts[decision.attempt] = _moved(attempts[decision.attempt], decision, now)
        elif isinstance(decision, Offer):
            offered = replace(attempts[decision.attempt], state=AttemptState.OFFERED, offered_at=now, held=True)
            attempts[decision.attempt] = replace(offered, reason="", detail="", staging=False)
        elif isinstance(decision, StageUpdate):
            staging = replace(attempts[decision.attempt], state=AttemptState.OFFERED, offered_at=now, held=True, staging=True)
            attempts[decision.attempt] = replace(staging, reason="", detail="")
        elif isinstance(decision, Retry):
            ended = attempts.pop(decision.attempt)
            offered_lately += ended.offered_at > now - RAMP_S  # it counts in the rate limit
            following = _tried_again(ended, decision)
            attempts[following.id] = following
        elif isinstance(decision, Withdraw):
            attempts[decision.attempt] = replace(attempts[decision.attempt], held=False)
        elif isinstance(decision, Draw):
            drawn = attempts[decision.attempt]
            attempts[drawn.id] = replace(drawn, wave=decision.wave)
            waves[drawn.wave] = replace(waves[drawn.wave], total=waves[drawn.wave].total - 1)
            waves[decision.wave] = replace(waves[decision.wave], total=waves[decision.wave].total + 1)
        elif isinstance(decision, WaveTo):
            waves[decision.index] = _wave_moved(waves[decision.index], decision.state, now)
        else:
            state, changed_at = decision.state, now
    return replace(
        rollout,
        attempts=attempts,
        waves=tuple(waves),
        state=state,
        changed_at=changed_at,
        offered_lately=offered_lately,
    )


def next_id(attempt: Attempt) -> str:
    """The id of the try after this one."""
    return f"{attempt.id.rpartition(':')[0]}:{attempt.number + 1}"


def _tried_again(attempt: Attempt, retry: Retry) -> Attempt:
    return replace(
        attempt,
        id=next_id(attempt),
        number=attempt.number + 1,
        state=AttemptState.QUEUED,
        reason=BACK_OFF,
        detail=retry.detail,
        not_before=retry.not_before,
        offered_at=0.0,
        finished_at=0.0,
        staging=False,
    )


def _moved(attempt: Attempt, move: Move, now: float) -> Attempt:
    ended = move.state not in OPEN
    return replace(attempt, state=move.state, reason=move.reason, detail=move.detail, finished_at=now if ended else 0.0)


def _wave_moved(wave: Wave, state: WaveState, now: float) -> Wave:
    if state is WaveState.RUNNING:
        return replace(wave, state=state, started_at=wave.started_at if wave.state is WaveState.SOAKING else now)
    if state is WaveState.SOAKING:
        return replace(wave, state=state, soaking_at=now)
    return replace(wave, state=state)
