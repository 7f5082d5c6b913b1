"""Hostile devices among well-behaved ones: telemetry to acknowledgement of the others, memory, and who is named.

    python -m benchmarks.fleet.hostile [--devices 1000] [--hostile 50] [--seconds 120] [--json]

The well-behaved devices are measured alone first, then with the hostile ones, in the same run: the ratio of the two is the
answer, because everything shares this machine. "Named" are the devices that `GET /devices?status=attention` has shown as
throttled or disconnected at some time beside the attack; the dashboard shows the same list. Memory is the largest of the time
with hostile devices, and that 30 s later.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from benchmarks.fleet.hostile_devices import BEHAVIOURS
from benchmarks.fleet.scale import ROOT, Bench
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.simulate.devices.counters import CountHistogram
from edgefleet_server.simulate.devices.device_behaviour import FleetModel
from edgefleet_server.simulate.devices.fleet import SimulatedFleet

SETTLE_S: Final = 3.0
AFTER_S: Final = 30.0
QUERY_S: Final = 2.0
NAMED_S_MAX: Final = 30.0
"""A slow machine may need longer for all of them."""


class Others:
    """The well-behaved devices, on an event loop of their own."""

    def __init__(self, broker: str, devices: int, telemetry_s: float) -> None:
        self._swarm = SimulatedFleet(FleetModel(seed=1), devices, BrokerAddress.parse(broker), telemetry_s, "run")
        self._devices = devices
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._before = self._counts()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Others:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(30.0)
        self._loop.close()

    def _run(self) -> None:
        self._loop.run_until_complete(self._swarm.live(self._ended))

    @property
    def are_online(self) -> bool:
        """Whether all are connected."""
        return self._swarm.tally.online >= self._devices

    def begin(self) -> None:
        """Forget what was measured so far."""
        self._swarm.tally.stored_after = CountHistogram()
        self._before = self._counts()

    def _counts(self) -> dict[str, int]:
        tally = self._swarm.tally
        return {"sent": tally.batches_sent, "sent_again": tally.batches_sent_again, "records_lost": tally.records_lost}

    def measured(self) -> dict[str, Any]:
        """Times from first sending a batch to its acknowledgement, since `begin`, and how many were sent again."""
        times = self._swarm.tally.stored_after
        quantiles = {f"p{share * 100:g}_ms": round(times.quantile_s(share) * 1e3) for share in (0.5, 0.99)}
        counts = {name: count - self._before[name] for name, count in self._counts().items()}
        return {"acknowledged": times.count, **quantiles, "max_ms": round(times.max_s * 1e3), **counts}

    @property
    def lost_connections(self) -> int:
        """Connections that ended without their device."""
        return self._swarm.tally.lost_connections


class Memory:
    """Watches the memory of server and broker."""

    def __init__(self, server_pid: int) -> None:
        self._pids = {"server": server_pid, "broker": _broker_of(server_pid)}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.largest_mb: dict[str, int] = {}

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()

    def now_mb(self) -> dict[str, int]:
        """The memory of both now."""
        return {name: _rss_mb(pid) for name, pid in self._pids.items()}

    def _watch(self) -> None:
        while not self._closing.wait(0.5):
            for name, mb in self.now_mb().items():
                self.largest_mb[name] = max(mb, self.largest_mb.get(name, 0))


def _rss_mb(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]) // 1024


def _broker_of(server_pid: int) -> int:
    children = Path(f"/proc/{server_pid}/task").glob("*/children")
    return next(int(pid) for file in children for pid in file.read_text().split())


def enrol(bench: Bench, folder: Path, name: str) -> None:
    """Enroll a device; its certificate and what it needs to connect are in `folder`."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
    token = bench.http.post("/enrolment-tokens", json={"device": name}).raise_for_status().json()["token"]
    body = {"token": token, "device": name, "request": request.public_bytes(Encoding.PEM).decode()}
    issued = bench.http.post("/enrol", json=body).raise_for_status().json()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / f"{name}.pem").write_bytes(private + issued["certificate"].encode())
    (folder / "authority.crt").write_text(issued["authority"])
    (folder / "broker").write_text(issued["broker_url"])


