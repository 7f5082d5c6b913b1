"""One action for many devices: most actions in one transaction, those that end sessions device by device."""

from __future__ import annotations

from typing import Final

from edgefleet_server.api.context import Context
from edgefleet_server.api.device_scope import DeviceScope, check_move, confined
from edgefleet_server.api.schemas.fleet import device_admin as schemas
from edgefleet_server.api.schemas.rollouts.rollout_terms import Selector
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.assignment import exclusions, pins
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import command_orders, device_labels, device_scopes, groups, removal
from edgefleet_server.db.registry import packages

BULK_MAX: Final = 20_000
OUT_MAX: Final = 500
"""Limit of devices that are blocked or decommissioned at once: each ends a session and writes a new revocation list."""
REFUSED_SHOWN: Final = 1_000


def carry_out(context: Context, body: schemas.BulkRequest, scope: DeviceScope, by: str, now: float) -> schemas.BulkResponse:
    """Carry out the action of a request for its devices, of those of the caller.

    Raises:
        InputError: no device is selected, too many are, or the action lacks a field.
        NotFoundError: there is no such group or package.
    """
    _check(body)
    commands: dict[str, str] = {}
    out = body.action in ("block", "decommission")
    if out:
        with context.database.read() as connection:
            chosen = _chosen(connection, body, scope)
        refused = _put_out(context, chosen, body, now)
    else:
        with context.database.write() as connection:
            chosen = _chosen(connection, body, scope)
            digest = packages.find(connection, body.package, body.version)["digest"] if body.package and body.version else ""
            refused = {}
            for device in chosen:
                why = _do(connection, device, body, scope, digest, by, now, commands)
                if why:
                    refused[device] = why
    for device in commands:
        context.greet(device)
    context.hub.touch(device for device in chosen if device not in refused)
    context.wake_engine()
    shown = [schemas.BulkRefusal(device=device, reason=why) for device, why in list(refused.items())[:REFUSED_SHOWN]]
    return schemas.BulkResponse(devices=len(chosen), done=len(chosen) - len(refused), commands=commands, refused=shown)


def decommission(context: Context, device: str, now: float) -> None:
    """Remove a device from the fleet.

    Raises:
        ConflictError: a rollout is updating it.
    """
    context.enrolment.retire(device, now)
    with context.database.write() as connection:
        removal.remove(raw(connection), device)
        context.forget_devices()
    context.clear_retained(device)


def _check(body: schemas.BulkRequest) -> None:
    if (body.group is None) == (body.selector is None):
        raise InputError("specify either a group or a selector")
    if body.action == "command" and body.op is None:
        raise InputError("command requires op, for example identify")
    if body.action in ("pin", "unpin") and body.slot is None:
        raise InputError(f"{body.action} requires slot, for example detector")
    if (body.package is None) != (body.version is None):
        raise InputError("package and version must be set together; omit both to pin the running version of each device")
    device_labels.check(body.labels)


def _chosen(connection: Connection, body: schemas.BulkRequest, scope: DeviceScope) -> list[str]:
    selection = confined(body.selector or Selector(group=body.group), scope).model_dump()
    chosen = groups.members(connection, groups.resolve(connection, selection))
    limit = OUT_MAX if body.action in ("block", "decommission") else BULK_MAX
    if len(chosen) > limit:
        raise InputError(f"{len(chosen)} devices exceed the limit of {limit}; select fewer devices")
    return chosen


def _put_out(context: Context, chosen: list[str], body: schemas.BulkRequest, now: float) -> dict[str, str]:
    """Block or decommission devices one after another; returns the error of each failed one, by device."""
    return {device: why for device in chosen if (why := _put_one_out(context, device, body, now))}


def _put_one_out(context: Context, device: str, body: schemas.BulkRequest, now: float) -> str:
    if body.action == "block":
        context.enrolment.block(device, body.reason, now)
        context.clear_retained(device)
        return ""
    try:
        decommission(context, device, now)
    except ConflictError as error:
        return str(error)
    return ""


def _do(
    connection: Connection,
    device: str,
    body: schemas.BulkRequest,
    scope: DeviceScope,
    digest: str,
    by: str,
    now: float,
    commands: dict[str, str],
) -> str:
    """Carry out the action for one device; adds the id of its command, if the action is one, to `commands`. Returns the error,
    empty on success."""
    slot = body.slot or ""
    try:
        if body.action == "command":
            commands[device] = command_orders.command(connection, device, body.op or "", body.args, body.deadline_s, now)
        elif body.action == "release":
            exclusions.release(raw(connection), device, now)
        elif body.action == "pin":
            pins.add(raw(connection), device, slot, digest, body.reason, by, now)
        elif body.action == "unpin":
            pins.remove(raw(connection), device, slot)
        else:
            before = frozenset() if scope.is_all else device_scopes.granted_groups_of(connection, device)
            device_labels.change_labels(connection, device, body.labels)
            check_move(connection, scope, device, before)
    except (ConflictError, NotFoundError) as error:
        return str(error)
    return ""
