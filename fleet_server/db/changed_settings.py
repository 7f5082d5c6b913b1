"""Settings that were changed while the server ran: read by every process, written by the API."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select
from sqlmodel import col

from fleet_server.db.setting_tables import SettingRecord
from fleet_server.domain.adjustable import Value


@dataclass(frozen=True, slots=True)
class Changed:
    """`at`: wall time; `by`: who."""

    value: Value
    at: float
    by: str


def stored(connection: Connection) -> dict[str, Changed]:
    """Every change that holds, by the name of the setting."""
    columns = [col(getattr(SettingRecord, name)) for name in ("name", "value", "changed_at", "changed_by")]
    return {name: Changed(value, at, by) for name, value, at, by in connection.execute(select(*columns))}


def put(connection: Connection, name: str, value: Value | None, by: str, now: float) -> None:
    """Keep a change; None takes it back."""
    connection.execute(delete(SettingRecord).where(col(SettingRecord.name) == name))
    if value is not None:
        connection.execute(insert(SettingRecord), {"name": name, "value": value, "changed_at": now, "changed_by": by})
