"""Bodies of the REST API v1 about the server: settings and certificates. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_server.api.schemas.fields import StrictModel
from edgefleet_server.domain.policy.runtime_settings import TEXT_MAX, Kind, Unit


class SettingEdit(BaseModel):
    """How a setting is changed while the server runs. `low`, `high`: of a number. `zero`: the meaning of 0, where it has a
    special one. `pinned`: set by an option at the start of the server, so that it is read-only here. `usual`: the default.
    `changed_at` is null if unchanged. A `secret` is written, not read; labels are `key=value, key=value`."""

    kind: Kind
    low: float
    high: float
    choices: list[str]
    zero: str
    usual: str | float
    pinned: bool
    changed_at: float | None
    changed_by: str


class SettingView(BaseModel):
    """One value that the server runs with, as text or as a number of `unit`. `change`: what gives it when the server is started;
    empty = nothing does. `edit` is null where it cannot be changed while the server runs."""

    name: str
    title: str
    value: str | float | bool
    unit: Unit
    change: str
    edit: SettingEdit | None


class SettingsChange(StrictModel):
    """New values by the names of settings; null = back to what the server was started with."""

    values: Annotated[dict[str, float | Annotated[str, Field(max_length=TEXT_MAX)] | None], Field(min_length=1, max_length=50)]


class SettingGroup(BaseModel):
    name: str
    title: str
    items: list[SettingView]


class SettingList(BaseModel):
    """By subject."""

    groups: list[SettingGroup]


class AuthorityState(BaseModel):
    """The certificate that devices' and the broker's are signed by. `fingerprint`: SHA-256, hexadecimal."""

    subject: str
    fingerprint: str
    issued_at: float
    expires_at: float
    device_days: float


class IssuedRow(BaseModel):
    """The newest certificate of a device that counts."""

    device: str
    serial: str
    issued_at: float
    expires_at: float
    online: bool


class CertificateReport(BaseModel):
    """`items`: those that end first, 50 at most. Devices renew by themselves when a third of the time is left: one that ends
    soon belongs to a device that was away. `due`: in their last third; `revoked`: do not count although their time is not over;
    `blocked`: blocked devices."""

    authority: AuthorityState
    items: list[IssuedRow]
    total: int
    due: int
    revoked: int
    blocked: int
