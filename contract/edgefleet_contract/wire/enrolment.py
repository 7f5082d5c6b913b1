"""How a device gets its name: enrolment over HTTP with a one-time token, renewal over the line that it is known by."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DeviceId, LabelKey, LabelValue

Pem = Annotated[str, Meta(min_length=1, max_length=16 * 1024)]
Metadata = Annotated[str, Meta(max_length=512_000)]


class EnrolRequest(Wire):
    """`request`: a PKCS #10 certificate request whose common name is the device id."""

    token: Annotated[str, Meta(min_length=1, max_length=128)]
    device: DeviceId
    request: Pem


class EnrolResponse(Wire):
    """Everything a device needs to speak to its server and to judge what it says."""

    device: DeviceId
    certificate: Pem
    authority: Pem
    broker_url: str
    trust_root: Metadata
    issued_at: float
    expires_at: float
    labels: dict[LabelKey, LabelValue] = msgspec.field(default_factory=dict)


class RenewRequest(Wire):
    """A device asks for a certificate for a new key. Who asks is known by the topic, which the broker has pinned."""

    request: Pem


class Certificate(Wire):
    """The answer to `Renew`. Times are wall time, seconds."""

    certificate: Pem
    issued_at: float
    expires_at: float
