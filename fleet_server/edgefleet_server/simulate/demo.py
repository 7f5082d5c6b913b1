"""`edgefleet demo`: a rendered conveyor site, a real server with its broker, real agents, and a rollout.

All parts run as separate processes, as in the field: the server, the broker it manages, and one agent (supervisor and worker) per
device. Only the camera is simulated.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from edgefleet_client.schemas.devices import DeviceRow
from edgefleet_client.schemas.rollout_requests import RolloutRequest, WaveSpec
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import EdgefleetError, UnavailableError
from edgefleet_server.cli.client import Client
from edgefleet_server.cli.models.push import push
from edgefleet_server.core.settings import STATE_FILE
from edgefleet_server.domain.rollout.templates import DEMO
from edgefleet_server.model_tools.agent_process import require_agent
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.processes import Child

READY_S = 60.0
SETTLED_S = 120.0
ROLLOUT_S = 300.0
AGENTS_MAX = 16
CLIP_S = 20.0
STATE_BYTES_MAX = 64 * 1024
SITES = ("lyon", "graz", "turku", "porto")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--agents", type=int, default=3, metavar="N", help="Number of agents (default: %(default)s)")
    parser.add_argument("--headless", action="store_true", help="Do not print hints for a browser")
    parser.add_argument(
        "--until-complete",
        action="store_true",
        help="Run the rollout 1.0.0 → 1.1.0 and exit; exit code 0 if all devices committed it",
    )
    parser.add_argument(
        "--port", type=int, default=8080, help="Port of the dashboard and the API (default: 8080, or any free port)"
    )
    parser.add_argument("--data", type=Path, default=Path(".demo"), help="Data folder of the demo (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="Random seed of the rendered parts (default: %(default)s)")


@dataclass(slots=True)
class Running:
    """Started processes and agents of the demo."""

    url: str
    server: Client
    children: list[Child]
    agents: list[site.AgentFiles]

    def stop(self) -> None:
        """Stop all processes, agents first."""
        for child in reversed(self.children):
            child.stop()
        self.server.close()


def run(arguments: argparse.Namespace) -> int:
    """Run the demo until Ctrl-C, or until the rollout has ended.

    Raises:
        EdgefleetError: a part did not start; the text names it and its log.
    """
    if not 1 <= arguments.agents <= AGENTS_MAX:
        raise EdgefleetError(f"--agents {arguments.agents}: must be between 1 and {AGENTS_MAX}")
    require_agent("demo")
    from edgefleet_server.simulate.conveyor.video import write_site  # PyAV and OpenCV come with the agent

    site.prepare_folder(arguments.data)
    say = _Narrator()
    running = _start_server(arguments.data, free_port(arguments.port))
    try:
        say(f"rendering {arguments.agents} conveyor cameras")
        cameras = write_site(arguments.data / "site", cameras=arguments.agents, seconds=CLIP_S, seed=arguments.seed)
        _wait(running, "fleet server", READY_S, lambda: is_ready(running, arguments.data / "server"))
        say(f"fleet server, broker and dashboard: {running.url}")
        running.server.settings.change_settings({"values": {"template": DEMO, "trust_reported": "site, line"}})
        for version in (site.FIRST, site.SECOND):
            push(running.server, site.model_folder(version))
            say(f"registered {site.MODEL} {version}")
        for index, camera in enumerate(cameras):
            labels = {"site": SITES[index % len(SITES)], "line": str(index + 1)}
            files = site.write_agent(
                arguments.data / "agents",
                device=f"line-{index + 1}",
                pipeline=site.conveyor_pipeline(camera.video),
                factory=site.model_folder(site.FIRST),
                broker_url="",
                labels=labels,
            )
            site.enrol(files, running.server)
            running.agents.append(files)
            argv = [sys.executable, "-m", "edgefleet_agent", "run", "--config", str(files.config)]
            running.children.append(Child(files.device, argv, files.log))
        _wait(running, "agents on " + site.FIRST, SETTLED_S, lambda: _all_running(running, site.FIRST))
        say(f"{len(running.agents)} agents inspect parts with {site.MODEL} {site.FIRST}")
        if arguments.until_complete:
            return _roll_out(running, say)
        _invite(running.url, arguments.headless)
        return _stay(running)
    finally:
        running.stop()


def _start_server(data: Path, port: int) -> Running:
    """Start the server, which becomes ready while the cameras are rendered."""
    url = f"http://127.0.0.1:{port}"
    argv = [
        sys.executable,
        "-m",
        "edgefleet_server",
        "serve",
        "--data",
        str(data / "server"),
        "--port",
        str(port),
        "--mqtt-port",
        "0",
        "--mqtts-port",
        "0",
    ]
    return Running(url, Client(url), [Child("server", argv, data / "server.log")], [])


def is_ready(running: Running, data: Path) -> bool:
    """Whether the server that was started here is ready. Another one may answer at its address: the demo must not touch that."""
    try:
        state = json.loads(read_if_there(data / STATE_FILE, STATE_BYTES_MAX) or b"{}")
    except ValueError:
        return False
    if state.get("pid") != running.children[0].pid or state.get("url") != running.url:
        return False
    try:
        return bool(running.server.fleet.get_health()["broker"]["state"] == "up")
    except UnavailableError:
        return False


def _wait(running: Running, what: str, timeout_s: float, done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + timeout_s
    while not done():
        _check_alive(running)
        if time.monotonic() > deadline:
            logs = ", ".join(str(child.log) for child in running.children)
            raise UnavailableError(f"{what}: not ready after {timeout_s:.0f} s; see {logs}")
        time.sleep(0.2)


def _check_alive(running: Running) -> None:
    for child in running.children:
        if child.exit_code() is not None:
            last = child.tail().splitlines()[-1:] or ["(no output)"]
            raise EdgefleetError(f"{child.name} exited with code {child.exit_code()}: {last[0]} (log: {child.log})")


def _devices(running: Running) -> dict[str, DeviceRow]:
    return {row["id"]: row for row in running.server.devices.list_devices(size=200)["items"]}


def _running_version(row: DeviceRow) -> str:
    for slot in row["slots"]:
        if slot["slot"] == site.SLOT and slot["running"]:
            return str(slot["running"]["version"])
    return "nothing"


def _all_running(running: Running, version: str) -> bool:
    rows = _devices(running)
    devices = [agent.device for agent in running.agents]
    return all(name in rows and rows[name]["online"] and _running_version(rows[name]) == version for name in devices)


def _roll_out(running: Running, say: _Narrator) -> int:
    """Perform the rollout and print its result; exit code 0 only if every device committed the new version."""
    _, rollout = running.server.rollouts.create_rollout(rollout_request(len(running.agents)))
    say(f"rollout {rollout['id']}: {site.MODEL} {site.FIRST} → {site.SECOND}, canary first")
    printed = ""
    deadline = time.monotonic() + ROLLOUT_S
    while rollout["state"] == "running" and time.monotonic() < deadline:
        line = ", ".join(f"{wave['name']} {wave['state']} {wave['committed']}/{wave['total']}" for wave in rollout["waves"])
        if line != printed:
            say(line)
            printed = line
        time.sleep(0.3)
        _check_alive(running)
        rollout = running.server.rollouts.get_rollout(rollout["id"])
    rows = _devices(running)
    behind = [agent.device for agent in running.agents if _running_version(rows[agent.device]) != site.SECOND]
    if rollout["state"] == "completed" and not behind:
        say(f"every device committed {site.MODEL} {site.SECOND}")
        return 0
    say(f"rollout is {rollout['state']} {rollout['state_reason']}".rstrip())
    for attempt in running.server.rollouts.list_attempts(rollout["id"], size=200)["items"]:
        if attempt["state"] != "committed":
            say(f"{attempt['device']}: {attempt['state']} {attempt['reason']}: {attempt['explanation']}")
    return 1


def rollout_request(devices: int) -> RolloutRequest:
    """The demo's rollout: one canary, then the rest; one failed device in the canary stops it."""
    waves: list[WaveSpec] = [{"name": "canary", "count": 1}, {"name": "rest"}] if devices > 1 else [{"name": "all"}]
    return {
        "name": f"{site.MODEL} {site.SECOND}",
        "package": site.MODEL,
        "version": site.SECOND,
        "slot": site.SLOT,
        "selector": {"all": True},
        "waves": waves,
        "gate": {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 60.0, "soak_s": 5.0, "test": "threshold"},
        "policy": {"trial_s": 4.0, "trial_frames_min": 10, "shadow_s": 0.0},
        "wave_timeout_s": ROLLOUT_S,
        "start": True,
    }


