"""Stores telemetry and events on disk until they are in the server's database.

Flushed at every commit: a sequence number is never used twice, not even after a power cut. Bytes and age are bounded; if the
outbox is full, the oldest telemetry is dropped first, events only if no telemetry is left, and every loss is counted. A delivered
record is removed only by `acked`, and only for the epoch (`link.outbox_lots`) that the server names. While the disk refuses the
file, records are in memory (`core.local_database`), and those of the file are still sent if it can be read.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.local_database import Layout, LocalDatabase
from edgefleet_agent.link.outbox_lots import (
    REACH,
    SCHEMA,
    DamagedRecordError,
    Lot,
    begin,
    drop_empty,
    losses_with_files,
    lots_of,
    merge,
    next_records,
    note_lost,
    recount,
)
from edgefleet_contract.wire.messages import Ack, Stream

BYTES_MAX = 64 * 1024 * 1024
MEMORY_BYTES_MAX = 4 * 1024 * 1024
AGE_S_MAX = {Stream.TELEMETRY: 7 * 86400.0, Stream.EVENTS: 30 * 86400.0}
RECORD_BYTES_MAX = 32 * 1024
DROP_RECORDS = 64
ANSWERS_MAX = 256
JUMP_S = 3600.0
"""Difference of wall time between two records above which the clock was set or the agent was down; normally it is at most a
minute."""
UNREADABLE = "outbox: the records of the file cannot be read (%s); they are sent when the disk works again"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OutboxSlice:
    """Records of one stream and one epoch, with rising numbers and no gap. `lost_before`: number of records of this epoch that
    were lost."""

    epoch: str
    first_seq: int
    bodies: list[bytes]
    lost_before: int

    @property
    def last_seq(self) -> int:
        return self.first_seq + len(self.bodies) - 1


class Outbox:
    """`outbox.db` in `folder`. Used from one thread. `faults`: where a failing disk is reported."""

    def __init__(
        self,
        folder: Path,
        bytes_max: int = BYTES_MAX,
        age_s_max: dict[Stream, float] | None = None,
        faults: DiskFaults | None = None,
    ) -> None:
        self._bytes_max = bytes_max
        self._age_s_max = age_s_max or AGE_S_MAX
        self._lost_with_files, self._files_lost = 0, 0
        self.faults = faults or DiskFaults()
        self._database = LocalDatabase(folder / "outbox.db", "outbox", Layout(SCHEMA, merge, begin), self.faults)
        self._generation, self._damages = -1, 0
        self._lots: list[Lot] = []
        self._newest_at = 0.0
        self._reached: dict[str, int] = {}
        self._load_losses()
        self._load_reached()
        self._follow()

    @property
    def on_disk(self) -> bool:
        """Whether records are on the disk; otherwise they are in memory."""
        return self._database.on_disk

    @property
    def reached(self) -> Mapping[str, int]:
        """By the name of a worker's journal: the number up to which its events are here, or were."""
        return self._reached

    @property
    def epoch(self) -> str:
        """The epoch of new records."""
        return self._lots[-1].epoch

    @property
    def waiting(self) -> int:
        """Number of records that the server does not have yet."""
        return sum(sum(lot.waiting.values()) for lot in self._lots)

    @property
    def lost(self) -> int:
        """Number of records of the present epochs, and of damaged files, that were lost before the server acknowledged them."""
        return sum(sum(lot.lost.values()) for lot in self._lots) + self._lost_with_files

    @property
    def files_lost(self) -> int:
        """Number of damaged files that were put aside with an unknown number of records."""
        return self._files_lost

    def next_seq(self, stream: Stream) -> int:
        """The number of the next record."""
        return self._lots[-1].next_seq[stream]

    def add(self, stream: Stream, bodies: Iterable[bytes], at: float, reached: Mapping[str, int] | None = None) -> None:
        """Store records (JSON objects), all or none; they are on the disk when this returns, or in memory if it refuses them.
        `at` is wall time. reached: the new numbers of the journals that they come from, stored with them.

        A record over `RECORD_BYTES_MAX` leaves its number empty and is counted as lost.

        Raises:
            StoreError: neither the disk nor the memory takes them.
        """
        bodies = list(bodies)
        self._follow()
        jumped = abs(at - self._newest_at) > JUMP_S and self.waiting > 0

        def store(database: sqlite3.Connection) -> None:
            counted = "SELECT next_seq, lost FROM streams WHERE stream = ?"
            first, lost = database.execute(counted, (stream.value,)).fetchone()
            rows = [(stream.value, seq, at, body) for seq, body in enumerate(bodies, first) if len(body) <= RECORD_BYTES_MAX]
            if jumped and self._present:
                self._shift_times(database, at - self._newest_at)
            database.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
            counters = (first + len(bodies), lost + len(bodies) - len(rows), stream.value)
            database.execute("UPDATE streams SET next_seq = ?, lost = ? WHERE stream = ?", counters)
            database.executemany(REACH, list((reached or {}).items()))

        self._database.run(store)
        self._reached.update(reached or {})
        if self._present:
            lot, stored_bodies = self._lots[-1], [body for body in bodies if len(body) <= RECORD_BYTES_MAX]
            lot.next_seq[stream] += len(bodies)
            lot.lost[stream] += len(bodies) - len(stored_bodies)
            lot.waiting[stream] += len(stored_bodies)
            lot.bytes[stream] += sum(len(body) for body in stored_bodies)
        self._follow()
        self._newest_at = at
        self._trim(at)

    def forget_journals(self, present: Collection[str]) -> None:
        """Forget the numbers of journals that are gone. present: the names of the others.

        Raises:
            StoreError: neither the disk nor the memory takes it.
        """
        dropped = [(name,) for name in self._reached if name not in present]
        if dropped:
            self._database.run(lambda database: database.executemany("DELETE FROM found WHERE journal = ?", dropped))
            for (name,) in dropped:
                del self._reached[name]

    def sending_epoch(self, stream: Stream) -> str:
        """The epoch whose records are sent now: the first that has any."""
        self._follow()
        return next((lot.epoch for lot in self._lots if lot.waiting[stream]), self.epoch)

    def read(self, stream: Stream, after_seq: int) -> OutboxSlice | None:
        """The next records after `after_seq` of the epoch that is sent now, at most one batch; None if there are none. A record
        that the disk has changed is dropped and counted as lost.

        Raises:
            StoreError: the disk is damaged again and again.
        """
        while True:
            epoch = self.sending_epoch(stream)
            lot = next(lot for lot in self._lots if lot.epoch == epoch)
            try:
                first_seq, bodies = self._next_records(lot, stream, after_seq)
            except DamagedRecordError as error:
                log.error("outbox: %s; it is dropped", error)
                self._drop_damaged(lot, stream, error.seq)
                continue
            return OutboxSlice(epoch, first_seq, bodies, lot.lost[stream]) if bodies else None

    def acked(self, ack: Ack) -> bool:
        """Remove the records up to `ack.seq`, which are in the server's database. False: of no epoch of this outbox, or never
        sent.

        Raises:
            StoreError: the disk is damaged again and again.
        """
        while True:
            self._follow()
            lot = next((lot for lot in self._lots if lot.epoch == ack.epoch), None)
            if lot is None or ack.seq >= lot.next_seq[ack.stream]:
                return False
            if lot.behind:
                self._skip(lot, ack.stream, ack.seq)
                return True
            if self._delete(lot, ack.stream, "seq <= :seq", {"seq": ack.seq}, lost=False) is not None:
                return True

    def answer_to(self, command: str) -> bytes | None:
        """The stored reply to the command with this id; None if it is not stored.

        Raises:
            StoreError: the disk is damaged again and again.
        """
        query = "SELECT reply FROM answers WHERE id = ?"
        rows = self._database.rows(query, (command,))
        if not rows and self._database.behind is not None:
            try:
                rows = self._database.behind.execute(query, (command,)).fetchall()
            except sqlite3.Error as error:
                log.warning("outbox: the stored replies cannot be read: %s", error)
        return bytes(rows[0][0]) if rows and isinstance(rows[0][0], bytes) else None

    def remember(self, command: str, reply: bytes) -> None:
        """Store a reply for repetitions of its command; the newest `ANSWERS_MAX` are kept.

        Raises:
            StoreError: neither the disk nor the memory takes it.
        """

        def store(database: sqlite3.Connection) -> None:
            database.execute("INSERT OR REPLACE INTO answers (id, reply) VALUES (?, ?)", (command, reply))
            old = "DELETE FROM answers WHERE number NOT IN (SELECT number FROM answers ORDER BY number DESC LIMIT ?)"
            database.execute(old, (ANSWERS_MAX,))

        self._database.run(store)

    def turn(self) -> None:
        """Return to the disk if it works again."""
        self._database.turn()
        self._follow()

    def close(self) -> None:
        self._database.close()

    @property
    def _present(self) -> bool:
        """Whether the lots are those of the database in use; it is exchanged where the disk fails, and where it works again."""
        return self._generation == self._database.generation

    def _follow(self) -> None:
        """Count again after the database was exchanged."""
        if self._present:
            return
        if self._damages != self._database.damages:
            self._damages = self._database.damages
            self._note_damage(sum(sum(lot.waiting.values()) for lot in self._lots) if self._generation >= 0 else None)
        before = {lot.epoch: lot.acked for lot in self._lots if lot.behind}
        while not self._present:
            self._generation = self._database.generation
            here = self._database.run(lambda database: lots_of(database, behind=False))
            ((newest_at,),) = self._database.rows("SELECT coalesce(max(at), 0.0) FROM records")
            self._lots, self._newest_at = [*self._lots_behind(before), *here], float(newest_at)

    def _load_losses(self) -> None:
        """Read what earlier runs have lost with damaged files."""
        self._lost_with_files, self._files_lost = self._database.run(losses_with_files)
        if self._database.behind is not None:
            with contextlib.suppress(sqlite3.Error):  # a file of an older version, or one that cannot be read
                known, unknown = losses_with_files(self._database.behind)
                self._lost_with_files, self._files_lost = self._lost_with_files + known, self._files_lost + unknown

    def _load_reached(self) -> None:
        """Read the numbers of journals that earlier runs have reached."""
        query = "SELECT journal, number FROM found WHERE typeof(journal) = 'text' AND typeof(number) = 'integer'"
        if self._database.behind is not None:
            with contextlib.suppress(sqlite3.Error):  # a file of an older version, or one that cannot be read
                self._reached.update(self._database.behind.execute(query).fetchall())
        self._reached.update(self._database.rows(query))

    def _note_damage(self, records: int | None) -> None:
        """Count the records of a file that was put aside; None: an unknown number."""
        self._database.run(lambda database: database.execute("INSERT INTO damages (records) VALUES (?)", (records,)))
        self._lost_with_files += records or 0
        self._files_lost += records is None

    def _lots_behind(self, acked: dict[str, dict[Stream, int]]) -> list[Lot]:
        behind = self._database.behind
        if behind is None:
            return []
        try:
            lots = lots_of(behind, behind=True)
            for lot in lots:
                lot.acked = acked.get(lot.epoch, {})
                for stream in Stream:
                    recount(behind, lot, stream)
        except sqlite3.Error as error:
            log.warning(UNREADABLE, error)
            return []
        return lots

    def _next_records(self, lot: Lot, stream: Stream, after_seq: int) -> tuple[int, list[bytes]]:
        if not lot.behind:

            def find(database: sqlite3.Connection) -> tuple[int, list[bytes]]:
                return next_records(database, lot, stream, after_seq) if self._present else (0, [])

            return self._database.run(find)
        try:
            if self._database.behind is not None:
                return next_records(self._database.behind, lot, stream, after_seq)
        except sqlite3.Error as error:
            log.warning(UNREADABLE, error)
            lot.waiting = dict.fromkeys(Stream, 0)
        return 0, []

    def _shift_times(self, database: sqlite3.Connection, jump_s: float) -> None:
        """Shift the times of the records by a jump of the wall clock. A clock that is set (or that starts in 1970 and is correct
        a minute later) must neither delete a week of records nor keep them without limit.
        """
        for table in ("records", "earlier"):
            database.execute(f"UPDATE {table} SET at = at + ?", (jump_s,))  # noqa: S608 (ours)

    def _trim(self, at: float) -> None:
        """Enforce the limits: first age, then bytes, telemetry before events, earlier epochs before the present one."""
        own = [lot for lot in self._lots if not lot.behind]
        bytes_max = self._bytes_max if self._database.on_disk else min(self._bytes_max, MEMORY_BYTES_MAX)
        for stream in (Stream.TELEMETRY, Stream.EVENTS):
            for lot in own:
                if lot.waiting[stream]:
                    self._delete(lot, stream, "at < :old", {"old": at - self._age_s_max[stream]}, lost=True)
                oldest = f"seq IN (SELECT seq FROM {lot.where} ORDER BY seq LIMIT {DROP_RECORDS})"  # noqa: S608 (ours)
                while lot.waiting[stream] and sum(sum(each.bytes.values()) for each in own) > bytes_max:
                    if not self._delete(lot, stream, oldest, {}, lost=True):
                        return

    def _delete(self, lot: Lot, stream: Stream, which: str, values: dict[str, object], *, lost: bool) -> int | None:
        """Remove records of a lot; `lost`: they are counted as lost. Returns their number; None: the database was exchanged, and
        nothing was removed."""
        names = lot.names(stream) | values

        def delete(database: sqlite3.Connection) -> tuple[int, int] | None:
            if not self._present:
                return None
            size = f"SELECT coalesce(sum(length(body)), 0) FROM {lot.where} AND {which}"  # noqa: S608 (ours)
            (freed,) = database.execute(size, names).fetchone()
            count = database.execute(f"DELETE FROM {lot.where} AND {which}", names).rowcount  # noqa: S608 (ours)
            if count and lost:
                note_lost(database, lot, stream, count)
            if count and not lot.main:
                drop_empty(database)
            return count, int(freed)

        done = self._database.run(delete)
        if done is None:
            self._follow()
            return None
        lot.waiting[stream] -= done[0]
        lot.bytes[stream] -= done[1]
        lot.lost[stream] += done[0] if lost else 0
        if not lot.main and not any(lot.waiting.values()):
            self._lots.remove(lot)
        return done[0]

    def _skip(self, lot: Lot, stream: Stream, seq: int) -> None:
        """Note that the records of a lot behind the memory up to `seq` have left; they are deleted when the disk works again."""
        note = "INSERT OR REPLACE INTO acknowledged VALUES (?, ?, ?)"
        lot.acked[stream] = max(seq, lot.acked.get(stream, 0))
        self._database.run(lambda database: database.execute(note, (lot.epoch, stream.value, lot.acked[stream])))
        try:
            if self._database.behind is not None:
                recount(self._database.behind, lot, stream)
        except sqlite3.Error as error:
            log.warning(UNREADABLE, error)

    def _drop_damaged(self, lot: Lot, stream: Stream, seq: int) -> None:
        if lot.behind:
            self._lost_with_files += 1
            self._skip(lot, stream, seq)
        else:
            self._delete(lot, stream, "seq = :seq", {"seq": seq}, lost=True)
