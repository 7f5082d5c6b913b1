"""Input of the sequential test of a rollout (`domain.rollout.facts.sequential_counts` in SQL)."""

from __future__ import annotations

from sqlalchemy import Connection, func, or_, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceRecord
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord
from edgefleet_server.domain.states import FAILED, REPORTED, STARTED
from edgefleet_server.domain.statistics.sequential_test import TrialCounts

_FAILED = [state.value for state in FAILED]
_REPORTED = [state.value for state in REPORTED]
_STARTED = [state.value for state in STARTED]


def streams(connection: Connection, rollout: int) -> dict[str, TrialCounts]:
    """Counts by profile, since the rollout last started or resumed."""
    record = AttemptRecord
    ended = col(record.state).in_(_REPORTED) & (col(record.finished_at) >= col(RolloutRecord.changed_at))
    statement = (
        select(col(DeviceRecord.profile), func.count().filter(col(record.state).in_(_FAILED)), func.count())
        .join(DeviceRecord, col(DeviceRecord.id) == col(record.device))
        .join(RolloutRecord, col(RolloutRecord.id) == col(record.rollout))
        .where(col(record.rollout) == rollout, col(record.latest).is_(True), or_(ended, col(record.state).in_(_STARTED)))
        .group_by(col(DeviceRecord.profile))
    )
    return {profile: TrialCounts(failed, tried) for profile, failed, tried in connection.execute(statement)}
