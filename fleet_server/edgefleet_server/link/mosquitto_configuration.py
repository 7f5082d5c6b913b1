"""The configuration of the managed Mosquitto, and its limits, which follow from the size of the fleet."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX
from edgefleet_contract.wire import topics

HASH_ROUNDS: Final = 101
"""Mosquitto's default, sufficient for a password of 256 random bits."""

MIB: Final = 1024**2
HOST: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class BrokerLimits:
    """Limits of a broker. queued_messages, queued_bytes: what may wait for one client, the server or a device. in_flight:
    messages sent to one client and not confirmed. message_bytes: longest payload; longer messages are dropped. packet_bytes:
    longest packet; a client that sends a longer one is disconnected. memory_bytes: of the whole broker, without TLS. connections:
    of devices."""

    queued_messages: int
    queued_bytes: int
    in_flight: int
    message_bytes: int
    packet_bytes: int
    memory_bytes: int
    connections: int


def broker_limits(devices: int, connections: int) -> BrokerLimits:
    """Limits for a broker of `devices` devices, which has room for at most `connections` of them.

    For the server, two messages of 2 KiB of each device may wait: all connect at once, and each sends its presence and its
    report. Memory holds that queue for each of the server's connections, the queues of some devices that do not read, and 24 KiB
    for each device: its connection and its three retained messages.
    """
    queued_bytes = min(512 * MIB, max(64 * MIB, devices * 4096))
    return BrokerLimits(
        queued_messages=min(400_000, max(20_000, 2 * devices)),
        queued_bytes=queued_bytes,
        in_flight=1000,
        message_bytes=MESSAGE_BYTES_MAX,
        packet_bytes=1 * MIB,
        memory_bytes=256 * MIB + 4 * queued_bytes + devices * 24 * 1024,
        connections=connections,
    )


CONFIGURATION: Final = """\
# Written by `edgefleet serve` at every start. Changes are lost; use --broker URL for a broker of your own.
per_listener_settings true
persistence true
persistence_location {folder}/
persistence_file mosquitto.db
autosave_interval 5
max_inflight_messages {limits.in_flight}
max_queued_messages {limits.queued_messages}
max_queued_bytes {limits.queued_bytes}
message_size_limit {limits.message_bytes}
max_packet_size {limits.packet_bytes}
memory_limit {limits.memory_bytes}
set_tcp_nodelay true
retain_available true
connection_messages true
log_dest stderr
log_type error
log_type warning
log_type notice
log_type information
sys_interval 1

listener {port} {host}
allow_zero_length_clientid false
"""

OWN_CLIENTS: Final = """\
allow_anonymous false
password_file {folder}/passwords
"""

DEVICES: Final = """
listener {port} {host}
max_connections {limits.connections}
allow_zero_length_clientid false
allow_anonymous false
tls_version tlsv1.2
cafile {folder}/authority.crt
certfile {folder}/broker.crt
keyfile {folder}/broker.key
crlfile {folder}/revoked.pem
require_certificate true
use_identity_as_username true
use_username_as_clientid true
acl_file {folder}/devices.acl
"""

_WRITTEN: Final = "".join(f"pattern write {topics.ROOT}/d/%u/up/{kind}\n" for kind in topics.UP_KINDS)

DEVICE_TOPICS: Final = f"""\
# A device speaks for itself and hears what is for it, or for all. Mosquitto checks each message, not the subscription.
{_WRITTEN}\
pattern read {topics.ROOT}/d/%u/down/#
pattern read {topics.ROOT}/b/#
"""


def hashed_password(password: str) -> str:
    """Password hash in the format of `mosquitto_passwd`: $7$ = PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ROUNDS, 64)
    return f"$7${HASH_ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"
