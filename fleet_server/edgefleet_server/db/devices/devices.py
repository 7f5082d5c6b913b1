"""Queries about devices. Results are plain dicts with the field names of the REST API."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, String, case, cast, exists, func, or_, select, update
from sqlmodel import col

from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.assignment import exclusions, pins
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import restrictions
from edgefleet_server.db.tables.core import (
    AssignmentRecord,
    AttemptRecord,
    DesiredRecord,
    DeviceLast,
    DeviceRecord,
    DeviceSlot,
    Package,
    PinRecord,
    columns_of,
)
from edgefleet_server.db.tables.identities import BlockedDevice
from edgefleet_server.domain.fleet.presence import BIRTHS_HALF_S, FLAPPING, births_now
from edgefleet_server.domain.rollout.planning import Candidate
from edgefleet_server.domain.selector import edits_for, effective_labels
from edgefleet_server.domain.states import STARTED

Record = dict[str, Any]

HALVES_MAX: Final = 64.0
"""Upper limit of half-lives: after more, no number of births has an effect."""

_STARTED = [state.value for state in STARTED]


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter of a device list. Empty fields match all devices; `ids`: only these devices, None = all."""

    search: str = ""
    status: str = ""
    package: str = ""
    version: str = ""
    slot: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    ids: frozenset[str] | None = None


def page(connection: Connection, chosen: Filter, sort: str, offset: int, limit: int) -> tuple[list[Record], int]:
    """The rows of one page of a list, and the total number of rows."""
    conditions = _conditions(chosen)
    counted = select(func.count()).select_from(DeviceRecord)
    if conditions:
        counted = counted.join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)).where(*conditions)
    total = int(connection.execute(counted).scalar_one())
    statement = _rows().where(*conditions).order_by(*_order(sort)).offset(offset).limit(limit)
    return _complete(connection, connection.execute(statement).mappings().all()), total


def ids(connection: Connection, chosen: Filter, limit: int) -> list[str]:
    """The ids of a list, in order, at most `limit`."""
    statement = (
        select(col(DeviceRecord.id)).join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)).where(*_conditions(chosen))
    )
    return list(connection.execute(statement.order_by(col(DeviceRecord.id)).limit(limit)).scalars())


def updating(connection: Connection) -> set[str]:
    """Ids of devices with an update in progress."""
    return set(connection.execute(select(col(AttemptRecord.device)).where(_is_started())).scalars())


def rows(connection: Connection, devices: Iterable[str]) -> list[Record]:
    """Rows of these devices, in order of their ids."""
    statement = _rows().where(col(DeviceRecord.id).in_(list(devices))).order_by(col(DeviceRecord.id))
    return _complete(connection, connection.execute(statement).mappings().all())


def detail(connection: Connection, device: str) -> Record:
    """All stored data about one device except its attempts.

    Raises:
        NotFoundError: the device is unknown.
    """
    check_exists(connection, device)
    found = rows(connection, [device])
    more = connection.execute(
        select(
            col(DeviceRecord.hardware),
            col(DeviceRecord.runtimes),
            col(DeviceRecord.first_seen_at),
            col(DeviceLast.boot),
            col(DeviceLast.connection),
            col(DeviceLast.generation).label("generation_reported"),
            col(DeviceLast.disk_free_bytes),
            col(DeviceLast.sample),
            col(DeviceLast.pipelines).label("pipeline_states"),
            func.coalesce(col(DesiredRecord.generation), 0).label("generation_desired"),
        )
        .join(DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id))
        .outerjoin(DesiredRecord, col(DesiredRecord.device) == col(DeviceRecord.id))
        .where(col(DeviceRecord.id) == device)
    ).mappings()
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
        raise NotFoundError(f"no device {device!r}; `edgefleet device list` lists the devices")


def is_online(connection: Connection, device: str) -> bool:
    """Whether a device is connected, according to its last presence message."""
    row = connection.execute(select(col(DeviceLast.presence)).where(col(DeviceLast.device) == device)).first()
    return row is not None and row[0] == "online"


