"""The broker's folder is no part of the promise: a server whose broker has lost all gives each device its document again."""

from __future__ import annotations

import shutil

from edgefleet_contract.wire.messages import SlotPhase
from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice


def test_broker_started_on_an_empty_folder(server: ServerProcess, device: MakeDevice) -> None:
    first = device("press-1", Behaviour(fate=SlotPhase.TRIAL))
    eventually("the server knows it", lambda: server.get("/devices")["items"])
    assert server.push(tar(files(size=20_000))).status_code == 201
    server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all", "percent": 100}]))
    eventually("the device has its document", lambda: first.generation)
    first.stop()
    server.stop()
    shutil.rmtree(server.data / "broker")
    server.start()
    again = VirtualDevice("press-1", server.mqtt_port).start()
    try:
        eventually("it has its document again", lambda: again.generation == first.generation)
    finally:
        again.stop()
