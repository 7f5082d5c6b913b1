"""A SQLite file of the device that works on, in memory, while the disk refuses it.

Every store of rows uses `LocalDatabase`, and none has a fallback of its own. The file is in WAL mode and flushed at each commit.
When the disk is full, read-only or away, a bounded database in memory takes its place; the file stays readable behind it if
possible. The disk is tried again with growing pauses, and what came into memory is merged into the file in one transaction. A
damaged file is put aside (`core.damaged_files`) and begun anew, and so is one whose reads fail again and again on a disk that
works.
"""

from __future__ import annotations

import contextlib
import logging
import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from edgefleet_agent.core.damaged_files import is_unreadable, make_way, put_aside
from edgefleet_agent.core.disk_faults import FREE_BYTES_MIN, REMEDIES, DiskFaults, DiskState, disk_state
from edgefleet_agent.core.file_watch import FileWatch, Presence
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.backoff import full_jitter

MEMORY_BYTES_MAX = 8 * 1024 * 1024
"""Backstop of a database in memory; stores keep below it by their own limits."""
HEAL_MIN_S = 1.0
HEAL_MAX_S = 60.0
STEADY_S = 600.0
"""Time on the disk without a fault after which the next pause is short again; also the time between two openings of a file whose
number changes."""
CHECK_BYTES_MAX = 16 * 1024 * 1024
"""Files up to this size are checked as a whole when they are opened."""
UNREADABLE_TRIES = 3
"""Openings in a row that fail before it is asked whether the file has become unreadable."""
BUSY_S = 5.0
PAGE_BYTES = 4096
JOURNALS = ("-wal", "-shm", "-journal")

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Layout:
    """The content of a database.

    schema: statements that create what is missing. begin: writes the first rows and checks the content; it raises
    sqlite3.DatabaseError for content that no store has written. carry: copies what memory needs from the file (None: it cannot be
    read). merge: writes what came into memory (first argument) into the file (second), in one transaction.
    """

    schema: str
    merge: Callable[[sqlite3.Connection, sqlite3.Connection], None]
    begin: Work[None] = lambda _database: None
    carry: Callable[[sqlite3.Connection | None, sqlite3.Connection], None] = lambda _file, _memory: None


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    result: T


