"""What statements are written against: the part that the drivers of SQLite and PostgreSQL have in common.

A statement is one text for both. It says `?` or `:name` where a value goes, `ON CONFLICT` for what may be there already, plain
booleans (`WHERE open`, `latest = FALSE`) and qualified names on the right of an upsert's SET. One word of SQLite's is translated:
`json_extract(column, '$.name')`. Where the databases differ in kind there is a function here, and nothing anywhere else.
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
"""In a statement of `write_rows`: the rows, to be read like a table."""


class QueryResult(Protocol):
    """The rows of a statement, and how many it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Driver(Protocol):
    """A connection inside a transaction: rows are plain tuples, JSON is text."""

    def execute(self, text: str, values: Values = ..., /) -> QueryResult: ...
    def executemany(self, text: str, rows: Iterable[Values], /) -> QueryResult: ...


@runtime_checkable
class SharedDriver(Protocol):
    """A database that several processes write at once."""

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Append rows, the fastest way there is."""
        ...

    def write_rows(self, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Run a statement once, for all rows."""
        ...

    def lock_devices(self, devices: Sequence[str]) -> list[str]:
        """Keep these devices from other writers until the transaction ends; those that exist."""
        ...

    def lock_new_devices(self) -> None:
        """Nobody else makes new devices until the transaction ends."""
        ...


def upsert(connection: Connection, table: type[SQLModel]) -> Any:
    """An INSERT that can say what happens to a row that is there already; both dialects have one, with the same methods."""
    return (sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert)(table)


def json_field(connection: Connection, column: Any, name: str) -> Any:
    """The text of a field of JSON that stands in a column of text."""
    if connection.dialect.name == "sqlite":
        return func.json_extract(column, f"$.{name}")
    return cast(column, JSON)[name].as_string()


def append(db: Driver, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Add rows to a table; names are ours, never somebody's input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.load(table, columns, rows)
        return
    marks = ", ".join("?" * len(columns))
    db.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)  # noqa: S608 (fixed names)


def write_rows(db: Driver, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Run a statement that reads `ROWS` in its FROM, with an alias of its own: rows with these columns, named and typed as the
    table's. A row may meet each row of the table once. Names are ours, never somebody's input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.write_rows(text, table, columns, rows)
        return
    one = ", ".join(f"? AS {name}" for name in columns)
    db.executemany(text.replace(ROWS, f"(SELECT {one})"), rows)
