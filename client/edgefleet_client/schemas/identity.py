"""Types of the operations about identity.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import TypedDict

from edgefleet_client.not_required import NotRequired


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

    ca_sha256: NotRequired[str]
    command: NotRequired[str]
    created_at: float
    device: str
    expires_at: float
    id: str
    labels: dict[str, str]
    revoked_at: float | None
    token: str
    url: NotRequired[str]
    used_at: float | None
    used_by: str
    warning: NotRequired[str]


class TokenList(TypedDict):
    """Fields of TokenList."""

    items: list[TokenRow]


class TokenRequest(TypedDict):
    """`device` empty: the first device that presents the token. `labels` are set on that device."""

    device: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    life_s: NotRequired[float]


class TokenRow(TypedDict):
    """A token, without its secret."""

    created_at: float
    device: str
    expires_at: float
    id: str
    labels: dict[str, str]
    revoked_at: float | None
    used_at: float | None
    used_by: str
