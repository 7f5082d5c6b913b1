"""Real server, real broker: several packages in one rollout."""

from __future__ import annotations

from typing import Any

import pytest

from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour
from tests.fleet_server.system.test_rollout import online, push, wait_state

pytestmark = pytest.mark.system

POSE = [{"package": "poser", "version": "1.0.0", "slot": "pose"}]


def bundle(version: str, pose: str, waves: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    parts = [{"package": "poser", "version": pose, "slot": "pose"}]
    return order("spotter", version, waves, parts=parts, **more)


def test_a_bundle_is_done_with_all_its_parts_and_comes_back_with_all(server: ServerProcess, device: MakeDevice) -> None:
    """Both slots of every device; the answer names the parts; a roll-back brings both back."""
    devices = [device(f"dev-{number}") for number in range(3)]
    online(server, 3)
    old = push(server, "1.0.0"), push(server, "1.0.0", name="poser")
    new = push(server, "1.1.0"), push(server, "1.1.0", name="poser")
    wait_state(server, server.post("/rollouts", bundle("1.0.0", "1.0.0", [{"name": "all"}]))["id"], "completed")
    assert {(one.running("detector"), one.running("pose")) for one in devices} == {old}

    body = bundle("1.1.0", "1.1.0", [{"name": "canary", "count": 1}, {"name": "rest"}])
    request = {name: body[name] for name in ("package", "version", "slot", "parts", "selector", "waves")}
    preview = server.post("/rollouts/preview", request)
    assert (preview["eligible"], preview["already"]) == (3, 0)
    assert preview["forecast"]["based_on"] == 3, "the same two slots went together before"
    alone = {name: value for name, value in request.items() if name != "parts"}
    lone = server.post("/rollouts/preview", alone)
    assert lone["forecast"]["based_on"] == 0, "what a bundle took says nothing of one of its slots"
    assert preview["bytes_total"] > lone["bytes_total"]
    created = server.post("/rollouts", body)
    assert [(part["slot"], part["package"], part["digest"]) for part in created["parts"]] == [
        ("detector", "spotter", new[0]),
        ("pose", "poser", new[1]),
    ]
    wait_state(server, created["id"], "completed")
    assert {(one.running("detector"), one.running("pose")) for one in devices} == {new}
    rows = server.get(f"/rollouts/{created['id']}/attempts")["items"]
    assert sorted(row["device"] for row in rows) == ["dev-0", "dev-1", "dev-2"]
    assert {tuple(row["parts"].items()) for row in rows} == {(("detector", "committed"), ("pose", "committed"))}
    assert server.post("/rollouts/preview", request)["already"] == 3
    server.post(f"/rollouts/{created['id']}/rollback", {})
    wait_state(server, created["id"], "rolled_back")
    assert {(one.running("detector"), one.running("pose")) for one in devices} == {old}


def test_a_part_that_fails_takes_the_others_back(server: ServerProcess, device: MakeDevice) -> None:
    """The canary's pose model fails its golden samples: its detector, which had been committed, goes back, too."""
    canary = device("dev-0")
    online(server, 1)
    old = push(server, "1.0.0"), push(server, "1.0.0", name="poser")
    push(server, "1.1.0"), push(server, "1.1.0", name="poser")
    wait_state(server, server.post("/rollouts", bundle("1.0.0", "1.0.0", [{"name": "all"}]))["id"], "completed")
    canary.behaviour = Behaviour(SlotPhase.ROLLED_BACK, Reason.GOLDEN_MISMATCH, "found 0 of 1", trial_s=0.5, only_slot="pose")
    rollout = server.post("/rollouts", bundle("1.1.0", "1.1.0", [{"name": "all"}]))["id"]
    wait_state(server, rollout, "paused")
    row = server.get(f"/rollouts/{rollout}/attempts")["items"][0]
    assert (row["state"], row["reason"]) == ("rolled_back", "golden_mismatch")
    assert "part pose: found 0 of 1" in row["explanation"]
    eventually("both parts are back", lambda: (canary.running("detector"), canary.running("pose")) == old)


def test_a_device_that_cannot_run_one_part_takes_none(server: ServerProcess, device: MakeDevice) -> None:
    """The dry run says which part it is; the same slot twice, and the agent in a bundle, are refused with a reason."""
    device("dev-0")
    online(server, 1)
    push(server)
    push(server, name="poser", profiles='["coral"]')
    request = {"package": "spotter", "version": "1.0.0", "parts": POSE, "selector": {"all": True}, "waves": [{"name": "all"}]}
    preview = server.post("/rollouts/preview", request)
    assert preview["eligible"] == 0
    assert preview["ineligible"][0]["reason"].startswith("slot pose: no variant for profile")
    for slot, text in (("detector", "used twice"), (AGENT_SLOT, "roll it out separately")):
        answer = server.http.post("/rollouts/preview", json={**request, "parts": [{**POSE[0], "slot": slot}]})
        assert (answer.status_code, text in answer.text) == (422, True), answer.text
