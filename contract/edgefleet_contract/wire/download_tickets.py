"""Download tickets: authorize one device to fetch one blob over HTTPS for a limited time. Requested and issued over MQTT."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import Digest

TICKET_SCHEME = "Edgefleet-Ticket"
"""Scheme of the `Authorization` header that carries a ticket."""
TICKET_PATH = "/api/v1/device-blobs"
"""Path on the fleet server that serves blobs to devices with a ticket."""

Token = Annotated[str, Meta(min_length=1, max_length=512)]


class DownloadTicketRequest(Wire):
    """Sent by a device that needs a ticket. The topic, which the broker enforces, identifies the device."""

    blob: Digest


class DownloadTicket(Wire):
    """The response. `life_s`: lifetime from receipt; a duration and not a date, because a device's clock may be wrong."""

    blob: Digest
    token: Token
    life_s: Annotated[float, Meta(gt=0.0, le=86400.0)]
