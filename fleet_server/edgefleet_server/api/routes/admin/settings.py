"""Routes of the effective settings: list, and change those that no option has pinned."""

from __future__ import annotations

import time

from fastapi import APIRouter

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.schemas.admin import server as schemas
from edgefleet_server.api.services import effective_settings
from edgefleet_server.db.backend import settings
from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.devices import device_labels
from edgefleet_server.domain.policy.runtime_settings import adjusted, checked

router = APIRouter(tags=["settings"])


@router.get("/settings", operation_id="get_settings")
def get_settings(context: ContextDep) -> schemas.SettingList:
    """The effective settings, each with its bounds and the option that changes it."""
    with context.database.read() as connection:
        return _setting_list(context, connection)


@router.patch("/settings", operation_id="change_settings")
def change_settings(context: ContextDep, caller: CallerDep, body: schemas.SettingsChange) -> schemas.SettingList:
    """Change settings, all given ones or none; null restores the value from the server's start. Takes effect immediately, in
    other processes of the server within seconds."""
    now, start = time.time(), context.live_settings.start_with
    with context.database.write() as connection:
        for name, value in body.values.items():
            stored = None if value is None else checked(name, value, start)
            settings.put(connection, name, stored, caller.name, now)
        if device_labels.TRUST in body.values:
            device_labels.settle(connection)
        adjusted(start, {name: change.value for name, change in settings.stored(connection).items()})
    context.live_settings.poll()
    with context.database.read() as connection:
        return _setting_list(context, connection)


def _setting_list(context: Context, connection: Connection) -> schemas.SettingList:
    stored = settings.stored(connection)
    groups = effective_settings.groups(context.settings, context.device_url, context.live_settings.start_with, stored)
    return schemas.SettingList(groups=groups)
