"""Real server, real broker, real bytes: rollouts as an operator sees them."""

from __future__ import annotations

from typing import Any

import pytest

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour

pytestmark = pytest.mark.system

CANARY = [{"name": "canary", "count": 2}, {"name": "rest"}]


def push(server: ServerProcess, version: str = "1.0.0", **more: Any) -> str:
    answer = server.push(tar(files(version=version, **more)))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["digest"])


def online(server: ServerProcess, count: int) -> None:
    eventually(f"{count} devices online", lambda: server.get("/overview")["online"] == count)


def wait_state(server: ServerProcess, rollout: int, state: str, timeout_s: float = 120.0) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def poll() -> bool:
        found.update(server.get(f"/rollouts/{rollout}"))
        return bool(found["state"] == state)

    try:
        eventually(f"rollout {state}", poll, timeout_s)
    except AssertionError as error:
        waves = [(wave["state"], wave["counts"]) for wave in found["waves"]]
        raise AssertionError(f"{error}; it is {found['state']} ({found['state_reason']}), {waves}") from error
    return found


def test_canary_then_rest(server: ServerProcess, device: MakeDevice) -> None:
    """Every device fetches the bytes, verifies them and commits; waves in order; all views of the server agree."""
    devices = [device(f"dev-{number}") for number in range(6)]
    online(server, 6)
    digest = push(server)
    created = server.post("/rollouts", order("spotter", "1.0.0", CANARY))
    done = wait_state(server, created["id"], "completed")
    assert [wave["committed"] for wave in done["waves"]] == [2, 4]
    assert done["counts"] == {"committed": 6}
    assert {one.running("detector") for one in devices} == {digest}
    assert server.get("/overview")["versions"] == [
        {"slot": "detector", "package": "spotter", "version": "1.0.0", "digest": digest, "count": 6}
    ]
    row = server.get("/devices/dev-0")
    assert row["slots"][0]["on_target"]
    assert row["attempts"][0]["explanation"].startswith("Committed")
    kinds = [item["kind"] for item in server.get(f"/rollouts/{created['id']}/timeline")["items"]]
    assert kinds.index("wave_passed") < len(kinds) - 1 - kinds[::-1].index("wave_running")
    assert kinds[-1] == "completed"
    attempts = server.get(f"/rollouts/{created['id']}/attempts", wave=0)
    assert attempts["total"] == 2
    past = server.get(f"/rollouts/{created['id']}/history", steps=20)["points"]
    assert (past[0]["state"], past[-1]["state"]) == ("running", "completed")  # it began as it was created
    assert [[wave["queued"], wave["done"]] for wave in past[0]["waves"]] == [[2, 0], [4, 0]]
    assert [[wave["queued"], wave["done"]] for wave in past[-1]["waves"]] == [[0, 2], [0, 4]]
    assert any([wave["state"] for wave in moment["waves"]] == ["running", "pending"] for moment in past)


def test_failed_canary_pauses_then_resume_and_rollback(server: ServerProcess, device: MakeDevice) -> None:
    """The gate stops when both canaries have rolled back; no other device is touched; the operator may resume, or roll back."""
    good = push(server, "1.0.0")
    devices = [device(f"dev-{number}") for number in range(5)]
    online(server, 5)
    wait_state(server, server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}]))["id"], "completed")
    bad = push(server, "1.1.0")
    for one in devices:
        one.behaviour = Behaviour(SlotPhase.ROLLED_BACK, Reason.GOLDEN_MISMATCH, "one.jpg: found 0 of 1")
    rollout = server.post("/rollouts", order("spotter", "1.1.0", CANARY))["id"]
    paused = wait_state(server, rollout, "paused")
    assert paused["waves"][0]["state"] == "failed"
    assert paused["waves"][0]["gate"]["verdict"] == "breached"
    assert "canary" in paused["state_reason"]
    assert paused["waves"][1]["counts"] == {"queued": 3}
    failed = server.get(f"/rollouts/{rollout}/attempts", state="rolled_back")["items"]
    assert "golden" in failed[0]["explanation"]
    assert "found 0 of 1" in failed[0]["explanation"]
    assert server.get("/devices", status="attention")["total"] >= 1

    # one that rolls back after the resume would be a new failure
    canaries = f"/rollouts/{rollout}/attempts"
    eventually("both canaries have failed", lambda: server.get(canaries, state="rolled_back")["total"] == 2)
    for one in devices:
        one.behaviour = Behaviour()
    assert server.post(f"/rollouts/{rollout}/resume", {"reason": "the canaries' cameras were dark"})["state"] == "running"
    wait_state(server, rollout, "completed")
    assert sum(one.running("detector") == bad for one in devices) >= 3
    server.post(f"/rollouts/{rollout}/rollback", {"reason": "too many misses"})
    wait_state(server, rollout, "rolled_back")
    assert {one.running("detector") for one in devices} == {good}


