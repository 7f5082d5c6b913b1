"""Bodies of the REST API v1 about the server itself: what it runs with, and its certificates. Conventions as in `schemas`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Unit = Literal["", "s", "bytes", "bytes_per_s", "per_minute", "rows", "days", "percent", "frames"]


class Setting(BaseModel):
    """One value that the server runs with, as text or as a number of `unit`. `change`: how a person changes it; empty = it is
    part of the product."""

    name: str
    title: str
    value: str | float | bool
    unit: Unit
    change: str


class SettingGroup(BaseModel):
    name: str
    title: str
    items: list[Setting]


class SettingList(BaseModel):
    """All of it was given when the server was started; a change counts from its next start."""

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
    `locked`: devices locked out."""

    authority: AuthorityState
    items: list[IssuedRow]
    total: int
    due: int
    revoked: int
    locked: int
