"""Rollouts of a version that is withdrawn: a real server does not begin them, and pauses those that run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system


def test_a_withdrawal_stops_what_would_install_the_version(tmp_path: Path) -> None:
    """A running rollout is paused and cannot be resumed; a draft cannot be started; a preview names the reason. Before, it names
    devices that are blocked."""
    server = ServerProcess(tmp_path / "fleet").start()
    device = VirtualDevice("dev-0", server.mqtt_port).start()
    try:
        device.wait_online()
        eventually("the server knows it", lambda: server.http.get("/devices/dev-0").is_success)
        device.stop()
        for version in ("1.0.0", "1.1.0"):
            server.push(tar(files(version=version))).raise_for_status()
        bodies = {version: order("spotter", version, [{"name": "all"}]) for version in ("1.0.0", "1.1.0")}
        running = server.http.post("/rollouts", json=bodies["1.0.0"]).json()["id"]
        draft = server.http.post("/rollouts", json={**bodies["1.1.0"], "start": False}).json()["id"]
        preview = {name: bodies["1.1.0"][name] for name in ("package", "version", "selector", "waves")}
        server.http.put("/devices/dev-0/block", json={"reason": "stolen"}).raise_for_status()
        warned = server.http.post("/rollouts/preview", json=preview).json()["warnings"]
        assert "dev-0 is blocked: not updated until unblocked and enrolled again" in warned
        for version in bodies:
            server.http.post("/trust/withdraw", json={"package": "spotter", "version": version}).raise_for_status()
        stopped = server.http.get(f"/rollouts/{running}").json()
        assert (stopped["state"], stopped["state_reason"]) == ("paused", "spotter@1.0.0 was withdrawn")
        refusals = [
            server.http.post(f"/rollouts/{running}/resume", json={}),
            server.http.post(f"/rollouts/{draft}/start", json={}),
            server.http.post("/rollouts/preview", json=preview),
            server.http.post("/rollouts", json=bodies["1.1.0"]),
        ]
        assert [answer.status_code for answer in refusals] == [409] * 4
        assert all("has been withdrawn; devices refuse it" in answer.json()["detail"] for answer in refusals)
    finally:
        device.stop()
        server.stop()
