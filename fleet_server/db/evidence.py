"""What the sequential test of a rollout looks at (`domain.facts.evidence_of`, for all attempts at once)."""

from __future__ import annotations

from sqlalchemy import Connection, func, or_, select
from sqlmodel import col

from fleet_server.db.tables import AttemptRecord, Device, RolloutRecord
from fleet_server.domain.evidence import Evidence
from fleet_server.domain.states import FAILED, REPORTED, STARTED

_FAILED = [state.value for state in FAILED]
_REPORTED = [state.value for state in REPORTED]
_STARTED = [state.value for state in STARTED]


def streams(connection: Connection, rollout: int) -> dict[str, Evidence]:
    """By profile, since the rollout last began to run."""
    record = AttemptRecord
    ended = col(record.state).in_(_REPORTED) & (col(record.finished_at) >= col(RolloutRecord.changed_at))
    statement = (
        select(col(Device.profile), func.count().filter(col(record.state).in_(_FAILED)), func.count())
        .join(Device, col(Device.id) == col(record.device))
        .join(RolloutRecord, col(RolloutRecord.id) == col(record.rollout))
        .where(col(record.rollout) == rollout, col(record.latest).is_(True), or_(ended, col(record.state).in_(_STARTED)))
        .group_by(col(Device.profile))
    )
    return {profile: Evidence(failed, tried) for profile, failed, tried in connection.execute(statement)}
