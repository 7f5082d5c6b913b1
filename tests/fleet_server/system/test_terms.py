"""Terms of rollouts and the care for devices, as an operator meets them: a real server, a real broker, devices that answer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice

pytestmark = pytest.mark.system


class Fleet:
    """A server, and devices that are there for one test."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.made: dict[str, VirtualDevice] = {}
        self.pushed: set[str] = set()

    def device(self, name: str, behaviour: Behaviour | None = None, **labels: str) -> VirtualDevice:
        one = VirtualDevice(name, self.server.mqtt_port, behaviour)
        one.labels = labels
        self.made[name] = one.start()
        one.wait_online()
        eventually("known", lambda: self.server.http.get(f"/devices/{name}").status_code == 200)
        eventually("online", lambda: self.server.get(f"/devices/{name}")["online"])
        return one

    def push(self, version: str) -> None:
        if version not in self.pushed:
            assert self.server.push(tar(files(version=version))).status_code == 201
            self.pushed.add(version)

    def roll_out(self, version: str, *, label: str, **more: Any) -> int:
        self.push(version)
        waves = more.pop("waves", [{"name": "all"}])
        body = order("spotter", version, waves, selector={"labels": {"test": label}}, **more)
        return int(self.server.post("/rollouts", body)["id"])

    def wait(self, rollout: int, state: str) -> dict[str, Any]:
        def poll() -> dict[str, Any] | None:
            found: dict[str, Any] = self.server.get(f"/rollouts/{rollout}")
            return found if found["state"] == state else None

        return eventually(f"rollout {state}", poll, 60.0)

    def attempt(self, rollout: int, device: str) -> dict[str, Any]:
        found = self.server.get(f"/rollouts/{rollout}/attempts", device=device)["items"]
        return max(found, key=lambda row: row["number"]) if found else {}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("terms") / "fleet").start()
    server.http.patch("/settings", json={"values": {"trust_reported": "test, timezone, ring"}}).raise_for_status()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def pushed() -> set[str]:
    return set()


@pytest.fixture
def fleet(running: ServerProcess, pushed: set[str]) -> Iterator[Fleet]:
    made = Fleet(running)
    made.pushed = pushed
    yield made
    for one in made.made.values():
        one.stop()


def test_device_that_comes_later_follows(fleet: Fleet) -> None:
    """It matches the selector, the rollout is complete and follows: it gets the version in the wave of late joiners."""
    fleet.device("follow-0", test="follow")
    rollout = fleet.roll_out("1.0.0", label="follow", terms={"follow": True})
    fleet.wait(rollout, "completed")
    fleet.device("follow-1", test="follow")
    eventually("it has it", lambda: fleet.attempt(rollout, "follow-1").get("state") == "committed", 60.0)
    wave = fleet.server.get(f"/rollouts/{rollout}")["waves"][-1]
    assert (wave["name"], wave["late_joiners"], wave["total"]) == ("late-joiners", True, 1)


def test_full_disk_is_tried_again(fleet: Fleet) -> None:
    """Another row of the same device; the first one keeps its reason."""
    one = fleet.device("disk-0", Behaviour(SlotPhase.REFUSED, Reason.NO_SPACE, "12 MiB needed"), test="disk")
    rollout = fleet.roll_out("1.0.0", label="disk", terms={"retry": {"back_off_s": 1.0, "factor": 1.0, "tries_max": 5}})
    eventually("a second try", lambda: fleet.attempt(rollout, "disk-0").get("number", 0) >= 2)
    one.behaviour = Behaviour()
    assert fleet.wait(rollout, "completed")["counts"] == {"committed": 1}
    tries = fleet.server.get(f"/rollouts/{rollout}/attempts", device="disk-0")["items"]
    assert {row["state"] for row in tries} == {"rejected", "committed"}
    assert any("12 MiB needed" in row["explanation"] for row in tries)


