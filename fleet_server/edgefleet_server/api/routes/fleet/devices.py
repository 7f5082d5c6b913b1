"""Devices: list, detail, labels, telemetry, commands."""

from __future__ import annotations

import time
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep, check_move
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import IDS_MAX, DeviceFilter, DeviceId, Name, QueryText, TimeAt, Version
from edgefleet_server.api.schemas.fleet.devices import (
    CommandRequest,
    CommandRow,
    DeviceDetail,
    DevicePage,
    DeviceRow,
    LabelsPatch,
    TelemetryPoint,
    TelemetrySeries,
)
from edgefleet_server.api.schemas.fleet.overview import DeviceIds
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.devices import command_orders, commands, device_filters, device_labels, device_scopes, devices, groups
from edgefleet_server.db.devices.device_queries import QueriedFleet

HOUR_S: Final = 3600.0
_EVERY_LABEL: Final = {"all": False, "ids": [], "labels": {}}

router = APIRouter(tags=["devices"])

Device = Annotated[DeviceId, Path(description="Device id")]
Sort = Literal[
    "id", "-id", "last_seen_at", "-last_seen_at", "fps", "-fps", "latency_p95_ms", "-latency_p95_ms", "version", "-version"
]  # fmt: skip
LabelFilter = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}=.*$", max_length=264)]


def _chosen(
    context: ContextDep,
    scope: DeviceScopeDep,
    search: Annotated[str, Query(max_length=100)] = "",
    status: DeviceFilter | None = None,
    package: Name | None = None,
    version: Version | None = None,
    slot: Name | None = None,
    group: Name | None = None,
    label: Annotated[list[LabelFilter], Query(description="k=v; every one must match", max_length=16)] = [],  # noqa: B006
    query: Annotated[QueryText | None, Query(description="site = lyon and not state = offline")] = None,
) -> device_filters.Filter:
    """The filter of a device list from the query parameters, and the devices of the caller. Sentences about the whole fleet are
    for callers who see it."""
    scope.check_group(group)
    labels = dict(pair.split("=", 1) for pair in label)
    ids = scope.ids
    warnings: list[str] = []
    if group or query:
        with context.database.read() as connection:
            fleet = QueriedFleet(connection)
            chosen = [groups.resolve(connection, {"group": group}, fleet)] if group else []
            chosen += [groups.resolve(connection, {**_EVERY_LABEL, "query": query}, fleet)] if query else []
            found = [frozenset(groups.members(connection, each)) for each in chosen]
            ids = frozenset.intersection(*found) if ids is None else ids.intersection(*found)
            warnings = fleet.unknown_labels(chosen[-1].label_names) if query and scope.is_all else []
    return device_filters.Filter(search, status or "", package or "", version or "", slot or "", labels, ids, tuple(warnings))


Chosen = Annotated[device_filters.Filter, Depends(_chosen)]


@router.get("/devices", operation_id="list_devices")
def list_devices(
    context: ContextDep,
    chosen: Chosen,
    scope: DeviceScopeDep,
    sort: Sort = "id",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=500)] = 50,
) -> DevicePage:
    """A page of devices. A device may match several values of `status`: one that is offline and needs attention matches both."""
    with context.database.read() as connection:
        rows, total = devices.page(connection, chosen, sort, (page - 1) * size, size)
        unknown = QueriedFleet(connection).unknown_labels(chosen.labels) if not total and scope.is_all else []
    items = [DeviceRow.model_validate(row) for row in rows]
    return DevicePage(items=items, total=total, warnings=[*chosen.warnings, *unknown])


@router.get("/device-ids", operation_id="list_device_ids")
def list_device_ids(context: ContextDep, chosen: Chosen) -> DeviceIds:
    """The ids of all devices of a list, at most 20,000: the devices that a bulk action would affect."""
    with context.database.read() as connection:
        return DeviceIds(items=devices.ids(connection, chosen, IDS_MAX))


@router.get("/devices/{device}", operation_id="get_device")
def get_device(context: ContextDep, device: Device) -> DeviceDetail:
    """All data about one device."""
    with context.database.read() as connection:
        return views.device_detail(connection, device, time.time())


@router.patch("/devices/{device}", operation_id="label_device")
def label_device(context: ContextDep, scope: DeviceScopeDep, device: Device, body: LabelsPatch) -> DeviceDetail:
    """Set the labels of a device. If they move it into or out of a group for which users have roles, the caller needs the role
    operator for both sides."""
    with context.database.write() as connection:
        before = frozenset() if scope.is_all else device_scopes.granted_groups_of(connection, device)
        device_labels.set_labels(connection, device, body.labels)
        check_move(connection, scope, device, before)
    context.hub.touch([device])
    with context.database.read() as connection:
        return views.device_detail(connection, device, time.time())


@router.get("/devices/{device}/telemetry", operation_id="get_device_telemetry")
def get_device_telemetry(
    context: ContextDep,
    device: Device,
    since_at: TimeAt | None = None,
    until_at: TimeAt | None = None,
    points_max: Annotated[int, Query(ge=1, le=5000)] = 600,
) -> TelemetrySeries:
    """Samples of a period (default: the last hour), thinned to `points_max`."""
    until = time.time() if until_at is None else until_at
    since = until - HOUR_S if since_at is None else since_at
    with context.database.read() as connection:
        points = devices.telemetry(connection, device, since, until, points_max)
    return TelemetrySeries(points=[TelemetryPoint.model_validate_json(point) for point in points])


@router.post("/devices/{device}/commands", operation_id="send_command", status_code=202)
def send_command(context: ContextDep, device: Device, body: CommandRequest) -> CommandRow:
    """Send a command to a device. For an offline device, it stays pending until the deadline."""
    if body.op == "support_bundle":
        raise InputError("op: a support bundle is requested by POST /devices/DEVICE/support-bundles")
    with context.database.write() as connection:
        devices.check_exists(connection, device)
        command = command_orders.command(connection, device, body.op, body.args, body.deadline_s, time.time())
        row = commands.get(connection, device, command)
    context.greet(device)
    return CommandRow.model_validate(row)


@router.get("/devices/{device}/commands/{cid}", operation_id="get_command")
def get_command(context: ContextDep, device: Device, cid: Annotated[str, Path(max_length=64)]) -> CommandRow:
    """The state and result of a command."""
    with context.database.read() as connection:
        return CommandRow.model_validate(commands.get(connection, device, cid))