def named(bench: Bench) -> dict[str, str]:
    """The restricted devices by the list that the dashboard shows, and why."""
    found: dict[str, str] = {}
    offset, total = 0, 1
    while offset < total:
        page = bench.http.get("/devices", params={"status": "attention", "size": 200, "offset": offset}).raise_for_status().json()
        offset, total = offset + 200, page["total"]
        for device in page["items"]:
            texts = [text for text in device["attention"] if text.startswith(("throttled", "disconnected"))]
            if texts:
                found[device["id"]] = texts[0]
    return found


def _named(bench: Bench, seconds: float, found: dict[str, str], enough: int) -> dict[str, str]:
    """`found` and the devices that are named within `seconds`, or until there are `enough`."""
    deadline = time.monotonic() + seconds
    while len(found) < enough and time.monotonic() < deadline:
        time.sleep(max(0.0, min(QUERY_S, deadline - time.monotonic())))
        found = {**found, **named(bench)}
    return found


def run(
    devices: int,
    hostile: int,
    seconds: float,
    telemetry_s: float = 5.0,
    after_s: float = AFTER_S,
    settle_s: float = SETTLE_S,
    kinds: Sequence[str] = tuple(BEHAVIOURS),
) -> dict[str, Any]:
    """Measure; returns all figures. `kinds`: the behaviours of the hostile devices, in turn."""
    names = {f"hostile-{number:02d}-{kinds[number % len(kinds)]}": kinds[number % len(kinds)] for number in range(hostile)}
    names = {name.replace("_", "-"): kind for name, kind in names.items()}
    with tempfile.TemporaryDirectory(prefix="edgefleet-bench-") as text, ExitStack() as undo:
        folder = Path(text)
        bench = Bench(folder, undo)
        for name in names:
            enrol(bench, folder, name)
        others = undo.enter_context(Others(bench.get("/health")["broker"]["url"], devices, telemetry_s))
        bench.wait("all devices are online", lambda: others.are_online)
        time.sleep(settle_s)
        memory = Memory(bench.server_pid)
        before_mb = memory.now_mb()
        others.begin()
        time.sleep(seconds)
        alone = others.measured()
        lost_before = others.lost_connections
        with memory:
            others.begin()
            attack = _start(folder, names)
            undo.callback(attack.kill)
            found = _named(bench, seconds, {}, hostile + 1)
            beside = others.measured()
            found = _named(bench, NAMED_S_MAX, found, hostile)
        attack.send_signal(signal.SIGTERM)
        did, _ = attack.communicate(timeout=60.0)
        time.sleep(after_s)
        after_mb = memory.now_mb()
        connections, messages = json.loads(did)
        dropped = next(line for line in bench.http.get(f"{bench.url}/metrics").text.splitlines() if line.startswith(DROPPED))
        rows = bench.query("SELECT count(*) FROM telemetry WHERE device LIKE 'hostile-%'")[0][0]
        retained = _retained_files(bench)
    return {
        "devices": devices, "hostile": hostile, "load": round(os.getloadavg()[0], 1), "alone": alone, "beside": beside,
        "ratio_p99": round(beside["p99_ms"] / max(1, alone["p99_ms"]), 2),
        "others_disconnected": others.lost_connections - lost_before,
        "memory_mb": {"before": before_mb, "largest": memory.largest_mb, "after": after_mb}, "broker_database_bytes": retained,
        "hostile_connections": connections, "hostile_messages": messages, "dropped": float(dropped.split()[-1]),
        "hostile_rows": rows, "unnamed": sorted(set(names) - set(found)), "wrongly_named": sorted(set(found) - set(names)),
        "texts": sorted({text.partition(" ")[0] + text.rpartition(":")[2] for text in found.values()}),
    }  # fmt: skip


DROPPED: Final = "edgefleet_messages_dropped_total"


def _start(folder: Path, names: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmarks.fleet.hostile_devices", str(folder)]
    arguments = [f"{name}={kind}" for name, kind in names.items()]
    # asyncio prints a line for each message that a device sends after its broker has ended the connection
    return subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _retained_files(bench: Bench) -> int:
    """Length of what the broker keeps on disk: retained messages, because sessions are clean."""
    file = bench.data / "broker" / "mosquitto.db"
    return file.stat().st_size if file.is_file() else 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=1_000)
    parser.add_argument("--hostile", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0, help="alone, and then beside the hostile devices")
    parser.add_argument("--telemetry-s", type=float, default=5.0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = run(arguments.devices, arguments.hostile, arguments.seconds, arguments.telemetry_s)
    print(json.dumps(found, indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
