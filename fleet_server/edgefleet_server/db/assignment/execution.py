"""Writes the engine's decisions about a rollout to the database.

Decisions are written in bounded transactions. Each first checks the state of the rollout: an operator may have paused it in the
meantime, and then the rest of the list is dropped. A process that dies between two transactions has written a prefix of the list,
which is a valid state: the next turn decides from there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.assignment.loading import RolloutSnapshot
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.rollouts import bundle_parts, regressions, timeline
from edgefleet_server.domain.rollout.decisions import (
    Decision,
    Draw,
    Move,
    Offer,
    Retry,
    RolloutTo,
    StageUpdate,
    WaveTo,
    Withdraw,
    next_id,
)
from edgefleet_server.domain.states import BACK_OFF, FAILED, OPEN, PAUSED_BY_GATE, RolloutState, WaveState

CHUNK: Final = 500
BACK: Final = ":back"
"""Suffix of an attempt's id in the assignment that returns its device to the previous version: for the device, it is a new
try."""


def carry_out(database: Database, work: RolloutSnapshot, decisions: Sequence[Decision], now: float) -> bool:
    """Write the decisions. False if the state of the rollout changed in between and the rest was dropped."""
    state = work.rollout.state
    for start in range(0, len(decisions), CHUNK):
        part = decisions[start : start + CHUNK]
        with database.write() as connection:
            db = raw(connection)
            if db.execute("SELECT state FROM rollout WHERE id = ?", (work.rollout.id,)).fetchone()[0] != state.value:
                return False
            changed = _do(db, work, part, now)
            assignments.refresh(db, changed)
        state = next((d.state for d in reversed(part) if isinstance(d, RolloutTo)), state)
    return True


def _do(db: Driver, work: RolloutSnapshot, part: Sequence[Decision], now: float) -> dict[str, None]:
    """Carry out one bounded part; returns devices whose assignments changed, in order."""
    changed: dict[str, None] = {}
    moves: list[tuple[Any, ...]] = []
    for decision in part:
        if isinstance(decision, Move):
            moves.append(_moved(db, work, decision, now))
        elif isinstance(decision, Offer | StageUpdate):
            changed[_offer(db, work, decision, now)] = None
        elif isinstance(decision, Retry):
            moves.append(_moved(db, work, decision.move, now))
            _try_again(db, work, decision, now)
        elif isinstance(decision, Withdraw):
            changed[_withdraw(db, work, decision, now)] = None
        elif isinstance(decision, Draw):
            _draw(db, work, decision)
        elif isinstance(decision, WaveTo):
            _wave_to(db, work, decision, now)
        else:
            _rollout_to(db, work.rollout.id, decision, now)
    db.executemany(
        "UPDATE attempt SET state = ?, open = ?, reason = ?, detail = ?, updated_at = ?, finished_at = ? WHERE id = ?", moves
    )
    db.executemany(
        "UPDATE attempt SET bytes_done = s.bytes_done, bytes_total = s.bytes_total FROM device_slot s"
        " WHERE attempt.id = ? AND s.device = attempt.device AND s.attempt = attempt.id",
        [(move[-1],) for move in moves if not move[1]],
    )
    return changed


def _moved(db: Driver, work: RolloutSnapshot, move: Move, now: float) -> tuple[Any, ...]:
    """The state change of an attempt as a row of the update statement."""
    is_open = move.state in OPEN
    attempt = work.rollout.attempts.get(move.attempt)
    if move.state in FAILED and attempt is not None:
        timeline.add_failure(db, work.rollout.id, now, move, attempt)
    return (move.state.value, is_open, move.reason, move.detail, now, None if is_open else now, move.attempt)


def _offer(db: Driver, work: RolloutSnapshot, offer: Offer | StageUpdate, now: float) -> str:
    device = work.rollout.attempts[offer.attempt].device
    hold = isinstance(offer, StageUpdate)
    first, *further = work.parts
    previous = assignments.previous_package(db, device, first.slot, first.digest)
    before = None if hold or work.rollout.gate.regressions is None else regressions.baseline_of(db, device, now)
    db.execute(
        "UPDATE attempt SET state = 'offered', open = TRUE, reason = '', detail = '', staging = ?, previous = ?, offered_at = ?,"
        " updated_at = ?, baseline = ? WHERE id = ?",
        (hold, previous, now, now, json.dumps(before), offer.attempt),
    )
    for part in further:
        bundle_parts.set_previous(db, offer.attempt, part.slot, assignments.previous_package(db, device, part.slot, part.digest))
    atomic = bool(further)
    trial = work.trial if isinstance(offer, Offer) and offer.first else work.trial.without_shadow
    for part in work.parts:
        order = assignments.AssignmentOrder(part.digest, offer.attempt, work.rollout.id, trial, hold, atomic)
        assignments.assign(db, device, part.slot, order, now)
    return device


def _try_again(db: Driver, work: RolloutSnapshot, retry: Retry, now: float) -> None:
    """Add the next try of a device as a new row; the ended one no longer counts."""
    attempt = work.rollout.attempts[retry.attempt]
    db.execute("UPDATE attempt SET latest = FALSE WHERE id = ?", (attempt.id,))
    db.execute(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
        " detail, previous, updated_at, bytes_done, bytes_total) "
        " SELECT ?, rollout, device, wave, number + 1, 'queued', TRUE, TRUE, FALSE, ?, '', ?, ?,"
        " previous, ?, 0, 0 FROM attempt WHERE id = ?",
        (next_id(attempt), retry.not_before, BACK_OFF, retry.detail, now, attempt.id),
    )
    bundle_parts.copy_previous(db, attempt.id, next_id(attempt))


def _withdraw(db: Driver, work: RolloutSnapshot, withdraw: Withdraw, now: float) -> str:
    device = work.rollout.attempts[withdraw.attempt].device
    previous: dict[str, str | None] = bundle_parts.previous(db, withdraw.attempt)
    previous[work.parts[0].slot] = db.execute("SELECT previous FROM attempt WHERE id = ?", (withdraw.attempt,)).fetchone()[0]
    for part in work.parts:
        if not assignments.belongs(db, device, part.slot, work.rollout.id):
            continue  # a newer rollout has taken over this slot
        back = previous.get(part.slot)
        if back is None:
            assignments.unassign(db, device, part.slot)
        else:
            order = assignments.AssignmentOrder(back, withdraw.attempt + BACK, work.rollout.id, work.trial.without_shadow)
            assignments.assign(db, device, part.slot, order, now)
    return device


def _draw(db: Driver, work: RolloutSnapshot, draw: Draw) -> None:
    rollout, attempt = work.rollout.id, work.rollout.attempts[draw.attempt]
    db.execute("UPDATE attempt SET wave = ? WHERE rollout = ? AND device = ?", (draw.wave, rollout, attempt.device))
    for index, more in ((attempt.wave, -1), (draw.wave, 1)):
        db.execute('UPDATE wave SET total = total + ? WHERE rollout = ? AND "index" = ?', (more, rollout, index))


def _wave_to(db: Driver, work: RolloutSnapshot, decision: WaveTo, now: float) -> None:
    stamp = {
        WaveState.RUNNING: "started_at = CASE WHEN state = 'soaking' THEN started_at ELSE ? END",
        WaveState.SOAKING: "soaking_at = ?",
        WaveState.PASSED: "finished_at = ?",
        WaveState.FAILED: "finished_at = ?",
        WaveState.SKIPPED: "finished_at = ?",
    }[decision.state]
    db.execute(
        f'UPDATE wave SET state = ?, {stamp} WHERE rollout = ? AND "index" = ?',  # noqa: S608 (fixed text)
        (decision.state.value, now, work.rollout.id, decision.index),
    )
    timeline.add_wave(db, work.rollout.id, now, decision, work.rollout.waves[decision.index])


def _rollout_to(db: Driver, rollout: int, decision: RolloutTo, now: float) -> None:
    over = decision.state in (RolloutState.COMPLETED, RolloutState.ABORTED, RolloutState.ROLLED_BACK)
    db.execute(
        "UPDATE rollout SET state = ?, state_reason = ?, changed_at = ?, finished_at = ? WHERE id = ?",
        (decision.state.value, decision.reason, now, now if over else None, rollout),
    )
    kind = PAUSED_BY_GATE if decision.state is RolloutState.PAUSED else decision.state.value
    timeline.add(db, rollout, now, kind, timeline.sentence(decision.state, decision.reason))


def offered(work: RolloutSnapshot, decisions: Sequence[Decision]) -> list[str]:
    """The devices that the decisions offer the package to, in order."""
    offers = (decision for decision in decisions if isinstance(decision, Offer | StageUpdate))
    return [work.rollout.attempts[offer.attempt].device for offer in offers]


def devices_of(work: RolloutSnapshot, decisions: Sequence[Decision]) -> set[str]:
    """The devices that the decisions concern."""
    named = (decision.attempt for decision in decisions if isinstance(decision, Move | Offer | StageUpdate | Retry | Withdraw))
    return {work.rollout.attempts[attempt].device for attempt in named if attempt in work.rollout.attempts}
