"""kill -9 of server and broker in the middle of a rollout: it completes, and nothing acknowledged is lost or stored twice."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter

import pytest

from edgefleet_contract.wire.messages import Stream
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice, event, sample

pytestmark = pytest.mark.system

DEVICES = 8
RECORDS = 40


def begin(server: ServerProcess, device: MakeDevice) -> tuple[int, list[VirtualDevice]]:
    """A rollout in three waves over devices that also send records all the time."""
    devices = [device(f"dev-{number}", Behaviour(trial_s=0.5)) for number in range(DEVICES)]
    eventually("all online", lambda: server.get("/overview")["online"] == DEVICES)
    server.push(tar(files(size=1_000_000)))
    waves = [{"name": "one", "count": 1}, {"name": "two", "count": 3}, {"name": "rest"}]
    return server.post("/rollouts", order("spotter", "1.0.0", waves))["id"], devices


def speak(devices: list[VirtualDevice], numbers: range) -> None:
    for one in devices:
        one.record(Stream.EVENTS, *[event(number) for number in numbers])
        one.record(Stream.TELEMETRY, *[sample(number) for number in numbers])


def check_records(server: ServerProcess, devices: list[VirtualDevice]) -> None:
    """Every record once, and acknowledged to every device."""
    eventually("everything acknowledged", lambda: all(set(one.acked.values()) == {RECORDS} for one in devices))
    for one in devices:
        stored = server.get("/events", device=one.name, limit=500)["items"]
        assert Counter(item["event"]["count"] for item in stored) == Counter(range(RECORDS))
        points = server.get(f"/devices/{one.name}/telemetry", points_max=5000)["points"]
        assert Counter(point.get("outbox_records", 0) for point in points) == Counter(range(RECORDS))


def test_server_is_killed(server: ServerProcess, device: MakeDevice) -> None:
    """Three times, at different moments; the broker dies with its server and keeps its port."""
    rollout, devices = begin(server, device)
    port = server.mqtt_port
    for turn, pause_s in enumerate((0.2, 0.7, 1.3)):
        speak(devices, range(turn * 10, turn * 10 + 10))
        time.sleep(pause_s)
        server.kill()
        server.start()
        assert server.mqtt_port == port
    speak(devices, range(30, RECORDS))
    done = eventually(
        "completed", lambda: found if (found := server.get(f"/rollouts/{rollout}"))["state"] == "completed" else None, 60.0
    )
    assert done["counts"] == {"committed": DEVICES}
    assert server.get(f"/rollouts/{rollout}/attempts")["total"] == DEVICES
    check_records(server, devices)


def test_broker_is_killed(server: ServerProcess, device: MakeDevice) -> None:
    """The server starts it again; devices and server find each other and go on."""
    rollout, devices = begin(server, device)
    for turn in range(3):
        speak(devices, range(turn * 10, turn * 10 + 10))
        time.sleep(0.6)
        broker = server.broker_pid()
        os.kill(broker, signal.SIGKILL)
        eventually(
            "another broker", lambda before=broker: server.get("/health")["broker"]["state"] == "up" and _alive(server) != before
        )
    speak(devices, range(30, RECORDS))
    done = eventually(
        "completed", lambda: found if (found := server.get(f"/rollouts/{rollout}"))["state"] == "completed" else None, 60.0
    )
    assert done["counts"] == {"committed": DEVICES}
    check_records(server, devices)


def _alive(server: ServerProcess) -> int:
    try:
        return server.broker_pid()
    except StopIteration:
        return 0


def test_server_ends_in_good_order(server: ServerProcess, device: MakeDevice) -> None:
    """SIGTERM with an open stream: exit code 0, the broker goes too, and the devices are known afterwards."""
    device("dev-0")
    eventually("online", lambda: server.get("/overview")["online"] == 1)
    broker = server.broker_pid()
    with server.http.stream("GET", "/stream", params={"topics": "overview,devices"}) as stream:
        assert stream.status_code == 200
        server._process.terminate()
        for _ in stream.iter_bytes():
            pass  # it ends by itself
    assert server.stop() == 0
    with pytest.raises(ProcessLookupError):
        os.kill(broker, 0)
    server.start()
    eventually("online again", lambda: server.get("/overview")["online"] == 1)
