"""Real server, real broker: two versions beside each other, compared, and one taken."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from edgefleet_contract.wire.messages import Stream
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event
from tests.fleet_server.system.test_rollout import online, push, wait_state

pytestmark = pytest.mark.system


def sample_at(at: float, p95_ms: float) -> dict[str, Any]:
    gauges = {"process_fps": 10.0, "camera_fps": 10.0, "latency": {"find": {"p50_ms": 5.0, "p95_ms": p95_ms, "max_ms": 30.0}}}
    return {"at": at, "window_s": 60.0, "pipelines": {"hall": gauges}, "cpu_percent": 20.0}


def live(devices: list[VirtualDevice], slow: str, began_at: float) -> None:
    """Ten minutes of samples: those that run `slow` take 30 ms, the others 10 ms, each device a little otherwise."""
    for number, one in enumerate(devices):
        base = 30.0 if one.running("detector") == slow else 10.0
        one.record(Stream.TELEMETRY, *[sample_at(began_at + 60.0 * minute, base + 0.2 * number) for minute in range(1, 10)])
        one.record(Stream.EVENTS, *[event(n) for n in range(3)])


def test_two_versions_are_compared_and_one_is_taken(server: ServerProcess, device: MakeDevice) -> None:
    """Half of the devices keep what they run, half get the new version; the figures are reported, and the old version wins."""
    devices = [device(f"dev-{number}") for number in range(12)]
    online(server, 12)
    old, new = push(server, "1.0.0"), push(server, "1.1.0")
    wait_state(server, server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}]))["id"], "completed")
    arms = [{"name": "a", "package": "spotter", "version": "1.0.0"}, {"name": "b", "package": "spotter", "version": "1.1.0"}]
    quick = {"waves": [{"name": "all"}], "gate": {"reported_min": 1, "soak_s": 0.2}, "policy": {"trial_s": 0.5}}
    compared = ["latency_p95_ms", "events_per_hour", "failures"]
    request = {
        "name": "faster",
        "selector": {"all": True},
        "arms": arms,
        "compared": compared,
        "review_after_s": 86_400.0,
        **quick,
    }
    seen = server.post("/experiments/preview", request)
    assert server.get("/experiments")["total"] == 0
    made = server.post("/experiments", request)
    assert [(arm["name"], arm["devices"]) for arm in seen["arms"]] == [(arm["name"], arm["devices"]) for arm in made["arms"]]
    assert [arm["to_update"] for arm in seen["arms"]] == [0, made["arms"][1]["devices"]]
    assert (made["compared"], made["review_after_s"]) == (compared, 86_400.0)
    assert [figure["name"] for figure in made["figures"]] == compared
    assert made["arms"][0]["rollout"] is None
    assert sum(arm["devices"] for arm in made["arms"]) == 12
    wait_state(server, made["arms"][1]["rollout"], "completed")
    assert sum(one.running("detector") == new for one in devices) == made["arms"][1]["devices"]

    live(devices, new, time.time())  # the future: the final report covers whole minutes after the beginning
    eventually("samples are kept", lambda: all(one.acked[Stream.TELEMETRY] == 9 for one in devices))
    path = f"/experiments/{made['id']}"
    counted = eventually("events are counted", lambda: _figure(server.get(path), "events_per_hour"))
    assert [each["devices"] for each in counted["arms"]] == [arm["devices"] for arm in made["arms"]]
    failures = _figure(server.get(path), "failures")
    assert failures is not None
    assert [(each["arm"], each["value"]) for each in failures["arms"]] == [("b", 0.0)]

    shown = template().run(["experiment", "show", str(made["id"]), "--server", server.state()["url"]], os.environ)
    assert shown.returncode == 0, shown.stderr
    assert "simultaneous 95 % confidence intervals" in shown.stdout
    assert server.http.post(f"{path}/choose", json={"arm": "z"}).status_code == 404
    chosen = server.post(f"{path}/choose", {"arm": "a", **quick})
    assert (chosen["state"], chosen["chosen_arm"]) == ("ended", "a")
    wait_state(server, chosen["chosen_rollout"], "completed")
    assert {one.running("detector") for one in devices} == {old}
    assert server.http.post(f"{path}/stop", json={}).status_code == 409


def _figure(answer: dict[str, Any], name: str) -> dict[str, Any] | None:
    found: dict[str, Any] = next(one for one in answer["figures"] if one["name"] == name)
    return found if found["arms"] else None


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"arms": [{"name": "a", "version": "1.0.0"}, {"name": "a", "version": "1.1.0"}]}, 422, "duplicate arm name"),
    ({"arms": [{"name": "a", "version": "1.0.0"}, {"name": "b", "version": "1.0.0"}]}, 422, "same version"),
    ({"split": "label", "label_key": "shift"}, 422, "a different value"),
    ({"arms": [{"name": "a", "version": "1.0.0"}, {"name": "b", "version": "9.0.0"}]}, 404, "9.0.0"),
    ({"selector": {"ids": ["dev-0"]}}, 422, "would have no device"),
]


def test_what_cannot_be_compared_is_refused(server: ServerProcess, device: MakeDevice) -> None:
    """With one line that says why; nothing is kept of it."""
    device("dev-0")
    online(server, 1)
    push(server, "1.0.0"), push(server, "1.1.0")
    for change, status, text in REFUSED:
        body: dict[str, Any] = {
            "name": "x",
            "selector": {"all": True},
            "arms": [{"name": "a", "version": "1.0.0"}, {"name": "b", "version": "1.1.0"}],
            **change,
        }
        body["arms"] = [{**arm, "package": "spotter"} for arm in body["arms"]]
        answer = server.http.post("/experiments", json=body)
        assert (answer.status_code, text in answer.json()["detail"]) == (status, True), answer.text
    assert server.get("/experiments")["total"] == 0
