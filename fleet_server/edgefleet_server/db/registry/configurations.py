"""Configurations: which objects a set of files of `edgefleet apply` manages."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, func, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.driver import upsert
from edgefleet_server.db.tables.configurations import ConfigurationRecord
from edgefleet_server.db.tables.core import columns_of

CONFIGURATIONS_MAX: Final = 1_000

Record = dict[str, Any]


def list_all(connection: Connection) -> list[Record]:
    """Every configuration, by name."""
    rows = connection.execute(select(*columns_of(ConfigurationRecord)).order_by(col(ConfigurationRecord.name))).mappings()
    return [dict(row) for row in rows]


def find(connection: Connection, name: str) -> Record:
    """One configuration.

    Raises:
        NotFoundError: there is no such configuration.
    """
    statement = select(*columns_of(ConfigurationRecord)).where(col(ConfigurationRecord.name) == name)
    row = connection.execute(statement).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"no configuration {name!r}; `edgefleet apply` creates it")
    return dict(row)


def put(connection: Connection, record: Record) -> Record:
    """Create a configuration (columns of the table; `revision` 0), or change the one of this revision; returns the new record.

    Raises:
        ConflictError: its revision is another one, or there are too many configurations.
    """
    values = {**record, "revision": record["revision"] + 1}
    if record["revision"]:
        same = (col(ConfigurationRecord.name) == record["name"], col(ConfigurationRecord.revision) == record["revision"])
        changed = connection.execute(update(ConfigurationRecord).where(*same).values(values)).rowcount > 0
    else:
        count = connection.execute(select(func.count()).select_from(ConfigurationRecord)).scalar_one()
        if count >= CONFIGURATIONS_MAX:
            raise ConflictError(f"the limit of {CONFIGURATIONS_MAX} configurations is reached; use names that exist")
        insertion = upsert(connection, ConfigurationRecord).values(values).on_conflict_do_nothing(index_elements=["name"])
        changed = connection.execute(insertion.returning(col(ConfigurationRecord.name))).first() is not None
    if not changed:
        raise ConflictError(_conflict(connection, record))
    return values


def _conflict(connection: Connection, record: Record) -> str:
    try:
        held = find(connection, record["name"])
    except NotFoundError:
        return f"configuration {record['name']!r} does not exist any more; plan again"
    return f"configuration {record['name']!r} was changed by {held['changed_by'] or 'a request without sign-in'}; plan again"
