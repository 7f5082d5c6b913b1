"""The right of one device to fetch one blob over HTTPS, for a while; asked for and given over the line that it is known by."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import Digest

PASS_SCHEME = "Edgefleet-Pass"  # noqa: S105 (a name)
"""Of the `Authorization` header that shows a pass."""
PASS_PATH = "/api/v1/device-blobs"  # noqa: S105 (a place)
"""Where a fleet server has blobs for whoever shows a pass for them."""

Token = Annotated[str, Meta(min_length=1, max_length=512)]


class DownloadTicketRequest(Wire):
    """A device asks for a pass. Who asks is known by the topic, which the broker has pinned."""

    blob: Digest


class DownloadTicket(Wire):
    """The answer. `life_s`: how long it counts from now on; not a date, because a device's clock may be wrong."""

    blob: Digest
    token: Token
    life_s: Annotated[float, Meta(gt=0.0, le=86400.0)]
