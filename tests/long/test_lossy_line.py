"""Updates over a line of 100 ms round trip that loses 2 % of all packets: over MQTT, over HTTPS's Range, killed in the middle.

The packets are real and the TCP is the kernel's (`benchmarks.fleet.lossy_link`); root and /dev/net/tun, or it is skipped with its
reason.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.fleet.lossy_link import LossyLine, Quality, why_not
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import write_site
from edgefleet_server.simulate.processes import Child
from tests.system.site import Deployment
from tests.system.test_delivery import roll_out, runs, slot, version

pytestmark = [pytest.mark.long, pytest.mark.timeout(900), pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")]

BALLAST = random.Random(3).randbytes(6_000_000)


class DistantDeployment(Deployment):
    """A deployment whose agents connect over the lossy line."""

    line: LossyLine

    def start_agent(self, name: str) -> None:
        files = self.agents[name]
        argv = [
            "ip",
            "netns",
            "exec",
            self.line.name,
            sys.executable,
            "-m",
            "edgefleet_agent",
            "run",
            "--config",
            str(files.config),
        ]
        self._children[name] = Child(name, argv, files.log)

    def connect(self) -> None:
        """Ports of the server that are reachable over the line."""
        for port in (self.port, self.device_port()):
            self.line.forward(port)

    def device_port(self) -> int:
        return int((self.folder / "server" / "broker" / "device-port").read_text())


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[DistantDeployment]:
    made = DistantDeployment(tmp_path)
    made.line = LossyLine(Quality(round_trip_s=0.1, loss=0.02, bytes_per_s=0.75e6))
    try:
        made.start_server()
        made.connect()
        yield made
    finally:
        made.stop()
        made.line.close()


@pytest.mark.parametrize("way", ["mqtt", "http"])
def test_an_update_that_is_killed_in_the_middle(deployment: DistantDeployment, way: str, tmp_path: Path) -> None:
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    deployment.add_agent("press", site.conveyor_pipeline(camera.video), site.model_folder("1.0.0"))
    config = deployment.agents["press"].config
    if way == "http":
        deployment.stop_agent("press")
        with config.open("a") as settings:  # [link] is the file's last table
            settings.write(f'blobs = "{deployment.url}"\n')
        deployment.start_agent("press")
    deployment.wait("it runs what it came with", lambda: deployment.running_version("press") == "1.0.0")
    version(tmp_path, "2.0.0", deployment, BALLAST)
    roll_out(deployment, "2.0.0")
    incoming = config.parent / "state" / "incoming"
    for part in (0.2, 0.5):
        deployment.wait("it is fetching", lambda part=part: held(incoming) > part * len(BALLAST))
        before = held(incoming)
        deployment.kill9("press")
        assert before > 0, "it was killed while it fetched"
        deployment.start_agent("press")
    deployment.wait("it is updated", lambda: runs(config) == ("2.0.0", "committed"), 300.0)
    print(f"{way}: {deployment.line.carried} packets carried, {deployment.line.lost} lost; slot {slot(config)}")
    assert deployment.line.lost > 50, "the line did lose packets"
    assert slot(config).get("bytes_sent_again", 0) == 0, "no verified block came twice"
    log = deployment.agents["press"].log.read_text()
    assert ("fetching models from 127.0.0.1" in log) == (way == "http")


def held(incoming: Path) -> int:
    """Bytes of incomplete blobs on disk."""
    return sum(path.stat().st_blocks * 512 for path in incoming.glob("*") if path.is_file())


def test_the_line_has_the_configured_delay(deployment: DistantDeployment) -> None:
    """Measures the round trip from the far side of the line."""
    deployment.line.quality.loss = 0.0
    measured = subprocess.run(
        ["ip", "netns", "exec", deployment.line.name, "python3", "-c", PROBE, str(deployment.device_port())],
        capture_output=True,
        text=True,
    )
    assert 0.1 <= float(measured.stdout) < 5.0, measured.stderr


PROBE = """
import socket, sys, time
began = time.monotonic()
socket.create_connection(("10.213.77.1", int(sys.argv[1]))).close()
print(time.monotonic() - began)
"""
