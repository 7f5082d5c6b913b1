"""Ten thousand virtual devices on one server: telemetry that is kept, a rollout in waves, and how soon a bad one stops.

    python -m benchmarks.fleet.scale [--devices 10000] [--seconds 60] [--json]
    python -m benchmarks.fleet.scale --ingest 1        # and --ingest 2: PostgreSQL, and ingest processes beside API and engine

Server, broker and swarm share this machine, and whatever else runs on it: its load is part of the answer. The swarm has a lower
priority than the server and its broker. "Kept" is counted in the database after the devices have ended; "stored after" is
measured by the devices, from sending a batch to the server's word that its database has it, so it includes the broker both ways
and the swarm's own event loop.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx

ROOT: Final = Path(__file__).resolve().parents[2]
MODEL_BYTES: Final = 4_000_000
WAVES: Final = [
    {"name": "canary", "count": 10},
    {"name": "tenth", "percent": 10},
    {"name": "half", "percent": 40},
    {"name": "rest"},
]
PROFILES: Final = "cpu-x86=2,coral-usb=1,jetson-orin=1"
"""The kinds of device, named here so that figures of one version can be set beside those of another."""
PATIENCE_S: Final = 1200.0
ASK_S: Final = 0.1
NICE: Final = 10
"""Of the swarm: devices have processors of their own in the field; here they share two with server and broker."""
MANIFEST: Final = """\
name = "ballast"
version = "{version}"
task = "detection"
licence = "Apache-2.0"
labels = ["part"]

[head]
family = "yolox"

[[inputs]]
name = "image"
shape = [1, 32, 32, 3]

