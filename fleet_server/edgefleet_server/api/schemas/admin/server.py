"""Bodies of the REST API v1 about the server: settings and certificates. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import CERTIFICATES_MAX, StrictModel
from edgefleet_server.domain.policy.runtime_settings import TEXT_MAX, Kind, Unit


class SettingEdit(BaseModel):
    """The data for changing a setting at runtime. `low`, `high`: bounds of a number. `zero`: the meaning of 0, if it has a
    special one. `pinned`: set by an option at the start of the server, so that it is read-only here. `default`: its value
    without a change. `changed_at` is null if unchanged. A `secret` is written, not read; labels are `key=value, key=value`."""

    kind: Kind
    low: float
    high: float
    choices: list[str]
    zero: str
    default: str | float
    pinned: bool
    changed_at: float | None
    changed_by: str


class SettingView(BaseModel):
    """One effective setting, as text or as a number in `unit`. `change`: the option that sets it at the start of the server;
    empty = none. `edit` is null if the setting cannot be changed at runtime."""

    name: str
    title: str
    value: str | float | bool
    unit: Unit
    change: str
    edit: SettingEdit | None


class SettingsChange(StrictModel):
    """New values by the names of settings; null = restore the value from the server's start."""

    values: Annotated[dict[str, float | Annotated[str, Field(max_length=TEXT_MAX)] | None], Field(min_length=1, max_length=50)]


class SettingGroup(BaseModel):
    name: str
    title: str
    items: list[SettingView]


class SettingList(BaseModel):
    """By subject."""

    groups: list[SettingGroup]


class AuthorityState(BaseModel):
    """The authority's certificate, which signs those of the devices and the broker. `fingerprint`: SHA-256, hexadecimal."""

    subject: str
    fingerprint: str
    issued_at: float
    expires_at: float
    device_days: float


class AuthorityFacts(BaseModel):
    """The certificate of an authority. `fingerprint`: SHA-256, hexadecimal."""

    subject: str
    fingerprint: str
    issued_at: float
    expires_at: float


class HolderRow(BaseModel):
    """A device that has not renewed. `last_seen_at`: 0 = never."""

    device: str
    last_seen_at: float
    online: bool


class RotationReport(BaseModel):
    """The rotation of the server's authority; `rotating_since` null: none is going on. `authorities`: those in use, the newest
    last. `renewed`: devices that have reported that they trust the newest; `missing`: the others, `missing_online` of which were
    online within the days asked for; `items`: the missing ones, those seen last first, at most 1000. `open_tokens`: tokens from
    before the rotation, whose fingerprint is that of the old authority: they end with it, where HTTPS has its certificate."""

    rotating_since: float | None
    authorities: Annotated[list[AuthorityFacts], Field(max_length=4)]
    devices: int
    renewed: int
    missing: int
    missing_online: int
    open_tokens: int
    items: Annotated[list[HolderRow], Field(max_length=1000)]


class RotationEnd(StrictModel):
    """`leave`: the number of devices that were online within `online_days` and have not renewed, if they are to be left behind:
    they have to be enrolled again."""

    online_days: Annotated[float, Field(ge=0.0, le=3650.0)] = 30.0
    leave: Annotated[int, Field(ge=0)] = 0


class IssuedRow(BaseModel):
    """The newest valid certificate of a device."""

    device: str
    serial: str
    issued_at: float
    expires_at: float
    online: bool


class CertificateReport(BaseModel):
    """`items`: the certificates that expire first, at most 50. Devices renew automatically when a third of the validity is
    left: a certificate that expires soon belongs to a device that was offline. `due`: number in the last third of their
    validity; `revoked`: number revoked before their expiry; `blocked`: number of blocked devices."""

    authority: AuthorityState
    items: Annotated[list[IssuedRow], Field(max_length=CERTIFICATES_MAX)]
    total: int
    due: int
    revoked: int
    blocked: int
