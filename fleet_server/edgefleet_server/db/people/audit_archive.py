"""Archived entries of the audit log: moves old entries to files, and reads them for the verification of the chain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, select
from sqlmodel import col

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_server.db.backend import append_only
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.tables.people import AuditRecord
from edgefleet_server.domain.policy.audit_chain import FIRST, AuditEntry

FOLDER: Final = "audit"
"""In the data folder."""
ARCHIVE_ROWS: Final = 10_000
"""Entries archived in one step."""
LINE_CHARS_MAX: Final = 1024 * 1024
COLUMNS: Final = [col(getattr(AuditRecord, name)) for name in (*AuditEntry.__slots__, "previous", "digest")]
RESTORE: Final = "restore this file from a backup"


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
        old = select(*COLUMNS).where(col(AuditRecord.at) < older_than).order_by(col(AuditRecord.seq)).limit(ARCHIVE_ROWS)
        rows = [dict(row) for row in connection.execute(old).mappings()]
    if not rows:
        return 0
    first, last = rows[0], rows[-1]
    make_folder(folder, 0o700)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    write_atomic(folder / _name(first["seq"], last["seq"]), text.encode())
    with database.write() as connection:
        db = raw(connection)
        append_only.allow_deletes(connection, "audit")  # only this transaction may shorten the log
        db.execute("DELETE FROM audit WHERE seq <= ?", (last["seq"],))
        append_only.forbid(connection, "audit", "DELETE")
        db.execute("INSERT INTO audit_archived (seq, digest) VALUES (?, ?)", (last["seq"], last["digest"]))
    return len(rows)


def archived_chain(connection: Connection, folder: Path) -> Iterator[tuple[AuditEntry, str, str] | str]:
    """The archived entries, oldest first, for `verify`; a text where a file is missing or is not the one that was written."""
    before = 0
    for seq, digest in raw(connection).execute("SELECT seq, digest FROM audit_archived ORDER BY seq").fetchall():
        file = folder / _name(before + 1, seq)
        try:
            with file.open(encoding="utf-8") as lines:
                found = (before, FIRST)
                while line := lines.readline(LINE_CHARS_MAX):
                    link = _link(line)
                    if link is None:
                        yield f"{file.name}: line {found[0] - before + 1} is not an entry; {RESTORE}"
                        return
                    yield link
                    found = (link[0].seq, link[2])
        except (OSError, UnicodeDecodeError) as error:
            text = error.strerror if isinstance(error, OSError) else "it is not text"
            yield f"entries {before + 1} to {seq} cannot be read: {file.name}: {text}; {RESTORE}"
            return
        if found != (seq, digest):
            yield f"{file.name} does not end with the entry {seq} that was archived; {RESTORE}"
            return
        before = seq


def _link(line: str) -> tuple[AuditEntry, str, str] | None:
    """An entry and its digests of one line; None if it is none."""
    try:
        row = json.loads(line)
        return AuditEntry(*(row[name] for name in AuditEntry.__slots__)), str(row["previous"]), str(row["digest"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _name(first: int, last: int) -> str:
    return f"{first:012d}-{last:012d}.jsonl"
