"""The lots of the outbox: records of one epoch each, in the order in which they are sent.

An epoch is the life of one numbering. While the disk refuses the outbox, records get numbers of a new epoch in memory: the file
does not know these numbers, so they must not be numbers of its own epoch, which the next start would use again. Back on the disk,
the records of that epoch are in `earlier`, with the numbers under which they may have been sent.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from edgefleet_contract.wire.messages import RECORDS_PER_BATCH_MAX, Stream

BATCH_BYTES_MAX = 64 * 1024

SCHEMA = """
CREATE TABLE IF NOT EXISTS records (stream TEXT, seq INTEGER, at REAL, body BLOB, PRIMARY KEY (stream, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS streams (stream TEXT PRIMARY KEY, next_seq INTEGER NOT NULL, lost INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS epoch (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS answers (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, reply BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS earlier (
    epoch TEXT, stream TEXT, seq INTEGER, at REAL, body BLOB, PRIMARY KEY (epoch, stream, seq)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS earlier_streams (
    number INTEGER PRIMARY KEY AUTOINCREMENT, epoch TEXT NOT NULL, stream TEXT NOT NULL, next_seq INTEGER NOT NULL,
    lost INTEGER NOT NULL, UNIQUE (epoch, stream));
CREATE TABLE IF NOT EXISTS acknowledged (
    epoch TEXT, stream TEXT, seq INTEGER NOT NULL, PRIMARY KEY (epoch, stream)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS damages (number INTEGER PRIMARY KEY AUTOINCREMENT, records INTEGER);
CREATE TABLE IF NOT EXISTS found (journal TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
"""
"""`found`: the number up to which the events of a worker's journal are in the outbox. `damages`: the number of records in each
file that was put aside, NULL where it is unknown. `acknowledged`, in memory only: records of the file that the server has, and
that the disk cannot delete yet."""

REACH = "INSERT INTO found VALUES (?, ?) ON CONFLICT (journal) DO UPDATE SET number = max(number, excluded.number)"
_COLUMNS = {"main": "records WHERE stream = :stream", "earlier": "earlier WHERE epoch = :epoch AND stream = :stream"}
T = TypeVar("T")
_decode = msgspec.json.Decoder(dict).decode


@dataclass(slots=True)
class Lot:
    """Records of one epoch. main: in `records`, otherwise in `earlier`. behind: in the file behind the memory, which is only
    read. `waiting`: records that the server does not have, by stream; `bytes`: of their bodies."""

    epoch: str
    main: bool
    behind: bool
    next_seq: dict[Stream, int] = field(default_factory=dict)
    lost: dict[Stream, int] = field(default_factory=dict)
    waiting: dict[Stream, int] = field(default_factory=dict)
    bytes: dict[Stream, int] = field(default_factory=dict)
    acked: dict[Stream, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Table and condition of one stream, with the parameters `epoch` and `stream`."""
        return _COLUMNS["main" if self.main else "earlier"]

    def names(self, stream: Stream) -> dict[str, object]:
        """Parameters of `where`."""
        return {"epoch": self.epoch, "stream": stream.value}


def begin(database: sqlite3.Connection) -> None:
    """Write the first rows, and check what is there.

    Raises:
        sqlite3.DatabaseError: no outbox has written this.
    """
    if database.execute("SELECT id FROM epoch").fetchone() is None:
        database.execute("INSERT INTO epoch VALUES (?)", (secrets.token_hex(8),))
    for stream in Stream:
        database.execute("INSERT OR IGNORE INTO streams VALUES (?, 1, 0)", (stream.value,))
    for lot in lots_of(database, behind=False):
        for stream in Stream:
            (last,) = database.execute(f"SELECT max(seq) FROM {lot.where}", lot.names(stream)).fetchone()  # noqa: S608 (ours)
            if last is not None and last >= lot.next_seq[stream]:
                raise sqlite3.DatabaseError(f"record {last} of {stream.value} is not below {lot.next_seq[stream]}")


def lots_of(database: sqlite3.Connection, *, behind: bool) -> list[Lot]:
    """The lots of a database, earlier epochs first.

    Raises:
        sqlite3.DatabaseError: no outbox has written this.
    """
    lots: dict[str, Lot] = {}
    with contextlib.suppress(sqlite3.OperationalError) if behind else contextlib.nullcontext():  # a file of an older version
        for epoch, stream, next_seq, lost in database.execute(
            "SELECT epoch, stream, next_seq, lost FROM earlier_streams ORDER BY number"
        ):
            _count(lots.setdefault(epoch, Lot(_checked(epoch, str), main=False, behind=behind)), stream, next_seq, lost)
    row = database.execute("SELECT id FROM epoch").fetchone()
    if row is None:
        return list(lots.values())
    main = Lot(_checked(row[0], str), main=True, behind=behind)
    for stream, next_seq, lost in database.execute("SELECT stream, next_seq, lost FROM streams"):
        _count(main, stream, next_seq, lost)
    for lot in (*lots.values(), main):
        for each in Stream:
            lot.next_seq.setdefault(each, 1)
            lot.lost.setdefault(each, 0)
            recount(database, lot, each)
    return [*lots.values(), main]


def recount(database: sqlite3.Connection, lot: Lot, stream: Stream) -> None:
    """Count the records of a stream that wait."""
    query = f"SELECT count(*), coalesce(sum(length(body)), 0) FROM {lot.where} AND seq > :after"  # noqa: S608 (ours)
    values = lot.names(stream) | {"after": lot.acked.get(stream, 0)}
    count, size = database.execute(query, values).fetchone()
    lot.waiting[stream], lot.bytes[stream] = int(count), int(size)


def next_records(database: sqlite3.Connection, lot: Lot, stream: Stream, after_seq: int) -> tuple[int, list[bytes]]:
    """The next records after `after_seq`, at most one batch without a gap, and the number of the first; no record: (0, []).

    Raises:
        DamagedRecordError: the first of them is no record; the disk has changed it.
    """
    query = f"SELECT seq, body FROM {lot.where} AND seq > :after ORDER BY seq LIMIT :limit"  # noqa: S608 (ours)
    after = max(after_seq, lot.acked.get(stream, 0))
    values = lot.names(stream) | {"after": after, "limit": RECORDS_PER_BATCH_MAX}
    first_seq, size = 0, 0
    bodies: list[bytes] = []
    for seq, body in database.execute(query, values).fetchall():
        size += len(body) if isinstance(body, bytes) else 0
        if bodies and (size > BATCH_BYTES_MAX or seq != first_seq + len(bodies)):
            break
        if not _is_record(body):
            if bodies:
                break
            raise DamagedRecordError(seq)
        first_seq = first_seq or seq
        bodies.append(body)
    return first_seq, bodies


class DamagedRecordError(Exception):
    """A stored record is no JSON object. `seq`: its number."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"record {seq} is damaged")
        self.seq = seq


def merge(memory: sqlite3.Connection, disk: sqlite3.Connection) -> None:
    """Write what came into memory to the file: acknowledged records are deleted, and the epochs of the memory follow as
    `earlier` ones."""
    for epoch, stream, seq in memory.execute("SELECT epoch, stream, seq FROM acknowledged").fetchall():
        if disk.execute("SELECT 1 FROM epoch WHERE id = ?", (epoch,)).fetchone() is not None:
            disk.execute("DELETE FROM records WHERE stream = ? AND seq <= ?", (stream, seq))
        disk.execute("DELETE FROM earlier WHERE epoch = ? AND stream = ? AND seq <= ?", (epoch, stream, seq))
    answers = memory.execute("SELECT id, reply FROM answers ORDER BY number").fetchall()
    disk.executemany("INSERT OR REPLACE INTO answers (id, reply) VALUES (?, ?)", answers)
    (epoch,) = memory.execute("SELECT id FROM epoch").fetchone()
    if disk.execute("SELECT 1 FROM epoch WHERE id = ?", (epoch,)).fetchone() is not None:
        raise sqlite3.DatabaseError(f"epoch {epoch} is that of the file already")
    streams = (
        "SELECT epoch, stream, next_seq, lost FROM earlier_streams UNION ALL"
        " SELECT ?, stream, next_seq, lost FROM streams WHERE next_seq > 1"
    )
    add = "INSERT OR REPLACE INTO earlier_streams (epoch, stream, next_seq, lost) VALUES (?, ?, ?, ?)"
    disk.executemany(add, memory.execute(streams, (epoch,)))
    records = "SELECT epoch, stream, seq, at, body FROM earlier UNION ALL SELECT ?, stream, seq, at, body FROM records"
    disk.executemany("INSERT OR REPLACE INTO earlier VALUES (?, ?, ?, ?, ?)", memory.execute(records, (epoch,)))
    disk.executemany(REACH, memory.execute("SELECT journal, number FROM found").fetchall())
    disk.executemany("INSERT INTO damages (records) VALUES (?)", memory.execute("SELECT records FROM damages ORDER BY number"))
    drop_empty(disk)


def losses_with_files(database: sqlite3.Connection) -> tuple[int, int]:
    """Number of records known to be lost with damaged files, and of damaged files that held an unknown number."""
    known, unknown = database.execute(
        "SELECT coalesce(sum(records), 0), coalesce(sum(records IS NULL), 0) FROM damages"
    ).fetchone()
    return int(known), int(unknown)


def drop_empty(database: sqlite3.Connection) -> None:
    """Forget earlier epochs whose records have all left."""
    database.execute(
        "DELETE FROM earlier_streams WHERE NOT EXISTS (SELECT 1 FROM earlier"
        " WHERE earlier.epoch = earlier_streams.epoch AND earlier.stream = earlier_streams.stream)"
    )


def note_lost(database: sqlite3.Connection, lot: Lot, stream: Stream, count: int) -> None:
    """Count records of a lot as lost."""
    if lot.main:
        database.execute("UPDATE streams SET lost = lost + ? WHERE stream = ?", (count, stream.value))
    else:
        change = "UPDATE earlier_streams SET lost = lost + ? WHERE epoch = ? AND stream = ?"
        database.execute(change, (count, lot.epoch, stream.value))


def _count(lot: Lot, stream: object, next_seq: object, lost: object) -> None:
    known = next((each for each in Stream if each.value == stream), None)
    if known is None:
        raise sqlite3.DatabaseError(f"a stream {stream!r}")
    lot.next_seq[known], lot.lost[known] = _checked(next_seq, int), _checked(lost, int)


def _checked(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind) or (isinstance(value, int) and not 0 <= value < 1 << 53):
        raise sqlite3.DatabaseError(f"{value!r} is no {kind.__name__}")
    return value


def _is_record(body: object) -> bool:
    try:
        _decode(body)  # type: ignore[arg-type]  # a damaged column may hold anything
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError, RecursionError):
        return False
    return True
