"""Motion events of a camera: a stand-in with the real operations, and one without."""

from __future__ import annotations

import base64
import hashlib
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_agent.sources.live.onvif_events import OnvifWatch, PullPoint
from edgefleet_contract.core.errors import PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

USER, PASSWORD = "operator", "p:ss&word"
SOAP = (
    '<?xml version="1.0"?><env:Envelope xmlns:env="http://www.w3.org/2003/05/soap-envelope" '
    'xmlns:tev="http://www.onvif.org/ver10/events/wsdl" xmlns:wsnt="http://docs.oasis-open.org/wsn/b-2" '
    'xmlns:wsa5="http://www.w3.org/2005/08/addressing" xmlns:tt="http://www.onvif.org/ver10/schema">'
    "<env:Body>{}</env:Body></env:Envelope>"
)
CREATED = (
    "<tev:CreatePullPointSubscriptionResponse><tev:SubscriptionReference><wsa5:Address>http://10.0.0.9/onvif/sub?id=7</wsa5:Address>"
    "</tev:SubscriptionReference></tev:CreatePullPointSubscriptionResponse>"
)
MESSAGE = (
    '<wsnt:NotificationMessage><wsnt:Topic Dialect="x">tns1:RuleEngine/CellMotionDetector/Motion</wsnt:Topic><wsnt:Message>'
    '<tt:Message UtcTime="2026-05-01T10:00:00Z" PropertyOperation="Changed"><tt:Data>'
    '<tt:SimpleItem Name="{}" Value="{}"/></tt:Data></tt:Message></wsnt:Message></wsnt:NotificationMessage>'
)


class Camera(ThreadingHTTPServer):
    """Stand-in for a camera. Records requests; `notifications` are the notifications of the next pulls."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[str] = []
        self.notifications: queue.Queue[str] = queue.Queue()
        self.broken = ""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, password: str = "p%3Ass%26word") -> str:
        return f"http://{USER}:{password}@127.0.0.1:{self.server_address[1]}/onvif/event_service"


class Handler(BaseHTTPRequestHandler):
    server: Camera

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        action = re.search(r"<s:Body><\w:(\w+)", body)
        assert action is not None
        self.server.requests.append(f"{action[1]} {self.path}")
        if self.server.broken:
            self.answer(200, self.server.broken)
        elif not authentic(body):
            self.answer(400, SOAP.format("<env:Fault><env:Code><env:Value>ter:NotAuthorized</env:Value></env:Code></env:Fault>"))
        else:
            self.answer(200, SOAP.format(self.act(action[1])))

    def act(self, action: str) -> str:
        if action == "CreatePullPointSubscription":
            return CREATED
        if action != "PullMessages":
            return f"<wsnt:{action}Response/>"
        try:
            notification = self.server.notifications.get(timeout=0.2)
        except queue.Empty:
            notification = ""
        return f"<tev:PullMessagesResponse>{notification}</tev:PullMessagesResponse>"

    def answer(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: object) -> None:
        """Logs nothing."""


def authentic(body: str) -> bool:
    """Whether the digest is that of the password, computed like in the camera."""
    found = re.search(
        r"<w:Username>(.*)</w:Username>.*>(.*)</w:Password><w:Nonce>(.*)</w:Nonce><u:Created>(.*)</u:Created>", body
    )
    if found is None:
        return False
    mixed = base64.b64decode(found[3]) + found[4].encode() + PASSWORD.encode()
    return found[1] == USER and found[2] == base64.b64encode(hashlib.sha1(mixed).digest()).decode()


@pytest.fixture
def camera() -> Iterator[Camera]:
    camera = Camera()
    yield camera
    camera.shutdown()
    camera.server_close()


def waits(what: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + 120
    while not what():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def test_subscribe_pull_renew_unsubscribe(camera: Camera) -> None:
    point = PullPoint(camera.url())
    point.subscribe()
    camera.notifications.put(MESSAGE.format("IsMotion", "true") + MESSAGE.format("Source", "x") + MESSAGE.format("State", "0"))
    assert point.pull() == [True, False]
    assert point.pull() == []
    point.renew()
    point.unsubscribe()
    assert [line.split()[0] for line in camera.requests] == [
        "CreatePullPointSubscription", "PullMessages", "PullMessages", "Renew", "Unsubscribe"
    ]  # fmt: skip
    assert {line.split()[1] for line in camera.requests[1:]} == {"/onvif/sub?id=7"}  # its path, at the known host


def test_a_watch_reports_motion_and_unknown_states(camera: Camera) -> None:
    states: list[bool | None] = []
    watch = OnvifWatch(camera.url(), states.append)
    watch.start()
    waits(lambda: states == [False])
    camera.notifications.put(MESSAGE.format("IsMotion", "true"))
    waits(lambda: states == [False, True])
    camera.broken = "<html>rebooting</html"
    waits(lambda: states[2:] == [None])
    assert "not answered with SOAP" in watch.fault
    camera.broken = ""
    waits(lambda: states[3:] == [False])
    watch.stop()
    waits(lambda: camera.requests[-1].startswith("Unsubscribe"))


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("", "denies this user"),
        ("no xml", "not answered with SOAP"),
        ('<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', "not answered with SOAP"),
        ("<x>" + "y" * 400_000 + "</x>", "not answered with SOAP"),
        (SOAP.format(""), "provides no subscription"),
    ],
)
def test_cameras_that_refuse_or_lie(camera: Camera, broken: str, expected: str) -> None:
    camera.broken = broken
    with pytest.raises(UnavailableError, match=expected) as error:
        PullPoint(camera.url("geheim")).subscribe()
    assert "geheim" not in str(error.value)


def test_no_server() -> None:
    with pytest.raises(UnavailableError, match="does not respond to CreatePullPointSubscription"):
        PullPoint("http://127.0.0.1:9/onvif").subscribe()


def test_the_gate_of_a_source() -> None:
    options = {"gate": "onvif", "onvif": "http://127.0.0.1:9/onvif/event_service"}
    source = RtspSource(SourceSpec(kind="rtsp", uri="rtsp://127.0.0.1/x", options=options))
    gate = source.gate()
    assert gate.check(10, False, 1.0)  # the camera's events are unavailable: everything is decoded
    source.stop()
    with pytest.raises(PipelineError, match="invalid URL"):
        RtspSource(SourceSpec(kind="rtsp", uri="rtsp://127.0.0.1/x", options={"gate": "onvif"}))
