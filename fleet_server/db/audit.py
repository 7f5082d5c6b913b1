"""The audit log: appended in the transaction of its caller, read backwards, walked to verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, insert, select
from sqlmodel import col

from fleet_server.db.people_tables import AuditRecord
from fleet_server.domain.audit import FIRST, Entry, Verdict, digest, verify

WALK_ROWS: Final = 1_000
_COLUMNS: Final = [col(getattr(AuditRecord, name)) for name in (*Entry.__slots__, "previous", "digest")]


def append(
    connection: Connection,
    *,
    at: float,
    actor: str,
    role: str,
    via: str,
    source: str,
    action: str,
    target: str,
    status: int,
    detail: str,
) -> None:
    """Add an entry to the end of the chain. The caller's transaction writes, so nobody else can be adding at the same time."""
    last = connection.execute(
        select(col(AuditRecord.seq), col(AuditRecord.digest)).order_by(col(AuditRecord.seq).desc()).limit(1)
    ).one_or_none()
    seq, previous = (last[0] + 1, last[1]) if last else (1, FIRST)
    entry = Entry(seq, at, actor, role, via, source, action, target, status, detail)
    values = {name: getattr(entry, name) for name in Entry.__slots__}
    connection.execute(insert(AuditRecord), {**values, "previous": previous, "digest": digest(entry, previous)})


def newest(
    connection: Connection,
    *,
    actor: str = "",
    action: str = "",
    since_at: float | None = None,
    before_seq: int | None = None,
    limit: int = 50,
) -> list[dict[str, Any]]:
    """Entries with their digests, newest first."""
    conditions = [
        column == value for column, value in ((col(AuditRecord.actor), actor), (col(AuditRecord.action), action)) if value
    ]
    if since_at is not None:
        conditions.append(col(AuditRecord.at) >= since_at)
    if before_seq is not None:
        conditions.append(col(AuditRecord.seq) < before_seq)
    rows = connection.execute(select(*_COLUMNS).where(*conditions).order_by(col(AuditRecord.seq).desc()).limit(limit))
    return [dict(row) for row in rows.mappings()]


def check(connection: Connection, kept_head: str = "") -> Verdict:
    """Walk the whole chain."""
    return verify(_chain(connection), kept_head)


def _chain(connection: Connection) -> Iterator[tuple[Entry, str, str]]:
    rows = connection.execution_options(yield_per=WALK_ROWS).execute(select(*_COLUMNS).order_by(col(AuditRecord.seq)))
    for row in rows:
        yield Entry(*row[:-2]), row[-2], row[-1]
