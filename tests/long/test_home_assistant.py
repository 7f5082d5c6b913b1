"""Home Assistant itself takes the discovery documents, and shows what the topics say.

    pytest -m long tests/long/test_home_assistant.py

Its core is installed into an environment of its own, or EDGEFLEET_HOME_ASSISTANT_VENV is one: the newest release that runs on
Python 3.11. `default_entity_id` came later; the key before it, `object_id`, has the same meaning.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.local_api.home_automation.discovery import Discovery, Documents
from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics, zone_places
from edgefleet_agent.local_api.home_automation.publisher import HomePublisher, TopicPrefix
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_contract.mqtt.address import BrokerAddress as Address
from edgefleet_contract.mqtt.address import Login
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges
from tests.agent.fakes.bench import Broker
from tests.agent.local_api.conftest import PUMP, frame, person, stay

pytestmark = [pytest.mark.long(minutes=10), pytest.mark.timeout(1800)]

VERSION = "homeassistant==2024.3.3"
LIBRARIES = ("paho-mqtt==1.6.1", "janus==1.0.0", "numpy==1.26.0", "PyTurboJPEG==1.7.1", "ifaddr==0.2.0")
"""Libraries of its integrations, which it installs itself when they are set up."""
LATER_KEYS = {"default_entity_id"}
PROGRAM = Path(__file__).with_name("home_assistant_core.py")
HALL = """
name = "hall"
[source]
kind = "synthetic"
[[stages]]
name = "moves"
kind = "motion"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
from = "moves"
labels = ["person", "hot dog/cold+dog", "Grüße"]
[[stages]]
name = "follow"
kind = "track"
from = "find"
[[zones]]
name = "door"
polygon = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9]]
[[lines]]
name = "gate"
points = [[0.0, 0.5], [1.0, 0.5]]
forward = "in"
backward = "out"
[plane]
points = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
metres = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]
""" + "".join(
    f'[[rules]]\nname = "r_{kind}"\nkind = "{kind}"\n{more}\n'
    for kind, more in (
        ("visit", ""),
        ("zone", 'zone = "door"'),
        ("loiter", 'zone = "door"'),
        ("line", 'line = "gate"'),
        ("count", ""),
        ("occupancy", ""),
        ("crowd", "limit = 2"),
        ("speed", ""),
    )
)
SITE = """
name = "site"
[source]
kind = "events"
[[rules]]
name = "both"
kind = "combine"
all = ["hall.r_zone", "pump.unusual"]
"""


class HomeAssistant:
    """A running core."""

    def __init__(self, python: Path, folder: Path, port: int) -> None:
        (folder / "configuration.yaml").touch()
        self._log = (folder / "log.txt").open("w", encoding="utf-8")
        command = [str(python), str(PROGRAM), str(folder), str(port)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self._log, text=True, cwd=folder, env=environment
        )

    def ask(self, question: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def until(self, entity: str, accept: Callable[[str], bool]) -> None:
        ends_s = time.monotonic() + 60
        states = {}
        while time.monotonic() < ends_s:
            states = self.ask("states")
            if entity in states and accept(states[entity]):
                return
            time.sleep(0.1)
        raise AssertionError(f"{entity} is {states.get(entity)}; there are {sorted(states)}")

    def close(self) -> None:
        self._process.communicate(timeout=60)
        self._log.close()


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with Home Assistant; skips the test where it cannot be installed."""
    chosen = os.environ.get("EDGEFLEET_HOME_ASSISTANT_VENV")
    if chosen:
        return Path(chosen) / "bin/python"
    folder = tmp_path_factory.mktemp("home_assistant")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=300, capture_output=True)
        command = [str(folder / "bin/pip"), "install", "--quiet", "--no-compile", VERSION, *LIBRARIES]
        subprocess.run(command, check=True, timeout=1200, capture_output=True)
    except (OSError, subprocess.SubprocessError) as cause:
        pytest.skip(f"{VERSION} cannot be installed: {cause}")
    return folder / "bin/python"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def core(python: Path, broker: Broker, tmp_path: Path) -> Iterator[HomeAssistant]:
    folder = tmp_path / "core"
    folder.mkdir()
    with contextlib.closing(HomeAssistant(python, folder, broker.port)) as core:
        yield core


@pytest.fixture
def specs() -> list[PipelineSpec]:
    """A pipeline of each kind: a camera with every kind of rule, a sensor, and one over events."""
    return [read_pipeline(text, "test") for text in (HALL, PUMP, SITE)]


