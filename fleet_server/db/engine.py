"""The database: SQLite in WAL mode, one writer at a time.

Readers never wait for the writer and see one consistent moment. Writers take a lock of this process first and `BEGIN IMMEDIATE`
then: SQLite's own waiting is polling, which starves under load, and a read that turns into a write fails instead of waiting.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from fleet_server.errors import StoreError

BUSY_TIMEOUT_MS: Final = 10_000
CACHE_KIB: Final = 64 * 1024
CONNECTIONS_MAX: Final = 48
"""More than the web server's threads, the engine and the ingest together can ask for."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"


before_commit: ContextVar[Callable[[Connection], None] | None] = ContextVar("before_commit", default=None)
"""What belongs into the very transaction that is about to be committed: the audit entry of the request that makes the change."""


class Database:
    """Connections to one SQLite file."""

    def __init__(self, path: Path) -> None:
        self._engine = _engine(path)
        self._writers = self._engine.execution_options(writer=True)
        self._writing = threading.Lock()
        self.path = path

    def migrate(self) -> None:
        """Bring the schema to this version.

        Raises:
            StoreError: the file is damaged or of a newer version.
        """
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        try:
            self.path.touch(mode=0o600)
            self.path.chmod(0o600)  # hashes of passwords are nobody else's business; the files beside it take the same mode
            with self._writing, self._engine.connect() as connection:
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except (OSError, DatabaseError, CommandError) as error:
            text = str(error).splitlines()[0]
            raise StoreError(f"database {self.path}: {text}; restore a backup, or start with another --data folder") from error

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection on one consistent moment, whichever way it is read."""
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: committed at the end, rolled back on any error.

        Raises:
            StoreError: the disk is full, the file is locked by another program, or the like.
        """
        try:
            with self._writing, self._writers.begin() as connection:
                yield connection
                belonging = before_commit.get()
                if belonging is not None:
                    belonging(connection)
        except (sqlite3.OperationalError, OperationalError) as error:
            text = str(error).splitlines()[0]
            raise StoreError(
                f"database {self.path} cannot be written ({text}); free some space, or stop what locks it"
            ) from error

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def raw(connection: Connection) -> sqlite3.Connection:
    """The driver's connection inside the same transaction, for the ingest path: rows go in without any object per row."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}", pool_size=16, max_overflow=CONNECTIONS_MAX - 16, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _configure(driver: Any, _record: ConnectionPoolEntry) -> None:
    driver.isolation_level = None  # the driver must not begin transactions of its own: `_begin` does
    for pragma in (
        "journal_mode = WAL",
        "synchronous = NORMAL",
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "foreign_keys = ON",
        f"cache_size = -{CACHE_KIB // 8}",
        "wal_autocheckpoint = 4000",
        "temp_store = MEMORY",
    ):
        driver.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writer = connection.get_execution_options().get("writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")
