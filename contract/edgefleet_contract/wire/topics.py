"""MQTT topic of each message. `ROOT` has the protocol's major version; docs/protocol.md lists QoS and retain."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.names import DEVICE_PATTERN, DIGEST_PATTERN

ROOT = "edgefleet/v1"

ALL_UP = f"{ROOT}/d/+/up/#"
"""The server's subscription: everything that devices publish."""

UP_KINDS = (
    "presence", "reported", "telemetry", "events", "reply", "renew", "blocks", "ticket", "upload", "upload/+/+",
)  # fmt: skip
"""Everything below `up/` that a device publishes; the last is a block of an upload."""

RETAINED_UP_KINDS = frozenset(("presence", "reported"))
"""Those that it publishes retained."""

_UP = re.compile(rf"^{ROOT}/d/(?P<device>[^/]+)/up/(?P<rest>.+)$")
_CACHED: Final = 32_768
"""Topics of 30,000 devices that report: with fewer, each of a larger fleet would be parsed for every message."""
_SEALED = re.compile(rf"^{ROOT}/b/s/(?P<channel>[0-9a-f]{{32,64}})/(?P<index>[0-9]{{1,9}})$")
_BLOCK = re.compile(rf"^{ROOT}/(?:d/[^/]+/down/block|b)/(?P<blob>[0-9a-f]{{64}})/(?P<index>[0-9]{{1,9}})$")


def presence(device: str) -> str:
    return f"{ROOT}/d/{device}/up/presence"


def reported(device: str) -> str:
    return f"{ROOT}/d/{device}/up/reported"


def telemetry(device: str) -> str:
    return f"{ROOT}/d/{device}/up/telemetry"


def events(device: str) -> str:
    return f"{ROOT}/d/{device}/up/events"


def reply(device: str) -> str:
    return f"{ROOT}/d/{device}/up/reply"


def block_request(device: str) -> str:
    return f"{ROOT}/d/{device}/up/blocks"


def renew(device: str) -> str:
    return f"{ROOT}/d/{device}/up/renew"


def certificate(device: str) -> str:
    return f"{ROOT}/d/{device}/down/certificate"


def ticket_request(device: str) -> str:
    return f"{ROOT}/d/{device}/up/ticket"


def ticket(device: str) -> str:
    return f"{ROOT}/d/{device}/down/ticket"


def upload(device: str) -> str:
    return f"{ROOT}/d/{device}/up/upload"


def upload_block(device: str, digest: str, number: int) -> str:
    return f"{ROOT}/d/{device}/up/upload/{digest}/{number}"


def upload_state(device: str) -> str:
    return f"{ROOT}/d/{device}/down/upload"


def desired(device: str) -> str:
    return f"{ROOT}/d/{device}/down/desired"


def ack(device: str) -> str:
    return f"{ROOT}/d/{device}/down/ack"


def command(device: str) -> str:
    return f"{ROOT}/d/{device}/down/cmd"


def block(device: str, blob: str, index: int) -> str:
    return f"{ROOT}/d/{device}/down/block/{blob}/{index}"


def block_refusal(device: str) -> str:
    return f"{ROOT}/d/{device}/down/refusal"


def broadcast_block(blob: str, index: int) -> str:
    return f"{ROOT}/b/{blob}/{index}"


def all_broadcast_blocks(blob: str) -> str:
    """A device's subscription while many blocks of `blob` are missing."""
    return f"{ROOT}/b/{blob}/+"


def sealed_block(channel: str, index: int) -> str:
    """Topic of a block that only devices with the key of the channel can read (`sealed_block`)."""
    return f"{ROOT}/b/s/{channel}/{index}"


def all_sealed_blocks(channel: str) -> str:
    """A device's subscription while many blocks of the channel's blob are missing."""
    return f"{ROOT}/b/s/{channel}/+"


def trust() -> str:
    """Topic of the fleet's signed metadata: the same for all devices, retained."""
    return f"{ROOT}/b/trust"


def authorities() -> str:
    """Topic of the certificate authorities in use: the same for all devices, retained."""
    return f"{ROOT}/b/authorities"


def all_down(device: str) -> str:
    """A device's subscription."""
    return f"{ROOT}/d/{device}/down/#"


@dataclass(frozen=True, slots=True)
class UpTopic:
    """Sender and kind (`presence`, `reported`, `telemetry`, `events`, `reply`, `blocks`) of a message."""

    device: str
    kind: str


@functools.lru_cache(maxsize=_CACHED)
def parse_up(topic: str) -> UpTopic:
    """Read a topic under `ALL_UP`.

    Raises:
        MessageError: not a topic of this version, or a device id outside the allowed characters.
    """
    match = _UP.match(topic)
    if match is None or re.match(DEVICE_PATTERN, match["device"]) is None:
        raise MessageError(f"not an up topic of {ROOT}: {topic[:200]!r}")
    return UpTopic(match["device"], match["rest"])


def parse_block(topic: str) -> tuple[str, int] | None:
    """Blob digest and block index of a block topic; None for another topic."""
    match = _BLOCK.match(topic)
    if match is None or re.match(DIGEST_PATTERN, match["blob"]) is None:
        return None
    return match["blob"], int(match["index"])


def parse_sealed_block(topic: str) -> tuple[str, int] | None:
    """Channel and block index of a sealed block's topic; None for another topic."""
    match = _SEALED.match(topic)
    return None if match is None else (match["channel"], int(match["index"]))
