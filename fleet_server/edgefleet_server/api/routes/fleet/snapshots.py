"""Snapshots on request, and the live view of a camera."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Path, Query
from starlette.responses import FileResponse, Response

from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_contract.wire.evidence_upload import EVENT_PATTERN
from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.schemas.fields import DeviceId, Problem
from edgefleet_server.api.schemas.fleet.devices import CommandRow
from edgefleet_server.api.schemas.fleet.snapshots import PictureList, PictureRequest, PictureRow
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.devices import command_orders, commands, devices

router = APIRouter(tags=["devices"])

Device = Annotated[DeviceId, Path(description="Device id")]
JPEG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/jpeg": {}}, "description": "The picture"}}


@router.post("/devices/{device}/snapshots", operation_id="take_picture", status_code=202)
def take_picture(
    context: ContextDep, device: Device, body: Annotated[PictureRequest, Body(default_factory=PictureRequest)]
) -> CommandRow:
    """Request one picture of a camera from a device. The command is `done` when the picture has arrived; its id is the
    command's."""
    args = {"overlays": body.overlays} | ({"pipeline": body.pipeline} if body.pipeline else {})
    with context.database.write() as connection:
        devices.check_exists(connection, device)
        command = command_orders.command(connection, device, "snapshot", args, body.deadline_s, time.time())
        row = commands.get(connection, device, command)
    context.greet(device)
    return CommandRow.model_validate(row)


@router.get("/devices/{device}/snapshots", operation_id="list_pictures")
def list_pictures(context: ContextDep, device: Device) -> PictureList:
    """The stored pictures of a device that were requested."""
    with context.database.read() as connection:
        devices.check_exists(connection, device)
    rows = context.evidence.pictures(device)
    return PictureList(items=[PictureRow(id=name, received_at=at, length_bytes=length) for name, at, length in rows])


@router.get("/devices/{device}/snapshots/{picture}", operation_id="get_picture", response_class=FileResponse, responses={**JPEG})
def get_picture(context: ContextDep, device: Device, picture: Annotated[str, Path(pattern=EVENT_PATTERN)]) -> FileResponse:
    """One requested picture; 404 until it has arrived."""
    path = context.evidence.find(device, picture, "picture")
    if path is None:
        raise NotFoundError(
            f"no picture {picture!r} of {device!r} on the server; it is in transfer or was replaced by newer ones"
        )
    return FileResponse(path, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


@router.get(
    "/devices/{device}/live/{pipeline}",
    operation_id="view_live",
    response_class=Response,
    responses={**JPEG, 409: {"model": Problem, "description": "The device is offline, or refuses"}},
)
async def view_live(
    context: ContextDep,
    caller: CallerDep,
    device: Device,
    pipeline: Annotated[str, Path(pattern=NAME_PATTERN)],
    overlays: Annotated[bool, Query(description="with boxes, zones and lines")] = False,
    age_s: Annotated[float, Query(ge=1, le=86_400, description="age up to which the last picture is returned, at once")] = 1.0,
) -> Response:
    """The current picture of a camera, at most about one second old. Repeated requests give a live view."""
    picture = await context.live.newest(caller, device, pipeline, overlays=overlays, age_s=age_s)
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "no-store"})
