"""Removes a device from the fleet with all its rows, attempts included. The audit log records who did it."""

from __future__ import annotations

from typing import Final

from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.statistics.summaries import SPANS_S

TABLES: Final = (
    "pin",
    "assignment",
    "desired",
    "command",
    "attempt",
    "device_slot",
    "device_last",
    "restricted_device",
    "enrolled_labels",
    "device_bill",
)
STREAM_ROWS_MAX: Final = 200_000
"""Limit of deleted rows of telemetry and of events; older rows are left to retention."""


def remove(db: Driver, device: str) -> None:
    """Delete a device.

    Raises:
        ConflictError: a rollout is updating it.
    """
    busy = db.execute(
        "SELECT a.rollout FROM attempt a JOIN rollout r ON r.id = a.rollout WHERE a.device = ? AND a.open"
        " AND a.offered_at > 0 AND r.state IN ('running', 'paused', 'aborting', 'rolling_back')",
        (device,),
    ).fetchone()
    if busy is not None:
        raise ConflictError(f"rollout {busy[0]} is updating {device!r}; wait for it or abort it")
    waves = db.execute("SELECT rollout, wave FROM attempt WHERE device = ? AND latest", (device,)).fetchall()
    db.executemany('UPDATE wave SET total = total - 1 WHERE rollout = ? AND "index" = ?', waves)
    for table in TABLES:
        db.execute(f"DELETE FROM {table} WHERE device = ?", (device,))  # noqa: S608 (fixed names)
    db.executemany("DELETE FROM rollup WHERE device = ? AND span_s = ?", [(device, span_s) for span_s in SPANS_S])
    db.execute("DELETE FROM camera_hour WHERE device = ?", (device,))
    db.execute("DELETE FROM cursor WHERE device = ?", (device,))
    db.execute(
        "DELETE FROM event_review WHERE event IN (SELECT id FROM event WHERE device = ? LIMIT ?)", (device, STREAM_ROWS_MAX)
    )
    for table in ("telemetry", "event"):
        db.execute(
            f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE device = ? LIMIT ?)",  # noqa: S608 (fixed names)
            (device, STREAM_ROWS_MAX),
        )
    db.execute("DELETE FROM device WHERE id = ?", (device,))
