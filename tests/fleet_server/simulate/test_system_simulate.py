"""`edgefleet simulate` against a real server and broker, as a stranger runs it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fleet_server.packages import files, tar
from tests.fleet_server.system import ROOT, ServerProcess, eventually, order

pytestmark = pytest.mark.system

DEVICES = 60
BLOCKS = 7
"""Of the package: its descriptor, its manifest, two files of five."""


@pytest.fixture
def swarm(server: ServerProcess) -> Iterator[subprocess.Popen[str]]:
    """60 devices for which 2.0.0 is bad."""
    command = [sys.executable, "-m", "fleet_server", "simulate", "--devices", str(DEVICES), "--telemetry-s", "0.3", "--json"]
    command += ["--server", server.state()["url"], "--bad-version", "2.0.0", "--fail-rate", "0.5", "--seed", "3"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    eventually("all online", lambda: server.get("/overview")["online"] == DEVICES)
    yield process
    if process.poll() is None:
        process.kill()
    process.wait()


def end(process: subprocess.Popen[str]) -> dict[str, Any]:
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    found: dict[str, Any] = json.loads(out)
    return found


def test_rollouts_and_every_sample(server: ServerProcess, swarm: subprocess.Popen[str]) -> None:
    """A good version reaches everyone, a bad one is stopped, and the table has every sample exactly once."""
    for version in ("1.0.0", "2.0.0"):
        assert server.push(tar(files(version=version))).status_code == 201
    good = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "canary", "count": 5}, {"name": "rest"}]))["id"]
    eventually("completed", lambda: server.get(f"/rollouts/{good}")["state"] == "completed")
    assert server.get(f"/rollouts/{good}")["counts"] == {"committed": DEVICES}
    blocks = server.get("/health")["blocks"]
    assert blocks["broadcasts"] > 0
    assert blocks["broadcasts"] + blocks["sent_alone"] < DEVICES * BLOCKS / 4, "a wave's blocks go out once, not for each device"
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