@pytest.fixture
def publisher(broker: Broker) -> Iterator[HomePublisher]:
    hub = LocalApiHub("hall-7", "1.2.3")
    hub.switches_of = {"hall": CameraSwitches()}.get
    place = TopicPrefix(FrigateTopics("frigate"), "homeassistant", 0.0)
    stats = {"cameras": {"hall": {"camera_fps": 10.0, "process_fps": 9.5, "skipped_fps": 0.0, "detection_fps": 4.0}}}
    address = Address("127.0.0.1", broker.port)
    publisher = HomePublisher(address, Login(""), place, "hall-7", "1.2.3", "", lambda: stats, hub)
    hub.integrations.append(publisher)
    yield publisher
    publisher.close()


def documents_of(specs: list[PipelineSpec]) -> Documents:
    discovery = Discovery("homeassistant", FrigateTopics("frigate"), "hall-7", "1.2.3", "http://hall-7.lan:8002/")
    hall, *others = specs
    documents = discovery.camera(hall, ["person", "hot dog/cold+dog", "Grüße"], zone_places([hall]))
    for spec in others:
        documents |= discovery.sensor(spec)
    return documents


def test_its_schemas_take_every_document_and_every_key(core: HomeAssistant, specs: list[PipelineSpec]) -> None:
    documents = documents_of(specs)
    kinds = {topic.split("/")[1] for topic in documents}
    assert kinds == {"binary_sensor", "button", "camera", "image", "sensor", "switch"}
    answers = core.ask([[topic.split("/")[1], document] for topic, document in documents.items()])
    wrong = {topic: answer for topic, answer in zip(documents, answers, strict=True) if answer[0] or set(answer[1]) - LATER_KEYS}
    assert wrong == {}
    answers = core.ask([["sensor", {"state_topic": "a/b", "state_class": "no such class"}], ["switch", {"no_such_key": 1}]])
    assert all(error for error, _ in answers), "the check itself works"


def test_its_entities_show_what_the_topics_say(core: HomeAssistant, publisher: HomePublisher, specs: list[PipelineSpec]) -> None:
    publisher.on_pipelines(specs)
    publisher.on_gauges({spec.name: PipelineGauges(state="running") for spec in specs})
    core.until("binary_sensor.hall_7_hall_source", lambda state: state == "on")
    announced = {document["default_entity_id"] for document in documents_of(specs).values()}
    core.until("sensor.hall_7_hall_person_count", lambda state: state == "unknown")  # nothing has looked yet
    assert announced <= set(core.ask("states")), "entities of every document, with the names that it asks for"
    publisher.on_event(stay(EventPhase.NEW), b"")
    publisher.on_frame("hall", frame(), [person(1), person(2)])
    publisher.on_motion("hall", True)
    for kind, rule, count in (("crowd", "r_crowd", 3), ("occupancy", "r_occupancy", 2)):
        event = Event(kind=kind, id=f"{rule}-1", phase=EventPhase.NEW, pipeline="hall", rule=rule, count=count)
        publisher.on_event(event, b"")
    crossing = Event(kind="line", id="c-1", pipeline="hall", rule="r_line", line="gate", direction="in", track_id=1)
    publisher.on_event(crossing, b"")
    anomaly = Event(kind="anomaly", id="p-1", phase=EventPhase.NEW, pipeline="pump", rule="unusual", label="anomaly")
    publisher.on_event(anomaly, b"")
    publisher.on_gauges({})
    for entity, state in {
        "binary_sensor.hall_7_hall_person": "on",
        "sensor.hall_7_hall_person_count": "2",
        "binary_sensor.hall_7_hall_door_person": "on",
        "sensor.hall_7_hall_door_person_count": "1",
        "binary_sensor.hall_7_hall_motion": "on",
        "binary_sensor.hall_7_hall_r_crowd": "on",
        "sensor.hall_7_hall_r_occupancy": "2",
        "sensor.hall_7_hall_gate_in": "1",
        "sensor.hall_7_hall_camera_fps": "10.0",
        "switch.hall_7_hall_detect": "on",
        "binary_sensor.hall_7_pump_unusual": "on",
        "binary_sensor.hall_7_site_both": "off",
    }.items():
        core.until(entity, lambda found, state=state: found == state)  # type: ignore[misc]  # mypy knows no defaults here
    core.until("image.hall_7_hall_person", lambda state: state.startswith("20"))  # the time of its picture
    publisher.on_gauges({"hall": PipelineGauges(state="source_lost")})
    for entity in ("binary_sensor.hall_7_hall_motion", "sensor.hall_7_hall_person_count", "sensor.hall_7_hall_r_occupancy"):
        core.until(entity, lambda state: state == "unavailable")
    core.until("binary_sensor.hall_7_hall_source", lambda state: state == "off")
    publisher.on_pipelines(specs[1:])
    core.until("binary_sensor.hall_7_pump_unusual", lambda state: state == "on")
    ends_s = time.monotonic() + 60
    while "sensor.hall_7_hall_person_count" in core.ask("states"):
        assert time.monotonic() < ends_s
        time.sleep(0.1)
