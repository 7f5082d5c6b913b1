"""Throughput of the local inference API as a share of the raw runtime's.

    python -m benchmarks.serving.throughput [--json] [--rounds N] [--seconds S] [--models NAME ...] [--concurrency N ...]

`edgefleet-agent serve` runs in one process, a closed loop of callers in another (prepared bytes, keep-alive, raw tensors), and
the raw runtime in a third: as many one-thread sessions as the server has, alternating with the server's turns. Each turn gives
one ratio; the result is the median. The callers are programs in C (`c_callers`: wrk, and h2load for gRPC), or with
`--callers python` those of `edgefleet-agent measure`, one thread.

Models: `identity`, 64 bytes in each direction, which measures the server's own cost; an int8 MobileNetV2 of the test data; and
`batched`, a layer of 16 MB of weights, for which a run of 16 rows takes little longer than one of a row.

`cpu_us` is the server's CPU time for a request, `caller_us` the caller's: on a busy machine the better figures, because they
depend little on other load; `share` is the ratio by processor time, the raw runtime's ÷ that of server and caller. Callers,
server and runtime share the cores, like on a device. Therefore `limit`: the ratio of a server that costs nothing, whose runtime
only shares the cores with this caller.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.serving import c_callers
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.cli.measure.load_clients import (
    INFER,
    GrpcLoadClient,
    HttpLoadClient,
    LoadResult,
    Tensor,
    closed_loop,
    grpc_infer,
    http_infer,
)
from edgefleet_agent.core import plugins
from tests.agent.serving.onnx_file import chain, identity

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
MOBILENET = "models/onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"
CONCURRENCY = (1, 4, 16, 64)
BATCHED = "batched"
ROWS = 16
"""Rows in a run of the raw runtime, where the server joins requests; its largest batch unless configured."""
SIDE = 2048
MODELS = {
    "identity": Tensor("INPUT", "FP32", (1, 16), bytes(64)),
    "mobilenet": Tensor("input", "UINT8", (1, 224, 224, 3), bytes(224 * 224 * 3)),
    BATCHED: Tensor("INPUT", "FP32", (1, SIDE), bytes(4 * SIDE)),
}
"""Name -> its input."""


def call(callers: str, address: tuple[str, int], protocol: str, model: str, concurrency: int, seconds: float) -> c_callers.Result:
    """Closed loop. callers: `c` or `python`."""
    tensors = [MODELS[model]]
    if callers == "c":
        if protocol == "grpc":
            return c_callers.call_grpc(address, INFER, grpc_infer(model, tensors), concurrency, seconds)
        return c_callers.call_http(address, http_infer(model, tensors), concurrency, seconds)
    before_s = time.process_time()
    clients: list[GrpcLoadClient | HttpLoadClient] = [
        GrpcLoadClient(address, grpc_infer(model, tensors))
        if protocol == "grpc"
        else HttpLoadClient(address, http_infer(model, tensors))
        for _ in range(concurrency)
    ]
    took = sorted(latencies_s(closed_loop(clients, seconds)))
    caller_us = (time.process_time() - before_s) / len(took) * 1e6
    times = {"p50_ms": took[len(took) // 2] * 1e3, "p99_ms": took[int(len(took) * 0.99)] * 1e3}
    return {"per_s": len(took) / seconds, "count": len(took), **times, "caller_us": caller_us}


def latencies_s(result: LoadResult) -> list[float]:
    """The latencies of answers.

    Raises:
        SystemExit: there was anything else.
    """
    if result.failures:
        raise SystemExit(f"the server said {result.failures.most_common(1)}")
    return result.latencies_s


def raw(file: Path, threads: int, rows: int, seconds: float) -> dict[str, float]:
    """Rows a second of as many one-thread sessions, nothing around them, and processor time for a row."""
    backend = plugins.load("backends", "onnx_runtime")()
    sessions = [backend.load((file,), LoadOptions(threads=1)) for _ in range(threads)]
    counts = [0] * threads
    stop = threading.Event()

    def run(place: int) -> None:
        session = sessions[place]
        spec = session.inputs[0]
        inputs = {spec.name: np.zeros([side if side > 0 else rows for side in spec.shape], spec.dtype)}
        while not stop.is_set():
            session.infer(inputs)
            counts[place] += rows

    runners = [threading.Thread(target=run, args=(place,)) for place in range(threads)]
    before, began_s = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    for runner in runners:
        runner.start()
    time.sleep(seconds)
    stop.set()
    for runner in runners:
        runner.join()
    took_s, after = time.perf_counter() - began_s, resource.getrusage(resource.RUSAGE_SELF)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"per_s": sum(counts) / took_s, "cpu_us": cpu_s / sum(counts) * 1e6}


def raw_of(model: str) -> tuple[int, int]:
    """Sessions and rows of the raw runtime that a model's server is compared with. The identity is run by the thread that reads
    requests: the runtime of another thread would not be comparable."""
    return 1 if model == "identity" else len(os.sched_getaffinity(0)), ROWS if model == BATCHED else 1


def apart(*arguments: str) -> Any:
    """This module's own work in a process of its own, so that no part shares a Python lock with another."""
    ended = subprocess.run([sys.executable, "-m", __spec__.name, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr)
    return json.loads(ended.stdout)


@contextmanager
def server(folder: Path) -> Iterator[tuple[dict[str, tuple[str, int]], psutil.Process, float]]:
    """The API over the models in `folder`: its addresses by protocol, its process, seconds until it served."""
    began_s = time.perf_counter()
    command = [sys.executable, "-m", "edgefleet_agent", "serve", str(folder), "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        addresses: dict[str, tuple[str, int]] = {}
        while "http" not in addresses:
            name, _, address = process.stdout.readline().strip().partition(" on ")
            host, _, port = address.rpartition(":")
            addresses[name.lower()] = host, int(port)
        yield addresses, psutil.Process(process.pid), time.perf_counter() - began_s
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def name_of(protocol: str, concurrency: int) -> str:
    """The row of a cell: HTTP's are named by the number of callers alone."""
    return str(concurrency) if protocol == "http" else f"{protocol} {concurrency}"


def put_models(folder: Path) -> dict[str, Path]:
    """The models as a repository."""
    files = {name: folder / name / "1" / "model.onnx" for name in MODELS}
    for file in files.values():
        file.parent.mkdir(parents=True)
    files["identity"].write_bytes(identity())
    shutil.copyfile(DATA / MOBILENET, files["mobilenet"])
    weights = np.eye(SIDE, dtype=np.float32)
    shape = {"INPUT": ("n", SIDE)}, {"OUTPUT": ("n", SIDE)}
    files[BATCHED].write_bytes(chain([("MatMul", ["INPUT", "weights"], "OUTPUT")], {"weights": weights}, *shape))
    return files


def measure(given: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        files = put_models(Path(folder))
        with server(Path(folder)) as (addresses, process, start_s):
            found: dict[str, Any] = {"callers": given.callers, "start_s": round(start_s, 2), "models": {}}
            for model in given.models:
                cells = [(protocol, each) for protocol in ("http", "grpc") for each in given.concurrency]
                rows: dict[str, list[dict[str, float]]] = {name_of(*cell): [] for cell in cells}
                for number in range(given.rounds):
                    print(f"{model}: round {number + 1} of {given.rounds} …", file=sys.stderr)
                    for name, row in measure_round(given, addresses, process, model, files[model], cells).items():
                        rows[name].append(row)
                found["models"][model] = {
                    each: {name: round(statistics.median(row[name] for row in all_rows), 4) for name in all_rows[0]}
                    for each, all_rows in rows.items()
                }
            found["memory_mb"] = round(process.memory_full_info().pss / 1e6, 1)
    return found


def measure_round(
    given: argparse.Namespace,
    addresses: dict[str, tuple[str, int]],
    process: psutil.Process,
    model: str,
    file: Path,
    cells: list[tuple[str, int]],
) -> dict[str, dict[str, float]]:
    """Each cell once, with the raw runtime before it."""
    threads, rows = raw_of(model)
    invoke_ms = 1e3 / apart("--raw", str(file), "1", "1", str(given.seconds))["per_s"]
    found: dict[str, dict[str, float]] = {}
    for protocol, each in cells:
        limit = apart("--raw", str(file), str(threads), str(rows), str(given.seconds))
        before = sum(process.cpu_times()[:2])
        result = apart("--call", given.callers, protocol, *map(str, addresses[protocol]), model, str(each), str(given.seconds))
        cpu_us = (sum(process.cpu_times()[:2]) - before) / result["count"] * 1e6
        found[name_of(protocol, each)] = {
            **result,
            "cpu_us": cpu_us,
            "raw_per_s": limit["per_s"],
            "raw_us": limit["cpu_us"],
            "ratio": result["per_s"] / limit["per_s"],
            "share": limit["cpu_us"] / (cpu_us + result["caller_us"]),
            "limit": limit["cpu_us"] / (limit["cpu_us"] + result["caller_us"]),
            "over_invoke_ms": result["p50_ms"] - invoke_ms,
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of a turn; callers in C take whole seconds (default: %(default)s)"
    )
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS), help="these, not all")
    parser.add_argument("--concurrency", nargs="+", type=int, default=list(CONCURRENCY), metavar="N", help="numbers of callers")
    parser.add_argument("--callers", choices=("c", "python"), default="c", help="who calls (default: %(default)s)")
    parser.add_argument("--call", nargs=7, help=argparse.SUPPRESS)
    parser.add_argument("--raw", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.raw:
        file, threads, rows, seconds = arguments.raw
        print(json.dumps(raw(Path(file), int(threads), int(rows), float(seconds))))
        return
    if arguments.call:
        callers, protocol, host, port, model, concurrency, seconds = arguments.call
        print(json.dumps(call(callers, (host, int(port)), protocol, model, int(concurrency), float(seconds))))
        return
    if arguments.callers == "c":
        c_callers.check_installed()
    found = measure(arguments)
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"started in {found['start_s']} s, {found['memory_mb']} MB with all models")
    for model, rows in found["models"].items():
        for each, row in rows.items():
            over = f"  p50 is invoke + {row['over_invoke_ms']:.2f} ms" if each in ("1", "grpc 1") else ""
            print(
                f"{model:10} {each:<8} {row['per_s']:9.0f}/s  {row['ratio']:.2f} of raw {row['raw_per_s']:.0f}/s (by CPU time "
                f"{row['share']:.2f}, limit {row['limit']:.2f})  p50 {row['p50_ms']:.2f} ms  p99 {row['p99_ms']:.2f} ms  "
                f"a request {row['cpu_us']:.0f} us CPU, caller {row['caller_us']:.0f}, raw {row['raw_us']:.0f}{over}"
            )


if __name__ == "__main__":
    main()
