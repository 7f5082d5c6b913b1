"""Evidence upload from a device to its server: snapshots, clips and pictures, in blocks, resumable.

    device → server   up/upload              Upload: announces a file (repeated until answered)
    server → device   down/upload            UploadState: `blocks` received; send at most `window` beyond them
    device → server   up/upload/DIGEST/N     block N, raw
    server → device   down/upload            UploadState(stored=True): verified and on the disk
    server → device   down/upload            UploadState(waits=…): no space at present; the device offers it again later

The server responds every few blocks and whenever a block is out of sequence. A device drops a file only when it is stored, or
refused by the server.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import DIGEST_PATTERN, DeviceId, Digest, Text
from edgefleet_contract.wire.messages import Count

BLOCK_BYTES = 64 * 1024
"""Length of every block of an upload except the last: small, because on slow uplinks a block must not delay events."""
FILE_BYTES_MAX = 256 * 1024 * 1024
WINDOW = 4
EVENT_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,159}$"
_BLOCK = re.compile(r"^upload/(?P<digest>[0-9a-f]{64})/(?P<number>[0-9]{1,6})$")

Kind = Literal["snapshot", "clip"]
"""Evidence of an event."""
UploadKind = Literal["snapshot", "clip", "picture", "support"]
"""`picture`: of a pipeline, on request; `support`: a support bundle. Their `event` is the id of the command."""
SUPPORT_BYTES_MAX = 8 * 1024 * 1024
"""Limit of a support bundle."""


class Upload(Wire):
    """A file that belongs to an event of this device, or to a command to it."""

    device: DeviceId
    event: Annotated[str, Meta(pattern=EVENT_PATTERN)]
    kind: UploadKind
    digest: Digest
    length: Annotated[int, Meta(ge=1, le=FILE_BYTES_MAX)]


class UploadState(Wire):
    """Progress. blocks: received by the server, from the first on. refused: reason for the refusal; empty: not refused. waits:
    reason why the server takes no files at present; the device keeps the file and offers it again later."""

    digest: Digest
    blocks: Count = 0
    window: Annotated[int, Meta(ge=1, le=64)] = WINDOW
    stored: bool = False
    refused: Text = ""
    waits: Text = ""


def parse_block(rest: str) -> tuple[str, int] | None:
    """Digest and number in the part of a block's topic after `up/`; None for another topic."""
    match = _BLOCK.match(rest)
    if match is None or re.match(DIGEST_PATTERN, match["digest"]) is None:
        return None
    return match["digest"], int(match["number"])
