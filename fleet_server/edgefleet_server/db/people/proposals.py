"""Stores proposals and their decisions. Each state change is conditional on the state before it, so each is decided
once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.tables.core import columns_of
from edgefleet_server.db.tables.proposals import ProposalRecord
from edgefleet_server.domain.policy import proposals as policy
from edgefleet_server.domain.policy.proposals import ProposalState
from edgefleet_server.domain.policy.roles import Role

Record = dict[str, Any]
PENDING: Final = ProposalState.PENDING.value


@dataclass(frozen=True, slots=True)
class Reader:
    """The rows that a caller sees: all proposals of operations that are not only for administrators, or with `token` only
    its own."""

    role: Role
    token: str = ""

    def condition(self) -> ColumnElement[bool]:
        """The condition of the rows."""
        if self.token:
            return col(ProposalRecord.token) == self.token
        if self.role is Role.ADMIN:
            return col(ProposalRecord.id) > 0
        return col(ProposalRecord.needed) != Role.ADMIN.value


def add(connection: Connection, record: Record, now: float) -> int:
    """Store a new proposal; returns its id. Old ones are deleted.

    Raises:
        ConflictError: too many wait for a decision.
    """
    _expire(connection, now)
    _delete_old(connection, now)
    waiting = select(func.count()).select_from(ProposalRecord).where(col(ProposalRecord.state) == PENDING)
    own = int(connection.execute(waiting.where(col(ProposalRecord.token) == record["token"])).scalar_one())
    if own >= policy.PENDING_OF_TOKEN:
        raise ConflictError(
            f"{own} proposals of this API token wait for a decision, the maximum; let a user decide on them first"
        )
    if int(connection.execute(waiting).scalar_one()) >= policy.PENDING_MAX:
        raise ConflictError(f"{policy.PENDING_MAX} proposals wait for a decision, the maximum; let users decide on them first")
    values = {**record, "state": PENDING, "made_at": now, "expires_at": now + policy.LIFE_S}
    rest = {"decided_at": None, "decided_by": "", "reason": "", "status": 0, "outcome": ""}
    made = connection.execute(insert(ProposalRecord).returning(col(ProposalRecord.id)), {**values, **rest}).scalar_one()
    assert made is not None
    return made


def page(
    connection: Connection, reader: Reader, states: Sequence[str], offset: int, limit: int, now: float
) -> tuple[list[Record], int]:
    """Proposals that the caller sees, newest first, and their number."""
    condition = reader.condition()
    if states:
        condition = and_(condition, or_(*(_in_state(state, now) for state in states)))
    total = connection.execute(select(func.count()).select_from(ProposalRecord).where(condition)).scalar_one()
    query = select(*columns_of(ProposalRecord)).where(condition).order_by(col(ProposalRecord.id).desc())
    rows = connection.execute(query.offset(offset).limit(limit)).mappings()
    return [_current(dict(row), now) for row in rows], int(total)


def find(connection: Connection, proposal: int, reader: Reader, now: float) -> Record:
    """One proposal.

    Raises:
        NotFoundError: there is none with this id that the caller sees.
    """
    query = select(*columns_of(ProposalRecord)).where(col(ProposalRecord.id) == proposal, reader.condition())
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"no proposal {proposal}; `edgefleet proposal list` lists the proposals")
    return _current(dict(row), now)


def decide(connection: Connection, proposal: int, state: ProposalState, by: str, reason: str, now: float) -> None:
    """Begin the approval (state `approving`) or reject it.

    Raises:
        ConflictError: it does not wait for a decision.
    """
    before = [PENDING]
    if state is ProposalState.REJECTED:
        before.append(ProposalState.APPROVING.value)  # one whose request was interrupted can only be closed
    waits = (col(ProposalRecord.id) == proposal, col(ProposalRecord.state).in_(before), col(ProposalRecord.expires_at) > now)
    values = {"state": state.value, "decided_by": by, "decided_at": now, "reason": reason}
    if connection.execute(update(ProposalRecord).where(*waits).values(values)).rowcount:
        return
    found = find(connection, proposal, Reader(Role.ADMIN), now)
    by_whom = f" by {found['decided_by']}" if found["decided_by"] else ""
    raise ConflictError(f"proposal {proposal} is {found['state']}{by_whom}; only a pending one can be decided")


def carried_out(connection: Connection, proposal: int, status: int) -> None:
    """Mark a proposal as approved, in the transaction of its change.

    Raises:
        ConflictError: it is not being approved.
    """
    values = {"state": ProposalState.APPROVED.value, "status": status}
    if not _settle(connection, proposal, (ProposalState.APPROVING,), values):
        raise ConflictError(f"proposal {proposal} was decided meanwhile")


def finish(connection: Connection, proposal: int, state: ProposalState, status: int, outcome: str) -> None:
    """Store what became of an approved request; a change that is stored stays approved."""
    values: Record = {"status": status, "outcome": outcome[: policy.OUTCOME_CHARS_MAX]}
    _settle(connection, proposal, (ProposalState.APPROVING,), {**values, "state": state.value})
    _settle(connection, proposal, (ProposalState.APPROVED,), values)


def release(connection: Connection, proposal: int) -> None:
    """Let a proposal wait for a decision again: its request could not be tried."""
    values = {"state": PENDING, "decided_by": "", "decided_at": None, "reason": ""}
    _settle(connection, proposal, (ProposalState.APPROVING,), values)


def withdraw(connection: Connection, tokens: Sequence[str], now: float) -> None:
    """Reject the pending proposals of API tokens that are revoked."""
    values = {"state": ProposalState.REJECTED.value, "decided_at": now, "reason": "the API token was revoked"}
    waits = (col(ProposalRecord.token).in_(tokens), col(ProposalRecord.state) == PENDING)
    connection.execute(update(ProposalRecord).where(*waits).values(values))


def _settle(connection: Connection, proposal: int, before: Sequence[ProposalState], values: Record) -> bool:
    waits = (col(ProposalRecord.id) == proposal, col(ProposalRecord.state).in_([state.value for state in before]))
    return bool(connection.execute(update(ProposalRecord).where(*waits).values(values)).rowcount)


def _current(record: Record, now: float) -> Record:
    """The record with its present state: a pending one expires by time."""
    if record["state"] == PENDING and record["expires_at"] <= now:
        record["state"] = ProposalState.EXPIRED.value
    return record


def _in_state(state: str, now: float) -> ColumnElement[bool]:
    pending, expires_at = col(ProposalRecord.state) == PENDING, col(ProposalRecord.expires_at)
    if state == PENDING:
        return and_(pending, expires_at > now)
    if state == ProposalState.EXPIRED.value:
        return or_(col(ProposalRecord.state) == state, and_(pending, expires_at <= now))
    return col(ProposalRecord.state) == state


def _expire(connection: Connection, now: float) -> None:
    late = (col(ProposalRecord.state) == PENDING, col(ProposalRecord.expires_at) <= now)
    connection.execute(
        update(ProposalRecord).where(*late).values(state=ProposalState.EXPIRED.value, decided_at=col(ProposalRecord.expires_at))
    )


def _delete_old(connection: Connection, now: float) -> None:
    newest = int(connection.execute(select(func.max(col(ProposalRecord.id)))).scalar_one() or 0)
    # The newest stays, because SQLite would give its id to the next one.
    decided = and_(col(ProposalRecord.state) != PENDING, col(ProposalRecord.id) < newest)
    old = (decided, col(ProposalRecord.made_at) < now - policy.STORED_S)
    connection.execute(delete(ProposalRecord).where(*old))
    surplus = select(col(ProposalRecord.id)).where(decided).order_by(col(ProposalRecord.id).desc()).offset(policy.STORED_MAX)
    connection.execute(delete(ProposalRecord).where(col(ProposalRecord.id).in_(list(connection.execute(surplus).scalars()))))
