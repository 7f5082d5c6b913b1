"""Tables of device identities: enrolment tokens, certificates, blocked and restricted devices."""

from __future__ import annotations

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class EnrolmentToken(SQLModel, table=True):
    """A token with which one device can enrol once. Only the SHA-256 of the secret is stored. `device` empty: the first device
    that presents it."""

    __tablename__ = "enrolment_token"

    id: str = Field(primary_key=True)
    secret_sha256: str = Field(unique=True)
    device: str = ""
    labels: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    created_at: float
    expires_at: float
    used_at: float | None = None
    used_by: str = ""
    revoked_at: float | None = None


class DeviceCertificate(SQLModel, table=True):
    """A certificate that the authority issued. Times are wall time, seconds."""

    __tablename__ = "device_certificate"

    serial: str = Field(primary_key=True)
    device: str = Field(index=True)
    issued_at: float
    expires_at: float
    revoked_at: float | None = Field(default=None, index=True)


class BlockedDevice(SQLModel, table=True):
    """A device that is refused until it is unblocked: stolen, or not to be trusted."""

    __tablename__ = "blocked_device"

    device: str = Field(primary_key=True)
    blocked_at: float
    reason: str = ""


class RestrictedDevice(SQLModel, table=True):
    """A device that is throttled or disconnected for a time because of what it sends (`domain.policy.device_conduct`)."""

    __tablename__ = "restricted_device"

    device: str = Field(primary_key=True)
    state: str
    offence: str
    since_at: float
    until_at: float
    times: int
