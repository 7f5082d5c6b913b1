"""A package is offered to devices that can read it; for the others a preview names the agent that they need first."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.capabilities import built_in_capabilities
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

NEW, OLD = built_in_capabilities(["rtsp"]), "needs agent 0.3.0 or later, for head yolo_pose"
AGENT = """\
name = "edgefleet-agent"
version = "{version}"
task = "agent"

[head]
family = "agent"

[[variants]]
name = "any"
format = "agent"
files = ["agent.tar"]
runtimes = ["agent-cp311-x86_64"]
"""
PIPELINE = """\
name = "gate"

[source]
kind = "device"

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"

[[stages]]
name = "follow"
kind = "track"

[[rules]]
name = "visits"
kind = "visit"
"""


pytestmark = pytest.mark.system


def pose(name: str) -> bytes:
    contents = files(name)
    manifest = contents["model.toml"].decode().replace('family = "yolox"', 'family = "yolo_pose"')
    return tar(contents | {"model.toml": manifest.replace('task = "detection"', 'task = "pose"').encode()})


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("capabilities")).start()
    devices = {name: VirtualDevice(name, server.mqtt_port) for name in ("new-1", "old-1", "old-2")}
    for name, one in devices.items():
        one.agent_version, one.capabilities = ("0.3.0", NEW) if name == "new-1" else ("0.2.0", [])
        one.start().wait_online()
    try:
        eventually("all online", lambda: server.get("/overview")["online"] == 3)
        for name in ("bones", "moves"):
            assert server.push(pose(name)).status_code == 201
        yield server
    finally:
        for one in devices.values():
            one.stop()
        server.stop()


def typed(fleet: ServerProcess, *arguments: str) -> str:
    done = template().run([*arguments, "--server", fleet.state()["url"]], os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def request(package: str = "bones", **more: Any) -> dict[str, Any]:
    return {"package": package, "version": "1.0.0", "selector": {"all": True}, "waves": [{"name": "all"}], **more}


def test_a_device_lists_what_it_reported_and_a_version_what_it_requires(fleet: ServerProcess) -> None:
    assert fleet.get("/devices/new-1")["capabilities"] == NEW
    assert fleet.get("/devices/old-1")["capabilities"] == []
    assert fleet.get("/models/bones/1.0.0")["requires"] == ["head:yolo_pose", "task:pose"]


def test_a_preview_names_the_agent_that_is_needed(fleet: ServerProcess) -> None:
    preview = fleet.post("/rollouts/preview", request())
    assert preview["eligible"] == 1
    assert preview["ineligible"] == [{"device": name, "reason": OLD} for name in ("old-1", "old-2")]
    assert preview["agent_update"] == {"devices": 2, "needed": "0.3.0", "package": None, "version": None}
    for version in ("0.2.9", "0.4.0", "0.3.5"):
        assert fleet.push(tar({"model.toml": AGENT.format(version=version).encode(), "agent.tar": b"a"})).status_code == 201
    found = fleet.post("/rollouts/preview", request())["agent_update"]
    assert found == {"devices": 2, "needed": "0.3.0", "package": "edgefleet-agent", "version": "0.4.0"}
    out = typed(fleet, "rollout", "create", "bones@1.0.0", "--dry-run")
    assert f"incompatible: old-1: {OLD}\n" in out
    assert (
        "2 devices first need agent 0.3.0 or later:"
        " edgefleet rollout create edgefleet-agent@0.4.0 --slot edgefleet-agent\n" in out
    )


def test_the_coverage_has_a_row_for_those_that_cannot_read_it(fleet: ServerProcess) -> None:
    rows = fleet.get("/models/bones/1.0.0/coverage")["rows"]
    assert [(row["devices"], row["variant"], row["reason"]) for row in rows] == [(2, None, OLD), (1, "cpu-int8", "")]


def test_only_those_that_can_read_it_are_updated(fleet: ServerProcess) -> None:
    rollout = fleet.post("/rollouts", request("moves", name="moves", start=True, policy={"trial_s": 0.1}, gate={"soak_s": 0.0}))[
        "id"
    ]
    eventually("done", lambda: fleet.get(f"/rollouts/{rollout}")["state"] == "completed")
    on = {name: fleet.get(f"/devices/{name}")["slots"] for name in ("new-1", "old-1", "old-2")}
    assert {name: [slot["running"]["package"] for slot in slots] for name, slots in on.items()} == {
        "new-1": ["moves"],
        "old-1": [],
        "old-2": [],
    }


def test_what_a_pipeline_requires_is_derived_when_it_is_stored(fleet: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(PIPELINE)
    typed(fleet, "pipeline", "set", str(file))
    assert fleet.get("/models/pipeline-gate/1.0.0")["requires"] == ["rule:visit", "stage:detect", "stage:track"]


def test_a_requirement_by_hand_is_checked(fleet: ServerProcess) -> None:
    contents = files("special")
    for requires, status in ((["head:mine"], 201), (["mine"], 422)):
        manifest = f"requires = {json.dumps(requires)}\n" + contents["model.toml"].decode()
        answer = fleet.push(tar(contents | {"model.toml": manifest.encode()}))
        assert answer.status_code == status, answer.text
    reasons = {item["reason"] for item in fleet.post("/rollouts/preview", request("special"))["ineligible"]}
    assert reasons == {"needs head mine: a plug-in, or a later agent"}
