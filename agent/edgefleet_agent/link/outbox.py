"""Stores telemetry and events on disk until they are in the server's database.

SQLite in WAL mode, flushed at every commit: a sequence number is never used twice, not even after a power cut. Bytes and age are
bounded; if the outbox is full, the oldest telemetry is dropped first, events only if no telemetry is left, and every loss is
counted. A delivered record is removed only by `acked`, and only for the epoch (the lifetime of this file) that the server names.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.messages import RECORDS_PER_BATCH_MAX, Ack, Stream

BYTES_MAX = 64 * 1024 * 1024
MEMORY_BYTES_MAX = 4 * 1024 * 1024
AGE_S_MAX = {Stream.TELEMETRY: 7 * 86400.0, Stream.EVENTS: 30 * 86400.0}
RECORD_BYTES_MAX = 32 * 1024
BATCH_BYTES_MAX = 64 * 1024
DROP_RECORDS = 64
ANSWERS_MAX = 256
JUMP_S = 3600.0
"""Difference of wall time between two records above which the clock was set or the agent was down; normally it is at most a
minute."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (stream TEXT, seq INTEGER, at REAL, body BLOB, PRIMARY KEY (stream, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS streams (stream TEXT PRIMARY KEY, next_seq INTEGER NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS epoch (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, reply BLOB NOT NULL);
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OutboxSlice:
    """Records of one stream with rising numbers and no gap. `lost_before`: number of records of this epoch that were lost."""

    first_seq: int
    bodies: list[bytes]
    lost_before: int

    @property
    def last_seq(self) -> int:
        return self.first_seq + len(self.bodies) - 1


