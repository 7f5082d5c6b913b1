"""The searchable store of this device's events: SQLite, one row per event.

It serves people and programs on the device; the server gets events through the outbox. Age and bytes are bounded, and the oldest
events are deleted first. One thread writes in small batches, so that no frame waits for the disk; any process may read at the
same time. A full or read-only disk loses rows, is reported once, and never stops a pipeline. Repeated counts (kind `count`) are
not stored.
"""

from __future__ import annotations

import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from pathlib import Path

import msgspec

from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.errors import InputError, StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event, EventPhase

FILE = "events.db"
WAITING_MAX = 2000
"""Limit of events that wait for the disk; more are lost and counted."""
BATCH_MAX = 200
GATHER_S = 0.2
TIDY_S = 60.0
LIMIT_MAX = 1000
RECORD_BYTES_MAX = 32 * 1024
BUSY_S = 5.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY, began_at REAL NOT NULL, changed_at REAL NOT NULL, phase TEXT NOT NULL, kind TEXT NOT NULL,
    pipeline TEXT NOT NULL, rule TEXT NOT NULL, label TEXT NOT NULL, zone TEXT NOT NULL, line TEXT NOT NULL,
    score REAL, record BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS events_began ON events (began_at);
CREATE INDEX IF NOT EXISTS events_label ON events (label, began_at);
"""
_KEEP = """
INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET changed_at = excluded.changed_at, phase = excluded.phase, label = excluded.label,
    score = excluded.score, record = excluded.record WHERE phase != 'end'
"""
_decode = msgspec.json.Decoder(Event).decode


@dataclass(frozen=True, slots=True)
class Query:
    """Search filters; an empty one or None matches everything. since_at, before_at: wall time of the start."""

    label: str = ""
    zone: str = ""
    line: str = ""
    pipeline: str = ""
    rule: str = ""
    kind: str = ""
    since_at: float | None = None
    before_at: float | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A stored event. began_at: wall time. open: it has not ended, or the device stopped before its end."""

    event: Event
    began_at: float
    open: bool


