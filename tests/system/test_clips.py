"""Evidence of a device, from the camera's frame to the server's REST API."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.agent.fakes.cameras import free_port
from tests.agent.fakes.moving_boxes import PIPELINE
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path

pytestmark = pytest.mark.system


def start_agent(folder: Path, broker: str, port: int) -> subprocess.Popen[bytes]:
    (folder / "pipelines").mkdir(parents=True)
    (folder / "pipelines/boxes.toml").write_text(PIPELINE)
    (folder / "agent.toml").write_text(
        f'device = "cam-1"\nbroker = "{broker}"\nstate = "state"\npipelines = "pipelines"\n'
        f'[local_api]\nhttp = "127.0.0.1:{port}"\n[evidence]\nupload = ["snapshot"]\n'
    )
    with (folder / "agent.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(folder / "agent.toml")],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONPATH": import_path()},
        )


def ask(port: int, path: str) -> Any:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            return json.loads(answer.read())
    except OSError:
        return None


def test_a_snapshot_is_on_the_device_and_then_at_the_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    port = free_port()
    agent = start_agent(tmp_path / "device", server.state()["mqtt_url"], port)
    try:
        event = eventually("an event", lambda: (ask(port, "/api/events?kind=line") or {}).get("events"), 60.0)[-1]
        assert event["pipeline"] == "boxes"
        assert len(event["config_digest"]) == 64
        path = f"/devices/cam-1/events/{event['id']}/snapshot"
        eventually("the snapshot at the server", lambda: server.http.get(path).status_code == 200, 60.0)
        answer = server.http.get(path)
        assert answer.headers["content-type"] == "image/jpeg"
        picture = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
        assert picture.shape == (360, 640, 3)
        assert answer.content == (tmp_path / "device/state/evidence" / event["data"]["snapshot"]).read_bytes()
        assert server.http.get(path.replace("snapshot", "clip")).status_code == 404
        assert server.http.get("/devices/cam-1/events/x.y/snapshot").status_code == 422
        found = eventually("the event", lambda: server.get("/events", device="cam-1")["items"])
        assert [item["evidence"] for item in found if item["event"]["id"] == event["id"]][-1] == ["snapshot"]
    finally:
        agent.send_signal(signal.SIGTERM)
        agent.wait(120)
        server.stop()
