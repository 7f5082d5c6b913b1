"""A grown server: PostgreSQL, one broker, and several processes by role. Each may be killed with -9 and is started again, as
systemd or Kubernetes would."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fleet_server.fakes.forked_programs import ForkedProgram, template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ROOT, eventually, order
from tests.import_path import import_path
from tests.services.postgres import Postgres

BROKER = """\
listener {port} 127.0.0.1
allow_anonymous true
max_inflight_messages 1000
max_queued_messages 100000
set_tcp_nodelay true
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def mosquitto() -> str:
    found = [place / "mosquitto" for place in map(Path, ("/usr/sbin", "/usr/local/sbin", "/usr/bin"))]
    program = next((path for path in found if path.is_file()), None)
    if program is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    return str(program)


class GrownServer:
    """`members`: name → role, e.g. {"ingest-1": "ingest"}."""

    def __init__(self, folder: Path, postgres: Postgres, url: str, members: dict[str, str]) -> None:
        self.folder, self.postgres, self.url, self.members = folder, postgres, url, members
        self.name = url.rpartition("/")[2]
        self.data = folder / "fleet"
        self.mqtt_port = free_port()
        self._ports = {name: free_port() for name in members}
        self._running: dict[str, subprocess.Popen[bytes] | ForkedProgram] = {}
        (folder / "mosquitto.conf").write_text(BROKER.format(port=self.mqtt_port))
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port('api')}/api/v1", timeout=30.0)

    def port(self, role: str) -> int:
        return next(self._ports[name] for name, its in self.members.items() if its == role)

    def start(self) -> GrownServer:
        self._start("broker")
        for name in self.members:
            self._start(name)
        for name, port in self._ports.items():
            eventually(f"{name} is ready", lambda name=name, port=port: self._ready(name, port), 180.0)
        eventually("somebody leads", self.leader, 90.0)
        return self

    def stop(self) -> None:
        """At once: nothing that is theirs is needed any more."""
        self.http.close()
        for process in self._running.values():
            process.kill()
            process.wait()

    def _ready(self, name: str, port: int) -> bool:
        assert self._running[name].poll() is None, (self.folder / f"{name}.log").read_text()[-2000:]
        try:
            return httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def _start(self, name: str) -> None:
        environment = {**os.environ, "PYTHONPATH": import_path()}
        with (self.folder / f"{name}.log").open("ab") as log:
            if name == "broker":
                command = [mosquitto(), "-c", str(self.folder / "mosquitto.conf")]
                self._running[name] = subprocess.Popen(command, stdout=log, stderr=log)
                return
            command = ["serve", "--data", str(self.data), "--port", str(self._ports[name]), "--role", self.members[name]]
            command += ["--database", self.url, "--broker", f"mqtt://127.0.0.1:{self.mqtt_port}"]
            self._running[name] = template().start(command, log, environment)

    def adopt(self, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        """It ends with the server at the latest."""
        self._running[f"adopted-{process.pid}"] = process
        return process

    def end(self, name: str) -> int:
        """SIGTERM; its exit code."""
        self._running[name].terminate()
        return self._running[name].wait(60.0)

    def kill(self, victim: str) -> None:
        """kill -9 of `database`, `broker`, a member, or the `leader`; it is started again at once."""
        if victim == "database":
            self.postgres.kill()
            self.postgres.start()
            return
        if victim == "leader":
            pid = eventually("somebody leads", self.leader, 60.0)
            victim = next(name for name, process in self._running.items() if process.pid == pid)
        self._running[victim].send_signal(signal.SIGKILL)
        self._running[victim].wait(60.0)
        self._start(victim)

    def leader(self) -> int:
        """The process that leads, by its id; 0 = none of those that live."""
        found = self.sql("SELECT pid FROM member WHERE leads AND seen_at > extract(epoch FROM now()) - 6")
        alive = {process.pid for process in self._running.values() if process.poll() is None}
        return next((int(pid) for pid in found.split() if int(pid) in alive), 0)

    def sql(self, text: str) -> str:
        return self.postgres.sql(text, self.name)

    def get(self, path: str, **params: Any) -> Any:
        answer = self.http.get(path, params=params)
        assert answer.status_code < 400, answer.text
        return answer.json()

    def start_ended(self) -> None:
        """Start the members that have ended by themselves: one that starts while the database is away ends with an error."""
        for name in self.members:
            if self._running[name].poll() is not None:
                self._start(name)

    def try_get(self, path: str) -> Any:
        """An answer, or nothing where the server is not there at this moment."""
        self.start_ended()
        try:
            answer = self.http.get(path)
        except httpx.TransportError:
            return None
        return answer.json() if answer.status_code == 200 else None

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code < 400, answer.text
        return answer.json()

    def push(self, size: int) -> None:
        archive = tar(files(size=size))
        self.http.post("/models", files={"package": ("package.tar", archive, "application/x-tar")}).raise_for_status()


class Campaign:
    """A rollout over virtual devices that also send telemetry and got a command each."""

    def __init__(self, server: GrownServer, devices: int, commands: int, model_bytes: int) -> None:
        self.server, self.devices = server, devices
        self._out = server.folder / "swarm.out"
        command = [
            sys.executable,
            "-m",
            "edgefleet_server",
            "simulate",
            "--devices",
            str(devices),
            "--telemetry-s",
            "1",
            "--json",
        ]
        command += ["--server", f"http://127.0.0.1:{server.port('api')}"]
        with self._out.open("wb") as out, (server.folder / "swarm.log").open("wb") as log:
            environment = {**os.environ, "PYTHONPATH": import_path()}
            self._swarm = server.adopt(subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=log, env=environment))
        eventually("all online", lambda: (server.try_get("/overview") or {}).get("online") == devices, 120.0)
        server.push(model_bytes)
        names = [item["id"] for item in server.get("/devices", size=min(commands, 200))["items"]][:commands]
        self.commands = [server.post(f"/devices/{name}/commands", {"op": "identify"})["id"] for name in names]
        waves = [{"name": "one", "count": 2}, {"name": "half", "percent": 50}, {"name": "rest"}]
        self.rollout = server.post("/rollouts", order("spotter", "1.0.0", waves))["id"]

    def disturb(self, victims: Sequence[str], seed: int, pause_s: tuple[float, float]) -> None:
        """Kill one after the other, at moments that `seed` says."""
        chance = random.Random(seed)
        for victim in victims:
            time.sleep(chance.uniform(*pause_s))
            self.server.kill(victim)

    def check(self, timeout_s: float) -> dict[str, Any]:
        """It completes; every device in exactly one state, every record once, no command doubled, the audit chain whole."""
        server = self.server
        eventually(
            "completed", lambda: (server.try_get(f"/rollouts/{self.rollout}") or {}).get("state") == "completed", timeout_s
        )
        done = f"SELECT count(*) FROM command WHERE id IN ({', '.join(map(repr, self.commands))}) AND state = 'done'"
        eventually("every command is answered", lambda: int(server.sql(done)) == len(self.commands), 60.0)
        states = server.sql(
            f"SELECT state, count(*), count(DISTINCT device) FROM attempt WHERE rollout = {self.rollout} GROUP BY 1"
        )
        assert states == f"committed|{self.devices}|{self.devices}"
        slots = server.sql("SELECT phase, running_version, count(*) FROM device_slot GROUP BY 1, 2")
        assert slots == f"committed|1.0.0|{self.devices}"
        eventually("the last reports are in", lambda: (server.try_get("/overview") or {}).get("on_target") == self.devices, 60.0)
        assert server.get("/audit/verification")["valid"]
        self._swarm.send_signal(signal.SIGINT)
        assert self._swarm.wait(60.0) == 0
        output: dict[str, Any] = json.loads(self._out.read_bytes())
        assert output["commands"] == len(self.commands)
        rows, distinct = map(int, server.sql("SELECT count(*), count(DISTINCT (device, at)) FROM telemetry").split("|"))
        assert rows == distinct
        assert rows >= output["records"]["stored"]
        return {**output["records"], "rows": rows}


def seconds_until_led(server: GrownServer) -> float:
    """Kill the leader, and wait for another one."""
    standing = "SELECT count(*) FROM member WHERE role = 'engine' AND seen_at > extract(epoch FROM now()) - 6"
    eventually("somebody stands by", lambda: int(server.sql(standing)) > 1, 180.0)
    before = eventually("somebody leads", server.leader, 60.0)
    server.kill("leader")
    began = time.monotonic()
    eventually("another one leads", lambda: server.leader() not in (0, before), 120.0)
    return time.monotonic() - began


def victims(count: int, names: Sequence[str], seed: int) -> list[str]:
    """Each name about equally often, in an order that `seed` says."""
    every = [names[index % len(names)] for index in range(count)]
    random.Random(seed).shuffle(every)
    assert max(Counter(every).values()) - min(Counter(every).values()) <= 1
    return every
