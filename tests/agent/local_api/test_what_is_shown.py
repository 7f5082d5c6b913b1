"""Source kind x fault x what is shown: state, reason and counts in each place, with real pipelines over scripted sources.

Each source plays the errors of its kind: those that its own module makes of the same exception.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import av
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.local_api import metrics
from edgefleet_agent.local_api.home_automation import publisher
from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics
from edgefleet_agent.local_api.home_automation.publisher import HomePublisher, TopicPrefix
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.pipeline.camera import capture
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.sources import reconnect_state
from edgefleet_agent.sources.base import SilentSourceError
from edgefleet_agent.sources.live.live_source import Address, check_reachable, refused
from edgefleet_contract.core.errors import MediaError, MissingError, UnavailableError
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, PipelineGauges, Telemetry
from edgefleet_server.domain.rollout import device_warnings
from tests.agent.fakes.cameras import free_port
from tests.agent.fakes.failing_sources import Fault, RecordingBroker, Script, ScriptedSensor, ScriptedSource

WAIT_S = 30.0
SHOWN = "rtsp://***@10.0.0.9/main"
CAMERA = (
    'name = "hall"\n[source]\nkind = "{}"\nuri = "rtsp://u:geheim@10.0.0.9/main"\n[[stages]]\nname = "moves"\nkind = "motion"\n'
)
ZONE = """
[[stages]]
name = "follow"
kind = "track"
[[zones]]
name = "door"
polygon = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
[[rules]]
name = "at_door"
kind = "zone"
zone = "door"
"""
SENSOR = 'name = "hall"\n[source]\nkind = "{}"\nuri = "x"\n[[rules]]\nname = "hot"\nkind = "level"\nchannel = "t"\nabove = 5.0\n'


def refused_connection() -> Exception:
    try:
        check_reachable(Address(f"rtsp://127.0.0.1:{free_port()}/main", SHOWN))
    except UnavailableError as error:
        return error
    raise AssertionError("a free port has answered")


def answer(kind: type[Exception], *arguments: Any) -> Callable[[], Exception]:
    return lambda: refused(SHOWN, kind(*arguments), "stopped sending; retrying, restart the camera if this lasts")


NETWORK = [
    Fault("kill", refused_connection, "source_lost", "does not respond"),
    Fault("freeze", answer(av.error.ExitError, 1, "Immediate exit requested"), "stalled", "stopped sending"),
    Fault("wrong password", answer(av.error.HTTPUnauthorizedError, 1, "401"), "source_lost", "rejects the user name or password"),
    Fault("garbage", answer(av.error.InvalidDataError, 1, "Invalid data"), "source_lost", "something other than video"),
    Fault("other codec", lambda: MissingError(f"{SHOWN}: its codec is not supported"), "source_lost", "codec is not supported"),
    Fault("other size", None, "running", size=(96, 64)),
    Fault("end", lambda: UnavailableError(f"{SHOWN} closed the connection; retrying"), "source_lost", "closed the connection"),
]
LOCAL = [
    Fault("kill", lambda: UnavailableError("/dev/video0: no such camera; plug it in"), "source_lost", "plug it in"),
    Fault("freeze", None, "stalled", "sends nothing", hang=True),
    Fault("garbage", lambda: MediaError("hall.mp4: damaged"), "source_lost", "damaged"),
    Fault("other size", None, "running", size=(96, 64)),
    Fault("end", None, "ended"),
]
BUS = [
    Fault("kill", lambda: UnavailableError("/dev/ttyUSB0: was unplugged; plug it in again"), "source_lost", "plug it in again"),
    Fault("freeze", lambda: SilentSourceError("/dev/ttyUSB0: silent for 5 s; check the sensor"), "stalled", "silent for 5 s"),
    Fault("end", None, "ended"),
]
BUSES = ("serial", "mqtt", "can")
CASES = [
    *((kind, fault) for kind in ("rtsp", "mjpeg") for fault in NETWORK),
    *((kind, fault) for kind in ("camera", "file", "images") for fault in LOCAL),
    *((kind, fault) for kind in BUSES for fault in BUS),
]


def until(condition: Callable[[], bool], what: Callable[[], Any] = lambda: "") -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s, what()
        time.sleep(0.01)


class Listener:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.faults: list[tuple[str, bool]] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def on_fault(self, _pipeline: str, text: str, over: bool) -> None:
        self.faults.append((text, over))


class Shown:
    """One pipeline `hall`, and every place that shows it."""

    def __init__(self) -> None:
        self.hub = LocalApiHub("hall-7", "1.2.3")
        place = TopicPrefix(FrigateTopics("frigate"), "", 1e9)
        login, broker = Login("house", "secret"), BrokerAddress("127.0.0.1", 1)
        self.home = HomePublisher(broker, login, place, "hall-7", "1.2.3", "", dict, self.hub)
        self.hub.integrations.append(self.home)
        self.listener = Listener()
        self.runner = Runner(self.listener, observers=self.hub)
        self.hub.switches_of = self.runner.switches
        self.gauges = PipelineGauges()

    @property
    def state(self) -> str:
        return self.runner.runs["hall"].state

    def measure(self) -> PipelineGauges:
        """Take a window of the worker; the gauges that are shown from now on."""
        gauges = self.runner.gauges(0.1)
        self.hub.on_gauges(gauges, self.runner.totals())
        self.gauges = gauges["hall"]
        done = threading.Event()
        self.home._do(done.set)  # the publishing thread has taken everything before
        assert done.wait(WAIT_S)
        return self.gauges

    def topic(self, name: str) -> str:
        return RecordingBroker.retained.get(f"frigate/{name}", b"").decode()

    def rest(self) -> dict[str, Any]:
        pipeline: dict[str, Any] = json.loads(json.dumps(self.hub.state.status()))["pipelines"][0]
        return pipeline

    def faults(self) -> list[str]:
        return [fault["text"] for fault in self.hub.state.status()["faults"]]

    def metrics(self) -> str:
        state = self.hub.state
        return metrics.render_metrics(state.gauges, state.totals, state.events_started(), 0)

    def warnings(self) -> list[str]:
        return device_warnings.of_telemetry(Telemetry(at=1.0, pipelines={"hall": self.gauges}, disk_free_bytes=10**12))

    def close(self) -> None:
        self.runner.close()
        self.hub.close()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shown]:
    monkeypatch.setattr(publisher, "MqttClient", RecordingBroker)
    monkeypatch.setattr(reconnect_state, "STALL_S", 0.25)
    monkeypatch.setattr(reconnect_state, "PAUSE_S_FIRST", 0.02)
    monkeypatch.setattr(reconnect_state, "STEADY_S", 0.05)
    monkeypatch.setattr(reconnect_state, "HANG_S", 30.0)
    monkeypatch.setattr(capture, "POLL_S", 0.02)
    one = Shown()
    yield one
    one.close()


def started(shown: Shown, script: Script, text: str, monkeypatch: pytest.MonkeyPatch) -> PipelineSpec:
    spec = read_pipeline(text, "hall.toml")
    loads = {"sources": ScriptedSource, "sensors": ScriptedSensor}
    load = plugins.load

    def load_scripted(table: str, name: str, *rest: Any) -> Any:
        return (lambda spec: loads[table](spec, script)) if table in loads else load(table, name, *rest)

    monkeypatch.setattr(plugins, "load", load_scripted)
    shown.runner.set_pipelines([spec])
    until(lambda: shown.state == "running", lambda: shown.state)
    until(lambda: shown.measure().process_fps > 0)
    return spec


def check_places(shown: Shown, state: str, reason: str, *, camera: bool) -> None:
    """Every place shows the state, the reason, and counts only if the source is analyzed."""
    seen = state == "running"
    count = shown.topic("hall/motion" if camera else "hall/hot")
    assert count in (("0", "1", "2", "3", "OFF") if seen else ("None",)), count
    assert shown.topic("hall/status/detect") == ("online" if seen else "offline")
    assert shown.topic("hall/status/source") == state
    assert reason in shown.topic("hall/status/reason")
    rest = shown.rest()
    assert rest["seen"] is seen
    assert rest["gauges"]["state"] == state
    assert reason in rest["gauges"].get("reason", "")
    assert ("detections_per_frame" in rest["gauges"] and rest["gauges"]["detections_per_frame"] is None) is not seen
    assert [text for text in shown.faults() if reason in text] == shown.faults()
    assert bool(shown.faults()) is bool(reason)
    text = shown.metrics()
    assert f'edgefleet_pipeline_state{{pipeline="hall",state="{state}"}} 1' in text
    assert f'edgefleet_pipeline_seen{{pipeline="hall"}} {int(seen)}' in text
    assert ('edgefleet_frame_age_seconds{pipeline="hall"}' in text) is seen
    if reason:
        assert any(state in warning and reason in warning for warning in shown.warnings()), shown.warnings()
    assert "geheim" not in text + json.dumps(rest) + str(shown.warnings()) + str(RecordingBroker.retained)


@pytest.mark.parametrize(("kind", "fault"), CASES, ids=[f"{kind}-{fault.name.replace(' ', '-')}" for kind, fault in CASES])
def test_every_place_shows_the_present_state_and_reason(
    shown: Shown, kind: str, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, camera = Script(fault), kind not in BUSES
    text = (CAMERA if camera else SENSOR).format(kind)
    started(shown, script, text, monkeypatch)
    if camera:
        until(lambda: bool(shown.measure()) and shown.topic("hall/motion") != "None")
    check_places(shown, "running", "", camera=camera)
    script.broken.set()
    until(lambda: shown.state == fault.state, lambda: shown.state)
    if fault.size:
        until(lambda: bool(shown.measure().process_fps))
    until(lambda: bool(shown.measure().reasons) is bool(fault.reason))
    check_places(shown, fault.state, fault.reason, camera=camera)
    if fault.reason:
        assert [(one.state, one.until, one.times) for one in shown.gauges.reasons] == [(fault.state, 0.0, 1)]
        assert shown.gauges.reasons[0].at == pytest.approx(time.time(), abs=WAIT_S)
    script.healed.set()
    if fault.state == "ended":
        return
    until(lambda: shown.state == "running")
    until(lambda: shown.measure().process_fps > 0)
    if camera:
        until(lambda: bool(shown.measure()) and shown.topic("hall/motion") != "None")
    check_places(shown, "running", "", camera=camera)
    assert all(reason.until >= reason.at for reason in shown.gauges.reasons), "kept, and over"
    assert bool(shown.gauges.reasons) is bool(fault.reason)


def test_a_pipeline_that_cannot_go_on_shows_why(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(
        Fault("codec", lambda: MissingError(f"{SHOWN}: its codec is not supported; set the camera to H.264"), "failed")
    )
    script.broken.set()
    monkeypatch.setattr(plugins, "load", lambda _table, _name: lambda spec: ScriptedSource(spec, script))
    shown.runner.set_pipelines([read_pipeline(CAMERA.format("rtsp"), "hall.toml")])
    until(lambda: shown.state == "failed")
    shown.measure()
    check_places(shown, "failed", "set the camera to H.264", camera=True)


def test_detection_switched_off_is_not_0(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    started(shown, Script(NETWORK[0]), CAMERA.format("rtsp") + ZONE, monkeypatch)
    until(lambda: bool(shown.measure()) and shown.topic("hall/motion") != "None")
    assert shown.topic("door/motion") != "None"
    shown.hub.switch("hall", "detect", False)
    until(lambda: shown.runner.runs["hall"].dropped["off"] > 0)
    assert shown.measure().state == "off"
    assert (shown.topic("hall/motion"), shown.topic("door/motion")) == ("None", "None")
    assert shown.topic("hall/status/detect") == "online", "the switch must stay available"
    assert not shown.rest()["seen"]
    shown.hub.switch("hall", "detect", True)
    until(lambda: bool(shown.measure()) and shown.topic("hall/motion") != "None")
    assert shown.topic("door/motion") != "None"


def test_open_events_end_with_their_camera_and_totals_continue(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(NETWORK[0])
    count = '[[rules]]\nname = "visits"\nkind = "visit"\nmin_s = 0.0\ngap_s = 60.0\n'
    spec = started(shown, script, CAMERA.format("rtsp") + ZONE + count, monkeypatch)
    until(lambda: any(event.rule == "visits" and event.phase.value == "new" for event in shown.listener.events))
    script.broken.set()
    before = time.time()
    until(lambda: any("end_reason" in event.data for event in shown.listener.events))
    started_ids = {event.id for event in shown.listener.events if event.phase.value == "new"}
    over = {event.id: event for event in shown.listener.events if event.phase.value == "end"}
    assert started_ids <= over.keys(), "no event stays open while nothing is analyzed"
    ended = [event for event in over.values() if event.data.get("end_reason") == "source_lost"]
    assert ended
    assert all(abs(event.at - before) < 0.2 for event in ended if event.rule == "visits"), (
        "at its last frame, not when that was noticed"
    )
    shown.measure()
    assert shown.topic("door/motion") == "None"
    script.healed.set()
    until(lambda: len({event.id for event in shown.listener.events if event.phase.value == "new"}) > len(started_ids))
    following = next(event for event in shown.listener.events if event.phase.value == "new" and event.id not in started_ids)
    assert following.count is None or following.count > 1, "the rule's total continues"
    assert spec.name == following.pipeline


def test_a_model_that_fails_does_not_analyze(shown: Shown) -> None:
    shown.runner.set_pipelines([])
    spec = read_pipeline(CAMERA.format("rtsp"), "hall.toml")
    shown.hub.on_pipelines([spec])
    failing = PipelineGauges(state="running", camera_fps=5.0, skipped_fps=5.0, coverage=0.0, dropped={"error": 10})
    shown.hub.on_gauges({"hall": failing}, {})
    assert not shown.rest()["seen"]
    gated = PipelineGauges(state="running", camera_fps=1.0, quiet_fps=1.0)
    shown.hub.on_gauges({"hall": gated}, {})
    assert shown.rest()["seen"], "a motion stage seen"


def test_a_fault_of_one_part_does_not_end_that_of_another(shown: Shown) -> None:
    shown.hub.on_pipelines([read_pipeline(CAMERA.format("rtsp"), "hall.toml")])
    shown.hub.on_fault("hall", "evidence cannot be stored", False, "evidence")
    shown.hub.on_fault("hall", "inference fails", False, "inference")
    shown.hub.on_fault("hall", "inference works again", True, "inference")
    assert shown.faults() == ["evidence cannot be stored"]


@pytest.mark.parametrize("fault", BUS, ids=lambda fault: fault.name)
def test_open_events_of_a_sensor_end_with_it_and_say_why(shown: Shown, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(fault)
    started(shown, script, SENSOR.format("serial").replace("5.0", "-1e9"), monkeypatch)
    until(lambda: any(event.phase.value == "new" for event in shown.listener.events))
    script.broken.set()
    until(lambda: any(event.phase.value == "end" for event in shown.listener.events))
    ended = next(event for event in shown.listener.events if event.phase.value == "end")
    assert ended.data["end_reason"] == ("ended" if fault.state == "ended" else "source_lost")
