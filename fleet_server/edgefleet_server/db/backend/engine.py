"""The database: a SQLite file of the server, or a PostgreSQL that several processes share. Other modules use `Database`, and
statements that both databases accept (`driver`)."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, inspect
from sqlalchemy.exc import DatabaseError, DBAPIError

from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import MissingError, StatementError, StoreError, TrialEnd, UnavailableError
from edgefleet_server.db.backend import file_owner, integrity, read_only, sqlite
from edgefleet_server.db.backend.driver import Driver as Driver

CONNECTIONS_MAX: Final = 48
"""More than the web server's threads, the engine and the ingest together can use."""

FIRST_TABLE: Final = "device"
UNWRITABLE: Final = "cannot be written"
MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"

log = logging.getLogger(__name__)

before_commit: ContextVar[Callable[[Connection], None] | None] = ContextVar("before_commit", default=None)
"""Called inside a writing transaction just before its commit: adds the audit entry of the request that makes the change."""


after_commit: ContextVar[Callable[[], None] | None] = ContextVar("after_commit", default=None)
"""Called after the commit of a writing transaction."""


read_seconds_max: ContextVar[float] = ContextVar("read_seconds_max", default=0.0)
"""Limit of the time of a read, so that an expensive query of one caller ends; 0 = none."""


@dataclass(frozen=True, slots=True)
class RefusedWrites:
    """Wall time of the first refused write, and the reason with what to do."""

    since_at: float
    reason: str


