"""Input of the sequential test of a rollout (`domain.rollout.facts.evidence_of` in SQL)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, func, or_, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceRecord
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord, WaveRecord
from edgefleet_server.domain.states import FAILED, REPORTED, STARTED, WaveState
from edgefleet_server.domain.statistics.sequential_test import TrialCounts

_FAILED = [state.value for state in FAILED]
_REPORTED = [state.value for state in REPORTED]
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
    ended = under_test & col(record.state).in_(_REPORTED) & (col(record.finished_at) >= col(RolloutRecord.changed_at))
    started = under_test & col(record.state).in_(_STARTED)
    statement = (
        select(
            col(record.wave),
            col(DeviceRecord.profile),
            func.count().filter(ended & col(record.state).in_(_FAILED)),
            func.count().filter(or_(ended, started)),
            func.count().filter(started),
        )
        .select_from(record)
        .join(DeviceRecord, col(DeviceRecord.id) == col(record.device))
        .join(RolloutRecord, col(RolloutRecord.id) == col(record.rollout))
        .join(WaveRecord, (col(WaveRecord.rollout) == col(record.rollout)) & (col(WaveRecord.index) == col(record.wave)))
        .where(col(record.rollout) == rollout, col(record.latest).is_(True))
        .group_by(col(record.wave), col(DeviceRecord.profile))
        .order_by(col(record.wave))
    )
    waves: dict[int, dict[str, TrialCounts]] = defaultdict(dict)
    in_progress = 0
    for wave, profile, failed, tried, under_way in connection.execute(statement):
        waves[wave][profile] = TrialCounts(failed, tried)
        in_progress += under_way
    return CountedTrials(list(waves.values()), in_progress)
