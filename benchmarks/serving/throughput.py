"""Throughput of the local inference API as a share of the raw runtime's.

    python -m benchmarks.serving.throughput [--json] [--rounds N] [--seconds S]

`edgefleet-agent serve` runs in one process, a closed loop of callers in another (one thread, prepared bytes, keep-alive, raw
tensors), and the raw runtime in a third: as many one-thread sessions as the server has, alternating with the server's rounds.
Each round gives one ratio; the result is the median. Two models: `identity`, 64 bytes in each direction, which measures the
server's own cost, and an int8 MobileNetV2 of the test data. `cpu_us` is the server's CPU time for a request: on a busy machine
the better figure, because it does not depend on other load.

Callers, server and runtime share the cores, like on a device.
"""

from __future__ import annotations

import argparse
import json
import os
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

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.cli.measure.load_clients import (
    GrpcLoadClient,
    HttpLoadClient,
    LoadResult,
    Tensor,
    closed_loop,
    grpc_infer,
    http_infer,
)
from edgefleet_agent.core import plugins
from tests.agent.serving.onnx_file import identity

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
MOBILENET = "models/onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"
CONCURRENCY = (1, 4, 16)
MODELS = {
    "identity": Tensor("INPUT", "FP32", (1, 16), bytes(64)),
    "mobilenet": Tensor("input", "UINT8", (1, 224, 224, 3), bytes(224 * 224 * 3)),
}
"""Name -> its input."""


def call(address: tuple[str, int], protocol: str, model: str, concurrency: int, seconds: float) -> list[float]:
    """Closed loop; the latencies."""
    if protocol == "grpc":
        message = grpc_infer(model, [MODELS[model]])
        return latencies_s(closed_loop([GrpcLoadClient(address, message) for _ in range(concurrency)], seconds))
    request = http_infer(model, [MODELS[model]])
    return latencies_s(closed_loop([HttpLoadClient(address, request) for _ in range(concurrency)], seconds))


def latencies_s(result: LoadResult) -> list[float]:
    """The latencies of answers.

    Raises:
        SystemExit: there was anything else.
    """
    if result.failures:
        raise SystemExit(f"the server said {result.failures.most_common(1)}")
    return result.latencies_s


def raw(file: Path, threads: int, seconds: float) -> float:
    """Inferences a second of as many one-thread sessions, nothing around them."""
    backend = plugins.load("backends", "onnx_runtime")()
    sessions = [backend.load((file,), LoadOptions(threads=1)) for _ in range(threads)]
    counts = [0] * threads
    stop = threading.Event()

    def run(place: int) -> None:
        session = sessions[place]
        spec = session.inputs[0]
        inputs = {spec.name: np.zeros([max(side, 1) for side in spec.shape], spec.dtype)}
        while not stop.is_set():
            session.infer(inputs)
            counts[place] += 1

    runners = [threading.Thread(target=run, args=(place,)) for place in range(threads)]
    began_s = time.perf_counter()
    for runner in runners:
        runner.start()
    time.sleep(seconds)
    stop.set()
    for runner in runners:
        runner.join()
    return sum(counts) / (time.perf_counter() - began_s)


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
    """The two models as a repository."""
    files = {name: folder / name / "1" / "model.onnx" for name in MODELS}
    for file in files.values():
        file.parent.mkdir(parents=True)
    files["identity"].write_bytes(identity())
    shutil.copyfile(DATA / MOBILENET, files["mobilenet"])
    return files


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        files = put_models(Path(folder))
        with server(Path(folder)) as (addresses, process, start_s):
            found: dict[str, Any] = {"start_s": round(start_s, 2), "models": {}}
            for model, file in files.items():
                # The identity is run by the thread that reads requests; another thread's runtime would not be comparable.
                threads = 1 if model == "identity" else len(os.sched_getaffinity(0))
                cells = [(protocol, each) for protocol in ("http", "grpc") for each in CONCURRENCY]
                rows: dict[str, list[dict[str, float]]] = {name_of(*cell): [] for cell in cells}
                for _ in range(rounds):
                    limit = apart("--raw", str(file), str(threads), str(seconds))
                    invoke_ms = 1e3 / apart("--raw", str(file), "1", str(seconds))
                    for protocol, each in cells:
                        before = sum(process.cpu_times()[:2])
                        result = apart("--call", protocol, *map(str, addresses[protocol]), model, str(each), str(seconds))
                        cpu_us = (sum(process.cpu_times()[:2]) - before) / result["count"] * 1e6
                        more = {
                            "raw_per_s": limit,
                            "ratio": result["per_s"] / limit,
                            "over_invoke_ms": result["p50_ms"] - invoke_ms,
                        }
                        rows[name_of(protocol, each)].append({**result, "cpu_us": cpu_us, **more})
                found["models"][model] = {
                    each: {name: round(statistics.median(row[name] for row in all_rows), 4) for name in all_rows[0]}
                    for each, all_rows in rows.items()
                }
            found["memory_mb"] = round(process.memory_full_info().pss / 1e6, 1)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--call", nargs=6, help=argparse.SUPPRESS)
    parser.add_argument("--raw", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.raw:
        print(json.dumps(raw(Path(arguments.raw[0]), int(arguments.raw[1]), float(arguments.raw[2]))))
        return
    if arguments.call:
        protocol, host, port, model, concurrency, seconds = arguments.call
        took = sorted(call((host, int(port)), protocol, model, int(concurrency), float(seconds)))
        result = {"p50_ms": took[len(took) // 2] * 1e3, "p99_ms": took[int(len(took) * 0.99)] * 1e3}
        print(json.dumps({"per_s": len(took) / float(seconds), "count": len(took), **result}))
        return
    found = measure(arguments.rounds, arguments.seconds)
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"started in {found['start_s']} s, {found['memory_mb']} MB with both models")
    for model, rows in found["models"].items():
        for each, row in rows.items():
            over = f"  p50 is invoke + {row['over_invoke_ms']:.2f} ms" if each.endswith("1") else ""
            print(
                f"{model:10} {each:<8} {row['per_s']:9.0f}/s  {row['ratio']:.2f} of raw {row['raw_per_s']:.0f}/s"
                f"  p50 {row['p50_ms']:.2f} ms  p99 {row['p99_ms']:.2f} ms  {row['cpu_us']:.0f} us CPU a request{over}"
            )


if __name__ == "__main__":
    main()