def test_wave_waits_for_a_person(fleet: Fleet) -> None:
    """The result lists each device; a second person has to approve if the rollout requires it."""
    for number in range(3):
        fleet.device(f"ask-{number}", test="ask")
    waves = [{"name": "lab", "count": 1}, {"name": "field", "approval": True}]
    rollout = fleet.roll_out("1.0.0", label="ask", waves=waves)
    eventually("the lab is done", lambda: fleet.server.get(f"/rollouts/{rollout}")["waves"][0]["state"] == "passed")
    waiting = fleet.server.get(f"/rollouts/{rollout}/attempts", wave=1)["items"]
    assert {row["explanation"] for row in waiting} == {"Waiting for approval of wave 'field'."}
    assert fleet.server.http.post(f"/rollouts/{rollout}/approve", json={"wave": 0}).status_code == 409
    assert fleet.server.http.post(f"/rollouts/{rollout}/approve", json={}).status_code == 409
    approved = fleet.server.post(f"/rollouts/{rollout}/approve", {"wave": 1, "reason": "the lab looks well"})
    assert approved["waves"][1]["approved_by"]
    fleet.wait(rollout, "completed")


def test_pinned_device_is_left_alone(fleet: Fleet) -> None:
    """The dry run says why; unpinned, it takes part again."""
    one = fleet.device("pin-0", test="pin")
    fleet.device("pin-1", test="pin")
    fleet.wait(fleet.roll_out("1.0.0", label="pin"), "completed")
    before = one.running("detector")
    answer = fleet.server.http.put("/devices/pin-0/pins/detector", json={"reason": "a customer's demo"})
    assert answer.json()["pins"][0]["version"] == "1.0.0"
    fleet.push("2.0.0")
    body = {"package": "spotter", "version": "2.0.0", "selector": {"labels": {"test": "pin"}}, "waves": [{"name": "all"}]}
    preview = fleet.server.post("/rollouts/preview", body)
    assert preview["ineligible"] == [{"device": "pin-0", "reason": "pinned to spotter 1.0.0: a customer's demo"}]
    assert preview["forecast"]["total_p95_s"] >= preview["forecast"]["total_p50_s"] > 0
    assert preview["forecast"]["based_on"] >= 2
    fleet.wait(fleet.roll_out("2.0.0", label="pin"), "completed")
    assert one.running("detector") == before
    assert fleet.server.http.delete("/devices/pin-0/pins/detector").json()["pins"] == []
    assert fleet.server.http.delete("/devices/pin-0/pins/detector").status_code == 404
    fleet.wait(fleet.roll_out("2.0.0", label="pin"), "completed")
    assert one.running("detector") != before


def test_window_is_waited_for(fleet: Fleet) -> None:
    """Outside it no device is touched, by its local time."""
    fleet.device("night-0", test="night", timezone="Pacific/Kiritimati")
    fleet.device("night-1", test="night", timezone="Mars/X")
    there = time.gmtime(time.time() + 14 * 3600)
    start, end = f"{(there.tm_hour + 2) % 24:02d}:00", f"{(there.tm_hour + 3) % 24:02d}:00"
    rollout = fleet.roll_out("1.0.0", label="night", terms={"window": {"start": start, "end": end}})
    eventually("it waits", lambda: fleet.attempt(rollout, "night-0").get("reason") == "window")
    assert f"{start}-{end}, local time of the device" in fleet.attempt(rollout, "night-0")["explanation"]
    eventually("the other waits", lambda: fleet.attempt(rollout, "night-1").get("reason") == "window")
    text = f"{start}-{end}, time zone UTC; its label timezone=Mars/X is no time zone"
    assert text in fleet.attempt(rollout, "night-1")["explanation"]
    fleet.server.post(f"/rollouts/{rollout}/abort", {})


def test_a_rollout_waits_for_one_with_a_higher_priority(fleet: Fleet) -> None:
    """A device in a running rollout is not taken from it by a newer one with a lower priority."""
    fleet.device("heavy-0", Behaviour(trial_s=600), test="heavy")
    heavy = fleet.roll_out("1.0.0", label="heavy", priority=900)
    eventually("on trial", lambda: fleet.attempt(heavy, "heavy-0").get("state") == "trial")
    light = fleet.roll_out("2.0.0", label="heavy", priority=100)
    eventually("it waits", lambda: fleet.attempt(light, "heavy-0").get("reason") == "higher_priority_rollout")
    assert f"rollout {heavy}" in fleet.attempt(light, "heavy-0")["explanation"]
    for rollout in (light, heavy):
        fleet.server.post(f"/rollouts/{rollout}/abort", {})


