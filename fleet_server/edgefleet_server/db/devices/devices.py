"""Queries about devices. Results are plain dicts with the field names of the REST API."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, String, cast, func, select
from sqlmodel import col

from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.assignment import exclusions, pins
from edgefleet_server.db.backend.driver import is_among
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import device_labels, device_rows
from edgefleet_server.db.devices.device_filters import (
    Filter,
    conditions_of,
    is_degraded,
    is_flapping,
    is_off_target,
    is_started,
    needs_attention,
    order_of,
)
from edgefleet_server.db.tables.core import AssignmentRecord, DeviceLast, DeviceRecord, DeviceSlot, TelemetryRecord
from edgefleet_server.db.tables.rollouts import AttemptRecord
from edgefleet_server.domain.rollout.planning import Candidate

Record = dict[str, Any]


def page(connection: Connection, chosen: Filter, sort: str, offset: int, limit: int) -> tuple[list[Record], int]:
    """The rows of one page of a list, and the total number of rows."""
    conditions = conditions_of(chosen)
    counted = device_rows.total()
    if conditions:
        counted = counted.join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)).where(*conditions)
    total = int(connection.execute(counted).scalar_one())
    statement = device_rows.all_rows().where(*conditions).order_by(*order_of(sort)).offset(offset).limit(limit)
    return device_rows.complete(connection, connection.execute(statement).mappings().all()), total


def ids(connection: Connection, chosen: Filter, limit: int) -> list[str]:
    """The ids of a list, in order, at most `limit`."""
    statement = (
        select(col(DeviceRecord.id))
        .join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id))
        .where(*conditions_of(chosen))
    )
    return list(connection.execute(statement.order_by(col(DeviceRecord.id)).limit(limit)).scalars())


def updating(connection: Connection) -> set[str]:
    """Ids of devices with an update in progress."""
    return set(connection.execute(select(col(AttemptRecord.device)).where(is_started())).scalars())


def rows(connection: Connection, devices: Iterable[str]) -> list[Record]:
    """Rows of these devices, in order of their ids."""
    found = connection.execute(device_rows.rows_of(), {"devices": list(devices)}).mappings().all()
    return device_rows.complete(connection, found)


def detail(connection: Connection, device: str) -> Record:
    """All stored data about one device except its attempts.

    Raises:
        NotFoundError: the device is unknown.
    """
    found = rows(connection, [device])
    if not found:
        raise NotFoundError(device_labels.UNKNOWN.format(device))
    more = connection.execute(device_rows.details_of(), {"device": device}).mappings()
    record = {**found[0], **more.one()}
    record["pipelines"] = record.pop("sample").get("pipelines", {})
    record["pins"] = pins.of_device(raw(connection), device)
    record["excluded_until"] = exclusions.excluded(raw(connection), time.time(), device).get(device)
    return record


def check_exists(connection: Connection, device: str) -> None:
    """Check that the device is known.

    Raises:
        NotFoundError: the device is unknown.
    """
    if connection.execute(select(col(DeviceRecord.id)).where(col(DeviceRecord.id) == device)).first() is None:
        raise NotFoundError(device_labels.UNKNOWN.format(device))


def is_online(connection: Connection, device: str) -> bool:
    """Whether a device is connected, according to its last presence message."""
    row = connection.execute(select(col(DeviceLast.presence)).where(col(DeviceLast.device) == device)).first()
    return row is not None and row[0] == "online"


def telemetry(connection: Connection, device: str, since_at: float, until_at: float, points_max: int) -> list[str]:
    """Samples as JSON texts, oldest first, thinned evenly to `points_max`."""
    span = {"device": device, "since": since_at, "until": until_at}
    db = raw(connection)
    (count,) = db.execute(
        "SELECT count(*) FROM telemetry WHERE device = :device AND at >= :since AND at <= :until", span
    ).fetchone()
    stride = max(1, -(-int(count) // points_max))
    rows = db.execute(
        "SELECT record FROM (SELECT record, at, row_number() OVER (ORDER BY at DESC, id DESC) AS place"
        " FROM telemetry WHERE device = :device AND at >= :since AND at <= :until) AS placed"
        " WHERE (place - 1) % :stride = 0 ORDER BY at, place DESC",
        {**span, "stride": stride},
    )
    return [row[0] for row in rows]


def samples_since(connection: Connection, since_at: float, among: Collection[str]) -> int:
    """Number of samples of these devices since `since_at`."""
    chosen = (is_among(col(TelemetryRecord.device), among), col(TelemetryRecord.at) >= since_at)
    return int(connection.execute(select(func.count()).select_from(TelemetryRecord).where(*chosen)).scalar_one())


def latest_samples(connection: Connection, devices: Iterable[str]) -> dict[str, str]:
    """The newest telemetry record of each device, as JSON text."""
    statement = select(col(DeviceLast.device), cast(col(DeviceLast.sample), String)).where(
        is_among(col(DeviceLast.device), list(devices)), col(DeviceLast.sample_at) > 0
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def counts(connection: Connection, among: Collection[str] | None = None) -> dict[str, int]:
    """Number of devices by status; a device may count under several. among: only these devices are counted."""
    online = col(DeviceLast.presence) == "online"
    row = connection.execute(
        select(
            func.count().label("devices_total"),
            func.count().filter(online).label("online"),
            func.count().filter(~online).label("offline"),
            func.count().filter(needs_attention()).label("attention"),
            func.count().filter(is_degraded()).label("degraded"),
            func.count().filter(is_flapping()).label("flapping"),
        )
        .select_from(DeviceLast)
        .where(*_only(DeviceLast.device, among))
    ).mappings()
    off_target = select(func.count(func.distinct(col(AssignmentRecord.device)))).where(
        is_off_target(), *_only(AssignmentRecord.device, among)
    )
    updating = select(func.count(func.distinct(col(AttemptRecord.device)))).where(
        is_started(), *_only(AttemptRecord.device, among)
    )
    found = {name: int(value) for name, value in row.one().items()}
    return {
        **found,
        "updating": int(connection.execute(updating).scalar_one()),
        "on_target": found["devices_total"] - int(connection.execute(off_target).scalar_one()),
    }


def _only(column: Any, among: Collection[str] | None) -> list[ColumnElement[bool]]:
    return [] if among is None else [is_among(col(column), among)]


def versions(connection: Connection, among: Collection[str] | None = None) -> list[Record]:
    """The number of devices that run each package in each slot, the largest first. among: only these devices are counted."""
    n = func.count().label("count")
    keys: tuple[Any, ...] = (
        col(DeviceSlot.slot),
        col(DeviceSlot.running_package),
        col(DeviceSlot.running_version),
        col(DeviceSlot.running_digest),
    )
    statement: Select[Any] = (
        select(
            keys[0].label("slot"), keys[1].label("package"), keys[2].label("version"), keys[3].label("digest"), n
        )
        .where(keys[3] != "", *_only(DeviceSlot.device, among))
        .group_by(*keys)
        .order_by(n.desc(), keys[1], keys[2])
        .limit(200)
    )  # fmt: skip
    return [dict(row) for row in connection.execute(statement).mappings()]


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """A JSON list of names. Devices of a kind have the same."""
    return frozenset(json.loads(text))


def candidates(connection: Connection, slot: str, now: float) -> list[Candidate]:
    """Every device as a candidate for a rollout of `slot`, with its running version, its pin and its exclusion."""
    excluded = exclusions.excluded(raw(connection), now)
    found = raw(connection).execute(
        "SELECT d.id, d.labels, d.profile, d.runtimes, l.presence, coalesce(s.running_digest, ''), coalesce(s.phase, ''),"
        " p.name, p.version, n.reason, d.capabilities, d.agent_version, d.labels_own"
        " FROM device d JOIN device_last l ON l.device = d.id"
        " LEFT JOIN device_slot s ON s.device = d.id AND s.slot = ?"
        " LEFT JOIN pin n ON n.device = d.id AND n.slot = ? LEFT JOIN package p ON p.digest = n.package ORDER BY d.id",
        (slot, slot),
    )
    return [
        Candidate(
            device=row[0],
            labels=json.loads(row[1]),
            profile=row[2],
            runtimes=json.loads(row[3]),
            online=row[4] == "online",
            running_digest=row[5] if row[6] == "committed" else "",
            pinned=pins.sentence(*row[7:10]) if row[7] is not None else "",
            excluded_until=excluded.get(row[0], 0.0),
            capabilities=_names(row[10]),
            agent_version=row[11],
            reported=json.loads(row[12]),
        )
        for row in found
    ]
