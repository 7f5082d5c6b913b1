"""Counts over all attempts of a rollout. Their cost grows with the number of devices, unlike that of its other columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select
from sqlmodel import col

from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import sequential_counts
from edgefleet_server.db.rollouts.sequential_counts import CountedTrials
from edgefleet_server.db.tables.rollouts import AttemptRecord
from edgefleet_server.domain.outcomes import Outcome, outcome
from edgefleet_server.domain.rollout.gates import RolloutGate
from edgefleet_server.domain.states import HAS_VERSION, AttemptState
from edgefleet_server.domain.statistics.regression_check import CONTROLS_MIN, ComparedDevices


@dataclass(frozen=True, slots=True)
class RolloutFigures:
    """By wave: `counts` of attempts by state, `outcomes` of the same by outcome, `unreachable` devices. `tested`: counts of the
    sequential test; None if the rollout does not run. `compared`: by wave."""

    counts: Mapping[int, Counter[AttemptState]]
    outcomes: Mapping[int, Counter[Outcome]]
    unreachable: Mapping[int, int]
    tested: CountedTrials | None
    compared: Mapping[int, ComparedDevices] = field(default_factory=dict)

    @property
    def attempts(self) -> int:
        """Number of counted attempts."""
        return sum(counts.total() for counts in self.counts.values())


def read(connection: Connection, rollout: int, gate: RolloutGate, now: float, *, running: bool) -> RolloutFigures:
    """Count. `gate`: of the rollout; `now`: wall time."""
    counts, outcomes = by_state(connection, rollout)
    unreachable = _unreachable(connection, rollout, now - gate.offline_s)
    tested = sequential_counts.read(connection, rollout) if running else None
    committed = {wave: sum(by[state] for state in HAS_VERSION) for wave, by in counts.items()}
    compared = {wave: ComparedDevices(number) for wave, number in committed.items() if number}
    if compared and gate.regressions is not None:
        compared = _compared(connection, rollout)
    return RolloutFigures(counts, outcomes, unreachable, tested, compared)


def by_state(connection: Connection, rollout: int) -> tuple[dict[int, Counter[AttemptState]], dict[int, Counter[Outcome]]]:
    """Number of attempts by wave and state, and by wave and outcome."""
    record = AttemptRecord
    rows = connection.execute(
        select(col(record.wave), col(record.state), col(record.reason), func.count())
        .where(col(record.rollout) == rollout, col(record.latest).is_(True))
        .group_by(col(record.wave), col(record.state), col(record.reason))
    )
    counts: dict[int, Counter[AttemptState]] = defaultdict(Counter)
    outcomes: dict[int, Counter[Outcome]] = defaultdict(Counter)
    for wave, state, reason, number in rows:
        counts[wave][AttemptState(state)] += number
        outcomes[wave][outcome(AttemptState(state), reason)] += number
    return counts, outcomes


def _compared(connection: Connection, rollout: int) -> dict[int, ComparedDevices]:
    """By wave, the devices that have the version and how they were compared."""
    others = col(AttemptRecord.controls)
    rows = connection.execute(
        select(
            col(AttemptRecord.wave),
            func.count(),
            func.count(others),
            func.count(others).filter(others < CONTROLS_MIN),
            func.min(others),
        )
        .where(
            col(AttemptRecord.rollout) == rollout,
            col(AttemptRecord.latest).is_(True),
            col(AttemptRecord.state).in_([state.value for state in HAS_VERSION]),
        )
        .group_by(col(AttemptRecord.wave))
    )
    return {wave: ComparedDevices(committed, compared, past, fewest or 0) for wave, committed, compared, past, fewest in rows}


def _unreachable(connection: Connection, rollout: int, edge_at: float) -> dict[int, int]:
    """By wave, the number of unreachable devices (`domain.rollout.facts.is_unreachable` in SQL).

    It begins with the devices that are away, which are few: CROSS JOIN fixes that order for SQLite.
    """
    rows = raw(connection).execute(
        "WITH away AS MATERIALIZED (SELECT device FROM device_last WHERE presence != 'online' AND presence_at <= :edge)"
        " SELECT a.wave, count(*) FROM away CROSS JOIN attempt a CROSS JOIN wave w WHERE a.device = away.device"
        ' AND a.rollout = :rollout AND w.rollout = a.rollout AND w."index" = a.wave AND a.latest'
        " AND a.state IN ('offered', 'queued') AND coalesce(a.offered_at, w.started_at) <= :edge GROUP BY a.wave",
        {"edge": edge_at, "rollout": rollout},
    )
    return {row[0]: row[1] for row in rows}
