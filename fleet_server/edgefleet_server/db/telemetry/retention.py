"""Deletes rows beyond their age or number, a bounded chunk at a time, so that no writer waits long."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from edgefleet_server.db.backend import partitions
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.domain.policy.storage_share import surplus

CHUNK_ROWS: Final = 5_000
ALERTS_CHUNK: Final = 500
CHUNKS_MAX: Final = 20
"""With one run every five seconds, this suffices for 20,000 rows per second."""
ROOM: Final = 0.98
"""Part of the limit that remains after it was reached."""
LAST_RESORT: Final = 2
"""On PostgreSQL, whole days are dropped beyond this multiple of the limit; the number of rows is an estimate there."""
EPOCHS_MAX: Final = 8
"""Epochs remembered per device and stream: a device that invents new epochs cannot fill the table."""


@dataclass(slots=True)
class RowBudget:
    """The limit of rows of a table. `full_at`: the number of the row at which it may be reached, so that rows need not be counted
    before."""

    rows_max: int
    full_at: int = 0


def trim(database: Database, table: str, older_than: float, budget: RowBudget) -> int:
    """Delete the rows of `telemetry` or `event` that are older than `older_than`, and those beyond the limit, in a bounded number
    of bounded transactions; on PostgreSQL whole days first. Beyond the limit the device with the most rows loses its oldest ones,
    so that none displaces the history of others. Returns the number of deleted rows, which the planner estimates for whole days.

    Raises:
        StoreError: the database refuses.
    """
    removed = 0
    if table not in partitions.TABLES:
        raise ValueError(table)
    aged = table
    if database.shared:
        removed += partitions.drop_old(database, table, older_than, LAST_RESORT * budget.rows_max)
        aged = f"{table}_default"
    for _ in range(CHUNKS_MAX):
        part = _trim_aged(database, aged, older_than)
        removed += part
        if part < CHUNK_ROWS:
            break
    return removed + _trim_surplus(database, table, budget)


def _trim_aged(database: Database, table: str, older_than: float) -> int:
    with database.write() as connection:
        done = raw(connection).execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} ORDER BY id LIMIT ?) AND received_at < ?",  # noqa: S608
            (CHUNK_ROWS, older_than),
        )
        return done.rowcount


def _trim_surplus(database: Database, table: str, budget: RowBudget) -> int:
    """Delete the oldest rows of the devices with the most rows, down to a little below the limit."""
    with database.read() as connection:
        db = raw(connection)
        oldest, newest = db.execute(f"SELECT min(id), max(id) FROM {table}").fetchone()  # noqa: S608 (one of two names)
        if newest is None or newest - oldest < budget.rows_max or newest < budget.full_at:
            return 0
        counts = {row[0]: int(row[1]) for row in db.execute(f"SELECT device, count(*) FROM {table} GROUP BY device")}  # noqa: S608
    total = sum(counts.values())
    excess = surplus(counts, int(ROOM * budget.rows_max)) if total > budget.rows_max else {}
    removed = 0
    chunks = ((device, start, count) for device, count in excess.items() for start in range(0, count, CHUNK_ROWS))
    for device, start, count in itertools.islice(chunks, CHUNKS_MAX):
        removed += _trim_device(database, table, device, min(CHUNK_ROWS, count - start))
    budget.full_at = newest + budget.rows_max - (total - removed)
    return removed


def _trim_device(database: Database, table: str, device: str, rows: int) -> int:
    with database.write() as connection:
        order = {"telemetry": "at", "event": "id"}[table]  # as its index has them
        done = raw(connection).execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE device = ? ORDER BY {order} LIMIT ?) AND device = ?",  # noqa: S608
            (device, rows, device),
        )
        return done.rowcount


def trim_alerts(database: Database, ended_before: float) -> int:
    """Delete alerts that ended before `ended_before`, with their notices, in bounded transactions; returns the number of
    alerts."""
    removed = 0
    for _ in range(CHUNKS_MAX):
        with database.write() as connection:
            db = raw(connection)
            rows = db.execute("SELECT id FROM alert WHERE ended_at < ? ORDER BY id LIMIT ?", (ended_before, ALERTS_CHUNK))
            numbers = [(row[0],) for row in rows]
            db.executemany("DELETE FROM notice WHERE alert = ?", numbers)
            db.executemany("DELETE FROM alert WHERE id = ?", numbers)
        removed += len(numbers)
        if len(numbers) < ALERTS_CHUNK:
            break
    return removed


def trim_small(database: Database, finished_before: float) -> int:
    """Delete cursors of old epochs, and commands that ended before `finished_before`; returns the number of commands."""
    with database.write() as connection:
        db = raw(connection)
        db.execute(
            "DELETE FROM cursor WHERE (device, stream, epoch) IN (SELECT device, stream, epoch FROM"
            " (SELECT device, stream, epoch, row_number() OVER (PARTITION BY device, stream ORDER BY updated_at DESC) AS age"
            " FROM cursor) AS ranked WHERE age > ?)",
            (EPOCHS_MAX,),
        )
        old = "DELETE FROM command WHERE finished_at IS NOT NULL AND finished_at < ?"
        return db.execute(old, (finished_before,)).rowcount


# -- results


def note(database: Database, kind: str, at: float, removed: int, took_s: float, problem: str) -> None:
    """Store the result of a run."""
    with database.write() as connection:
        raw(connection).execute(
            "INSERT INTO retention (kind, at, removed, took_s, problem) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind) DO UPDATE SET"
            " at = excluded.at, removed = retention.removed + excluded.removed, took_s = excluded.took_s,"
            " problem = excluded.problem",
            (kind, at, removed, took_s, problem[:500]),
        )


def retained_summary(connection: Connection) -> list[dict[str, Any]]:
    """The latest run of every kind, and the total number of removed rows."""
    rows = raw(connection).execute("SELECT kind, at, removed, took_s, problem FROM retention ORDER BY kind")
    return [dict(zip(("kind", "at", "removed", "took_s", "problem"), row, strict=True)) for row in rows]


def newest_at(connection: Connection) -> float | None:
    """Time of the latest run of any kind; None if there was none."""
    at = raw(connection).execute("SELECT max(at) FROM retention").fetchone()
    return None if at is None or at[0] is None else float(at[0])


def problems(connection: Connection) -> list[str]:
    """Reasons why the latest runs did not delete old data, each once."""
    return [
        row[0] for row in raw(connection).execute("SELECT DISTINCT problem FROM retention WHERE problem <> '' ORDER BY problem")
    ]


def retired_at(connection: Connection, at: float) -> list[str]:
    """Versions that were retired at exactly this time."""
    rows = raw(connection).execute("SELECT name, version FROM package WHERE retired_at = ? ORDER BY name, version", (at,))
    return [f"{name}@{version}" for name, version in rows]
