"""The searchable store of this device's events: SQLite, one row per event.

It serves people and programs on the device; the server gets events through the outbox. Age and bytes are bounded, and the oldest
events are deleted first. One thread writes in small batches, so that no frame waits for the disk; any process may read at the
same time. While the disk refuses them, the newest events are in memory (`core.local_database`), where only this process finds
them. Repeated counts (kind `count`) are not stored.
"""

from __future__ import annotations

import logging
import queue
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.local_database import Layout, LocalDatabase, open_for_reading
from edgefleet_agent.recording.earlier_workers import EarlierWorkers, ended
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
PAGE = 500
FILTERS = ("label", "zone", "line", "pipeline", "rule", "kind")
RECORD_BYTES_MAX = 32 * 1024
BUSY_S = 5.0
HEAL_S = 1.0
"""Interval of looking whether the disk works again, where no event comes."""
MEMORY_BYTES_MAX = 4 * 1024 * 1024
CONTINUES_S = 30.0
"""Longest interval at which it is stored that open events still go on."""

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
    score = excluded.score, record = excluded.record WHERE phase != 'end' AND excluded.phase != 'new'
"""
_OPEN = "SELECT record, began_at, phase, changed_at FROM events WHERE phase != 'end'"
_CONTINUES = "UPDATE events SET changed_at = ? WHERE id = ? AND phase != 'end'"
_FIND = "SELECT record, began_at, phase FROM events WHERE id = ?"

log = logging.getLogger(__name__)
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
    """A stored event. began_at: wall time. open: it has not ended, or the worker was killed and no other has started yet."""

    event: Event
    began_at: float
    open: bool


class EventStore:
    """`events.db` in `folder`. `write` from any thread.

    keep_s, keep_bytes: older events, and the oldest above the size, are deleted. faults: where a failing disk is reported.
    earlier: those whose events are stored first if they are not here, and ended if they are open; None: there are none.
    """

    def __init__(
        self,
        folder: Path,
        keep_s: float,
        keep_bytes: int,
        faults: DiskFaults,
        wall: Callable[[], float],
        earlier: EarlierWorkers | None = None,
    ) -> None:
        self._earlier = earlier
        self._left_late = earlier is not None and not earlier.over()
        self._going: set[str] = set()  # open events of this process
        self._known_s = 0.0
        self._folder = folder
        self._faults = faults
        self._keep_s = keep_s
        self._keep_bytes = keep_bytes
        self._wall = wall
        self._database = LocalDatabase(folder / FILE, "events", Layout(_SCHEMA, _merge), faults)
        self._waiting: queue.Queue[Event | None] = queue.Queue(WAITING_MAX)
        self.lost = 0
        missed = earlier.found() if earlier is not None else []
        self._thread = threading.Thread(target=self._run, args=(missed,), name="event store", daemon=True)
        self._thread.start()

    def write(self, event: Event) -> None:
        """Queue an event to be stored; never waits."""
        if not event.id or event.kind == "count":
            return
        self._going.add(event.id)
        try:
            self._waiting.put_nowait(event)
        except queue.Full:
            self._going.discard(event.id)
            self.lost += 1

    def search(self, query: Query) -> list[StoredEvent]:
        """Like the function `search`, with the events that are in memory.

        Raises:
            StoreError: the file cannot be read.
        """
        if self._database.on_disk:
            return search(self._folder, query)
        newest = self._stored(*_search_statement(query))
        try:
            older = search(self._folder, query)
        except StoreError:  # the status shows the fault of the disk
            older = []
        found = {stored.event.id: stored for stored in (*older, *newest)}
        in_order = sorted(found.values(), key=lambda stored: (-stored.began_at, stored.event.id))
        return in_order[: max(1, min(query.limit, LIMIT_MAX))]

    def find(self, event_id: str) -> StoredEvent | None:
        """Like the function `find`, with the events that are in memory.

        Raises:
            StoreError: the file cannot be read.
        """
        found = [] if self._database.on_disk else self._stored(_FIND, (event_id,))
        return found[0] if found else find(self._folder, event_id)

    def close(self) -> None:
        """Write the queued events, and end."""
        self._waiting.put(None)
        self._thread.join(2 * BUSY_S)

    def _run(self, missed: list[Event]) -> None:
        tidied_s = 0.0
        self._store_missed(missed)
        while True:
            self._end_left()
            try:
                first = self._waiting.get(timeout=HEAL_S)
            except queue.Empty:
                self._database.turn()
                self._faults.present()  # notices that are over
                if self._going and time.monotonic() - self._known_s > CONTINUES_S:
                    self._store_batch([], tidy=False)
                continue
            if first is None:
                break
            batch, last = self._gather(first)
            tidy = time.monotonic() - tidied_s > TIDY_S or not self._database.on_disk
            self._store_batch(batch, tidy=tidy)
            if tidy:
                tidied_s = time.monotonic()
            if last:
                break
        self._database.close()

    def _store_missed(self, events: list[Event]) -> None:
        """Store events of the journals, which are known to have gone on no longer than they say."""
        missed = [event for event in events if event.id and event.kind != "count"]
        for start in range(0, len(missed), BATCH_MAX):
            self._store_batch(missed[start : start + BATCH_MAX], tidy=False, missed=True)

    def _end_left(self) -> None:
        """End the events of earlier workers, once those have ended and the file can be read."""
        earlier = self._earlier
        if earlier is None or not self._database.on_disk or not earlier.over():
            return
        self._store_missed(earlier.found() if self._left_late else [])  # they have found more meanwhile
        generation = self._database.generation
        try:
            rows = self._database.rows(_OPEN)
        except StoreError:  # the status shows the fault of the disk
            return
        self._earlier = None if self._database.generation == generation else earlier  # the disk may have failed just now
        for record, began_at, phase, known_at in rows:
            stored = _stored_event((record, began_at, phase))
            if stored is not None and stored.event.id not in self._going:
                over = ended(stored.event, stored.began_at, float(known_at))
                earlier.on_end(over)
                self._store_batch([over], tidy=False)

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

    def _store_batch(self, batch: list[Event], *, tidy: bool, missed: bool = False) -> None:
        now, self._known_s = self._wall(), time.monotonic()
        rows = [row for event in batch if (row := _row(event, (event.at or now) if missed else now)) is not None]
        going = [(now, event_id) for event_id in self._going.copy()]

        def store(database: sqlite3.Connection) -> None:
            database.executemany(_KEEP, rows)
            database.executemany(_CONTINUES, going)
            if tidy:
                self._tidy(database, now)

        try:
            self._database.run(store)
        except StoreError as error:  # neither the disk nor the memory takes them
            if not self.lost:
                log.error("%s", error)
            self.lost += len(batch)
        self._going.difference_update(event.id for event in batch if event.phase is EventPhase.END)

    def _tidy(self, database: sqlite3.Connection, now: float) -> None:
        """Delete by age and by bytes. A clock that was set back makes no event older."""
        database.execute("DELETE FROM events WHERE changed_at < ?", (now - self._keep_s,))
        keep_bytes = self._keep_bytes if self._database.on_disk else min(self._keep_bytes, MEMORY_BYTES_MAX)
        count, total = database.execute("SELECT count(*), coalesce(sum(length(record) + 200), 0) FROM events").fetchone()
        if total > keep_bytes:
            surplus = -(-int(count) * (int(total) - keep_bytes) // int(total))
            database.execute("DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY began_at LIMIT ?)", (surplus,))

    def _stored(self, statement: str, values: tuple[object, ...]) -> list[StoredEvent]:
        return [stored for row in self._database.rows(statement, values) if (stored := _stored_event(row)) is not None]


def search(folder: Path, query: Query) -> list[StoredEvent]:
    """Matching events, newest first. Empty without a database.

    Raises:
        StoreError: the file cannot be read.
    """
    return _select(folder, *_search_statement(query))


def every(folder: Path, query: Query) -> Iterator[StoredEvent]:
    """All matching events in the order of their start, however many; the limit of the query does not count. Read in pages, so
    that the service may write meanwhile.

    Raises:
        StoreError: the file cannot be read.
    """
    conditions, values = _conditions(query)
    last: tuple[float, str] | None = None
    while True:
        beyond = [*conditions, "(began_at, id) > (?, ?)"] if last is not None else conditions
        statement = f"SELECT record, began_at, phase, id FROM events {_where(beyond)} ORDER BY began_at, id LIMIT {PAGE}"  # noqa: S608 (our names)
        rows = _rows(folder, statement, (*values, *(last or ())))
        yield from (stored for row in rows if (stored := _stored_event(row[:3])) is not None)
        if len(rows) < PAGE:
            return
        last = (rows[-1][1], rows[-1][3])


def matches(stored: StoredEvent, query: Query) -> bool:
    """Whether an event matches, as one of the store would."""
    event = stored.event
    if any(getattr(query, name) not in ("", getattr(event, name)) for name in FILTERS):
        return False
    since, before = query.since_at, query.before_at
    return (since is None or stored.began_at >= since) and (before is None or stored.began_at < before)


def _search_statement(query: Query) -> tuple[str, tuple[object, ...]]:
    conditions, values = _conditions(query)
    where = _where(conditions)
    statement = f"SELECT record, began_at, phase FROM events {where} ORDER BY began_at DESC, id LIMIT ?"  # noqa: S608 (our names)
    return statement, (*values, max(1, min(query.limit, LIMIT_MAX)))


def _conditions(query: Query) -> tuple[list[str], list[object]]:
    filters = [(name, getattr(query, name)) for name in FILTERS if getattr(query, name)]
    conditions = [f"{name} = ?" for name, _ in filters]
    values: list[object] = [value for _, value in filters]
    for name, sign, moment in (("began_at", ">=", query.since_at), ("began_at", "<", query.before_at)):
        if moment is not None:
            conditions.append(f"{name} {sign} ?")
            values.append(moment)
    return conditions, values


def _where(conditions: list[str]) -> str:
    return f"WHERE {' AND '.join(conditions)}" if conditions else ""


def find(folder: Path, event_id: str) -> StoredEvent | None:
    """The event with this id; None if it is not stored.

    Raises:
        StoreError: the file cannot be read.
    """
    found = _select(folder, _FIND, (event_id,))
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
        number = _number(text)
        if number is not None:
            datetime.fromtimestamp(number, timezone.utc)  # a calendar has this time
            return number
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError) as cause:
        raise InputError(f"{text!r} is not a time; use 90m, 6h, 2d, 2026-05-01T12:00, or seconds since 1970") from cause
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _select(folder: Path, statement: str, values: Iterable[object]) -> list[StoredEvent]:
    return [stored for row in _rows(folder, statement, values) if (stored := _stored_event(row)) is not None]


def _rows(folder: Path, statement: str, values: Iterable[object]) -> list[tuple[Any, ...]]:
    path = folder / FILE
    if not path.exists():
        return []
    try:
        database = open_for_reading(path)
        if database is None:
            raise StoreError(f"cannot read {path}: it is damaged or in use; try again, or move the file aside")
        with closing(database):
            # The table is missing while the database is created.
            exists = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone()
            return database.execute(statement, tuple(values)).fetchall() if exists else []
    except sqlite3.Error as error:
        raise StoreError(f"cannot read {path}: {error}; try again, or move the file aside") from error


def _stored_event(row: tuple[Any, ...]) -> StoredEvent | None:
    """None for a row that the disk has changed."""
    record, began_at, phase = row
    try:
        return StoredEvent(_decode(record), float(began_at), phase != EventPhase.END.value)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError, ValueError):
        return None


def _merge(memory: sqlite3.Connection, disk: sqlite3.Connection) -> None:
    disk.executemany(_KEEP, memory.execute("SELECT * FROM events"))


def _row(event: Event, now: float) -> tuple[object, ...] | None:
    record = encode(event)
    if len(record) > RECORD_BYTES_MAX:
        return None
    names = (event.kind, event.pipeline, event.rule, event.label, event.zone, event.line)
    return (event.id, began_at(event, now), now, event.phase.value, *names, event.score, record)


def began_at(event: Event, now: float) -> float:
    """Wall time of the start of an event; `now` for one that has no time."""
    began = event.at or now
    if event.phase is EventPhase.END and event.start_s is not None and event.end_s is not None:
        began -= event.end_s - event.start_s  # `at` is of its end
    return began


QUERY_FIELDS = tuple(field.name for field in fields(Query))
