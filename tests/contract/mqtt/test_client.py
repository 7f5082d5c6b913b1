"""The connection: MQTT 5, or 3.1.1 if 5 is refused or unanswered; subscriptions in each connection; jitter between attempts."""

from __future__ import annotations

import gc
import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from paho.mqtt.enums import MQTTProtocolVersion

from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.takeover import take_over
from tests.agent.fakes.bench import Broker as Mosquitto
from tests.agent.fakes.server import FakeServer

DEVICE = "bench-1"
FD_SETSIZE = 1024
"""File descriptors that `select` can take."""


def make(port: int, inbox: Inbox[LinkEvent]) -> MqttClient:
    numbers = iter(range(1, 1000))
    return MqttClient(
        BrokerAddress("127.0.0.1", port),
        DEVICE,
        [("edgefleet/v1/d/bench-1/down/#", 1)],
        lambda event: inbox.put(event) and None,
        lambda: (next(numbers), Outgoing("will", b"gone")),
        limits=ConnectionLimits(reconnect_min_s=0.05, reconnect_max_s=0.2),
    )


def collect(inbox: Inbox[LinkEvent], until: Callable[[list[LinkEvent]], bool], timeout_s: float = 15.0) -> list[LinkEvent]:
    events: list[LinkEvent] = []
    for _ in range(int(timeout_s / 0.1)):
        events += inbox.take(0.1)
        if until(events):
            return events
    raise AssertionError(f"never came; there was {events}")


def has(kind: type) -> Callable[[list[LinkEvent]], bool]:
    return lambda events: any(isinstance(event, kind) for event in events)


def received(inbox: Inbox[LinkEvent]) -> ReceivedMessage:
    events = collect(inbox, has(ReceivedMessage))
    (message,) = [event for event in events if isinstance(event, ReceivedMessage)]
    return message


def test_messages_pass_and_a_new_connection_subscribes_again(broker: Mosquitto, server: FakeServer) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    link = make(broker.port, inbox)
    link.start()
    collect(inbox, has(Connected))
    assert link.version == 5
    for number in range(2):
        collect(inbox, lambda events: True)
        server.publish("edgefleet/v1/d/bench-1/down/cmd", b"hello %d" % number)
        if number == 0:
            collect(inbox, has(ReceivedMessage))
            broker.stop()
            collect(inbox, has(Disconnected))
            assert link.publish(Outgoing("t", b"x")) is None
            broker.start()
            collect(inbox, has(Connected))
            server.wait(server.client.is_connected)
    assert link.publish(Outgoing("t", b"x")) is not None
    collect(inbox, has(Published))
    link.close(None)