class Outbox:
    """`outbox.db` in `folder`. Used from one thread.

    `waiting` counts the records that the server does not have yet. If the disk cannot be used at the start, records are kept in
    memory, and `fault` gives the reason.

    Raises:
        StoreError: a damaged file cannot be set aside.
    """

    def __init__(self, folder: Path, bytes_max: int = BYTES_MAX, age_s_max: dict[Stream, float] | None = None) -> None:
        self._path = make_folder(folder) / "outbox.db"
        self._bytes_max = bytes_max
        self._age_s_max = age_s_max or AGE_S_MAX
        self._failing = False
        self._unwritten = 0
        self.fault = ""
        try:
            self._begin()
        except sqlite3.DatabaseError as error:
            self._start_over(error)

    @property
    def lost(self) -> int:
        """Number of records of this epoch that were dropped before the server acknowledged them."""
        return sum(self._lost.values()) + self._unwritten

    def next_seq(self, stream: Stream) -> int:
        """The number of the next record."""
        return self._next_seq[stream]

    def add(self, stream: Stream, bodies: Iterable[bytes], at: float) -> None:
        """Store records (JSON objects), all or none; they are on the disk when this returns. `at` is wall time.

        A record over `RECORD_BYTES_MAX` leaves its number empty; it and records refused by a full disk are counted as lost.
        """
        bodies = list(bodies)
        first = self._next_seq[stream]
        rows = [(stream.value, seq, at, body) for seq, body in enumerate(bodies, first) if len(body) <= RECORD_BYTES_MAX]
        next_seq, lost = first + len(bodies), self._lost[stream] + len(bodies) - len(rows)
        try:
            with self._as_store_error(), self._database:
                self._follow_clock(at)
                self._database.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
                self._database.execute(
                    "UPDATE streams SET next_seq = ?, lost = ? WHERE stream = ?", (next_seq, lost, stream.value)
                )
        except StoreError as error:
            if not self._failing:
                log.error("%s; until then records are lost", error)
            self._failing = True
            self._unwritten += len(bodies)
            return
        self._failing = False
        self._next_seq[stream], self._lost[stream] = next_seq, lost
        self.waiting += len(rows)
        self._bytes += sum(len(row[3]) for row in rows)
        with self._as_store_error():
            self._trim(at)

    def read(self, stream: Stream, after_seq: int) -> OutboxSlice | None:
        """The next records after `after_seq`, at most one batch; None if there are none.

        Raises:
            StoreError: the disk cannot be read.
        """
        query = "SELECT seq, body FROM records WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?"
        bodies: list[bytes] = []
        first_seq, size = 0, 0
        with self._as_store_error():
            for seq, body in self._database.execute(query, (stream.value, after_seq, RECORDS_PER_BATCH_MAX)):
                size += len(body)
                if bodies and (size > BATCH_BYTES_MAX or seq != first_seq + len(bodies)):
                    break
                first_seq = first_seq or seq
                bodies.append(bytes(body))
        return OutboxSlice(first_seq, bodies, self._lost[stream]) if bodies else None

    def acked(self, ack: Ack) -> bool:
        """Remove the records up to `ack.seq`, which are in the server's database. False: not of this epoch, or never sent.

        Raises:
            StoreError: the disk cannot be written; the records are sent again, which is harmless.
        """
        if ack.epoch != self.epoch or ack.seq >= self._next_seq[ack.stream]:
            return False
        with self._as_store_error():
            self._delete("stream = ? AND seq <= ?", (ack.stream.value, ack.seq))
        return True

    def answer_to(self, command: str) -> bytes | None:
        """The stored reply to the command with this id; None if it is not stored.

        Raises:
            StoreError: the disk cannot be read.
        """
        with self._as_store_error():
            row = self._database.execute("SELECT reply FROM answers WHERE id = ?", (command,)).fetchone()
        return bytes(row[0]) if row else None

    def remember(self, command: str, reply: bytes) -> None:
        """Store a reply for repetitions of its command; the newest `ANSWERS_MAX` are kept.

        Raises:
            StoreError: the disk cannot be written.
        """
        old = "DELETE FROM answers WHERE number NOT IN (SELECT number FROM answers ORDER BY number DESC LIMIT ?)"
        with self._as_store_error(), self._database:
            self._database.execute("INSERT OR REPLACE INTO answers (id, reply) VALUES (?, ?)", (command, reply))
            self._database.execute(old, (ANSWERS_MAX,))

    def close(self) -> None:
        self._database.close()

    def _begin(self) -> None:
        try:
            database = _open(str(self._path))
        except sqlite3.OperationalError as error:
            todo = "records are kept in memory until the next start; free some disk space or repair the disk"
            self.fault = f"cannot use {self._path}: {error}; {todo}"
            log.error("%s", self.fault)
            self._bytes_max = min(self._bytes_max, MEMORY_BYTES_MAX)
            database = _open(":memory:")
        self._database = database
        self.epoch: str = database.execute("SELECT id FROM epoch").fetchone()[0]
        rows = database.execute("SELECT stream, next_seq, lost FROM streams").fetchall()
        self._next_seq = {Stream(stream): int(next_seq) for stream, next_seq, _ in rows}
        self._lost = {Stream(stream): int(lost) for stream, _, lost in rows}
        query = "SELECT count(*), coalesce(sum(length(body)), 0), coalesce(max(at), 0) FROM records"
        waiting, size, newest_at = database.execute(query).fetchone()
        self.waiting = int(waiting)
        self._bytes = int(size)
        self._newest_at = float(newest_at)

    def _start_over(self, error: sqlite3.DatabaseError) -> None:
        """Set a damaged database file aside and start a new epoch."""
        log.error("%s is damaged (%s); it was moved aside, starting a new epoch", self._path, error)
        with as_store_error(self._path):
            if self._path.exists():
                self._path.replace(self._path.with_suffix(".damaged"))
            for journal in ("-wal", "-shm"):
                self._path.with_name(self._path.name + journal).unlink(missing_ok=True)
        self._begin()

    @contextlib.contextmanager
    def _as_store_error(self) -> Iterator[None]:
        """Converts SQLite errors to StoreError; a damaged file is replaced."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StoreError(f"cannot use {self._path}: {error}; free some space on its disk") from error
        except sqlite3.DatabaseError as error:
            self._database.close()
            self._start_over(error)
            raise StoreError(f"{self._path} was damaged: {error}; replaced by an empty one") from error

    def _follow_clock(self, at: float) -> None:
        """Shift the times of the records by a jump of the wall clock. A clock that is set (or that starts in 1970 and is correct
        a minute later) must neither delete a week of records nor keep them without limit.
        """
        jump_s = at - self._newest_at
        if abs(jump_s) > JUMP_S and self.waiting:
            self._database.execute("UPDATE records SET at = at + ?", (jump_s,))
        self._newest_at = at

    def _trim(self, at: float) -> None:
        """Enforce the limits: first age, then bytes, telemetry before events."""
        for stream in Stream:
            self._drop(stream, "stream = ? AND at < ?", (stream.value, at - self._age_s_max[stream]))
        for stream in (Stream.TELEMETRY, Stream.EVENTS):
            oldest = "stream = ? AND seq IN (SELECT seq FROM records WHERE stream = ? ORDER BY seq LIMIT ?)"
            while self._bytes > self._bytes_max and self._drop(stream, oldest, (stream.value, stream.value, DROP_RECORDS)):
                pass

    def _drop(self, stream: Stream, where: str, values: tuple[object, ...]) -> int:
        count = self._delete(where, values)
        if count:
            self._lost[stream] += count
            with self._database:
                self._database.execute("UPDATE streams SET lost = ? WHERE stream = ?", (self._lost[stream], stream.value))
        return count

    def _delete(self, where: str, values: tuple[object, ...]) -> int:
        size = f"SELECT coalesce(sum(length(body)), 0) FROM records WHERE {where}"  # noqa: S608 (`where` is one of ours)
        freed = int(self._database.execute(size, values).fetchone()[0])
        with self._database:
            count = self._database.execute(f"DELETE FROM records WHERE {where}", values).rowcount  # noqa: S608
        self._bytes -= freed
        self.waiting -= count
        return count


def _open(path: str) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA journal_size_limit = 1048576")
        database.execute("PRAGMA cache_size = -1024")
        database.executescript(_SCHEMA)
        with database:
            if database.execute("SELECT id FROM epoch").fetchone() is None:
                database.execute("INSERT INTO epoch VALUES (?)", (secrets.token_hex(8),))
            for stream in Stream:
                database.execute("INSERT OR IGNORE INTO streams VALUES (?, 1, 0)", (stream.value,))
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database
