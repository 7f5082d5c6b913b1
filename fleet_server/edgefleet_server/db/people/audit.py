"""The audit log: appends entries in the caller's transaction, reads them, verifies the chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain as joined
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, insert, select
from sqlmodel import col

from edgefleet_server.db.people.audit_archive import COLUMNS, archived_chain, archived_to
from edgefleet_server.db.tables.people import AuditRecord
from edgefleet_server.domain.policy.audit_chain import AuditEntry, ChainVerdict, digest, verify
from edgefleet_server.domain.policy.hidden_secrets import text_without_secrets

WALK_ROWS: Final = 1_000
EntryContent = tuple[float, str, str, str, str, str, str, int, str]
"""An `AuditEntry` without its number."""


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
    """Add an entry to the end of the chain. The caller's transaction excludes other writers."""
    append_all(connection, [(at, actor, role, via, source, action, target, status, detail)])


def append_all(connection: Connection, contents: Iterable[EntryContent]) -> None:
    """Add entries to the end of the chain, without the secrets that their texts have: an entry is never deleted. The caller's
    transaction excludes other writers."""
    last = connection.execute(
        select(col(AuditRecord.seq), col(AuditRecord.digest)).order_by(col(AuditRecord.seq).desc()).limit(1)
    ).one_or_none()
    before = (last[0], last[1]) if last else archived_to(connection)
    previous, rows = before[1], []
    for seq, content in enumerate(contents, before[0] + 1):
        entry = AuditEntry(seq, *content)
        entry = replace(entry, target=text_without_secrets(entry.target), detail=text_without_secrets(entry.detail))
        values = {name: getattr(entry, name) for name in AuditEntry.__slots__}
        rows.append({**values, "previous": previous, "digest": digest(entry, previous)})
        previous = rows[-1]["digest"]
    if rows:
        connection.execute(insert(AuditRecord), rows)


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
    rows = connection.execute(select(*COLUMNS).where(*conditions).order_by(col(AuditRecord.seq).desc()).limit(limit))
    return [dict(row) for row in rows.mappings()]


def check(connection: Connection, expected_head: str = "", archive: Path | None = None) -> ChainVerdict:
    """Verify the whole chain. archive: the folder of archived entries; without it, the chain begins after them."""
    if archive is None:
        return verify(_chain(connection), expected_head, archived_to(connection))
    return verify(joined(archived_chain(connection, archive), _chain(connection)), expected_head)


def _chain(connection: Connection) -> Iterator[tuple[AuditEntry, str, str]]:
    walk = select(*COLUMNS).order_by(col(AuditRecord.seq))
    with connection.execute(walk, execution_options={"yield_per": WALK_ROWS}) as rows:
        for row in rows:
            yield AuditEntry(*row[:-2]), row[-2], row[-1]