class Database:
    """Connections to one database: a file of SQLite, or the URL of a PostgreSQL."""

    def __init__(self, where: Path | str) -> None:
        """Open the database; `where`: the path of a SQLite file or the URL of a PostgreSQL.

        Raises:
            InputError: the URL is not one of PostgreSQL.
            MissingError: its driver is not installed.
        """
        self.path = where if isinstance(where, Path) else None
        self.url = "" if isinstance(where, Path) else where
        self._kind, self._engine = _opened(where)
        self._writers = self._engine.execution_options(writer="exclusive")
        self._ingesters = self._engine.execution_options(writer="ingest")
        self._writing = threading.Lock()
        self._damage: list[str] = []  # shared with the copies of `checked`
        self._refused: list[RefusedWrites] = []  # likewise
        self.check: Callable[[Connection], None] = _nothing
        self.tries = False
        self.name = str(where) if isinstance(where, Path) else self._kind.without_password(where)
        self.unstorable: tuple[type[Exception], ...] = (
            sqlite3.DatabaseError, OverflowError, *getattr(self._kind, "UNSTORABLE", (DBAPIError,)),
        )  # fmt: skip
        """Raised if values of a transaction cannot be stored; other failures are StoreError."""

    @property
    def shared(self) -> bool:
        """Whether several processes may use it at once."""
        return self.path is None

    @property
    def damage(self) -> str:
        """The damage that a read or write has met, with advice; empty = none. A damaged SQLite file is not written to until the
        next start: each write could destroy more of it."""
        return self._damage[0] if self._damage else ""

    def is_empty(self) -> bool:
        """Whether there is no table yet: it is new, or its content was lost. An SQLite file is not created by this.

        Raises:
            StoreError: it cannot be read.
        """
        if self.path is not None:
            with as_store_error(self.path):
                there = self.path.is_file() and self.path.stat().st_size > 0
                return not (there and read_only.has_table(self.path, FIRST_TABLE))
        with self.read() as connection:
            return not inspect(connection).has_table(FIRST_TABLE)

    @property
    def refused_writes(self) -> RefusedWrites | None:
        """Since when, and why, every write was refused; None if the latest one was not."""
        return next(iter(self._refused), None)

    def check_structure(self) -> None:
        """Check the pages of an SQLite file that exists, before anything is written to it; for a limited time.

        Raises:
            StoreError: it is damaged; the text says what, and what to do.
        """
        if self.path is not None and self.path.is_file() and self.path.stat().st_size:
            found = integrity.quick_check(self.path)
            if found is not None:
                raise StoreError(f"database {self.name}: {found.text(self.path)}")

    def migrate(self) -> None:
        """Bring the schema to this version.

        Raises:
            StoreError: the file is damaged or of a newer version, or the database does not answer.
        """
        self._change_schema(lambda config: command.upgrade(config, "head"))

    def downgrade(self, revision: str) -> None:
        """Bring the schema back to `revision`, the newest one of an older version. What only later versions have is deleted.

        Raises:
            StoreError: the database is older than that, of a newer version than this, or does not answer.
        """
        self._change_schema(lambda config: command.downgrade(config, revision))

    def _change_schema(self, change: Callable[[Config], None]) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        migrator = self._engine.execution_options(writer="migration") if self.shared else self._engine
        try:
            if self.path is not None:
                file_owner.make_private(self.path)
                sqlite.flush_names(self.path)
            with self._writing, migrator.connect() as connection:
                config.attributes["connection"] = connection
                change(config)
        except (OSError, sqlite3.DatabaseError, DatabaseError, CommandError) as error:
            text = fault_text(error)
            raise StoreError(f"database {self.name}: {text}; {self._advice(error)}") from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only connection with one consistent snapshot.

        Raises:
            StoreError: the database does not answer.
            UnavailableError: the queries take longer than `read_seconds_max`.
        """
        limited = self._kind.time_limit if read_seconds_max.get() else _unlimited
        with (
            self._refusing("cannot be read"),
            self._engine.begin() as connection,
            limited(connection, read_seconds_max.get()),
        ):
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: committed at the end, rolled back on any error. Excludes all other writers, ingest included.

        Raises:
            StoreError: the disk is full, the file is locked by another program, the database does not answer, or the like.
            TrialEnd: this is the database of a trial.
        """
        self._refuse_damaged()
        with self._refusing(UNWRITABLE), self._writing, self._writers.begin() as connection:
            began = self._changes(connection)
            self.check(connection)
            yield connection
            if self.tries:
                raise TrialEnd(complete=True)
            belonging = before_commit.get()
            if belonging is not None:
                belonging(connection)
            wrote = self._changes(connection) != began
        if wrote:
            self._refused.clear()
        committed = after_commit.get()
        if committed is not None:
            committed()

    @contextmanager
    def ingest_transaction(self) -> Iterator[Connection]:
        """A transaction of ingest. On a shared database several run at once, so devices have to be locked.

        Raises:
            StoreError: the disk is full, the file is locked by another program, the database does not answer, or the like.
        """
        self._refuse_damaged()
        assert not self.tries, "a trial has no ingest"
        alone = nullcontext() if self.shared else self._writing
        with self._refusing(UNWRITABLE), alone, self._ingesters.begin() as connection:
            began = self._changes(connection)
            yield connection
            wrote = self._changes(connection) != began
        if wrote:
            self._refused.clear()

    def checked(self, check: Callable[[Connection], None]) -> Database:
        """The same database, with `check` called in every writing transaction; it raises if the caller may no longer write."""
        other = copy(self)
        other.check = check
        return other

    def trial(self) -> Database:
        """The same database, whose writing transactions are rolled back: they end with `TrialEnd` in place of the commit."""
        other = copy(self)
        other.tries = True
        return other

    def storage_warnings(self, connection: Connection) -> list[str]:
        """Reasons why stored data is damaged or could be lost, one line each with what to do."""
        damage = [self.damage] if self.damage else []
        refused = [f"nothing is stored since {time.ctime(one.since_at)}: {one.reason}" for one in list(self._refused)]
        return [*damage, *refused, *(self._kind.storage_warnings(connection) if self.shared else [])]

    def check_files(self) -> None:
        """Refuse writes from now on if a file of an SQLite database was deleted while it is in use."""
        if self.path is None or self._damage:
            return
        fault = integrity.deleted_file(self.path)
        if fault:
            self._damage.append(f"{fault}. Writes are refused")
            log.critical("%s", self._damage[0])

    def length_bytes(self) -> int:
        """Size of the database in bytes."""
        if self.path is not None:
            return self.path.stat().st_size
        with self.read() as connection:
            return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def _refusing(self, what: str) -> Iterator[None]:
        try:
            yield
        except self._kind.ERRORS as error:
            text = fault_text(error)
            cause = getattr(error, "orig", None) or error
            if self._kind.is_timeout(cause):
                raise UnavailableError("the query takes too long; narrow the period or the filter") from error
            if self._kind.is_damage(cause):
                raise StoreError(self._found_damaged(text)) from error
            if not isinstance(error, self._kind.REFUSED):
                raise
            if self._kind.is_statement_fault(cause):
                log.exception("database %s refused a statement", self.name)
                raise StatementError(
                    f"database {self.name} refused a statement ({text}); report it with the log of the server"
                ) from error
            reason = f"database {self.name} {what} ({text}); {self._advice(cause)}"
            if what == UNWRITABLE:
                self._note_refused(reason)
            raise StoreError(reason) from error

    def _changes(self, connection: Connection) -> int:
        """Number that grows when the transaction changes a row, after a refused write: one without a change succeeds on a full
        disk. 0 at other times."""
        return int(self._kind.changes(connection)) if self._refused else 0

    def _note_refused(self, reason: str) -> None:
        if not self._refused:
            self._refused.append(RefusedWrites(time.time(), reason))
            log.error("%s", reason)

    def _found_damaged(self, text: str) -> str:
        if self.shared:
            return f"database {self.name} is damaged ({text}); check it with pg_amcheck, then REINDEX or restore it"
        if not self._damage:
            self._damage.append(
                f"database {self.name} is damaged ({text}); writes are refused. Stop the server, see what is damaged with"
                " `edgefleet backup`, and restore the last backup with `edgefleet restore`"
            )
            log.critical("%s", self._damage[0])
        return self._damage[0]

    def _refuse_damaged(self) -> None:
        if self._damage:
            raise StoreError(self._damage[0])

    def _advice(self, error: BaseException) -> str:
        if self.path is None:
            return "check the log of the database server"
        foreign = file_owner.advice(self.path)
        if foreign:
            return foreign
        if read_only.is_read_only(self.path.parent):
            return "its disk is read-only; repair the disk, or mount it for writing"
        if self._kind.is_damage(getattr(error, "orig", None) or error):
            return integrity.RESTORE
        if isinstance(error, CommandError):
            return "a newer version has written it; install that version, or restore a backup of this one"
        return "free some space on its disk, or stop the process that locks it"


def _unlimited(_connection: Connection, _seconds: float) -> AbstractContextManager[None]:
    return nullcontext()


def _nothing(_connection: Connection) -> None:
    """The default of `Database.check`: allows every transaction."""


def raw(connection: Connection) -> Driver:
    """The driver's connection inside the same transaction, for the ingest path: it inserts rows without an object per row."""
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        return driver
    from edgefleet_server.db.backend.postgresql import PostgresDriver

    return PostgresDriver(cast("Any", driver))


def _opened(where: Path | str) -> tuple[ModuleType, Engine]:
    if isinstance(where, Path):
        return sqlite, sqlite.make_engine(where, CONNECTIONS_MAX)
    try:
        from edgefleet_server.db.backend import postgresql
    except ModuleNotFoundError as error:
        raise MissingError(f"{error.name} is missing: pip install 'edgefleet-server[postgresql]'") from error
    return postgresql, postgresql.make_engine(where, CONNECTIONS_MAX)
