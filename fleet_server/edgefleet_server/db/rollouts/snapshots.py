"""The stored history of a rollout, as input of `domain.statistics.rollout_replay`."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlmodel import col

from edgefleet_server.db.tables.rollouts import AttemptRecord, TimelineRecord, WaveRecord
from edgefleet_server.domain.outcomes import outcome
from edgefleet_server.domain.states import AttemptState
from edgefleet_server.domain.statistics.rollout_replay import AttemptHistory, TimelineEvent


def waves(connection: Connection, rollout: int) -> list[int]:
    """Indices of its waves, in order."""
    statement = select(col(WaveRecord.index)).where(col(WaveRecord.rollout) == rollout).order_by(col(WaveRecord.index))
    return list(connection.execute(statement).scalars())


def story(connection: Connection, rollout: int) -> list[TimelineEvent]:
    """Changes of the rollout and its waves, oldest first; events of single devices are in their attempts."""
    columns = (col(TimelineRecord.at), col(TimelineRecord.kind), col(TimelineRecord.wave))
    mine = (col(TimelineRecord.rollout) == rollout) & col(TimelineRecord.device).is_(None)
    rows = connection.execute(select(*columns).where(mine).order_by(col(TimelineRecord.id)))
    return [TimelineEvent(at, kind, wave) for at, kind, wave in rows]


def attempts(connection: Connection, rollout: int) -> list[AttemptHistory]:
    """The latest attempt of every device."""
    record = AttemptRecord
    columns = (col(record.wave), col(record.state), col(record.reason), col(record.offered_at), col(record.finished_at))
    rows = connection.execute(select(*columns).where(col(record.rollout) == rollout, col(record.latest).is_(True)))
    return [AttemptHistory(wave, outcome(AttemptState(state), reason), *times) for wave, state, reason, *times in rows]
