"""The sink `kafka` against the brokers that librdkafka brings for tests: they listen on TCP and speak the protocol."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.sinks.base import SinkContext
from edgefleet_agent.sinks.event_sinks import EventSinks
from edgefleet_agent.sinks.host import SinkStart
from edgefleet_agent.sinks.kafka import KafkaSink
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Event

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed: edgefleet-agent[kafka]")
TOPIC = "edgefleet.events"


@pytest.fixture
def broker() -> Iterator[str]:
    """HOST:PORT of a broker, which lives as long as its producer."""
    owner = confluent_kafka.Producer({"bootstrap.servers": "x", "test.mock.num.brokers": 1, "log_level": 0})
    (found,) = owner.list_topics(timeout=10).brokers.values()
    yield f"{found.host}:{found.port}"
    del owner


def consumed(broker: str, count: int) -> list[Any]:
    """The first messages of the topic."""
    consumer = confluent_kafka.Consumer(
        {"bootstrap.servers": broker, "group.id": "test", "auto.offset.reset": "earliest", "log_level": 0}
    )
    consumer.assign([confluent_kafka.TopicPartition(TOPIC, number, 0) for number in range(4)])
    found, ends_s = [], time.monotonic() + 120
    while len(found) < count and time.monotonic() < ends_s:
        message = consumer.poll(0.2)
        if message is not None and message.error() is None:
            found.append(message)
    consumer.close()
    return found


def context(folder: Path, **options: Any) -> SinkContext:
    return SinkContext("plant", "cam-1", options, folder)


def test_events_are_in_the_topic_in_order(broker: str, tmp_path: Path) -> None:
    options = {"brokers": broker, "topic": TOPIC}
    start = SinkStart(kind="kafka", name="plant", device="cam-1", folder=str(tmp_path), options=options)
    with EventSinks([sys.executable, "-m", "edgefleet_agent", "sink", "--fd"], [start]) as sinks:
        for number in range(20):
            sinks.put(Event(kind="visit", id=str(number)))
        ends_s = time.monotonic() + 120
        while sinks.status()["plant"]["written"] < 20:
            assert time.monotonic() < ends_s, sinks.status()
            time.sleep(0.02)
    messages = consumed(broker, 20)
    assert [decode(each.value(), Event).id for each in messages] == [str(number) for number in range(20)]
    assert {each.key() for each in messages} == {b"cam-1"}
    assert len({each.partition() for each in messages}) == 1, "one device, one order"


def test_a_broker_that_is_away_may_come_back(tmp_path: Path) -> None:
    sink = KafkaSink(context(tmp_path, brokers="127.0.0.1:1", topic=TOPIC, timeout_s=1.0))
    with pytest.raises(UnavailableError, match=r"no answer of 127\.0\.0\.1:1"):
        sink.start()
    sink.close()


def test_an_event_of_a_lost_broker_is_not_taken_for_delivered(tmp_path: Path) -> None:
    owner = confluent_kafka.Producer({"bootstrap.servers": "x", "test.mock.num.brokers": 1, "log_level": 0})
    (found,) = owner.list_topics(timeout=10).brokers.values()
    sink = KafkaSink(context(tmp_path, brokers=f"{found.host}:{found.port}", topic=TOPIC, timeout_s=1.0))
    sink.start()
    sink.put(Event(kind="visit", id="1"))
    del owner
    with pytest.raises(UnavailableError, match="not delivered"):
        sink.put(Event(kind="visit", id="2"))
    sink.close()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "'brokers' is missing"),
        ({"brokers": "a:1", "topic": "no topic"}, "topic"),
        ({"brokers": "a:1", "topic": "t", "acks": 0}, "unknown option 'acks'; known are brokers, topic, timeout_s, client_file"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        KafkaSink(context(tmp_path, **options))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (None, "client.conf: no such file"),
        ("linger.ms=5", "linger.ms is set by the options of the sink; remove the line"),
        ("# mine\ncolour = red", 'No such configuration property: "colour"'),
    ],
)
def test_wrong_client_files(tmp_path: Path, file: str | None, text: str) -> None:
    if file is not None:
        (tmp_path / "client.conf").write_text(file)
    sink = KafkaSink(context(tmp_path, brokers="127.0.0.1:1", topic=TOPIC, client_file="client.conf"))
    with pytest.raises(InputError, match=text):
        sink.start()
