"""Bodies of the REST API v1 about the whole fleet: sites, shares of versions, field report of a version.
Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.admin.health import ServerInfo
from edgefleet_server.api.schemas.fields import IDS_MAX, PLACES_MAX, PROFILES_MAX


class DeviceIds(BaseModel):
    """Ids of all devices of a list, on all its pages."""

    items: Annotated[list[str], Field(max_length=IDS_MAX)]


class SiteSummary(BaseModel):
    """Devices at one position. `labels` select them in `list_devices`; a site without any position is not listed."""

    name: str
    labels: dict[str, str]
    lat: float
    lon: float
    devices: int
    offline: int
    attention: int
    updating: int


class SiteList(BaseModel):
    """The site with the most devices first. `unlocated`: number of devices without a position."""

    items: Annotated[list[SiteSummary], Field(max_length=PLACES_MAX)]
    unlocated: int


class VersionCount(BaseModel):
    slot: str
    package: str
    version: str
    count: int


class VersionCounts(BaseModel):
    at: float
    shares: list[VersionCount]


class VersionHistory(BaseModel):
    """Number of devices by version, oldest first. Every five minutes, for older days every hour."""

    items: list[VersionCounts]


class FieldRow(BaseModel):
    """Devices of one profile that run the version now. Figures are the latest of the connected ones (`measured`), null if there
    are none; the figures of a device cover all its pipelines."""

    profile: str
    devices: int
    online: int
    measured: int
    fps_mean: float | None
    latency_p95_median_ms: float | None
    latency_p95_worst_ms: float | None
    dropped_per_s_mean: float | None
    temperature_mean_c: float | None


class FieldReport(BaseModel):
    """By profile, those with the most devices first."""

    items: Annotated[list[FieldRow], Field(max_length=PROFILES_MAX)]


class VersionShare(BaseModel):
    """Number of devices that run this package in this slot."""

    slot: str
    package: str
    version: str
    digest: str
    count: int


class Overview(BaseModel):
    """Counts for the whole fleet. A device may count as online, updating and in need of attention at the same time. `on_target`:
    devices that run the assigned package in every slot with an assignment. `degraded`: connected devices whose latest sample has
    warnings (a stalled camera, few processed frames, high temperature, a full disk)."""

    devices_total: int
    online: int
    offline: int
    updating: int
    attention: int
    degraded: int
    on_target: int
    flapping: int
    versions: list[VersionShare]
    rollouts_active: int
    alerts_open: int
    events_24h: int
    telemetry_per_s: float
    server: ServerInfo
