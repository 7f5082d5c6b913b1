"""Keys of rollouts: a request that is sent twice, or by two clients at once, creates one rollout."""

from __future__ import annotations

from sqlalchemy import Connection, select, update
from sqlmodel import col

from edgefleet_server.db.backend.driver import upsert
from edgefleet_server.db.tables.configurations import RolloutKeyRecord


def reserve(connection: Connection, key: str) -> int | None:
    """Reserve a key in this transaction; returns the rollout that has it already. A transaction of another process that has
    reserved the key is waited for."""
    insertion = upsert(connection, RolloutKeyRecord).values({"key": key, "rollout": None})
    once = insertion.on_conflict_do_nothing(index_elements=["key"]).returning(col(RolloutKeyRecord.key))
    return None if connection.execute(once).first() else find(connection, key)


def assign(connection: Connection, key: str, rollout: int) -> None:
    """Store the rollout of a reserved key."""
    connection.execute(update(RolloutKeyRecord).where(col(RolloutKeyRecord.key) == key).values(rollout=rollout))


def find(connection: Connection, key: str) -> int | None:
    """The rollout that was created with a key; None if there is none."""
    return connection.execute(select(col(RolloutKeyRecord.rollout)).where(col(RolloutKeyRecord.key) == key)).scalar_one_or_none()
