"""Hostile messages from clients of the broker, which have no effect on the server."""

from __future__ import annotations

import random

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_contract.wire import topics
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order

pytestmark = pytest.mark.system


def test_server_lives_through_a_storm_of_nonsense(server: ServerProcess, device: MakeDevice) -> None:
    """Invalid bytes, false messages and floods on every topic do not affect a running rollout, which completes."""
    devices = [device(f"dev-{number}") for number in range(3)]
    eventually("online", lambda: server.get("/overview")["online"] == 3)
    server.push(tar(files()))
    storm = paho.Client(CallbackAPIVersion.VERSION2, client_id="storm")
    storm.connect("127.0.0.1", server.mqtt_port)
    storm.loop_start()
    rollout = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "one", "count": 1}, {"name": "rest"}]))["id"]
    dice = random.Random(7)
    kinds = ("presence", "reported", "telemetry", "events", "reply", "blocks", "gossip", "a/b/c")
    bodies = (
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"device":"dev-0"}',
        b'{"blob":"x","ranges":[[0,1]]}',
        b"9" * 999,
    )
    for _ in range(1_500):
        name = dice.choice(["dev-0", "DEV", "a b", "x" * 65, "..", "dev-1", "ghost"])
        storm.publish(f"{topics.ROOT}/d/{name}/up/{dice.choice(kinds)}", dice.choice(bodies), qos=dice.choice([0, 1]))
    storm.publish(f"{topics.ROOT}/d/dev-2/up/telemetry", b"x" * 900_000, qos=1)
    last = storm.publish(topics.block_request("dev-0"), b'{"blob":"%s","ranges":[[0,1]]}' % (b"0" * 64), qos=1)
    last.wait_for_publish(20.0)
    done = eventually(
        "completed", lambda: found if (found := server.get(f"/rollouts/{rollout}"))["state"] == "completed" else None
    )
    assert done["counts"] == {"committed": 3}
    assert {one["id"] for one in server.get("/devices")["items"]} == {"dev-0", "dev-1", "dev-2"}
    assert all(one.running("detector") for one in devices)
    storm.disconnect()
    storm.loop_stop()
    assert "Traceback" not in server.log.read_text()
