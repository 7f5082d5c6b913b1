"""Rows of devices as the REST API has them: the device, its slots, status and attention."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, RowMapping, Select, bindparam, func, select
from sqlmodel import col

from edgefleet_server.db.devices import restrictions
from edgefleet_server.db.devices.device_filters import is_started
from edgefleet_server.db.tables.core import (
    AssignmentRecord,
    DesiredRecord,
    DeviceLast,
    DeviceRecord,
    DeviceSlot,
    Package,
    columns_of,
)
from edgefleet_server.db.tables.identities import BlockedDevice
from edgefleet_server.db.tables.rollouts import AttemptRecord
from edgefleet_server.domain import reasons
from edgefleet_server.domain.fleet.presence import FLAPPING, births_now

Record = dict[str, Any]

_DEVICES: Final[BindParameter[Any]] = bindparam("devices", expanding=True)


# Statements that do not change are made once: SQLAlchemy takes longer to make one than the database to answer it.


@cache
def all_rows() -> Select[Any]:
    """Select the columns of `complete`, of all devices."""
    columns: list[Any] = [
        col(DeviceRecord.id),
        col(DeviceRecord.agent_version),
        col(DeviceRecord.profile),
        col(DeviceRecord.labels),
        col(DeviceRecord.labels_own),
        col(DeviceLast.presence),
        col(DeviceLast.presence_at),
        col(DeviceLast.last_seen_at),
        col(DeviceLast.attention_slots),
        col(DeviceLast.attention_sample),
        col(DeviceLast.fps),
        col(DeviceLast.latency_p95_ms),
        col(DeviceLast.dropped_per_s),
        col(DeviceLast.temperature_c),
        col(DeviceLast.cpu_percent),
        col(DeviceLast.births),
        col(DeviceLast.births_at),
    ]
    return select(*columns).join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id))


@cache
def rows_of() -> Select[Any]:
    """The same of `devices`, in order of their ids."""
    return all_rows().where(col(DeviceRecord.id).in_(_DEVICES)).order_by(col(DeviceRecord.id))


@cache
def _started_of() -> Select[Any]:
    return select(col(AttemptRecord.device)).where(col(AttemptRecord.device).in_(_DEVICES), is_started())


@cache
def _blocked_of() -> Select[Any]:
    return select(*columns_of(BlockedDevice)).where(col(BlockedDevice.device).in_(_DEVICES))


@cache
def _slots_of() -> Select[Any]:
    return select(*columns_of(DeviceSlot)).where(col(DeviceSlot.device).in_(_DEVICES)).order_by(col(DeviceSlot.slot))


@cache
def _assigned_to() -> Select[Any]:
    columns: list[Any] = [
        col(AssignmentRecord.device),
        col(AssignmentRecord.slot),
        col(AssignmentRecord.attempt),
        col(AssignmentRecord.assigned_at),
        col(Package.name),
        col(Package.version),
        col(Package.digest),
    ]
    return (
        select(*columns)
        .join(Package, col(Package.digest) == col(AssignmentRecord.package))
        .where(col(AssignmentRecord.device).in_(_DEVICES))
    )


@cache
def details_of() -> Select[Any]:
    """Select what only the view of one `device` has."""
    columns: list[Any] = [
        col(DeviceRecord.hardware),
        col(DeviceRecord.runtimes),
        col(DeviceRecord.capabilities),
        col(DeviceRecord.first_seen_at),
        col(DeviceLast.boot),
        col(DeviceLast.connection),
        col(DeviceLast.generation).label("generation_reported"),
        col(DeviceLast.disk_free_bytes),
        col(DeviceLast.sample),
        col(DeviceLast.pipelines).label("pipeline_states"),
        func.coalesce(col(DesiredRecord.generation), 0).label("generation_desired"),
    ]
    return (
        select(*columns)
        .join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id))
        .outerjoin(DesiredRecord, col(DesiredRecord.device) == col(DeviceRecord.id))
        .where(col(DeviceRecord.id) == bindparam("device"))
    )


@cache
def total() -> Select[Any]:
    """Select the number of all devices."""
    return select(func.count()).select_from(DeviceRecord)


def complete(connection: Connection, found: Sequence[RowMapping]) -> list[Record]:
    """Rows with their slots, status and attention."""
    now = time.time()
    ids = [row["id"] for row in found]
    slots = _slots(connection, ids)
    started = set(connection.execute(_started_of(), {"devices": ids}).scalars())
    blocked = {
        row.device: f"blocked ({row.reason})" if row.reason else "blocked"
        for row in connection.execute(_blocked_of(), {"devices": ids})
    }
    restricted = restrictions.warnings(connection, ids)
    records: list[Record] = []
    for row in found:
        record = dict(row)
        online = record.pop("presence") == "online"
        reported = record.pop("labels_own")
        record["reported_labels"] = {key: value for key, value in reported.items() if record["labels"].get(key) != value}
        since_at = record.pop("presence_at")
        record["online"] = online
        record["online_since_at"] = since_at if online else None
        connections = births_now(record.pop("births"), record.pop("births_at"), now)
        record["flapping"] = connections > FLAPPING
        warnings = [texts[record["id"]] for texts in (blocked, restricted) if record["id"] in texts]
        warnings += [f"connection: {connections:.0f} reconnects recently"] if record["flapping"] else []
        record["attention"] = record.pop("attention_slots") + record.pop("attention_sample") + warnings
        record["status"] = _status(online, bool(record["attention"]), record["id"] in started)
        record["slots"] = slots[record["id"]]
        records.append(record)
    return records


def _status(online: bool, attention: bool, updating: bool) -> str:
    if attention:
        return "attention"
    if not online:
        return "offline"
    return "updating" if updating else "online"


def _slots(connection: Connection, devices: list[str]) -> dict[str, list[Record]]:
    """Slots by device: the reported state, joined with the assignment."""
    reported = connection.execute(_slots_of(), {"devices": devices}).mappings()
    assigned = {(row.device, row.slot): row for row in connection.execute(_assigned_to(), {"devices": devices})}
    slots: dict[str, list[Record]] = defaultdict(list)
    for row in reported:
        target = assigned.pop((row["device"], row["slot"]), None)
        slots[row["device"]].append(_slot(dict(row), target))
    for (device, slot), target in assigned.items():
        nothing = {"slot": slot, "phase": "absent", "running": None, "running_digest": "", "reason": "none", "detail": ""}
        slots[device].append(_slot({**nothing, "since_at": 0.0, "bytes_done": 0, "bytes_total": 0, "attempt": ""}, target))
    return slots


def _slot(row: Record, target: Any) -> Record:
    names = ("slot", "phase", "running", "reason", "detail", "since_at", "bytes_done", "bytes_total")
    record = {name: row[name] for name in names}
    record["attempt"] = row["attempt"] or None
    record["target"] = None if target is None else {"package": target.name, "version": target.version, "digest": target.digest}
    record["on_target"] = target is None or row["running_digest"] == target.digest
    whom = reasons.against(row["reason"])
    record["against"] = whom.value if whom else None
    record["drift_since_at"] = None if record["on_target"] else target.assigned_at or row["since_at"]
    return record