class LocalDatabase:
    """The file `path` with this layout. name: of the store in `faults`. Safe to use from several threads.

    `behind`: the file, for reading only, while the database is in memory; None if it cannot be read, or is in use. `generation`:
    rises with each exchange of the database, after which counters kept of it are out of date. `damages`: files put aside.
    """

    def __init__(
        self, path: Path, name: str, layout: Layout, faults: DiskFaults, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.path = path
        self.behind: sqlite3.Connection | None = None
        self.generation = 0
        self.damages = 0
        self._name = name
        self._layout = layout
        self._faults = faults
        self._clock = clock
        self._lock = threading.RLock()
        self._tries = 0
        self._next_try_s = 0.0
        self._opened_s = clock()
        self.on_disk = True
        self._watches: tuple[FileWatch, ...] = ()
        self._numbers_count_s = 0.0
        self._database = self._begin()

    def run(self, work: Work[T]) -> T:
        """The result of `work` in one transaction; it is on the disk, or in memory, when this returns. If the disk refuses it,
        `work` runs again on the database that takes its place.

        Raises:
            StoreError: the database in memory is full.
        """
        with self._lock:
            self.turn()
            for _ in range(3):
                found = self._try(work)
                if found is not None:
                    return found.result
            raise StoreError(f"{self.path} is damaged again and again; check the disk")

    def rows(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query finds."""
        return self.run(lambda database: database.execute(statement, values).fetchall())

    def turn(self) -> None:
        """Try to return to the disk, if a try is due. Call it now and then where nothing else is called."""
        with self._lock:
            now = self._clock()
            if self.on_disk:
                self._tries = 0 if now - self._opened_s > STEADY_S else self._tries
                file, journal = (watch.presence() for watch in self._watches)
                if file is not Presence.REMOVED:
                    self._follow_file(file, journal, now)
                    return
                log.warning("%s: %s was removed; writing it again", self._name, self.path)
                self.on_disk, self._next_try_s = False, now  # what is open serves as the memory until a new file has it all
            if now < self._next_try_s:
                return
            if not self._heal():
                self._pause()

    def close(self) -> None:
        """Merge what is in memory if the disk takes it now, and close the file."""
        with self._lock:
            if not self.on_disk:
                self._heal()
            self._close_behind()
            with contextlib.suppress(sqlite3.Error):  # a full disk: the journal is read at the next start
                self._database.close()
            self._end_watches()

    def _follow_file(self, file: Presence, journal: Presence, now: float) -> None:
        """Open the file again where the open one may not be it. Its journal is written out to it, so that nothing is lost, and
        nothing of it gets into another file. Numbers of files count once in `STEADY_S`, as some file systems change them."""
        if journal is Presence.REMOVED:
            log.warning("%s: the journal of %s was removed; writing it again", self._name, self.path)
            self._replace(None)
        elif Presence.OTHER in (file, journal) and now >= self._numbers_count_s:
            self._numbers_count_s = now + STEADY_S
            log.info("%s: %s may be another file now; opening it again", self._name, self.path)
            with contextlib.suppress(sqlite3.Error):  # the disk refuses it: the journal stays
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._replace(None)

    def _try(self, work: Work[T]) -> _Done[T] | None:
        """None: the database failed, and another one is in its place."""
        try:
            with self._database:
                return _Done(work(self._database))
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not self.on_disk:
                raise StoreError(f"{self._name} in memory: {error}; free some space on the disk of {self.path}") from error
            self._replace(error)
            return None

    def _begin(self, *, again: bool = False) -> sqlite3.Connection:
        try:
            return self._open_file()
        except (sqlite3.Error, StoreError, UnicodeDecodeError) as error:
            if not again and ((_is_damage(error) and self._put_aside(error)) or make_way(self.path)):
                return self._begin(again=True)
        return self._open_memory()

    def _replace(self, error: Exception | None) -> None:
        """Exchange the database that failed; without an error it is opened again."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()
        if error is None or (_is_damage(error) and self._put_aside(error)):
            self._database = self._begin()
        else:
            self._database = self._open_memory()
        self.generation += 1

    def _open_file(self) -> sqlite3.Connection:
        make_folder(self.path.parent)
        database = sqlite3.connect(str(self.path), timeout=BUSY_S, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA journal_size_limit = 1048576")
            database.execute("PRAGMA cache_size = -1024")
            if self.path.stat().st_size <= CHECK_BYTES_MAX:
                (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
                if verdict != "ok":
                    raise sqlite3.DatabaseError(str(verdict).splitlines()[-1])
            database.executescript(self._layout.schema)
            with database:
                self._layout.begin(database)
            database.execute("SELECT 1 FROM sqlite_master").fetchone()  # makes the journal
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            database.close()
            if isinstance(error, OSError):
                raise sqlite3.OperationalError(str(error)) from error
            raise
        self.on_disk, self._opened_s = True, self._clock()
        self._end_watches()
        self._watches = FileWatch(self.path), FileWatch(self.path.with_name(f"{self.path.name}-wal"))
        return database

    def _end_watches(self) -> None:
        for watch in self._watches:
            watch.close()

    def _open_memory(self) -> sqlite3.Connection:
        state = disk_state(self.path.parent)
        why, remedy = REMEDIES.get(state, ("disk not usable", "check"))
        text = f"{self._name}: kept in memory ({why}); {remedy} the disk of {self.path}"
        self._faults.set(self._name, state, text, self.path.parent)
        self.on_disk = False
        self._pause()
        self.behind = open_for_reading(self.path)
        memory = sqlite3.connect(":memory:", check_same_thread=False)
        memory.execute(f"PRAGMA max_page_count = {MEMORY_BYTES_MAX // PAGE_BYTES}")
        memory.executescript(self._layout.schema)
        with memory:
            self._layout.begin(memory)
            try:
                self._layout.carry(self.behind, memory)
            except sqlite3.Error as error:
                log.warning("%s: the file cannot be read (%s); its rows return with the disk", self._name, error)
                self._close_behind()
                self._layout.carry(None, memory)
        return memory

    def _heal(self) -> bool:
        try:
            if shutil.disk_usage(self.path.parent).free < FREE_BYTES_MIN:
                return False
        except OSError:
            pass  # the folder is missing: opening the file makes it
        self._close_behind()
        memory = self._database
        for journal in JOURNALS if not self.path.exists() else ():  # of a file that is gone
            with contextlib.suppress(OSError):
                self.path.with_name(self.path.name + journal).unlink()
        try:
            database = self._open_file()
        except (sqlite3.Error, StoreError, UnicodeDecodeError) as error:
            if _is_damage(error) or self._is_unreadable():
                self._put_aside(error)
            else:
                make_way(self.path)
            self.behind = open_for_reading(self.path)
            self.on_disk = False
            return False
        try:
            with database:
                self._layout.merge(memory, database)
        except sqlite3.Error as error:
            log.warning("%s: not moved to the disk yet: %s", self._name, error)
            with contextlib.suppress(sqlite3.Error):
                database.close()
            self.behind = open_for_reading(self.path)
            self.on_disk = False
            return False
        self._database = database
        memory.close()
        self.generation += 1
        self._faults.clear(self._name)
        return True

    def _pause(self) -> None:
        pause_s = full_jitter(self._tries, HEAL_MIN_S, HEAL_MAX_S, 0.5 + random.random() / 2)  # noqa: S311 (no secret)
        self._tries, self._next_try_s = self._tries + 1, self._clock() + pause_s

    def _put_aside(self, error: Exception) -> bool:
        try:
            aside = put_aside(self.path, time.time(), JOURNALS)
        except StoreError as refused:
            log.warning("%s", refused)
            return False
        self.damages += 1
        text = f"{self._name}: the file was damaged ({error}) and begun anew; what it held is lost; see {aside.name}"
        self._faults.set(self._name, DiskState.DAMAGED, text)
        return True

    def _is_unreadable(self) -> bool:
        files = self.path, *(self.path.with_name(self.path.name + journal) for journal in JOURNALS)
        return self._tries >= UNREADABLE_TRIES and is_unreadable(files)

    def _close_behind(self) -> None:
        if self.behind is not None:
            self.behind.close()
            self.behind = None


def open_for_reading(path: Path) -> sqlite3.Connection | None:
    """The database file for reading; also on a disk that is full or read-only, where its shared memory cannot be made. None if
    there is no such file, or it cannot be read."""
    place = f"{path.absolute().as_uri()}?mode=ro"
    places = [place]
    wal = path.with_name(f"{path.name}-wal")
    if not wal.exists() or wal.stat().st_size == 0:  # no process has it open: it does not change while it is read
        places.append(f"{place}&immutable=1")
    for uri in places:
        database = None
        try:
            database = sqlite3.connect(uri, uri=True, timeout=BUSY_S, check_same_thread=False)
            database.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.Error:
            if database is not None:
                database.close()
        else:
            return database
    return None


def _is_damage(error: Exception) -> bool:
    """Whether the content is at fault, and not the disk: SQLite says so by the class of its error, except for missing tables."""
    if isinstance(error, sqlite3.OperationalError):
        return str(error).startswith(("no such", "malformed", "Could not decode", "unsupported file format"))
    return isinstance(error, (sqlite3.DatabaseError, UnicodeDecodeError))
