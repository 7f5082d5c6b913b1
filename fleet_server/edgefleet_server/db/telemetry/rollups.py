"""Roll-ups of samples to minutes, of minutes to hours, and detections of pipelines by the hour. Each step processes the rows
behind a checkpoint and updates it in one transaction, so that a crash at any point neither loses a sample nor counts one twice;
late samples are merged into old minutes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import msgspec

from edgefleet_server.core.background_share import BackgroundShare
from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.telemetry import camera_hours
from edgefleet_server.domain.statistics.summaries import (
    HOUR_S,
    MINUTE_S,
    Figures,
    Sample,
    add,
    merge,
    pack,
    unpack,
    without_labels,
)

ROWS_MAX: Final = 20_000
"""Samples in one transaction: those of ten seconds at 2,000 per second, merged in a fraction of a second."""
CHECKPOINT: Final = "rollup"
HOURS_CHECKPOINT: Final = "rollup hours"
CLOSE_AFTER_S: Final = 120
"""Time after its end at which an hour is computed from its minutes; later samples are merged into it one by one."""
HOURS_BACK_MAX: Final = 24 * 7
DEVICES_MAX: Final = 2_000
"""Devices whose hour is computed in one transaction."""
DEVICES_PER_QUERY: Final = 500
"""Devices in one query: on PostgreSQL each query is a round trip."""
_Span = tuple[int, int]
"""A time span: its length in seconds and its start."""

_COLUMNS: Final = ("span_s", "device", "at", "figures")
_PUT: Final = (
    "INSERT INTO rollup (span_s, device, at, figures) SELECT span_s, device, at, figures FROM {rows} AS made WHERE TRUE"
    " ON CONFLICT (span_s, device, at) DO UPDATE SET figures = excluded.figures"
)
_decoder: Final = msgspec.json.Decoder(Sample)


def checkpoint_of(db: Driver, name: str) -> int:
    """The stored progress of a job; 0 before its first run."""
    row = db.execute("SELECT value FROM checkpoint WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0


def set_checkpoint(db: Driver, name: str, value: int) -> None:
    """Store the progress of a job."""
    db.execute(
        "INSERT INTO checkpoint (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def turn(database: Database) -> int:
    """Aggregate the samples that arrived since the last run, at most `ROWS_MAX`; returns their number. Everything is computed
    before the writer lock is taken, so that ingest waits for the insertion only. A run that another process has overtaken writes
    nothing.

    Raises:
        StoreError: the database refuses; the next run processes the same samples.
    """
    newest = _newest(database)
    with database.read() as connection:
        db = raw(connection)
        checkpoint, closed_to = checkpoint_of(db, CHECKPOINT), checkpoint_of(db, HOURS_CHECKPOINT)
        rows = db.execute(
            "SELECT id, device, at, record FROM telemetry WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
            (checkpoint, newest, ROWS_MAX),
        ).fetchall()
        if not rows:
            return 0
        found, hours = _summed(db, rows, closed_to)
    with database.write() as connection:
        db = raw(connection)
        if checkpoint_of(db, CHECKPOINT) != checkpoint:
            return 0
        write_rows(db, _PUT, "rollup", _COLUMNS, found)
        camera_hours.add(db, hours)
        set_checkpoint(db, CHECKPOINT, rows[-1][0])
    return len(rows)


def _summed(
    db: Driver, rows: list[tuple[Any, ...]], closed_to: int
) -> tuple[list[tuple[int, str, int, bytes]], camera_hours.CameraHours]:
    """The minutes that samples belong to, with these samples included, and the hours among them that are closed: rows of
    `_PUT`; and what these samples add to the hours of pipelines."""
    share = BackgroundShare()
    hours: camera_hours.CameraHours = {}
    samples_by_span: defaultdict[_Span, dict[str, list[Sample]]] = defaultdict(dict)
    for _, device, when, record in rows:
        share.pause()
        sample, minute = _decoder.decode(record), int(when) // MINUTE_S * MINUTE_S
        samples_by_span[MINUTE_S, minute].setdefault(device, []).append(sample)
        camera_hours.count(hours, device, int(when) // HOUR_S * HOUR_S, sample)
        if minute < closed_to:
            samples_by_span[HOUR_S, minute // HOUR_S * HOUR_S].setdefault(device, []).append(sample)
    found = []
    for span, by_device in samples_by_span.items():
        known = _known(db, span, list(by_device))
        for device, samples in by_device.items():
            share.pause()
            figures = known.get(device, {})
            for sample in samples:
                add(figures, sample)
            found.append((span[0], device, span[1], pack(figures if span[0] == MINUTE_S else without_labels(figures))))
    return found, hours


def _known(db: Driver, span: _Span, devices: list[str]) -> dict[str, Figures]:
    """The stored figures of these devices over a span."""
    found: dict[str, Figures] = {}
    for start in range(0, len(devices), DEVICES_PER_QUERY):
        some = devices[start : start + DEVICES_PER_QUERY]
        marks = ", ".join("?" * len(some))
        query = f"SELECT device, figures FROM rollup WHERE span_s = ? AND at = ? AND device IN ({marks})"  # noqa: S608 (marks)
        found |= {device: unpack(data) for device, data in db.execute(query, (*span, *some))}
    return found


def _newest(database: Database) -> int:
    """The newest sample, read under the writer lock: no sample with a smaller id can appear later."""
    with database.write() as connection:
        return int(raw(connection).execute("SELECT coalesce(max(id), 0) FROM telemetry").fetchone()[0])


def close_hours(database: Database, now: float) -> int:
    """Compute the hours that are over from their minutes; returns the number of rows. Idempotent: a repetition after a crash
    gives the same rows.

    Raises:
        StoreError: the database refuses; the next run computes them.
    """
    last = int(now - CLOSE_AFTER_S) // HOUR_S * HOUR_S
    with database.read() as connection:
        db = raw(connection)
        begin = checkpoint_of(db, HOURS_CHECKPOINT) or _first_minute(db) // HOUR_S * HOUR_S
    made = 0
    for hour in range(max(begin, last - HOURS_BACK_MAX * HOUR_S), last, HOUR_S) if begin else ():
        made += _close(database, hour)
    with database.write() as connection:
        set_checkpoint(raw(connection), HOURS_CHECKPOINT, last)
    return made


def _first_minute(db: Driver) -> int:
    return int(db.execute("SELECT coalesce(min(at), 0) FROM rollup WHERE span_s = ?", (MINUTE_S,)).fetchone()[0])


def _close(database: Database, hour: int) -> int:
    """Compute one hour of every device."""
    with database.read() as connection:
        devices = [row[0] for row in raw(connection).execute("SELECT id FROM device ORDER BY id")]
    made = 0
    for start in range(0, len(devices), DEVICES_MAX):
        some = devices[start : start + DEVICES_MAX]
        parts: defaultdict[str, list[Figures]] = defaultdict(list)
        with database.read() as connection:
            for device, data in raw(connection).execute(
                "SELECT device, figures FROM rollup WHERE span_s = ? AND device BETWEEN ? AND ? AND at >= ? AND at < ?",
                (MINUTE_S, some[0], some[-1], hour, hour + HOUR_S),
            ):
                parts[device].append(unpack(data))
        with database.write() as connection:
            rows = [(HOUR_S, device, hour, pack(merge(map(without_labels, minutes)))) for device, minutes in parts.items()]
            write_rows(raw(connection), _PUT, "rollup", _COLUMNS, rows)
        made += len(parts)
    return made


def series(db: Driver, device: str, span_s: int, since_at: float, until_at: float, limit: int) -> list[tuple[int, Figures]]:
    """(start, figures) of one device, oldest first; the newest `limit` spans."""
    rows = db.execute(
        "SELECT at, figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ? AND at <= ? ORDER BY at DESC LIMIT ?",
        (span_s, device, since_at, until_at, limit),
    ).fetchall()
    return [(at, without_labels(unpack(data))) for at, data in reversed(rows)]


def fleet(db: Driver, span_s: int, at: int) -> Figures:
    """The figures of all devices in the span that began at `at`."""
    return merge(unpack(row[0]) for row in db.execute("SELECT figures FROM rollup WHERE span_s = ? AND at = ?", (span_s, at)))
