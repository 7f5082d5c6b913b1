"""Inference over MQTT with a real broker and an independent client, in both versions of the protocol."""

from __future__ import annotations

import json
import queue
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from edgefleet_agent.serving.mqtt.service import HEADER, MqttService
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.mqtt.address import BrokerAddress
from tests.agent.fakes.bench import Broker
from tests.agent.serving.conftest import SERVER, Api

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not installed"),
]

WAIT_S = 30.0
ROOT = "line/3/infer"


class InferenceClient:
    """Publishes requests and receives answers."""

    def __init__(self, port: int, version: MQTTProtocolVersion = MQTTProtocolVersion.MQTTv5, root: str = ROOT) -> None:
        self.received: queue.Queue[paho.MQTTMessage] = queue.Queue()
        self._version = version
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=version)
        self._client.on_message = lambda _client, _data, message: self.received.put(message)
        subscribed: queue.Queue[object] = queue.Queue()
        self._client.on_subscribe = lambda *arguments: subscribed.put(arguments)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self._client.subscribe([("replies/#", 1), (f"{root}/+/answer/#", 1), (f"{root}/status", 1)])
        subscribed.get(timeout=WAIT_S)
        while self.next().payload != b"online":
            pass

    def next(self) -> paho.MQTTMessage:
        return self.received.get(timeout=WAIT_S)

    def ask(self, topic: str, payload: bytes, retain: bool = False, **properties: Any) -> None:
        packed = None
        if properties:
            packed = Properties(PacketTypes.PUBLISH)
            for name, value in properties.items():
                setattr(packed, name, value)
        self._client.publish(topic, payload, 1, retain, packed)

    def listen(self, topic_filter: str) -> None:
        self._client.subscribe(topic_filter, 1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    made = Broker(tmp_path_factory.mktemp("broker"))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def listener(api: Api, broker: Broker) -> Iterator[MqttService]:
    made = MqttService(BrokerAddress("127.0.0.1", broker.port), ROOT, api.catalogue, SERVER)
    yield made
    made.close()


@pytest.fixture(params=[MQTTProtocolVersion.MQTTv5, MQTTProtocolVersion.MQTTv311], ids=["5", "3.1.1"])
def client(request: pytest.FixtureRequest, broker: Broker, listener: MqttService) -> Iterator[InferenceClient]:
    made = InferenceClient(broker.port, request.param)
    yield made
    made.close()


def body(value: float, **more: Any) -> bytes:
    tensor = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": [value] * 16}
    return json.dumps({"inputs": [tensor], **more}).encode()


def test_topics_and_ids_match_answers_to_requests(client: InferenceClient) -> None:
    client.ask(f"{ROOT}/identity_fp32/infer", body(1.0, id="seven"))
    answer = client.next()
    found = json.loads(answer.payload)
    assert (answer.topic, found["id"], found["outputs"][0]["data"]) == (f"{ROOT}/identity_fp32/answer", "seven", [1.0] * 16)
    client.ask(f"{ROOT}/identity_fp32/infer/frame-12", np.full(16, 2.0, np.float32).tobytes())  # only the tensor
    answer = client.next()
    assert answer.topic == f"{ROOT}/identity_fp32/answer/frame-12"
    assert json.loads(answer.payload)["outputs"][0]["data"] == [2.0] * 16


def test_errors_are_answered(client: InferenceClient) -> None:
    for topic, payload, message in (
        ("nothing/infer", body(1.0), "not found"),
        ("identity_fp32/infer/x", b"{", "failed to parse"),
        ("identity_fp32/infer", bytes(63), "requires 64 bytes"),
    ):
        client.ask(f"{ROOT}/{topic}", payload)
        answer = client.next()
        assert answer.topic == f"{ROOT}/{topic.replace('infer', 'answer')}"
        assert message in json.loads(answer.payload)["error"]


def test_response_topic_correlation_and_raw_tensors_of_mqtt_5(broker: Broker, listener: MqttService) -> None:
    assert ROOT in listener.address
    client = InferenceClient(broker.port, MQTTProtocolVersion.MQTTv5)
    tensor = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "parameters": {"binary_data_size": 64}}
    head = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    raw = np.arange(16, dtype=np.float32).tobytes()
    for number in range(3):  # the second and third from their template
        client.ask(
            f"{ROOT}/identity_fp32/infer",
            head + raw,
            ResponseTopic="replies/mine",
            CorrelationData=b"\x00call %d" % number,
            UserProperty=[(HEADER, str(len(head)))],
        )
    for number in range(3):
        answer = client.next()
        assert answer.topic == "replies/mine"
        assert answer.properties is not None
        assert answer.properties.CorrelationData == b"\x00call %d" % number
        size = int(dict(answer.properties.UserProperty)[HEADER])
        assert json.loads(answer.payload[:size])["outputs"][0]["parameters"] == {"binary_data_size": 64}
        assert answer.payload[size:] == raw
    client.close()


