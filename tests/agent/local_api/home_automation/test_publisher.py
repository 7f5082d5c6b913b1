"""Home automation: topics and documents on a real broker."""

from __future__ import annotations

import itertools
import json
import queue
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_agent.local_api.home_automation.discovery import Discovery, named_labels
from edgefleet_agent.local_api.home_automation.event_pictures import crop_box
from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics, topic_level, zone_places
from edgefleet_agent.local_api.home_automation.open_objects import FILE, OpenObjects
from edgefleet_agent.local_api.home_automation.presence import HOLD_S, PresenceCounts, ZoneCounts
from edgefleet_agent.local_api.home_automation.publisher import HomePublisher, TopicPrefix
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.sources.camera_switches import SWITCHES, CameraSwitches
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.mqtt.address import BrokerAddress as Address
from edgefleet_contract.mqtt.address import Login
from edgefleet_contract.pipeline.spec import PipelineSpec, RuleSpec
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges
from tests.agent.fakes.bench import Broker
from tests.agent.local_api.conftest import frame, person, stay


class Home:
    """A client of the broker that receives everything."""

    def __init__(self, port: int) -> None:
        self.received: queue.Queue[tuple[str, bytes, bool]] = queue.Queue()
        self.state: dict[str, bytes] = {}
        self.types: list[str] = []
        self.times: Counter[str] = Counter()
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe("#")
        self._client.on_message = lambda _client, _data, message: self.received.put(
            (message.topic, message.payload, message.retain)
        )
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def until(self, topic: str, accept: Callable[[bytes], bool] = lambda _: True) -> bytes:
        """Listen until a message on `topic` is accepted by `accept`; all received messages are in `state`."""
        ends_s = time.monotonic() + 120
        if topic in self.state and accept(self.state[topic]):
            return self.state[topic]
        while time.monotonic() < ends_s:
            try:
                received, payload, _ = self.received.get(timeout=1)
            except queue.Empty:
                continue
            self.state[received] = payload
            self.times[received] += 1
            if received.endswith("/events"):
                self.types.append(json.loads(payload)["type"])
            if received == topic and accept(payload):
                return payload
        raise AssertionError(f"nothing as wanted on {topic}; heard {sorted(self.state)}")

    def say(self, topic: str, payload: str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def home(broker: Broker) -> Iterator[Home]:
    home = Home(broker.port)
    yield home
    home.close()


@pytest.fixture
def switches() -> CameraSwitches:
    return CameraSwitches()


def opened(
    broker: Broker,
    switches: CameraSwitches,
    objects: OpenObjects | None = None,
    on_fault: Callable[[str, bool], None] = lambda _text, _over: None,
) -> HomePublisher:
    hub = LocalApiHub("hall-7", "1.2.3")
    hub.switches_of = {"hall": switches}.get
    integration = HomePublisher(
        Address("127.0.0.1", broker.port),
        Login("house", "secret"),
        TopicPrefix(FrigateTopics("frigate"), "homeassistant", 0.0),
        "hall-7",
        "1.2.3",
        "",
        lambda: {"cameras": {"hall": {"camera_fps": 10.0}}},
        hub,
        objects,
        on_fault,
    )
    hub.integrations.append(integration)
    return integration


@pytest.fixture
def integration(broker: Broker, switches: CameraSwitches) -> Iterator[HomePublisher]:
    integration = opened(broker, switches)
    yield integration
    integration.close()


def test_a_visit_as_users_of_frigate_know_it(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    home.until("frigate/available", lambda payload: payload == b"online")
    home.until("frigate/hall/person", lambda payload: payload == b"None")  # no frame was analyzed yet
    integration.on_event(stay(EventPhase.NEW), b"")
    integration.on_frame("hall", frame(), [person(1), person(2)])
    assert home.until("frigate/hall/person", lambda payload: payload not in (b"0", b"None")) == b"2"
    assert home.until("frigate/door/person", lambda payload: payload != b"None") == b"1"
    new = json.loads(home.until("frigate/events"))
    assert new["type"] == "new"
    assert (new["after"]["camera"], new["after"]["label"], new["after"]["current_zones"]) == ("hall", "person", ["door"])
    assert new["after"]["end_time"] is None
    picture = home.until("frigate/hall/person/snapshot")
    assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR).shape[0] < 180
    integration.on_event(stay(EventPhase.UPDATE), b"")
    update = json.loads(home.until("frigate/events", lambda payload: json.loads(payload)["type"] == "update"))
    assert update["before"] == new["after"]
    integration.on_event(stay(EventPhase.END), b"")
    assert home.until("frigate/door/person", lambda payload: payload == b"0")
    assert home.until("frigate/door/all/active", lambda payload: payload == b"0")
    for index in (1, 30):  # the track is lost
        integration.on_frame("hall", frame(index), [])
    end = json.loads(home.until("frigate/events", lambda payload: json.loads(payload)["type"] == "end"))["after"]
    assert (end["id"], end["start_time"]) == (new["after"]["id"], 1_790_000_000.0)
    assert end["end_time"] >= 1_790_000_008.0
    assert (end["current_zones"], end["entered_zones"]) == ([], ["door"])
    assert (end["coverage"], end["model_digest"], end["config_digest"]) == (0.98, "e" * 64, "c" * 64)
    assert list(dict.fromkeys(home.types)) == ["new", "update", "end"]
    assert (home.types.count("new"), home.types.count("end")) == (1, 1)


def test_lines_statuses_rates_and_a_better_view(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    home.until("frigate/hall/gate/in", lambda payload: payload == b"0")
    for number in (1, 2):
        integration.on_event(
            Event(
                kind="line",
                id=f"c-{number}",
                pipeline="hall",
                rule="crossings",
                line="gate",
                direction="in",
                label="person",
                track_id=number,
            ),
            b"",
        )
    assert home.until("frigate/hall/gate/in", lambda payload: payload == b"2")
    assert home.types == ["new", "new"]
    integration.on_frame("hall", frame(), [person()])
    home.until("frigate/hall/person", lambda payload: payload == b"1")
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    home.until("frigate/hall/status/detect", lambda payload: payload == b"online")
    assert json.loads(home.until("frigate/stats"))["cameras"]["hall"]["camera_fps"] == 10.0
    better = stay(EventPhase.UPDATE)
    better.data["best"] = {"at_s": 3.0, "score": 0.97, "box": [10.0, 10.0, 60.0, 60.0]}
    done, jpeg = cv2.imencode(".jpg", np.full((100, 100, 3), 200, np.uint8))
    assert done
    integration.on_event(better, jpeg.tobytes())
    picture = cv2.imdecode(np.frombuffer(home.until("frigate/hall/person/snapshot"), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (66, 66, 3)
    integration.on_event(stay(EventPhase.NEW), b"")
    home.until("frigate/door/person", lambda payload: payload == b"1")
    integration.on_gauges({"hall": PipelineGauges(state="source_lost", reason="the camera does not respond")})
    home.until("frigate/hall/status/detect", lambda payload: payload == b"offline")
    home.until("frigate/hall/status/reason", lambda payload: payload == b"the camera does not respond")
    home.until("frigate/hall/person", lambda payload: payload == b"None")
    home.until("frigate/door/person", lambda payload: payload == b"None")
    unseen = stay(EventPhase.END)
    unseen.data["end_reason"] = "source_lost"
    integration.on_event(unseen, b"")
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    home.until("frigate/hall/status/detect", lambda payload: payload == b"online")
    assert home.until("frigate/door/person", lambda payload: payload != b"None") == b"0"
    assert home.state["frigate/hall/person"] == b"None"  # until a frame is analysed
    integration.on_frame("hall", frame(), [])
    home.until("frigate/hall/person", lambda payload: payload == b"0")
    integration.on_gauges({"hall": PipelineGauges(state="ended")})
    home.until("frigate/hall/status/detect", lambda payload: payload == b"offline")
    home.until("frigate/hall/person", lambda payload: payload == b"None")


def test_counts_of_all_and_of_active_ones(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    home.until("frigate/hall/all/active", lambda payload: payload == b"None")
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    home.until("frigate/hall/all/active", lambda payload: payload == b"0")
    dog = ModelOutput(label="dog", class_id=9, score=0.7, box=(1.0, 1.0, 9.0, 9.0), track_id=9)
    integration.on_event(stay(EventPhase.NEW), b"")
    integration.on_frame("hall", frame(), [person(1), person(2), dog])
    home.until("frigate/hall/all", lambda payload: payload == b"3")
    home.until("frigate/hall/person/active", lambda payload: payload == b"2")
    home.until("frigate/door/all", lambda payload: payload == b"1")
    home.until("frigate/door/person/active", lambda payload: payload == b"1")
    integration.on_frame("hall", frame(101), [person(1), person(2), dog])  # ten seconds later, where they were
    for topic in ("hall/person/active", "hall/all/active", "door/person/active", "door/all/active"):
        home.until(f"frigate/{topic}", lambda payload: payload == b"0")
    assert (home.state["frigate/hall/all"], home.state["frigate/door/person"]) == (b"3", b"1")
    integration.on_pipelines([])
    home.until("frigate/hall/all", lambda payload: not payload)


def test_motion_is_on_or_off_and_unknown_without_the_camera(
    home: Home, integration: HomePublisher, hall: PipelineSpec, broker: Broker
) -> None:
    stages = [msgspec.structs.replace(hall.stages[0], name="moves", kind="motion", model="", labels=[])]
    stages.append(msgspec.structs.replace(hall.stages[1], from_="moves"))
    integration.on_pipelines([msgspec.structs.replace(hall, stages=stages)])
    assert home.until("frigate/hall/motion") == b"None"
    integration.on_motion("hall", True)
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    home.until("frigate/hall/motion", lambda payload: payload == b"ON")
    document = json.loads(home.until("homeassistant/binary_sensor/edgefleet_hall-7/hall_motion/config"))
    assert (document["state_topic"], document["device_class"]) == ("frigate/hall/motion", "motion")
    moving = ModelOutput(label="motion", class_id=1, score=0.9, box=(1.0, 1.0, 9.0, 9.0), track_id=1)
    integration.on_frame("hall", frame(), [moving])
    integration.on_gauges({"hall": PipelineGauges(state="source_lost")})
    home.until("frigate/hall/motion", lambda payload: payload == b"None")
    integration.on_motion("hall", False)
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    home.until("frigate/hall/motion", lambda payload: payload == b"OFF")
    assert not any(topic.startswith("homeassistant/sensor/edgefleet_hall-7/hall_motion") for topic in home.state)


def test_crowds_and_occupancy_have_topics_and_are_no_objects(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    rules = [RuleSpec(name="full", kind="crowd", limit=2), RuleSpec(name="inside", kind="occupancy", zone="door")]
    integration.on_pipelines([msgspec.structs.replace(hall, rules=[*hall.rules, *rules])])
    node = "homeassistant/{}/edgefleet_hall-7/{}/config"
    assert json.loads(home.until(node.format("binary_sensor", "hall_full")))["state_topic"] == "frigate/hall/rule/full"
    assert json.loads(home.until(node.format("sensor", "hall_inside")))["state_topic"] == "frigate/hall/rule/inside"
    crowd = Event(kind="crowd", id="f-1", phase=EventPhase.NEW, pipeline="hall", rule="full", count=3)
    integration.on_event(crowd, b"")
    integration.on_event(
        Event(kind="occupancy", id="i-1", phase=EventPhase.UPDATE, pipeline="hall", rule="inside", zone="door", count=3), b""
    )
    assert home.until("frigate/hall/rule/inside") == b"3"
    assert home.until("frigate/hall/rule/full") == b"ON"
    integration.on_event(msgspec.structs.replace(crowd, phase=EventPhase.END), b"")
    home.until("frigate/hall/rule/full", lambda payload: payload == b"OFF")
    assert home.types == []


def test_a_lost_camera_and_the_end_of_the_agent_end_objects(
    home: Home, integration: HomePublisher, hall: PipelineSpec, switches: CameraSwitches
) -> None:
    integration.on_pipelines([hall])
    home.until("frigate/available", lambda payload: payload == b"online")
    ends = itertools.count(1)

    def until_ended(act: Callable[[], None]) -> None:
        integration.on_event(stay(EventPhase.NEW, next(ends)), b"")
        home.until("frigate/events", lambda payload: json.loads(payload)["type"] == "new")
        act()
        home.until("frigate/events", lambda payload: json.loads(payload)["type"] == "end")

    until_ended(lambda: integration.on_gauges({"hall": PipelineGauges(state="source_lost")}))
    integration.on_gauges({"hall": PipelineGauges(state="running")})
    until_ended(lambda: home.say("frigate/hall/detect/set", "OFF"))
    until_ended(integration.close)
    assert home.types == ["new", "end"] * 3


def test_the_activity_of_cameras_on_request(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    home.until("frigate/available", lambda payload: payload == b"online")
    integration.on_event(stay(EventPhase.NEW), b"")
    home.until("frigate/events")
    home.say("frigate/onConnect", "")
    activity = json.loads(home.until("frigate/camera_activity"))["hall"]
    assert activity["config"] == {"enabled": True, "detect": True, "snapshots": True, "record": True}
    assert activity["motion"] is None
    (found,) = activity["objects"]
    assert (found["id"], found["label"], found["stationary"], found["current_zones"]) == (
        "a1b2-zone-1",
        "person",
        False,
        ["door"],
    )


def test_home_assistant_finds_the_device_and_loses_removed_entities(
    home: Home, integration: HomePublisher, hall: PipelineSpec, pump: PipelineSpec
) -> None:
    node = "homeassistant/{}/edgefleet_hall-7/{}/config"
    integration.on_pipelines([hall, pump])
    alarm = json.loads(home.until(node.format("binary_sensor", "pump_unusual")))
    assert (alarm["state_topic"], alarm["device_class"]) == ("frigate/pump/unusual", "problem")
    occupied = json.loads(home.until(node.format("binary_sensor", "hall_person")))
    assert occupied["unique_id"] == "edgefleet_hall-7_binary_sensor_hall_person"
    assert occupied["object_id"] == "hall-7_hall_person"
    assert occupied["default_entity_id"] == "binary_sensor.hall_7_hall_person"
    assert occupied["device"]["identifiers"] == ["edgefleet_hall-7"]
    assert {one["topic"] for one in occupied["availability"]} == {"frigate/available", "frigate/hall/status/detect"}
    assert json.loads(home.until(node.format("image", "hall_person")))["image_topic"] == "frigate/hall/person/snapshot"
    assert json.loads(home.until(node.format("camera", "hall_newest_event")))["topic"] == "frigate/hall/snapshot"
    rate = json.loads(home.until(node.format("sensor", "hall_camera_fps")))
    assert rate["value_template"] == "{{ value_json.cameras['hall'].camera_fps }}"
    integration.on_event(
        Event(kind="anomaly", id="p-1", phase=EventPhase.NEW, pipeline="pump", rule="unusual", label="anomaly"), b""
    )
    home.until("frigate/pump/unusual", lambda payload: payload == b"ON")
    home.state.clear()
    home.say("homeassistant/status", "online")  # Home Assistant was started again
    home.until(node.format("image", "hall_person"))
    integration.on_pipelines([pump])
    assert home.until(node.format("image", "hall_person"), lambda payload: not payload) == b""


def test_documents_of_an_earlier_run_go_and_labels_seen_then_stay(
    broker: Broker, home: Home, switches: CameraSwitches, hall: PipelineSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edgefleet_agent.local_api.home_automation.published_documents.SETTLED_S", 0.5)
    node = "homeassistant/binary_sensor/edgefleet_{}/{}/config"
    removed = [(node.format("hall-7", "yard_cat"), "yard/cat"), (node.format("hall-7", "hall_ramp_person"), "ramp/person")]
    remaining = [
        (node.format("hall-7", "hall_dog"), "hall/dog"),
        (node.format("hall-7", "hall_door_dog"), "door/dog"),
        (node.format("yard-1", "yard_cat"), "yard/cat"),
    ]
    for topic, state in (*removed, *remaining):
        home.say(topic, json.dumps({"state_topic": f"frigate/{state}"}), retain=True)
        home.until(topic)
    integration = opened(broker, switches)
    try:
        integration.on_gauges({})
        integration.on_pipelines([hall])
        home.until("frigate/hall/person")
        time.sleep(0.6)
        integration.on_gauges({})
        for topic, _ in removed:
            assert home.until(topic, lambda payload: not payload) == b""
    finally:
        integration.close()
    home.until("frigate/available", lambda payload: payload == b"offline")
    assert all(home.state[topic] for topic, _ in remaining)


def test_zones_of_one_name_have_counts_of_their_own(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    integration.on_event(stay(EventPhase.NEW), b"")
    home.until("frigate/door/person", lambda payload: payload == b"1")
    yard = msgspec.structs.replace(hall, name="yard")
    integration.on_pipelines([hall, yard])
    home.until("frigate/door/person", lambda payload: not payload)
    home.until("frigate/hall/door/person", lambda payload: payload == b"1")
    entering = msgspec.structs.replace(stay(EventPhase.NEW, 2), pipeline="yard")
    integration.on_event(entering, b"")
    assert home.until("frigate/yard/door/person", lambda payload: payload not in (b"0", b"None")) == b"1"
    assert home.state["frigate/hall/door/person"] == b"1"
    places = zone_places([hall, yard])
    topics = [
        document["state_topic"]
        for spec in (hall, yard)
        for document in Discovery("ha", FrigateTopics("frigate"), "d", "1").camera(spec, ["person"], places).values()
        if document["name"].endswith("door person")
    ]
    assert topics == ["frigate/hall/door/person", "frigate/yard/door/person"]
    assert zone_places([hall, msgspec.structs.replace(hall, name="door")])["hall", "door"] == "hall/door", "a camera's name"
    integration.on_pipelines([hall])
    home.until("frigate/hall/door/person", lambda payload: not payload)
    home.until("frigate/door/person", lambda payload: payload == b"1")


def test_an_unnamed_label_gets_its_entity_when_it_is_seen(home: Home, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    dog = ModelOutput(label="hot dog/cold+dog", class_id=9, score=0.7, box=(1.0, 1.0, 9.0, 9.0))
    integration.on_frame("hall", frame(), [dog])
    home.until("frigate/hall/hot dog_cold_dog", lambda payload: payload == b"1")
    home.until("homeassistant/image/edgefleet_hall-7/hall_hot_dog_cold_dog/config")


def test_a_broker_that_comes_back_gets_the_current_state(broker: Broker, integration: HomePublisher, hall: PipelineSpec) -> None:
    integration.on_pipelines([hall])
    integration.on_event(stay(EventPhase.NEW), b"")
    broker.stop()
    integration.on_event(stay(EventPhase.NEW, 2), b"")
    broker.start()
    home = Home(broker.port)
    try:
        assert home.until("frigate/door/person", lambda payload: payload == b"2")
        home.until("frigate/available", lambda payload: payload == b"online")
        integration.close()
        home.until("frigate/available", lambda payload: payload == b"offline")
    finally:
        home.close()


def test_a_starting_service_publishes_everything_once(
    broker: Broker, home: Home, switches: CameraSwitches, hall: PipelineSpec, pump: PipelineSpec
) -> None:
    home.say("homeassistant/status", "online", retain=True)  # Home Assistant runs already
    home.until("homeassistant/status")
    integration = opened(broker, switches)
    try:
        for count in (1, 2):  # pipelines come one after the other
            integration.on_pipelines([hall, pump][:count])
            integration.on_pipelines([hall, pump][:count])
        home.until("frigate/pump/unusual")
        dog = ModelOutput(label="dog", class_id=9, score=0.7, box=(1.0, 1.0, 9.0, 9.0))
        integration.on_frame("hall", frame(), [dog])
        home.until("homeassistant/image/edgefleet_hall-7/hall_dog/config")
        integration.on_gauges({"hall": PipelineGauges(state="running"), "pump": PipelineGauges(state="running")})
        home.until("frigate/pump/unusual", lambda payload: payload == b"OFF")
    finally:
        integration.close()
    documents = {topic: times for topic, times in home.times.items() if topic.endswith("/config")}
    assert len(documents) > 20
    assert set(documents.values()) == {1}
    assert home.times["frigate/hall/detect/state"] == home.times["frigate/hall/gate/in"] == 1


def test_nothing_of_removed_cameras_and_lines_stays_at_the_broker(
    broker: Broker, home: Home, integration: HomePublisher, hall: PipelineSpec
) -> None:
    yard = msgspec.structs.replace(hall, name="yard")
    integration.on_pipelines([hall, yard])
    home.until("frigate/available", lambda payload: payload == b"online")
    for spec in (hall, yard):
        integration.on_gauges({spec.name: PipelineGauges(state="running")})
        integration.on_event(msgspec.structs.replace(stay(EventPhase.NEW, 1, "visit"), pipeline=spec.name), b"")
        integration.on_frame(spec.name, frame(), [person(1)])
    for topic in (
        "yard/snapshot",
        "yard/person/snapshot",
        "yard/status/detect",
        "yard/door/person",
        "hall/gate/in",
        "hall/snapshot",
    ):
        assert home.until(f"frigate/{topic}", bool)
    integration.on_pipelines([msgspec.structs.replace(hall, lines=[], rules=hall.rules[:2])])
    integration.on_gauges({"yard": PipelineGauges(state="ended")})  # of the moment in which it was removed
    integration.on_event(msgspec.structs.replace(stay(EventPhase.END, 1, "visit"), pipeline="yard"), b"")
    home.until("frigate/yard/snapshot", lambda payload: not payload)
    home.until("frigate/hall/gate/in", lambda payload: not payload)
    home.until("frigate/door/person", bool)
    integration.on_switch("hall", "motion", False)  # published after all of it
    home.until("frigate/hall/motion/state", lambda payload: payload == b"OFF")
    assert [topic for topic, payload in home.state.items() if payload and "/yard" in topic and "homeassistant" not in topic] == []
    assert home.state["frigate/hall/snapshot"]
    broker.stop()
    broker.start()  # it keeps nothing
    later = Home(broker.port)
    try:
        later.until("frigate/hall/motion/state")
        later.until("frigate/stats")
        assert [topic for topic, payload in later.state.items() if payload and ("yard" in topic or "/gate" in topic)] == []
    finally:
        later.close()


def test_objects_of_a_killed_worker_end_once(
    broker: Broker, home: Home, switches: CameraSwitches, hall: PipelineSpec, tmp_path: Path
) -> None:
    killed = opened(broker, switches, OpenObjects(tmp_path / FILE))
    killed.on_pipelines([hall])
    home.until("frigate/available", lambda payload: payload == b"online")
    killed.on_event(stay(EventPhase.NEW, 1), b"")
    first = json.loads(home.until("frigate/events"))["after"]
    killed._link.close()  # neither says farewell nor ends anything

    ready = False
    following = opened(broker, switches, OpenObjects(tmp_path / FILE, lambda: ready))
    try:
        following.on_pipelines([hall])
        home.state.clear()
        home.until("frigate/stats")
        following.on_event(stay(EventPhase.NEW, 2), b"")
        home.until("frigate/events")
        assert home.types == ["new", "new"], "the worker before may still end them itself"
        ready = True
        following.on_gauges({"hall": PipelineGauges(state="running")})
        end = json.loads(home.until("frigate/events", lambda payload: json.loads(payload)["type"] == "end"))
        assert (end["after"]["id"], end["after"]["end_time"]) == (first["id"], first["frame_time"])
        following.on_gauges({"hall": PipelineGauges(state="running")})
    finally:
        following.close()
    home.until("frigate/available", lambda payload: payload == b"offline")
    assert home.types == ["new", "new", "end", "end"]
    assert OpenObjects(tmp_path / FILE).take_due() == []


def test_a_broker_that_does_not_answer_is_a_fault_until_it_does(broker: Broker, switches: CameraSwitches) -> None:
    faults: queue.Queue[tuple[str, bool]] = queue.Queue()
    broker.stop()
    integration = opened(broker, switches, on_fault=lambda text, over: faults.put((text, over)))

    def reported() -> tuple[str, bool]:
        ends_s = time.monotonic() + 60
        while faults.empty() and time.monotonic() < ends_s:
            integration.on_gauges({})
            time.sleep(0.05)
        return faults.get_nowait()

    try:
        text, over = reported()
        assert (f"broker mqtt://127.0.0.1:{broker.port}: cannot connect" in text, over) == (True, False)
        broker.start()
        assert reported()[1]
    finally:
        integration.close()


def test_counts_fall_later_than_they_rise() -> None:
    presence = PresenceCounts(["person"])
    assert presence.counts == {"person": None}
    assert presence.update([], 9.0) == {"person": 0}
    assert presence.update([person(1), person(2)], 10.0) == {"person": 2}
    assert presence.update([person(1)], 10.0 + HOLD_S / 2) == {}
    assert presence.update([person(1)], 10.1 + HOLD_S) == {"person": 1}
    assert presence.clear() == {"person": None}
    assert presence.clear() == {}
    assert presence.update([ModelOutput(label="dog", class_id=3, score=0.5, box=(0, 0, 1, 1))], 12.0) == {"person": 0, "dog": 1}
    zones = ZoneCounts()
    counts = [
        zones.take(stay(phase, number)) for phase, number in ((EventPhase.NEW, 1), (EventPhase.UPDATE, 1), (EventPhase.NEW, 2))
    ]
    assert counts == [1, 1, 2]
    assert zones.take(stay(EventPhase.END, 1)) == 1
    assert zones.take(stay(EventPhase.NEW, 1, "visit")) is None


def test_words_and_sizes(hall: PipelineSpec, tmp_path: Path) -> None:
    del tmp_path
    assert topic_level("a/b+c#d") == "a_b_c_d"
    assert named_labels(hall) == ["person"]
    documents: dict[str, Any] = Discovery("ha", FrigateTopics("x"), "d", "1", "http://d:8002/").camera(
        hall, ["person"], {("hall", "door"): "door"}
    )
    assert all(document["device"]["configuration_url"] == "http://d:8002/" for document in documents.values())
    assert len({document["unique_id"] for document in documents.values()}) == len(documents)
    wide = np.zeros((1080, 1920, 3), np.uint8)
    assert crop_box(wide, (0.0, 0.0, 1900.0, 1080.0)).shape[0] == 270
    assert crop_box(wide, (3000.0, 3000.0, 3100.0, 3100.0)).shape == wide.shape


ENTITY_KEYS = {
    "binary_sensor": {"state_topic", "value_template", "device_class", "payload_on", "payload_off"},
    "button": {"command_topic", "payload_press"},
    "camera": {"topic"},
    "image": {"image_topic", "content_type"},
    "sensor": {"state_topic", "value_template", "state_class", "unit_of_measurement"},
    "switch": {"command_topic", "state_topic"},
}
"""Keys of Home Assistant's MQTT entities that documents use; `tests/long/test_home_assistant.py` asks Home Assistant itself."""
COMMON_KEYS = {
    *("name", "unique_id", "object_id", "default_entity_id", "availability", "availability_mode", "device", "origin"),
    *("entity_category", "icon"),
}


def test_documents_have_keys_and_ids_of_home_assistant(hall: PipelineSpec, pump: PipelineSpec) -> None:
    discovery = Discovery("ha", FrigateTopics("frigate"), "hall-7", "1")
    rules = [*hall.rules, RuleSpec(name="full", kind="crowd"), RuleSpec(name="inside", kind="occupancy")]
    labels = ["person", "hot dog", "人", "车"]
    camera = msgspec.structs.replace(hall, rules=rules)
    documents = discovery.camera(camera, labels, zone_places([camera])) | discovery.sensor(pump)
    assert (
        len(discovery.camera(camera, labels, zone_places([camera])))
        - len(discovery.camera(camera, labels[:1], zone_places([camera])))
        == 3 * 5
    ), "each label has five entities"
    for topic, document in documents.items():
        component = topic.split("/")[1]
        assert document.keys() <= COMMON_KEYS | ENTITY_KEYS[component]
        assert re.fullmatch(rf"{component}\.(?!.*__)[a-z0-9][a-z0-9_]*[a-z0-9]", document["default_entity_id"])
        assert re.fullmatch(r"ha/[a-z_]+/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config", topic)
        assert document.get("device_class") in {None, "connectivity", "motion", "occupancy", "problem"}
        assert document.get("state_class") in {None, "measurement", "total_increasing"}


def test_switches_as_users_of_frigate_know_them(
    home: Home,
    integration: HomePublisher,
    switches: CameraSwitches,
    hall: PipelineSpec,
    pump: PipelineSpec,
    caplog: pytest.LogCaptureFixture,
) -> None:
    integration.on_pipelines([hall, pump])
    for name in SWITCHES:
        assert home.until(f"frigate/hall/{name}/state") == b"ON"
        document = json.loads(home.until(f"homeassistant/switch/edgefleet_hall-7/hall_{name}/config"))
        assert document["command_topic"] == f"frigate/hall/{name}/set"
        home.say(document["command_topic"], "OFF")
        home.until(f"frigate/hall/{name}/state", lambda payload: payload == b"OFF")
        assert not switches[name]
    for nonsense in ("frigate/attic/detect/set", "frigate/pump/detect/set", "frigate/hall/warp/set"):
        home.say(nonsense, "ON")
    home.say("frigate/hall/motion/set", "PERHAPS")
    for _ in range(2):
        home.say("frigate/hall/trigger/set", "a while")
    home.say("frigate/hall/detect/set", "on")
    home.until("frigate/hall/detect/state", lambda payload: payload == b"ON")
    assert switches.states() == dict.fromkeys(SWITCHES, False) | {"detect": True}
    assert not any(topic.startswith("frigate/pump/detect") and topic.endswith("state") for topic in home.state)
    assert not switches.trigger.active
    home.say("frigate/hall/trigger/set", "600")
    home.say("frigate/hall/snapshots/set", "ON")  # received after it
    home.until("frigate/hall/snapshots/state", lambda payload: payload == b"ON")
    assert switches.trigger.active
    wrong = [record.message.partition(":")[0] for record in caplog.records if "ignored" in record.message]
    assert wrong == ["frigate/pump/detect/set", "frigate/hall/warp/set", "frigate/hall/motion/set", "frigate/hall/trigger/set"]
