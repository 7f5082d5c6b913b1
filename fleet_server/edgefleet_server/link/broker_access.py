"""The server's own clients at its broker: address, sign-in and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from edgefleet_contract.mqtt import takeover
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import LinkEvent
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles

LIMITS: Final = ConnectionLimits(
    keepalive_s=30,
    queued_max=20_000,
    in_flight_max=500,
    receive_max=1000,
    message_bytes_max=None,
    reconnect_min_s=0.2,
    reconnect_max_s=15.0,
)
"""The broker holds back what exceeds `receive_max`. The longest message is the broker's own limit."""


HEAP_TOPIC: Final = "$SYS/broker/heap/current"
"""On which a Mosquitto reports the bytes of memory that it uses."""


@dataclass(frozen=True, slots=True)
class BrokerAccess:
    """A broker, and the password of our own clients there; none: it requires none. `user` empty: each client's id is its user
    name. Over TLS, the broker's certificate must be signed by `authority` (PEM; None: by one that this machine trusts).
    `memory_bytes`: the limit of a Mosquitto's memory, if it reports what it uses each second (`HEAP_TOPIC`); 0: unknown."""

    address: BrokerAddress
    password: str = field(default="", repr=False)
    authority: Path | None = None
    user: str = ""
    memory_bytes: int = 0

    @property
    def tls_files(self) -> TlsFiles | None:
        """Whom the broker's certificate must be signed by."""
        return TlsFiles(self.authority) if self.authority is not None else None


def server_client(
    access: BrokerAccess,
    client_id: str,
    subscriptions: list[tuple[str, int]],
    deliver: Callable[[LinkEvent], None],
    as_published: frozenset[str] = frozenset(),
) -> MqttClient:
    """A client of the server. The broker gets a message's PUBACK when the message is acknowledged. `as_published`: subscriptions
    on topics that need no retained messages, so that they are found (`MqttClient`)."""
    login = Login(access.user or client_id, access.password)
    return MqttClient(
        access.address,
        client_id,
        subscriptions,
        deliver,
        login=login,
        tls_files=access.tls_files,
        limits=LIMITS,
        manual_ack=True,
        as_published=as_published,
    )


def take_over(access: BrokerAccess, user: str, client_ids: Sequence[str]) -> bool:
    """End whatever connections `client_ids` have; `user` is who does. False: the broker does not answer."""
    return takeover.take_over(access.address, client_ids, Login(user, access.password), access.tls_files)
