"""A connection to an MQTT broker that is made again until it is closed.

Tries MQTT 5 first, and 3.1.1 if the broker refuses 5 or does not answer it (some hang). Sessions are clean: the broker queues
nothing. Subscriptions are made in every connection. Each connection has a new client of paho's, because paho would send its whole
old queue at once after a reconnect.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence

import paho.mqtt.client as paho
from paho.mqtt.enums import MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.session import CONNACK_S_MAX, BrokerSession, ManyMessages, SessionOptions, publish_properties
from edgefleet_contract.mqtt.tls import TlsFiles
from edgefleet_contract.wire.backoff import full_jitter

REASONS_MAX = 8
"""Reasons that are logged between two connections, each once."""

log = logging.getLogger(__name__)


def _no_will() -> tuple[int, Outgoing | None]:
    return 0, None


class MqttClient:
    """Keeps one connection up in a thread of its own. `deliver` is called on paho's thread, at times under paho's locks: it hands
    over and returns. Where it waits, the broker learns that we are behind.

    `open_connection` is called before each try: it gives the number of the connection to come and its last will. `login`: the
    client id as user name if None. `manual_ack`: a client for many messages, which come
    without their properties; the broker gets its PUBACK by `ReceivedMessage.acknowledge`. `known_wall`:
    what time it is at least; where the machine's clock is behind it, the broker's certificate is judged by it. `as_published`:
    subscriptions of which `ReceivedMessage.retained` also shows, on MQTT 5, that a new message is being retained. `tls_fault`:
    the reason for which TLS failed in the last try, with the remedy; empty if it did not. `fault`: the reason for which there is
    no connection; empty while there is one, and before the first try has failed.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        client_id: str,
        subscriptions: list[tuple[str, int]],
        deliver: Callable[[LinkEvent], None],
        open_connection: Callable[[], tuple[int, Outgoing | None]] = _no_will,
        *,
        login: Login | None = None,
        tls_files: TlsFiles | None = None,
        limits: ConnectionLimits | None = None,
        manual_ack: bool = False,
        as_published: frozenset[str] = frozenset(),
        known_wall: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._options = SessionOptions(
            broker, client_id, login or Login(client_id), tls_files, limits or ConnectionLimits(), manual_ack
        )
        self._subscriptions = subscriptions
        self._as_published = as_published
        self._deliver = deliver
        self._open_connection = open_connection
        self._known_wall = known_wall
        self._version = MQTTProtocolVersion.MQTTv5
        self.tls_fault = self.fault = ""
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._client: paho.Client | None = None
        self._up_at = 0.0
        self._extra: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{client_id}", daemon=True)

    @property
    def version(self) -> int:
        """5 or 4 (3.1.1): what is spoken or tried now."""
        return int(self._version)

    @property
    def connected(self) -> bool:
        """Whether the broker has taken us."""
        with self._lock:
            return self._client is not None

    @property
    def up_at(self) -> float:
        """Since when (wall time) there is a connection; 0 while there is none."""
        with self._lock:
            return 0.0 if self._client is None else self._up_at

    def start(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def publish(self, message: Outgoing) -> int | None:
        """Hand a message to the connection; its number, or None when there is no connection or its queue is full."""
        with self._lock:
            client = self._client
        if client is None:
            return None
        properties = publish_properties(message) if self._version == MQTTProtocolVersion.MQTTv5 else None
        info = client.publish(message.topic, message.payload, message.qos, message.retain, properties)
        return info.mid if info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    def publish_together(self, messages: Sequence[Outgoing]) -> None:
        """Send messages of QoS 0 without properties in one write; they are lost when there is no connection or too much waits to
        be sent. Only of a client with `manual_ack`."""
        with self._lock:
            client = self._client
        if isinstance(client, ManyMessages):
            client.publish_together(messages)

    def listen(self, topic_filter: str, qos: int = 0) -> None:
        """Subscribe now and in every connection to come, until `unlisten`."""
        with self._lock:
            self._extra[topic_filter] = qos
            client = self._client
        if client is not None:
            client.subscribe(topic_filter, qos)

    def unlisten(self, topic_filter: str) -> None:
        """Undo `listen`."""
        with self._lock:
            known = self._extra.pop(topic_filter, None)
            client = self._client
        if known is not None and client is not None:
            client.unsubscribe(topic_filter)

    def close(self, farewell: Outgoing | None = None, patience_s: float = 2.0) -> None:
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
        if self._thread.is_alive():
            self._thread.join(patience_s + CONNACK_S_MAX)

    def _run(self) -> None:
        tries = 0
        logged: set[str] = set()
        broker, limits = self._options.broker, self._options.limits
        while not self._closing.is_set():
            number, will = self._open_connection()
            session = BrokerSession(self._options, self._version, will, self._known_wall())
            was_up, text = session.live(functools.partial(self._up, number), self._deliver, self._closing)
            with self._lock:
                self._client, self.fault = None, text
            self.tls_fault = "" if was_up else session.tls_fault or (self.tls_fault if session.version_refused else "")
            if was_up:
                tries = 0
                self._deliver(Disconnected(text))
            elif session.version_refused:
                other = {MQTTProtocolVersion.MQTTv5: MQTTProtocolVersion.MQTTv311}
                self._version = other.get(self._version, MQTTProtocolVersion.MQTTv5)
            if self._closing.is_set():
                return
            if was_up or (text not in logged and len(logged) < REASONS_MAX):
                log.warning("%s: %s; trying again until it answers", broker.url, text)
            logged = set() if was_up else logged | {text}
            chance = random.random()  # noqa: S311 (spreads load, keeps no secret)
            self._closing.wait(full_jitter(tries, limits.reconnect_min_s, limits.reconnect_max_s, chance))
            tries += 1

    def _up(self, connection: int, client: paho.Client) -> None:
        with self._lock:
            self._client = client
            self._up_at, self.tls_fault, self.fault = time.time(), "", ""
            topics = [*self._subscriptions, *self._extra.items()]
        is_5 = self._version == MQTTProtocolVersion.MQTTv5
        if topics and is_5:
            client.subscribe(
                [(name, SubscribeOptions(qos, retainAsPublished=name in self._as_published)) for name, qos in topics]
            )
        elif topics:
            client.subscribe(topics)
        spoken = "5" if is_5 else "3.1.1"
        log.info("connected to %s as %s, MQTT %s", self._options.broker.url, self._options.client_id, spoken)
        self._deliver(Connected(connection))
