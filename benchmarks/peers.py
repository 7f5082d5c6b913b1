"""The local inference API beside other inference servers: one run, one machine, the same callers.

    python -m benchmarks.peers --install          # once: each into a virtual environment of its own below --folder
    python -m benchmarks.peers [--only NAME ...] [--rounds N] [--seconds S] [--json]

The servers are Triton's own core with its Python backend (from the wheel `nvidia-pytriton`), MLServer, LitServe and BentoML, each
with the setting that served it best, over the same file and the same runtime. Models: `identity`, 64 bytes there and back, and an
int8 MobileNetV2 of the test data. In each round every server is started alone, called with 1, 4 and 16 callers over what it
speaks, and stopped; the raw runtime (as many one-thread sessions as there are cores) is measured in the same round. Told are
medians; ratios are taken within a round. One that is not installed is left out, and said so.

Callers, server and runtime share the cores, as they do on a device. Folder: --folder, or EDGEFLEET_PEERS.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from agent.errors import UnavailableError
from agent.serving.callers import GrpcCaller, HttpCaller, closed_loop
from benchmarks.peer_servers import PEERS, Peer, Ports
from benchmarks.serving import MODELS, heard, put_models, raw

CONCURRENCY = (1, 4, 16)
READY_S_MAX = 60.0
FOLDER = Path(os.environ.get("EDGEFLEET_PEERS") or Path.home() / ".cache" / "edgefleet-peers")


def free_ports() -> Ports:
    """Three that nobody listens on."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    found = [each.getsockname()[1] for each in taken]
    for each in taken:
        each.close()
    return Ports(*found)


