"""One connection to a broker, from CONNECT to its end."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
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
from edgefleet_contract.mqtt.packets import PUBACK, publish
from edgefleet_contract.mqtt.polling_client import PollingClient
from edgefleet_contract.mqtt.tls import TlsFiles, is_behind, out_of_date, tls_context, tls_fault

CONNACK_S_MAX: Final = 5.0
PACKET_HEAD_BYTES: Final = 1024
CLOSING_POLL_S: Final = 0.5
OUT_PACKETS_MAX: Final = 4096
"""Writes that wait for a broker that does not read."""


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
        self.tls_fault = ""
        self._answered = threading.Event()
        self._ended = threading.Event()
        self._text = "no answer to CONNECT"
        self._up = False
        self._trust: ssl.SSLContext | None = None
        kind: type[PollingClient] = ManyMessages if options.manual_ack else _AlertNoting
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
        self._client.ended = self._when_ended

    def live(
        self, up: Callable[[paho.Client], None], deliver: Callable[[LinkEvent], None], closing: threading.Event
    ) -> tuple[bool, str]:
        """Connect, stay until the line breaks or `closing`; (was it up, why it ended)."""
        client = self._client
        client.on_socket_open = _without_delay
        client.on_connect, client.on_disconnect = self._when_connected(up), self._on_disconnect
        client.on_message, client.on_publish = self._when_received(deliver), _when_published(deliver)
        if isinstance(client, ManyMessages):
            client.received = self._limited(deliver)
        try:
            self._connect()
        except OSError as error:
            self.tls_fault = tls_fault(error, self._trust)
            return False, self.tls_fault or f"cannot connect: {error.strerror or error}"
        client.loop_start()
        if not self._answered.wait(CONNACK_S_MAX):
            self.version_refused = True
        while self._up and not self._ended.wait(CLOSING_POLL_S) and not closing.is_set():
            pass
        client.disconnect()
        client.loop_stop()
        if not self._up and isinstance(client, _AlertNoting) and (found := tls_fault(client.alert or OSError())):
            self.tls_fault, self._text, self.version_refused = found, found, False
        # Session and client refer to each other through these: without them the client and its sockets are freed at once, not by
        # a later run of the garbage collector.
        client.on_connect = client.on_disconnect = client.on_message = client.on_publish = None
        client.ended = _nothing
        if isinstance(client, ManyMessages):
            client.received = _nothing
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
        self._when_ended()

    def _when_ended(self) -> None:
        self._ended.set()
        self._answered.set()

    def _limited(self, deliver: Callable[[LinkEvent], None]) -> Callable[[ReceivedMessage], None]:
        """`deliver` for messages that are not too long; the others are confirmed."""
        bytes_max = self._options.limits.message_bytes_max
        if bytes_max is None:
            return deliver

        def received(message: ReceivedMessage) -> None:
            if len(message.payload) <= bytes_max:
                deliver(message)
            elif self._options.manual_ack:
                message.acknowledge()

        return received

    def _when_received(self, deliver: Callable[[LinkEvent], None]) -> Callable[..., None]:
        received = self._limited(deliver)

        def on_message(client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
            properties = _request_properties(message.properties)
            payload = bytes(message.payload)
            received(ReceivedMessage(message.topic, payload, message.retain, *properties, message.mid, message.qos, client))

        return on_message

    def _connect(self) -> None:
        broker, limits = self._options.broker, self._options.limits
        if broker.tls:
            self._trust = tls_context(self._options.tls_files, behind=self._behind)
            self._client.tls_set_context(self._trust)
        if self._version == MQTTProtocolVersion.MQTTv5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho leaves it untyped
            if limits.message_bytes_max is not None:
                properties.MaximumPacketSize = limits.message_bytes_max + PACKET_HEAD_BYTES
            if limits.receive_max is not None:
                properties.ReceiveMaximum = limits.receive_max
            self._client.connect(broker.host, broker.port, limits.keepalive_s, clean_start=True, properties=properties)
        else:
            self._client.connect(broker.host, broker.port, limits.keepalive_s)


def _nothing(*_: object) -> None:
    """Stand for a callback of a session that has ended."""


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


class _AlertNoting(PollingClient):
    """A client that notes why TLS failed. With TLS 1.3 a server refuses a client's certificate after the handshake: by an alert
    in place of its first packet."""

    alert: ssl.SSLError | None = None

    def _sock_recv(self, bufsize: int) -> bytes:
        try:
            return super()._sock_recv(bufsize)  # type: ignore[no-any-return,misc,unused-ignore]
        except ssl.SSLError as error:
            self.alert = error
            raise


class ManyMessages(PollingClient):
    """A client for many small messages: packets are read ahead (`BufferedSocket`), and PUBLISH packets do not pass through paho,
    which would need ten times as long. They are confirmed together. `received` is called with each."""

    received: Callable[[ReceivedMessage], None]
    _reader = 0
    _confirmed = bytearray()

    def publish_together(self, messages: Sequence[Outgoing]) -> None:
        """Send messages of QoS 0 without properties in one write, unless too much waits to be sent."""
        if not messages or len(self._out_packet) > OUT_PACKETS_MAX:
            return
        is_5 = self._protocol == MQTTProtocolVersion.MQTTv5
        found = [publish(message.topic, message.payload, 0, retain=message.retain, has_properties=is_5) for message in messages]
        # Paho looks after a PUBLISH that it made itself when it has been sent; it does not after a PUBACK.
        self._packet_queue(PUBACK, b"".join(found), 0, 0)

    def _create_socket(self) -> Any:
        return BufferedSocket(cast("socket.socket", super()._create_socket()))

    def loop_read(self, max_packets: int = 1) -> MQTTErrorCode:
        """Process all packets that have arrived."""
        line: object = self.socket()
        if not isinstance(line, BufferedSocket) or not line.read_ahead():
            return super().loop_read(max_packets)
        confirmed = self._confirmed = bytearray()
        self._reader = threading.get_ident()
        code = self._take_packets(line)
        self._reader = 0
        if confirmed and code == MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._packet_queue(PUBACK, confirmed, 0, 0)
            code = self.loop_write()
        return code

    def ack(self, mid: int, qos: int) -> MQTTErrorCode:
        """Send a PUBACK; together with others while packets are being read."""
        if qos != 1 or threading.get_ident() != self._reader:
            return super().ack(mid, qos)
        self._confirmed += bytes((PUBACK, 2, mid >> 8, mid & 255))
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _take_packets(self, line: BufferedSocket) -> MQTTErrorCode:
        is_5 = self._protocol == MQTTProtocolVersion.MQTTv5
        is_next = True
        while is_next and self.socket() is not None:
            found, is_next = line.take_publishes(has_properties=is_5)
            now = time.monotonic()
            for topic, payload, mid, qos, retain in found:
                self.received(ReceivedMessage(topic, payload, retain, "", b"", (), mid, qos, self, now))
            if is_next and (code := self._packet_read()) > 0:
                return self._loop_rc_handle(code)
        return MQTTErrorCode.MQTT_ERR_SUCCESS


def _without_delay(_client: paho.Client, _data: object, connection: object) -> None:
    """An acknowledgement and the next request are two small writes: with Nagle's algorithm the second waits up to 40 ms."""
    if isinstance(connection, socket.socket | BufferedSocket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
