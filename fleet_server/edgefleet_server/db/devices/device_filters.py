"""Conditions and order of device lists."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, String, case, cast, exists, func, or_, select
from sqlmodel import col

from edgefleet_server.db.backend.driver import is_among
from edgefleet_server.db.devices import restrictions
from edgefleet_server.db.tables.core import AssignmentRecord, DeviceLast, DeviceRecord, DeviceSlot, PinRecord
from edgefleet_server.db.tables.identities import BlockedDevice
from edgefleet_server.db.tables.rollouts import AttemptRecord
from edgefleet_server.domain.fleet.presence import BIRTHS_HALF_S, FLAPPING
from edgefleet_server.domain.states import STARTED

HALVES_MAX: Final = 64.0
"""Upper limit of half-lives: after more, no number of births has an effect."""

_STARTED = [state.value for state in STARTED]


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter of a device list. Empty fields match all devices; `ids`: only these devices, None = all. `warnings`: sentences
    about its query."""

    search: str = ""
    status: str = ""
    package: str = ""
    version: str = ""
    slot: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    ids: frozenset[str] | None = None
    warnings: tuple[str, ...] = ()


def needs_attention() -> ColumnElement[bool]:
    """Condition on `DeviceLast`: the device has a line under `attention` in its view. All counts and filters use it."""
    blocked = col(DeviceLast.device).in_(select(col(BlockedDevice.device)))
    return (col(DeviceLast.attention_count) > 0) | restrictions.is_restricted(col(DeviceLast.device)) | blocked | is_flapping()


def is_off_target() -> ColumnElement[bool]:
    """Condition: the device does not run an assigned package."""
    runs = exists().where(
        col(DeviceSlot.device) == col(AssignmentRecord.device),
        col(DeviceSlot.slot) == col(AssignmentRecord.slot),
        col(DeviceSlot.running_digest) == col(AssignmentRecord.package),
    )
    return ~runs


def is_degraded() -> ColumnElement[bool]:
    """Condition: the device is connected, and its latest sample has warnings."""
    complains = (col(DeviceLast.attention_count) > 0) & (cast(col(DeviceLast.attention_sample), String) != "[]")
    return (col(DeviceLast.presence) == "online") & complains


def is_flapping() -> ColumnElement[bool]:
    """Condition: the decayed number of births is above `FLAPPING`, which is impossible after `HALVES_MAX` half-lives."""
    passed = (time.time() - col(DeviceLast.births_at)) / BIRTHS_HALF_S
    halves = case((passed < HALVES_MAX, passed), else_=HALVES_MAX)  # PostgreSQL raises an error if a power underflows
    return (col(DeviceLast.births) > FLAPPING) & (col(DeviceLast.births) * func.pow(0.5, halves) > FLAPPING)


def is_started() -> ColumnElement[bool]:
    """Condition: the device works on the attempt."""
    return col(AttemptRecord.open).is_(True) & col(AttemptRecord.state).in_(_STARTED)


_BY_STATUS: Final[Mapping[str, Callable[[], ColumnElement[bool]]]] = {
    "online": lambda: col(DeviceLast.presence) == "online",
    "offline": lambda: col(DeviceLast.presence) != "online",
    "attention": needs_attention,
    "updating": lambda: exists().where(col(AttemptRecord.device) == col(DeviceRecord.id), is_started()),
    "flapping": is_flapping,
    "degraded": is_degraded,
    "off_target": lambda: exists().where(col(AssignmentRecord.device) == col(DeviceRecord.id), is_off_target()),
    "on_target": lambda: ~exists().where(col(AssignmentRecord.device) == col(DeviceRecord.id), is_off_target()),
    "pinned": lambda: exists().where(col(PinRecord.device) == col(DeviceRecord.id)),
    "blocked": lambda: col(DeviceRecord.id).in_(select(col(BlockedDevice.device))),
}
"""The condition of each value of `status`, and of the field `state` of queries. Each is made when it is needed."""


def has_state(state: str) -> ColumnElement[bool]:
    """Condition on `DeviceRecord` joined with `DeviceLast`: the device has the state (`domain.query.terms.STATES`)."""
    return _BY_STATUS[state]()


def conditions_of(chosen: Filter) -> list[ColumnElement[bool]]:
    """Conditions on `DeviceRecord` joined with `DeviceLast`, all of which hold."""
    conditions: list[ColumnElement[bool]] = []
    if chosen.search:
        conditions.append(
            or_(*(col(column).icontains(chosen.search, autoescape=True) for column in (DeviceRecord.id, DeviceRecord.profile)))
        )
    if chosen.status:
        conditions.append(has_state(chosen.status))
    parts = {DeviceSlot.slot: chosen.slot, DeviceSlot.running_package: chosen.package, DeviceSlot.running_version: chosen.version}
    running = [col(column) == value for column, value in parts.items() if value]
    if running:
        conditions.append(exists().where(col(DeviceSlot.device) == col(DeviceRecord.id), *running))
    if chosen.ids is not None:
        conditions.append(is_among(col(DeviceRecord.id), chosen.ids))
    conditions += [col(DeviceRecord.labels)[key].as_string() == value for key, value in chosen.labels.items()]
    return conditions


@cache
def order_of(sort: str) -> list[ColumnElement[Any]]:
    """The order of a list by a column, falling if its name begins with a minus."""
    version = (
        select(func.max(col(DeviceSlot.running_version))).where(col(DeviceSlot.device) == col(DeviceRecord.id)).scalar_subquery()
    )
    columns: dict[str, Any] = {
        "id": col(DeviceRecord.id),
        "last_seen_at": col(DeviceLast.last_seen_at),
        "fps": col(DeviceLast.fps),
        "latency_p95_ms": col(DeviceLast.latency_p95_ms),
        "version": version,
    }
    column = columns[sort.removeprefix("-")]
    return [column.desc() if sort.startswith("-") else column.asc(), col(DeviceRecord.id).asc()]
