"""Readings of alert rules about rollouts: those paused by a gate, those that failed, and those that wait for an approval, and for
how long."""

from __future__ import annotations

from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.fleet.alerts import Reading, rollout_subject
from edgefleet_server.domain.states import PAUSED_BY_GATE, RolloutState

_MOMENT_S: Final = 1e-3
"""Smallest reading of a condition that holds, also right after its start or with a clock that was set back: 0 would end it."""

FAILED_S: Final = 86_400.0
"""Time for which a rollout that failed is an alert."""
_FAILED_WORDS: Final = {
    RolloutState.ABORTING: "is being aborted",
    RolloutState.ABORTED: "was aborted",
    RolloutState.ROLLING_BACK: "is being rolled back",
    RolloutState.ROLLED_BACK: "was rolled back",
}


def paused(db: Driver, now: float) -> dict[str, Reading]:
    """Readings of rollouts that the engine paused: their last pause in the timeline is that of a gate, not of an operator."""
    rows = db.execute(
        "SELECT id, name, state_reason, changed_at FROM rollout r WHERE state = ? AND"
        " (SELECT kind FROM timeline WHERE rollout = r.id AND kind IN (?, ?) ORDER BY id DESC LIMIT 1) = ?",
        (RolloutState.PAUSED.value, RolloutState.PAUSED.value, PAUSED_BY_GATE, PAUSED_BY_GATE),
    )
    return {
        rollout_subject(rollout): _since(changed_at, now, f"{name!r} is paused: {reason}")
        for rollout, name, reason, changed_at in rows
    }


def failed(db: Driver, now: float) -> dict[str, Reading]:
    """Readings of rollouts that were aborted or rolled back after their start, for a day: a rollout that failed stays so."""
    states = [state.value for state in _FAILED_WORDS]
    rows = db.execute(
        f"SELECT id, name, state, state_reason, changed_at FROM rollout WHERE state IN ({', '.join('?' * len(states))})"  # noqa: S608
        " AND started_at IS NOT NULL AND changed_at > ?",
        (*states, now - FAILED_S),
    )
    return {
        rollout_subject(rollout): _since(
            changed_at, now, f"{name!r} {_FAILED_WORDS[RolloutState(state)]}{f': {reason}' if reason else ''}"
        )
        for rollout, name, state, reason, changed_at in rows
    }


def waiting(db: Driver, now: float) -> dict[str, Reading]:
    """Readings of rollouts that wait for a second person, and of running ones whose next wave (`Rollout.next_wave`) waits for
    approval."""
    submitted = db.execute(
        "SELECT id, name, changed_at FROM rollout WHERE state = ?", (RolloutState.AWAITING_APPROVAL.value,)
    ).fetchall()
    found = {
        rollout_subject(rollout): _since(changed_at, now, f"{name!r} is waiting for approval by a second person")
        for rollout, name, changed_at in submitted
    }
    rows = db.execute(
        "SELECT r.id, r.name, w.name, r.changed_at,"
        ' (SELECT max(e.finished_at) FROM wave e WHERE e.rollout = r.id AND NOT e.late_joiners AND e."index" < w."index")'
        " FROM rollout r JOIN wave w ON w.rollout = r.id"
        " WHERE r.state = ? AND w.state = 'pending' AND w.approval AND w.approved_by IS NULL AND NOT w.late_joiners"
        " AND NOT EXISTS (SELECT 1 FROM wave o WHERE o.rollout = r.id AND NOT o.late_joiners AND"
        " (o.state IN ('running', 'soaking') OR (o.state = 'pending' AND o.\"index\" < w.\"index\")))",
        (RolloutState.RUNNING.value,),
    )
    for rollout, name, wave, changed_at, before_at in rows:
        text = f"{name!r}: wave {wave!r} is waiting for approval"
        found[rollout_subject(rollout)] = _since(max(changed_at, before_at or 0.0), now, text)
    return found


def _since(at: float, now: float, text: str) -> Reading:
    return Reading(max(now - at, _MOMENT_S), text=text)
