"""The engine's window on the database: reads a rollout with its facts, one a turn (`execution` carries out)."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any, Final

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_server.db.assignment import back_off, pins
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.db.rollouts import bundle_parts as stored_parts
from edgefleet_server.db.rollouts import terms as stored_terms
from edgefleet_server.domain.maintenance_windows import opens_in_s
from edgefleet_server.domain.rollout.bundle import BundlePart, name_of, one_fact
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, Rollout, SlotFact, Wave
from edgefleet_server.domain.states import COMES_APART, FAILED, REPORTED, AttemptState, RolloutState, WaveState
from edgefleet_server.domain.statistics.sequential_test import SequentialTest
from edgefleet_server.domain.terms import RAMP_S, Terms


@dataclass(frozen=True, slots=True)
class RolloutSnapshot:
    """A rollout, what is known of its devices, and what carrying out needs."""

    rollout: Rollout
    facts: dict[str, DeviceFact]
    parts: tuple[BundlePart, ...]
    policy: tuple[float, int]


@dataclass(frozen=True, slots=True)
class _AttemptFilter:
    """Attempts that are read one by one, as SQL with its values."""

    text: str
    values: tuple[int, ...]


def at_work(db: Driver) -> list[int]:
    """Rollouts that the engine looks at: oldest first, so that a newer one has the last word on a device."""
    rows = db.execute(
        "SELECT id FROM rollout r WHERE state IN ('running', 'paused', 'aborting', 'rolling_back') OR (state = 'completed' AND"
        " EXISTS (SELECT 1 FROM attempt WHERE rollout = r.id AND open)) ORDER BY id"
    )
    return [row[0] for row in rows]


def load(db: Driver, rollout: int, now: float) -> RolloutSnapshot:
    """Read one rollout for one turn."""
    row = db.execute(
        "SELECT package, slot, state, gate, policy, wave_timeout_s, changed_at, terms, priority FROM rollout WHERE id = ?",
        (rollout,),
    ).fetchone()
    state = RolloutState(row[2])
    parts = stored_parts.of_rollout(db, rollout, row[1], row[0])
    terms = stored_terms.read(json.loads(row[7]), row[8])
    gate = stored_terms.gate(json.loads(row[3]))
    waves = _waves(db, rollout)
    which = _loaded(state, waves, terms, together=len(parts) > 1)
    settled = _settled(db, rollout, which, parts[0].slot)
    known = _Context(parts[0].slot, state, terms, back_off.boxed(db, now), now)
    attempts, facts = _attempts(db, rollout, which, known) if len(parts) == 1 else _of_bundle(db, rollout, which, known, parts)
    policy = json.loads(row[4])
    value = Rollout(
        id=rollout,
        digest=name_of(parts),
        state=state,
        gate=gate,
        waves=tuple(replace(wave, **settled[wave.index]) for wave in waves),
        attempts=attempts,
        wave_timeout_s=row[5],
        changed_at=row[6],
        terms=terms,
        offered_lately=_offered_lately(db, rollout, attempts, now) if terms.rate else 0,
        together=len(parts) > 1,
    )
    return RolloutSnapshot(value, facts, parts, (policy["trial_s"], policy["trial_frames_min"]))


def _waves(db: Driver, rollout: int) -> list[Wave]:
    rows = db.execute(
        'SELECT "index", name, state, total, coalesce(started_at, 0), coalesce(soaking_at, 0), excused_reported, excused_failed,'
        ' approval AND approved_by IS NULL, lane FROM wave WHERE rollout = ? ORDER BY "index"',
        (rollout,),
    )
    return [
        Wave(
            index=row[0],
            name=row[1],
            state=WaveState(row[2]),
            total=row[3],
            started_at=row[4],
            soaking_at=row[5],
            excused_reported=row[6],
            excused_failed=row[7],
            needs_approval=bool(row[8]),
            lane=bool(row[9]),
        )
        for row in rows
    ]


def _loaded(state: RolloutState, waves: list[Wave], terms: Terms, *, together: bool) -> _AttemptFilter:
    """Which attempts are read one by one: all while stopping; else those that may still move, queued ones of waves that
    have begun or were skipped (of those that are over only where the device is there), the active wave's whose device committed
    and is not there or does worse, and the next wave's once the active one is about to end."""
    if state in (RolloutState.ABORTING, RolloutState.ROLLING_BACK):
        return _AttemptFilter("a.latest", ())
    active = next((wave for wave in waves if wave.state in (WaveState.RUNNING, WaveState.SOAKING) and not wave.lane), None)
    following = next((wave for wave in waves if wave.state is WaveState.PENDING and not wave.lane), None)
    begins = following is not None and (active is None or active.state is WaveState.SOAKING)
    begun = [
        wave.index for wave in waves if wave.state in (WaveState.RUNNING, WaveState.SOAKING, WaveState.SKIPPED) and not wave.lane
    ]
    offered_as_they_come = [
        wave.index
        for wave in waves
        if wave.state in (WaveState.RUNNING, WaveState.SOAKING, WaveState.PASSED)
        or (terms.prestage and wave.state is WaveState.PENDING)
    ]
    watched = "l.presence != 'online' OR coalesce(s.stage, '') != 'committed' OR a.regressed != ''"
    apart = (
        f" OR (a.state IN ({_COMES_APART}) AND EXISTS"  # noqa: S608 (fixed words)
        " (SELECT 1 FROM assignment x WHERE x.device = a.device AND x.attempt = a.id))"
    )
    text = (
        "(a.latest AND ((a.open AND (a.state != 'queued' OR a.wave = ?)) OR a.state = 'timed_out'"
        f" OR (a.state = 'queued' AND a.wave IN ({_listed(begun)}))"
        f" OR (a.state = 'queued' AND l.presence = 'online' AND a.wave IN ({_listed(offered_as_they_come)}))"
        f" OR (a.wave = ? AND a.state = 'committed'{'' if together else f' AND ({watched})'}){apart if together else ''}))"
    )
    return _AttemptFilter(text, (following.index if begins and following else -1, active.index if active else -1))


