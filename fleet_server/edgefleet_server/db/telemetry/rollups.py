"""Roll-ups of samples to minutes, and detections of pipelines by the hour. Each step processes the rows behind a checkpoint and
updates it in one transaction, so that a crash at any point neither loses a sample nor counts one twice; late samples are merged
into old minutes, and into the hours and days that were computed before (`rollup_closing`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from edgefleet_server.core.background_share import BackgroundShare
from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.telemetry import camera_hours
from edgefleet_server.domain.statistics.summaries import (
    DAY_S,
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
CLOSED_CHECKPOINTS: Final = {HOUR_S: "rollup hours", DAY_S: "rollup days"}
"""By span, the checkpoint up to whose time all rows have been computed."""
DEVICES_PER_QUERY: Final = 500
"""Devices in one query: on PostgreSQL each query is a round trip."""
_Span = tuple[int, int]
"""A time span: its length in seconds and its start."""

COLUMNS: Final = ("span_s", "device", "at", "figures")
PUT: Final = (
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


def closed_spans(db: Driver) -> dict[int, int]:
    """By span (hour, day): all that end at this time or before are computed; 0 before the first one."""
    return {span_s: checkpoint_of(db, name) for span_s, name in CLOSED_CHECKPOINTS.items()}


def turn(database: Database) -> int:
    """Aggregate the samples that arrived since the last run, at most `ROWS_MAX`; returns their number. Everything is computed
    before the writer lock is taken, so that ingest waits for the insertion only. A run that another process has overtaken writes
    nothing; neither does one in whose time hours or days were computed.

    Raises:
        StoreError: the database refuses; the next run processes the same samples.
    """
    newest = _newest(database)
    with database.read() as connection:
        db = raw(connection)
        checkpoint, closed = checkpoint_of(db, CHECKPOINT), closed_spans(db)
        rows = db.execute(
            "SELECT id, device, at, record FROM telemetry WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
            (checkpoint, newest, ROWS_MAX),
        ).fetchall()
        if not rows:
            return 0
        found, hours = _summed(db, rows, closed)
    with database.write() as connection:
        db = raw(connection)
        if checkpoint_of(db, CHECKPOINT) != checkpoint or closed_spans(db) != closed:
            return 0
        write_rows(db, PUT, "rollup", COLUMNS, found)
        camera_hours.add(db, hours)
        set_checkpoint(db, CHECKPOINT, rows[-1][0])
    return len(rows)


def _summed(
    db: Driver, rows: list[tuple[Any, ...]], closed: Mapping[int, int]
) -> tuple[list[tuple[int, str, int, bytes]], camera_hours.CameraHours]:
    """The minutes that samples belong to, with these samples included, and the hours and days of them that are computed
    already: rows of `PUT`; and what these samples add to the hours of pipelines."""
    share = BackgroundShare()
    hours: camera_hours.CameraHours = {}
    samples_by_span: defaultdict[_Span, dict[str, list[Sample]]] = defaultdict(dict)
    for _, device, when, record in rows:
        share.pause()
        sample, minute = _decoder.decode(record), int(when) // MINUTE_S * MINUTE_S
        samples_by_span[MINUTE_S, minute].setdefault(device, []).append(sample)
        camera_hours.count(hours, device, int(when) // HOUR_S * HOUR_S, sample)
        for span_s, closed_to in closed.items():
            if minute < closed_to:
                samples_by_span[span_s, minute // span_s * span_s].setdefault(device, []).append(sample)
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
