"""PostgreSQL: the same statements as on SQLite, for several processes at once.

A commit is on the disk of the database server before it returns: a weaker `synchronous_commit` is raised at each connection.
Settings of the database server that break this (`fsync`, `full_page_writes`) are reported by `storage_warnings`.

Writers are serialized as on SQLite by one advisory lock that each transaction takes first. Transactions of rollouts, users and
retention take it exclusively; *ingest* transactions share it, so that they run concurrently with each other only. The rows that
two ingest transactions may change at once, those of a device, are locked in one order (`lock_devices`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import msgspec
import psycopg
from psycopg import sql
from psycopg.abc import Buffer
from psycopg.types.string import StrDumperUnknown, TextLoader
from sqlalchemy import JSON, Connection, Engine, Integer, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.schema import CreateColumn

from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.driver import ROWS, QueryResult, Row, Values
from edgefleet_server.db.tables.all_tables import METADATA

WRITER_LOCK: Final = 0x65_64_67_65_01
LEADER_LOCK: Final = 0x65_64_67_65_02
NEW_DEVICE_LOCK: Final = 0x65_64_67_65_03
MIGRATION_LOCK: Final = 0x65_64_67_65_04
"""Numbers of the advisory locks of this program in its database."""

LOCK_WAIT_S: Final = 30
IDLE_IN_TRANSACTION_S: Final = 60
"""A process that hangs (stopped, swapped out) while it holds the writer lock must not block the others for ever."""
CONNECT_S: Final = 10
POOL: Final = 8
_OPTIONS: Final = (
    f"-c lock_timeout={LOCK_WAIT_S * 1000} -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_S * 1000}"
    " -c timezone=UTC -c application_name=edgefleet"
)
_ALIVE: Final = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}

NUL_SHOWN: Final = "\N{SYMBOL FOR NULL}"

REFUSED: Final = (psycopg.OperationalError, psycopg.InterfaceError, OperationalError, InterfaceError)
"""Raised if the database as a whole refuses: unavailable, full, lock timeout, deadlock."""
UNSTORABLE: Final = (psycopg.DatabaseError, DBAPIError)
"""Raised for one statement's values: of the wrong type, too big, or with a NUL."""

ERRORS: Final = (psycopg.Error, DBAPIError)
"""Every error of the driver; `is_damage` is true for those of damaged pages."""

_NAME: Final = re.compile(r"(?<!:):([a-z_]+)")
_JSON: Final = re.compile(r"json_extract\(([\w.]+), '\$\.(\w+)'\)")


def is_damage(error: BaseException) -> bool:
    """Whether an error of the driver means that a table or index is damaged."""
    return isinstance(error, (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted))


def is_timeout(error: BaseException) -> bool:
    """Whether an error of the driver comes from `time_limit`."""
    return isinstance(error, psycopg.errors.QueryCanceled)


@contextmanager
def time_limit(connection: Connection, seconds: float) -> Iterator[None]:
    """End each query of this transaction after `seconds`."""
    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
    yield


def connection_url(url: str, **more: str) -> str:
    """The URL in SQLAlchemy's form.

    Raises:
        InputError: not a URL of PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    if parsed is None or parsed.get_backend_name() != "postgresql" or not parsed.database:
        raise InputError("--database: must be postgresql://user:password@host:5432/name")
    return parsed.set(drivername="postgresql+psycopg").update_query_dict(more).render_as_string(hide_password=False)


def plain_url(url: str) -> str:
    """The URL in libpq's form."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def without_password(url: str) -> str:
    """The URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


def make_engine(url: str, connections_max: int) -> Engine:
    """Connections to one database, each checked before its use: the database may have been restarted."""
    engine = create_engine(
        connection_url(url),
        pool_size=POOL,
        max_overflow=connections_max - POOL,
        pool_pre_ping=True,
        connect_args={"options": _OPTIONS, "connect_timeout": CONNECT_S, **_ALIVE},
        isolation_level="READ COMMITTED",
    )
    engine.dialect.colspecs = {**engine.dialect.colspecs, Integer: Integer}  # the driver's own type casts every number to 32 bits
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


class _TextDumper(StrDumperUnknown):
    """Replaces NUL, which PostgreSQL's texts cannot contain, neither directly nor as JSON's escape, but messages of devices
    can."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(_without_nul(obj))


def _without_nul(text: str) -> str:
    return text.replace("\x00", NUL_SHOWN).replace("\\u0000", NUL_SHOWN)


