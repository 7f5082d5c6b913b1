"""Daily partitions of telemetry and events on PostgreSQL (UTC, by time of arrival): old rows are dropped a whole day at a time.

Partitions are created `AHEAD_DAYS` before they are needed; a row of another day goes to the default partition, so that no row is
refused. The ids of rows are unique because of their sequence, without an index over all days.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.db.backend.engine import Database, raw

TABLES: Final = ("telemetry", "event")
DAY_S: Final = 86_400
AHEAD_DAYS: Final = 3
PARTITIONS_MAX: Final = 1_000


def partition_table(connection: Connection, table: str) -> None:
    """Turn a plain table into a partitioned one; its rows become the default partition."""
    run = connection.exec_driver_sql
    indices = run(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename = %(name)s", {"name": table}
    ).fetchall()
    run(f"ALTER TABLE {table} RENAME TO {table}_default")
    run(f"ALTER TABLE {table}_default DROP CONSTRAINT {table}_pkey")
    run(f"ALTER SEQUENCE {table}_id_seq OWNED BY NONE")
    for name, _ in indices:
        if name != f"{table}_pkey":
            run(f"DROP INDEX {name}")
    run(f"CREATE TABLE {table} (LIKE {table}_default INCLUDING DEFAULTS) PARTITION BY RANGE (received_at)")
    run(f"ALTER TABLE {table} ADD PRIMARY KEY (id, received_at)")
    for name, text in indices:
        if name != f"{table}_pkey":
            run(text)
    run(f"ALTER SEQUENCE {table}_id_seq OWNED BY {table}.id")
    run(f"ALTER TABLE {table} ATTACH PARTITION {table}_default DEFAULT")


def make_ahead(database: Database, now: float) -> list[str]:
    """Create the partitions of today and the next days; returns their names. If the default partition already contains rows of
    today, the rows of today stay there.

    Raises:
        StoreError: the database refuses.
    """
    today = int(now) // DAY_S
    return [name for table in TABLES for name in make(database, table, range(today, today + AHEAD_DAYS + 1))]


def make(database: Database, table: str, days: Iterable[int]) -> list[str]:
    """Create the missing partitions of these days (days since 1970); returns their names.

    Raises:
        StoreError: the database refuses.
    """
    known = _days(database, table)
    return [_name(table, day) for day in days if day not in known and _make(database, table, day)]


def drop_old(database: Database, table: str, older_than: float, rows_max: int) -> int:
    """Drop whole days before `older_than`, and the oldest days beyond `rows_max` rows; returns the number of dropped rows, as the
    planner estimates it.

    Raises:
        StoreError: the database refuses.
    """
    days = _days(database, table)
    surplus = sum(rows for rows in days.values() if rows > 0) - rows_max
    today = int(time.time()) // DAY_S
    removed = 0
    for day, rows in days.items():
        if (day + 1) * DAY_S > older_than and (surplus <= 0 or day >= today):
            break
        with database.write() as connection:
            raw(connection).execute(f"DROP TABLE IF EXISTS {_name(table, day)}")
        surplus -= max(0, rows)
        removed += max(0, rows)
    return removed


def _make(database: Database, table: str, day: int) -> bool:
    begin, end = day * DAY_S, (day + 1) * DAY_S
    with database.write() as connection:
        db = raw(connection)
        if _taken(db, table, begin, end):
            return False
        db.execute(f"CREATE TABLE IF NOT EXISTS {_name(table, day)} PARTITION OF {table} FOR VALUES FROM ({begin}) TO ({end})")
    return True


def _taken(db: Driver, table: str, begin: int, end: int) -> bool:
    where = "received_at >= ? AND received_at < ?"
    return db.execute(f"SELECT 1 FROM {table}_default WHERE {where} LIMIT 1", (begin, end)).fetchone() is not None  # noqa: S608


def _days(database: Database, table: str) -> dict[int, int]:
    """Days that have a partition, oldest first, with the planner's estimate of their rows (-1 = none yet)."""
    with database.read() as connection:
        rows = raw(connection).execute(
            "SELECT c.relname, c.reltuples FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
            " WHERE i.inhparent = CAST(? AS regclass) LIMIT ?",
            (table, PARTITIONS_MAX),
        )
        found = {name.removeprefix(f"{table}_d"): int(count) for name, count in rows}
    return {int(day): found[day] for day in sorted(found, key=lambda text: text.zfill(9)) if day.isdigit()}


def _name(table: str, day: int) -> str:
    return f"{table}_d{day}"