def _listed(indices: list[int]) -> str:
    return ", ".join(map(str, indices)) or "-1"


_COMES_APART: Final = ", ".join(f"'{state.value}'" for state in sorted(COMES_APART))
_FROM: Final = (
    "FROM attempt a JOIN device_last l ON l.device = a.device LEFT JOIN device_slot s ON s.device = a.device AND s.slot = ?"
)


def _settled(db: Driver, rollout: int, which: _AttemptFilter, slot: str) -> dict[int, dict[str, Any]]:
    """By wave, the fields of `Wave` about attempts that are not loaded one by one."""
    rows = db.execute(
        "SELECT a.wave, a.state, d.profile, count(*), coalesce(max(a.finished_at), 0),"
        " count(*) FILTER (WHERE a.finished_at >= r.changed_at)"
        f" {_FROM} JOIN device d ON d.id = a.device JOIN rollout r ON r.id = a.rollout WHERE a.rollout = ? AND a.latest"
        f" AND NOT {which.text} GROUP BY a.wave, a.state, d.profile",
        (slot, rollout, *which.values),
    )
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    counts: dict[int, Counter[AttemptState]] = defaultdict(Counter)
    latest: dict[int, float] = defaultdict(float)
    evidence: dict[int, dict[str, SequentialTest]] = defaultdict(dict)
    for wave, name, profile, count, last_at, fresh in rows:
        state = AttemptState(name)
        if state is AttemptState.QUEUED:
            found[wave]["waiting"] = found[wave].get("waiting", 0) + count
            continue
        counts[wave][state] += count
        latest[wave] = max(latest[wave], last_at)
        if state in REPORTED:
            seen = evidence[wave].get(profile, SequentialTest(0, 0))
            evidence[wave][profile] = SequentialTest(seen.failed + (fresh if state in FAILED else 0), seen.tried + fresh)
    for wave in counts:
        found[wave] |= {"settled": counts[wave], "settled_at": latest[wave], "settled_evidence": evidence[wave]}
    return found


@dataclass(frozen=True, slots=True)
class _Context:
    """What holds for every device of a rollout."""

    slot: str
    state: RolloutState
    terms: Terms
    boxed: dict[str, float]
    now: float


