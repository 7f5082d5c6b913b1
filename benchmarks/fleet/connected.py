"""A large fleet that is connected and says something once a minute: memory and processor of server and broker.

    python -m benchmarks.fleet.connected [--devices 50000] [--seconds 180] [--json]
    python -m benchmarks.fleet.connected --tls 500      # what TLS adds to a connection, at the broker

Devices come over the broker's plain listener on loopback, from several addresses, because 28,000 ports are all that Linux gives
to one. Real devices come over TLS: `--tls N` measures N connections of both kinds at a broker without a server. Memory is the
proportional set size of the process, so that pages of files count once.

A process has as many connections as it may have open files. Where that is fewer than devices (`ulimit -Hn`), the fleet is spread
over several brokers, each bridged to the one that the server uses, and over several processes of virtual devices.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from benchmarks.fleet.scale import Bench, Visitor
from benchmarks.fleet.scale_postgresql import BROKER
from edgefleet_contract.mqtt.packets import connect
from edgefleet_contract.wire import topics
from edgefleet_server.link.mosquitto import DeviceListener, ManagedBroker
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from edgefleet_server.simulate.devices.mqtt_client import SimulatedMqttClient
from tests.fleet_server.fakes.trust_metadata import identity_file

FILES: Final = 256
"""Open files of a process beside its connections."""
BRIDGE: Final = """
connection devices-{number}
address 127.0.0.1:{hub}
topic edgefleet/v1/d/+/up/# out 1
topic edgefleet/v1/d/+/down/# in 1
topic edgefleet/v1/b/# in 0
topic edgefleet/v1/trust in 1
cleansession true
notifications false
try_private true
"""


def connections_max() -> int:
    """Raise this process's limit of open files, and so that of its children; returns how many connections that allows."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard - FILES


def cpu_s(pid: int) -> float:
    """Seconds of processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Proportional set size of a process in MB (10^6 bytes)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


def sockets_mb() -> float:
    """Memory of the buffers of all TCP sockets of this machine, both ends."""
    for line in Path("/proc/net/sockstat").read_text().splitlines():
        if line.startswith("TCP:"):
            return int(line.split()[-1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


class Brokers(Bench):
    """A server with brokers of its own: one that it uses, and bridged ones for the devices where one has too few open files."""

    count = 1

    def _start_server(self) -> Path:
        ports = [_free_port() for _ in range(1 + (self.count if self.count > 1 else 0))]
        self.brokers = [self._start_broker(number, port, ports[0]) for number, port in enumerate(ports)]
        self.urls = [f"mqtt://127.0.0.1:{port}" for port in (ports[1:] or ports)]
        hub = f"mqtt://127.0.0.1:{ports[0]}"
        self._server = self._start("server", ["serve", "--data", str(self.data), "--port", "0", "--broker", hub])
        return self.data / "server.json"

    def _start_broker(self, number: int, port: int, hub: int) -> int:
        file = self._folder / f"broker-{number}.conf"
        file.write_text(BROKER.format(port=port) + ("" if port == hub else BRIDGE.format(number=number, hub=hub)))
        log = self._undo.enter_context((self._folder / f"broker-{number}.log").open("wb"))
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
        process = subprocess.Popen(["mosquitto", "-c", str(file)], stdout=log, stderr=log, env=environment)
        self._undo.callback(process.wait)
        self._undo.callback(process.kill)
        return process.pid

    def connect_all(self, devices: int, telemetry_s: float) -> list[subprocess.Popen[bytes]]:
        """Start a process of virtual devices for each broker, one after another, and wait until all are online."""
        share = -(-devices // len(self.urls))
        swarms = []
        for number, url in enumerate(self.urls):
            first = number * share
            arguments = ["--devices", str(min(share, devices - first)), "--first", str(first), "--telemetry-s", str(telemetry_s)]
            swarms.append(self._start(f"swarm-{number}", ["simulate", *arguments, "--broker", url, "--json"]))
            due = min(devices, first + share)  # one after another: each process connects 400 a second
            self.wait("its devices are online", lambda due=due: self.get("/overview")["online"] >= due)  # type: ignore[misc]
        return swarms


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def fleet(devices: int, seconds: float, telemetry_s: float) -> dict[str, Any]:
    """Connect all, wait, and measure a span."""
    Brokers.count = -(-devices // connections_max())
    with tempfile.TemporaryDirectory(prefix="edgefleet-connected-") as folder, ExitStack() as undo:
        bench = Brokers(Path(folder), undo)
        server = [bench.server_pid]
        empty = {"server": sum(map(memory_mb, server)), "brokers": sum(map(memory_mb, bench.brokers))}
        began = time.monotonic()
        swarms = bench.connect_all(devices, telemetry_s)
        pids = {"server": server, "brokers": bench.brokers, "swarms": [swarm.pid for swarm in swarms]}
        online_s = time.monotonic() - began
        print(f"{devices} online after {online_s:.0f} s", file=sys.stderr, flush=True)
        time.sleep(1.5 * telemetry_s)
        before, first, began = {name: sum(map(cpu_s, all_)) for name, all_ in pids.items()}, time.time(), time.monotonic()
        with Visitor(bench.url) as visitor:
            time.sleep(seconds)
        took_s, last = time.monotonic() - began, time.time()
        spent = {name: round(100 * (sum(map(cpu_s, all_)) - before[name]) / took_s, 1) for name, all_ in pids.items()}
        memory = {name: sum(map(memory_mb, all_)) for name, all_ in pids.items()}
        where = "FROM telemetry WHERE received_at >= ? AND received_at < ?"
        late = [row[0] for row in bench.query(f"SELECT received_at - at AS late {where} ORDER BY late", first, last)]
        rows = bench.query("SELECT count(*) FROM telemetry")[0][0]
        return {
            "devices": devices, "brokers": len(bench.brokers), "telemetry_s": telemetry_s, "all_online_s": round(online_s, 1),
            "seconds": round(took_s, 1), "memory_mb": {name: round(value) for name, value in memory.items()},
            "server_and_brokers_mb": round(memory["server"] + memory["brokers"]),
            "memory_per_device_kb": {name: round((memory[name] - empty[name]) * 1e3 / devices, 2) for name in empty},
            "sockets_mb": round(sockets_mb()), "cpu_percent_of_a_core": spent, "stored_per_s": round(len(late) / took_s),
            "record_to_table_p50_ms": round(late[len(late) // 2] * 1e3) if late else None,
            "record_to_table_p99_ms": round(late[int(len(late) * 0.99)] * 1e3) if late else None,
            "api_p50_ms": visitor.p(0.5), "api_p99_ms": visitor.p(0.99), "online": bench.get("/overview")["online"],
            "database_mb": round((bench.data / "fleet.db").stat().st_size / 1e6), "rows": rows,
            "load": round(os.getloadavg()[0], 1),
        }  # fmt: skip


class _Listener:
    """Waits until the broker has accepted `expected` connections."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self.all_up = asyncio.Event()

    def up(self) -> None:
        self._expected -= 1
        if not self._expected:
            self.all_up.set()

    def on_message(self, _topic: str, _payload: memoryview) -> None: ...

    def down(self, _text: str) -> None: ...