def set_labels(connection: Connection, device: str, labels: Mapping[str, str]) -> None:
    """Give a device exactly these labels.

    Raises:
        NotFoundError: the device is unknown.
    """
    check_exists(connection, device)
    own = connection.execute(select(col(DeviceRecord.labels_own)).where(col(DeviceRecord.id) == device)).scalar_one()
    edits = edits_for(own, labels)
    connection.execute(
        update(DeviceRecord).where(col(DeviceRecord.id) == device).values(label_edits=edits, labels=effective_labels(own, edits))
    )


def change_labels(connection: Connection, device: str, changes: Mapping[str, str | None]) -> None:
    """Set some labels of a device, and remove those that are None.

    Raises:
        NotFoundError: the device is unknown.
    """
    known = connection.execute(select(col(DeviceRecord.labels)).where(col(DeviceRecord.id) == device)).scalar_one_or_none()
    merged: dict[str, str | None] = {**(known or {}), **changes}
    set_labels(connection, device, {key: value for key, value in merged.items() if value is not None})


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


def latest_samples(connection: Connection, devices: Iterable[str]) -> dict[str, str]:
    """The newest telemetry record of each device, as JSON text."""
    statement = select(col(DeviceLast.device), cast(col(DeviceLast.sample), String)).where(
        col(DeviceLast.device).in_(list(devices)), col(DeviceLast.sample_at) > 0
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def needs_attention() -> ColumnElement[bool]:
    """Condition on `DeviceLast`: the device has a line under `attention` in its view. All counts and filters use it."""
    blocked = col(DeviceLast.device).in_(select(col(BlockedDevice.device)))
    return (col(DeviceLast.attention_count) > 0) | restrictions.is_restricted(col(DeviceLast.device)) | blocked | _is_flapping()


def counts(connection: Connection) -> dict[str, int]:
    """Number of devices by status; a device may count under several."""
    online = col(DeviceLast.presence) == "online"
    row = connection.execute(
        select(
            func.count().label("devices_total"),
            func.count().filter(online).label("online"),
            func.count().filter(~online).label("offline"),
            func.count().filter(needs_attention()).label("attention"),
            func.count().filter(_is_degraded()).label("degraded"),
            func.count().filter(_is_flapping()).label("flapping"),
        ).select_from(DeviceLast)
    ).mappings()
    off_target = select(func.count(func.distinct(col(AssignmentRecord.device)))).where(_is_off_target())
    updating = select(func.count(func.distinct(col(AttemptRecord.device)))).where(_is_started())
    found = {name: int(value) for name, value in row.one().items()}
    return {
        **found,
        "updating": int(connection.execute(updating).scalar_one()),
        "on_target": found["devices_total"] - int(connection.execute(off_target).scalar_one()),
    }


def versions(connection: Connection) -> list[Record]:
    """The number of devices that run each package in each slot, the largest first."""
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
        .where(keys[3] != "")
        .group_by(*keys)
        .order_by(n.desc(), keys[1], keys[2])
        .limit(200)
    )  # fmt: skip
    return [dict(row) for row in connection.execute(statement).mappings()]


def candidates(connection: Connection, slot: str, now: float) -> list[Candidate]:
    """Every device as a candidate for a rollout of `slot`, with its running version, its pin and its exclusion."""
    excluded = exclusions.excluded(raw(connection), now)
    found = raw(connection).execute(
        "SELECT d.id, d.labels, d.profile, d.runtimes, l.presence, coalesce(s.running_digest, ''), coalesce(s.phase, ''),"
        " p.name, p.version, n.reason FROM device d JOIN device_last l ON l.device = d.id"
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
        )
        for row in found
    ]


# -- parts


