"""Routes of device administration: pins, exclusion, groups, bulk actions, decommissioning."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Response

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.device_scope import DeviceScope, DeviceScopeDep
from edgefleet_server.api.paging import After, Paging, PagingDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import IDS_MAX, DeviceId, Name
from edgefleet_server.api.schemas.fleet import device_admin as schemas
from edgefleet_server.api.schemas.fleet.devices import DeviceDetail
from edgefleet_server.api.services import bulk_actions
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.assignment import exclusions, pins
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import device_scopes, devices, groups
from edgefleet_server.db.devices.device_queries import QueriedFleet
from edgefleet_server.db.people import user_grants
from edgefleet_server.db.registry import packages
from edgefleet_server.domain.policy import roles

router = APIRouter(tags=["devices"])

Device = Annotated[DeviceId, Path(description="Device id")]
Slot = Annotated[Name, Path(description="Slot")]
GroupName = Annotated[Name, Path(description="Name of a group")]


@router.put("/devices/{device}/pins/{slot}", operation_id="pin_device")
def pin_device(
    context: ContextDep,
    caller: CallerDep,
    device: Device,
    slot: Slot,
    body: Annotated[schemas.PinRequest, Body(default_factory=schemas.PinRequest)],
) -> DeviceDetail:
    """Pin a slot: rollouts do not change it until it is unpinned."""
    if (body.package is None) != (body.version is None):
        raise InputError("package and version must be set together; omit both to pin the running version")
    with context.database.write() as connection:
        devices.check_exists(connection, device)
        digest = packages.find(connection, body.package, body.version)["digest"] if body.package and body.version else ""
        pins.add(raw(connection), device, slot, digest, body.reason, caller.name, time.time())
    return _device_detail(context, device)


@router.delete("/devices/{device}/pins/{slot}", operation_id="unpin_device")
def unpin_device(context: ContextDep, device: Device, slot: Slot) -> DeviceDetail:
    """Unpin a slot: it takes part in rollouts again, from the next one on."""
    with context.database.write() as connection:
        pins.remove(raw(connection), device, slot)
    return _device_detail(context, device)


@router.post("/devices/{device}/release", operation_id="release_device")
def release_device(context: ContextDep, device: Device) -> DeviceDetail:
    """Release a device from its exclusion: its failures so far no longer count."""
    with context.database.write() as connection:
        devices.check_exists(connection, device)
        exclusions.release(raw(connection), device, time.time())
    return _device_detail(context, device)


@router.delete("/devices/{device}", operation_id="decommission_device", status_code=204)
def decommission_device(context: ContextDep, device: Device) -> Response:
    """Remove a device from the fleet: its certificates are revoked and its data is deleted. It can enrol again with a new
    token."""
    with context.database.read() as connection:
        devices.check_exists(connection, device)
    bulk_actions.decommission(context, device, time.time())
    context.hub.touch([device])
    return Response(status_code=204)


@router.get("/groups", operation_id="list_groups")
def list_groups(context: ContextDep, scope: DeviceScopeDep, paging: PagingDep) -> schemas.GroupList:
    """All groups, by name, each with its current number of devices. A caller with roles for groups sees these."""
    with context.database.read() as connection:
        fleet = QueriedFleet(connection)
        rows, more = paging.cut(_seen(groups.list_all(connection), scope), lambda record: str(record["name"]))
        return schemas.GroupList(items=[_group(connection, record, fleet) for record in rows], next_after=more)


@router.get("/groups/{name}", operation_id="list_group_members")
def list_group_members(
    context: ContextDep,
    scope: DeviceScopeDep,
    name: GroupName,
    after: After = "",
    limit: Annotated[int, Query(ge=1, le=IDS_MAX)] = IDS_MAX,
) -> schemas.GroupMembers:
    """The current devices of a group, by id."""
    scope.check_group(name)
    with context.database.read() as connection:
        found = groups.members(connection, groups.resolve(connection, {"group": name}))
    items, more = Paging(after, limit).cut(found, str)
    return schemas.GroupMembers(items=items, next_after=more)


@router.put("/groups/{name}", operation_id="put_group")
def put_group(context: ContextDep, caller: CallerDep, name: GroupName, body: schemas.GroupRequest) -> schemas.Group:
    """Create or change a group. If users have roles for it, it must select by labels and ids alone."""
    selector = body.selector
    if selector.group or selector.within or not (selector.all or selector.ids or selector.labels or selector.query):
        raise InputError('selector: empty; set "all": true, "ids", "labels" or "query"')
    record = {
        "name": name,
        "selector": selector.stored(),
        "note": body.note,
        "changed_at": time.time(),
        "changed_by": caller.name,
    }
    with context.database.write() as connection:
        fleet = QueriedFleet(connection)
        group = _group(connection, record, fleet)
        group.warnings = fleet.unknown_labels(groups.resolve(connection, selector.stored(), fleet).label_names)
        if name in user_grants.groups(raw(connection)):
            device_scopes.check_selector(name, selector.stored())
        groups.put(connection, record)
        return group


@router.delete("/groups/{name}", operation_id="delete_group", status_code=204)
def delete_group(context: ContextDep, name: GroupName) -> Response:
    """Delete a group; its devices stay."""
    with context.database.write() as connection:
        groups.remove(connection, name)
    return Response(status_code=204)


@router.post("/devices/bulk", operation_id="bulk_devices")
def bulk_devices(
    context: ContextDep, caller: CallerDep, scope: DeviceScopeDep, body: schemas.BulkRequest
) -> schemas.BulkResponse:
    """Apply one action to many devices, of those for which the caller has the role. As for a single device, `block` requires the
    scope `identity`, and `decommission` an administrator."""
    if body.action == "decommission":
        roles.check(caller.role, "decommission_device")
    if body.action == "block":
        roles.check_scope(caller.scopes, "identity", "block_device", reads=False)
    return bulk_actions.carry_out(context, body, scope, caller.name, time.time())


def _seen(found: list[dict[str, Any]], scope: DeviceScope) -> list[dict[str, Any]]:
    return found if scope.groups is None else [record for record in found if record["name"] in scope.groups]


def _group(connection: Connection, record: dict[str, Any], fleet: QueriedFleet) -> schemas.Group:
    count = len(groups.members(connection, groups.resolve(connection, record["selector"], fleet)))
    return schemas.Group.model_validate({**record, "count": count})


def _device_detail(context: Context, device: str) -> DeviceDetail:
    context.wake_engine()
    context.hub.touch([device])
    with context.database.read() as connection:
        return views.device_detail(connection, device, time.time())
