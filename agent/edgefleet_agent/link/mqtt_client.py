"""One connection to an MQTT broker, reconnected as long as the agent runs. The only module that imports paho.

Tries MQTT 5 first, and 3.1.1 if the broker refuses 5 or does not answer it (some hang). Sessions are clean: the broker queues
nothing. Subscriptions are made in every `on_connect`. Callbacks only pass messages to `deliver` and do nothing else. Each
connection has a new client, because paho would send its whole old queue at once after a reconnect.
"""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from edgefleet_agent.link.tls import TlsFiles, is_behind, out_of_date, tls_context
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX
from edgefleet_contract.wire.backoff import full_jitter

KEEPALIVE_S = 60
CONNACK_S_MAX = 5.0
QUEUED_MAX = 200
IN_FLIGHT_MAX = 20
PACKET_HEAD_BYTES = 1024
RECONNECT_MIN_S = 1.0
RECONNECT_MAX_S = 120.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Broker:
    """Address of the broker, and whether TLS is used."""

    host: str
    port: int
    tls: bool = False

    @classmethod
    def parse(cls, url: str) -> Broker:
        """Read `mqtt://host[:port]` or `mqtts://host[:port]`.

        Raises:
            InputError: not such a URL.
        """
        try:
            parts = urlsplit(url)
            tls = parts.scheme == "mqtts"
            port = parts.port or (8883 if tls else 1883)
        except ValueError as error:
            raise InputError(f"broker {url!r}: {error}; write mqtt://host:port") from error
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/"):
            raise InputError(f"broker {url!r} is not of the form mqtt://host:port or mqtts://host:port")
        return cls(parts.hostname, port, tls)


@dataclass(frozen=True, slots=True)
class Login:
    """User name and password, where a broker asks for them. No name: the certificate says who we are, and some brokers
    (RabbitMQ) refuse a name that comes without a password."""

    user: str
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to publish. correlation, headers: properties of MQTT 5, left out where 3.1.1 is spoken."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    correlation: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Connected:
    """The broker took us; subscriptions are on their way. `connection` is the number in our will."""

    connection: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The line is gone; `text` says why."""

    text: str


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message from the broker. `retained`: the broker had stored it, it is not new. reply_to, correlation, headers: properties
    of MQTT 5, empty if absent."""

    topic: str
    payload: bytes
    retained: bool
    reply_to: str = ""
    correlation: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Published:
    """The broker has taken message `mid` (PUBACK). It does not mean that anyone has read it."""

    mid: int


LinkEvent = Connected | Disconnected | ReceivedMessage | Published


