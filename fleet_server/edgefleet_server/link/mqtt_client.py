"""A connection to an MQTT broker that reconnects until it is closed. The only module of the server that uses paho.

It tries MQTT 5 first, then 3.1.1 if the broker refuses 5 or does not answer it (some just hang). Sessions are clean and do not
depend on the broker's queues. PUBACK is sent explicitly, after the database has committed, and the receive maximum limits the
messages in flight from the broker. Each connection gets a new client, because paho would send its whole old queue after a
reconnect.

Callbacks run on paho's thread, some of them under its locks: they pass their data on and return.
"""

from __future__ import annotations

import logging
import random
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from edgefleet_contract.wire.backoff import full_jitter
from edgefleet_server.core.errors import InputError

KEEPALIVE_S: Final = 30
CONNACK_S_MAX: Final = 5.0
RECEIVE_MAX: Final = 1000
QUEUED_MAX: Final = 20_000
IN_FLIGHT_MAX: Final = 500
RECONNECT_MIN_S: Final = 0.2
RECONNECT_MAX_S: Final = 15.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Address of a broker, and the password of the server's clients there; empty: it requires none. `user` empty: the client id
    is the user name. With `tls`, its certificate must be signed by `authority` (PEM; None: by one that this machine trusts)."""

    host: str
    port: int
    password: str = field(default="", repr=False)
    tls: bool = False
    authority: Path | None = None
    user: str = ""

    @classmethod
    def parse(cls, url: str, password: str = "", authority: Path | None = None) -> BrokerAddress:
        """Parse `mqtt://host[:port]` or `mqtts://host[:port]`.

        Raises:
            InputError: it is not such a URL.
        """
        try:
            parts = urlsplit(url)
            tls = parts.scheme == "mqtts"
            port = parts.port or (8883 if tls else 1883)
        except ValueError as error:
            raise InputError(f"broker {url!r}: {error}; write mqtt://host:port") from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/") or parts.username:
            raise InputError(f"broker {url!r} is not of the form mqtt://host:port or mqtts://host:port")
        return cls(parts.hostname, port, password, tls, authority)

    @property
    def url(self) -> str:
        """`mqtt://host:port`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"

    def secure(self, client: paho.Client) -> None:
        """Configure TLS for `client` if the broker uses it.

        Raises:
            OSError: the authority's file is missing or invalid.
        """
        if self.tls:
            context = ssl.create_default_context(cafile=self.authority)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            client.tls_set_context(context)


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message. `retained`: it was stored at the broker. `line`: the connection that received it, which its PUBACK belongs to;
    `came_s`: monotonic time of arrival."""

    topic: str
    payload: bytes
    retained: bool
    mid: int
    qos: int
    line: paho.Client
    came_s: float = field(default_factory=time.monotonic)


class MqttListener(Protocol):
    """Receiver of messages and connection events. Every method is called on paho's thread and must not block for long."""

    def up(self) -> None:
        """Called after a connect, when the subscriptions are in flight. Earlier unconfirmed messages are lost."""
        ...

    def down(self) -> None:
        """Called after the loss of the connection."""
        ...

    def arrived(self, message: ReceivedMessage) -> None:
        """Called for a received message, which has to be acknowledged by `acknowledge`."""
        ...

    def published(self, mid: int) -> None:
        """Called when the broker has confirmed message `mid`. This does not mean that a receiver has it."""
        ...


class MqttClient:
    """Keeps one connection open in a separate thread."""

    def __init__(
        self, address: BrokerAddress, client_id: str, subscriptions: list[tuple[str, int]], listener: MqttListener
    ) -> None:
        self._address = address
        self._client_id = client_id
        self._subscriptions = subscriptions
        self._listener = listener
        self._version = MQTTProtocolVersion.MQTTv5
        self._closing = threading.Event()
        self._client: paho.Client | None = None
        self._up_at = 0.0
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{client_id}", daemon=True)

    @property
    def connected(self) -> bool:
        """Whether the broker has accepted the connection."""
        return self._client is not None

    @property
    def up_at(self) -> float:
        """Wall time since which there is a connection; 0 while there is none."""
        return self._up_at if self.connected else 0.0

    def start(self) -> None:
        """Start the thread, which connects."""
        self._thread.start()

    def close(self) -> None:
        """End the connection and wait for its thread."""
        self._closing.set()
        client = self._client
        if client is not None:
            client.disconnect()
        if self._thread.is_alive():
            self._thread.join(CONNACK_S_MAX)

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int | None:
        """Send a message; returns its number, or None if there is no connection or its queue is full."""
        client = self._client
        if client is None:
            return None
        info = client.publish(topic, payload, qos, retain)
        return info.mid if info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    @staticmethod
    def acknowledge(message: ReceivedMessage) -> None:
        """Send the PUBACK of a message on the connection that received it; without effect if that one is closed."""
        if message.qos:
            message.line.ack(message.mid, message.qos)

    def _run(self) -> None:
        tries = 0
        quiet = False
        while not self._closing.is_set():
            session = _Session(self._address, self._client_id, self._version)
            was_up, text = session.live(self._up, self._listener, self._closing)
            self._client = None
            if was_up:
                self._listener.down()
            elif session.version_refused:
                v5 = self._version == MQTTProtocolVersion.MQTTv5
                self._version = MQTTProtocolVersion.MQTTv311 if v5 else MQTTProtocolVersion.MQTTv5
            if self._closing.is_set():
                return
            if was_up or not quiet:
                log.warning("%s: %s; trying again until it answers", self._address.url, text)
            quiet = not was_up
            tries = 0 if was_up else tries + 1
            self._closing.wait(full_jitter(tries, RECONNECT_MIN_S, RECONNECT_MAX_S, random.random()))  # noqa: S311 (spreads load, keeps no secret)

    def _up(self, client: paho.Client) -> None:
        self._up_at = time.time()
        self._client = client
        self._listener.up()
        if self._subscriptions:
            client.subscribe(self._subscriptions)
        log.info("connected to %s as %s, MQTT %s", self._address.url, self._client_id, "5" if self._version == 5 else "3.1.1")


