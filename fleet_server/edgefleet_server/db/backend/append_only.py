"""Triggers that refuse to change or to delete rows of a table, in the SQL dialect of each database."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import Connection

_FUNCTION: Final = """\
CREATE OR REPLACE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the {table} log is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$"""


def forbid(connection: Connection, table: str, verb: Literal["UPDATE", "DELETE"]) -> None:
    """Make `verb` on `table` fail from now on. Names are constants of this program, never user input."""
    name = f"{table}_no_{verb.lower()}"
    if connection.dialect.name == "sqlite":
        refusal = f"SELECT RAISE(ABORT, 'the {table} log is append-only')"
        connection.exec_driver_sql(f"CREATE TRIGGER {name} BEFORE {verb} ON {table} BEGIN {refusal}; END")
        return
    connection.exec_driver_sql(_FUNCTION.format(table=table))
    trigger = f"CREATE TRIGGER {name} BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only()"
    connection.exec_driver_sql(trigger)


def allow_deletes(connection: Connection, table: str) -> None:
    """Allow deletions, until `forbid` in the same transaction."""
    on = "" if connection.dialect.name == "sqlite" else f" ON {table}"
    connection.exec_driver_sql(f"DROP TRIGGER {table}_no_delete{on}")
