"""Input of the sequential test of a rollout (`domain.rollout.facts.evidence_of` in SQL)."""

from __future__ import annotations

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
    """`streams`: counts by profile, each of the rollout, since it last started or resumed; `in_progress`: devices among them that
    have not reported."""

    streams: dict[str, TrialCounts]
    in_progress: int


def read(connection: Connection, rollout: int) -> CountedTrials:
    """Count the attempts of the waves that have begun."""
    record = AttemptRecord
    under_test = col(WaveRecord.state) != WaveState.PENDING.value
    ended = under_test & col(record.state).in_(_REPORTED) & (col(record.finished_at) >= col(RolloutRecord.changed_at))
    started = under_test & col(record.state).in_(_STARTED)
    statement = (
        select(
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
        .group_by(col(DeviceRecord.profile))
    )
    rows = connection.execute(statement).all()
    streams = {profile: TrialCounts(failed, tried) for profile, failed, tried, _ in rows}
    return CountedTrials(streams, sum(under_way for *_, under_way in rows))
