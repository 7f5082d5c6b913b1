"""Input of the sequential test of a rollout (`domain.rollout.facts.evidence_of` in SQL)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceRecord
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord, WaveRecord
from edgefleet_server.domain.outcomes import REPORTED, Outcome, outcome
from edgefleet_server.domain.states import OPEN, STARTED, AttemptState, WaveState
from edgefleet_server.domain.statistics.sequential_test import TrialCounts

_STARTED = [state.value for state in STARTED]


@dataclass(frozen=True, slots=True)
class CountedTrials:
    """`waves`: counts of each wave by profile, since the rollout last started or resumed; `in_progress`: devices among them that
    have not reported."""

    waves: list[dict[str, TrialCounts]]
    in_progress: int


def read(connection: Connection, rollout: int) -> CountedTrials:
    """Count the attempts of the waves that have begun."""
    record = AttemptRecord
    under_test = col(WaveRecord.state) != WaveState.PENDING.value
    ended = under_test & col(record.open).is_(False) & (col(record.finished_at) >= col(RolloutRecord.changed_at))
    started = under_test & col(record.state).in_(_STARTED)
    statement = (
        select(
            col(record.wave),
            col(DeviceRecord.profile),
            col(record.state),
            col(record.reason),
            func.count().filter(or_(ended, started)),
        )
        .select_from(record)
        .join(DeviceRecord, col(DeviceRecord.id) == col(record.device))
        .join(RolloutRecord, col(RolloutRecord.id) == col(record.rollout))
        .join(WaveRecord, (col(WaveRecord.rollout) == col(record.rollout)) & (col(WaveRecord.index) == col(record.wave)))
        .where(col(record.rollout) == rollout, col(record.latest).is_(True))
        .group_by(col(record.wave), col(DeviceRecord.profile), col(record.state), col(record.reason))
        .order_by(col(record.wave))
    )
    waves: dict[int, dict[str, TrialCounts]] = defaultdict(dict)
    in_progress = 0
    for wave, profile, name, reason, number in connection.execute(statement):
        state = AttemptState(name)
        found = outcome(state, reason)
        seen = waves[wave].setdefault(profile, TrialCounts(0, 0))
        if state in OPEN or found in REPORTED:
            failed = number if found is Outcome.FAILED else 0
            waves[wave][profile] = TrialCounts(seen.failed + failed, seen.tried + number)
            in_progress += number if state in OPEN else 0
    return CountedTrials(list(waves.values()), in_progress)
