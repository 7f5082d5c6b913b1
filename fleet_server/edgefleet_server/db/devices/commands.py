"""Commands to devices, from creation to reply or deadline."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.tables.core import CommandRecord

PENDING_MAX = 100
"""Limit of pending commands of one device."""


def add(connection: Connection, record: dict[str, Any]) -> None:
    """Store a new command (columns of the table).

    Raises:
        ConflictError: too many commands are pending for the device.
    """
    waiting = pending(connection, record["device"], 0.0)
    if len(waiting) >= PENDING_MAX:
        raise ConflictError(f"{len(waiting)} commands for {record['device']!r} are pending; wait for their deadlines")
    connection.execute(insert(CommandRecord), record)


def get(connection: Connection, device: str, command: str) -> dict[str, Any]:
    """One command, with the field names of the REST API.

    Raises:
        NotFoundError: there is no such command.
    """
    names = ("id", "device", "op", "state", "detail", "result", "created_at", "finished_at")
    columns = [col(getattr(CommandRecord, name)) for name in names]
    row = connection.execute(
        select(*columns).where(col(CommandRecord.id) == command, col(CommandRecord.device) == device)
    ).mappings()
    found = row.one_or_none()
    if found is None:
        raise NotFoundError(f"no command {command!r} for device {device!r}")
    return dict(found)


def newest(connection: Connection, device: str, op: str, prefix: str, count: int) -> list[dict[str, Any]]:
    """The newest commands of a device with this operation, whose ids begin with `prefix`, newest first, with their arguments.
    With a prefix, only those that are done."""
    names = ("id", "device", "op", "args", "state", "detail", "result", "created_at", "finished_at")
    chosen = [col(CommandRecord.device) == device, col(CommandRecord.op) == op]
    chosen += [col(CommandRecord.id).startswith(prefix, autoescape=True), col(CommandRecord.state) == "done"] if prefix else []
    columns = [col(getattr(CommandRecord, name)) for name in names]
    order = col(CommandRecord.created_at).desc()
    return [dict(row) for row in connection.execute(select(*columns).where(*chosen).order_by(order).limit(count)).mappings()]


def delete_older(connection: Connection, device: str, op: str, prefix: str, spared: str) -> None:
    """Delete the finished commands of a device with this operation and prefix of their ids, but `spared`."""
    connection.execute(
        delete(CommandRecord).where(
            col(CommandRecord.device) == device,
            col(CommandRecord.op) == op,
            col(CommandRecord.id).startswith(prefix, autoescape=True),
            col(CommandRecord.id) != spared,
            col(CommandRecord.state) != "pending",
        )
    )


def delete_command(connection: Connection, command: str) -> None:
    """Delete a command."""
    connection.execute(delete(CommandRecord).where(col(CommandRecord.id) == command))


def pending(connection: Connection, device: str, now: float) -> list[dict[str, Any]]:
    """Pending commands of a device whose deadline is after `now`, oldest first."""
    rows = connection.execute(
        select(col(CommandRecord.id), col(CommandRecord.op), col(CommandRecord.args), col(CommandRecord.deadline_at))
        .where(col(CommandRecord.device) == device, col(CommandRecord.state) == "pending", col(CommandRecord.deadline_at) > now)
        .order_by(col(CommandRecord.created_at))
    ).mappings()
    return [dict(row) for row in rows]


def waiting_devices(connection: Connection, now: float) -> list[str]:
    """Devices with a pending command."""
    waits = (col(CommandRecord.state) == "pending", col(CommandRecord.deadline_at) > now)
    return list(connection.execute(select(col(CommandRecord.device)).where(*waits).distinct()).scalars())


def expire(connection: Connection, now: float) -> int:
    """Expire the commands whose deadline has passed; returns their number."""
    done = connection.execute(
        update(CommandRecord)
        .where(col(CommandRecord.state) == "pending", col(CommandRecord.deadline_at) <= now)
        .values(state="expired", detail="the device did not respond before the deadline", finished_at=now)
    )
    return int(done.rowcount)
