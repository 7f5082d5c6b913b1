"""Devices: list, detail, labels, telemetry, commands, events."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from fleet_server.api import schemas
from fleet_server.api.context import ContextDep
from fleet_server.api.fields import DeviceId, DeviceStatus, Name, Version

router = APIRouter(tags=["devices"])

Device = Annotated[DeviceId, Path(description="Device id")]
Sort = Literal[
    "id", "-id", "last_seen_at", "-last_seen_at", "fps", "-fps", "latency_p95_ms", "-latency_p95_ms", "version", "-version"
]  # fmt: skip
LabelFilter = Annotated[str, Query(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}=.{0,200}$")]


@router.get("/devices", operation_id="list_devices")
def list_devices(
    context: ContextDep,
    search: Annotated[str, Query(max_length=100)] = "",
    status: DeviceStatus | None = None,
    package: Name | None = None,
    version: Version | None = None,
    slot: Name | None = None,
    label: Annotated[list[str], Query(description="k=v; every one must match", max_length=16)] = [],  # noqa: B006
    sort: Sort = "id",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    size: Annotated[int, Query(ge=1, le=500)] = 50,
) -> schemas.DevicePage:
    """A page of devices. `status` filters by fact: a device that is offline and needs attention is found under both."""
    raise NotImplementedError


@router.get("/devices/{device}", operation_id="get_device")
def get_device(context: ContextDep, device: Device) -> schemas.DeviceDetail:
    """Everything known about one device."""
    raise NotImplementedError


@router.patch("/devices/{device}", operation_id="label_device")
def label_device(context: ContextDep, device: Device, body: schemas.LabelsPatch) -> schemas.DeviceDetail:
    """Set the labels of a device."""
    raise NotImplementedError


@router.get("/devices/{device}/telemetry", operation_id="get_device_telemetry")
def get_device_telemetry(
    context: ContextDep,
    device: Device,
    since_at: float | None = None,
    until_at: float | None = None,
    points_max: Annotated[int, Query(ge=1, le=5000)] = 600,
) -> schemas.TelemetrySeries:
    """Samples of a stretch of time (default: the last hour), thinned to `points_max`."""
    raise NotImplementedError


@router.get("/events", operation_id="list_events")
def list_events(
    context: ContextDep,
    device: DeviceId | None = None,
    kind: Annotated[str, Query(max_length=100)] = "",
    label: Annotated[str, Query(max_length=200)] = "",
    since_at: float | None = None,
    before_id: Annotated[int, Query(ge=1, le=2**62)] | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> schemas.EventPage:
    """Events of the fleet, newest first."""
    raise NotImplementedError


@router.post("/devices/{device}/commands", operation_id="send_command", status_code=202)
def send_command(context: ContextDep, device: Device, body: schemas.CommandRequest) -> schemas.CommandRow:
    """Ask a device to do something once. It waits for an offline device until the deadline."""
    raise NotImplementedError


@router.get("/devices/{device}/commands/{cid}", operation_id="get_command")
def get_command(context: ContextDep, device: Device, cid: Annotated[str, Path(max_length=64)]) -> schemas.CommandRow:
    """How a command went."""
    raise NotImplementedError
