"""Settings changed at runtime: read by every process, written by the API."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select
from sqlmodel import col

from edgefleet_server.db.tables.settings import SettingRecord
from edgefleet_server.domain.policy.runtime_settings import Value


@dataclass(frozen=True, slots=True)
class ChangedSetting:
    """A changed setting. `at`: wall time of the change; `by`: name of the user."""

    value: Value
    at: float
    by: str


def stored(connection: Connection) -> dict[str, ChangedSetting]:
    """Every stored change, by the name of the setting."""
    columns = [col(getattr(SettingRecord, name)) for name in ("name", "value", "changed_at", "changed_by")]
    return {name: ChangedSetting(value, at, by) for name, value, at, by in connection.execute(select(*columns))}


def put(connection: Connection, name: str, value: Value | None, by: str, now: float) -> None:
    """Store a change; None removes it."""
    connection.execute(delete(SettingRecord).where(col(SettingRecord.name) == name))
    if value is not None:
        connection.execute(insert(SettingRecord), {"name": name, "value": value, "changed_at": now, "changed_by": by})