def test_a_retained_request_is_not_answered(broker: Broker, api: Api) -> None:
    keeper = paho.Client(CallbackAPIVersion.VERSION2)
    keeper.connect("127.0.0.1", broker.port)
    keeper.loop_start()
    keeper.publish("kept/infer/identity_fp32/infer", body(1.0), 1, retain=True).wait_for_publish(WAIT_S)
    answers: queue.Queue[paho.MQTTMessage] = queue.Queue()
    keeper.on_message = lambda _client, _data, message: answers.put(message)
    keeper.subscribe("kept/infer/#", 1)
    assert answers.get(timeout=WAIT_S).retain
    listener = MqttService(BrokerAddress("127.0.0.1", broker.port), "kept/infer", api.catalogue, SERVER, client="other")
    while answers.get(timeout=WAIT_S).payload != b"online":
        pass
    keeper.publish("kept/infer/identity_fp32/infer", body(2.0), 1).wait_for_publish(WAIT_S)
    found = [answers.get(timeout=WAIT_S) for _ in range(2)]
    assert [json.loads(each.payload)["outputs"][0]["data"][0] for each in found if each.topic.endswith("answer")] == [2.0]
    keeper.publish("kept/infer/identity_fp32/infer", b"", 1, retain=True).wait_for_publish(WAIT_S)
    listener.close()
    keeper.disconnect()
    keeper.loop_stop()


def test_a_root_with_wildcards_is_refused(api: Api) -> None:
    with pytest.raises(InputError, match="without wildcards"):
        MqttService(BrokerAddress("127.0.0.1", 1), "a/+/b", api.catalogue, SERVER)


def test_a_response_topic_with_a_wildcard_is_refused_and_others_are_answered(listener: MqttService, broker: Broker) -> None:
    """No broker accepts an answer to it: the error is sent to the default topic, and the service continues."""
    asker = InferenceClient(broker.port)
    for topic in ("a/#", "a/+/b", "#"):
        asker.ask(f"{ROOT}/identity_fp32/infer", body(1.0), ResponseTopic=topic)
        refused = asker.next()
        assert refused.topic == f"{ROOT}/identity_fp32/answer"
        assert "wildcard" in json.loads(refused.payload)["error"]
    asker.ask(f"{ROOT}/identity_fp32/infer", body(2.0))
    assert json.loads(asker.next().payload)["outputs"][0]["data"][0] == 2.0
    asker.close()


FORBIDDEN = (
    "$SYS/broker/uptime",
    "$share/group/replies/x",
    "edgefleet/v1/d/other/up/telemetry",
    "edgefleet/v1/d/other/down/command",
    "edgefleet/v2/x",
    f"{ROOT}/status",
    f"{ROOT}/identity_fp32/infer",
    f"{ROOT}/identity_fp32/infer/x",
    "replies/" + "x" * 600,
)


