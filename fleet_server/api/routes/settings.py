"""What the server runs with: shown, and changed where its start left it open."""

from __future__ import annotations

import time

from fastapi import APIRouter

from fleet_server.api import running_with
from fleet_server.api import server_schemas as schemas
from fleet_server.api.caller import CallerDep
from fleet_server.api.context import Context, ContextDep
from fleet_server.db import changed_settings
from fleet_server.db.engine import Connection
from fleet_server.domain.adjustable import adjusted, checked

router = APIRouter(tags=["settings"])


@router.get("/settings", operation_id="get_settings")
def get_settings(context: ContextDep) -> schemas.SettingList:
    """What the server runs with, what changes each value, and within which bounds."""
    with context.database.read() as connection:
        return _told(context, connection)


@router.patch("/settings", operation_id="change_settings")
def change_settings(context: ContextDep, caller: CallerDep, body: schemas.SettingsChange) -> schemas.SettingList:
    """Change some settings, all of them or none; null gives back what the server was started with. It holds at once; other
    processes of the server take it up within seconds."""
    now, start = time.time(), context.live_settings.start_with
    with context.database.write() as connection:
        for name, value in body.values.items():
            kept = None if value is None else checked(name, value, start)
            changed_settings.put(connection, name, kept, caller.name, now)
        adjusted(start, {name: change.value for name, change in changed_settings.stored(connection).items()})
    context.live_settings.look()
    with context.database.read() as connection:
        return _told(context, connection)


def _told(context: Context, connection: Connection) -> schemas.SettingList:
    stored = changed_settings.stored(connection)
    groups = running_with.groups(context.settings, context.device_url, context.live_settings.start_with, stored)
    return schemas.SettingList(groups=groups)
