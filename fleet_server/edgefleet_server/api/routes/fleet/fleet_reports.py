"""Reports of the fleet: sites, shares of versions over time, field report of a version."""

from __future__ import annotations

import time
from typing import Annotated, Final

from fastapi import APIRouter, Query

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep
from edgefleet_server.api.schemas.fields import PLACES_MAX, TimeAt
from edgefleet_server.api.schemas.fleet import overview as schemas
from edgefleet_server.db.devices import sites
from edgefleet_server.db.telemetry import version_shares

DAY_S: Final = 86_400.0

router = APIRouter(tags=["fleet"])


@router.get("/sites", operation_id="list_sites")
def list_sites(context: ContextDep, scope: DeviceScopeDep) -> schemas.SiteList:
    """Sites of the fleet with their devices, by the labels `lat` and `lon`, or `site`."""
    with context.database.read() as connection:
        found, nowhere = sites.list_sites(connection, scope.ids)
    nowhere += sum(place.devices for place in found[PLACES_MAX:])
    items = [schemas.SiteSummary.model_validate(place, from_attributes=True) for place in found[:PLACES_MAX]]
    return schemas.SiteList(items=items, unlocated=nowhere)


@router.get("/version-shares", operation_id="list_version_shares")
def list_version_shares(
    context: ContextDep,
    since_at: TimeAt | None = None,
    until_at: TimeAt | None = None,
    points_max: Annotated[int, Query(ge=2, le=1000)] = 200,
) -> schemas.VersionHistory:
    """Number of devices by version over time (default: the last seven days)."""
    until = time.time() if until_at is None else until_at
    since = until - 7 * DAY_S if since_at is None else since_at
    with context.database.read() as connection:
        found = version_shares.series(connection, since, until, points_max)
    items = [schemas.VersionCounts.model_validate({"at": at, "shares": shares_then}) for at, shares_then in found]
    return schemas.VersionHistory(items=items)
