"""Tables of device identities: enrolment tokens and requests, certificates, blocked and restricted devices."""

from __future__ import annotations

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel


class EnrolmentToken(SQLModel, table=True):
    """A token with which `devices_max` devices can enrol, each once; `uses` have. Only the SHA-256 of the secret is stored.
    `device` empty: the first devices that present it. `approval`: a user approves each one. `used_at`, `used_by`: the
    last use."""

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
    devices_max: int = 1
    uses: int = 0
    approval: bool = False


class EnrolmentRequest(SQLModel, table=True):
    """A device that has presented a token with `approval`. `key_sha256`: of its public key (DER), which the decision is about.
    `state`: waiting, approved or denied; the row ends with its enrolment, or with the token."""

    __tablename__ = "enrolment_request"

    device: str = Field(primary_key=True)
    token: str = Field(index=True)
    key_sha256: str
    state: str
    requested_at: float
    last_requested_at: float
    decided_at: float | None = None
    decided_by: str = ""


class EnrolledLabels(SQLModel, table=True):
    """The labels of the tokens with which a device enrolled, those of later ones above; `at`: wall time of the last."""

    __tablename__ = "enrolled_labels"

    device: str = Field(primary_key=True)
    labels: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    at: float


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