class MqttClient:
    """Keeps one connection up in a thread of its own. `deliver` is called on paho's thread and must not block for long.

    `open_connection` is called before each try: it gives the number of the connection to come and its last will. `known_wall`:
    what time it is at least; where the machine's clock is behind it, the broker's certificate is judged by it.
    """

    def __init__(
        self,
        broker: Broker,
        device: str,
        subscriptions: list[tuple[str, int]],
        open_connection: Callable[[], tuple[int, Outgoing]],
        deliver: Callable[[LinkEvent], None],
        reconnect_s: tuple[float, float] = (RECONNECT_MIN_S, RECONNECT_MAX_S),
        tls_files: TlsFiles | None = None,
        login: Login | None = None,
        message_bytes_max: int = MESSAGE_BYTES_MAX,
        known_wall: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._known_wall = known_wall
        self._tls_files = tls_files
        self._bytes_max = message_bytes_max
        self._login = login or Login(device)
        self._broker = broker
        self._device = device
        self._subscriptions = subscriptions
        self._open_connection = open_connection
        self._deliver = deliver
        self._reconnect_s = reconnect_s
        self._version = MQTTProtocolVersion.MQTTv5
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._client: paho.Client | None = None
        self._extra: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    @property
    def version(self) -> int:
        """5 or 4 (3.1.1): what is spoken or tried now."""
        return int(self._version)

    @property
    def connected(self) -> bool:
        with self._lock:
            return self._client is not None

    def start(self) -> None:
        self._thread.start()

    def publish(self, message: Outgoing) -> int | None:
        """Hand a message to the connection; its number, or None when there is no connection or its queue is full."""
        with self._lock:
            client = self._client
        if client is None:
            return None
        properties = _properties(message) if self._version == MQTTProtocolVersion.MQTTv5 else None
        info = client.publish(message.topic, message.payload, message.qos, message.retain, properties)
        return info.mid if info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    def listen(self, topic_filter: str, qos: int = 0) -> None:
        """Subscribe now and in every connection to come, until `unlisten`."""
        with self._lock:
            self._extra[topic_filter] = qos
            client = self._client
        if client is not None:
            client.subscribe(topic_filter, qos)

    def unlisten(self, topic_filter: str) -> None:
        with self._lock:
            known = self._extra.pop(topic_filter, None)
            client = self._client
        if known is not None and client is not None:
            client.unsubscribe(topic_filter)

    def close(self, farewell: Outgoing | None, patience_s: float = 2.0) -> None:
        """Say `farewell`, give it `patience_s` to reach the broker, and end."""
        with self._lock:
            client = self._client
        if client is not None and farewell is not None:
            info = client.publish(farewell.topic, farewell.payload, farewell.qos, farewell.retain)
            with contextlib.suppress(RuntimeError):  # what paho raises when the line broke in between
                info.wait_for_publish(patience_s)
        self._closing.set()
        if client is not None:
            client.disconnect()
        self._thread.join(patience_s + CONNACK_S_MAX)

    def _run(self) -> None:
        tries = 0
        while not self._closing.is_set():
            number, will = self._open_connection()
            session = _Session(
                self._broker,
                self._device,
                self._login,
                self._version,
                self._tls_files,
                number,
                will,
                self._bytes_max,
                self._known_wall(),
            )
            was_up, text = session.live(self._up, self._deliver, self._closing)
            with self._lock:
                self._client = None
            if was_up:
                tries = 0
                self._deliver(Disconnected(text))
            elif session.version_refused:
                other = {MQTTProtocolVersion.MQTTv5: MQTTProtocolVersion.MQTTv311}
                self._version = other.get(self._version, MQTTProtocolVersion.MQTTv5)
            if (was_up or tries == 0) and not self._closing.is_set():
                log.warning("broker %s:%d: %s; trying again until it answers", self._broker.host, self._broker.port, text)
            self._closing.wait(full_jitter(tries, *self._reconnect_s, random.random()))  # noqa: S311 (spreads load, keeps no secret)
            tries += 1

    def _up(self, client: paho.Client, connection: int) -> None:
        with self._lock:
            self._client = client
            topics = [*self._subscriptions, *self._extra.items()]
        if topics:
            client.subscribe(topics)
        log.info("connected to %s:%d, MQTT %s", self._broker.host, self._broker.port, "5" if self._version == 5 else "3.1.1")
        self._deliver(Connected(connection))


def _properties(message: Outgoing) -> Properties | None:
    if not message.correlation and not message.headers:
        return None
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho leaves it untyped
    if message.correlation:
        properties.CorrelationData = message.correlation
    if message.headers:
        properties.UserProperty = list(message.headers)
    return properties


def _request_properties(properties: Properties | None) -> tuple[str, bytes, tuple[tuple[str, str], ...]]:
    """Response topic, correlation data and user properties."""
    if properties is None:
        return "", b"", ()
    return (
        str(getattr(properties, "ResponseTopic", "")),
        bytes(getattr(properties, "CorrelationData", b"")),
        tuple(getattr(properties, "UserProperty", ())),
    )


class _Session:
    """One connection from CONNECT to its end."""

    def __init__(
        self,
        broker: Broker,
        device: str,
        login: Login,
        version: MQTTProtocolVersion,
        tls_files: TlsFiles | None,
        connection: int,
        will: Outgoing,
        bytes_max: int,
        known_wall_s: float,
    ) -> None:
        self._tls_files = tls_files
        self._known_wall_s = known_wall_s
        self._behind = broker.tls and is_behind(known_wall_s)
        self._bytes_max = bytes_max
        self.version_refused = False
        self._broker = broker
        self._version = version
        self._connection = connection
        self._answered = threading.Event()
        self._ended = threading.Event()
        self._text = "no answer to CONNECT"
        self._up = False
        v5 = version == MQTTProtocolVersion.MQTTv5
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=device,
            clean_session=None if v5 else True,
            protocol=version,
            reconnect_on_failure=False,
        )
        if login.user:
            self._client.username_pw_set(login.user, login.password or None)
        self._client.will_set(will.topic, will.payload, will.qos, will.retain)
        self._client.max_queued_messages_set(QUEUED_MAX)
        self._client.max_inflight_messages_set(IN_FLIGHT_MAX)
        self._client.connect_timeout = CONNACK_S_MAX

    def live(
        self,
        up: Callable[[paho.Client, int], None],
        deliver: Callable[[LinkEvent], None],
        closing: threading.Event,
    ) -> tuple[bool, str]:
        """Connect, stay until the line breaks or `closing`; (was it up, why it ended)."""
        client = self._client

        def on_connect(client: paho.Client, _data: object, _flags: object, code: ReasonCode, _properties: object) -> None:
            self._text = str(code)
            if self._behind and (wrong := out_of_date(client.socket(), self._known_wall_s)):
                self._text = wrong
                client.disconnect()
                return
            self._up = not code.is_failure
            self.version_refused = code.getName() == "Unsupported protocol version"
            self._answered.set()
            if self._up:
                up(client, self._connection)

        def on_disconnect(_client: paho.Client, _data: object, _flags: object, code: ReasonCode, _properties: object) -> None:
            self._text = f"connection lost ({code})" if self._up else self._text
            self.version_refused = self.version_refused or not self._answered.is_set()  # RabbitMQ 3.10 hangs up at a CONNECT of 5
            self._ended.set()
            self._answered.set()

        def on_message(_client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
            if len(message.payload) <= self._bytes_max:
                deliver(
                    ReceivedMessage(
                        message.topic, bytes(message.payload), message.retain, *_request_properties(message.properties)
                    )
                )

        def on_publish(_client: paho.Client, _data: object, mid: int, code: ReasonCode, _properties: object) -> None:
            if not code.is_failure:
                deliver(Published(mid))

        def on_socket_open(_client: paho.Client, _data: object, connection: object) -> None:
            # An acknowledgement and the next request are two small writes: with Nagle's algorithm the second waits up to 40 ms.
            if isinstance(connection, socket.socket):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        client.on_socket_open = on_socket_open
        client.on_connect, client.on_disconnect = on_connect, on_disconnect
        client.on_message, client.on_publish = on_message, on_publish
        try:
            self._connect()
        except OSError as error:
            return False, f"cannot connect: {error}"
        client.loop_start()
        if not self._answered.wait(CONNACK_S_MAX):
            self.version_refused = True
        while self._up and not self._ended.wait(0.5) and not closing.is_set():
            pass
        client.disconnect()
        client.loop_stop()
        return self._up, self._text

    def _connect(self) -> None:
        host, port = self._broker.host, self._broker.port
        if self._broker.tls:
            self._client.tls_set_context(tls_context(self._tls_files, behind=self._behind))
        if self._version == MQTTProtocolVersion.MQTTv5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho leaves it untyped
            properties.MaximumPacketSize = self._bytes_max + PACKET_HEAD_BYTES
            self._client.connect(host, port, KEEPALIVE_S, clean_start=True, properties=properties)
        else:
            self._client.connect(host, port, KEEPALIVE_S)