def _invite(url: str, headless: bool) -> None:
    print(f"\n  dashboard   {url}\n", file=sys.stderr)
    if not headless:
        print(
            "  To update the fleet: open the dashboard, choose Rollouts, roll out"
            f" {site.MODEL} {site.SECOND} (template {DEMO}).\n"
            f"  To list the devices: edgefleet device list --server {url}\n"
            "  To stop the demo: Ctrl-C.\n",
            file=sys.stderr,
        )


def _stay(running: Running) -> int:
    """Wait until Ctrl-C. If a process ends by itself, the demo ends with the last lines of its log."""
    try:
        while True:
            _check_alive(running)
            time.sleep(1.0)
    except KeyboardInterrupt:
        return 0


def free_port(preferred: int) -> int:
    """`preferred`, or any free port if that one is in use."""
    for port in (preferred, 0):
        with socket.socket() as caller:
            caller.settimeout(1.0)
            if port and caller.connect_ex(("127.0.0.1", port)) == 0:
                continue  # a listener on all addresses lets others have this one
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise UnavailableError("no free port on 127.0.0.1")


class _Narrator:
    """Prints one line per step, with the seconds since the start."""

    def __init__(self) -> None:
        self._started_s = time.monotonic()
        self._bold = "\033[1m" if sys.stderr.isatty() and "NO_COLOR" not in os.environ else ""

    def __call__(self, text: str) -> None:
        end = "\033[0m" if self._bold else ""
        print(f"{self._bold}{time.monotonic() - self._started_s:6.1f} s{end}  {text}", file=sys.stderr, flush=True)
