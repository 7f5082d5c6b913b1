"""Many devices reconnect at once, each with a backlog: nothing is lost or stored twice, and others are acknowledged meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from edgefleet_contract.wire.messages import Stream
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event, sample

pytestmark = pytest.mark.system

QUIET = 2
ROUNDS = 3
PATIENCE_S = 900.0
REFILL = 100


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[tuple[ServerProcess, ExitStack]]:
    server = ServerProcess(tmp_path / "fleet").start()
    try:
        with ExitStack() as devices:
            yield server, devices
    finally:
        server.stop()


def joined(server: ServerProcess, devices: ExitStack, name: str) -> VirtualDevice:
    device = VirtualDevice(name, server.mqtt_port).start()
    devices.callback(device.stop)
    return device


def backlog(device: VirtualDevice) -> int:
    """Events that the server has not acknowledged."""
    return len(device.sent[Stream.EVENTS]) - device.acked[Stream.EVENTS]


def keep_busy(storm: list[VirtualDevice]) -> None:
    """Give the storm's devices more to send, so that it lasts until the quiet ones were served, on a machine of any speed."""
    if max(map(backlog, storm)) < REFILL:
        for device in storm:
            device.record(Stream.EVENTS, *[event(number) for number in range(2 * REFILL)])


@pytest.mark.parametrize(
    ("many", "events"),
    [(8, 120), pytest.param(120, 1000, marks=[pytest.mark.long(minutes=10), pytest.mark.alone, pytest.mark.timeout(3600)])],
    ids=["small", "large"],
)
@pytest.mark.timeout(1200)
def test_a_storm_of_devices_with_backlogs(fleet: tuple[ServerProcess, ExitStack], many: int, events: int) -> None:
    server, devices = fleet
    storm = [joined(server, devices, f"storm-{number}") for number in range(many)]
    quiet = [joined(server, devices, f"quiet-{number}") for number in range(QUIET)]
    for device in (*storm, *quiet):
        device.wait_online()
    eventually("all online", lambda: server.get("/overview")["online"] == many + QUIET)
    for device in storm:
        device.vanish()
    eventually("the storm's devices are away", lambda: server.get("/overview")["online"] == QUIET)
    for device in storm:
        device.record(Stream.EVENTS, *[event(number) for number in range(events)])
        device.record(Stream.TELEMETRY, *[sample(number) for number in range(20)])
    for device in storm:
        device.come_back()
    waits: list[int] = [0] * QUIET
    give_up_s = time.monotonic() + PATIENCE_S
    for rounds in range(ROUNDS):
        if rounds == 1:  # and again, in the middle of it
            for device in storm[::2]:
                device.vanish()
            for device in storm[::2]:
                device.come_back()
        for index, device in enumerate(quiet):
            waits[index] += 1
            device.record(Stream.EVENTS, event(10_000 + rounds))
        while any(device.acked[Stream.EVENTS] < waits[index] for index, device in enumerate(quiet)):
            assert time.monotonic() < give_up_s
            keep_busy(storm)
            time.sleep(0.02)
    for device in storm:
        eventually("its backlog is stored", lambda d=device: not backlog(d), PATIENCE_S)  # type: ignore[misc]
        eventually("its samples are stored", lambda d=device: d.acked[Stream.TELEMETRY] == 20, PATIENCE_S)  # type: ignore[misc]
    stored = sum(len(device.sent[Stream.EVENTS]) for device in (*storm, *quiet))
    assert stored >= many * events + QUIET * ROUNDS
    assert server.get("/overview")["events_24h"] == stored
    assert "Traceback" not in server.log.read_text()
