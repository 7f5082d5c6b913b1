"""Bodies of the REST API v1 about device identities."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_server.api.schemas.fields import LabelKey, LabelValue, StrictModel
from edgefleet_server.db.devices.enrolment_requests import REQUESTS_MAX
from edgefleet_server.db.devices.identities import TOKENS_MAX

Pem = Annotated[str, Field(min_length=1, max_length=16 * 1024)]
Labels = Annotated[dict[LabelKey, LabelValue], Field(max_length=64)]


class TokenRequest(StrictModel):
    """`device` empty: the first `devices_max` devices that present the token. `labels` are set on each of them. `approval`: a
    device gets its certificate when a user has approved it."""

    device: Annotated[str, Field(pattern=DEVICE_PATTERN + "|^$")] = ""
    labels: Labels = Field(default_factory=dict)
    life_s: Annotated[float, Field(gt=0, le=366 * 86_400.0)] = 3600.0
    devices_max: Annotated[int, Field(ge=1, le=100_000)] = 1
    approval: bool = False


class TokenRow(BaseModel):
    """A token, without its secret. `uses`: devices that it has enrolled, of at most `devices_max`; `used_at`, `used_by`: the last
    one. `waiting`: devices that wait for approval."""

    id: str
    device: str
    labels: dict[str, str]
    created_at: float
    expires_at: float
    used_at: float | None
    used_by: str
    revoked_at: float | None
    devices_max: int = 1
    uses: int = 0
    approval: bool = False
    waiting: int = 0


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
    items: Annotated[list[TokenRow], Field(max_length=TOKENS_MAX)]


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


class EnrolmentWaiting(BaseModel):
    """The device waits for approval, and asks again with the same key after `retry_s` seconds. `key_sha256`: SHA-256 of its
    public key (DER, hex)."""

    key_sha256: str
    retry_s: float


class EnrolmentRequest(BaseModel):
    """A device that asks to be enrolled. `token`: the id of the token that it has presented; `key_sha256`: SHA-256 of its public
    key (DER, hex), which it shows as well. `last_requested_at`: it asks until it is approved or denied."""

    device: str
    token: str
    key_sha256: str
    state: Literal["waiting", "approved", "denied"]
    requested_at: float
    last_requested_at: float
    decided_at: float | None
    decided_by: str


class EnrolmentRequestList(BaseModel):
    items: Annotated[list[EnrolmentRequest], Field(max_length=REQUESTS_MAX)]


class AskingDevice(StrictModel):
    """`key_sha256`: the key that the decision is about; empty: whichever device asks under this name."""

    device: Annotated[str, Field(pattern=DEVICE_PATTERN)]
    key_sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""


class EnrolmentDecision(StrictModel):
    """Approve or deny the enrolment of devices. A decision can be changed until the device has its certificate."""

    approve: bool
    devices: Annotated[list[AskingDevice], Field(min_length=1, max_length=1_000)]


class EnrolmentDecisionResult(BaseModel):
    """`refused`: by device, why its request could not be decided."""

    done: int
    refused: dict[str, str]


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