def test_no_request_makes_the_service_speak_for_others(listener: MqttService, broker: Broker) -> None:
    """The error goes to the default topic, with the correlation data; nothing appears on the topic that was named."""
    asker = InferenceClient(broker.port)
    asker.listen("edgefleet/#")
    for number, topic in enumerate(FORBIDDEN):
        asker.ask(f"{ROOT}/identity_fp32/infer", body(1.0), ResponseTopic=topic, CorrelationData=b"%d" % number)
        refused = asker.next()
        assert refused.topic == f"{ROOT}/identity_fp32/answer"
        assert "response topic" in json.loads(refused.payload)["error"]
        assert refused.properties is not None
        assert refused.properties.CorrelationData == b"%d" % number
    for topic in ("replies/mine", f"{ROOT}/identity_fp32/answer/mine"):
        asker.ask(f"{ROOT}/identity_fp32/infer", body(2.0), ResponseTopic=topic)
        answer = asker.next()
        assert (answer.topic, json.loads(answer.payload)["outputs"][0]["data"][0]) == (topic, 2.0)
    asker.close()


HOSTILE = (
    (b"", {}),
    (b"{", {}),
    (b"[" * 100_000, {}),
    (b"\xff" * 5000, {}),
    (b"{}", {"UserProperty": [(HEADER, "-1")]}),
    (b"{}", {"UserProperty": [(HEADER, "99999999")]}),
    (b"{}", {"UserProperty": [(HEADER, "9" * 500)]}),
    (b"{}", {"UserProperty": [("x", "y")] * 500}),
    (b"{}", {"CorrelationData": b"\x00" * 60_000}),
    (bytes(900_000), {}),
)


def test_hostile_bodies_are_answered_each_and_others_are_served(listener: MqttService, broker: Broker) -> None:
    asker, other = InferenceClient(broker.port), InferenceClient(broker.port)
    for number, (payload, properties) in enumerate(HOSTILE):
        asker.ask(f"{ROOT}/identity_fp32/infer", payload, ResponseTopic=f"replies/{number}", **properties)
        answer = asker.next()
        assert answer.topic == f"replies/{number}"
        assert "error" in json.loads(answer.payload)
        if "CorrelationData" in properties:
            assert answer.properties is not None
            assert answer.properties.CorrelationData == properties["CorrelationData"]
    other.ask(f"{ROOT}/identity_fp32/infer", body(3.0), ResponseTopic="replies/other")
    while (answer := other.next()).topic != "replies/other":
        pass
    assert json.loads(answer.payload)["outputs"][0]["data"][0] == 3.0
    asker.close()
    other.close()


def test_a_flood_is_bounded_and_a_request_after_it_is_served(listener: MqttService, broker: Broker) -> None:
    """Each request of the flood has one answer or none, an outcome or a refusal; never more pending than the limit."""
    asker = InferenceClient(broker.port)
    for number in range(2000):
        asker.ask(f"{ROOT}/identity_fp32/infer", body(float(number)), ResponseTopic=f"replies/{number}")
    asker.ask(f"{ROOT}/identity_fp32/infer", body(0.0), ResponseTopic="replies/last")
    found: list[str] = []
    while "replies/last" not in found:  # requests of one client arrive in their order
        try:
            answer = asker.received.get(timeout=2.0)
        except queue.Empty:  # it was dropped with others
            asker.ask(f"{ROOT}/identity_fp32/infer", body(0.0), ResponseTopic="replies/last")
            continue
        result = json.loads(answer.payload)
        if "error" in result:
            assert result["retry_s"] == 1
        elif answer.topic != "replies/last":
            assert answer.topic == f"replies/{result['outputs'][0]['data'][0]:.0f}"
        found.append(answer.topic)
    assert len(found) == len(set(found)), "one answer at most"
    assert listener.wait_idle(WAIT_S)
    asker.ask(f"{ROOT}/identity_fp32/infer", body(7.0), ResponseTopic="replies/after")
    while (answer := asker.next()).topic != "replies/after":
        pass
    assert json.loads(answer.payload)["outputs"][0]["data"][0] == 7.0
    asker.close()
