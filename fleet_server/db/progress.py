"""The engine's window on the database: read a rollout with its facts, carry decisions out. One rollout, one turn at a time.

Decisions are carried out in bounded transactions, each beginning with a look at the rollout's state: an operator may have paused
it meanwhile, and then the rest of the list is void. A process that dies between two of them has done a prefix of the list, which
is a state like any other: the next turn decides from there.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from agent.contract.messages import Stage
from fleet_server.db import assignments, timeline
from fleet_server.db.engine import Database, raw
from fleet_server.domain.decisions import Decision, Move, Offer, RolloutTo, WaveTo, Withdraw
from fleet_server.domain.evidence import Evidence
from fleet_server.domain.facts import Attempt, DeviceFact, Rollout, SlotFact, Wave
from fleet_server.domain.gates import Gate
from fleet_server.domain.states import FAILED, OPEN, REPORTED, AttemptState, RolloutState, WaveState

CHUNK: Final = 500
BACK: Final = ":back"
"""Added to the id of an attempt when its device is sent back, so that the device sees a try of its own."""


@dataclass(frozen=True, slots=True)
class Work:
    """A rollout, what is known of its devices, and what carrying out needs."""

    rollout: Rollout
    facts: dict[str, DeviceFact]
    slot: str
    policy: tuple[float, int]


def at_work(db: sqlite3.Connection) -> list[int]:
    """Rollouts that the engine looks at: oldest first, so that a newer one has the last word on a device."""
    rows = db.execute(
        "SELECT id FROM rollout r WHERE state IN ('running', 'paused', 'aborting', 'rolling_back') OR (state = 'completed' AND"
        " EXISTS (SELECT 1 FROM attempt WHERE rollout = r.id AND open = 1)) ORDER BY id"
    )
    return [row[0] for row in rows]


def load(db: sqlite3.Connection, rollout: int) -> Work:
    """Read one rollout for one turn."""
    row = db.execute(
        "SELECT package, slot, state, gate, policy, wave_timeout_s, changed_at FROM rollout WHERE id = ?", (rollout,)
    ).fetchone()
    digest, slot, state = row[0], row[1], RolloutState(row[2])
    waves = _waves(db, rollout)
    which, values = _loaded(state, waves)
    settled = _settled(db, rollout, which, values)
    attempts, facts = _attempts(db, rollout, slot, which, values)
    policy = json.loads(row[4])
    value = Rollout(
        id=rollout,
        digest=digest,
        state=state,
        gate=Gate(**json.loads(row[3])),
        waves=tuple(replace(wave, **settled[wave.index]) for wave in waves),
        attempts=attempts,
        wave_timeout_s=row[5],
        changed_at=row[6],
    )
    return Work(value, facts, slot, (policy["trial_s"], policy["trial_frames_min"]))


def _waves(db: sqlite3.Connection, rollout: int) -> list[Wave]:
    rows = db.execute(
        'SELECT "index", name, state, total, coalesce(started_at, 0), coalesce(soaking_at, 0), excused_reported, excused_failed'
        ' FROM wave WHERE rollout = ? ORDER BY "index"',
        (rollout,),
    )
    return [
        Wave(row[0], row[1], WaveState(row[2]), row[3], row[4], row[5], excused_reported=row[6], excused_failed=row[7])
        for row in rows
    ]


def _loaded(state: RolloutState, waves: list[Wave]) -> tuple[str, tuple[int, int]]:
    """Which attempts are read one by one, as SQL: all while stopping; else those that may still move, the active wave's whose
    device committed and is not there, and the next wave's once the active one is about to end."""
    if state in (RolloutState.ABORTING, RolloutState.ROLLING_BACK):
        return "(1 OR ? OR ?)", (0, 0)
    active = next((wave for wave in waves if wave.state in (WaveState.RUNNING, WaveState.SOAKING)), None)
    following = next((wave for wave in waves if wave.state is WaveState.PENDING), None)
    begins = following is not None and (active is None or active.state is WaveState.SOAKING)
    which = (
        "((a.open = 1 AND (a.state != 'queued' OR a.wave = ?)) OR a.state = 'timed_out'"
        " OR (a.state = 'queued' AND a.wave IN (SELECT \"index\" FROM wave WHERE rollout = a.rollout AND state = 'running'))"
        " OR (a.wave = ? AND a.state = 'committed' AND (l.presence != 'online' OR s.stage IS NOT 'committed')))"
    )
    return which, (following.index if begins and following else -1, active.index if active else -1)


