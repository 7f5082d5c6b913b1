"""Sites of devices, for the map."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select
from sqlmodel import col

from edgefleet_server.db.devices import device_filters, devices
from edgefleet_server.db.tables.core import DeviceLast, DeviceRecord
from edgefleet_server.domain.fleet.sites import DevicePosition, Site, group_by_site


def list_sites(connection: Connection, among: Collection[str] | None = None) -> tuple[list[Site], int]:
    """Sites by descending number of devices, and the number of devices without a position. among: only these devices."""
    updating = devices.updating(connection)
    labels = [col(DeviceRecord.labels)[name].as_string() for name in ("lat", "lon", "site")]
    statement = select(col(DeviceRecord.id), *labels, col(DeviceLast.presence), device_filters.needs_attention()).join(
        DeviceLast, col(DeviceLast.device) == col(DeviceRecord.id)
    )
    return group_by_site(
        DevicePosition(lat or "", lon or "", site or "", presence == "online", bool(attention), name in updating)
        for name, lat, lon, site, presence, attention in connection.execute(statement)
        if among is None or name in among
    )