class _Session:
    """One connection from CONNECT to its end."""

    def __init__(self, address: BrokerAddress, client_id: str, version: MQTTProtocolVersion) -> None:
        self.version_refused = False
        self._address = address
        self._version = version
        self._answered = threading.Event()
        self._ended = threading.Event()
        self._text = "no answer to CONNECT"
        self._up = False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            clean_session=None if version == MQTTProtocolVersion.MQTTv5 else True,
            protocol=version,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        self._client.username_pw_set(address.user or client_id, address.password or None)
        self._client.max_queued_messages_set(QUEUED_MAX)
        self._client.max_inflight_messages_set(IN_FLIGHT_MAX)
        self._client.connect_timeout = CONNACK_S_MAX

    def live(self, up: _Up, listener: MqttListener, closing: threading.Event) -> tuple[bool, str]:
        """Connect, and stay until the connection is lost or `closing` is set; returns (was connected, reason of the end)."""
        client = self._client

        def on_connect(client: paho.Client, _data: object, _flags: object, code: ReasonCode, _properties: object) -> None:
            self._text = str(code)
            self._up = not code.is_failure
            self.version_refused = code.getName() == "Unsupported protocol version"
            self._answered.set()
            if self._up:
                up(client)

        def on_disconnect(_client: paho.Client, _data: object, _flags: object, code: ReasonCode, _properties: object) -> None:
            self._text = f"connection lost ({code})" if self._up else self._text
            self.version_refused = (
                self.version_refused or not self._answered.is_set()
            )  # RabbitMQ 3.10 disconnects at a CONNECT of 5
            self._ended.set()
            self._answered.set()

        def on_message(client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
            listener.arrived(
                ReceivedMessage(message.topic, bytes(message.payload), message.retain, message.mid, message.qos, client)
            )

        def on_publish(_client: paho.Client, _data: object, mid: int, _code: ReasonCode, _properties: object) -> None:
            listener.published(mid)

        def on_socket_open(_client: paho.Client, _data: object, line: object) -> None:
            if isinstance(line, socket.socket):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        client.on_connect, client.on_disconnect, client.on_message = on_connect, on_disconnect, on_message
        client.on_publish, client.on_socket_open = on_publish, on_socket_open
        try:
            self._connect()
        except OSError as error:
            return False, f"cannot connect: {error.strerror or error}"
        client.loop_start()
        if not self._answered.wait(CONNACK_S_MAX):
            self.version_refused = True
        while self._up and not self._ended.wait(0.2) and not closing.is_set():
            pass
        client.disconnect()
        client.loop_stop()
        return self._up, self._text

    def _connect(self) -> None:
        host, port = self._address.host, self._address.port
        self._address.secure(self._client)
        if self._version == MQTTProtocolVersion.MQTTv5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho leaves it untyped
            properties.ReceiveMaximum = RECEIVE_MAX
            self._client.connect(host, port, KEEPALIVE_S, clean_start=True, properties=properties)
        else:
            self._client.connect(host, port, KEEPALIVE_S)


def take_over(address: BrokerAddress, user: str, client_id: str, patience_s: float = CONNACK_S_MAX) -> bool:
    """End the session of `client_id` by taking it over for a short time (the broker publishes its will). False: no answer."""
    client = paho.Client(
        CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv311, reconnect_on_failure=False
    )
    client.username_pw_set(user, address.password or None)
    taken = threading.Event()
    client.on_connect = lambda *_: taken.set()
    try:
        address.secure(client)
        client.connect(address.host, address.port, KEEPALIVE_S)
    except OSError:
        return False
    client.loop_start()
    found = taken.wait(patience_s)
    client.disconnect()
    client.loop_stop()
    return found


class _Up(Protocol):
    def __call__(self, client: paho.Client) -> None: ...
