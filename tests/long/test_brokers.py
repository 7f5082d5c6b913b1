"""The same fleet on other brokers than Mosquitto (`--broker`), over MQTT 3.1.1 where they speak no 5: a camera, an update.

apt-get install nats-server; python -m pytest -m long tests/long/test_brokers.py
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fleet_server.cli.model_push import push
from fleet_server.simulate import site
from fleet_server.simulate.processes import Child
from fleet_server.simulate.video import write_site
from tests.fleet_server.system import eventually
from tests.system.house import House

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

NATS = """
server_name: fleet
listen: 127.0.0.1:{client}
jetstream {{ store_dir: "{folder}" }}
mqtt {{ port: {mqtt}, host: "127.0.0.1" }}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[str]:
    """A NATS server that speaks MQTT; its URL."""
    program = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("no NATS server: apt-get install nats-server")
    port, config = free_port(), tmp_path / "nats.conf"
    config.write_text(NATS.format(client=free_port(), folder=tmp_path / "jetstream", mqtt=port))
    with (tmp_path / "nats.log").open("wb") as log:
        process = subprocess.Popen([program, "-c", str(config)], stdout=log, stderr=log)
    eventually("it listens", lambda: _listens(port))
    yield f"mqtt://127.0.0.1:{port}"
    process.terminate()
    process.wait(10.0)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class OnBroker(House):
    """A house whose server uses a broker that is there already; agents come without certificates."""

    def __init__(self, folder: Path, broker: str) -> None:
        super().__init__(folder)
        self._broker = broker

    def start_server(self) -> None:
        argv = [sys.executable, "-m", "fleet_server", "serve", "--data", str(self.folder / "server"), "--broker", self._broker]
        self._children["server"] = Child("server", [*argv, "--port", str(self.port)], self.folder / "server.log")
        self.wait("server and broker", lambda: self._health().get("broker", {}).get("state") == "up")

    def add_agent(self, name: str, pipeline: str, factory: Path) -> None:
        self.agents[name] = site.write_agent(
            self.folder / "agents", device=name, pipeline=pipeline, factory=factory, broker_url=self._broker, labels={}
        )
        self.start_agent(name)


def test_an_update_over_nats(nats: str, tmp_path: Path) -> None:
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    house = OnBroker(tmp_path, nats)
    try:
        house.start_server()
        house.add_agent("press", site.conveyor_pipeline(camera.video), site.model_folder("1.0.0"))
        house.wait("it runs what it came with", lambda: house.running_version("press") == "1.0.0")
        push(house.rest, site.model_folder("1.1.0"))
        body = {
            "name": "over nats",
            "package": site.MODEL,
            "version": "1.1.0",
            "slot": site.SLOT,
            "selector": {"all": True},
            "waves": [{"name": "all", "percent": 100.0}],
            "gate": {"error_percent_max": 100.0, "reported_min": 1, "offline_s": 600.0, "soak_s": 0.1},
            "policy": {"trial_s": 3.0, "trial_frames_min": 3},
            "wave_timeout_s": 600.0,
            "start": True,
        }
        house.rest.post("/rollouts", body)
        house.wait("it is updated", lambda: house.running_version("press") == "1.1.0")
        house.wait("and trusted", lambda: house.slot("press").get("stage") == "committed")
    finally:
        house.stop()
