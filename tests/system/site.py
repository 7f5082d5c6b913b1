"""A small fleet for tests: a real server, broker and agents as processes; the test acts as the service manager."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from edgefleet_server.cli.client import Client
from edgefleet_server.core.errors import UnavailableError
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.processes import Child

PATIENCE_S = 120.0
"""How long a condition may take on a busy machine before a test gives up. Nothing is asserted about speed."""


class RestClient(Client):
    """Requests by path, for what a test asks of the REST API."""

    def get(self, path: str, **query: Any) -> Any:
        return self.transport.ask("GET", path.strip("/").split("/"), query=query)

    def post(self, path: str, body: Any) -> Any:
        return self.transport.ask("POST", path.strip("/").split("/"), json=body)

    def put(self, path: str, body: Any) -> Any:
        return self.transport.ask("PUT", path.strip("/").split("/"), json=body)


class Deployment:
    """A server with its broker, and agents by name. `kill9_*` sends SIGKILL; `start_*` starts it, as a service manager does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.rest = RestClient(self.url)
        self.agents: dict[str, site.AgentFiles] = {}
        self._children: dict[str, Child] = {}

    def start_server(self) -> None:
        argv = [sys.executable, "-m", "edgefleet_server", "serve", "--data", str(self.folder / "server")]
        argv += ["--port", str(self.port), "--mqtt-port", "0", "--mqtts-port", "0"]
        self._children["server"] = Child("server", argv, self.folder / "server.log")
        self.wait("server and broker", lambda: self._health().get("broker", {}).get("state") == "up")

    def add_agent(self, name: str, pipeline: str, factory: Path) -> None:
        """Write an agent's files, enrol it and start it."""
        self.agents[name] = site.write_agent(
            self.folder / "agents", device=name, pipeline=pipeline, factory=factory, broker_url="", labels={}
        )
        site.enrol(self.agents[name], self.rest)
        self.start_agent(name)

    def start_known_agent(self, files: site.AgentFiles) -> None:
        """Start an agent whose files and enrolment the test made itself."""
        self.agents[files.device] = files
        self.start_agent(files.device)

    def typed(self, module: str, *arguments: str, given: str = "") -> None:
        """Run a command of the CLI with `given` at its input; fails with its error output."""
        command = [sys.executable, "-m", module, *arguments]
        ended = subprocess.run(command, input=given, capture_output=True, text=True, timeout=PATIENCE_S)
        assert ended.returncode == 0, ended.stderr

    def stop_agent(self, name: str) -> None:
        """Stop an agent with SIGTERM, as `systemctl stop` does."""
        self._children.pop(name).stop()

    def start_agent(self, name: str) -> None:
        files = self.agents[name]
        self._children[name] = Child(
            name, [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(files.config)], files.log
        )

    def kill9(self, name: str) -> None:
        """SIGKILL the server or an agent's supervisor, and nothing else."""
        os.kill(self._children[name].pid, signal.SIGKILL)
        self._children.pop(name).stop()

    def kill9_worker(self, name: str) -> None:
        self._kill9_child(name, "worker")

    def kill9_broker(self) -> None:
        self._kill9_child("server", "mosquitto")

    def _kill9_child(self, parent: str, word: str) -> None:
        for process in psutil.Process(self._children[parent].pid).children(recursive=True):
            if any(word in part for part in process.cmdline()):
                process.kill()
                return
        raise AssertionError(f"{parent} has no child {word!r} to kill")

    def _health(self) -> dict[str, Any]:
        try:
            return dict(self.rest.get("/health"))
        except UnavailableError:
            return {}

    def device(self, name: str) -> dict[str, Any]:
        return dict(self.rest.get(f"/devices/{name}"))

    def slot(self, name: str) -> dict[str, Any]:
        """The detector slot of a device as the server reports it; empty if unknown."""
        rows = self.rest.get("/devices", size=200)["items"]
        slots = [slot for row in rows if row["id"] == name for slot in row["slots"] if slot["slot"] == site.SLOT]
        return dict(slots[0]) if slots else {}

    def running_version(self, name: str) -> str:
        return str((self.slot(name).get("running") or {}).get("version", ""))

    def wait(self, what: str, done: Callable[[], bool], timeout_s: float = PATIENCE_S) -> None:
        """Wait until `done` returns true; an unavailable server counts as false."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            with contextlib.suppress(UnavailableError):
                if done():
                    return
            time.sleep(0.1)
        raise AssertionError(f"{what}: not within {timeout_s:.0f} s\n{self.last_words()}")

    def last_words(self) -> str:
        return "\n".join(f"--- {name}\n{child.tail()}" for name, child in self._children.items())

    def database(self) -> sqlite3.Connection:
        """The server's database, read-only."""
        path = next((self.folder / "server").glob("*.db"))
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def nothing_is_lost_or_doubled(self, names: list[str]) -> None:
        """Assert one row per sequence number up to the cursor, and unique event IDs. Stops agents and server."""
        self.wait("what a broken connection took with it is sent again", lambda: not self._gaps())
        for name in names:
            self.stop_agent(name)
        self.kill9("server")
        with self.database() as database:
            for table, stream in (("event", "events"), ("telemetry", "telemetry")):
                for name in names:
                    cursors = database.execute(
                        "SELECT seq, lost, refused FROM cursor WHERE device = ? AND stream = ?", (name, stream)
                    ).fetchall()
                    (rows,) = database.execute(f"SELECT count(*) FROM {table} WHERE device = ?", (name,)).fetchone()
                    assert len(cursors) == 1, "one outbox from beginning to end"
                    assert [(seq, lost, refused) for seq, lost, refused in cursors] == [(rows, 0, 0)], (name, stream)
                    assert rows > 0
            for name in names:
                found = database.execute("SELECT record FROM event WHERE device = ?", (name,))
                events: list[dict[str, Any]] = [json.loads(record) for (record,) in found]
                events_seen = [(event["id"], event.get("phase", "end")) for event in events]
                assert len(set(events_seen)) == len(events_seen)

    def _gaps(self) -> list[tuple[str, str]]:
        """Streams of devices of which later records have arrived before earlier ones."""
        with self.database() as database:
            return [
                (device, stream)
                for device, stream, ahead in database.execute("SELECT device, stream, ahead FROM cursor")
                if json.loads(ahead)
            ]

    def stop(self) -> None:
        for child in reversed(list(self._children.values())):
            child.stop()
        self.rest.close()
