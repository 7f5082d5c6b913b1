"""Uploads evidence to the server within a budget of bytes a day: requested files first, then snapshots, then clips, the newest
first.

The queue is in SQLite and survives a power cut; a file leaves it only after the server has stored it. A file that retention
deleted on the device is dropped from the queue, and counted. While the disk refuses the queue, a copy of it is in memory
(`core.local_database`). Used from one thread.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.local_database import Layout, LocalDatabase
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, FILE_BYTES_MAX, Upload, UploadKind, UploadState
from edgefleet_contract.wire.messages import Event, EventPhase

WAITING_MAX = 2000
"""Limit of waiting files; above it the oldest clips are dropped first."""
PATIENCE_S = 30.0
"""Time without an answer after which the file is offered again."""
WRITTEN_S_MAX = 900.0
"""A clip is written after its last seconds; a file that is missing this long after its event is given up."""
REWIND_S = 1.0
"""Answers to one loss arrive close together; blocks are sent again once for all of them."""
DAY_S = 86400.0
RANKS: dict[str, int] = {"snapshot": 0, "clip": 1}
REQUESTED_RANK = -1
"""Rank of a file that the server requested."""
MADE = ("picture", "support")
"""Kinds of files that are made for their upload."""
FATES_MAX = 256
"""Requested files whose result is remembered until it is read."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS files (
    event TEXT, kind TEXT, name TEXT NOT NULL, at REAL NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (event, kind)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS budget (one INTEGER PRIMARY KEY CHECK (one = 1), day INTEGER NOT NULL, spent INTEGER NOT NULL);
INSERT OR IGNORE INTO budget VALUES (1, 0, 0);
"""

log = logging.getLogger(__name__)
Publish = Callable[[Outgoing], int | None]


def _carry(file: sqlite3.Connection | None, memory: sqlite3.Connection) -> None:
    """The memory has a copy of the whole queue (`user_version` 1); without the file it begins empty."""
    if file is None:
        memory.executescript("DELETE FROM files; PRAGMA user_version = 0")
        return
    _copy(file, memory)
    memory.execute("PRAGMA user_version = 1")


def _merge(memory: sqlite3.Connection, disk: sqlite3.Connection) -> None:
    """The copy of the queue replaces it; a queue that began empty is added to it."""
    if memory.execute("PRAGMA user_version").fetchone()[0]:
        disk.execute("DELETE FROM files")
    _copy(memory, disk)


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    rows = source.execute("SELECT event, kind, name, at, rank FROM files")
    target.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", rows)
    for day, spent in source.execute("SELECT day, spent FROM budget").fetchall():
        newer = "UPDATE budget SET spent = CASE WHEN day < ? THEN ? ELSE max(spent, ?) END, day = max(day, ?) WHERE day <= ?"
        target.execute(newer, (day, spent, spent, day, day))


def _check(database: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError for rows that no uploader has written."""
    budgets = database.execute("SELECT day, spent FROM budget").fetchall()
    number = "('real', 'integer')"
    wrong = f"typeof(name) != 'text' OR typeof(at) NOT IN {number} OR typeof(rank) != 'integer'"
    (count,) = database.execute(f"SELECT count(*) FROM files WHERE {wrong}").fetchone()  # noqa: S608 (ours)
    if count or len(budgets) != 1 or not all(isinstance(value, int) for value in budgets[0]):
        raise sqlite3.DatabaseError("rows of another form")


LAYOUT = Layout(_SCHEMA, _merge, _check, _carry)


