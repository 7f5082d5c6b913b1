"""Queries about events."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, func, select
from sqlmodel import col

from edgefleet_server.db.backend.driver import json_field
from edgefleet_server.db.tables.core import EventRecord

Raw = tuple[int, str, float, str]
"""(id, device, received at, record as JSON text)"""


def newest(
    connection: Connection,
    *,
    device: str = "",
    kind: str = "",
    label: str = "",
    rule: str = "",
    zone: str = "",
    text: str = "",
    since_at: float | None = None,
    until_at: float | None = None,
    before_id: int | None = None,
    after_id: int | None = None,
    limit: int = 50,
) -> list[Raw]:
    """Events, newest first. `text` is searched in the whole record, case-insensitively."""
    columns: list[Any] = [col(getattr(EventRecord, name)) for name in ("id", "device", "received_at", "record")]
    conditions: list[Any] = [
        column == value
        for column, value in ((col(EventRecord.device), device), (col(EventRecord.kind), kind), (col(EventRecord.label), label))
        if value
    ]
    if since_at is not None:
        conditions.append(col(EventRecord.received_at) >= since_at)
    for name, value in (("rule", rule), ("zone", zone)):
        if value:
            conditions.append(json_field(connection, col(EventRecord.record), name) == value)
    if text:
        conditions.append(col(EventRecord.record).icontains(text, autoescape=True))
    if until_at is not None:
        conditions.append(col(EventRecord.received_at) <= until_at)
    if before_id is not None:
        conditions.append(col(EventRecord.id) < before_id)
    if after_id is not None:
        conditions.append(col(EventRecord.id) > after_id)
    found = connection.execute(select(*columns).where(*conditions).order_by(col(EventRecord.id).desc()).limit(limit))
    return [(row[0], row[1], row[2], row[3]) for row in found]


def newest_id(connection: Connection) -> int:
    """The id of the newest event; 0 if there is none."""
    return connection.execute(select(func.max(col(EventRecord.id)))).scalar_one() or 0


def count_since(connection: Connection, since_at: float) -> int:
    """Number of events received since `since_at`."""
    return int(connection.execute(select(func.count()).where(col(EventRecord.received_at) >= since_at)).scalar_one())
