"""Fixtures for system tests: a real broker, a fake server, and the real service in a separate process."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.agent.fakes.packages import RUNTIME, Package
from tests.agent.fakes.server import FakeServer
from tests.import_path import import_path

ROOT = Path(__file__).resolve().parents[3]
DEVICE = "bench-1"

PIPELINE = """\
name = "line"
[source]
kind = "file"
uri = "none.mp4"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """A mosquitto that can be stopped and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"
            "max_queued_messages 5000\nmessage_size_limit 1048576\n",
            encoding="ascii",
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(["mosquitto", "-c", str(self._config)], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
                return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


class Agent:
    """The service as a process; `kill` simulates a power cut."""

    def __init__(self, folder: Path, broker_url: str, factory: Package | None, trust_root: bytes = b"") -> None:
        self.state = folder / "state"
        self.config = folder / "agent.toml"
        self.log = folder / "agent.log"
        pipelines = folder / "pipelines"
        pipelines.mkdir(parents=True)
        (pipelines / "line.toml").write_text(PIPELINE, encoding="utf-8")
        lines = [
            f'device = "{DEVICE}"',
            f"state = {json.dumps(str(self.state))}",
            f'broker = "{broker_url}"',
            f"pipelines = {json.dumps(str(pipelines))}",
            f'runtimes = ["{RUNTIME}"]',
            "telemetry_s = 0.5",
            f"events_jsonl = {json.dumps(str(folder / 'events.jsonl'))}",
        ]
        if trust_root:
            (folder / "root.json").write_bytes(trust_root)
            lines += ['trust_root = "root.json"']
        if factory is not None:
            lines += ["[factory]", f"detector = {json.dumps(str(factory.write(folder / 'factory')))}"]
        lines += ["[link]", "reconnect_min_s = 0.1", "reconnect_max_s = 0.5", "resend_s = 3.0", "report_s = 0.1"]
        self.config.write_text("\n".join(lines), encoding="utf-8")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **environment: str) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.agent.fakes.agent", str(self.config)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": import_path(), **environment},
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(120)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if shutil.which("mosquitto") is None:
        pytest.skip("needs the program mosquitto (apt install mosquitto)")
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def server(broker: Broker) -> Iterator[FakeServer]:
    server = FakeServer(broker.port, DEVICE)
    yield server
    server.close()


MakeAgent = Callable[..., Agent]
"""(factory package, trust root = none)."""


@pytest.fixture
def make_agent(tmp_path: Path, broker: Broker) -> Iterator[MakeAgent]:
    """Makes agents, not yet started; those still running at the end are stopped."""
    agents: list[Agent] = []

    def make(factory: Package | None, trust_root: bytes = b"") -> Agent:
        agents.append(Agent(tmp_path / f"agent-{len(agents)}", f"mqtt://127.0.0.1:{broker.port}", factory, trust_root))
        return agents[-1]

    yield make
    for agent in agents:
        if agent.process is not None and agent.process.poll() is None:
            agent.kill()
