"""The processes of one server: each reports itself and its counters every few seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, select
from sqlmodel import col

from edgefleet_server.db.backend.driver import upsert
from edgefleet_server.db.tables.core import MemberRecord, columns_of

ALIVE_S: Final = 10.0
"""A process without a report for this long does not count as alive."""
RETENTION_S: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Member:
    """One process. `broker_up_at`: wall time since which it is connected to the broker, 0 = it is not. `ingests`: it ingests
    messages."""

    id: str
    role: str
    host: str
    pid: int
    version: str
    started_at: float
    seen_at: float
    leads: bool = False
    ingests: bool = False
    broker_up_at: float = 0.0
    messages: int = 0
    refused: int = 0
    waiting: int = 0
    samples_per_s: float = 0.0
    wait_p50_s: float = 0.0
    wait_p99_s: float = 0.0
    broadcasts: int = 0
    sent_alone: int = 0
    sent_bytes: int = 0


def report(connection: Connection, member: Member) -> None:
    """Store the report of a process."""
    values = {name: getattr(member, name) for name in Member.__slots__}
    statement = upsert(connection, MemberRecord).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=values))


def leave(connection: Connection, member: str, now: float) -> None:
    """Remove a process that ends, and those without a report for `RETENTION_S`."""
    connection.execute(
        delete(MemberRecord).where((col(MemberRecord.id) == member) | (col(MemberRecord.seen_at) < now - RETENTION_S))
    )


def alive(connection: Connection, now: float) -> list[Member]:
    """Processes with a recent report, oldest first."""
    statement = select(*columns_of(MemberRecord)).where(col(MemberRecord.seen_at) > now - ALIVE_S)
    return [Member(**row) for row in connection.execute(statement.order_by(col(MemberRecord.started_at))).mappings()]


def ingest_up_at(members: Sequence[Member]) -> float:
    """Wall time since which at least one process has been ingesting messages; 0 = none does."""
    return min((member.broker_up_at for member in members if member.ingests and member.broker_up_at), default=0.0)