def _attempts(
    db: Driver, rollout: int, which: _AttemptFilter, known: _Context
) -> tuple[dict[str, Attempt], dict[str, DeviceFact]]:
    rows = db.execute(
        "SELECT a.id, a.device, a.wave, a.state, a.reason, a.detail, coalesce(a.offered_at, 0), coalesce(a.finished_at, 0),"
        " a.previous, coalesce(g.attempt, ''), coalesce(g.rollout, 0), l.presence, l.presence_at, l.generation,"
        " coalesce(d.generation, 0), s.stage, s.running_digest, s.target_digest, s.attempt, s.reason, s.detail, v.profile,"
        " a.number, a.not_before, a.staging, gr.priority, gr.state, json_extract(v.labels, '$.timezone'), p.name, p.version,"
        " n.reason, a.regressed"
        f" {_FROM} JOIN device v ON v.id = a.device"
        " LEFT JOIN assignment g ON g.device = a.device AND g.slot = ? LEFT JOIN desired d ON d.device = a.device"
        " LEFT JOIN rollout gr ON gr.id = g.rollout LEFT JOIN pin n ON n.device = a.device AND n.slot = ?"
        " LEFT JOIN package p ON p.digest = n.package"
        f" WHERE a.rollout = ? AND {which.text}",
        (known.slot, known.slot, known.slot, rollout, *which.values),
    )
    attempts: dict[str, Attempt] = {}
    facts: dict[str, DeviceFact] = {}
    for row in rows:
        attempts[row[0]] = _attempt(row)
        facts[row[1]] = _fact(row, rollout, known)
    return attempts, facts


def _of_bundle(
    db: Driver, rollout: int, which: _AttemptFilter, known: _Context, parts: tuple[BundlePart, ...]
) -> tuple[dict[str, Attempt], dict[str, DeviceFact]]:
    """The same for several parts: each device's account of all of them, as one. While a rollout is taken back only those parts
    count that have something to go back to."""
    by_slot = {part.slot: _attempts(db, rollout, which, replace(known, slot=part.slot)) for part in parts}
    name, back = name_of(parts), stored_parts.all_previous(db, rollout)
    attempts: dict[str, Attempt] = {}
    facts: dict[str, DeviceFact] = {}
    for key, first in by_slot[parts[0].slot][0].items():
        held = any(found[key].held for found, _ in by_slot.values())
        returning = [part for part in parts if (first.has_previous if part is parts[0] else part.slot in back.get(key, ()))]
        attempts[key] = replace(first, held=held, has_previous=bool(returning))
        counted = returning if known.state is RolloutState.ROLLING_BACK and returning else parts
        facts[first.device] = one_fact(counted, {slot: told[first.device] for slot, (_, told) in by_slot.items()}, name)
    return attempts, facts


def _attempt(row: tuple[Any, ...]) -> Attempt:
    before = f"{row[0].rpartition(':')[0]}:{row[22] - 1}"
    return Attempt(
        id=row[0],
        device=row[1],
        wave=row[2],
        state=AttemptState(row[3]),
        reason=row[4],
        detail=row[5],
        offered_at=row[6],
        finished_at=row[7],
        held=row[9] in (row[0], before),
        profile=row[21],
        has_previous=row[8] is not None,
        number=row[22],
        not_before=row[23],
        staging=bool(row[24]),
    )


def _fact(row: tuple[Any, ...], rollout: int, known: _Context) -> DeviceFact:
    told = None if row[15] is None else SlotFact(SlotPhase(row[15]), row[16], row[17], row[18], row[19], row[20])
    other, priority, state = row[10], row[25], row[26]
    higher = priority is not None and priority > known.terms.priority
    taken = other > rollout and (known.state is RolloutState.COMPLETED or priority is None or priority >= known.terms.priority)
    queued = row[3] == AttemptState.QUEUED.value or row[24]
    window = known.terms.window if queued else None
    zone = stored_terms.place(row[27] or "", window.zone) if window else None
    return DeviceFact(
        offline_since_at=None if row[11] == "online" else row[12],
        slot=told,
        answered=row[14] > 0 and row[13] >= row[14],
        newer_rollout=taken,
        higher_priority_rollout=other if higher and other != rollout and state in ("running", "paused") else 0,
        window_opens_at=known.now + opens_in_s(window, known.now, zone) if window and zone else 0.0,
        boxed_until=known.boxed.get(row[1], 0.0),
        pinned=pins.sentence(row[28], row[29], row[30]) if row[28] is not None else "",
        regressed=row[31],
    )


def _offered_lately(db: Driver, rollout: int, attempts: dict[str, Attempt], now: float) -> int:
    """Devices offered the version within the ramp's minute, beyond those that are loaded."""
    counted = db.execute("SELECT count(*) FROM attempt WHERE rollout = ? AND offered_at > ?", (rollout, now - RAMP_S))
    return max(0, int(counted.fetchone()[0]) - sum(attempt.offered_at > now - RAMP_S for attempt in attempts.values()))
