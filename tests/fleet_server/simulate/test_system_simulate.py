"""`edgefleet simulate` against a real server and broker, as a stranger runs it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually, order
from tests.import_path import import_path

pytestmark = pytest.mark.system

DEVICES = 60
BLOCKS = 7
"""Of the package: its descriptor, its manifest, two files of five."""
ENVIRONMENT = {**os.environ, "PYTHONPATH": import_path()}


@pytest.fixture
def swarm(server: ServerProcess) -> Iterator[subprocess.Popen[str]]:
    """60 devices for which 2.0.0 is bad."""
    command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", str(DEVICES), "--telemetry-s", "0.3", "--json"]
    command += ["--server", server.state()["url"], "--bad-version", "2.0.0", "--fail-rate", "0.5", "--seed", "3"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        try:
            eventually("all online", lambda: server.get("/overview")["online"] == DEVICES)
            yield process
        finally:
            process.kill()  # nothing happens to one that has ended


def end(process: subprocess.Popen[str]) -> dict[str, Any]:
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_rollouts_and_every_sample(server: ServerProcess, swarm: subprocess.Popen[str]) -> None:
    """A good version reaches everyone, a bad one is stopped, and the table has every sample exactly once."""
    for version in ("1.0.0", "2.0.0"):
        assert server.push(tar(files(version=version))).status_code == 201
    good = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "canary", "count": 5}, {"name": "rest"}]))["id"]
    # a wave that misses many copies waits 20 s before they are sent again
    eventually("completed", lambda: server.get(f"/rollouts/{good}")["state"] == "completed", 120.0)
    assert server.get(f"/rollouts/{good}")["counts"] == {"committed": DEVICES}
    blocks = server.get("/health")["blocks"]
    assert blocks["broadcasts"] > 0
    # On a busy machine devices ask late, and blocks go out more than once; for each device they would be twice as many.
    assert blocks["broadcasts"] + blocks["sent_alone"] < DEVICES * BLOCKS / 2, "a wave's blocks go out once, not for each device"
    bad = server.post("/rollouts", order("spotter", "2.0.0", [{"name": "canary", "count": 5}, {"name": "rest"}]))["id"]
    eventually("paused", lambda: server.get(f"/rollouts/{bad}")["state"] == "paused")
    assert server.get(f"/rollouts/{bad}")["counts"]["queued"] == DEVICES - 5

    found = end(swarm)
    eventually("all offline", lambda: server.get("/overview")["online"] == 0)
    server.stop()
    with sqlite3.connect(server.data / "fleet.db") as db:
        rows, distinct = db.execute("SELECT count(*), count(DISTINCT device || at || record) FROM telemetry").fetchone()
    assert rows == distinct
    assert found["records"]["stored"] <= rows <= found["records"]["made"]
    assert found["records"]["made"] - rows <= 2 * DEVICES, "more than what was on its way at the end is missing"
    assert found["blocks"]["wrong"] == 0
    assert found["updates"]["committed"] >= DEVICES


def example() -> dict[str, list[str]]:
    """The commands of the example in `edgefleet simulate --help`, by their first word."""
    shown = subprocess.run(
        [sys.executable, "-m", "edgefleet_server", "simulate", "--help"],
        capture_output=True,
        text=True,
        check=True,
        env=ENVIRONMENT,
    ).stdout
    lines = re.findall(r"^  edgefleet ((\w+).*)$", shown.partition("Example:")[2], re.MULTILINE)
    return {name: shlex.split(line) for line, name in lines}


def test_the_example_of_the_help_ends_as_documented(tmp_path: Path) -> None:
    """Four commands, typed as they stand (only the ports are free ones): every device comes, and the bad version is stopped."""
    typed = example()
    program = [sys.executable, "-m", "edgefleet_server"]
    state = tmp_path / typed["serve"][typed["serve"].index("--data") + 1] / "server.json"
    with ExitStack() as undo:

        def begin(arguments: list[str], environment: dict[str, str], **more: Any) -> subprocess.Popen[str]:
            process = subprocess.Popen([*program, *arguments], env=environment, cwd=tmp_path, text=True, **more)
            undo.callback(process.wait)
            undo.callback(process.terminate)
            return process

        begin([*typed["serve"], "--port", "0", "--mqtt-port", "0", "--mqtts-port", "0"], ENVIRONMENT)
        eventually("the server runs", lambda: state.is_file() and state.read_text().endswith("}"), 90.0)
        url = json.loads(state.read_text())["url"]
        environment = {**ENVIRONMENT, "EDGEFLEET_SERVER": url}
        devices = int(typed["simulate"][typed["simulate"].index("--devices") + 1])
        begin(typed["simulate"], environment, stderr=subprocess.DEVNULL)
        overview = f"{url}/api/v1/overview"
        eventually("all online", lambda: httpx.get(overview, timeout=30.0).json()["online"] == devices, 120.0)
        results = {
            name: subprocess.run(
                [*program, *typed[name]], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
            )
            for name in ("model", "rollout")
        }
        assert results["model"].returncode == 0, results["model"].stderr
        assert "\nrollout 1 paused: " in results["rollout"].stdout, results["rollout"].stdout + results["rollout"].stderr
        attempts = httpx.get(f"{url}/api/v1/rollouts/1", timeout=30.0).json()
        assert attempts["counts"]["rolled_back"] > 0
        assert attempts["counts"]["queued"] > devices / 2


def test_the_documents_have_the_example_of_the_help() -> None:
    documents = (ROOT / "docs/rollouts.md").read_text()
    typed = example()
    assert {"serve", "simulate", "model", "rollout"} <= typed.keys()
    for words in typed.values():
        assert f"\nedgefleet {shlex.join(words)}\n" in documents


def test_a_broker_that_lets_no_device_in_is_named(tmp_path: Path) -> None:
    """A server as it is started by default: one line says why no device is there, and what to do."""
    server = ServerProcess(tmp_path / "fleet", plain_devices=False).start()
    try:
        command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", "3", "--server", server.state()["url"]]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=30, env=ENVIRONMENT, check=False)
    finally:
        server.stop()
    assert (ended.returncode, ended.stdout) == (4, "")
    last = ended.stderr.splitlines()[-1]
    assert "requires device certificates" in last
    assert "`edgefleet serve --plain-devices`" in last


def test_a_broker_that_is_not_there_is_named(server: ServerProcess) -> None:
    """The devices go on trying; the end says that none came, and why."""
    command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", "3", "--duration", "1.5", "--broker"]
    command += ["mqtt://127.0.0.1:9", "--server", server.state()["url"]]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, env=ENVIRONMENT, check=False)
    last = ended.stderr.splitlines()[-1]
    assert (ended.returncode, last.startswith("edgefleet: no device came online: mqtt://127.0.0.1:9: ")) == (4, True), last


def test_devices_with_certificates_and_a_version_that_sticks(tmp_path: Path) -> None:
    """They enroll with a common token over HTTPS, are online over TLS, and go on with their identities in a second run."""
    server = ServerProcess(tmp_path / "fleet", "--tls-self-signed", plain_devices=False).start()
    try:
        url, pin = server.state()["enrolment"]["url"], server.state()["enrolment"]["ca_sha256"]
        context = ssl.create_default_context(cafile=server.data / "authority/authority.crt")
        server.http.close()
        server.http = httpx.Client(base_url=f"{url}/api/v1", verify=context, timeout=120.0)
        token = tmp_path / "fleet.token"
        token.write_text(server.post("/enrolment-tokens", {"devices_max": 12})["token"])
        command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", "12", "--json", "--server", url]
        command += ["--state", str(tmp_path / "identities"), "--ca-sha256", pin, "--telemetry-s", "0.5"]
        command += ["--scenario", "stuck-trial", "--fail-rate", "1", "--bad-version", "2.0.0"]
        first = subprocess.Popen(
            [*command, "--token-file", str(token)], cwd=ROOT, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
        eventually("all online", lambda: server.get("/overview")["online"] == 12, 120.0)
        assert end(first)["connections"] == 12
        eventually("all offline", lambda: server.get("/overview")["online"] == 0)
        assert {path.stat().st_mode & 0o777 for path in (tmp_path / "identities").iterdir()} == {0o600}

        second = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        eventually("all online again, without a token", lambda: server.get("/overview")["online"] == 12, 120.0)
        assert server.push(tar(files(version="2.0.0"))).status_code == 201
        body = order("spotter", "2.0.0", [{"name": "canary", "count": 3}, {"name": "rest"}])
        rollout = server.post("/rollouts", body)["id"]
        eventually("in a trial that does not end", lambda: server.get(f"/rollouts/{rollout}")["counts"].get("trial") == 3)
        assert end(second)["updates"] == {"stuck": 3}
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--state", "DIR"), "has no identity in"),
        (("--token-file", "no.token"), "--token-file"),
        (("--scenario", "slow-drift"), "requires --bad-version, for example"),
        (("--late-rate", "1.5"), "--late-rate 1.5"),
    ],
)
def test_what_is_missing_is_one_line(options: tuple[str, ...], text: str, tmp_path: Path) -> None:
    given = [str(tmp_path / option) if option == "DIR" else option for option in options]
    command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", "2", "--server", "http://127.0.0.1:9", *given]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert text in done.stderr
    assert done.stderr.count("\n") == 1
