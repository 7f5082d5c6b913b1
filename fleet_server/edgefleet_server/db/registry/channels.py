"""Channels: names that point to a version of a model, and the history of their changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, update
from sqlmodel import col

from edgefleet_contract.encoding.names import VERSION_PATTERN
from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.registry import packages
from edgefleet_server.db.tables.core import Package
from edgefleet_server.db.tables.registry import ChannelChange, ChannelRecord

CHANNELS_MAX: Final = 16
"""Channels of one model."""
HISTORY_MAX: Final = 1_000

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChannelMove:
    """The user, time and reason of a change of a channel."""

    by: str
    at: float
    note: str = ""


def of_model(connection: Connection, model: str) -> list[Record]:
    """The channels of a model, by name."""
    return _rows(connection, col(ChannelRecord.model) == model)


def list_all(connection: Connection) -> list[Record]:
    """Every channel, by model and name."""
    return _rows(connection)


def find(connection: Connection, model: str, version: str) -> Record:
    """A package by its version, or by the channel that points to it: no version begins with a letter, no channel with a digit.

    Raises:
        NotFoundError: there is no such version or channel.
    """
    if re.match(VERSION_PATTERN, version):
        return packages.find(connection, model, version)
    digest = connection.execute(
        select(col(ChannelRecord.package)).where(col(ChannelRecord.model) == model, col(ChannelRecord.name) == version)
    ).scalar_one_or_none()
    if digest is None:
        known = [row["channel"] for row in of_model(connection, model)]
        hint = f"its channels are {', '.join(known)}" if known else "create it with `edgefleet channel set`"
        raise NotFoundError(f"no channel {version!r} of {model}; {hint}")
    return packages.by_digest(connection, digest)


def point(connection: Connection, model: str, name: str, version: str, change: ChannelMove) -> bool:
    """Let a channel point to a version; False if it did already.

    Raises:
        NotFoundError: there is no such version.
        ConflictError: the model has too many channels.
    """
    package = packages.find(connection, model, version)
    known = {row["channel"]: row for row in of_model(connection, model)}
    before = known.get(name)
    if before is not None and before["digest"] == package["digest"]:
        return False
    if before is None and len(known) >= CHANNELS_MAX:
        raise ConflictError(f"{model} has {len(known)} channels, the maximum; remove one with `edgefleet channel remove`")
    values = {"package": package["digest"], "changed_at": change.at, "changed_by": change.by, "note": change.note}
    if before is None:
        connection.execute(insert(ChannelRecord), {"model": model, "name": name, **values})
    else:
        own = (col(ChannelRecord.model) == model, col(ChannelRecord.name) == name)
        connection.execute(update(ChannelRecord).where(*own).values(values))
    _note(connection, model, name, version, before["version"] if before else "", change)
    return True


def remove(connection: Connection, model: str, name: str, change: ChannelMove) -> None:
    """Delete a channel; its history stays.

    Raises:
        NotFoundError: there is no such channel.
    """
    before = find(connection, model, name)["version"]
    connection.execute(delete(ChannelRecord).where(col(ChannelRecord.model) == model, col(ChannelRecord.name) == name))
    _note(connection, model, name, "", before, change)


def history(connection: Connection, model: str, name: str, limit: int, before_id: int | None = None) -> list[Record]:
    """The changes of a channel, newest first; with `before_id` those before that one."""
    names = ("id", "version", "before", "at", "by", "note")
    statement = select(*[col(getattr(ChannelChange, each)) for each in names]).where(
        col(ChannelChange.model) == model, col(ChannelChange.name) == name
    )
    if before_id is not None:
        statement = statement.where(col(ChannelChange.id) < before_id)
    rows = connection.execute(statement.order_by(col(ChannelChange.id).desc()).limit(limit)).mappings()
    return [dict(row) for row in rows]


def _note(connection: Connection, model: str, name: str, version: str, before: str, change: ChannelMove) -> None:
    row = {"model": model, "name": name, "version": version, "before": before, "at": change.at, "by": change.by}
    connection.execute(insert(ChannelChange), {**row, "note": change.note})
    own = (col(ChannelChange.model) == model, col(ChannelChange.name) == name)
    oldest = select(col(ChannelChange.id)).where(*own).order_by(col(ChannelChange.id).desc()).offset(HISTORY_MAX).limit(1)
    beyond = connection.execute(oldest).scalar_one_or_none()
    if beyond is not None:
        connection.execute(delete(ChannelChange).where(*own, col(ChannelChange.id) <= beyond))


def _rows(connection: Connection, *conditions: Any) -> list[Record]:
    columns: tuple[Any, ...] = (
        col(ChannelRecord.model), col(ChannelRecord.name).label("channel"), col(Package.version), col(Package.digest),
        col(ChannelRecord.changed_at), col(ChannelRecord.changed_by), col(ChannelRecord.note),
    )  # fmt: skip
    joined = select(*columns).join(Package, col(Package.digest) == col(ChannelRecord.package))
    ordered = joined.where(*conditions).order_by(col(ChannelRecord.model), col(ChannelRecord.name))
    return [dict(row) for row in connection.execute(ordered).mappings()]
