"""The templates of plug-ins from end to end: imported, validated, pushed and rolled out by the server, run by the service."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest

from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Event
from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from tests.agent.plugin_tests.test_templates import KINDS, MODEL, TEMPLATES
from tests.deploy.test_distributions import built
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.long, pytest.mark.timeout(300)]

CAMERA = """
name = "colours"
[source]
kind = "colours"
[[stages]]
name = "sort"
kind = "classify"
model = "slot:detector"
"""
SENSOR = """
name = "load"
[source]
kind = "load"
options = { every_s = 0.1 }
[[rules]]
name = "any"
kind = "level"
channel = "load_1"
above = -1.0
"""
SINK = """
[sinks.plant]
kind = "webhook"
options = {{ url = "http://127.0.0.1:{port}/events" }}
"""


@pytest.fixture(autouse=True)
def plug_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The templates, installed for every process that the test starts; the server is one of them."""
    folder = tmp_path / "installed"
    wheels = [str(built(TEMPLATES / kind, "wheel", tmp_path / f"wheel-{kind}")) for kind in KINDS]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(folder), *wheels]
    subprocess.run(install, check=True, capture_output=True)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))


def test_plug_ins_from_import_to_rollout(deployment: Deployment, tmp_path: Path) -> None:
    received: list[Event] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(decode(self.rfile.read(int(self.headers["Content-Length"])), Event))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    (tmp_path / "mean.toy").write_text(MODEL)
    (tmp_path / "labels").write_text("red\ngreen\nblue\n")
    made = tmp_path / "made"
    model = [str(tmp_path / "mean.toy"), "--head", "channels", "--labels", str(tmp_path / "labels"), "--into", str(made)]
    for version in ("1.0.0", "1.1.0"):
        deployment.typed("edgefleet_server", "model", "import", *model, "--version", version)
    first, second = (made / "mean" / version for version in ("1.0.0", "1.1.0"))
    deployment.typed("edgefleet_server", "model", "validate", str(second))
    files = site.write_agent(tmp_path / "agents", device="line", pipeline=CAMERA, factory=first, broker_url="", labels={})
    (files.config.parent / "pipelines" / "load.toml").write_text(SENSOR)
    with files.config.open("a") as config:
        config.write(SINK.format(port=server.server_port))
    site.enrol(files, deployment.rest)
    deployment.start_known_agent(files)
    push(deployment.rest, first)
    push(deployment.rest, second)
    deployment.wait("the factory package", lambda: deployment.running_version("line") == "1.0.0")
    assert "toy" in deployment.device("line")["runtimes"]
    request = {
        "name": "mean 1.1.0",
        "package": "mean",
        "version": "1.1.0",
        "slot": "detector",
        "selector": {"all": True},
        "waves": [{"name": "canary"}],
        "gate": {"error_percent_max": 0.0, "reported_min": 1, "offline_s": 60.0, "soak_s": 10.0},
        "policy": {"trial_s": 2.0, "trial_frames_min": 5, "shadow_s": 0.0},
        "wave_timeout_s": 120.0,
        "start": True,
    }
    rollout = deployment.rest.post("/rollouts", request)["id"]
    deployment.wait("the rollout's end", lambda: deployment.rest.get(f"/rollouts/{rollout}")["state"] != "running")
    assert deployment.rest.get(f"/rollouts/{rollout}")["state"] == "completed", deployment.last_words()
    assert deployment.running_version("line") == "1.1.0"
    deployment.wait("an event at the webhook", lambda: bool(received))
    assert (received[0].pipeline, received[0].rule) == ("load", "any"), msgspec.to_builtins(received)
    server.shutdown()
    server.server_close()
