"""Devices that start from one image: they enrol themselves with a common token, and wait for the approval of a user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path
from tests.system import test_identity
from tests.system.test_identity import typed

pytestmark = test_identity.pytestmark


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path / "fleet", plain_devices=False).start()
    yield process
    process.stop()


def test_an_image_enrols_its_devices_and_a_user_approves_them(server: ServerProcess, tmp_path: Path) -> None:
    url = server.state()["url"]
    claim = tmp_path / "claim.token"
    options = ("--devices", "2", "--approval", "--label", "site=lyon", "--out", str(claim), "--server", url)
    made = typed("edgefleet_server", "token", "create", *options)
    assert "enrolls 2 devices, each once, within 60 min, after approval" in made.stderr, made.stderr

    config, log = tmp_path / "agent.toml", tmp_path / "agent.log"
    config.write_text(
        f'device = "cam-1"\nstate = "state"\n[enroll]\nurl = "{url}"\ntoken_file = "claim.token"\n'
        "[link]\nreconnect_min_s = 0.1\nreconnect_max_s = 0.5\n"
    )
    command = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(config)]
    with log.open("ab") as output:
        agent = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": import_path()}, stdout=output, stderr=output)
    try:
        eventually("it asks", lambda: "cam-1 waits for approval" in log.read_text())
        shown = typed("edgefleet_agent", "status", "--config", str(config))
        assert "cam-1 waits for approval" in shown.stdout, shown
        listed = typed("edgefleet_server", "token", "requests", "--server", url)
        (_, row) = listed.stdout.splitlines()
        device, key, _token, state = row.split()[:4]
        assert (device, state) == ("cam-1", "waiting")
        assert key in log.read_text(), "user and device see the same key"
        assert "valid for" in (tokens := typed("edgefleet_server", "token", "list", "--server", url).stdout)
        assert "0 of 2 devices, 1 waiting for approval" in tokens

        second = tmp_path / "second.toml"
        enroll = ("enroll", url, "--token-file", str(claim), "--config", str(second), "--state", str(tmp_path / "other"))
        waits = subprocess.Popen(
            [sys.executable, "-m", "edgefleet_agent", *enroll, "--device", "cam-2"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": import_path()},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waits.stderr is not None
        assert "cam-2 waits for approval" in waits.stderr.readline()
        assert typed("edgefleet_server", "token", "deny", "cam-2", "--server", url).returncode == 0
        assert typed("edgefleet_server", "token", "deny", "cam-9", "--server", url).returncode == 1
        _, rest = waits.communicate(timeout=60)
        assert (waits.returncode, "a user of the fleet server denied the enrollment of 'cam-2'" in rest) == (2, True), rest
        assert not (tmp_path / "other/enrolment.key").exists()

        approved = typed("edgefleet_server", "token", "approve", "--all", "--server", url)
        assert approved.stdout.startswith("1 device approved"), approved
        eventually(
            "it is online", lambda: [each["id"] for each in server.get("/devices")["items"] if each["online"]] == ["cam-1"]
        )
        assert server.get("/devices/cam-1")["labels"] == {"site": "lyon"}
        assert not (tmp_path / "state/enrolment.key").exists()
        assert server.get("/enrolment-tokens")["items"][0]["uses"] == 1
    finally:
        agent.terminate()
        agent.wait(60)