def test_a_process_with_many_open_files_connects(broker: Mosquitto, server: FakeServer) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        pytest.skip(f"this machine allows a process {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    with ExitStack() as files:
        files.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        while files.enter_context(Path(os.devnull).open("rb")).fileno() < FD_SETSIZE:
            pass
        inbox: Inbox[LinkEvent] = Inbox()
        link = make(broker.port, inbox)
        link.start()
        files.callback(link.close, None, 0.1)
        collect(inbox, has(Connected))
        server.publish("edgefleet/v1/d/bench-1/down/x", b"one", retain=True)  # the subscription may come after it
        assert received(inbox).payload == b"one"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # the fault is meant
@pytest.mark.parametrize("manual_ack", [False, True])
def test_a_fault_while_a_message_is_taken_ends_the_connection_not_the_link(
    broker: Mosquitto, server: FakeServer, manual_ack: bool
) -> None:
    events: Inbox[LinkEvent] = Inbox()
    faults = iter([ZeroDivisionError("a fault of the receiver")])

    def deliver(event: LinkEvent) -> None:
        if isinstance(event, ReceivedMessage) and (fault := next(faults, None)) is not None:
            raise fault
        events.put(event)

    link = MqttClient(
        BrokerAddress("127.0.0.1", broker.port),
        DEVICE,
        [("edgefleet/v1/d/bench-1/down/#", 0)],
        deliver,
        lambda: (1, Outgoing("will", b"gone")),
        limits=ConnectionLimits(reconnect_min_s=0.05, reconnect_max_s=0.2),
        manual_ack=manual_ack,
    )
    link.start()
    try:
        collect(events, has(Connected))
        server.publish("edgefleet/v1/d/bench-1/down/x", b"one", retain=True)
        again = collect(events, has(ReceivedMessage))
        assert [type(event) for event in again if not isinstance(event, Published)] == [Disconnected, Connected, ReceivedMessage]
    finally:
        link.close(None, 0.1)


def test_a_connection_that_ended_keeps_no_socket(broker: Mosquitto) -> None:
    """Not until the next run of the garbage collector either."""
    inbox: Inbox[LinkEvent] = Inbox()
    link = make(broker.port, inbox)
    gc.disable()
    try:
        link.start()
        collect(inbox, has(Connected))
        first = open_files()
        for _ in range(4):
            broker.stop()
            collect(inbox, has(Disconnected))
            broker.start()
            collect(inbox, has(Connected))
        assert open_files() <= first
    finally:
        gc.enable()
        link.close(None, 0.1)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_message_over_the_limit_never_reaches_the_loop(broker: Mosquitto, server: FakeServer) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    link = make(broker.port, inbox)
    link.start()
    collect(inbox, has(Connected))
    received: list[LinkEvent] = []
    while not has(ReceivedMessage)(received):  # the subscription may still be in transfer when the connection is up
        server.publish("edgefleet/v1/d/bench-1/down/cmd", b"there?")
        received += inbox.take(0.1)
    server.publish("edgefleet/v1/d/bench-1/down/cmd", b"x" * (MESSAGE_BYTES_MAX + 1))
    server.publish("edgefleet/v1/d/bench-1/down/cmd", b"after")
    events = collect(
        inbox, lambda events: any(isinstance(event, ReceivedMessage) and event.payload == b"after" for event in events)
    )
    assert {event.payload for event in events if isinstance(event, ReceivedMessage)} <= {b"there?", b"after"}
    assert link.connected
    link.close(None)


def test_the_farewell_arrives_before_the_connection_ends(broker: Mosquitto, server: FakeServer) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    link = make(broker.port, inbox)
    link.start()
    collect(inbox, has(Connected))
    link.close(Outgoing("edgefleet/v1/d/bench-1/up/presence", b'{"device":"bench-1","online":false,"boot":"b","connection":1}'))
    server.wait(lambda: server.presence)
    assert not server.presence[0].online


def test_the_broker_holds_back_what_is_not_acknowledged(broker: Mosquitto, server: FakeServer) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    link = MqttClient(
        BrokerAddress("127.0.0.1", broker.port),
        "slow",
        [("t/#", 1)],
        lambda event: inbox.put(event) and None,
        limits=ConnectionLimits(receive_max=1),
        manual_ack=True,
    )
    server.publish("t/first", b"1", retain=True)
    link.start()
    message = received(inbox)
    assert link.up_at > 0.0
    server.publish("t/second", b"")
    server.publish("t/third", b"")
    assert not has(ReceivedMessage)(inbox.take(0.5))
    for topic in ("t/second", "t/third"):
        message.acknowledge()
        message = received(inbox)
        assert message.topic == topic
    link.close()
    assert link.up_at == 0.0
    message.acknowledge()  # to a connection that is gone: nothing happens


def test_many_messages_come_in_order_and_each_is_confirmed(broker: Mosquitto, server: FakeServer) -> None:
    sent = [bytes([number % 251]) * (number * 37 % 9_000) for number in range(1_500)] + [b"x" * 250_000, b"end"]
    got: list[bytes] = []
    ended, subscribed = threading.Event(), threading.Event()

    def deliver(event: LinkEvent) -> None:
        if not isinstance(event, ReceivedMessage):
            return
        event.acknowledge()
        if event.retained:
            subscribed.set()
            return
        got.append(event.payload)
        if event.payload == b"end":
            ended.set()

    limits = ConnectionLimits(receive_max=20)
    address = BrokerAddress("127.0.0.1", broker.port)
    link = MqttClient(address, "busy", [("t/#", 1)], deliver, limits=limits, manual_ack=True)
    server.publish("t/first", b"1", retain=True)
    link.start()
    assert subscribed.wait(120.0)
    for payload in sent:
        server.publish("t/many", payload)
    assert ended.wait(120.0), f"{len(got)} of {len(sent)}: without its PUBACK the broker sends no more than 20"
    assert got == sent
    link.close()


@pytest.mark.parametrize("version", [MQTTProtocolVersion.MQTTv5, MQTTProtocolVersion.MQTTv311])
def test_messages_that_are_sent_together_all_arrive(broker: Mosquitto, version: MQTTProtocolVersion) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    address = BrokerAddress("127.0.0.1", broker.port)
    link = MqttClient(address, "many", [("t/#", 0)], lambda event: inbox.put(event) and None, manual_ack=True)
    link.publish_together([Outgoing("t/early", b"there is no connection", qos=0)])
    link._version = version
    link.start()
    collect(inbox, has(Connected))
    link.publish(Outgoing("t/subscribed", b""))
    collect(inbox, has(ReceivedMessage))
    sent = [(f"t/{number}", bytes(number * 7 % 500)) for number in range(2_000)]
    link.publish_together([])
    link.publish_together([Outgoing(topic, payload, qos=0) for topic, payload in sent])
    link.publish(Outgoing("t/end", b""))

    def is_end(events: list[LinkEvent]) -> bool:
        return any(isinstance(event, ReceivedMessage) and event.topic == "t/end" for event in events)

    got = [event for event in collect(inbox, is_end) if isinstance(event, ReceivedMessage)]
    assert [(message.topic, message.payload) for message in got[:-1]] == sent
    assert link.version == version
    link.close()


def test_a_client_of_the_same_name_takes_the_connection_over(broker: Mosquitto) -> None:
    inbox: Inbox[LinkEvent] = Inbox()
    link = make(broker.port, inbox)
    link.start()
    collect(inbox, has(Connected))
    assert take_over(BrokerAddress("127.0.0.1", broker.port), [DEVICE, "nobody"], Login("server"))
    collect(inbox, has(Disconnected))
    collect(inbox, has(Connected))
    link.close()


class OldBroker:
    """A broker for 3.1.1 only. It answers MQTT 5 with `refusal`, or not at all if that is empty."""

    def __init__(self, refusal: bytes) -> None:
        self.levels: list[int] = []
        self._refusal = refusal
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._peers: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            self._peers.append(peer)
            threading.Thread(target=self._greet, args=(peer,), daemon=True).start()

    def _greet(self, peer: socket.socket) -> None:
        connect = peer.recv(4096)
        level = connect[connect.index(b"MQTT") + 4]
        self.levels.append(level)
        if level == 4:
            peer.sendall(b"\x20\x02\x00\x00")
        elif self._refusal:
            peer.sendall(self._refusal)
            peer.close()

    def close(self) -> None:
        self._socket.close()
        for peer in self._peers:
            peer.close()


@contextmanager
def old_broker(refusal: bytes) -> Iterator[OldBroker]:
    broker = OldBroker(refusal)
    yield broker
    broker.close()


@pytest.mark.parametrize("refusal", [b"\x20\x02\x00\x01", b"\x20\x03\x00\x84\x00", b""], ids=["3.1.1 code", "5 code", "silence"])
def test_an_old_broker_is_spoken_to_in_its_own_version(refusal: bytes) -> None:
    with old_broker(refusal) as broker:
        inbox: Inbox[LinkEvent] = Inbox()
        link = make(broker.port, inbox)
        link.start()
        collect(inbox, has(Connected))
        assert broker.levels == [5, 4]
        assert link.version == 4
        link.close(None, 0.1)