_FROM: Final = (
    "FROM attempt a JOIN device_last l ON l.device = a.device LEFT JOIN device_slot s ON s.device = a.device"
    " AND s.slot = (SELECT slot FROM rollout WHERE id = a.rollout)"
)


def _settled(db: sqlite3.Connection, rollout: int, which: str, values: tuple[int, int]) -> dict[int, dict[str, Any]]:
    """By wave, the fields of `Wave` about attempts that are not loaded one by one."""
    rows = db.execute(
        "SELECT a.wave, a.state, d.profile, count(*), coalesce(max(a.finished_at), 0),"
        " count(*) FILTER (WHERE a.finished_at >= r.changed_at)"
        f" {_FROM} JOIN device d ON d.id = a.device JOIN rollout r ON r.id = a.rollout WHERE a.rollout = ? AND NOT {which}"
        " AND a.state != 'queued' GROUP BY a.wave, a.state, d.profile",
        (rollout, *values),
    )
    counts: dict[int, Counter[AttemptState]] = defaultdict(Counter)
    latest: dict[int, float] = defaultdict(float)
    evidence: dict[int, dict[str, Evidence]] = defaultdict(dict)
    for wave, name, profile, count, last_at, fresh in rows:
        state = AttemptState(name)
        counts[wave][state] += count
        latest[wave] = max(latest[wave], last_at)
        if state in REPORTED:
            seen = evidence[wave].get(profile, Evidence(0, 0))
            evidence[wave][profile] = Evidence(seen.failed + (fresh if state in FAILED else 0), seen.tried + fresh)
    return defaultdict(
        dict,
        {wave: {"settled": counts[wave], "settled_at": latest[wave], "settled_evidence": evidence[wave]} for wave in counts},
    )


def _attempts(
    db: sqlite3.Connection, rollout: int, slot: str, which: str, values: tuple[int, int]
) -> tuple[dict[str, Attempt], dict[str, DeviceFact]]:
    rows = db.execute(
        "SELECT a.id, a.device, a.wave, a.state, a.reason, a.detail, coalesce(a.offered_at, 0), coalesce(a.finished_at, 0),"
        " a.previous, g.attempt, coalesce(g.rollout, 0), l.presence, l.presence_at, l.generation, coalesce(d.generation, 0),"
        " s.stage, s.running_digest, s.target_digest, s.attempt, s.reason, s.detail, v.profile"
        f" {_FROM} JOIN device v ON v.id = a.device"
        " LEFT JOIN assignment g ON g.device = a.device AND g.slot = ? LEFT JOIN desired d ON d.device = a.device"
        f" WHERE a.rollout = ? AND {which}",
        (slot, rollout, *values),
    )
    attempts: dict[str, Attempt] = {}
    facts: dict[str, DeviceFact] = {}
    for row in rows:
        attempts[row[0]] = Attempt(
            row[0],
            row[1],
            row[2],
            AttemptState(row[3]),
            row[4],
            row[5],
            row[6],
            row[7],
            row[9] == row[0],
            row[21],
            row[8] is not None,
        )
        told = None if row[15] is None else SlotFact(Stage(row[15]), row[16], row[17], row[18], row[19], row[20])
        facts[row[1]] = DeviceFact(
            offline_since_at=None if row[11] == "online" else row[12],
            slot=told,
            answered=row[14] > 0 and row[13] >= row[14],
            newer_rollout=row[10] > rollout,
        )
    return attempts, facts


