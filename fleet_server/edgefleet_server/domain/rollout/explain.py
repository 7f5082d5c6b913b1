"""One sentence about each attempt: its state, or the reason why it is not done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.encoding.sizes import size
from edgefleet_server.domain import reasons
from edgefleet_server.domain.outcomes import Outcome, outcome
from edgefleet_server.domain.states import (
    BACK_OFF,
    DEVICE_EXCLUDED,
    HIGHER_PRIORITY_ROLLOUT,
    RAMP,
    SMALL_STEPS,
    WINDOW,
    AttemptState,
    RolloutState,
)

_WAITS: Final = frozenset({WINDOW, DEVICE_EXCLUDED, BACK_OFF, RAMP, SMALL_STEPS, HIGHER_PRIORITY_ROLLOUT})


@dataclass(frozen=True, slots=True)
class Case:
    """The facts about an attempt that the sentence is built from. A queued attempt waits for the wave `wave_name` or, by
    `rollout_state`, for the rollout."""

    state: AttemptState
    reason: str
    detail: str
    online: bool
    last_seen_at: float
    since_at: float
    bytes_done: int
    bytes_total: int
    wave_name: str
    rollout_state: RolloutState
    wave_started: bool = False
    wave_needs_approval: bool = False


def why(case: Case, now: float) -> str:
    """One sentence: the result of an attempt, or the reason why it is not done."""
    if not case.online and case.state in _WHILE_AWAY:
        away = f" for {_span(now - case.last_seen_at)}" if case.last_seen_at else ""
        return f"Offline{away}: {_WHILE_AWAY[case.state]}."
    if case.state is AttemptState.QUEUED:
        return _queued(case)
    if case.state is AttemptState.FETCHING and case.bytes_total:
        percent = 100 * case.bytes_done // case.bytes_total
        return f"Fetching: {size(case.bytes_done)} of {size(case.bytes_total)} ({percent} %)."
    ended = outcome(case.state, case.reason)
    if ended in (Outcome.UNTRIED, Outcome.UNPROVEN):
        return f"Committed and running; {reasons.text(case.reason)}."
    if case.state in _PLAIN:
        return _PLAIN[case.state].format(since=_span(now - case.since_at))
    if ended is Outcome.RESTORED:
        return "Restored to the previous version by an operator."
    parts = [part for part in (reasons.text(case.reason), case.detail) if part]
    whose = _FAULTS[whom] if ended is Outcome.FAULTED and (whom := reasons.against(case.reason)) else None
    sentence = f"{_ENDINGS[case.state]}{': ' if parts else ''}{'; '.join(dict.fromkeys(parts))}."
    return f"{whose}: {sentence[0].lower()}{sentence[1:]}" if whose else sentence


_WHILE_AWAY: Final = {
    AttemptState.QUEUED: "the update starts with its wave, once the device is online",
    AttemptState.OFFERED: "the update starts once the device is online",
    AttemptState.ACCEPTED: "the update continues once the device is online",
    AttemptState.FETCHING: "fetching resumes once the device is online",
    AttemptState.VERIFIED: "the update continues once the device is online",
    AttemptState.STAGED: "the update continues once the device is online",
    AttemptState.WAITING_WINDOW: "the update continues once the device is online",
    AttemptState.TRIAL: "the trial continues on the device",
}

_PLAIN: Final = {
    AttemptState.OFFERED: "Offered {since} ago, no response yet.",
    AttemptState.ACCEPTED: "Accepted {since} ago, fetch pending.",
    AttemptState.FETCHING: "Fetching for {since}.",
    AttemptState.VERIFIED: "Fetched and verified.",
    AttemptState.STAGED: "Staged and self-tested, activation pending.",
    AttemptState.WAITING_WINDOW: "Staged and self-tested; waiting for its wave.",
    AttemptState.TRIAL: "On trial for {since}.",
    AttemptState.COMMITTED: "Committed and running.",
    AttemptState.ALREADY_INSTALLED: "The device already ran this version.",
}

_ENDINGS: Final = {
    AttemptState.REGRESSED: "Committed with a regression",
    AttemptState.REJECTED: "Refused before activation",
    AttemptState.ROLLED_BACK: "Rolled back to the committed version",
    AttemptState.ROLLBACK_FAILED: "Rollback failed",
    AttemptState.TIMED_OUT: "Timed out",
    AttemptState.SUPERSEDED: "Superseded",
    AttemptState.CANCELLED: "Cancelled",
    AttemptState.INCOMPATIBLE: "Incompatible",
}


_FAULTS: Final = {
    reasons.Against.DEVICE: "Device fault",
    reasons.Against.LINE: "Transfer fault",
    reasons.Against.OPERATOR: "Set-up fault",
    reasons.Against.VERSION: "",
}


def _queued(case: Case) -> str:
    if case.rollout_state is RolloutState.PAUSED:
        return f"Waiting for wave {case.wave_name!r}; the rollout is paused."
    if case.rollout_state is RolloutState.DRAFT:
        return "Waiting for the start of the rollout, which selects its devices anew."
    if case.rollout_state is RolloutState.AWAITING_APPROVAL:
        return "Waiting for approval of the rollout by a second person, which selects its devices anew."
    if case.reason in _WAITS:
        waits = reasons.text(case.reason)
        return f"{waits[0].upper()}{waits[1:]}{': ' if case.detail else ''}{case.detail}."
    if case.wave_needs_approval:
        return f"Waiting for approval of wave {case.wave_name!r}."
    if case.wave_started:
        return "Offer pending."
    return f"Waiting for wave {case.wave_name!r}."


def _span(seconds: float) -> str:
    seconds = max(0.0, seconds)
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(seconds)} s"


def with_parts(sentence: str, stages: Mapping[str, str]) -> str:
    """The sentence with the stage of each part of a bundle (`stages` by slot)."""
    done = [slot for slot, stage in stages.items() if stage == "committed"]
    late = [f"{slot} {_PART_STAGES.get(stage, stage.replace('_', ' '))}" for slot, stage in stages.items() if slot not in done]
    if not late:
        return sentence
    committed = f"; {', '.join(done)} done" if done else ""
    return f"{sentence.rstrip('.')}. Parts: {', '.join(late)}{committed}."


_PART_STAGES: Final = {"absent": "not started", "other": "not started", "trial": "on trial", "staged": "waiting for the trial"}
