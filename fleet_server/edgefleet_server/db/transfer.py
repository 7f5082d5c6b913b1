"""Copies a SQLite database into an empty PostgreSQL in one transaction, and compares both before its commit.

Until that transaction ends, the PostgreSQL contains empty tables only, so an interrupted copy can be repeated. The SQLite file is
only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, MetaData, Table, func, select

from edgefleet_server.core.errors import ConflictError, StoreError
from edgefleet_server.db.backend import partitions
from edgefleet_server.db.backend.driver import append
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry.rollups import CHECKPOINT, checkpoint_of

CHUNK: Final = 5_000
NOT_OURS: Final = ("alembic_version", "sqlite_sequence")


@dataclass(frozen=True, slots=True)
class Copied:
    """The result of a copy. `rows` by table; `head`: that of the audit log's chain, the same in both databases."""

    rows: dict[str, int]
    head: str


def count(source: Database) -> int:
    """Number of rows of all tables."""
    with source.read() as connection:
        return sum(_count(connection, table) for table in _tables(connection))


def copy(
    source: Database, target: Database, on_progress: Callable[[int, str], None], sign: Callable[[Connection], None]
) -> Copied:
    """Copy all tables. Both databases have the schema of this version. `on_progress`: rows so far, and the table. `sign` is
    called at the end of the transaction, after the comparison.

    Raises:
        ConflictError: the target is not empty.
        StoreError: the copied rows differ from the source, or a database refuses; then the target stays empty.
    """
    with source.read() as old:
        tables = _tables(old)
        _make_partitions(old, target)
        try:
            with target.write() as new:
                _check_empty(new, tables)
                done = 0
                for table in tables:
                    for rows in _chunks(old, table):
                        append(raw(new), table.name, [column.name for column in table.columns], rows)
                        done += len(rows)
                        on_progress(done, table.name)
                _continue_sequences(old, new, tables)
                copied = _compare(old, new, tables)
                sign(new)
        except target.unstorable as error:
            raise StoreError(f"cannot write a row: {str(error).splitlines()[0]}; nothing was copied") from error
    return copied


def _tables(connection: Connection) -> list[Table]:
    """The tables of the source, referenced ones before those that reference them."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in NOT_OURS]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _check_empty(connection: Connection, tables: list[Table]) -> None:
    found = next((table.name for table in tables if _count(connection, table)), None)
    if found is not None:
        raise ConflictError(f"the PostgreSQL database is not empty, {found} has rows; create a new one with `createdb`")


def _make_partitions(old: Connection, target: Database) -> None:
    """Create a partition for every day of existing rows, so that retention can drop them by days."""
    for name in partitions.TABLES:
        days = raw(old).execute(f"SELECT DISTINCT CAST(received_at / ? AS INTEGER) FROM {name}", (partitions.DAY_S,))  # noqa: S608
        partitions.make(target, name, sorted(int(row[0]) for row in days)[-partitions.PARTITIONS_MAX :])


def _chunks(connection: Connection, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    """Rows as SQLite returns them: PostgreSQL accepts its whole numbers for booleans and its text for JSON."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    rows = raw(connection).execute(f'SELECT {names} FROM "{table.name}"')  # noqa: S608 (names of our tables)
    chunk: list[tuple[Any, ...]] = []
    for row in rows:
        chunk.append(tuple(row))
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _continue_sequences(old: Connection, new: Connection, tables: list[Table]) -> None:
    """Let PostgreSQL's sequences continue after the highest copied id."""
    seen = {"telemetry": checkpoint_of(raw(old), CHECKPOINT)}
    found = raw(new).execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
        " AND column_default LIKE ?",
        ("nextval%",),
    )
    ours = {table.name for table in tables}
    for name, column in found.fetchall():
        if name not in ours:
            continue  # the rows of a partition count as rows of its table
        last = old.exec_driver_sql(f'SELECT coalesce(max("{column}"), 0) FROM "{name}"').scalar_one()  # noqa: S608
        following = max(int(last), seen.get(name, 0)) + 1
        raw(new).execute("SELECT setval(pg_get_serial_sequence(?, ?), ?, FALSE)", (name, column, following))


def _compare(old: Connection, new: Connection, tables: list[Table]) -> Copied:
    rows: dict[str, int] = {}
    for table in tables:
        rows[table.name] = _count(new, table)
        if rows[table.name] != _count(old, table):
            raise StoreError(f"{rows[table.name]} of {_count(old, table)} rows of {table.name} copied; nothing was copied")
    before, after = audit.check(old), audit.check(new)
    if before.fault or (after.fault, after.head) != (before.fault, before.head):
        fault = before.fault or after.fault or f"its head is {after.head}, was {before.head}"
        raise StoreError(f"the audit log is broken: {fault}; nothing was copied")
    return Copied(rows, after.head)
