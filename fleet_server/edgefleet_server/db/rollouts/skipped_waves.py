"""Skips waves on behalf of an operator. The engine withdraws their offers (`domain.rollout.engine`)."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, func, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import timeline
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord, WaveRecord
from edgefleet_server.domain.states import RolloutState, WaveState

LOCAL_OPERATOR: Final = "the operator"
_OVER: Final = {WaveState.PASSED.value: "has passed", WaveState.SKIPPED.value: "is already skipped"}
_STEERABLE: Final = (RolloutState.RUNNING.value, RolloutState.PAUSED.value)


def skip_wave(connection: Connection, rollout: int, wave: int, by: str, reason: str, now: float) -> None:
    """Skip a wave: its devices keep what they run, except those on trial or updated; the next wave may start.

    Raises:
        NotFoundError: there is no such rollout or wave.
        ConflictError: the rollout is not in progress, or the wave is over, or it is the late-joiner wave.
    """
    state = connection.execute(select(col(RolloutRecord.state)).where(col(RolloutRecord.id) == rollout)).scalar_one_or_none()
    if state is None:
        raise NotFoundError(f"no rollout {rollout}; `edgefleet rollout list` lists the rollouts")
    here = (col(WaveRecord.rollout) == rollout) & (col(WaveRecord.index) == wave)
    found = connection.execute(
        select(col(WaveRecord.name), col(WaveRecord.state), col(WaveRecord.late_joiners)).where(here)
    ).one_or_none()
    if found is None:
        raise NotFoundError(f"rollout {rollout} has no wave {wave}; `edgefleet rollout show {rollout}` lists its waves")
    name, now_is, late_joiners = found
    if state not in _STEERABLE:
        raise ConflictError(f"rollout {rollout} is {state}; a wave can be skipped while it is running or paused")
    if late_joiners:
        raise ConflictError(f"wave {name!r} is for late joiners and cannot be skipped; pause or abort the rollout instead")
    if now_is in _OVER:
        raise ConflictError(f"wave {name!r} {_OVER[now_is]}; nothing is left to skip")
    connection.execute(update(WaveRecord).where(here).values(state=WaveState.SKIPPED.value, finished_at=now))
    mine = (col(AttemptRecord.rollout) == rollout) & (col(AttemptRecord.wave) == wave) & col(AttemptRecord.latest).is_(True)
    open_count = connection.execute(
        select(func.count()).select_from(AttemptRecord).where(mine, col(AttemptRecord.open).is_(True))
    ).scalar_one()
    skipped = f"Wave {name!r} was skipped by {by or LOCAL_OPERATOR}" + (f": {reason}" if reason else "")
    text = f"{skipped}; {open_count} device{'' if open_count == 1 else 's'} not updated"
    timeline.add(raw(connection), rollout, now, "wave_skipped", text, wave=wave)
