"""Reads a rollout with the facts about its devices, for one run of the engine (`execution` writes its decisions)."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from edgefleet_server.db.assignment import exclusions
from edgefleet_server.db.assignment.attempt_rows import FROM_ATTEMPTS, AttemptFilter, LoadContext, read_attempts
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.db.rollouts import bundle_parts as stored_parts
from edgefleet_server.db.rollouts import terms as stored_terms
from edgefleet_server.domain.outcomes import REPORTED, Outcome, outcome
from edgefleet_server.domain.rollout.bundle import BundlePart, name_of, one_fact
from edgefleet_server.domain.rollout.desired import TrialTerms
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, Rollout, Wave
from edgefleet_server.domain.states import (
    BREAKS_BUNDLE,
    WAVE_ACTIVE,
    AttemptState,
    RolloutState,
    WaveState,
)
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from edgefleet_server.domain.terms import RAMP_S, Terms


@dataclass(frozen=True, slots=True)
class RolloutSnapshot:
    """A rollout and the facts by device; for `execution` its parts and trial."""

    rollout: Rollout
    facts: dict[str, DeviceFact]
    parts: tuple[BundlePart, ...]
    trial: TrialTerms


class _RolloutRow(NamedTuple):
    """The columns of `rollout` that are read, in this order."""

    package: str
    slot: str
    state: str
    gate: str
    policy: str
    wave_timeout_s: float
    changed_at: float
    terms: str
    priority: int
    plans: str


class _SettledRow(NamedTuple):
    """Number of attempts of one wave, state, reason and profile. `fresh`: those that ended since the rollout last started
    or resumed."""

    wave: int
    state: str
    reason: str
    profile: str
    attempts: int
    last_finished_at: float
    fresh: int


def active_rollouts(db: Driver) -> list[int]:
    """Rollouts that the engine has to process, oldest first, so that the newest one decides about a device last."""
    rows = db.execute(
        "SELECT id FROM rollout r WHERE state IN ('running', 'paused', 'aborting', 'rolling_back') OR (state = 'completed' AND"
        " EXISTS (SELECT 1 FROM attempt WHERE rollout = r.id AND open)) ORDER BY id"
    )
    return [row[0] for row in rows]


def load(db: Driver, rollout: int, now: float) -> RolloutSnapshot:
    """Read one rollout for one run of the engine."""
    columns = ", ".join(_RolloutRow._fields)
    row = _RolloutRow._make(db.execute(f"SELECT {columns} FROM rollout WHERE id = ?", (rollout,)).fetchone())  # noqa: S608 (fixed)
    state = RolloutState(row.state)
    parts = stored_parts.of_rollout(db, rollout, row.slot, row.package)
    slot, is_bundle = parts[0].slot, len(parts) > 1
    terms = stored_terms.read(json.loads(row.terms), row.priority)
    waves = _waves(db, rollout, json.loads(row.plans))
    chosen = _chosen_attempts(state, waves, terms, is_bundle=is_bundle)
    settled = _settled(db, rollout, chosen, slot)
    context = LoadContext(slot, state, terms, exclusions.excluded(db, now), now)
    if is_bundle:
        attempts, facts = _read_bundle_attempts(db, rollout, chosen, context, parts)
    else:
        attempts, facts = read_attempts(db, rollout, chosen, context)
    policy = json.loads(row.policy)
    value = Rollout(
        id=rollout,
        digest=name_of(parts),
        state=state,
        gate=stored_terms.gate(json.loads(row.gate)),
        waves=tuple(replace(wave, **settled[wave.index]) for wave in waves),
        attempts=attempts,
        wave_timeout_s=row.wave_timeout_s,
        changed_at=row.changed_at,
        terms=terms,
        offered_lately=_offered_lately(db, rollout, attempts, now) if terms.rate else 0,
        atomic=is_bundle,
    )
    return RolloutSnapshot(value, facts, parts, TrialTerms(**policy))


_WAVE_COLUMNS: Final = {
    "index": '"index"',
    "name": "name",
    "state": "state",
    "total": "total",
    "started_at": "coalesce(started_at, 0)",
    "soaking_at": "coalesce(soaking_at, 0)",
    "excused_reported": "excused_reported",
    "excused_failed": "excused_failed",
    "needs_approval": "approval AND approved_by IS NULL",
    "late_joiners": "late_joiners",
}
"""The SQL expression of each field of `Wave` that is a column."""


def _waves(db: Driver, rollout: int, plans: list[dict[str, Any]]) -> list[Wave]:
    """The waves of a rollout, in order. plans: of its waves, without those of late joiners."""
    columns = ", ".join(_WAVE_COLUMNS.values())
    rows = db.execute(f'SELECT {columns} FROM wave WHERE rollout = ? ORDER BY "index"', (rollout,))  # noqa: S608 (fixed names)
    waves: list[Wave] = []
    for row in rows:
        values: dict[str, Any] = dict(zip(_WAVE_COLUMNS, row, strict=True))
        values["state"] = WaveState(values["state"])
        values |= {name: bool(values[name]) for name in ("needs_approval", "late_joiners")}
        waves.append(Wave(**values, by_labels=any(plan.get("labels") for plan in plans[len(waves) : len(waves) + 1])))
    return waves


def _chosen_attempts(state: RolloutState, waves: list[Wave], terms: Terms, *, is_bundle: bool) -> AttemptFilter:
    """The attempts to read one by one. While the rollout stops: all. Else those that may still change:

    - attempts that are offered or in progress, and timed-out ones;
    - queued ones of started or skipped waves (of passed waves only where the device is online);
    - committed ones of the active wave whose device is offline, has left the version or regressed;
    - those of the next wave once the active one is about to end.
    """
    if state in (RolloutState.ABORTING, RolloutState.ROLLING_BACK):
        return AttemptFilter("a.latest", ())
    planned = [wave for wave in waves if not wave.late_joiners]
    active = next((wave for wave in planned if wave.state in WAVE_ACTIVE), None)
    following = next((wave for wave in planned if wave.state is WaveState.PENDING and wave.total), None)
    is_following_due = following is not None and (active is None or active.state is WaveState.SOAKING)
    started = [wave.index for wave in planned if wave.state in WAVE_ACTIVE | {WaveState.SKIPPED}]
    offered_on_return = [
        wave.index
        for wave in waves
        if wave.state in WAVE_ACTIVE | {WaveState.PASSED} or (terms.prestage and wave.state is WaveState.PENDING)
    ]
    watched = "l.presence != 'online' OR coalesce(s.phase, '') != 'committed' OR a.regressed != ''"
    broken = (
        f" OR (a.state IN ({_BREAKS_BUNDLE}) AND EXISTS"  # noqa: S608 (fixed words)
        " (SELECT 1 FROM assignment x WHERE x.device = a.device AND x.attempt = a.id))"
    )
    text = (
        "(a.latest AND ((a.open AND (a.state != 'queued' OR a.wave = ?)) OR a.state = 'timed_out'"
        f" OR (a.state = 'queued' AND a.wave IN ({_sql_list(started)}))"
        f" OR (a.state = 'queued' AND l.presence = 'online' AND a.wave IN ({_sql_list(offered_on_return)}))"
        f" OR (a.wave = ? AND a.state = 'committed'{'' if is_bundle else f' AND ({watched})'}){broken if is_bundle else ''}))"
    )
    return AttemptFilter(text, (following.index if following and is_following_due else -1, active.index if active else -1))


def _sql_list(indices: list[int]) -> str:
    return ", ".join(map(str, indices)) or "-1"


_BREAKS_BUNDLE: Final = ", ".join(f"'{state.value}'" for state in sorted(BREAKS_BUNDLE))


def _settled(db: Driver, rollout: int, chosen: AttemptFilter, slot: str) -> dict[int, dict[str, Any]]:
    """By wave, the fields of `Wave` about the attempts that are not read one by one."""
    rows = db.execute(
        "SELECT a.wave, a.state, a.reason, d.profile, count(*), coalesce(max(a.finished_at), 0),"
        " count(*) FILTER (WHERE a.finished_at >= r.changed_at)"
        f" {FROM_ATTEMPTS} JOIN device d ON d.id = a.device JOIN rollout r ON r.id = a.rollout WHERE a.rollout = ? AND a.latest"
        f" AND NOT {chosen.text} GROUP BY a.wave, a.state, a.reason, d.profile",
        (slot, rollout, *chosen.values),
    )
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    counts: dict[int, Counter[Outcome]] = defaultdict(Counter)
    latest: dict[int, float] = defaultdict(float)
    tested: dict[int, dict[str, TrialCounts]] = defaultdict(dict)
    for row in map(_SettledRow._make, rows):
        state = AttemptState(row.state)
        seen = tested[row.wave].setdefault(row.profile, TrialCounts(0, 0))
        if state is AttemptState.QUEUED:
            found[row.wave]["waiting"] = found[row.wave].get("waiting", 0) + row.attempts
            continue
        ended = outcome(state, row.reason)
        counts[row.wave][ended] += row.attempts
        latest[row.wave] = max(latest[row.wave], row.last_finished_at)
        if ended in REPORTED:
            failed = row.fresh if ended is Outcome.FAILED else 0
            tested[row.wave][row.profile] = TrialCounts(seen.failed + failed, seen.tried + row.fresh)
    for wave in counts:
        found[wave] |= {"settled": counts[wave], "settled_at": latest[wave]}
    for wave, by_profile in tested.items():
        found[wave]["settled_counts"] = by_profile
    return found


def _read_bundle_attempts(
    db: Driver, rollout: int, chosen: AttemptFilter, context: LoadContext, parts: tuple[BundlePart, ...]
) -> tuple[dict[str, Attempt], dict[str, DeviceFact]]:
    """`read_attempts` for several parts: the reports of a device about all parts, combined into one. While the rollout is rolled
    back, only the parts count that have a previous version."""
    by_slot = {part.slot: read_attempts(db, rollout, chosen, replace(context, slot=part.slot)) for part in parts}
    name, previous = name_of(parts), stored_parts.all_previous(db, rollout)
    attempts: dict[str, Attempt] = {}
    facts: dict[str, DeviceFact] = {}
    for key, first in by_slot[parts[0].slot][0].items():
        held = any(part_attempts[key].held for part_attempts, _ in by_slot.values())
        returning = [part for part in parts if (first.has_previous if part is parts[0] else part.slot in previous.get(key, ()))]
        attempts[key] = replace(first, held=held, has_previous=bool(returning))
        counted = returning if context.state is RolloutState.ROLLING_BACK and returning else parts
        facts[first.device] = one_fact(
            counted, {slot: part_facts[first.device] for slot, (_, part_facts) in by_slot.items()}, name
        )
    return attempts, facts


def _offered_lately(db: Driver, rollout: int, attempts: dict[str, Attempt], now: float) -> int:
    """Number of devices that were offered the version within `RAMP_S` and are not loaded."""
    counted = db.execute("SELECT count(*) FROM attempt WHERE rollout = ? AND offered_at > ?", (rollout, now - RAMP_S))
    return max(0, int(counted.fetchone()[0]) - sum(attempt.offered_at > now - RAMP_S for attempt in attempts.values()))
