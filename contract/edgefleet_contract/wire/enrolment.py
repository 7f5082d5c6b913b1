"""Enrolment of a device over HTTP with a token, and renewal of its certificate over MQTT."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DeviceId, LabelKey, LabelValue

Pem = Annotated[str, Meta(min_length=1, max_length=16 * 1024)]
PemBundle = Annotated[str, Meta(max_length=64 * 1024)]
"""Several certificates, or none."""
Fingerprint = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a certificate (DER)."""
AUTHORITIES_MAX = 4
Fingerprints = Annotated[list[Fingerprint], Meta(max_length=AUTHORITIES_MAX)]
Metadata = Annotated[str, Meta(max_length=512_000)]


class EnrolRequest(Wire):
    """A device's request with its token. `request`: a PKCS #10 certificate request whose common name is the device id."""

    token: Annotated[str, Meta(min_length=1, max_length=128)]
    device: DeviceId
    request: Pem


class EnrolResponse(Wire):
    """Certificate, addresses and trust root with which a device connects to its server and verifies the server's metadata."""

    device: DeviceId
    certificate: Pem
    authority: Pem
    broker_url: str
    trust_root: Metadata
    issued_at: float
    expires_at: float
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)


class EnrolWaiting(Wire):
    """The response (202) before a user has approved the device, which asks again with the same key. key_sha256: of its public key
    (DER), which the device shows and the server lists. retry_s: seconds until it asks again."""

    key_sha256: str
    retry_s: Annotated[float, Meta(ge=0.0, le=86400.0)] = 15.0


class RenewRequest(Wire):
    """A device's request for a certificate of a new key. The topic, which the broker enforces, identifies the device."""

    request: Pem


class Certificate(Wire):
    """The response to `RenewRequest`. Times are wall time, seconds. `authorities`: the certificates of the server's own
    authorities, which a device keeps with the certificate; empty: those that it has stay. `broker_authority`: by these it
    verifies the broker from then on."""

    certificate: Pem
    issued_at: float
    expires_at: float
    authorities: PemBundle = ""
    broker_authority: PemBundle = ""


class AuthorityOffer(Wire):
    """The server's own authorities that are in use: one, or two during a rotation. A device that has others asks for a new
    certificate at a random time within `spread_s`."""

    authorities: Fingerprints
    spread_s: Annotated[float, Meta(ge=0.0, le=86400.0)] = 0.0
