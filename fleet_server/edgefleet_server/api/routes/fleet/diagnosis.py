"""Logs of a device while they are shown, and support bundles."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query
from starlette.responses import FileResponse, Response

from edgefleet_contract.wire.evidence_upload import EVENT_PATTERN
from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.live.viewing_records import write_viewing
from edgefleet_server.api.presenters.device_logs import device_log
from edgefleet_server.api.schemas.fields import DeviceId, Name, Problem
from edgefleet_server.api.schemas.fleet.diagnosis import DeviceLog, LogLevel, LogSource, SupportBundleList, SupportBundleRow
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.devices import command_orders, commands, devices
from edgefleet_server.registry.evidence_store import BUNDLE_KEEP_S

router = APIRouter(tags=["fleet"])

Device = Annotated[DeviceId, Path(description="Device id")]
Bundle = Annotated[str, Path(pattern=EVENT_PATTERN, description="Id of the support bundle")]
REFUSED: Final[dict[int | str, dict[str, Any]]] = {409: {"model": Problem, "description": "The device is offline, or refuses"}}
ZIP: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"application/zip": {}}, "description": "The bundle"}}
OP: Final = "support_bundle"
DEADLINE_S: Final = 1800.0
"""Time for making and uploading a bundle, on a slow line too."""
LISTED_MAX: Final = 32


@router.get("/devices/{device}/logs", operation_id="view_logs", responses=REFUSED)
async def view_logs(
    context: ContextDep,
    caller: CallerDep,
    device: Device,
    source: Annotated[
        LogSource, Query(description="journal: of the system, with earlier runs; pipeline: lines that name it")
    ] = "service",
    pipeline: Annotated[Name | None, Query(description="for the source pipeline")] = None,
    level: Annotated[LogLevel, Query(description="the lowest level")] = "debug",
    search: Annotated[str, Query(max_length=200, description="part of the text")] = "",
    lines: Annotated[int, Query(ge=1, le=1000)] = 200,
    since: Annotated[str, Query(max_length=300, description="`cursor` of the answer before: only newer lines")] = "",
) -> DeviceLog:
    """The last lines of a device's log, or those that followed an earlier answer. The device sends them for this request only."""
    if (source == "pipeline") != (pipeline is not None):
        raise InputError("pipeline: specify it with source=pipeline, and only then")
    args = {"source": source, "level": level, "search": search, "lines": lines, "after": since}
    args |= {"pipeline": pipeline} if pipeline else {}
    return device_log(await context.logs.read(caller, device, args), args)


@router.get("/devices/{device}/logs/last", operation_id="get_last_logs")
def get_last_logs(context: ContextDep, caller: CallerDep, device: Device) -> DeviceLog:
    """The log that the server received last from a device, which may be offline now."""
    row = context.logs.last(device)
    if row is None:
        raise NotFoundError(f"no log of {device!r} was received; it is requested while the device is online")
    with context.database.write() as connection:
        write_viewing(connection, caller, "get_last_logs", f"/devices/{device}/logs/last", time.time())
    return device_log(row, row["args"])


@router.post("/devices/{device}/support-bundles", operation_id="request_support_bundle", status_code=202)
def request_support_bundle(context: ContextDep, caller: CallerDep, device: Device) -> SupportBundleRow:
    """Request a support bundle: versions, settings, logs and checks of a device, from which it removes secrets."""
    now = time.time()
    with context.database.write() as connection:
        devices.check_exists(connection, device)
        if any(row["state"] == "pending" for row in commands.newest(connection, device, OP, "", LISTED_MAX)):
            raise ConflictError(f"a support bundle of {device} is already on its way; wait until it has arrived")
        args = {"requested_by": caller.name or "(nobody)"}
        name = command_orders.command(connection, device, OP, args, DEADLINE_S, now)
        row = next(row for row in commands.newest(connection, device, OP, "", LISTED_MAX) if row["id"] == name)
    context.greet(device)
    return _bundle(context, row)


@router.get("/devices/{device}/support-bundles", operation_id="list_support_bundles")
def list_support_bundles(context: ContextDep, device: Device) -> SupportBundleList:
    """The support bundles of a device, with those that are on their way. The server deletes one 7 days after it arrived."""
    with context.database.read() as connection:
        devices.check_exists(connection, device)
        rows = commands.newest(connection, device, OP, "", LISTED_MAX)
    return SupportBundleList(items=[_bundle(context, row) for row in rows])


@router.get(
    "/devices/{device}/support-bundles/{bundle}",
    operation_id="get_support_bundle",
    response_class=FileResponse,
    responses={**ZIP},
)
def get_support_bundle(context: ContextDep, caller: CallerDep, device: Device, bundle: Bundle) -> FileResponse:
    """The file of a support bundle, a ZIP archive. A download that was interrupted continues with a range request."""
    path = context.evidence.find(device, bundle, "support")
    if path is None:
        raise NotFoundError(f"no support bundle {bundle!r} of {device!r} on the server; it is on its way, or was deleted")
    with context.database.write() as connection:
        write_viewing(connection, caller, "get_support_bundle", f"/devices/{device}/support-bundles/{bundle}", time.time())
    headers = {"Cache-Control": "no-store"}
    return FileResponse(path, media_type="application/zip", filename=f"{device}-{bundle[:8]}.zip", headers=headers)


@router.delete("/devices/{device}/support-bundles/{bundle}", operation_id="delete_support_bundle", status_code=204)
def delete_support_bundle(context: ContextDep, device: Device, bundle: Bundle) -> Response:
    """Delete a support bundle from the server now."""
    with context.database.write() as connection:
        if commands.get(connection, device, bundle)["op"] != OP:
            raise NotFoundError(f"no support bundle {bundle!r} of {device!r}")
        commands.delete_command(connection, bundle)
    context.evidence.delete(device, bundle, "support")
    return Response(status_code=204)


def _bundle(context: Context, row: dict[str, Any]) -> SupportBundleRow:
    path = context.evidence.find(row["device"], row["id"], "support")
    stat = path.stat() if path is not None else None
    state, detail = row["state"], row["detail"]
    if state == "done" and stat is None:
        state, detail = "expired", "deleted by the server"
    return SupportBundleRow(
        id=row["id"],
        state=state,
        detail=detail,
        requested_by=str(row["args"].get("requested_by", "")),
        requested_at=row["created_at"],
        received_at=stat.st_mtime if stat is not None else None,
        length_bytes=stat.st_size if stat is not None else None,
        delete_at=stat.st_mtime + min(BUNDLE_KEEP_S, context.evidence.keep_s) if stat is not None else None,
    )
