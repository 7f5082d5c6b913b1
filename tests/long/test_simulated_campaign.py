"""A thousand simulated devices with certificates: the demo's model from 1.0.0 to 1.1.0 with kill -9 of server, broker and
devices in between, then a version that fails on a third of them.

    python -m pytest -m long tests/long/test_simulated_campaign.py -s
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from edgefleet_server.cli.models.push import pack
from edgefleet_server.simulate.conveyor import site
from tests.fleet_server.fakes.server_process import ROOT, ServerProcess, eventually
from tests.import_path import import_path
from tests.long.untouched_template import plan_of

pytestmark = [pytest.mark.long(minutes=40), pytest.mark.timeout(3600)]

DEVICES = int(os.environ.get("EDGEFLEET_DEVICES", "1000"))
SEED = int(os.environ.get("EDGEFLEET_SEED", "1"))
TEMPLATE = "fast"
BAD = "1.2.0"
STARTED = 12
"""Devices of a small fleet that may have started before the gate decides."""
KILLS = ("server", "broker", "devices", "server", "devices", "broker")


class Fleet:
    """The server, and the process of the devices."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = ServerProcess(folder / "fleet", "--tls-self-signed", plain_devices=False)
        self.devices: subprocess.Popen[bytes] | None = None

    def start_server(self) -> None:
        self.server.start()
        context = ssl.create_default_context(cafile=self.server.data / "authority/authority.crt")
        self.server.http.close()
        self.server.http = httpx.Client(
            base_url=f"{self.server.state()['enrolment']['url']}/api/v1", verify=context, timeout=120.0
        )

    def start_devices(self) -> None:
        enrolment = self.server.state()["enrolment"]
        command = [sys.executable, "-m", "edgefleet_server", "simulate", "--devices", str(DEVICES), "--server", enrolment["url"]]
        command += ["--ca-sha256", enrolment["ca_sha256"], "--state", str(self.folder / "identities"), "--telemetry-s", "10"]
        command += ["--scenario", "bad-version", "--bad-version", BAD]
        token = self.folder / "fleet.token"
        if not token.exists():
            token.write_text(self.server.post("/enrolment-tokens", {"devices_max": DEVICES})["token"])
            command += ["--token-file", str(token)]
        with (self.folder / "devices.log").open("ab") as log:
            self.devices = subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": import_path()}
            )
        eventually("all online", lambda: self.server.get("/overview")["online"] == DEVICES, 900.0)

    def kill(self, target: str) -> None:
        """kill -9; what was killed is started again."""
        print(f"kill -9 of {target}", flush=True)
        if target == "broker":
            os.kill(self.server.broker_pid(), signal.SIGKILL)
        elif target == "server":
            self.server.kill()
            self.start_server()
        else:
            self.stop_devices()
            self.start_devices()

    def stop_devices(self) -> None:
        if self.devices is not None:
            self.devices.kill()
            self.devices.wait()

    def roll_out(self, version: str) -> int:
        body = {"name": version, "package": site.MODEL, "version": version, "slot": site.SLOT, "selector": {"all": True}}
        plan = plan_of(self.server.get("/rollouts/templates")["items"], TEMPLATE)
        return int(self.server.post("/rollouts", {**body, **plan, "start": True})["id"])

    def running(self, version: str) -> int:
        """Number of devices that run a version."""
        return int(self.server.get("/devices", package=site.MODEL, version=version, slot=site.SLOT, size=1)["total"])

    def push(self, folder: Path) -> None:
        with tempfile.TemporaryFile() as spool:
            pack(folder, spool)
            spool.seek(0)
            assert self.server.push(spool.read()).status_code == 201


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    fleet = Fleet(tmp_path)
    try:
        fleet.start_server()
        fleet.start_devices()
        yield fleet
    finally:
        fleet.stop_devices()
        fleet.server.stop()


def finished(fleet: Fleet, number: int) -> str | None:
    state = str(fleet.server.get(f"/rollouts/{number}")["state"])
    return None if state in ("running", "starting") else state


def test_a_thousand_devices_with_certificates_through_kills(fleet: Fleet, tmp_path: Path) -> None:
    for version in (site.FIRST, site.SECOND):
        fleet.push(site.model_folder(version))
    began_s = time.monotonic()
    first = fleet.roll_out(site.FIRST)
    assert eventually("the first version everywhere", lambda: finished(fleet, first), 1500.0) == "completed"
    print(f"first version: {time.monotonic() - began_s:.0f} s", flush=True)

    dice = random.Random(SEED)
    began_s = time.monotonic()
    second = fleet.roll_out(site.SECOND)
    for target in KILLS:
        time.sleep(dice.uniform(10.0, 30.0))
        fleet.kill(target)
    assert eventually("the second version everywhere", lambda: finished(fleet, second), 1500.0) == "completed"
    counts = fleet.server.get(f"/rollouts/{second}")["counts"]
    print(f"second version with {len(KILLS)} kills: {time.monotonic() - began_s:.0f} s", counts, flush=True)
    assert sum(counts.values()) == DEVICES
    assert fleet.running(site.SECOND) == DEVICES

    folder = tmp_path / "bad"
    shutil.copytree(site.model_folder(site.SECOND), folder)
    manifest = folder / "model.toml"
    manifest.write_text(manifest.read_text().replace(f'version = "{site.SECOND}"', f'version = "{BAD}"'))
    fleet.push(folder)
    bad = fleet.roll_out(BAD)
    assert eventually("the bad version's stop", lambda: finished(fleet, bad), 1500.0) == "paused"
    stopped = fleet.server.get(f"/rollouts/{bad}")
    print("bad version:", stopped["state_reason"], stopped["counts"], flush=True)
    assert stopped["counts"]["queued"] >= DEVICES - max(STARTED, DEVICES // 10)
    assert fleet.running(site.SECOND) >= DEVICES - max(STARTED, DEVICES // 10)