[[variants]]
name = "cpu"
format = "tflite"
files = ["model.tflite"]
runtimes = ["lite_rt"]
"""


class Bench:
    """One server and one swarm, as processes."""

    def __init__(self, folder: Path, undo: ExitStack) -> None:
        self._folder = folder
        self._undo = undo
        self.data = folder / "fleet"
        state = self._start_server()
        self.wait("the server serves", lambda: state.is_file() and state.read_text().endswith("}"))
        self.url = str(json.loads(state.read_text())["url"])
        self.http = httpx.Client(base_url=f"{self.url}/api/v1", timeout=60.0)
        undo.callback(self.http.close)
        self.swarm: subprocess.Popen[bytes] | None = None
        self.wait("every process works", self.ready)

    def _start_server(self) -> Path:
        """Start it; the file that says where it serves."""
        ports = ["--port", "0", "--mqtt-port", "0", "--mqtts-port", "0", "--plain-devices"]
        self._server = self._start("server", ["serve", "--data", str(self.data), *ports])
        return self.data / "server.json"

    def ready(self) -> bool:
        """Whether more than the API works."""
        return bool(self.get("/health")["broker"]["state"] == "up")

    def accounts(self) -> dict[str, Any]:
        """The resources used by each process, if there are several."""
        return {}

    def _start(self, name: str, arguments: list[str], nice: int = 0) -> subprocess.Popen[bytes]:
        out = self._undo.enter_context((self._folder / f"{name}.out").open("wb"))
        log = self._undo.enter_context((self._folder / f"{name}.log").open("wb"))
        command = ["nice", "-n", str(nice), sys.executable, "-m", "edgefleet_server", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=log, env={**os.environ, "PYTHONPATH": str(ROOT)})
        self._undo.callback(_end, process)
        return process

    def get(self, path: str) -> Any:
        """An answer of the API."""
        answer = self.http.get(path)
        answer.raise_for_status()
        return answer.json()

    def start_swarm(self, devices: int, telemetry_s: float) -> None:
        """Connect the devices and wait until all are online."""
        arguments = ["simulate", "--devices", str(devices), "--telemetry-s", str(telemetry_s), "--server", self.url, "--json"]
        arguments += ["--profiles", PROFILES, "--bad-version", "9.9.9", "--fail-rate", "0.5"]
        self.swarm = self._start("swarm", arguments, NICE)
        self.wait("all devices are online", lambda: self.get("/overview")["online"] >= devices)

    def end_swarm(self) -> dict[str, Any]:
        """End the devices; their own account."""
        assert self.swarm is not None
        _end(self.swarm)
        found: dict[str, Any] = json.loads((self._folder / "swarm.out").read_bytes())
        return found

    def wait(self, what: str, done: Callable[[], bool], timeout_s: float = PATIENCE_S) -> float:
        """Seconds until `done`."""
        began = time.monotonic()
        while not done():
            if self._server.poll() is not None:
                raise SystemExit(f"the server died: {(self._folder / 'server.log').read_text()[-500:]}")
            if time.monotonic() - began > timeout_s:
                raise SystemExit(f"not within {timeout_s:.0f} s: {what}")
            time.sleep(0.2)
        return time.monotonic() - began

    def query(self, text: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read the server's database from outside."""
        with sqlite3.connect(f"file:{self.data / 'fleet.db'}?mode=ro", uri=True, timeout=30.0) as db:
            return list(db.execute(text, values))

    @property
    def server_pid(self) -> int:
        """Of the server's process; its broker is a child of it."""
        return self._server.pid

    def rss_mb(self) -> float:
        """Memory of the server, without its broker."""
        status = Path(f"/proc/{self._server.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def push(self, version: str) -> None:
        """Put a model of `MODEL_BYTES` of incompressible data into the registry."""
        model = b"".join(hashlib.sha256(f"{version}:{n}".encode()).digest() for n in range(MODEL_BYTES // 32))
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, data in (("model.toml", MANIFEST.format(version=version).encode()), ("model.tflite", model)):
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        self.http.post("/models", files={"package": ("p.tar", buffer.getvalue(), "application/x-tar")}).raise_for_status()

    def roll_out(self, version: str, waves: list[dict[str, Any]], selector: dict[str, Any] | None = None) -> int:
        """Start a rollout; its number."""
        body = {
            "name": version,
            "package": "ballast",
            "version": version,
            "selector": selector or {"all": True},
            "waves": waves,
            "gate": {"error_percent_max": 10.0, "reported_min": 3, "offline_s": 60.0, "soak_s": 2.0},
            "policy": {"trial_s": 5.0, "trial_frames_min": 0},
        }
        answer = self.http.post("/rollouts", json=body)
        answer.raise_for_status()
        return int(answer.json()["id"])


class Visitor:
    """A dashboard client: polls the API all the time and records how long each response took."""

    def __init__(self, url: str) -> None:
        self.took_ms: list[float] = []
        self._by_path: dict[str, list[float]] = {}
        self._url = url
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self) -> Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()

    def p(self, share: float) -> float:
        """A quantile in milliseconds."""
        return self._quantile(self.took_ms, share)

    def by_path(self, share: float) -> dict[str, float]:
        """A quantile of each path in milliseconds."""
        return {path: self._quantile(took_ms, share) for path, took_ms in self._by_path.items()}

    @staticmethod
    def _quantile(took_ms: list[float], share: float) -> float:
        ranked = sorted(took_ms)
        return round(ranked[min(len(ranked) - 1, int(share * len(ranked)))], 1) if ranked else 0.0

    def _ask(self) -> None:
        paths = ("/overview", "/devices?size=50", "/devices/virtual-00001", "/rollouts")
        with httpx.Client(base_url=f"{self._url}/api/v1", timeout=60.0) as http:
            turn = 0
            while not self._closing.wait(ASK_S):
                path = paths[turn % len(paths)]
                began = time.monotonic()
                http.get(path)
                took_ms = (time.monotonic() - began) * 1e3
                self.took_ms.append(took_ms)
                self._by_path.setdefault(path, []).append(took_ms)
                turn += 1


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60.0)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def steady(bench: Bench, seconds: float) -> dict[str, Any]:
    """Telemetry alone: rows that arrived in the window, and how long each took from the device's clock to the table."""
    first = time.time()
    with Visitor(bench.url) as visitor:
        time.sleep(seconds)
    last = time.time()
    time.sleep(3.0)
    where = "FROM telemetry WHERE received_at >= ? AND received_at < ?"
    count = int(bench.query(f"SELECT count(*) {where}", first, last)[0][0])
    late = [row[0] for row in bench.query(f"SELECT received_at - at AS late {where} ORDER BY late", first, last)]
    return {
        "stored_per_s": round(count / (last - first)),
        "record_to_table_p50_ms": round(late[count // 2] * 1e3) if late else 0,
        "record_to_table_p99_ms": round(late[int(count * 0.99)] * 1e3) if late else 0,
        "api_p50_ms": visitor.p(0.5),
        "api_p99_ms": visitor.p(0.99),
        "api_answers": len(visitor.took_ms),
        "server_rss_mb": round(bench.rss_mb()),
        "load": round(os.getloadavg()[0], 1),
    }


def one_device(bench: Bench) -> int:
    """Bytes that go out for one device alone."""
    bench.push("0.9.0")
    before = bench.get("/health")["blocks"]["sent_bytes"]
    rollout = bench.roll_out("0.9.0", [{"name": "one"}], {"ids": ["virtual-00000"]})
    bench.wait("one device has it", lambda: bench.get(f"/rollouts/{rollout}")["state"] == "completed")
    return int(bench.get("/health")["blocks"]["sent_bytes"] - before)


def waves(bench: Bench, devices: int, alone_bytes: int) -> dict[str, Any]:
    """A rollout to all, wave by wave."""
    bench.push("1.0.0")
    found: dict[str, Any] = {"waves": []}
    with Visitor(bench.url) as visitor:
        began, sent, done = time.monotonic(), bench.get("/health")["blocks"], 0
        rollout = bench.roll_out("1.0.0", WAVES)
        while True:
            now = bench.get(f"/rollouts/{rollout}")
            for wave in now["waves"][done:]:
                if wave["state"] != "passed":
                    break
                blocks = bench.get("/health")["blocks"]
                out = {key: blocks[key] - sent[key] for key in blocks}
                times, took_s = out["sent_bytes"] / alone_bytes, wave["finished_at"] - wave["started_at"]
                row = {"name": wave["name"], "devices": wave["total"], "seconds": round(took_s, 1)}
                found["waves"].append({**row, **out, "times_one_device": round(times, 2)})
                sent, done = blocks, done + 1
            if now["state"] != "running":
                break
            time.sleep(0.5)
    found |= {"state": now["state"], "reason": now["state_reason"], "counts": now["counts"], "of": devices}
    found |= {"api_p50_ms_of": visitor.by_path(0.5), "api_p99_ms_of": visitor.by_path(0.99)}
    found |= {"seconds": round(time.monotonic() - began, 1), "api_p99_ms": visitor.p(0.99), "load": round(os.getloadavg()[0], 1)}
    return found


def breach(bench: Bench) -> dict[str, Any]:
    """A version that half the devices refuse: from the report that tips the gate, as its device dates it, to the pause."""
    bench.push("9.9.9")
    rollout = bench.roll_out("9.9.9", [{"name": "canary", "count": 50}, {"name": "rest"}])
    bench.wait("it stops", lambda: bench.get(f"/rollouts/{rollout}")["state"] == "paused")
    (paused_at,) = bench.query("SELECT changed_at FROM rollout WHERE id = ?", rollout)[0]
    known = [
        row[0]
        for row in bench.query(
            "SELECT s.since_at FROM attempt a JOIN device_slot s ON s.attempt = a.id WHERE a.rollout = ?"
            " AND a.state = 'rolled_back' AND a.finished_at <= ? ORDER BY s.since_at",
            rollout,
            paused_at,
        )
    ]
    after = bench.get(f"/rollouts/{rollout}")
    return {
        "pause_after_last_failure_ms": round((paused_at - known[-1]) * 1e3),
        "pause_after_first_failure_ms": round((paused_at - known[0]) * 1e3),
        "reason": after["state_reason"],
        "untouched": after["counts"].get("queued", 0),
    }


def make(folder: Path, undo: ExitStack, ingest: int) -> Bench:
    """One process on SQLite, or several on PostgreSQL."""
    if not ingest:
        return Bench(folder, undo)
    from benchmarks.fleet.scale_postgresql import GrownBench

    GrownBench.ingest = ingest
    return GrownBench(folder, undo)


def run(devices: int, seconds: float, telemetry_s: float, parts: list[str], ingest: int = 0) -> dict[str, Any]:
    """Run the selected parts in a temporary folder; returns all figures."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    found: dict[str, Any] = {"devices": devices, "cpus": os.cpu_count(), "load_before": round(os.getloadavg()[0], 1)}
    with tempfile.TemporaryDirectory(prefix="edgefleet-bench-") as folder, ExitStack() as undo:
        bench = make(Path(folder), undo, ingest)
        began = time.monotonic()
        bench.start_swarm(devices, telemetry_s)
        found["all_online_s"] = round(time.monotonic() - began, 1)
        time.sleep(5.0)
        for name, part in (
            ("telemetry", lambda: steady(bench, seconds)),
            ("rollout", lambda: waves(bench, devices, one_device(bench))),
            ("breach", lambda: breach(bench)),
        ):
            if name in parts:
                found[name] = part()
                print(f"{name}: {json.dumps(found[name])}", file=sys.stderr, flush=True)
        found["processes"] = bench.accounts()
        found["swarm"] = bench.end_swarm()
        bench.wait("all said goodbye", lambda: bench.get("/overview")["online"] == 0, 60.0)
        rows, distinct = bench.query("SELECT count(*), count(DISTINCT device || ':' || at) FROM telemetry")[0]
        records = found["swarm"]["records"]
        found["kept"] = {"rows": rows, "distinct": distinct, "made": records["made"], "known_stored": records["stored"]}
        found["kept"]["lost"] = max(0, records["stored"] - rows)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of steady telemetry")
    parser.add_argument("--telemetry-s", type=float, default=4.0)
    parser.add_argument("--only", nargs="+", default=["telemetry", "rollout", "breach"], metavar="PART")
    parser.add_argument("--ingest", type=int, default=0, metavar="N", help="on PostgreSQL, with N ingest processes; 0 = SQLite")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = run(arguments.devices, arguments.seconds, arguments.telemetry_s, arguments.only, arguments.ingest)
    print(json.dumps(found, indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
