"""Checks of an SQLite file: what is damaged (tables, indexes, the list of free pages), and what to do about it.

SQLite has no checksums: changed bytes inside a value stay unseen, everything that holds the pages together is checked.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import StoreError

QUICK_S_MAX: Final = 5.0
QUICK_BYTES_MAX: Final = 1024**3
"""Limits of the check at a start. Older versions of SQLite do not look at the clock within a table."""
STEPS: Final = 10_000
"""Instructions of SQLite between two readings of the clock: about a millisecond."""
NAMED_MAX: Final = 5
DESCRIPTORS: Final = "/proc/self/fd"
INTERRUPTED: Final = ["interrupted"]
CORRUPT: Final = 11
NOT_A_DATABASE: Final = 26
"""Result codes of SQLite for a damaged file."""
_TEXTS: Final = ("malformed", "file is not a database", "unsupported file format")


@dataclass(frozen=True, slots=True)
class Damage:
    """The damaged parts of a file. `whole`: the header or the schema, so that nothing can be read; `tables`, `indexes`: their
    names; `orphans`: tables with rows that refer to rows that do not exist; `detail`: SQLite's first message."""

    whole: bool = False
    tables: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    orphans: tuple[str, ...] = ()
    detail: str = ""

    def text(self, path: Path) -> str:
        """The damaged parts, and what to do: half a sentence."""
        if self.whole:
            return f"the header or the schema is damaged ({self.detail}); {RESTORE}"
        if self.tables:
            return f"damaged: {_listed('table', self.tables)} ({self.detail}); {RESTORE}, or save the rest with {RECOVER}"
        if self.orphans:
            return f"{_listed('table', self.orphans)} refers to missing rows; {RESTORE}"
        if self.indexes:
            copy = f"`sqlite3 {path} .dump | sqlite3 {path}.new`"
            return f"damaged: {_listed('index', self.indexes)}, no row is lost; with the server stopped, run {copy}, rename it"
        command = f"`sqlite3 {path} VACUUM`"
        return f"damaged: the list of free pages ({self.detail}), no row is lost; with the server stopped, run {command}"


RESTORE: Final = "with the server stopped, restore the last backup with `edgefleet restore`"
RECOVER: Final = "sqlite3's `.recover`"


def is_damage(error: BaseException) -> bool:
    """Whether an error of the driver means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)  # since Python 3.11
    if code is not None:
        return code & 0xFF in (CORRUPT, NOT_A_DATABASE)
    return isinstance(error, sqlite3.DatabaseError) and any(text in str(error) for text in _TEXTS)


def quick_check(path: Path, seconds_max: float = QUICK_S_MAX, bytes_max: int = QUICK_BYTES_MAX) -> Damage | None:
    """The damage of the structure of a file, without a comparison of indexes with their tables. None: sound, or larger than
    `bytes_max` or the time allow; then damage is found when it is read.

    Raises:
        StoreError: it cannot be opened.
    """
    if path.stat().st_size > bytes_max:
        return None
    deadline = time.monotonic() + seconds_max
    with _opened(path) as db:
        db.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        sound = _messages(db, "PRAGMA quick_check(1)") in ([], INTERRUPTED)
    return None if sound else full_check(path)


def full_check(path: Path) -> Damage | None:
    """The damage of a file: structure, indexes against tables, and references between tables. None: sound.

    Raises:
        StoreError: it cannot be opened.
    """
    with _opened(path) as db:
        messages = _messages(db, "PRAGMA integrity_check(10)")
        if not messages:
            orphans = sorted({str(row[0]) for row in db.execute("PRAGMA foreign_key_check")})
            return Damage(orphans=tuple(orphans)) if orphans else None
        try:
            tables = list(_tables(db))
        except sqlite3.DatabaseError as error:
            return Damage(whole=True, detail=str(error))
        return _parts(db, tables, messages[0])


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path)) as db:
            yield db
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"database {path}: {fault_text(error)}; stop the process that locks it, or run this as its owner"
        ) from error


def _messages(db: sqlite3.Connection, text: str) -> list[str]:
    """The lines that a check returns or fails with; none: sound.

    Raises:
        sqlite3.OperationalError: the file is locked, or cannot be opened.
    """
    try:
        rows = [str(row[0]) for row in db.execute(text)]
    except sqlite3.DatabaseError as error:
        if "interrupted" in str(error):
            return INTERRUPTED
        if not is_damage(error):
            raise
        return [str(error)]
    lines = [line for row in rows for line in row.splitlines()]
    return [line for line in lines if line != "ok" and not line.startswith("***")]


def _parts(db: sqlite3.Connection, tables: list[tuple[str, list[str]]], detail: str) -> Damage:
    """The damaged tables and indexes: each table is checked on its own, and one that can be read to its end has damaged indexes
    only."""
    broken: list[str] = []
    indexes: list[str] = []
    for name, own in tables:
        found = [line for line in _messages(db, f'PRAGMA integrity_check("{name}")') if "reelist" not in line]
        if not found:
            continue
        if own and all(" index " in line for line in found):
            indexes += [index for index in own if any(line.endswith(f" index {index}") for line in found)] or own
        elif own and _readable(db, name):
            indexes += own
        else:
            broken.append(name)
    return Damage(tables=tuple(broken), indexes=tuple(indexes), detail=detail)


def _tables(db: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    """(table, its indexes)."""
    rows = db.execute("SELECT type, name, tbl_name FROM sqlite_master WHERE type IN ('table', 'index')").fetchall()
    for kind, name, _ in rows:
        if kind == "table":
            yield name, [index for other, index, table in rows if other == "index" and table == name]


def _readable(db: sqlite3.Connection, table: str) -> bool:
    try:
        for _ in db.execute(f'SELECT * FROM "{table}" NOT INDEXED'):  # noqa: S608 (a name of the schema)
            pass
    except sqlite3.DatabaseError:
        return False
    return True


def _listed(kind: str, names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:NAMED_MAX])
    more = f" and {len(names) - NAMED_MAX} more" if len(names) > NAMED_MAX else ""
    plural = {"table": "tables", "index": "indexes"}[kind]
    return f"{kind if len(names) == 1 else plural} {shown}{more}"


def deleted_file(path: Path) -> str:
    """The fault of a database of which a file was deleted or replaced while this process has it open, with what to do; empty if
    none was. What is written to such a file is lost when the process ends without saving it."""
    real = path.resolve()
    for entry in Path(DESCRIPTORS).iterdir():
        try:
            target = str(entry.readlink())
        except OSError:  # it was closed meanwhile
            continue
        if target == f"{real}-wal (deleted)":
            return f"{path}-wal was deleted; stop the server: it then saves what it has"
        if target == f"{real} (deleted)":
            return f"{path} was deleted; copy /proc/{os.getpid()}/fd/{entry.name} to another place before you stop the server"
    return ""
