"""The local inference API beside other inference servers: one run, one machine, the same callers.

    python -m benchmarks.serving.peers --install          # once: each into a virtual environment of its own below --folder
    python -m benchmarks.serving.peers [--only NAME ...] [--models NAME ...] [--protocols NAME ...] [--concurrency N ...]
                                       [--rounds N] [--turns N] [--seconds S] [--json]

The servers are Triton's own core with its Python backend (from the wheel `nvidia-pytriton`), MLServer, LitServe and BentoML, each
with the setting that served it best, over the same file and the same runtime, with the models of `throughput`. In each round
every server is started, one after the other; then, for each protocol and number of callers, the raw runtime (as many one-thread
sessions as there are cores) and each server are called in turn, while the others idle, `--turns` times. The results are medians;
ratios are of one turn. A peer that is not installed is skipped with a message.

`http` is called by wrk, `grpc` by h2load (see `c_callers`), or with `--callers python` by our own callers in one thread;
`grpc-core` is the C core of grpcio, called from two Python processes (see `grpc_core_caller`): slower, but of another make.

Callers, server and runtime share the cores, as they do on a device. Folder: --folder, or EDGEFLEET_PEERS.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from benchmarks.serving import c_callers
from benchmarks.serving.grpc_core_caller import from_processes
from benchmarks.serving.peer_servers import PEERS, Peer, Ports
from benchmarks.serving.throughput import CONCURRENCY, MODELS, latencies_s, put_models, raw, raw_of
from edgefleet_agent.cli.measure.load_clients import INFER, GrpcLoadClient, HttpLoadClient, closed_loop, open_loop
from edgefleet_contract.core.errors import UnavailableError

READY_S_MAX = 60.0
CORE = "grpc-core"
PROTOCOLS = ("http", "grpc", CORE)
CORE_PROCESSES = 2
TRIES_MAX = 3
"""Of a round, in which a server may hang up."""
FOLDER = Path(os.environ.get("EDGEFLEET_PEERS") or Path.home() / ".cache" / "edgefleet-peers")


def wire(protocol: str) -> str:
    """The protocol that a caller speaks."""
    return "grpc" if protocol == CORE else protocol


def free_ports() -> Ports:
    """Three free ports."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    found = [each.getsockname()[1] for each in taken]
    for each in taken:
        each.close()
    return Ports(*found)


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers. start_s: until its first answer."""

    peer: Peer
    ports: Ports
    process: psutil.Process
    start_s: float

    def port(self, protocol: str) -> int:
        return self.ports.grpc if protocol == "grpc" else self.ports.http

    def cpu_s(self) -> float:
        """Of all its processes, since they began."""
        return sum(sum(each.cpu_times()[:2]) for each in self.family())

    def memory_mb(self) -> float:
        """Of all its processes, what they share counted once."""
        return sum(each.memory_full_info().pss for each in self.family()) / 1e6

    def family(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]


@contextlib.contextmanager
def running(peer: Peer, folder: Path, model: str, file: Path) -> Iterator[Running]:
    """A server over one model."""
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
                time.sleep(0.01)
            yield Running(peer, ports, psutil.Process(process.pid), time.perf_counter() - began_s)
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
    """Whether a call over HTTP is answered."""
    try:
        caller = HttpLoadClient(("127.0.0.1", ports.http), peer.requests(model)["http"])
        return bool(latencies_s(open_loop([caller], [0.0])))
    except (UnavailableError, SystemExit):
        return False


def measure_round(servers: list[Running], model: str, file: Path, given: argparse.Namespace) -> list[dict[str, Any]]:
    """Every cell: the raw runtime, then each server in turn, so that a slow minute of the machine affects all of them.

    Returns for each turn: protocol and number of callers -> who -> its figures; `raw` has only `per_s` and `cpu_us`.

    Raises:
        CallError: a server hung up.
    """
    threads, rows = raw_of(model)
    turns: list[dict[str, Any]] = [{} for _ in range(given.turns)]
    for protocol in given.protocols:
        for concurrency in given.concurrency:
            called = [each for each in servers if wire(protocol) in each.peer.requests(model)]
            for each in called:
                _turn(each, model, protocol, concurrency, given.callers, 0.3 * given.seconds)  # to warm up
            for cells in turns:
                row: dict[str, Any] = {"raw": apart("--raw", str(file), str(threads), str(rows), str(given.seconds))}
                for each in called:
                    row[each.peer.name] = _turn(each, model, protocol, concurrency, given.callers, given.seconds)
                called.reverse()  # none is always called first
                cells[f"{protocol} c{concurrency}"] = row
    return turns


def _turn(each: Running, model: str, protocol: str, concurrency: int, callers: str, seconds: float) -> dict[str, float]:
    """Figures of one server."""
    before_s = each.cpu_s()
    where = [each.peer.name, model, protocol, str(each.port(wire(protocol))), str(concurrency), str(seconds)]
    found: dict[str, float] = apart("--call", callers, *where)
    found["cpu_us"] = (each.cpu_s() - before_s) / found["count"] * 1e6
    return found


class CallError(Exception):
    """A server hung up while it was called."""


def apart(*arguments: str) -> Any:
    """This module's own work in a process of its own.

    Raises:
        CallError: it failed.
    """
    ended = subprocess.run([sys.executable, "-m", __spec__.name, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise CallError(f"{' '.join(arguments)}: {(ended.stderr.strip().splitlines() or ['failed'])[-1]}")
    return json.loads(ended.stdout)


def call_once(
    callers: str, name: str, model: str, protocol: str, port: int, concurrency: int, seconds: float
) -> dict[str, float]:
    """Closed loop."""
    request = PEERS[name].requests(model)[wire(protocol)]
    address = "127.0.0.1", port
    if protocol == CORE:
        return from_processes(f"127.0.0.1:{port}", request, concurrency, CORE_PROCESSES, 1, seconds)
    if callers == "c":
        if protocol == "http":
            return c_callers.call_http(address, request, concurrency, seconds)
        return c_callers.call_grpc(address, INFER, request, concurrency, seconds)
    kind = GrpcLoadClient if protocol == "grpc" else HttpLoadClient
    took = sorted(latencies_s(closed_loop([kind(address, request) for _ in range(concurrency)], seconds)))
    result = {"p50_ms": took[len(took) // 2] * 1e3, "p99_ms": took[int(len(took) * 0.99)] * 1e3}
    return {"per_s": len(took) / seconds, "count": len(took), **result}


def measure(names: list[str], given: argparse.Namespace) -> dict[str, Any]:
    """Model -> its turns: of each server the start and the memory, and all cells."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as models:
        files = put_models(Path(models))
        for model in given.models:
            found[model] = []
            for number in range(given.rounds):
                print(f"round {number + 1} of {given.rounds}: {model} …", file=sys.stderr)
                found[model] += measure_again([name for name in names if model in PEERS[name].models], model, files[model], given)
    return found


