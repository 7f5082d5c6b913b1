"""Bodies of the REST API v1 about the whole fleet: sites, shares of versions, field report of a version.
Conventions as in `schemas`."""

from __future__ import annotations

from pydantic import BaseModel


class DeviceIds(BaseModel):
    """Ids of every device that a list shows, on all its pages."""

    items: list[str]


class SiteSummary(BaseModel):
    """Devices at one spot. `labels` choose them in `list_devices`; a site without any position is in no place."""

    name: str
    labels: dict[str, str]
    lat: float
    lon: float
    devices: int
    offline: int
    attention: int
    updating: int


class SiteList(BaseModel):
    """The fullest place first. `unlocated`: devices that no label places."""

    items: list[SiteSummary]
    unlocated: int


class ShareThen(BaseModel):
    slot: str
    package: str
    version: str
    count: int


class SharesThen(BaseModel):
    at: float
    shares: list[ShareThen]


class ShareSeries(BaseModel):
    """Oldest first: how many devices ran which version. Every five minutes, of older days every hour."""

    items: list[SharesThen]


class FieldRow(BaseModel):
    """Devices of one profile that run the version now. Figures are the latest of those connected (`measured`), null where there
    are none; a device's figures are of all its pipelines together."""

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
    """By profile, the most devices first."""

    items: list[FieldRow]