# -- carrying out


def carry_out(database: Database, work: Work, decisions: Sequence[Decision], now: float) -> bool:
    """Do what was decided. False when the rollout changed under our hands and the rest was dropped."""
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


def _do(db: sqlite3.Connection, work: Work, part: Sequence[Decision], now: float) -> dict[str, None]:
    """Carry out one bounded part; returns devices whose assignments changed, in order."""
    changed: dict[str, None] = {}
    moves: list[tuple[Any, ...]] = []
    for decision in part:
        if isinstance(decision, Move):
            attempt = work.rollout.attempts[decision.attempt]
            is_open = decision.state in OPEN
            moves.append(
                (decision.state.value, is_open, decision.reason, decision.detail, now, None if is_open else now, decision.attempt)
            )
            if decision.state in FAILED:
                timeline.add_failure(db, work.rollout.id, now, decision, attempt)
        elif isinstance(decision, Offer):
            changed[_offer(db, work, decision, now)] = None
        elif isinstance(decision, Withdraw):
            changed[_withdraw(db, work, decision)] = None
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


def _offer(db: sqlite3.Connection, work: Work, offer: Offer, now: float) -> str:
    device = work.rollout.attempts[offer.attempt].device
    previous = assignments.previous_package(db, device, work.slot, work.rollout.digest)
    db.execute(
        "UPDATE attempt SET state = 'offered', open = 1, previous = ?, offered_at = ?, updated_at = ? WHERE id = ?",
        (previous, now, now, offer.attempt),
    )
    assignments.assign(db, device, work.slot, work.rollout.digest, offer.attempt, work.rollout.id, work.policy)
    return device


def _withdraw(db: sqlite3.Connection, work: Work, withdraw: Withdraw) -> str:
    device = work.rollout.attempts[withdraw.attempt].device
    previous = db.execute("SELECT previous FROM attempt WHERE id = ?", (withdraw.attempt,)).fetchone()[0]
    if previous is None:
        assignments.unassign(db, device, work.slot)
    else:
        assignments.assign(db, device, work.slot, previous, withdraw.attempt + BACK, work.rollout.id, work.policy)
    return device


def _wave_to(db: sqlite3.Connection, work: Work, decision: WaveTo, now: float) -> None:
    stamp = {
        WaveState.RUNNING: "started_at = ?",
        WaveState.SOAKING: "soaking_at = ?",
        WaveState.PASSED: "finished_at = ?",
        WaveState.FAILED: "finished_at = ?",
        WaveState.SKIPPED: "finished_at = ?",
    }[decision.state]
    db.execute(
        f'UPDATE wave SET state = ?, {stamp} WHERE rollout = ? AND "index" = ?',  # noqa: S608 (fixed text)
        (decision.state.value, now, work.rollout.id, decision.index),
    )
    timeline.add_wave(db, work.rollout.id, now, decision, work.rollout.waves[decision.index].name)


def _rollout_to(db: sqlite3.Connection, rollout: int, decision: RolloutTo, now: float) -> None:
    over = decision.state in (RolloutState.COMPLETED, RolloutState.ABORTED, RolloutState.ROLLED_BACK)
    db.execute(
        "UPDATE rollout SET state = ?, state_reason = ?, changed_at = ?, finished_at = ? WHERE id = ?",
        (decision.state.value, decision.reason, now, now if over else None, rollout),
    )
    timeline.add(db, rollout, now, decision.state.value, timeline.sentence(decision.state, decision.reason))


def touched(work: Work, decisions: Sequence[Decision]) -> set[str]:
    """Devices that decisions are about."""
    named = (decision.attempt for decision in decisions if isinstance(decision, Move | Offer | Withdraw))
    return {work.rollout.attempts[attempt].device for attempt in named}