def test_prestaged_devices_switch_with_their_wave(fleet: Fleet) -> None:
    """The second wave has every byte while the first one is watched, and runs nothing new until its turn."""
    for number in range(2):
        fleet.device(f"stage-{number}", Behaviour(trial_s=1.0), test="stage")
    waves = [{"name": "one", "count": 1}, {"name": "rest", "approval": True}]
    rollout = fleet.roll_out("3.0.0", label="stage", waves=waves, terms={"prestage": True})
    (later,) = (row["device"] for row in fleet.server.get(f"/rollouts/{rollout}/attempts", wave=1)["items"])
    eventually("the first has it", lambda: fleet.server.get(f"/rollouts/{rollout}")["waves"][0]["state"] == "passed")
    eventually("it waits with the bytes", lambda: fleet.attempt(rollout, later)["state"] == "waiting_window")
    assert "waiting for its wave" in fleet.attempt(rollout, later)["explanation"]
    assert fleet.made[later].running("detector") == ""
    received = fleet.made[later].blocks_received
    fleet.server.post(f"/rollouts/{rollout}/approve", {"wave": 1})
    assert fleet.wait(rollout, "completed")["counts"] == {"committed": 2}
    assert fleet.made[later].blocks_received == received


def test_a_rollout_keeps_the_devices_that_its_query_found(fleet: Fleet) -> None:
    """The version that the rollout brings makes its devices leave the query, not the rollout."""
    for number in range(2):
        fleet.device(f"query-{number}", test="query", ring="canary" if number else "early")
    fleet.push("1.0.0")
    query = "id = query-* and package:spotter = none and state = online"
    group = fleet.server.http.put("/groups/query", json={"selector": {"query": query}}).json()
    assert (group["count"], group["selector"]["query"]) == (2, query)
    not_canary = {"query": f"{query} and not ring = canary", "size": 1}
    assert [row["id"] for row in fleet.server.get("/devices", **not_canary)["items"]] == ["query-0"]
    assert fleet.server.get("/devices", query="ring = canary", group="query")["total"] == 1
    assert fleet.server.get("/device-ids", query=query)["items"] == ["query-0", "query-1"]
    waves = [{"name": "first", "count": 1}, {"name": "rest"}]
    body = order("spotter", "1.0.0", waves, selector={"query": query})
    preview = {name: body[name] for name in ("package", "version", "selector", "waves")}
    assert fleet.server.post("/rollouts/preview", preview)["eligible"] == 2
    rollout = int(fleet.server.post("/rollouts", body)["id"])
    assert fleet.wait(rollout, "completed")["counts"] == {"committed": 2}
    assert fleet.server.get(f"/rollouts/{rollout}")["selector"]["query"] == query
    assert fleet.server.get("/groups/query")["items"] == []
    nothing = fleet.server.http.post("/rollouts", json=body)
    assert (nothing.status_code, "the selector matches no device" in nothing.text) == (422, True)
    for selector in ({"query": query}, {"group": "query"}):
        refused = fleet.server.http.post("/rollouts", json={**body, "selector": selector, "terms": {"follow": True}})
        assert "terms.follow: the query selects by package, which changes" in refused.text
    wrong = fleet.server.http.get("/devices", params={"query": "site = lyon and"})
    assert (wrong.status_code, "query, position 16: expected" in wrong.text) == (422, True)
    assert fleet.server.http.put("/groups/wrong", json={"selector": {"query": "("}}).status_code == 422
    assert fleet.server.http.put("/groups/wrong", json={"selector": {"query": query, "all": True}}).status_code == 422
    assert fleet.server.http.delete("/groups/query").status_code == 204