async def _open(names: list[str], port: int, contexts: list[ssl.SSLContext | None]) -> list[SimulatedMqttClient]:
    loop, listener, lines = asyncio.get_running_loop(), _Listener(len(names)), []
    for name, context in zip(names, contexts, strict=True):
        line = SimulatedMqttClient(connect(name, 600, topics.presence(name), b"{}"), listener)
        await loop.create_connection(lambda line=line: line, "127.0.0.1", port, ssl=context)  # type: ignore[misc]
        lines.append(line)
    await listener.all_up.wait()
    return lines


def tls(connections: int) -> dict[str, Any]:
    """Memory and processor of the broker for a connection, plain and over TLS with a certificate of the device."""
    connections_max()
    with tempfile.TemporaryDirectory(prefix="edgefleet-tls-") as folder, ExitStack() as undo:
        now, place = time.time(), Path(folder)
        authority = CertificateAuthority(place / "authority")
        authority.open(now)
        key, certificate = authority.broker_identity(["127.0.0.1"], now)
        revoked = authority.revocation_list([], 1, now)
        broker = ManagedBroker(
            place / "broker", 0, DeviceListener("127.0.0.1", 0, authority.certificate.encode(), certificate, key, revoked)
        )
        broker.start()
        undo.callback(broker.stop)
        assert broker.pid is not None
        found: dict[str, Any] = {"connections": connections}
        for kind, port in (("plain", int(broker.address.url.rpartition(":")[2])), ("tls", broker.device_port)):
            names = [f"{kind}-{number}" for number in range(connections)]
            contexts = [_context(authority, name, place, now) if kind == "tls" else None for name in names]
            memory, spent = memory_mb(broker.pid), cpu_s(broker.pid)

            async def measure(names: list[str] = names, port: int = port, contexts: Any = contexts) -> float:
                lines = await _open(names, port, contexts)
                held = memory_mb(broker.pid or 0)
                for line in lines:
                    line.close()
                await asyncio.sleep(0.5)
                return held

            held = asyncio.run(measure())
            found[kind] = {
                "memory_kb": round((held - memory) * 1e3 / connections, 1),
                "cpu_ms": round((cpu_s(broker.pid) - spent) * 1e3 / connections, 2),
            }
        return found


def _context(authority: CertificateAuthority, name: str, folder: Path, now: float) -> ssl.SSLContext:
    file, _ = identity_file(authority, name, folder, now)
    context = ssl.create_default_context(cadata=authority.certificate)
    context.load_cert_chain(file)
    return context


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=180.0)
    parser.add_argument("--telemetry-s", type=float, default=60.0)
    parser.add_argument("--tls", type=int, default=0, metavar="N", help="connections to compare, instead of a fleet")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = tls(arguments.tls) if arguments.tls else fleet(arguments.devices, arguments.seconds, arguments.telemetry_s)
    print(json.dumps(found, indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
