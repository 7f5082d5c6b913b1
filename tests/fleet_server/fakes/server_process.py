"""A real server in a process of its own, on free ports, with a real broker."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx

from tests.fleet_server.fakes.forked_programs import ROOT as ROOT
from tests.fleet_server.fakes.forked_programs import ForkedProgram, template
from tests.import_path import import_path

T = TypeVar("T")


def eventually(what: str, probe: Callable[[], T | None], timeout_s: float = 120.0) -> T:
    """Look until there is something true to see; the wait is a bound, not a measure."""
    deadline = time.monotonic() + timeout_s
    while True:
        found = probe()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {timeout_s} s: {what}"
        time.sleep(0.05)


class ServerProcess:
    """`edgefleet serve` on a data folder. May be killed and started again: its broker keeps its port."""

    def __init__(self, data: Path, *arguments: str, plain_devices: bool = True) -> None:
        self.data = data
        self._arguments = (*arguments, "--plain-devices") if plain_devices else arguments
        self._process: ForkedProgram | None = None
        self.http = httpx.Client()
        self.log = data.with_suffix(".log")

    def start(self) -> ServerProcess:
        state = self.data / "server.json"
        state.unlink(missing_ok=True)
        command = ["serve", "--data", str(self.data), "--port", "0", "--mqtt-port", "0", "--mqtts-port", "0", *self._arguments]
        with self.log.open("ab") as log:
            self._process = template().start(command, log, {**os.environ, "PYTHONPATH": import_path()})
        eventually("the server runs", lambda: (state.is_file() and state.read_text().endswith("}")) or self._died(), 180.0)
        self.http.close()
        self.http = httpx.Client(base_url=f"{self.state()['url']}/api/v1", timeout=120.0)
        return self

    def _died(self) -> None:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()[-2000:]

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads((self.data / "server.json").read_text())
        return state

    @property
    def mqtt_port(self) -> int:
        return int(self.state()["mqtt_url"].rpartition(":")[2])

    def broker_pid(self) -> int:
        """The child that listens on the broker's port."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        return next(int(pid) for file in children for pid in file.read_text().split())

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(60.0)

    def stop(self, timeout_s: float = 120.0) -> int:
        """SIGTERM; its exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        self.http.close()
        return self._process.wait(timeout_s)

    def get(self, path: str, **params: Any) -> Any:
        answer = self.http.get(path, params=params)
        assert answer.status_code < 400, answer.text
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code < 400, answer.text
        return answer.json()

    def push(self, archive: bytes) -> httpx.Response:
        return self.http.post("/models", files={"package": ("package.tar", archive, "application/x-tar")})


def order(name: str, version: str, waves: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """The body of a new rollout to every device, with quick gates."""
    body: dict[str, Any] = {
        "name": f"{name} {version}",
        "package": name,
        "version": version,
        "slot": "detector",
        "selector": {"all": True},
        "waves": waves,
        "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.3},
        "policy": {"trial_s": 1.0, "trial_frames_min": 0},
        "wave_timeout_s": 120.0,
        "start": True,
    }
    return {**body, **more}