def test_groups_and_bulk_actions(fleet: Fleet) -> None:
    """A group has who matches now; a command goes to all of it."""
    fleet.device("bulk-0", test="bulk")
    group = fleet.server.http.put("/groups/bulk", json={"selector": {"labels": {"test": "bulk"}}, "note": "two of them"}).json()
    assert group["count"] == 1
    fleet.device("bulk-1", test="bulk")
    assert fleet.server.get("/groups/bulk")["items"] == ["bulk-0", "bulk-1"]
    assert [row["id"] for row in fleet.server.get("/devices", group="bulk")["items"]] == ["bulk-0", "bulk-1"]
    answer = fleet.server.post("/devices/bulk", {"group": "bulk", "action": "command", "op": "identify", "args": {"n": 1}})
    assert answer["done"] == 2
    for device, command in answer["commands"].items():
        eventually("answered", lambda d=device, c=command: fleet.server.get(f"/devices/{d}/commands/{c}")["state"] == "done")
    fleet.server.post("/devices/bulk", {"group": "bulk", "action": "label", "labels": {"floor": "2"}})
    assert fleet.server.get("/devices/bulk-1")["labels"] == {"test": "bulk", "floor": "2"}
    assert fleet.server.http.post("/devices/bulk", json={"action": "release"}).status_code == 422
    pin = {"group": "bulk", "action": "pin", "slot": "detector", "reason": "audit"}
    answer = fleet.server.post("/devices/bulk", pin)
    assert (answer["done"], len(answer["refused"])) == (0, 2), "they run nothing that they could stay at"
    fleet.wait(fleet.roll_out("1.0.0", label="bulk"), "completed")
    assert fleet.server.post("/devices/bulk", pin)["done"] == 2
    assert fleet.server.get("/devices/bulk-0")["pins"][0]["reason"] == "audit"
    assert fleet.server.post("/devices/bulk", {"group": "bulk", "action": "unpin", "slot": "detector"})["done"] == 2
    assert fleet.server.get("/devices/bulk-0")["pins"] == []
    assert fleet.server.http.post("/devices/bulk", json={"group": "bulk", "action": "pin"}).status_code == 422
    named = {"selector": {"ids": ["bulk-1"]}}
    assert fleet.server.post("/devices/bulk", {**named, "action": "block", "reason": "stolen"})["done"] == 1
    assert fleet.server.get("/devices/bulk-1/identity")["blocked"]["reason"] == "stolen"
    fleet.made["bulk-1"].stop()
    assert fleet.server.post("/devices/bulk", {**named, "action": "decommission"})["done"] == 1
    assert fleet.server.http.get("/devices/bulk-1").status_code == 404
    assert fleet.server.http.delete("/groups/bulk").status_code == 204
    assert fleet.server.http.get("/groups/bulk").status_code == 404


def test_decommissioned_device_is_deleted(fleet: Fleet) -> None:
    """Nothing of it is left; what it says later makes it a new one."""
    one = fleet.device("gone-0", test="gone")
    fleet.wait(fleet.roll_out("1.0.0", label="gone"), "completed")
    one.stop()
    assert fleet.server.http.delete("/devices/gone-0").status_code == 204
    assert fleet.server.http.get("/devices/gone-0").status_code == 404
    assert fleet.server.http.delete("/devices/gone-0").status_code == 404
    again = fleet.device("gone-0")
    assert fleet.server.get("/devices/gone-0")["attempts"] == []
    again.stop()


def test_overview_counts_who_is_on_target(fleet: Fleet) -> None:
    """And a device that is not says since when."""
    fleet.device("drift-0", Behaviour(trial_s=600), test="drift")
    before = fleet.server.get("/overview")["on_target"]
    rollout = fleet.roll_out("1.0.0", label="drift")
    eventually("one is not", lambda: fleet.server.get("/overview")["on_target"] < before)
    row = fleet.server.get("/devices", status="off_target", search="drift-0")["items"][0]
    assert row["slots"][0]["drift_since_at"] == pytest.approx(time.time(), abs=60)
    fleet.server.post(f"/rollouts/{rollout}/rollback", {})