@contextlib.contextmanager
def running(peer: Peer, folder: Path, model: str, file: Path) -> Iterator[tuple[Ports, psutil.Process, float]]:
    """A server over one model: its ports, its process, seconds until it answered a call."""
    ports = free_ports()
    with tempfile.TemporaryDirectory() as work:
        command, env = peer.command(folder, Path(work), model, file, ports)
        began_s = time.perf_counter()
        with Path(work, "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | env, cwd=work, start_new_session=True)
        try:
            while not answers(peer, model, ports):
                if process.poll() is not None or time.perf_counter() - began_s > READY_S_MAX:
                    raise SystemExit(f"{peer.name} did not start:\n{Path(work, 'log').read_text(errors='replace')[-2000:]}")
                time.sleep(0.02)
            yield ports, psutil.Process(process.pid), time.perf_counter() - began_s
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop a server and all it has started."""
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(15)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(15)


def answers(peer: Peer, model: str, ports: Ports) -> bool:
    """Whether one call over HTTP is answered."""
    try:
        caller = HttpCaller(("127.0.0.1", ports.http), peer.requests(model)["http"])
        return bool(heard(closed_loop([caller], 0.2)))
    except (UnavailableError, SystemExit):
        return False


def family(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def cpu_s(process: psutil.Process) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in family(process))


def measure_peer(peer: Peer, folder: Path, model: str, file: Path, seconds: float) -> dict[str, Any]:
    """One start: a row for each protocol and number of callers."""
    rows: dict[str, Any] = {}
    with running(peer, folder, model, file) as (ports, process, start_s):
        for protocol in peer.requests(model):
            for concurrency in CONCURRENCY:
                before_s = cpu_s(process)
                port = ports.grpc if protocol == "grpc" else ports.http
                told = apart("--call", peer.name, model, protocol, str(port), str(concurrency), str(seconds))
                told["cpu_us"] = (cpu_s(process) - before_s) / told["count"] * 1e6
                rows[f"{protocol} c{concurrency}"] = told
        memory_mb = sum(each.memory_full_info().pss for each in family(process)) / 1e6
    return {"start_s": start_s, "memory_mb": memory_mb, "rows": rows}


def apart(*arguments: str) -> Any:
    """This module's own work in a process of its own."""
    ended = subprocess.run([sys.executable, "-m", __spec__.name, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {ended.stderr}")
    return json.loads(ended.stdout)


def call_once(name: str, model: str, protocol: str, port: int, concurrency: int, seconds: float) -> dict[str, float]:
    """Closed loop, after a third of it to warm up."""
    request = PEERS[name].requests(model)[protocol]
    kind = GrpcCaller if protocol == "grpc" else HttpCaller
    for part in (0.3, 1.0):
        callers = [kind(("127.0.0.1", port), request) for _ in range(concurrency)]
        took = sorted(heard(closed_loop(callers, part * seconds)))
    told = {"p50_ms": took[len(took) // 2] * 1e3, "p99_ms": took[int(len(took) * 0.99)] * 1e3}
    return {"per_s": len(took) / seconds, "count": len(took), **told}


def measure(folder: Path, names: list[str], rounds: int, seconds: float) -> dict[str, Any]:
    """Model -> the raw runtime of each round, and server -> its rounds."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as models:
        files = put_models(Path(models))
        for model, file in files.items():
            threads = 1 if model == "identity" else len(os.sched_getaffinity(0))
            limits: list[float] = []
            peers: dict[str, list[Any]] = {name: [] for name in names}
            for number in range(rounds):
                limits.append(apart("--raw", str(file), str(threads), str(seconds)))
                for name in names:
                    print(f"round {number + 1} of {rounds}: {model}, {name} …", file=sys.stderr)
                    peers[name].append(measure_peer(PEERS[name], folder, model, file, seconds))
            found[model] = {"raw_per_s": limits, "peers": peers}
    return found


def table(found: dict[str, Any]) -> Iterator[str]:
    """One line for each server, protocol and number of callers."""
    middle = statistics.median
    for model, told in found.items():
        yield f"{model}: raw runtime {middle(told['raw_per_s']):.0f}/s"
        for name, rounds in told["peers"].items():
            start_s, memory_mb = (middle(each[key] for each in rounds) for key in ("start_s", "memory_mb"))
            yield f"  {name}: answered after {start_s:.1f} s, {memory_mb:.0f} MB"
            for key in rounds[0]["rows"]:
                rows = [each["rows"][key] for each in rounds]
                of_raw = middle(row["per_s"] / limit for row, limit in zip(rows, told["raw_per_s"], strict=True))
                figures = {each: middle(row[each] for row in rows) for each in ("per_s", "p50_ms", "p99_ms", "cpu_us")}
                beside = ""
                if name != "triton" and told["peers"].get("triton") and key in told["peers"]["triton"][0]["rows"]:
                    triton = told["peers"]["triton"]
                    parts = [row["per_s"] / other["rows"][key]["per_s"] for row, other in zip(rows, triton, strict=True)]
                    beside = f"  {middle(parts):.2f} x Triton"
                yield (
                    f"    {key:9} {figures['per_s']:8.0f}/s  {of_raw:.2f} of raw  p50 {figures['p50_ms']:7.2f} ms"
                    f"  p99 {figures['p99_ms']:7.2f} ms  {figures['cpu_us']:6.0f} us CPU{beside}"
                )


def install(folder: Path) -> None:
    """Every peer into an environment of its own."""
    for peer in PEERS.values():
        if peer.packages:
            home = folder / peer.name
            subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
            subprocess.run([str(home / "bin" / "pip"), "install", "-q", *peer.packages], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--only", nargs="+", choices=sorted(PEERS), default=list(PEERS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--call", nargs=6, help=argparse.SUPPRESS)
    parser.add_argument("--raw", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.raw:
        print(json.dumps(raw(Path(arguments.raw[0]), int(arguments.raw[1]), float(arguments.raw[2]))))
    elif arguments.call:
        name, model, protocol, port, concurrency, seconds = arguments.call
        print(json.dumps(call_once(name, model, protocol, int(port), int(concurrency), float(seconds))))
    elif arguments.install:
        install(arguments.folder)
    else:
        names = [name for name in arguments.only if PEERS[name].installed(arguments.folder)]
        for name in sorted(set(arguments.only) - set(names)):
            print(f"{name} is not installed in {arguments.folder}: python -m benchmarks.peers --install", file=sys.stderr)
        found = measure(arguments.folder, names, arguments.rounds, arguments.seconds)
        print(json.dumps(found) if arguments.json else "\n".join([f"models: {', '.join(MODELS)}", *table(found)]))


if __name__ == "__main__":
    main()
