"""The same fleet on PostgreSQL, an external Mosquitto, and a server in several processes (`fleet --ingest N`)."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.fleet.scale import Bench
from tests.services.postgres import Postgres

BROKER = """\
listener {port} 127.0.0.1
allow_anonymous true
max_inflight_messages 1000
max_queued_messages 100000
max_queued_bytes 67108864
set_tcp_nodelay true
"""


class GrownBench(Bench):
    """API, engine and `ingest` processes. What each took of the CPU is part of the answer."""

    ingest = 1

    def _start_server(self) -> Path:
        cluster = Postgres(durable=True)
        self._undo.callback(cluster.remove)
        cluster.start()
        self._database = cluster.url("fleet")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        configuration = self._folder / "mosquitto.conf"
        configuration.write_text(BROKER.format(port=port))
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
        log = self._undo.enter_context((self._folder / "broker.log").open("wb"))
        broker = subprocess.Popen(["mosquitto", "-c", str(configuration)], stdout=log, stderr=log, env=environment)
        self._undo.callback(broker.wait)
        self._undo.callback(broker.kill)
        common = ["--data", str(self.data), "--port", "0", "--database", self._database, "--broker", f"mqtt://127.0.0.1:{port}"]
        self._members = {
            name: self._start(name, ["serve", *common, "--role", name.partition("-")[0]])
            for name in ("api", "engine", *(f"ingest-{number}" for number in range(self.ingest)))
        }
        self._server = self._members["api"]
        self._others = {"postgresql": cluster.pid, "broker": broker.pid}
        return self.data / "server.json"

    def ready(self) -> bool:
        """A leader is elected, and every ingest process is connected to the broker."""
        found = "SELECT count(*) FILTER (WHERE leads), count(*) FILTER (WHERE ingests AND broker_up_at > 0) FROM member"
        return self.query(found)[0] == (1, self.ingest)

    def query(self, text: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database from outside."""
        with psycopg.connect(self._database) as connection:
            return list(connection.execute(text.replace("?", "%s").encode(), values or None))

    def rss_mb(self) -> float:
        """Memory of all processes of the server, without broker and database."""
        return sum(_rss_mb(process.pid) for process in self._members.values())

    def accounts(self) -> dict[str, Any]:
        """Of each process: seconds of CPU so far, and memory; of ingest also the messages taken."""
        pids = {**{name: process.pid for name, process in self._members.items()}, **self._others}
        report: dict[str, Any] = {
            name: {"cpu_s": round(_cpu_s(pid), 1), "rss_mb": round(_rss_mb(pid))} for name, pid in pids.items()
        }
        rows = self.query("SELECT role, messages, wait_p50_s, wait_p99_s FROM member WHERE ingests ORDER BY started_at")
        report["ingest"] = [
            {"messages": messages, "wait_p50_ms": round(p50 * 1e3), "wait_p99_ms": round(p99 * 1e3)}
            for _, messages, p50, p99 in rows
        ]
        report["database_mb"] = round(self.query("SELECT pg_database_size('fleet')")[0][0] / 1e6)
        return report


def _family(pid: int) -> list[int]:
    """A process and its children."""
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            found += _family(int(child))
    return found


def _cpu_s(pid: int) -> float:
    ticks = 0
    for one in _family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12]) + (int(fields[13]) + int(fields[14]) if one == pid else 0)
    return ticks / os.sysconf("SC_CLK_TCK")


def _rss_mb(pid: int) -> float:
    """Of a PostgreSQL the shared pages are counted once, as its own proportional share."""
    total_kib = 0
    for one in _family(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total_kib += int(line.split()[1])
    return total_kib / 1024
