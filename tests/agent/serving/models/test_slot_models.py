"""Calls to the models of a running worker: they are answered between frames, and a swap fails none of them."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from edgefleet_contract import worker_process as wire
from tests.agent.pipeline.scheduling.test_worker_server import FIRST, SECOND, Supervisor, set_slot, start
from tests.packages import MakePackage

pytestmark = pytest.mark.system

INFER = "/v2/models/ssd_mobilenet_v1/infer"


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(str(self._path))

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any]:
        self.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = self.getresponse()
        data = answer.read()
        return answer.status, json.loads(data) if answer.headers["Content-Type"] == "application/json" else data


@pytest.fixture
def api(tmp_path: Path) -> Iterator[tuple[Supervisor, Path]]:
    address = tmp_path / "api.sock"
    made = Supervisor(tmp_path, "--http", f"unix:{address}")
    made.until(wire.Heartbeat)
    yield made, address
    made.close()


def wait_for(answers: list[tuple[int, str]], version: str) -> None:
    """Wait until the latest answer is from this version."""
    give_up_s = time.monotonic() + 120
    while not answers or answers[-1] != (200, version):
        assert time.monotonic() < give_up_s, answers[-1:]
        time.sleep(0.01)


def test_calls_go_between_frames_and_a_swap_fails_none(
    api: tuple[Supervisor, Path], data: Path, package: MakePackage, tmp_path: Path
) -> None:
    supervisor, address = api
    start(supervisor, data, package("ssd_mobilenet_v1"), "realtime")
    caller = UnixConnection(address)
    status, metadata = caller.ask("GET", "/v2/models/ssd_mobilenet_v1")
    assert (status, metadata["versions"], metadata["platform"]) == (200, ["1.0.0"], "litert_tflite")
    tensor = metadata["inputs"][0]
    raw = bytes(300 * 300 * 3)
    head = json.dumps({"inputs": [{**tensor, "parameters": {"binary_data_size": len(raw)}}]}).encode()
    ending = threading.Event()
    answers: list[tuple[int, str]] = []

    def call() -> None:
        mine = UnixConnection(address)
        while not ending.is_set():
            status, answer = mine.ask("POST", INFER, head + raw, Inference_Header_Content_Length=str(len(head)))
            answers.append((status, answer.get("model_version", "")))
        mine.close()

    callers = [threading.Thread(target=call) for _ in range(3)]
    for thread in callers:
        thread.start()
    other = tmp_path / "ssd_mobilenet_v1" / "1.1.0"
    shutil.copytree(package("ssd_mobilenet_v1", copy=True), other)
    manifest = (other / "model.toml").read_text(encoding="utf-8")
    (other / "model.toml").write_text(manifest.replace('version = "1.0.0"', 'version = "1.1.0"'), encoding="utf-8")
    wait_for(answers, "1.0.0")
    for folder, digest in ((other, SECOND), (package("ssd_mobilenet_v1"), FIRST), (other, SECOND)):
        swapped = set_slot(supervisor, folder, digest)
        assert (swapped.ok, swapped.frames_lost) == (True, 0), swapped.detail
        wait_for(answers, folder.name)
    ending.set()
    for thread in callers:
        thread.join()
    assert {status for status, _ in answers} == {200}
    assert {version for _, version in answers} == {"1.0.0", "1.1.0"}
    assert caller.ask("GET", "/v2/models/ssd_mobilenet_v1/versions/1.0.0")[0] == 404
    status, index = caller.ask("POST", "/v2/repository/index")
    assert (status, {each["name"]: each["version"] for each in index}) == (
        200,
        {"ssd_mobilenet_v1": "1.1.0", "ssd_mobilenet_v1.picture": "1.1.0"},
    )
    picture = np.full((120, 160, 3), 90, np.uint8)
    body = json.dumps({"IMAGE": "x"}).encode()
    assert caller.ask("POST", "/v2/models/ssd_mobilenet_v1.picture/generate", body)[0] == 400
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    status, answer = caller.ask("POST", "/v2/models/ssd_mobilenet_v1.picture/infer", jpeg, Inference_Header_Content_Length="0")
    assert status == 200
    assert answer.startswith(b'{"model_name":"ssd_mobilenet_v1.picture"')
    assert caller.ask("POST", "/v2/repository/models/ssd_mobilenet_v1/unload")[0] == 501
    page = caller.ask("GET", "/metrics")[1]
    assert b'edgefleet_inference_requests_total{model="ssd_mobilenet_v1",version="1.1.0",outcome="answered"}' in page
    caller.close()
    beat = supervisor.until(wire.Heartbeat)
    assert beat.errors_total == {"detector": 0}


def test_an_address_in_use_is_an_error_and_frames_continue(tmp_path: Path, data: Path, package: MakePackage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        supervisor = Supervisor(tmp_path, "--http", f"127.0.0.1:{taken.getsockname()[1]}")
        try:
            assert "cannot listen" in supervisor.until(wire.WorkerFault).text
            start(supervisor, data, package("ssd_mobilenet_v1"))
        finally:
            supervisor.close()