def measure_again(names: list[str], model: str, file: Path, given: argparse.Namespace) -> list[dict[str, Any]]:
    """One round, from the start again where a server hangs up.

    Raises:
        SystemExit: that happened in every one.
    """
    cause = ""
    for _ in range(TRIES_MAX):
        with contextlib.ExitStack() as stack:
            servers = [stack.enter_context(running(PEERS[name], given.folder, model, file)) for name in names]
            try:
                turns = measure_round(servers, model, file, given)
            except CallError as error:
                cause = str(error)
                print(f"{cause}; once more", file=sys.stderr)
                continue
            started = {each.peer.name: {"start_s": each.start_s, "memory_mb": each.memory_mb()} for each in servers}
            return [{"servers": started, "cells": cells} for cells in turns]
    raise SystemExit(cause)


def table(found: dict[str, Any]) -> Iterator[str]:
    """One line for each protocol, number of callers and server."""
    for model, rounds in found.items():
        yield model
        for name in rounds[0]["servers"]:
            start_s, memory_mb = (median(each["servers"][name][key] for each in rounds) for key in ("start_s", "memory_mb"))
            yield f"  {name:10} answered after {start_s:.1f} s, {memory_mb:.0f} MB"
        for cell, row in rounds[0]["cells"].items():
            turns = [each["cells"][cell] for each in rounds]
            yield f"  {cell}: raw runtime {median(turn['raw']['per_s'] for turn in turns):.0f}/s"
            for name in row:
                if name != "raw":
                    yield f"    {name:10} {figures(name, turns)}"


def figures(name: str, turns: list[dict[str, Any]]) -> str:
    """The middle of what `name` reached in its turns."""
    per_s, p50_ms, p99_ms, cpu_us = (median(turn[name][key] for turn in turns) for key in ("per_s", "p50_ms", "p99_ms", "cpu_us"))
    line = f"{per_s:8.0f}/s  p50 {p50_ms:7.2f} ms  p99 {p99_ms:7.2f} ms  {cpu_us:6.0f} us CPU"
    for other, word in (("raw", "raw"), ("triton", "Triton")):
        if name != other and other in turns[0]:
            line += f"  {median(turn[name]['per_s'] / turn[other]['per_s'] for turn in turns):5.2f} x {word}"
    return line


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
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS), help="these, not all")
    parser.add_argument("--protocols", nargs="+", choices=PROTOCOLS, default=list(PROTOCOLS), help="these, not all")
    parser.add_argument("--concurrency", nargs="+", type=int, default=list(CONCURRENCY), metavar="N", help="numbers of callers")
    parser.add_argument("--callers", choices=("c", "python"), default="c", help="who calls (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3, help="starts of the servers (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="of each cell in a round (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of a turn; callers in C take whole seconds (default: %(default)s)"
    )
    parser.add_argument("--call", nargs=7, help=argparse.SUPPRESS)
    parser.add_argument("--raw", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.raw:
        file, threads, rows, seconds = arguments.raw
        print(json.dumps(raw(Path(file), int(threads), int(rows), float(seconds))))
    elif arguments.call:
        callers, name, model, protocol, port, concurrency, seconds = arguments.call
        print(json.dumps(call_once(callers, name, model, protocol, int(port), int(concurrency), float(seconds))))
    elif arguments.install:
        install(arguments.folder)
    else:
        if arguments.callers == "c":
            c_callers.check_installed()
        names = [name for name in arguments.only if PEERS[name].installed(arguments.folder)]
        for name in sorted(set(arguments.only) - set(names)):
            print(f"{name} is not installed in {arguments.folder}: python -m benchmarks.serving.peers --install", file=sys.stderr)
        found = measure(names, arguments)
        print(json.dumps(found) if arguments.json else "\n".join(table(found)))


if __name__ == "__main__":
    main()
