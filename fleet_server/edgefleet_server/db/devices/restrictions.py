"""Restrictions of devices that harm others, stored so that they outlast a restart."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Delete,
    Select,
    SQLColumnExpression,
    bindparam,
    delete,
    func,
    insert,
    select,
)
from sqlmodel import col

from edgefleet_server.db.backend.driver import is_among, json_texts
from edgefleet_server.db.tables.core import columns_of
from edgefleet_server.db.tables.identities import RestrictedDevice
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState, describe

RESTRICTIONS_MAX: Final = 10_000
_SHOWN: Final = (RestrictionState.THROTTLED.value, RestrictionState.DISCONNECTED.value)
"""The states of restricted devices; `watched` ones are no longer restricted."""


def stored(connection: Connection) -> list[Restriction]:
    """All restrictions, the latest `RESTRICTIONS_MAX`."""
    statement = select(*columns_of(RestrictedDevice)).order_by(col(RestrictedDevice.since_at).desc()).limit(RESTRICTIONS_MAX)
    return [_restriction(dict(row)) for row in connection.execute(statement).mappings()]


def store(connection: Connection, restrictions: Sequence[Restriction]) -> Sequence[Restriction]:
    """Store restrictions, each of another device; returns those for which there was room."""
    if not restrictions:
        return restrictions
    remove(connection, [each.device for each in restrictions])
    room = RESTRICTIONS_MAX - connection.execute(select(func.count()).select_from(RestrictedDevice)).scalar_one()
    if fitting := restrictions[: max(0, room)]:
        connection.execute(
            insert(RestrictedDevice),
            [
                {
                    "device": each.device, "state": each.state.value, "offence": each.offence.value,
                    "since_at": each.since_at, "until_at": each.until_at, "times": each.times,
                }
                for each in fitting
            ],
        )  # fmt: skip
    return fitting


def remove(connection: Connection, devices: Collection[str]) -> None:
    """Delete the restrictions of these devices."""
    if devices:
        connection.execute(_delete_of(), {"devices": json_texts(devices)})


@cache
def _delete_of() -> Delete:
    """Made once, as `_shown_of`."""
    devices: BindParameter[Any] = bindparam("devices")
    return delete(RestrictedDevice).where(is_among(col(RestrictedDevice.device), devices))


def count(connection: Connection) -> dict[str, int]:
    """Number of restricted devices by state."""
    statement = select(col(RestrictedDevice.state), func.count()).group_by(col(RestrictedDevice.state))
    found = {row[0]: int(row[1]) for row in connection.execute(statement)}
    return {state: found.get(state, 0) for state in _SHOWN}


def warnings(connection: Connection, devices: Sequence[str]) -> dict[str, str]:
    """Texts for operators, of those of `devices` that are restricted."""
    return {
        row.device: describe(row.state, row.offence, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(row.until_at)))
        for row in connection.execute(_shown_of(), {"devices": json_texts(devices)})
    }


@cache
def _shown_of() -> Select[Any]:
    """Made once: SQLAlchemy takes longer to make a statement than the database to answer it."""
    devices: BindParameter[Any] = bindparam("devices")
    return select(*columns_of(RestrictedDevice)).where(is_among(col(RestrictedDevice.device), devices), _is_shown())


def is_restricted(device: SQLColumnExpression[Any]) -> ColumnElement[bool]:
    """Condition: the device is throttled or disconnected."""
    return device.in_(select(col(RestrictedDevice.device)).where(_is_shown()))


def _is_shown() -> ColumnElement[bool]:
    return col(RestrictedDevice.state).in_(_SHOWN)


def _restriction(row: dict[str, Any]) -> Restriction:
    return Restriction(**{**row, "state": RestrictionState(row["state"]), "offence": Offence(row["offence"])})
