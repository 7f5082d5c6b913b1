"""The local API over HTTP: content, access control, refusals."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.local_api.http_server import CONNECTIONS_MAX, HttpResponse, LocalHttpServer
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.local_api.routes import Routes
from edgefleet_agent.local_api.secrets import read_key
from edgefleet_agent.pipeline.metrics import PipelineMeter
from edgefleet_agent.recording.event_store import EventStore, moment_at
from edgefleet_agent.sources.camera_switches import SWITCHES, CameraSwitches
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import EventPhase, PipelineGauges, StageLatency
from edgefleet_contract.worker_process import HOME_PART
from tests.agent.local_api.conftest import frame, person, stay

JPEG = b"\xff\xd8\xff"


class LocalApi:
    """A local API behind its HTTP listener, and a client."""

    def __init__(self, folder: Path, key: str = "") -> None:
        self.evidence = folder
        self.hub = LocalApiHub("hall-7", "1.2.3")
        self.switches = CameraSwitches()
        self.hub.switches_of = {"hall": self.switches}.get
        self.hub.store = EventStore(folder, 86400.0, 1 << 20, DiskFaults(), lambda: 1_790_000_100.0)
        routes = Routes(self.hub.state, self.hub.live, folder, self.hub, self.hub.store)
        self.listener = LocalHttpServer("127.0.0.1:0", key, routes.handle)
        self.hub.listener = self.listener

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection(self.listener.address, timeout=30)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, path: str) -> Any:
        status, _, body = self.ask(path)
        assert status == 200, body
        return json.loads(body)

    def events(self, query: str = "") -> list[dict[str, Any]]:
        """Events found by a search; waits until the store has written one."""
        for _ in range(600):
            found: list[dict[str, Any]] = self.json(f"/api/events{query}")["events"]
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError("no event")


@pytest.fixture
def api(tmp_path: Path, hall: PipelineSpec, pump: PipelineSpec) -> Iterator[LocalApi]:
    api = LocalApi(tmp_path)
    api.hub.on_pipelines([hall, pump])
    yield api
    api.hub.close()


class Camera:
    """Frames of a pipeline while there are viewers."""

    def __init__(self, hub: LocalApiHub) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(hub,), daemon=True)

    def _run(self, hub: LocalApiHub) -> None:
        index = 0
        while not self._over.wait(0.02):
            hub.on_frame("hall", frame(index), [person()] if index % 2 else None)
            index += 1

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()


def test_the_page_requests_from_this_device_only(api: LocalApi) -> None:
    for path, kind in {
        "/": "text/html",
        "/page.css": "text/css",
        "/page.js": "text/javascript",
        "/icon.svg": "image/svg",
    }.items():
        status, headers, body = api.ask(path)
        assert status == 200
        assert headers["Content-Type"].startswith(kind)
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert b"https://" not in body
        assert b"//" not in body.replace(b"http://www.w3.org/2000/svg", b"").replace(b"// ", b"")


def test_status_and_stats(api: LocalApi) -> None:
    meter = PipelineMeter()
    gauges = PipelineGauges(state="running", camera_fps=10.0, process_fps=9.5, detection_fps=9.5, model="ssd@1.0.0")
    gauges.latency = {"invoke": StageLatency(p50_ms=12.5)}
    api.hub.on_gauges({"hall": gauges}, {"hall": meter.totals(Counter(), 2)})
    api.hub.on_event(stay(EventPhase.NEW), b"")
    api.hub.on_fault("hall", "rtsp://me:geheim@cam/x does not answer", False)
    status = api.json("/api/status")
    assert status["device"] == "hall-7"
    by_name = {pipeline["name"]: pipeline for pipeline in status["pipelines"]}
    assert by_name["hall"]["camera"] is True
    assert by_name["pump"]["camera"] is False
    assert by_name["hall"]["gauges"]["camera_fps"] == 10.0
    assert by_name["hall"]["events_total"] == 1
    assert status["faults"] == [{"pipeline": "hall", "text": "rtsp://***@cam/x does not answer"}]
    api.hub.on_fault("hall", "it works again", True)
    assert api.json("/api/status")["faults"] == []
    api.hub.state.connection_fault = lambda: "the server's certificate has expired"
    assert api.json("/api/status")["faults"] == [{"pipeline": "", "text": "the server's certificate has expired"}]
    stats = api.json("/api/stats")
    rates = {"camera_fps": 10.0, "process_fps": 9.5, "skipped_fps": 0.0, "detection_fps": 9.5}
    assert stats["cameras"]["hall"] == {**rates, "state": "running", "reason": ""}
    assert stats["detectors"]["ssd@1.0.0"]["inference_speed"] == 12.5


def test_metrics_are_what_prometheus_reads(api: LocalApi) -> None:
    meter = PipelineMeter()
    for number in range(30):
        meter.captured(number / 10)
        meter.stage("invoke", 4.0 + number)
        meter.stage("wait", 0.2)
        meter.processed([0.8], 20.0)
    meter.boxes_shed(5)
    dropped = Counter({"busy": 3})
    gauges = meter.drain(3.0, 3.0, dropped)
    gauges.state = "running"
    api.hub.on_gauges({"hall": gauges}, {"hall": meter.totals(dropped, 1)})
    api.hub.on_event(stay(EventPhase.NEW), b"")
    _, headers, body = api.ask("/metrics")
    text = body.decode()
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    for line in (
        'edgefleet_pipeline_state{pipeline="hall",state="running"} 1',
        'edgefleet_camera_fps{pipeline="hall"} 10',
        'edgefleet_detection_fps{pipeline="hall"} 10',
        'edgefleet_frames_captured_total{pipeline="hall"} 30',
        'edgefleet_frames_dropped_total{pipeline="hall",cause="busy"} 3',
        'edgefleet_boxes_shed_total{pipeline="hall"} 5',
        'edgefleet_source_losses_total{pipeline="hall"} 1',
        'edgefleet_events_total{pipeline="hall",rule="at_door",label="person"} 1',
        'edgefleet_stage_duration_seconds_bucket{pipeline="hall",stage="invoke",le="0.005"} 2',
        'edgefleet_stage_duration_seconds_bucket{pipeline="hall",stage="invoke",le="+Inf"} 30',
        'edgefleet_stage_duration_seconds_count{pipeline="hall",stage="wait"} 30',
    ):
        assert line in text.splitlines()
    if shutil.which("promtool"):
        lint = subprocess.run(["promtool", "check", "metrics"], input=body, capture_output=True, check=False)
        assert lint.returncode == 0, lint.stderr + lint.stdout


def test_events_are_found_and_shown(api: LocalApi) -> None:
    event = stay(EventPhase.NEW)
    event.data["snapshot"] = "hall/a1b2-zone-1.jpg"
    api.hub.on_event(event, b"")
    shown = api.events("?label=person&zone=door&pipeline=hall&since_at=1789999000")[0]
    assert (shown["id"], shown["open"], shown["began_at"], shown["has_snapshot"]) == ("a1b2-zone-1", True, 1_790_000_000.0, False)
    assert shown["config_digest"] == "c" * 64
    (api.evidence / "hall").mkdir()
    (api.evidence / "hall/a1b2-zone-1.jpg").write_bytes(JPEG + bytes(1000))
    assert api.json("/api/events/a1b2-zone-1")["has_snapshot"] is True
    status, headers, body = api.ask("/api/events/a1b2-zone-1/snapshot.jpg", Range="bytes=3-12")
    assert (status, headers["Content-Range"], body) == (206, "bytes 3-12/1003", bytes(10))
    assert api.ask("/api/events/a1b2-zone-1/snapshot.jpg", Range="bytes=-3")[2] == bytes(3)
    assert api.ask("/api/events/a1b2-zone-1/snapshot.jpg", Range="bytes=5000-")[0] == 416
    assert api.ask("/api/events/a1b2-zone-1/clip.mp4")[0] == 404
    assert api.ask("/api/events/nobody")[0] == 404
    assert api.json("/api/events?label=dog")["events"] == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "hall/../../x.jpg", "hall/x.png", 7, None])
def test_a_record_leads_nowhere_but_into_the_folder(api: LocalApi, name: object) -> None:
    event = stay(EventPhase.NEW)
    event.data["snapshot"] = name
    api.hub.on_event(event, b"")
    assert api.events()[0]["has_snapshot"] is False
    assert api.ask("/api/events/a1b2-zone-1/snapshot.jpg")[0] == 404


def test_pictures_with_and_without_overlays(api: LocalApi) -> None:
    with Camera(api.hub):
        status, headers, plain = api.ask("/api/hall/latest.jpg?overlays=0")
        assert (status, headers["Content-Type"]) == (200, "image/jpeg")
        _, _, drawn = api.ask("/api/hall/latest.jpg")
    pictures = [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in (plain, drawn)]
    assert all(picture is not None and picture.shape == (180, 320, 3) for picture in pictures)
    assert int(np.ptp(pictures[0])) < 6  # a grey picture
    assert int(np.ptp(pictures[1])) > 100  # zone, line
    assert api.ask("/api/attic/latest.jpg")[0] == 404


def test_a_head_request_is_no_viewer(api: LocalApi) -> None:
    for _ in range(20):
        connection = http.client.HTTPConnection(api.listener.address, timeout=30)
        connection.request("HEAD", "/live/hall.mjpg")
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"")
        connection.close()
    assert "edgefleet_live_viewers 0" in api.ask("/metrics")[2].decode()


def test_moving_pictures_and_no_copies_without_viewers(api: LocalApi) -> None:
    with Camera(api.hub):
        connection = http.client.HTTPConnection(api.listener.address, timeout=30)
        connection.request("GET", "/live/hall.mjpg?fps=10")
        answer = connection.getresponse()
        assert answer.headers["Content-Type"] == "multipart/x-mixed-replace; boundary=edgefleet"
        seen = 0
        while seen < 3:
            line = answer.readline()
            if line.startswith(b"Content-Length: "):
                answer.readline()
                assert answer.read(int(line[16:])).startswith(JPEG)
                seen += 1
        assert "edgefleet_live_viewers 1" in api.ask("/metrics")[2].decode()
        answer.close()
        connection.close()
        for _ in range(600):
            if "edgefleet_live_viewers 0" in api.ask("/metrics")[2].decode():
                break
            time.sleep(0.05)
        else:
            raise AssertionError("somebody still looks")
    assert api.hub.live.next("hall", 0, 0.0) is None


def next_picture(answer: http.client.HTTPResponse) -> np.ndarray:
    while not (line := answer.readline()).startswith(b"Content-Length: "):
        assert line, "the connection was closed"
    answer.readline()
    picture = cv2.imdecode(np.frombuffer(answer.read(int(line[16:])), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def test_the_moving_picture_of_a_lost_camera_is_the_reason(api: LocalApi) -> None:
    api.hub.state.measured({"hall": PipelineGauges(state="source_lost", reason="rtsp://cam does not respond")}, {})
    connection = http.client.HTTPConnection(api.listener.address, timeout=30)
    connection.request("GET", "/live/hall.mjpg")
    with connection.getresponse() as answer, contextlib.ExitStack() as camera:
        notice = next_picture(answer)
        assert int(np.ptp(notice)) > 100  # a text
        camera.enter_context(Camera(api.hub))
        sizes = [notice.shape[:2], next_picture(answer).shape[:2]]
    connection.close()
    assert sizes == [(360, 640), (180, 320)]  # the notice, then the camera's pictures over the same connection


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/events?colour=red", "unknown parameter 'colour'"),
        ("/api/events?since_at=yesterday", "is not a time"),
        ("/api/events?limit=1000000", "between 1 and 1000"),
        ("/live/hall.mjpg?fps=many", "must be a number"),
        ("/api/events?" + "&".join(f"x{n}=1" for n in range(50)), "more than 32"),
    ],
)
def test_invalid_requests_get_one_line(api: LocalApi, path: str, expected: str) -> None:
    status, _, body = api.ask(path)
    assert status == 400
    assert expected in json.loads(body)["error"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8002", "127.0.0.1.evil.example", ""])
def test_a_name_that_is_pointed_here_is_refused(api: LocalApi, host: str) -> None:
    assert api.ask("/api/status", Host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:8002", "127.0.0.1:8002", "[::1]:8002", "[::1]"])
def test_names_of_this_machine(api: LocalApi, host: str) -> None:
    assert api.ask("/api/status", Host=host)[0] == 200


def test_a_key_by_header_by_query_and_then_by_cookie(tmp_path: Path) -> None:
    api = LocalApi(tmp_path, key="a-key-of-some-length")
    try:
        assert api.ask("/api/status")[0] == 401
        assert api.ask("/api/status?key=a-key-of-some-lengtH")[0] == 401
        assert api.ask("/api/status", Authorization="Bearer a-key-of-some-length", Host="device.lan")[0] == 200
        status, headers, _ = api.ask("/?key=a-key-of-some-length")
        assert status == 200
        assert "HttpOnly; SameSite=Strict" in headers["Set-Cookie"]
        assert api.ask("/api/status", Cookie=headers["Set-Cookie"].split(";")[0])[0] == 200
        assert api.ask("/api/status", Cookie="edgefleet_session=x; ;;=")[0] == 401
    finally:
        api.hub.close()


def test_addresses_that_are_refused(tmp_path: Path) -> None:
    def nothing(_request: object) -> HttpResponse:
        return HttpResponse()

    with pytest.raises(InputError, match="set `api_key_file`"):
        LocalHttpServer("0.0.0.0:0", "", nothing)
    for address in ("8002", "localhost:", "localhost:99999", "localhost:x"):
        with pytest.raises(InputError, match="use HOST:PORT"):
            LocalHttpServer(address, "", nothing)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UnavailableError, match="cannot listen"):
        LocalHttpServer(f"127.0.0.1:{taken.getsockname()[1]}", "", nothing)
    path = tmp_path / "key"
    with pytest.raises(InputError, match="missing or over"):
        read_key(path)
    path.write_text("short\n")
    path.chmod(0o600)
    with pytest.raises(InputError, match="not a key of at least 16"):
        read_key(path)
    path.write_text("a" * 48 + "\n")
    assert read_key(path) == "a" * 48
    path.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        read_key(path)


def test_callers_who_hold_every_connection_shut_out_only_each_other(api: LocalApi) -> None:
    host, port = api.listener.address.split(":")
    crowd = [socket.create_connection((host, int(port))) for _ in range(CONNECTIONS_MAX + 8)]
    refused = 0
    for one in crowd[CONNECTIONS_MAX:]:
        one.settimeout(30)
        refused += one.recv(1) == b""
    assert refused == 8
    for one in crowd:
        one.close()
    assert any(answered(api) for _ in range(600))


def answered(api: LocalApi) -> bool:
    """Whether the server has a free thread again."""
    try:
        return api.ask("/api/status")[0] == 200
    except (http.client.HTTPException, OSError):
        time.sleep(0.05)
        return False


GARBAGE = [
    b"\0" * 4000 + b"\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"G" * 100_000,
    b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
]


@pytest.mark.parametrize("text", GARBAGE, ids=["zeros", "version", "long", "method"])
def test_garbage_ends_its_own_connection(api: LocalApi, text: bytes) -> None:
    host, port = api.listener.address.split(":")
    with socket.create_connection((host, int(port)), 30) as caller:
        try:
            caller.sendall(text)
            assert not caller.recv(65536).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            pass
    assert api.ask("/api/status")[0] == 200


MOMENTS = {
    "90m": 1000.0 - 5400,
    "2d": 1000.0 - 172_800,
    "12.5": 12.5,
    "1970-01-01T00:00:10": 10.0,
    "1970-01-01T01:00:10+01:00": 10.0,
}


@pytest.mark.parametrize(("text", "at"), MOMENTS.items())
def test_moments(text: str, at: float) -> None:
    assert moment_at(text, 1000.0) == at


@pytest.mark.parametrize("text", ["nan", "-inf", "1e999", "1795762000000", "yesterday", "2026-13-01"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a time; use 90m"):
        moment_at(text, 1000.0)


def test_switches_and_the_trigger(tmp_path: Path, hall: PipelineSpec) -> None:
    api = LocalApi(tmp_path, key="open-sesame")
    api.hub.on_pipelines([hall])
    key = {"Authorization": "Bearer open-sesame"}
    try:
        assert api.ask("/api/hall/detect?on=0", "POST")[0] == 401
        assert api.switches["detect"]
        status, _, body = api.ask("/api/hall/detect?on=0", "POST", **key)
        assert (status, json.loads(body)) == (200, dict.fromkeys(SWITCHES, True) | {"detect": False})
        assert not api.switches["detect"]
        shown = json.loads(api.ask("/api/status", **key)[2])["pipelines"][0]["switches"]
        assert shown["detect"] is False
        api.ask("/api/hall/detect?on=1", "POST", **key)
        assert api.switches["detect"]
        assert not api.switches.trigger.active
        assert api.ask("/api/hall/trigger?seconds=600", "POST", **key)[0] == 200
        assert api.switches.trigger.active
        api.ask("/api/hall/trigger?seconds=0", "POST", **key)
        assert not api.switches.trigger.active
        for path, expected_status in (
            ("/api/attic/trigger", 400),
            ("/api/hall/trigger?seconds=nan", 400),
            ("/api/hall/trigger?seconds=1e9", 400),
            ("/api/hall/warp?on=1", 400),
            ("/api/events/a/b", 405),
        ):
            assert api.ask(path, "POST", **key)[0] == expected_status
        assert api.ask("/api/hall/trigger", "POST", **key, **{"Content-Length": "99999"})[0] == 413
    finally:
        api.hub.close()


def test_no_page_from_elsewhere_switches_anything(tmp_path: Path) -> None:
    """On loopback there is no key: the request is refused by the Origin header that browsers send."""
    api = LocalApi(tmp_path)
    try:
        assert api.ask("/api/hall/detect?on=0", "POST", Origin="http://evil.example")[0] == 403
        assert api.switches["detect"]
        assert api.ask("/api/hall/detect?on=0", "POST", Origin=f"http://{api.listener.address}")[0] == 200
        assert not api.switches["detect"]
    finally:
        api.hub.close()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("detect?on=abc", "must be one of 1, true, yes, on, 0, false, no, off"),
        ("detect?on=2", "must be one of"),
        ("detect?on=", "parameter 'on' is missing"),
        ("detect", "parameter 'on' is missing"),
        ("detect?onn=0", "unknown parameter 'onn'; must be 'on'"),
        ("detect?on=0&camera=2", "unknown parameter 'camera'"),
        ("trigger?second=5", "unknown parameter 'second'; must be 'seconds'"),
        ("trigger?seconds=abc", "must be a number"),
    ],
)
def test_commands_without_a_meaning_change_nothing(api: LocalApi, path: str, why: str) -> None:
    before = api.switches.states()
    status, _, body = api.ask(f"/api/hall/{path}", "POST")
    assert (status, why in json.loads(body)["error"]) == (400, True), body
    assert (api.switches.states(), api.switches.trigger.active) == (before, False)


def test_switches_take_the_usual_words(api: LocalApi) -> None:
    for text, on in (("OFF", False), ("On", True), ("no", False), ("true", True), ("0", False)):
        assert api.ask(f"/api/hall/detect?on={text}", "POST")[0] == 200
        assert api.switches["detect"] is on
    assert api.ask("/api/hall/latest.jpg?overlays=perhaps")[0] == 400


def test_a_broker_of_home_automation_that_does_not_answer_is_a_fault(api: LocalApi) -> None:
    assert "edgefleet_home_broker_connected" not in api.ask("/metrics")[2].decode()
    api.hub.state.home_connected = lambda: False
    api.hub.state.fault("", "home automation: broker mqtt://h:1883: refused", False, HOME_PART)
    assert "edgefleet_home_broker_connected 0" in api.ask("/metrics")[2].decode().splitlines()
    assert {"pipeline": "", "text": "home automation: broker mqtt://h:1883: refused"} in api.json("/api/status")["faults"]
