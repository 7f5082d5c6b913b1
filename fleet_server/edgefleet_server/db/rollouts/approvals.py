"""Approvals by users: of waves, and of rollouts that need a second person."""

from __future__ import annotations

from sqlalchemy import Connection, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import timeline
from edgefleet_server.db.tables.rollouts import RolloutRecord, WaveRecord
from edgefleet_server.domain.states import ROLLOUT_AT_WORK, RolloutState, WaveState

LOCAL_OPERATOR = "a local user"


def approve_wave(connection: Connection, rollout: int, wave: int, by: str, reason: str, now: float) -> None:
    """Approve a wave; it starts when it is due.

    Raises:
        NotFoundError: there is no such wave.
        ConflictError: the wave does not wait for an approval.
    """
    found = connection.execute(
        select(col(WaveRecord.name), col(WaveRecord.state), col(WaveRecord.approval), col(WaveRecord.approved_by)).where(
            col(WaveRecord.rollout) == rollout, col(WaveRecord.index) == wave
        )
    ).one_or_none()
    if found is None:
        raise NotFoundError(f"rollout {rollout} has no wave {wave}; `edgefleet rollout show {rollout}` lists its waves")
    name, state, needs_approval, approved_by = found
    if not needs_approval or approved_by is not None or state != WaveState.PENDING.value:
        raise ConflictError(f"wave {name!r} is not waiting for approval")
    if RolloutState(_row(connection, rollout)[1]) not in ROLLOUT_AT_WORK:
        raise ConflictError(f"rollout {rollout} is not running; start or resume it first")
    connection.execute(
        update(WaveRecord)
        .where(col(WaveRecord.rollout) == rollout, col(WaveRecord.index) == wave)
        .values(approved_by=by or LOCAL_OPERATOR)
    )
    text = f"Wave {name!r} was approved by {by or LOCAL_OPERATOR}" + (f": {reason}" if reason else "")
    timeline.add(raw(connection), rollout, now, "wave_approved", text, wave=wave)


def check_second(connection: Connection, rollout: int, by: str) -> None:
    """Check that `by` may be the second person.

    Raises:
        NotFoundError: there is no such rollout.
        ConflictError: `by` created the rollout, or is empty.
    """
    created_by, _ = _row(connection, rollout)
    if not by:
        raise ConflictError("approval by a second person requires users; add them with `edgefleet user add` and sign in")
    if created_by == by:
        raise ConflictError(f"rollout {rollout} was created by {by}; another user must approve it")


def _row(connection: Connection, rollout: int) -> tuple[str, str]:
    found = connection.execute(
        select(col(RolloutRecord.created_by), col(RolloutRecord.state)).where(col(RolloutRecord.id) == rollout)
    ).one_or_none()
    if found is None:
        raise NotFoundError(f"no rollout {rollout}; `edgefleet rollout list` lists the rollouts")
    return found[0], found[1]
