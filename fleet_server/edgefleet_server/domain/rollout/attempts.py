"""State changes of attempts from the reports of their devices."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.domain.rollout.decisions import Move
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, SlotFact
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.states import (
    FRAMES_REQUIRED,
    NEWER_ROLLOUT,
    NO_FRAMES,
    OFFLINE_AFTER_UPDATE,
    OPEN,
    OPERATOR_ROLLBACK,
    REGRESSION,
    STARTED,
    AttemptState,
)

RESTORED: Final = "restored to the previous version"

_STATE_OF: Final = {
    SlotPhase.ABSENT: AttemptState.ACCEPTED,
    SlotPhase.FETCHING: AttemptState.FETCHING,
    SlotPhase.FETCHED: AttemptState.FETCHING,
    SlotPhase.VERIFIED: AttemptState.VERIFIED,
    SlotPhase.STAGED: AttemptState.STAGED,
    SlotPhase.WAITING_WINDOW: AttemptState.WAITING_WINDOW,
    SlotPhase.TRIAL: AttemptState.TRIAL,
    SlotPhase.COMMITTED: AttemptState.COMMITTED,
    SlotPhase.ROLLED_BACK: AttemptState.ROLLED_BACK,
    SlotPhase.REFUSED: AttemptState.REJECTED,
    SlotPhase.ROLLBACK_FAILED: AttemptState.ROLLBACK_FAILED,
}

_REFUSALS: Final = {
    Reason.INCOMPATIBLE.value: AttemptState.INCOMPATIBLE,
    Reason.SUPERSEDED.value: AttemptState.SUPERSEDED,
    Reason.CANCELLED.value: AttemptState.CANCELLED,
}

_LATE_TRUTHS: Final = {
    AttemptState.TIMED_OUT: frozenset(
        {AttemptState.COMMITTED, AttemptState.ROLLED_BACK, AttemptState.ROLLBACK_FAILED, AttemptState.REJECTED}
    ),
    AttemptState.COMMITTED: frozenset({AttemptState.ROLLED_BACK, AttemptState.ROLLBACK_FAILED}),
    AttemptState.REJECTED: frozenset({AttemptState.COMMITTED, AttemptState.ROLLED_BACK, AttemptState.ROLLBACK_FAILED}),
    AttemptState.REGRESSED: frozenset({AttemptState.ROLLED_BACK, AttemptState.ROLLBACK_FAILED}),
}
"""Ended states that a later report of the device may correct: the server's conclusion (timed out), the device's own
(committed; rejected for want of disk space, which the device tries again when there is room)."""


def observe(attempt: Attempt, fact: DeviceFact, digest: str, gate: RolloutGate, *, watched: bool, now: float) -> Move | None:
    """The state change of an offered attempt that follows from the facts about its device; None when there is none.

    `watched`: its wave is not over, so a device that goes offline after the update counts as failed even when it had committed.
    One that went offline right after the offer does, too: a version that takes it off the line leaves no time for a report.
    """
    if attempt.offered_at >= now:
        return None  # offered in this very turn: the facts about the device are older than the offer
    if attempt.state in OPEN and fact.newer_rollout:
        return Move(attempt.id, AttemptState.SUPERSEDED, NEWER_ROLLOUT, "superseded by a newer rollout")
    reported = _reported_phase(attempt, fact, digest)
    if reported is not None and reported.reason == NO_FRAMES and gate.frames_required:
        reported = replace(reported, reason=FRAMES_REQUIRED)
    if reported is not None and reported.state is not attempt.state and _may(attempt, fact, reported.state):
        return reported
    if watched and attempt.state is AttemptState.COMMITTED and fact.regressed:
        return Move(attempt.id, AttemptState.REGRESSED, REGRESSION, fact.regressed)
    lost = attempt.state is AttemptState.OFFERED and (fact.offline_since_at or 0.0) > attempt.offered_at
    touched = lost or attempt.state in STARTED or (watched and attempt.state is AttemptState.COMMITTED)
    if touched and not attempt.staging and fact.away_s(now, attempt.offered_at) >= gate.offline_s:
        text = f"offline for over {gate.offline_s:g} s after the update"
        return Move(attempt.id, AttemptState.TIMED_OUT, OFFLINE_AFTER_UPDATE, text)
    return None


def _may(attempt: Attempt, fact: DeviceFact, state: AttemptState) -> bool:
    if attempt.state in OPEN:
        return True
    online = fact.offline_since_at is None
    return online and state in _LATE_TRUTHS.get(attempt.state, frozenset())


def _reported_phase(attempt: Attempt, fact: DeviceFact, digest: str) -> Move | None:
    """The state of the attempt according to the device's report."""
    slot = fact.slot
    if slot is not None and slot.attempt == attempt.id:
        return _answer(attempt, slot, digest)
    if not fact.answered:
        return None
    if attempt.state is AttemptState.OFFERED:
        if slot is not None and runs(slot, digest):
            return Move(attempt.id, AttemptState.ALREADY_INSTALLED, detail="already committed on the device")
        return Move(attempt.id, AttemptState.ACCEPTED)
    return None


def _answer(attempt: Attempt, slot: SlotFact, digest: str) -> Move | None:
    state = _STATE_OF[slot.phase]
    if state is AttemptState.COMMITTED and slot.running_digest != digest:
        return None  # the reported phase contradicts the running version, which has precedence (hawkBit #3185)
    if state is AttemptState.REJECTED:
        state = _REFUSALS.get(slot.reason, state)
    reason = "" if slot.reason == Reason.NONE.value else slot.reason
    return Move(attempt.id, state, reason, slot.detail)


def runs(slot: SlotFact | None, digest: str) -> bool:
    """Whether the device has committed `digest` and runs it."""
    return slot is not None and slot.phase is SlotPhase.COMMITTED and slot.running_digest == digest


def returned(attempt: Attempt, fact: DeviceFact, digest: str) -> Move | None:
    """The move of an attempt whose device runs its earlier version again; None until then."""
    slot = fact.slot
    if slot is None or not slot.running_digest or slot.running_digest == digest or slot.phase is SlotPhase.TRIAL:
        return None
    if attempt.state is AttemptState.REGRESSED:  # the evidence of the failure stays
        return Move(attempt.id, AttemptState.ROLLED_BACK, attempt.reason, f"{attempt.detail}; {RESTORED}")
    return Move(attempt.id, AttemptState.ROLLED_BACK, OPERATOR_ROLLBACK, RESTORED)
