"""One connection to a broker, from CONNECT to its end, and taking one over."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.buffered_socket import BufferedSocket
from edgefleet_contract.mqtt.events import LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.tls import TlsFiles, is_behind, out_of_date, tls_context

CONNACK_S_MAX: Final = 5.0
PACKET_HEAD_BYTES: Final = 1024
CLOSING_POLL_S: Final = 0.5
PACKETS_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Options of all connections of a client. `manual_ack`: messages are confirmed by `ReceivedMessage.acknowledge`."""

    broker: BrokerAddress
    client_id: str
    login: Login
    tls_files: TlsFiles | None
    limits: ConnectionLimits
    manual_ack: bool


class BrokerSession:
    """One connection. `will`: its last will, None for none. `known_wall_s`: what time it is at least."""

    def __init__(
        self, options: SessionOptions, version: MQTTProtocolVersion, will: Outgoing | None, known_wall_s: float = 0.0
    ) -> None:
        self._options = options
        self._version = version
        self._known_wall_s = known_wall_s
        self._behind = options.broker.tls and is_behind(known_wall_s)
        self.version_refused = False
        self._answered = threading.Event()
        self._ended = threading.Event()
        self._text = "no answer to CONNECT"
        self._up = False
        kind = _ReadingAhead if options.manual_ack else paho.Client
        self._client = kind(
            CallbackAPIVersion.VERSION2,
            client_id=options.client_id,
            clean_session=None if version == MQTTProtocolVersion.MQTTv5 else True,
            protocol=version,
            reconnect_on_failure=False,
            manual_ack=options.manual_ack,
        )
        if options.login.user:
            self._client.username_pw_set(options.login.user, options.login.password or None)
        if will is not None:
            self._client.will_set(will.topic, will.payload, will.qos, will.retain)
        self._client.max_queued_messages_set(options.limits.queued_max)
        self._client.max_inflight_messages_set(options.limits.in_flight_max)
        self._client.connect_timeout = CONNACK_S_MAX

    def live(
        self, up: Callable[[paho.Client], None], deliver: Callable[[LinkEvent], None], closing: threading.Event
    ) -> tuple[bool, str]:
        """Connect, stay until the line breaks or `closing`; (was it up, why it ended)."""
        client = self._client
        client.on_socket_open = _without_delay
        client.on_connect, client.on_disconnect = self._when_connected(up), self._on_disconnect
        client.on_message, client.on_publish = self._when_received(deliver), _when_published(deliver)
        try:
            self._connect()
        except OSError as error:
            return False, f"cannot connect: {error.strerror or error}"
        client.loop_start()
        if not self._answered.wait(CONNACK_S_MAX):
            self.version_refused = True
        while self._up and not self._ended.wait(CLOSING_POLL_S) and not closing.is_set():
            pass
        client.disconnect()
        client.loop_stop()
        return self._up, self._text

    def _when_connected(self, up: Callable[[paho.Client], None]) -> Callable[..., None]:
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
                up(client)

        return on_connect

    def _on_disconnect(self, _client: paho.Client, _data: object, _flags: object, code: ReasonCode, _properties: object) -> None:
        self._text = f"connection lost ({code})" if self._up else self._text
        self.version_refused = self.version_refused or not self._answered.is_set()  # RabbitMQ 3.10 hangs up at a CONNECT of 5
        self._ended.set()
        self._answered.set()

    def _when_received(self, deliver: Callable[[LinkEvent], None]) -> Callable[..., None]:
        bytes_max = self._options.limits.message_bytes_max

        def on_message(client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
            reply_to, correlation, headers = _request_properties(message.properties)
            received = ReceivedMessage(
                message.topic,
                bytes(message.payload),
                message.retain,
                reply_to,
                correlation,
                headers,
                message.mid,
                message.qos,
                client,
            )
            if bytes_max is None or len(received.payload) <= bytes_max:
                deliver(received)
            elif self._options.manual_ack:
                received.acknowledge()

        return on_message

    def _connect(self) -> None:
        broker, limits = self._options.broker, self._options.limits
        if broker.tls:
            self._client.tls_set_context(tls_context(self._options.tls_files, behind=self._behind))
        if self._version == MQTTProtocolVersion.MQTTv5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho leaves it untyped
            if limits.message_bytes_max is not None:
                properties.MaximumPacketSize = limits.message_bytes_max + PACKET_HEAD_BYTES
            if limits.receive_max is not None:
                properties.ReceiveMaximum = limits.receive_max
            self._client.connect(broker.host, broker.port, limits.keepalive_s, clean_start=True, properties=properties)
        else:
            self._client.connect(broker.host, broker.port, limits.keepalive_s)


def take_over(
    broker: BrokerAddress, client_id: str, login: Login, tls_files: TlsFiles | None = None, patience_s: float = CONNACK_S_MAX
) -> bool:
    """End whatever connection `client_id` has, by having it for a moment (the broker speaks its will). False: no answer."""
    client = paho.Client(
        CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv311, reconnect_on_failure=False
    )
    client.username_pw_set(login.user, login.password or None)
    taken = threading.Event()
    client.on_connect = lambda *_: taken.set()
    try:
        if broker.tls:
            client.tls_set_context(tls_context(tls_files))
        client.connect(broker.host, broker.port, ConnectionLimits().keepalive_s)
    except OSError:
        return False
    client.loop_start()
    found = taken.wait(patience_s)
    client.disconnect()
    client.loop_stop()
    return found


def publish_properties(message: Outgoing) -> Properties | None:
    """Properties of a PUBLISH of MQTT 5; None if it has none."""
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


def _when_published(deliver: Callable[[LinkEvent], None]) -> Callable[..., None]:
    def on_publish(_client: paho.Client, _data: object, mid: int, code: ReasonCode, _properties: object) -> None:
        deliver(Published(mid, taken=not code.is_failure))

    return on_publish


class _ReadingAhead(paho.Client):
    """A client for many small messages (`BufferedSocket`)."""

    def _create_socket(self) -> Any:
        return BufferedSocket(cast("socket.socket", super()._create_socket()))

    def loop_read(self, max_packets: int = 1) -> MQTTErrorCode:
        """Process the packets that were read ahead, too, and then let acknowledgements be sent."""
        code = MQTTErrorCode.MQTT_ERR_SUCCESS
        for _ in range(PACKETS_AT_ONCE):
            code = super().loop_read(max_packets)
            line: object = self.socket()
            if code != MQTTErrorCode.MQTT_ERR_SUCCESS or not isinstance(line, BufferedSocket) or not line.pending():
                break
        return code


def _without_delay(_client: paho.Client, _data: object, connection: object) -> None:
    """An acknowledgement and the next request are two small writes: with Nagle's algorithm the second waits up to 40 ms."""
    if isinstance(connection, socket.socket | BufferedSocket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
