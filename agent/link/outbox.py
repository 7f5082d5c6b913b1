"""Telemetry and events on disk until the server's database has them.

SQLite, WAL, flushed at every commit: a sequence number that was used is never used again, not even after a power cut. Bounded in
bytes and age; when it is full the oldest telemetry goes first, events only when no telemetry is left, and every loss is counted.
A record leaves by `acked` alone, and only for the epoch (the life of this file) that the server names.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from agent.contract.messages import RECORDS_PER_BATCH_MAX, Ack, Stream
from agent.durable import make_folder, told_as_store_error

BYTES_MAX = 64 * 1024 * 1024
AGE_S_MAX = {Stream.TELEMETRY: 7 * 86400.0, Stream.EVENTS: 30 * 86400.0}
RECORD_BYTES_MAX = 32 * 1024
BATCH_BYTES_MAX = 64 * 1024
DROP_RECORDS = 64
ANSWERS_MAX = 256

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (stream TEXT, seq INTEGER, at REAL, body BLOB, PRIMARY KEY (stream, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS streams (stream TEXT PRIMARY KEY, next_seq INTEGER NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS epoch (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, reply BLOB NOT NULL);
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Slice:
    """Records of one stream with rising numbers and no gap. `lost_before`: how many of this epoch never reached the server."""

    first_seq: int
    bodies: list[bytes]
    lost_before: int

    @property
    def last_seq(self) -> int:
        return self.first_seq + len(self.bodies) - 1


class Outbox:
    """`outbox.db` in `folder`. Used from one thread.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, folder: Path, bytes_max: int = BYTES_MAX, age_s_max: dict[Stream, float] | None = None) -> None:
        self._path = make_folder(folder) / "outbox.db"
        self._bytes_max = bytes_max
        self._age_s_max = age_s_max or AGE_S_MAX
        self._full = False
        self._unwritten = 0
        try:
            self._database = self._open()
        except sqlite3.DatabaseError as error:
            log.error("%s is damaged (%s); set aside, a new epoch begins", self._path, error)
            with told_as_store_error(self._path):
                self._path.replace(self._path.with_suffix(".damaged"))
                for journal in ("-wal", "-shm"):
                    self._path.with_name(self._path.name + journal).unlink(missing_ok=True)
            self._database = self._open()
        self.epoch: str = self._database.execute("SELECT id FROM epoch").fetchone()[0]
        self._bytes = int(self._database.execute("SELECT coalesce(sum(length(body)), 0) FROM records").fetchone()[0])

    @property
    def waiting(self) -> int:
        """How many records wait for the server."""
        return int(self._database.execute("SELECT count(*) FROM records").fetchone()[0])

    @property
    def lost(self) -> int:
        """How many records of this epoch were dropped before the server had them."""
        return int(self._database.execute("SELECT sum(lost) FROM streams").fetchone()[0]) + self._unwritten

    def next_seq(self, stream: Stream) -> int:
        row = self._database.execute("SELECT next_seq FROM streams WHERE stream = ?", (stream.value,)).fetchone()
        return int(row[0])

    def add(self, stream: Stream, bodies: Iterable[bytes], at: float) -> None:
        """Keep records (JSON objects), all or none, on the disk when this returns. `at` is wall time.

        A record over `RECORD_BYTES_MAX` leaves its number empty; it and what a full disk refuses are counted as lost.
        """
        bodies = list(bodies)
        try:
            with self._database:
                numbered = enumerate(bodies, self.next_seq(stream))
                rows = [(stream.value, seq, at, body) for seq, body in numbered if len(body) <= RECORD_BYTES_MAX]
                self._database.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
                self._database.execute(
                    "UPDATE streams SET next_seq = next_seq + ?, lost = lost + ? WHERE stream = ?",
                    (len(bodies), len(bodies) - len(rows), stream.value),
                )
        except sqlite3.OperationalError as error:
            if not self._full:
                log.error("cannot keep records in %s: %s; they are lost until there is space", self._path, error)
            self._full = True
            self._unwritten += len(bodies)
            return
        self._full = False
        self._bytes += sum(len(row[3]) for row in rows)
        self._trim(at)

    def read(self, stream: Stream, after_seq: int) -> Slice | None:
        """The next records behind `after_seq`, at most one batch; None when there are none."""
        rows = self._database.execute(
            "SELECT seq, body FROM records WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?",
            (stream.value, after_seq, RECORDS_PER_BATCH_MAX),
        )
        bodies: list[bytes] = []
        first_seq, size = 0, 0
        for seq, body in rows:
            size += len(body)
            if bodies and (size > BATCH_BYTES_MAX or seq != first_seq + len(bodies)):
                break
            first_seq = first_seq or seq
            bodies.append(bytes(body))
        if not bodies:
            return None
        lost = self._database.execute("SELECT lost FROM streams WHERE stream = ?", (stream.value,)).fetchone()[0]
        return Slice(first_seq, bodies, int(lost))

    def acked(self, ack: Ack) -> bool:
        """The server's database has everything up to `ack.seq`: forget it. False: not of this epoch, or never sent."""
        if ack.epoch != self.epoch or ack.seq >= self.next_seq(ack.stream):
            return False
        where = "stream = ? AND seq <= ?"
        return self._delete(where, (ack.stream.value, ack.seq)) >= 0

    def answer_to(self, command: str) -> bytes | None:
        """The reply that was given to the command with this id, if it is remembered."""
        row = self._database.execute("SELECT reply FROM answers WHERE id = ?", (command,)).fetchone()
        return bytes(row[0]) if row else None

    def remember(self, command: str, reply: bytes) -> None:
        """Keep a reply for repeats of its command; the newest `ANSWERS_MAX` are kept."""
        with self._database:
            self._database.execute("INSERT OR REPLACE INTO answers (id, reply) VALUES (?, ?)", (command, reply))
            self._database.execute(
                "DELETE FROM answers WHERE number NOT IN (SELECT number FROM answers ORDER BY number DESC LIMIT ?)",
                (ANSWERS_MAX,),
            )

    def close(self) -> None:
        self._database.close()

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path)
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

    def _trim(self, at: float) -> None:
        """Keep the limits: too old first, then too many bytes, telemetry before events."""
        for stream in Stream:
            self._drop(stream, "stream = ? AND at < ?", (stream.value, at - self._age_s_max[stream]))
        for stream in (Stream.TELEMETRY, Stream.EVENTS):
            oldest = "stream = ? AND seq IN (SELECT seq FROM records WHERE stream = ? ORDER BY seq LIMIT ?)"
            while self._bytes > self._bytes_max and self._drop(stream, oldest, (stream.value, stream.value, DROP_RECORDS)):
                pass

    def _drop(self, stream: Stream, where: str, values: tuple[object, ...]) -> int:
        count = self._delete(where, values)
        if count:
            with self._database:
                self._database.execute("UPDATE streams SET lost = lost + ? WHERE stream = ?", (count, stream.value))
        return count

    def _delete(self, where: str, values: tuple[object, ...]) -> int:
        size = f"SELECT coalesce(sum(length(body)), 0) FROM records WHERE {where}"  # noqa: S608 (`where` is one of ours)
        freed = int(self._database.execute(size, values).fetchone()[0])
        with self._database:
            count = self._database.execute(f"DELETE FROM records WHERE {where}", values).rowcount  # noqa: S608
        self._bytes -= freed
        return count
