"""The main stream of a camera whose substream is decoded: the reason for missing clips."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from edgefleet_agent.recording.event_recorder import EventRecorder
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.live.live_source import Address
from edgefleet_agent.sources.live.main_stream import MainStream
from edgefleet_contract.pipeline.spec import EvidenceSpec
from tests.agent.fakes.cameras import TcpCamera


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("404 Not Found", "has no such stream; correct the path in the URL"),
        ("401 Unauthorized", "rejects the user name or password; correct them in the URL"),
    ],
)
def test_the_fault_of_a_main_stream_that_is_refused(tmp_path: Path, status: str, expected: str) -> None:
    def serve(connection: socket.socket) -> None:
        while request := connection.recv(4096):
            number = request.split(b"CSeq: ")[1].split(b"\r\n")[0].decode()
            answer = "200 OK\r\nPublic: DESCRIBE" if request.startswith(b"OPTIONS") else status
            connection.sendall(f"RTSP/1.0 {answer}\r\nCSeq: {number}\r\n\r\n".encode())

    faults: list[tuple[str, bool]] = []
    recorder = EventRecorder(EvidenceSpec(), EvidenceFolder(tmp_path, 1 << 30, 1e9), lambda *one: faults.append(one))
    feed = recorder.ring.connect()
    with TcpCamera(serve) as camera:
        url = f"rtsp://127.0.0.1:{camera.port}/main"
        main = MainStream(Address(url, url, "rtsp", {"rtsp_transport": "tcp"}), feed, (2.0, 2.0))
        main.start()
        main.anchor(time.monotonic())
        until_s = time.monotonic() + 20.0
        while not feed.fault and time.monotonic() < until_s:
            time.sleep(0.01)
        main.stop()
    assert feed.fault == f"{url} {expected}"
    for at_s in (1.0, 3.0, 6.5, 8.0):
        recorder.advance(at_s)
    assert faults == [(f"no clips can be recorded: {url} {expected}", False)]
    feed.fault = ""
    recorder.advance(9.0)
    assert faults[1:] == [("clips are recorded again", True)]
    recorder.close()
