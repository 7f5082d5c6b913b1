"""Types of the operations about identity.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from edgefleet_client.not_required import NotRequired


class AskingDevice(TypedDict):
    """`key_sha256`: the key that the decision is about; empty: whichever device asks under this name."""

    device: str
    key_sha256: NotRequired[str]


class AuthorityFacts(TypedDict):
    """The certificate of an authority. `fingerprint`: SHA-256, hexadecimal."""

    expires_at: float
    fingerprint: str
    issued_at: float
    subject: str


class AuthorityState(TypedDict):
    """The authority's certificate, which signs those of the devices and the broker. `fingerprint`: SHA-256, hexadecimal."""

    device_days: float
    expires_at: float
    fingerprint: str
    issued_at: float
    subject: str


class BlockRequest(TypedDict):
    """Fields of BlockRequest."""

    reason: NotRequired[str]


class BlockedDevice(TypedDict):
    """Fields of BlockedDevice."""

    blocked_at: float
    reason: str


class CertificateReport(TypedDict):
    """`items`: the certificates that expire first, at most 50. Devices renew automatically when a third of the validity is
    left: a certificate that expires soon belongs to a device that was offline. `due`: number in the last third of their
    validity; `revoked`: number revoked before their expiry; `blocked`: number of blocked devices."""

    authority: AuthorityState
    blocked: int
    due: int
    items: list[IssuedRow]
    revoked: int
    total: int


class DeviceCertificate(TypedDict):
    """Fields of DeviceCertificate."""

    expires_at: float
    issued_at: float
    revoked_at: float | None
    serial: str


class DeviceIdentityStatus(TypedDict):
    """The lock and the certificate of a device. No certificate: it was never enrolled here."""

    blocked: BlockedDevice | None
    certificate: DeviceCertificate | None
    device: str


class Enrol(TypedDict):
    """`request`: a PKCS #10 certificate request (PEM) whose common name is the device id."""

    device: str
    request: str
    token: str


class Enrolled(TypedDict):
    """The device's certificate, the authority that signed the broker's, and the root of trust for signatures."""

    authority: str
    broker_url: str
    certificate: str
    device: str
    expires_at: float
    issued_at: float
    labels: NotRequired[dict[str, str]]
    trust_root: str


class EnrolmentDecision(TypedDict):
    """Approve or deny the enrolment of devices. A decision can be changed until the device has its certificate."""

    approve: bool
    devices: list[AskingDevice]


class EnrolmentDecisionResult(TypedDict):
    """`refused`: by device, why its request could not be decided."""

    done: int
    refused: dict[str, str]


class EnrolmentRequest(TypedDict):
    """A device that asks to be enrolled. `token`: the id of the token that it has presented; `key_sha256`: SHA-256 of its
    public key (DER, hex), which it shows as well. `last_requested_at`: it asks until it is approved or denied."""

    decided_at: float | None
    decided_by: str
    device: str
    key_sha256: str
    last_requested_at: float
    requested_at: float
    state: Literal["waiting", "approved", "denied"]
    token: str


class EnrolmentRequestList(TypedDict):
    """Fields of EnrolmentRequestList."""

    items: list[EnrolmentRequest]


class EnrolmentWaiting(TypedDict):
    """The device waits for approval, and asks again with the same key after `retry_s` seconds. `key_sha256`: SHA-256 of its
    public key (DER, hex)."""

    key_sha256: str
    retry_s: float


class HolderRow(TypedDict):
    """A device that has not renewed. `last_seen_at`: 0 = never."""

    device: str
    last_seen_at: float
    online: bool


class IssuedRow(TypedDict):
    """The newest valid certificate of a device."""

    device: str
    expires_at: float
    issued_at: float
    online: bool
    serial: str


class NewToken(TypedDict):
    """A token with its secret, which is returned only once. `command`: the command line for the device; `url`, `ca_sha256`:
    its parts: the address of this server for devices, and the SHA-256 fingerprint of the server's own certificate
    authority (DER, hex), empty if its HTTPS certificate is of another authority. `warning`: the reason why devices on
    other machines cannot use it, and what to do; empty = they can."""

    approval: NotRequired[bool]
    ca_sha256: NotRequired[str]
    command: NotRequired[str]
    created_at: float
    device: str
    devices_max: NotRequired[int]
    expires_at: float
    id: str
    labels: dict[str, str]
    revoked_at: float | None
    token: str
    url: NotRequired[str]
    used_at: float | None
    used_by: str
    uses: NotRequired[int]
    waiting: NotRequired[int]
    warning: NotRequired[str]


class RotationEnd(TypedDict):
    """`leave`: the number of devices that were online within `online_days` and have not renewed, if they are to be left
    behind: they have to be enrolled again."""

    leave: NotRequired[int]
    online_days: NotRequired[float]


class RotationReport(TypedDict):
    """The rotation of the server's authority; `rotating_since` null: none is going on. `authorities`: those in use, the
    newest last. `renewed`: devices that have reported that they trust the newest; `missing`: the others, `missing_online`
    of which were online within the days asked for; `items`: the missing ones, those seen last first, at most 1000.
    `open_tokens`: tokens from before the rotation, whose fingerprint is that of the old authority: they end with it,
    where HTTPS has its certificate."""

    authorities: list[AuthorityFacts]
    devices: int
    items: list[HolderRow]
    missing: int
    missing_online: int
    open_tokens: int
    renewed: int
    rotating_since: float | None


class TokenList(TypedDict):
    """Fields of TokenList."""

    items: list[TokenRow]


class TokenRequest(TypedDict):
    """`device` empty: the first `devices_max` devices that present the token. `labels` are set on each of them. `approval`:
    a device gets its certificate when a user has approved it."""

    approval: NotRequired[bool]
    device: NotRequired[str]
    devices_max: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    life_s: NotRequired[float]


class TokenRow(TypedDict):
    """A token, without its secret. `uses`: devices that it has enrolled, of at most `devices_max`; `used_at`, `used_by`: the
    last one. `waiting`: devices that wait for approval."""

    approval: NotRequired[bool]
    created_at: float
    device: str
    devices_max: NotRequired[int]
    expires_at: float
    id: str
    labels: dict[str, str]
    revoked_at: float | None
    used_at: float | None
    used_by: str
    uses: NotRequired[int]
    waiting: NotRequired[int]
