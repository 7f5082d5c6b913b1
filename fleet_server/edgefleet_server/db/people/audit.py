"""The audit log: appends entries in the caller's transaction, reads them, verifies the chain, moves old entries to files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, insert, select
from sqlmodel import col

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_server.db.backend import append_only
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.tables.people import AuditRecord
from edgefleet_server.domain.policy.audit_chain import FIRST, AuditEntry, ChainVerdict, digest, verify

WALK_ROWS: Final = 1_000
_COLUMNS: Final = [col(getattr(AuditRecord, name)) for name in (*AuditEntry.__slots__, "previous", "digest")]


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
    last = connection.execute(
        select(col(AuditRecord.seq), col(AuditRecord.digest)).order_by(col(AuditRecord.seq).desc()).limit(1)
    ).one_or_none()
    before = (last[0], last[1]) if last else archived_to(connection)
    seq, previous = before[0] + 1, before[1]
    entry = AuditEntry(seq, at, actor, role, via, source, action, target, status, detail)
    values = {name: getattr(entry, name) for name in AuditEntry.__slots__}
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


def check(connection: Connection, expected_head: str = "") -> ChainVerdict:
    """Verify the whole chain."""
    return verify(_chain(connection), expected_head, archived_to(connection))


def _chain(connection: Connection) -> Iterator[tuple[AuditEntry, str, str]]:
    walk = select(*_COLUMNS).order_by(col(AuditRecord.seq))
    with connection.execute(walk, execution_options={"yield_per": WALK_ROWS}) as rows:
        for row in rows:
            yield AuditEntry(*row[:-2]), row[-2], row[-1]


# -- archive

ARCHIVE_ROWS: Final = 10_000
"""Entries archived in one step."""


def archived_to(connection: Connection) -> tuple[int, str]:
    """(number, digest) of the last entry that was moved to a file; (0, FIRST) if there is none."""
    row = raw(connection).execute("SELECT seq, digest FROM audit_archived ORDER BY seq DESC LIMIT 1").fetchone()
    return (int(row[0]), str(row[1])) if row else (0, FIRST)


def archive(database: Database, folder: Path, older_than: float) -> int:
    """Move entries before `older_than` to a new file of JSON lines, named by their numbers; returns the number of moved entries.

    The file is complete and synced before entries are deleted from the database. The chain continues from the last moved entry.

    Raises:
        StoreError: the disk or the database refuses; nothing was moved.
    """
    with database.read() as connection:
        old = select(*_COLUMNS).where(col(AuditRecord.at) < older_than).order_by(col(AuditRecord.seq)).limit(ARCHIVE_ROWS)
        rows = [dict(row) for row in connection.execute(old).mappings()]
    if not rows:
        return 0
    first, last = rows[0], rows[-1]
    make_folder(folder, 0o700)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    write_atomic(folder / f"{first['seq']:012d}-{last['seq']:012d}.jsonl", text.encode())
    with database.write() as connection:
        db = raw(connection)
        append_only.allow_deletes(connection, "audit")  # only this transaction may shorten the log
        db.execute("DELETE FROM audit WHERE seq <= ?", (last["seq"],))
        append_only.forbid(connection, "audit", "DELETE")
        db.execute("INSERT INTO audit_archived (seq, digest) VALUES (?, ?)", (last["seq"], last["digest"]))
    return len(rows)