def _rows() -> Select[Any]:
    columns: list[Any] = [
        col(DeviceRecord.id),
        col(DeviceRecord.agent_version),
        col(DeviceRecord.profile),
        col(DeviceRecord.labels),
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


def _is_off_target() -> ColumnElement[bool]:
    """Condition: the device does not run an assigned package."""
    runs = exists().where(
        col(DeviceSlot.device) == col(AssignmentRecord.device),
        col(DeviceSlot.slot) == col(AssignmentRecord.slot),
        col(DeviceSlot.running_digest) == col(AssignmentRecord.package),
    )
    return ~runs


def _is_degraded() -> ColumnElement[bool]:
    """Condition: the device is connected, and its latest sample has warnings."""
    complains = (col(DeviceLast.attention_count) > 0) & (cast(col(DeviceLast.attention_sample), String) != "[]")
    return (col(DeviceLast.presence) == "online") & complains


def _is_flapping() -> ColumnElement[bool]:
    """Condition: the decayed number of births is above `FLAPPING`, which is impossible after `HALVES_MAX` half-lives."""
    passed = (time.time() - col(DeviceLast.births_at)) / BIRTHS_HALF_S
    halves = case((passed < HALVES_MAX, passed), else_=HALVES_MAX)  # PostgreSQL raises an error if a power underflows
    return (col(DeviceLast.births) > FLAPPING) & (col(DeviceLast.births) * func.pow(0.5, halves) > FLAPPING)


def _is_started() -> ColumnElement[bool]:
    return col(AttemptRecord.open).is_(True) & col(AttemptRecord.state).in_(_STARTED)


def _conditions(chosen: Filter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if chosen.search:
        conditions.append(
            or_(*(col(column).icontains(chosen.search, autoescape=True) for column in (DeviceRecord.id, DeviceRecord.profile)))
        )
    by_status = {
        "online": col(DeviceLast.presence) == "online",
        "offline": col(DeviceLast.presence) != "online",
        "attention": needs_attention(),
        "updating": exists().where(col(AttemptRecord.device) == col(DeviceRecord.id), _is_started()),
        "flapping": _is_flapping(),
        "degraded": _is_degraded(),
        "off_target": exists().where(col(AssignmentRecord.device) == col(DeviceRecord.id), _is_off_target()),
        "on_target": ~exists().where(col(AssignmentRecord.device) == col(DeviceRecord.id), _is_off_target()),
        "pinned": exists().where(col(PinRecord.device) == col(DeviceRecord.id)),
    }
    if chosen.status:
        conditions.append(by_status[chosen.status])
    parts = {DeviceSlot.slot: chosen.slot, DeviceSlot.running_package: chosen.package, DeviceSlot.running_version: chosen.version}
    running = [col(column) == value for column, value in parts.items() if value]
    if running:
        conditions.append(exists().where(col(DeviceSlot.device) == col(DeviceRecord.id), *running))
    if chosen.ids is not None:
        conditions.append(col(DeviceRecord.id).in_(chosen.ids))
    conditions += [col(DeviceRecord.labels)[key].as_string() == value for key, value in chosen.labels.items()]
    return conditions


def _order(sort: str) -> list[ColumnElement[Any]]:
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


def _complete(connection: Connection, found: Sequence[RowMapping]) -> list[Record]:
    """Rows with their slots, status and attention."""
    now = time.time()
    ids = [row["id"] for row in found]
    slots = _slots(connection, ids)
    started = set(
        connection.execute(select(col(AttemptRecord.device)).where(col(AttemptRecord.device).in_(ids), _is_started())).scalars()
    )
    blocked = {
        row.device: f"blocked ({row.reason})" if row.reason else "blocked"
        for row in connection.execute(select(*columns_of(BlockedDevice)).where(col(BlockedDevice.device).in_(ids)))
    }
    restricted = restrictions.warnings(connection, ids)
    complete: list[Record] = []
    for row in found:
        record = dict(row)
        online = record.pop("presence") == "online"
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
        complete.append(record)
    return complete


def _status(online: bool, attention: bool, updating: bool) -> str:
    if attention:
        return "attention"
    if not online:
        return "offline"
    return "updating" if updating else "online"


def _slots(connection: Connection, devices: list[str]) -> dict[str, list[Record]]:
    """Slots by device: the reported state, joined with the assignment."""
    reported = connection.execute(
        select(*columns_of(DeviceSlot)).where(col(DeviceSlot.device).in_(devices)).order_by(col(DeviceSlot.slot))
    ).mappings()
    assigned = {
        (row.device, row.slot): row
        for row in connection.execute(
            select(
                col(AssignmentRecord.device),
                col(AssignmentRecord.slot),
                col(AssignmentRecord.attempt),
                col(AssignmentRecord.assigned_at),
                col(Package.name),
                col(Package.version),
                col(Package.digest),
            )
            .join(Package, col(Package.digest) == col(AssignmentRecord.package))
            .where(col(AssignmentRecord.device).in_(devices))
        )
    }
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
    record["drift_since_at"] = None if record["on_target"] else target.assigned_at or row["since_at"]
    return record