class EventStore:
    """`events.db` in `folder`. `write` from any thread.

    keep_s, keep_bytes: older events, and the oldest above the size, are deleted. on_fault: called once per failure of the disk.
    """

    def __init__(
        self,
        folder: Path,
        keep_s: float,
        keep_bytes: int,
        on_fault: Callable[[str, str, bool], None],
        wall: Callable[[], float],
    ) -> None:
        self._path = folder / FILE
        self._keep_s = keep_s
        self._keep_bytes = keep_bytes
        self._on_fault = on_fault
        self._wall = wall
        self._waiting: queue.Queue[Event | None] = queue.Queue(WAITING_MAX)
        self._failing = False
        self.lost = 0
        self._thread = threading.Thread(target=self._run, name="event store", daemon=True)
        self._thread.start()

    def write(self, event: Event) -> None:
        """Queue an event to be stored; never waits."""
        if not event.id or event.kind == "count":
            return
        try:
            self._waiting.put_nowait(event)
        except queue.Full:
            self.lost += 1

    def close(self) -> None:
        """Write the queued events, and end."""
        self._waiting.put(None)
        self._thread.join(2 * BUSY_S)

    def _run(self) -> None:
        tidied_s = 0.0
        while (first := self._waiting.get()) is not None:
            batch, last = self._gather(first)
            self._store_batch(batch, tidy=time.monotonic() - tidied_s > TIDY_S)
            if time.monotonic() - tidied_s > TIDY_S:
                tidied_s = time.monotonic()
            if last:
                return

    def _gather(self, first: Event) -> tuple[list[Event], bool]:
        batch, ends_s = [first], time.monotonic() + GATHER_S
        while len(batch) < BATCH_MAX:
            try:
                event = self._waiting.get(timeout=max(0.0, ends_s - time.monotonic()))
            except queue.Empty:
                return batch, False
            if event is None:
                return batch, True
            batch.append(event)
        return batch, False

    def _store_batch(self, batch: list[Event], *, tidy: bool) -> None:
        try:
            with as_store_error(self._path):
                make_folder(self._path.parent)
                self._store(batch, tidy=tidy)
        except (sqlite3.Error, StoreError) as error:
            self.lost += len(batch)
            self._start_over(error)
            if not self._failing:
                self._failing = True
                self._on_fault("", f"events cannot be stored for search ({error}); free some space on its disk", False)
            return
        if self._failing:
            self._failing = False
            self._on_fault("", "events are stored for search again", True)

    def _store(self, batch: list[Event], *, tidy: bool) -> None:
        now = self._wall()
        rows = [row for event in batch if (row := _row(event, now)) is not None]
        with closing(_open(self._path)) as database, database:
            database.executemany(_KEEP, rows)
            if tidy:
                self._tidy(database, now)

    def _tidy(self, database: sqlite3.Connection, now: float) -> None:
        """Delete by age and by bytes. A clock that was set back makes no event older."""
        database.execute("DELETE FROM events WHERE changed_at < ?", (now - self._keep_s,))
        count, total = database.execute("SELECT count(*), coalesce(sum(length(record) + 200), 0) FROM events").fetchone()
        if total > self._keep_bytes:
            surplus = -(-int(count) * (int(total) - self._keep_bytes) // int(total))
            oldest = "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY began_at LIMIT ?)"
            database.execute(oldest, (surplus,))

    def _start_over(self, error: Exception) -> None:
        """Set a damaged database aside; after any other error the next batch tries again."""
        if isinstance(error, sqlite3.OperationalError) or not isinstance(error, sqlite3.DatabaseError):
            return
        for suffix in ("", "-wal", "-shm"):
            path = self._path.with_name(FILE + suffix)
            try:
                path.replace(path.with_name(f"{path.name}.damaged"))
            except OSError:
                continue


def search(folder: Path, query: Query) -> list[StoredEvent]:
    """Matching events, newest first. Empty without a database.

    Raises:
        StoreError: the file cannot be read.
    """
    columns = ("label", "zone", "line", "pipeline", "rule", "kind")
    filters = [(name, getattr(query, name)) for name in columns if getattr(query, name)]
    conditions = [f"{name} = ?" for name, _ in filters]
    values: list[object] = [value for _, value in filters]
    for name, sign, moment in (("began_at", ">=", query.since_at), ("began_at", "<", query.before_at)):
        if moment is not None:
            conditions.append(f"{name} {sign} ?")
            values.append(moment)
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    statement = f"SELECT record, began_at, phase FROM events {where} ORDER BY began_at DESC, id LIMIT ?"  # noqa: S608 (our names)
    return _select(folder, statement, (*values, max(1, min(query.limit, LIMIT_MAX))))


def find(folder: Path, event_id: str) -> StoredEvent | None:
    """The event with this id; None if it is not stored.

    Raises:
        StoreError: the file cannot be read.
    """
    found = _select(folder, "SELECT record, began_at, phase FROM events WHERE id = ?", (event_id,))
    return found[0] if found else None


def moment_at(text: str, now: float) -> float:
    """Parse a time to wall time: seconds since 1970, ISO 8601 (UTC without an offset), or an age such as `90m`, `6h`, `2d`.

    Raises:
        InputError: the text has another form.
    """
    age = re.match(r"^(\d{1,6})([smhd])$", text)
    if age is not None:
        return now - int(age[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[age[2]]
    try:
        return float(text)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as cause:
        raise InputError(f"{text!r} is not a time; use 90m, 6h, 2d, 2026-05-01T12:00, or seconds since 1970") from cause
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def _select(folder: Path, statement: str, values: Iterable[object]) -> list[StoredEvent]:
    path = folder / FILE
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as database:
            # The table is missing while the database is created.
            exists = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone()
            rows = database.execute(statement, tuple(values)).fetchall() if exists else []
    except sqlite3.Error as error:
        raise StoreError(f"cannot read {path}: {error}; try again, or move the file aside") from error
    return [StoredEvent(_decode(record), began_at, phase != EventPhase.END.value) for record, began_at, phase in rows]


def _row(event: Event, now: float) -> tuple[object, ...] | None:
    record = encode(event)
    if len(record) > RECORD_BYTES_MAX:
        return None
    began_at = event.at or now
    if event.phase is EventPhase.END and event.start_s is not None and event.end_s is not None:
        began_at -= event.end_s - event.start_s  # `at` is of its end
    names = (event.kind, event.pipeline, event.rule, event.label, event.zone, event.line)
    return (event.id, began_at, now, event.phase.value, *names, event.score, record)


def _open(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=BUSY_S)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("PRAGMA journal_size_limit = 1048576")
        database.executescript(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


QUERY_FIELDS = tuple(field.name for field in fields(Query))
