"""Number of devices per version over time: a snapshot every few minutes, thinned with age."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select
from sqlmodel import col

from edgefleet_server.db.devices import devices
from edgefleet_server.db.tables.version_shares import ShareRecord

EVERY_S: Final = 300
FINE_S: Final = 2 * 86_400
"""Age up to which every snapshot is kept; of older ones, one per hour."""
HOUR_S: Final = 3_600
SHARES_MAX: Final = 24
"""Versions in a snapshot; those with fewer devices are left out."""


def note(connection: Connection, now: float) -> None:
    """Store a snapshot of the current shares, unless there is one of the last minutes."""
    at = int(now) // EVERY_S * EVERY_S
    if connection.execute(select(col(ShareRecord.at)).where(col(ShareRecord.at) == at)).first() is not None:
        return
    names = ("slot", "package", "version", "count")
    found = [{name: row[name] for name in names} for row in devices.versions(connection)[:SHARES_MAX]]
    if found:
        connection.execute(insert(ShareRecord), {"at": at, "shares": found})


def series(connection: Connection, since_at: float, until_at: float, points_max: int) -> list[tuple[int, list[dict[str, Any]]]]:
    """(at, shares), oldest first, thinned evenly to `points_max`; the newest is always included."""
    columns = (col(ShareRecord.at), col(ShareRecord.shares))
    statement = select(*columns).where(columns[0] >= since_at, columns[0] <= until_at).order_by(columns[0].desc())
    rows = list(connection.execute(statement))
    stride = max(1, -(-len(rows) // points_max))
    return [(at, shares) for at, shares in rows[::stride]][::-1]


def thin(connection: Connection, now: float, older_than: float) -> None:
    """Delete snapshots before `older_than`, and all but the first of each hour of those older than `FINE_S`."""
    connection.execute(delete(ShareRecord).where(col(ShareRecord.at) < older_than))
    old = connection.execute(select(col(ShareRecord.at)).where(col(ShareRecord.at) < now - FINE_S)).scalars()
    between = [at for at in old if at % HOUR_S]
    if between:
        connection.execute(delete(ShareRecord).where(col(ShareRecord.at).in_(between[:5_000])))
