"""Hours are computed from minutes, and days from hours, once they are over. A span is computed device by device in bounded
transactions; the last one moves the checkpoint. A crash before that only repeats the work, with the same rows. Samples that are
merged meanwhile, by a leader that is no longer one, end the run: the next one sees them. Old rows are deleted once they are not
needed for longer spans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_server.core.background_share import BackgroundShare
from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.telemetry.retention import CHUNK_ROWS, CHUNKS_MAX
from edgefleet_server.db.telemetry.rollups import (
    CHECKPOINT,
    CLOSED_CHECKPOINTS,
    COLUMNS,
    DEVICES_PER_QUERY,
    PUT,
    checkpoint_of,
    closed_spans,
    set_checkpoint,
)
from edgefleet_server.domain.statistics.summaries import DAY_S, HOUR_S, MINUTE_S, Figures, merge, pack, unpack, without_labels

CLOSE_AFTER_S: Final = 120
"""Time after its end at which an hour is computed from its minutes; later samples are merged into it one by one."""
ROWS_PER_RUN: Final = 2_000
"""A run ends with the span in which so many rows are reached: other jobs wait for it."""

NEXT_SPAN: Final = {MINUTE_S: HOUR_S, HOUR_S: DAY_S}
"""By span, the one that is computed from it."""


@dataclass(frozen=True, slots=True)
class SpanProgress:
    """A span (`span_s`) that began at `start` and is computed from the rows of shorter ones (`part_s`). `samples`: the checkpoint
    of samples when the run began."""

    span_s: int
    part_s: int
    start: int
    samples: int

    def is_overtaken(self, db: Driver) -> bool:
        """Whether another process has merged samples, or computed this span, since the run began."""
        return checkpoint_of(db, CHECKPOINT) != self.samples or checkpoint_of(db, CLOSED_CHECKPOINTS[self.span_s]) > self.start


def close_hours(database: Database, now: float) -> int:
    """Compute hours that are over at `now`, the oldest first; returns the number of rows. Hours after the newest minute wait, so
    that a clock that leaps ahead closes none before its time.

    Raises:
        StoreError: the database refuses; the next run computes them.
    """
    with database.read() as connection:
        newest = raw(connection).execute("SELECT max(at) FROM rollup WHERE span_s = ?", (MINUTE_S,)).fetchone()[0]
    if newest is None:
        return 0
    return _close(database, HOUR_S, MINUTE_S, int(min(now - CLOSE_AFTER_S, newest + HOUR_S)) // HOUR_S * HOUR_S)


def close_days(database: Database) -> int:
    """Compute days whose hours are all computed, the oldest first; returns the number of rows.

    Raises:
        StoreError: the database refuses; the next run computes them.
    """
    with database.read() as connection:
        hours_to = checkpoint_of(raw(connection), CLOSED_CHECKPOINTS[HOUR_S])
    return _close(database, DAY_S, HOUR_S, hours_to // DAY_S * DAY_S)


def _close(database: Database, span_s: int, part_s: int, until: int) -> int:
    """Compute spans before `until` that have rows, until `ROWS_PER_RUN` are made."""
    made = 0
    while made < ROWS_PER_RUN:
        with database.read() as connection:
            db = raw(connection)
            samples, closed_to = checkpoint_of(db, CHECKPOINT), checkpoint_of(db, CLOSED_CHECKPOINTS[span_s])
            oldest = db.execute(
                "SELECT min(at) FROM rollup WHERE span_s = ? AND at >= ? AND at < ?", (part_s, closed_to, until)
            ).fetchone()[0]
            devices = [row[0] for row in db.execute("SELECT id FROM device ORDER BY id")]
        if closed_to >= until:
            break
        if oldest is None:
            _finish(database, SpanProgress(span_s, part_s, until - span_s, samples))
            break
        added = _close_span(database, SpanProgress(span_s, part_s, oldest // span_s * span_s, samples), devices)
        if added is None:
            break
        made += added
    return made


def _close_span(database: Database, progress: SpanProgress, devices: Sequence[str]) -> int | None:
    """Compute one span of all devices; returns the number of rows, None if another process has overtaken."""
    made = 0
    share = BackgroundShare()
    for first in range(0, len(devices), DEVICES_PER_QUERY):
        rows = _rows(database, progress, devices[first : first + DEVICES_PER_QUERY], share)
        with database.write() as connection:
            db = raw(connection)
            if progress.is_overtaken(db):
                return None
            write_rows(db, PUT, "rollup", COLUMNS, rows)
        made += len(rows)
    return made if _finish(database, progress) else None


def _rows(
    database: Database, progress: SpanProgress, devices: Sequence[str], share: BackgroundShare
) -> list[tuple[int, str, int, bytes]]:
    parts: defaultdict[str, list[Figures]] = defaultdict(list)
    marks = ", ".join("?" * len(devices))
    query = f"SELECT device, figures FROM rollup WHERE span_s = ? AND device IN ({marks}) AND at >= ? AND at < ?"  # noqa: S608 (marks)
    with database.read() as connection:
        values = (progress.part_s, *devices, progress.start, progress.start + progress.span_s)
        found = raw(connection).execute(query, values).fetchall()
    for device, data in found:
        parts[device].append(without_labels(unpack(data)))
        share.pause()
    rows = []
    for device, figures in parts.items():
        rows.append((progress.span_s, device, progress.start, pack(merge(figures))))
        share.pause()
    return rows


def _finish(database: Database, progress: SpanProgress) -> bool:
    """Move the checkpoint to the end of a span; False if another process has overtaken."""
    with database.write() as connection:
        db = raw(connection)
        if progress.is_overtaken(db):
            return False
        set_checkpoint(db, CLOSED_CHECKPOINTS[progress.span_s], progress.start + progress.span_s)
        return True


def trim(database: Database, stored_since: Mapping[int, float]) -> int:
    """Delete the rows of each span before its time, in bounded transactions; returns their number. Minutes whose hours are still
    to be computed stay, and hours of such days: a server that was stopped for long computes them later."""
    with database.read() as connection:
        closed = closed_spans(raw(connection))
    removed = 0
    for span_s, oldest in stored_since.items():
        before = min(oldest, closed.get(NEXT_SPAN.get(span_s, 0), oldest))
        for _ in range(CHUNKS_MAX):
            with database.write() as connection:
                done = raw(connection).execute(
                    "DELETE FROM rollup WHERE (span_s, device, at) IN"
                    " (SELECT span_s, device, at FROM rollup WHERE span_s = ? AND at < ? LIMIT ?)",
                    (span_s, before, CHUNK_ROWS),
                )
            removed += done.rowcount
            if done.rowcount < CHUNK_ROWS:
                break
    return removed
