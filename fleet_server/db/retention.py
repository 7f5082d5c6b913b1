"""Deletes what is too old or too much, a bounded chunk at a time, so that no writer waits long."""

from __future__ import annotations

from typing import Final

from fleet_server.db import partitions
from fleet_server.db.engine import Database, raw
from fleet_server.domain.figures import HOUR_S, MINUTE_S

CHUNK_ROWS: Final = 5_000
CHUNKS_MAX: Final = 20
"""A turn every five seconds then keeps up with 20,000 rows a second."""
EPOCHS_KEPT: Final = 8
"""Outbox lives remembered per device and stream: a device that makes up new ones cannot fill the table."""
TIMELINE_KEPT: Final = 5_000


def trim(database: Database, table: str, older_than: float, rows_max: int) -> int:
    """Delete the oldest rows of `telemetry` or `event` that are older than `older_than` or beyond the newest `rows_max`, in a
    bounded number of bounded transactions; on PostgreSQL whole days first. Returns how many went one by one.
    """
    gone = 0
    if table not in partitions.TABLES:
        raise ValueError(table)
    if database.shared:
        partitions.drop_old(database, table, older_than, rows_max)
        table = f"{table}_default"
    for _ in range(CHUNKS_MAX):
        part = _trim_chunk(database, table, older_than, rows_max)
        gone += part
        if part < CHUNK_ROWS:
            break
    return gone


def _trim_chunk(database: Database, table: str, older_than: float, rows_max: int) -> int:
    with database.write() as connection:
        db = raw(connection)
        newest = db.execute(f"SELECT max(id) FROM {table}").fetchone()[0]  # noqa: S608 (one of two names)
        if newest is None:
            return 0
        done = db.execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} ORDER BY id LIMIT ?)"  # noqa: S608
            " AND (received_at < ? OR id <= ?)",
            (CHUNK_ROWS, older_than, newest - rows_max),
        )
        return done.rowcount


def trim_rollups(database: Database, minutes_before: float, hours_before: float) -> int:
    """Delete minutes and hours that are too old, in bounded transactions; how many went."""
    gone = 0
    for span_s, before in ((MINUTE_S, minutes_before), (HOUR_S, hours_before)):
        for _ in range(CHUNKS_MAX):
            with database.write() as connection:
                done = raw(connection).execute(
                    "DELETE FROM rollup WHERE (span_s, device, at) IN"
                    " (SELECT span_s, device, at FROM rollup WHERE span_s = ? AND at < ? LIMIT ?)",
                    (span_s, before, CHUNK_ROWS),
                )
            gone += done.rowcount
            if done.rowcount < CHUNK_ROWS:
                break
    return gone


def trim_small(database: Database, finished_before: float) -> None:
    """Forget cursors of old epochs, and commands that ended before `finished_before`."""
    with database.write() as connection:
        db = raw(connection)
        db.execute(
            "DELETE FROM cursor WHERE (device, stream, epoch) IN (SELECT device, stream, epoch FROM"
            " (SELECT device, stream, epoch, row_number() OVER (PARTITION BY device, stream ORDER BY updated_at DESC) AS age"
            " FROM cursor) AS ranked WHERE age > ?)",
            (EPOCHS_KEPT,),
        )
        db.execute("DELETE FROM command WHERE finished_at IS NOT NULL AND finished_at < ?", (finished_before,))