@dataclass(slots=True)
class _Current:
    """The file in transfer. sent: blocks handed to the connection; answered_s: time of the server's last answer about it."""

    event: str
    kind: UploadKind
    path: Path
    digest: str
    length: int
    rank: int
    requested_s: float
    window: int = 0
    sent: int = 0
    known: int = -1
    rewound_s: float = 0.0

    @property
    def blocks(self) -> int:
        return -(-self.length // BLOCK_BYTES)


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of the queue. at: wall time at which it was queued."""

    event: str
    kind: UploadKind
    path: Path
    at: float
    rank: int


class EvidenceUploader:
    """Uploads the evidence files of one device. evidence: the folder to which names in events are relative. kinds: kinds of
    uploaded files. day_bytes: the budget of a day; 0: none.

    faults: where a failing disk is reported.
    """

    def __init__(
        self,
        folder: Path,
        evidence: Path,
        device: str,
        kinds: frozenset[str],
        day_bytes: int,
        faults: DiskFaults | None = None,
    ) -> None:
        self._evidence = evidence
        self._device = device
        self._kinds = kinds
        self._day_bytes = day_bytes
        self._current: _Current | None = None
        self._waits = ""
        """Reason why the server takes nothing; empty = it does."""
        self._later: dict[tuple[str, str], float] = {}
        self._fates: OrderedDict[tuple[str, str], str] = OrderedDict()
        self.forgotten = 0
        self._uncounted = 0
        self.faults = faults or DiskFaults()
        self._database = LocalDatabase(folder / "uploads.db", "uploads", LAYOUT, self.faults)

    @property
    def waiting(self) -> int:
        """Files that the server does not have yet."""
        return int(self._database.run(lambda database: database.execute("SELECT count(*) FROM files").fetchone()[0]))

    def take(self, event: Event, wall: float) -> None:
        """Queue the evidence of an ended event.

        Raises:
            StoreError: neither the disk nor the memory takes it.
        """
        named = [(kind, event.data.get(kind)) for kind in RANKS if kind in self._kinds] if event.phase is EventPhase.END else []
        rows = [(event.id, kind, name, wall, RANKS[kind]) for kind, name in named if isinstance(name, str)]
        if not rows:
            return

        def store(database: sqlite3.Connection) -> int:
            database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", rows)
            surplus = "SELECT event, kind FROM files ORDER BY rank, at DESC LIMIT -1 OFFSET ?"
            delete = f"DELETE FROM files WHERE (event, kind) IN ({surplus})"  # noqa: S608 (ours)
            return database.execute(delete, (WAITING_MAX,)).rowcount

        self.forgotten += self._database.run(store)

    def ask(self, event: str, kind: UploadKind, name: str, wall: float) -> None:
        """Upload the file `name` of the evidence folder before all others; `fate` gives the result.

        Raises:
            UnavailableError: it does not exist, or exceeds the rest of the day's budget.
            StoreError: neither the disk nor the memory takes it.
        """
        try:
            length = (self._evidence / name).stat().st_size
        except OSError as cause:
            raise UnavailableError(
                f"the {kind} of {event} is no longer on this device; it was deleted to make room for newer ones"
            ) from cause
        left = self._day_bytes - self._spent(wall)
        if self._day_bytes and length > left:
            budget = f"{max(left, 0) / 1e6:.1f} of {self._day_bytes / 1e6:g} MB of today's budget are left"
            raise UnavailableError(
                f"the {kind} has {length / 1e6:.1f} MB, {budget} ([evidence] upload_bytes_per_day; days are UTC)"
            )
        row = (event, kind, name, wall, REQUESTED_RANK)
        insert = "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)"
        self._database.run(lambda database: database.execute(insert, row))
        self._fates.pop((event, kind), None)
        self._later.pop((event, kind), None)
        if self._current is not None and self._current.rank != REQUESTED_RANK:
            self._current = None  # continues later where it stopped

    def fate(self, event: str, kind: UploadKind) -> str | None:
        """Result of a requested file: None while in transfer, empty if the server has it, otherwise the reason why it cannot be
        uploaded."""
        return self._fates.get((event, kind))

    def disconnected(self) -> None:
        """Drop the blocks in flight; the server reports its progress after a reconnect."""
        self._current = None

    def on_state(self, state: UploadState, now: float) -> None:
        """Handle an answer of the server.

        Raises:
            StoreError: neither the disk nor the memory takes it; the file is offered again.
        """
        current = self._current
        if current is None or state.digest != current.digest:
            return
        if state.stored or state.refused:
            if state.refused:
                self.forgotten += 1
                log.warning("%s of event %s was rejected by the server: %s", current.kind, current.event, state.refused)
            self._forget(current.event, current.kind, state.refused)
            self._current = None
            return
        if state.waits:
            if state.waits != self._waits:
                log.warning("the server takes no evidence at present: %s; it is offered again", state.waits)
            self._waits = state.waits
            current.requested_s, current.window, current.sent, current.known = now, 0, 0, -1
            return
        self._waits = ""
        have = min(state.blocks, current.blocks)
        if have > current.known:
            current.sent = max(current.sent, have)
        elif now - current.rewound_s > REWIND_S:  # a repeated answer: the following blocks were lost
            current.sent, current.rewound_s = have, now
        current.requested_s, current.window, current.known = now, state.window, have

    def turn(self, now: float, wall: float, publish: Publish) -> None:
        """Send the next blocks within the budget.

        Raises:
            StoreError: neither the disk nor the memory takes it.
        """
        if self._current is None:
            self._begin(now, wall, publish)
        current = self._current
        if current is None:
            return
        if now - current.requested_s > PATIENCE_S:
            current.requested_s, current.window, current.sent, current.known = now, 0, 0, -1
            self._offer(current, publish)
            return
        while current.sent < min(current.known + current.window, current.blocks):
            if not self._send_block(current, wall, publish):
                return

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _begin(self, now: float, wall: float, publish: Publish) -> None:
        if self._day_bytes and self._spent(wall) >= self._day_bytes:
            return
        self._later = {key: until_s for key, until_s in self._later.items() if until_s > now}
        order = "SELECT event, kind, name, at, rank FROM files ORDER BY rank, at DESC LIMIT ?"
        for event, kind, name, at, rank in self._database.rows(order, (len(self._later) + 1,)):
            if (event, kind) not in self._later:
                self._try(_Found(event, kind, self._evidence / name, at, rank), now, wall, publish)
                return

    def _try(self, file: _Found, now: float, wall: float, publish: Publish) -> None:
        found = _hashed(file.path)
        if found is None:
            requested = file.rank == REQUESTED_RANK  # it existed then
            if requested or abs(wall - file.at) > WRITTEN_S_MAX or len(self._later) >= WAITING_MAX:
                self._forget(file.event, file.kind, "deleted to make room for newer files before it was sent")
                self.forgotten += 1
            else:
                self._later[file.event, file.kind] = now + PATIENCE_S / 6
            return
        self._current = _Current(file.event, file.kind, file.path, *found, rank=file.rank, requested_s=now)
        self._offer(self._current, publish)

    def _offer(self, current: _Current, publish: Publish) -> None:
        offer = Upload(device=self._device, event=current.event, kind=current.kind, digest=current.digest, length=current.length)
        publish(Outgoing(topics.upload(self._device), encode(offer)))

    def _send_block(self, current: _Current, wall: float, publish: Publish) -> bool:
        try:
            with current.path.open("rb") as file:
                file.seek(current.sent * BLOCK_BYTES)
                data = file.read(BLOCK_BYTES)
        except OSError:
            data = b""
        if not data:  # it was deleted for newer ones meanwhile
            self._current = None
            return False
        if publish(Outgoing(topics.upload_block(self._device, current.digest, current.sent), data)) is None:
            return False
        current.sent += 1
        self._uncounted += len(data)
        self._count(wall)
        return True

    def _spent(self, wall: float) -> int:
        """Bytes sent on this day. A clock that was set back starts no new day."""
        ((day, spent),) = self._database.rows("SELECT day, spent FROM budget")
        return self._uncounted + (int(spent) if int(wall // DAY_S) <= day else 0)

    def _count(self, wall: float) -> None:
        """Add sent bytes to the budget."""
        values = (int(wall // DAY_S), self._spent(wall))
        self._database.run(lambda database: database.execute("UPDATE budget SET day = max(day, ?), spent = ?", values))
        self._uncounted = 0

    def _forget(self, event: str, kind: str, fate: str) -> None:
        """Remove the file from the queue; what was made for the upload is deleted."""
        rows = self._database.rows("SELECT name, rank FROM files WHERE event = ? AND kind = ?", (event, kind))
        row = rows[0] if rows else None
        if row is not None and kind in MADE:
            with contextlib.suppress(OSError):  # retention deletes it later
                (self._evidence / row[0]).unlink()
        if row is not None and row[1] == REQUESTED_RANK:
            self._fates[event, kind] = fate
            while len(self._fates) > FATES_MAX:
                self._fates.popitem(last=False)
        delete = "DELETE FROM files WHERE event = ? AND kind = ?"
        self._database.run(lambda database: database.execute(delete, (event, kind)))


def _hashed(path: Path) -> tuple[str, int] | None:
    """Digest and length of a file; None if it cannot be sent."""
    digest, length = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while data := file.read(1 << 20):
                digest.update(data)
                length += len(data)
                if length > FILE_BYTES_MAX:
                    return None
    except OSError:
        return None
    return (digest.hexdigest(), length) if length else None
