"""Where devices stand."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlmodel import col

from fleet_server.db import devices
from fleet_server.db.tables import Device, DeviceLast
from fleet_server.domain.places import Place, Standing, places


def everywhere(connection: Connection) -> tuple[list[Place], int]:
    """Places, the fullest first, and how many devices have none."""
    updating = devices.updating(connection)
    labels = [col(Device.labels)[name].as_string() for name in ("lat", "lon", "site")]
    statement = select(col(Device.id), *labels, col(DeviceLast.presence), col(DeviceLast.attention_count)).join(
        DeviceLast, col(DeviceLast.device) == col(Device.id)
    )
    return places(
        Standing(lat or "", lon or "", site or "", presence == "online", attention > 0, name in updating)
        for name, lat, lon, site, presence, attention in connection.execute(statement)
    )
