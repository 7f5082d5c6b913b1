"""The interface that statements are written against: the common part of the drivers of SQLite and PostgreSQL.

A statement is one text for both. It has `?` or `:name` for a value, `ON CONFLICT` for rows that may exist, plain booleans
(`WHERE open`, `latest = FALSE`) and qualified names on the right of an upsert's SET. One function of SQLite is translated:
`json_extract(column, '$.name')`. Differences between the databases are handled by the functions of this module only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from sqlalchemy import JSON, Connection, cast, func
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import SQLModel

Values = Sequence[Any] | Mapping[str, Any]
Row = tuple[Any, ...]
ROWS: Final = "{rows}"
"""Placeholder in a statement of `write_rows` for the rows, which are read like a table."""


class QueryResult(Protocol):
    """The rows of a statement, and the number of rows it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Driver(Protocol):
    """A database connection inside a transaction: rows are plain tuples, JSON is text."""

    def execute(self, text: str, values: Values = ..., /) -> QueryResult: ...
    def executemany(self, text: str, rows: Iterable[Values], /) -> QueryResult: ...


@runtime_checkable
class SharedDriver(Protocol):
    """A database that several processes write at once."""

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Append rows in bulk."""
        ...

    def write_rows(self, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Run a statement once, for all rows."""
        ...

    def lock_devices(self, devices: Sequence[str]) -> list[str]:
        """Lock these devices against other writers until the transaction ends; returns those that exist."""
        ...

    def lock_new_devices(self) -> None:
        """Keep other transactions from adding devices until this one ends."""
        ...


def upsert(connection: Connection, table: type[SQLModel]) -> Any:
    """An INSERT statement with an ON CONFLICT clause; both dialects have one, with the same methods."""
    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)


def json_field(connection: Connection, column: Any, name: str) -> Any:
    """An expression for the text of a field of JSON that is stored in a text column."""
    if connection.dialect.name == "sqlite":
        return func.json_extract(column, f"$.{name}")
    return cast(column, JSON)[name].as_string()


def append(db: Driver, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Add rows to a table. Names are constants of this program, never user input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.load(table, columns, rows)
        return
    marks = ", ".join("?" * len(columns))
    db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608 (fixed names)


def write_rows(db: Driver, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Run a statement that reads `ROWS` in its FROM, with an alias of its own: rows with these columns, named and typed as the
    table's. Each row of the table may match one row at most. Names are constants of this program, never user input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.write_rows(text, table, columns, rows)
        return
    one = ", ".join(f"? AS {name}" for name in columns)
    db.executemany(text.replace(ROWS, f"(SELECT {one})"), rows)
