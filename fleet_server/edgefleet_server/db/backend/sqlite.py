"""SQLite in WAL mode: readers never wait for the writer and see one consistent snapshot; one writer at a time. A committed
transaction survives a power failure (`synchronous = FULL`): devices delete the records that the server has acknowledged."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from edgefleet_contract.core.atomic_files import sync_folder
from edgefleet_server.db.backend.integrity import STEPS
from edgefleet_server.db.backend.integrity import is_damage as is_damage

BUSY_TIMEOUT_MS: Final = 10_000
CACHE_KIB: Final = 64 * 1024
POOL: Final = 16
SQLITE_ERROR: Final = 1
"""The result code of a statement that cannot be run, such as one over malformed JSON."""

REFUSED: Final = (sqlite3.OperationalError, OperationalError)
"""Raised where the database as a whole refuses: full, locked."""
ERRORS: Final = (sqlite3.DatabaseError, DatabaseError)
"""Every error of the driver; `is_damage` is true for those of a damaged file."""


def make_engine(path: Path, connections_max: int) -> Engine:
    """Connections to one file."""
    engine = create_engine(
        f"sqlite:///{path}", pool_size=POOL, max_overflow=connections_max - POOL, connect_args={"check_same_thread": False}
    )
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def flush_names(path: Path) -> None:
    """Sync the folders on the path to the file, so that their entries survive a power failure: the folder may be new as well.

    Raises:
        OSError: the disk refuses.
    """
    for folder in path.resolve().parents:
        if not os.access(folder, os.R_OK | os.W_OK):
            return  # this program has created no entry in it
        sync_folder(folder)
        if folder.is_mount():
            return


def is_timeout(error: BaseException) -> bool:
    """Whether an error of the driver comes from `time_limit`."""
    return isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted"


def is_statement_fault(error: BaseException) -> bool:
    """Whether one statement is at fault, or the data that it reads, not the file or the disk."""
    return isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", None) == SQLITE_ERROR


def changes(connection: Connection) -> int:
    """The number of rows that the connection has changed."""
    driver: Any = connection.connection.driver_connection
    return int(driver.total_changes)


@contextmanager
def time_limit(connection: Connection, seconds: float) -> Iterator[None]:
    """End the queries of a connection after `seconds`."""
    driver: Any = connection.connection.driver_connection
    deadline = time.monotonic() + seconds
    driver.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
    try:
        yield
    finally:
        driver.set_progress_handler(None, STEPS)


def _configure(driver: Any, _record: ConnectionPoolEntry) -> None:
    driver.isolation_level = None  # the driver must not begin transactions of its own: `_begin` does
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "foreign_keys = ON",
        f"cache_size = -{CACHE_KIB // 8}",
        "wal_autocheckpoint = 4000",
        "temp_store = MEMORY",
    ):
        driver.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Begin a transaction, a writing one by `BEGIN IMMEDIATE`: SQLite waits by polling, which starves under load, and a reading
    transaction that turns into a writing one fails instead of waiting."""
    writer = connection.get_execution_options().get("writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")
