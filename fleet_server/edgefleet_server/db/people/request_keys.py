"""Idempotency keys: each request with a key is carried out once, by whichever process gets it first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.backend.driver import upsert
from edgefleet_server.db.tables.people import RequestKeyRecord as Record

LIFE_S: Final = 86_400.0
RUNS_S: Final = 120.0
"""Time after which a request that has stored nothing counts as lost with its process."""
OF_CALLER_MAX: Final = 1_000
"""Keys of one caller; the oldest go first."""


@dataclass(frozen=True, slots=True)
class TakenKey:
    """The request of a key, and the answer to it. `status` 0: there is none, or, while it `runs`, not yet."""

    fingerprint: str
    committed: bool
    status: int
    answer: str
    runs: bool = False


def take(connection: Connection, key: str, who: str, fingerprint: str, owner: str, now: float) -> TakenKey | None:
    """Take a key for a request; returns what is stored if another request has it."""
    connection.execute(delete(Record).where(col(Record.hash) == key, col(Record.made_at) <= now - LIFE_S))
    lost = (col(Record.status) == 0, col(Record.committed).is_(False), col(Record.runs_until) <= now)
    connection.execute(delete(Record).where(col(Record.hash) == key, *lost))
    record = Record(
        hash=key, who=who, fingerprint=fingerprint, owner=owner, made_at=now, runs_until=now + RUNS_S, committed=False, status=0,
        answer="",
    )  # fmt: skip
    insertion = upsert(connection, Record).values(record.model_dump())
    once = insertion.on_conflict_do_nothing(index_elements=["hash"]).returning(col(Record.hash))
    if connection.execute(once).first():
        held = select(col(Record.hash)).where(col(Record.who) == who).order_by(col(Record.made_at).desc())
        surplus = list(connection.execute(held.offset(OF_CALLER_MAX)).scalars())
        connection.execute(delete(Record).where(col(Record.hash).in_(surplus)))
        return None
    return find(connection, key, now) or TakenKey(fingerprint, committed=False, status=0, answer="", runs=True)


def find(connection: Connection, key: str, now: float) -> TakenKey | None:
    """Return what is stored of a key; None if no request has it."""
    columns = (col(Record.fingerprint), col(Record.committed), col(Record.status), col(Record.answer), col(Record.runs_until))
    row = connection.execute(select(*columns).where(col(Record.hash) == key)).first()
    if row is None:
        return None
    fingerprint, committed, status, answer, runs_until = row
    return TakenKey(fingerprint, committed, status, answer, runs=status == 0 and runs_until > now)


def commit(connection: Connection, key: str, owner: str) -> None:
    """Note in the transaction of the change that it is stored.

    Raises:
        ConflictError: another try has the key meanwhile.
    """
    mine = (col(Record.hash) == key, col(Record.owner) == owner)
    if not connection.execute(update(Record).where(*mine).values(committed=True)).rowcount:
        raise ConflictError("another try of this request has taken its place; send it again for the answer")


def finish(connection: Connection, key: str, owner: str, status: int, answer: str) -> None:
    """Store the answer."""
    mine = (col(Record.hash) == key, col(Record.owner) == owner)
    connection.execute(update(Record).where(*mine).values(status=status, answer=answer))


def release(connection: Connection, key: str, owner: str) -> None:
    """Forget a key whose request has changed nothing."""
    connection.execute(
        delete(Record).where(col(Record.hash) == key, col(Record.owner) == owner, col(Record.committed).is_(False))
    )


def trim(connection: Connection, now: float) -> None:
    """Delete keys beyond their life."""
    connection.execute(delete(Record).where(col(Record.made_at) <= now - LIFE_S))
