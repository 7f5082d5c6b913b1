"""The interface that statements are written against: the common part of the drivers of SQLite and PostgreSQL.

A statement is one text for both. It has `?` or `:name` for a value, `ON CONFLICT` for rows that may exist, plain booleans
(`WHERE open`, `latest = FALSE`) and qualified names on the right of an upsert's SET. One function of SQLite is translated:
`json_extract(column, '$.name')`. Differences between the databases are handled by the functions of this module only.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, runtime_checkable

from sqlalchemy import JSON, BindParameter, ColumnElement, Connection, SQLColumnExpression, String, cast, func, literal
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import SQLModel

Values = Sequence[Any] | Mapping[str, Any]
Row = tuple[Any, ...]
ROWS: Final = "{rows}"
"""Placeholder in a statement of `write_rows` for the rows, which are read like a table."""
ROWS_PER_STATEMENT: Final = (256, 64, 16, 4, 1)
"""Rows in one statement of SQLite, the largest first. Its limit is 32,766 values."""


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


class _TextsOf(FunctionElement[str]):
    """The texts of a JSON array, as the rows of a subquery."""

    inherit_cache = True
    type = String()


@compiles(_TextsOf, "sqlite")
def _sqlite_texts(element: _TextsOf, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **options)}))"  # noqa: S608 (a placeholder)


@compiles(_TextsOf, "postgresql")
def _postgresql_texts(element: _TextsOf, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS json)))"  # a placeholder


def is_among(column: SQLColumnExpression[str], texts: Collection[str] | BindParameter[str]) -> ColumnElement[bool]:
    """Condition: the column is one of the texts, of which there may be any number: they are one value of the statement, whose
    limit SQLite has at 32,766. A parameter has the texts as `json_texts`."""
    return column.op("IN", is_comparison=True)(
        _TextsOf(texts if isinstance(texts, BindParameter) else literal(json_texts(texts)))
    )


def json_texts(texts: Collection[str]) -> str:
    """The value of a parameter of `is_among`."""
    return json.dumps(list(texts))


def append(db: Driver, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Add rows to a table. Names are constants of this program, never user input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.load(table, columns, rows)
        return
    for count, values in _chunks(rows):
        db.execute(f"INSERT INTO {table} ({', '.join(columns)}) {_values(len(columns), count)}", values)


def write_rows(db: Driver, text: str, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Run a statement that reads `ROWS` in its FROM, with an alias of its own: rows with these columns, named and typed as the
    table's. Each row of the table may match one row at most. Names are constants of this program, never user input."""
    if not rows:
        return
    if isinstance(db, SharedDriver):
        db.write_rows(text, table, columns, rows)
        return
    names = ", ".join(f"column{number} AS {name}" for number, name in enumerate(columns, 1))
    for count, values in _chunks(rows):
        db.execute(text.replace(ROWS, f"(SELECT {names} FROM ({_values(len(columns), count)}))"), values)  # noqa: S608 (fixed names)


def _chunks(rows: Sequence[Row]) -> Iterator[tuple[int, list[Any]]]:
    """Groups of rows for one statement each: (number of rows, their values one after another).

    The interpreter lock is given up at each statement, and `executemany` of SQLite runs one for each row: beside a thread that
    computes, the wait to get it back is longer than the work. The sizes are few, so that prepared statements are found again.
    """
    start = 0
    for size in ROWS_PER_STATEMENT:
        while len(rows) - start >= size:
            yield size, [value for row in rows[start : start + size] for value in row]
            start += size


def _values(columns: int, rows: int) -> str:
    one = f"({', '.join('?' * columns)})"
    return f"VALUES {', '.join([one] * rows)}"
