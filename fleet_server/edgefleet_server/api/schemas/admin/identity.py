"""Bodies of the REST API v1 about device identities."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_server.api.schemas.fields import LabelKey, LabelValue, StrictModel

Pem = Annotated[str, Field(min_length=1, max_length=16 * 1024)]
Labels = Annotated[dict[LabelKey, LabelValue], Field(max_length=64)]


class TokenRequest(StrictModel):
    """`device` empty: the first device that presents the token. `labels` are set on that device."""

    device: Annotated[str, Field(pattern=DEVICE_PATTERN + "|^$")] = ""
    labels: Labels = Field(default_factory=dict)
    life_s: Annotated[float, Field(gt=0, le=366 * 86_400.0)] = 3600.0


class TokenRow(BaseModel):
    """A token, without its secret."""

    id: str
    device: str
    labels: dict[str, str]
    created_at: float
    expires_at: float
    used_at: float | None
    used_by: str
    revoked_at: float | None


class NewToken(TokenRow):
    """A token with its secret, which is returned only once. `command`: the command line for the device; `url`, `ca_sha256`: its
    parts: the address of this server for devices, and the SHA-256 fingerprint of the server's own certificate authority (DER,
    hex), empty if its HTTPS certificate is of another authority. `warning`: the reason why devices on other machines cannot use
    it, and what to do; empty = they can."""

    token: str
    url: str = ""
    ca_sha256: str = ""
    command: str = ""
    warning: str = ""


class TokenList(BaseModel):
    items: list[TokenRow]


class Enrol(StrictModel):
    """`request`: a PKCS #10 certificate request (PEM) whose common name is the device id."""

    token: Annotated[str, Field(min_length=1, max_length=128)]
    device: Annotated[str, Field(pattern=DEVICE_PATTERN)]
    request: Pem


class Enrolled(BaseModel):
    """The device's certificate, the authority that signed the broker's, and the root of trust for signatures."""

    device: str
    certificate: str
    authority: str
    broker_url: str
    trust_root: str
    issued_at: float
    expires_at: float
    labels: dict[str, str] = Field(default_factory=dict)


class BlockRequest(StrictModel):
    reason: Annotated[str, Field(max_length=500)] = ""


class DeviceCertificate(BaseModel):
    serial: str
    issued_at: float
    expires_at: float
    revoked_at: float | None


class BlockedDevice(BaseModel):
    blocked_at: float
    reason: str


class DeviceIdentityStatus(BaseModel):
    """The lock and the certificate of a device. No certificate: it was never enrolled here."""

    device: str
    blocked: BlockedDevice | None
    certificate: DeviceCertificate | None
