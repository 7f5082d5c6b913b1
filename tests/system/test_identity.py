"""Life cycle of a device's certificate with the CLI: token, enrol, run, renew, block, unblock."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]

LIFE_DAYS = "0.0001"
"""About nine seconds: renewed after six."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path / "fleet", "--certificate-days", LIFE_DAYS).start()
    yield process
    process.stop()


def typed(module: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, "PYTHONPATH": import_path()}
    return subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, timeout=240)


class Device:
    """An agent configured by its enrolment alone."""

    def __init__(self, folder: Path, server: ServerProcess) -> None:
        self.config, self.state, self.log = folder / "agent.toml", folder / "state", folder / "agent.log"
        self._server = server
        self._process: subprocess.Popen[bytes] | None = None

    def enrol(self, token: str) -> subprocess.CompletedProcess[str]:
        where = [
            "--config",
            str(self.config),
            *([] if self.config.exists() else ["--device", "press-07", "--state", str(self.state)]),
        ]
        return typed(
            "edgefleet_agent",
            "enroll",
            self._server.state()["url"],
            "--token",
            "-",
            "--again",
            "--json",
            *where,
            stdin=f"{token}\n",
        )

    def start(self) -> None:
        with self.config.open("a", encoding="utf-8") as settings:
            settings.write("[link]\nreconnect_min_s = 0.1\nreconnect_max_s = 0.5\n")
        self.restart()

    def restart(self) -> None:
        self.stop()
        command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(self.config)]
        with self.log.open("ab") as log:
            environment = {**os.environ, "PYTHONPATH": import_path()}
            self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(120.0)

    def row(self) -> dict[str, Any]:
        rows = self._server.get("/devices")["items"]
        return dict(rows[0]) if rows else {}

    def online(self) -> bool:
        return bool(self.row().get("online"))

    def serial(self) -> str:
        return str(self._server.get("/devices/press-07/identity")["certificate"]["serial"])


@pytest.fixture
def device(tmp_path: Path, server: ServerProcess) -> Iterator[Device]:
    made = Device(tmp_path, server)
    yield made
    made.stop()


def test_enrol_renew_block_and_come_back(server: ServerProcess, device: Device) -> None:
    url = server.state()["url"]
    made = typed("edgefleet_server", "token", "create", "--server", url, "--label", "site=lyon", "--json")
    done = device.enrol(json.loads(made.stdout)["token"])
    assert done.returncode == 0, done.stderr
    enrolment = json.loads(done.stdout)
    assert (enrolment["device"], enrolment["labels"], enrolment["config"]) == ("press-07", {"site": "lyon"}, str(device.config))
    first = device.serial()
    device.start()
    eventually("it is online over TLS", device.online)
    assert server.get("/devices/press-07")["labels"] == {"site": "lyon"}
    eventually("it asks for a new certificate before the old one ends", lambda: device.serial() != first)
    eventually("and uses it", lambda: "certificate renewed" in device.log.read_text())

    token = server.post("/enrolment-tokens", {"device": "press-07", "labels": {"line": "2"}})["token"]
    blocked = typed("edgefleet_server", "device", "block", "press-07", "--reason", "stolen", "--server", url)
    shown = typed("edgefleet_server", "device", "show", "press-07", "--server", url)
    assert "blocked (stolen); `edgefleet device unblock press-07` allows it to enroll again" in shown.stdout, shown.stderr
    assert blocked.returncode == 0, blocked.stderr
    assert "blocked (stolen)" in device.row()["attention"]
    eventually("its session ends", lambda: not device.online())
    device.restart()
    refused = device.enrol(token)
    assert refused.returncode == 2
    assert "blocked" in refused.stderr
    assert not device.online()

    server.http.delete("/devices/press-07/block")
    assert device.enrol(token).returncode == 0
    device.restart()
    eventually("it is back", device.online)
    both = {"site": "lyon", "line": "2"}
    eventually(
        "it has the labels of its settings and of the new token", lambda: server.get("/devices/press-07")["labels"] == both
    )
    secrets = [path for path in (device.state / "identity").iterdir() if path.stat().st_mode & 0o077]
    assert secrets == []
    for log in (device.log, server.log):
        assert "PRIVATE KEY" not in log.read_text()