def test_device_that_dies_in_the_update_is_a_failure(server: ServerProcess, device: MakeDevice) -> None:
    """Away for `offline_s` after it took the update: it has failed."""
    device("dev-0", Behaviour(dies_at=SlotPhase.TRIAL))
    online(server, 1)
    push(server)
    gate = {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 1.0, "soak_s": 0.3}
    rollout = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}], gate=gate))["id"]
    paused = wait_state(server, rollout, "paused")
    assert paused["counts"] == {"timed_out": 1}
    assert "went offline" in server.get(f"/rollouts/{rollout}/attempts")["items"][0]["explanation"]


def test_device_that_was_away_catches_up(server: ServerProcess, device: MakeDevice) -> None:
    """The rollout completes without it; it follows when it comes back, and is counted."""
    away = device("dev-away")
    [device(f"dev-{number}") for number in range(3)]
    online(server, 4)
    away.vanish()
    online(server, 3)
    digest = push(server)
    gate = {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 1.0, "soak_s": 0.3}
    rollout = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}], gate=gate))["id"]
    done = wait_state(server, rollout, "completed")
    assert done["counts"] == {"committed": 3, "queued": 1}
    away.come_back()
    eventually("it followed", lambda: server.get(f"/rollouts/{rollout}")["counts"] == {"committed": 4})
    assert away.running("detector") == digest


def test_skipped_wave_keeps_what_it_runs(server: ServerProcess, device: MakeDevice) -> None:
    """It waited for an approval: its devices are left alone, the rest follows, and the story says who and why."""
    devices = {name: device(name) for name in ("dev-0", "dev-1", "dev-2")}
    online(server, 3)
    digest = push(server)
    waves = [{"name": "canary", "count": 1}, {"name": "night", "count": 1, "approval": True}, {"name": "rest"}]
    rollout = server.post("/rollouts", order("spotter", "1.0.0", waves))["id"]
    eventually("the canary passed", lambda: server.get(f"/rollouts/{rollout}")["waves"][0]["state"] == "passed")
    answer = server.http.post(f"/rollouts/{rollout}/skip", json={"wave": 0})
    assert (answer.status_code, "has passed" in answer.json()["detail"]) == (409, True)
    assert server.http.post(f"/rollouts/{rollout}/skip", json={"wave": 7}).status_code == 404
    server.post(f"/rollouts/{rollout}/skip", {"wave": 1, "reason": "the night shift is busy"})
    done = wait_state(server, rollout, "completed")
    assert [wave["state"] for wave in done["waves"]] == ["passed", "skipped", "passed"]
    left = server.get(f"/rollouts/{rollout}/attempts", wave=1)["items"]
    assert [(row["state"], row["reason"]) for row in left] == [("cancelled", "wave_skipped")]
    assert "skipped the wave" in left[0]["explanation"]
    assert sorted(name for name, one in devices.items() if one.running("detector") != digest) == [left[0]["device"]]
    story = [item["text"] for item in server.get(f"/rollouts/{rollout}/timeline")["items"] if item["kind"] == "wave_skipped"]
    assert story == ["Wave 'night' was skipped by the operator: the night shift is busy; 1 device not updated"]
    assert server.http.post(f"/rollouts/{rollout}/skip", json={"wave": 1}).status_code == 409


def test_abort_leaves_the_rest_alone(server: ServerProcess, device: MakeDevice) -> None:
    """Queued devices are cancelled, finished ones keep the version."""
    device("dev-0")
    [device(f"dev-{number}", Behaviour(trial_s=600)) for number in range(1, 4)]
    online(server, 4)
    push(server)
    slow = order("spotter", "1.0.0", [{"name": "all"}], gate={"reported_min": 1, "offline_s": 1.0, "soak_s": 0.0})
    rollout = server.post("/rollouts", {**slow, "start": False, "wave_timeout_s": 2.0})["id"]
    assert server.post(f"/rollouts/{rollout}/abort", {})["state"] == "aborted"
    rollout = server.post("/rollouts", {**slow, "wave_timeout_s": 600.0})["id"]
    eventually("all on trial or done", lambda: server.get(f"/rollouts/{rollout}")["counts"] == {"committed": 1, "trial": 3})
    server.post(f"/rollouts/{rollout}/abort", {"reason": "wrong day"})
    answer = server.http.post(f"/rollouts/{rollout}/pause", json={})
    assert answer.status_code == 409
    assert "allowed now: rollback" in answer.json()["detail"]