def _configure(driver: psycopg.Connection[Any], _record: ConnectionPoolEntry) -> None:
    driver.adapters.register_dumper(str, _TextDumper)
    row = driver.execute("SHOW synchronous_commit").fetchone()
    if row is not None and row[0] == "off":  # set so for the role or the database; every other value waits for the disk
        driver.execute("SET synchronous_commit = on")
    driver.commit()


def is_statement_fault(_error: BaseException) -> bool:
    """Never: psycopg's errors of one statement are not among `REFUSED`."""
    return False


def changes(connection: Connection) -> int:
    """1 if the transaction has changed anything, else 0."""
    return int(connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned() IS NOT NULL").scalar_one())


def storage_warnings(connection: Connection) -> list[str]:
    """Settings of the database server with which a power cut loses acknowledged data, one line each with what to do."""
    rows = connection.exec_driver_sql("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')")
    return [_UNSAFE[name] for name, setting in sorted(map(tuple, rows)) if setting == "off"]


_UNSAFE: Final = {
    "fsync": "PostgreSQL runs with fsync = off: a power cut loses acknowledged data and damages the database;"
    " set fsync = on and restart PostgreSQL",
    "full_page_writes": "PostgreSQL runs with full_page_writes = off: a power cut can damage the database;"
    " set full_page_writes = on and reload PostgreSQL, unless its file system never tears a page (ZFS)",
}


def _begin(connection: Connection) -> None:
    """Begin a transaction: writers take the lock first; readers get one consistent snapshot for all their queries."""
    writer = connection.get_execution_options().get("writer", False)
    if writer == "migration":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    if writer == "ingest":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock_shared({WRITER_LOCK})")
    elif writer:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


class PostgresDriver:
    """A `SharedDriver` on a connection of psycopg."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, text: str, values: Values = (), /) -> QueryResult:
        """Run one statement."""
        return self._cursor().execute(translated(text).encode(), values or None)

    def executemany(self, text: str, rows: Iterable[Values], /) -> QueryResult:
        """Run one statement for each row, without waiting for the result of each."""
        cursor = self._cursor()
        cursor.executemany(translated(text).encode(), rows)
        return cursor

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Append rows by COPY."""
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        with (
            self._connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)) as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def write_rows(self, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Run one statement for all rows, which are sent as one text: a third of the cost of one statement for each row."""
        as_text = _json_columns(table)
        makers = [_raw_json if name in as_text else _plain for name in columns]
        values = [{name: make(value) for name, make, value in zip(columns, makers, row, strict=True)} for row in rows]
        text = text.replace(ROWS, f"json_populate_recordset(NULL::{table}, ?)")
        self._cursor().execute(translated(text).encode(), (msgspec.json.encode(values).decode(),))

    def lock_devices(self, devices: Sequence[str]) -> list[str]:
        """Lock rows of `device`, ordered by id to avoid deadlocks."""
        rows = self._cursor().execute(
            b"SELECT id FROM device WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", (sorted(devices),)
        )
        return [row[0] for row in rows]

    def lock_new_devices(self) -> None:
        """Lock the insertion of devices: two transactions that add the same devices in different order would deadlock."""
        self._cursor().execute(b"SELECT pg_advisory_xact_lock(%s)", (NEW_DEVICE_LOCK,))

    def _cursor(self) -> psycopg.Cursor[Any]:
        cursor = self._connection.cursor()
        cursor.adapters.register_loader("json", TextLoader)
        return cursor


@lru_cache
def _json_columns(table: str) -> frozenset[str]:
    """Columns of type JSON; their values arrive as text."""
    return frozenset(column.name for column in METADATA.tables[table].columns if isinstance(column.type, JSON))


def _raw_json(text: str | None) -> msgspec.Raw | None:
    return None if text is None else msgspec.Raw(_without_nul(text).encode())


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _without_nul(value)
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


@lru_cache(maxsize=1024)
def translated(text: str) -> str:
    """A statement in psycopg's syntax."""
    text = _JSON.sub(r"(\1 ->> '\2')", text.replace("%", "%%"))
    return _NAME.sub(r"%(\1)s", text) if "?" not in text else text.replace("?", "%s")


# Whole numbers are 64 bits wide, as SQLite's are: bytes of a disk and numbers of rows exceed PostgreSQL's `integer`. This rule
# applies to the tables and to every migration, so that none can omit it.


@compiles(Integer, "postgresql")
def _wide(_type: Integer, _compiler: Any, **_more: Any) -> str:
    return "BIGINT"


@compiles(CreateColumn, "postgresql")
def _wide_key(element: CreateColumn, compiler: Any, **more: Any) -> str:
    text: str = compiler.visit_create_column(element, **more)
    return re.sub(r"\bSERIAL\b", "BIGSERIAL", text)
