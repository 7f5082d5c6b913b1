"""Effect of clients of the inference API on the latency of camera pipelines.

    python -m benchmarks.pipeline.cameras_beside_callers [--json] [--rounds N] [--seconds S] [--fps F]

One worker with four cameras on one int8 detector, with different phases, and 16 callers in a closed loop on the same model.
Rounds without and with callers alternate. Reports the 95th percentile of the age of frames (from capture to the events) in both,
their ratio by round and its median, and the throughput of the callers.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.cli.measure.load_clients import HttpLoadClient, Tensor, closed_loop, http_infer
from edgefleet_contract import worker_process as wire
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from tests.agent.pipeline.scheduling.test_worker_server import FIRST, PERSON, Supervisor, set_slot
from tests.packages import assemble

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
CLIP = "media/videos/one-by-one-person-detection.mp4"
CAMERAS = 4
CALLERS = 16
MODEL = "ssd_mobilenet_v1"


def camera(name: str, fps: float) -> PipelineSpec:
    source = msgspec.convert({"kind": "file", "uri": str(DATA / CLIP), "pace": "realtime", "loop": True, "fps": fps}, SourceSpec)
    return msgspec.structs.replace(read_pipeline(PERSON, "benchmark"), name=name, source=source)


def ages(worker: Supervisor, seconds: float) -> dict[str, float]:
    """Of the next seconds: the age of frames, how long they waited for the model, milliseconds, and how many were dropped."""
    windows: dict[str, list[float]] = {"age_p95_ms": [], "age_p50_ms": [], "wait_p95_ms": []}
    dropped = 0.0
    ends_s = time.monotonic() + seconds
    worker.until(wire.Gauges)  # the window that began before
    while time.monotonic() < ends_s:
        report = worker.until(wire.Gauges)
        for each in report.pipelines.values():
            windows["age_p95_ms"].append(each.latency["total"].p95_ms)
            windows["age_p50_ms"].append(each.latency["total"].p50_ms)
            windows["wait_p95_ms"].append(each.latency["wait"].p95_ms)
            dropped += each.skipped_fps * report.window_s
    return {name: statistics.median(values) for name, values in windows.items()} | {"dropped": dropped}


def measure(rounds: int, seconds: float, fps: float) -> dict[str, Any]:
    """All figures."""
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        package = assemble(DATA, Path(folder), "ssd_mobilenet_v1")
        worker = Supervisor(Path(folder), "--http", "127.0.0.1:0")
        try:
            port = port_of(worker)
            assert set_slot(worker, package, FIRST).ok
            specs: list[PipelineSpec] = []
            for number in range(CAMERAS):
                specs.append(camera(f"camera-{number}", fps))
                assert worker.done(worker.send(wire.SetPipelines, pipelines=specs)).ok
                time.sleep(1 / fps / CAMERAS)
            for _ in range(rounds):
                alone = ages(worker, seconds)
                command = [sys.executable, "-m", __spec__.name, "--call", str(port), str(seconds + 6)]
                with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as callers:
                    time.sleep(1)
                    beside = ages(worker, seconds)
                    report = json.loads(callers.communicate()[0])
                row = {f"alone_{name}": value for name, value in alone.items()}
                row |= {f"beside_{name}": value for name, value in beside.items()}
                rows.append({"ratio": beside["age_p95_ms"] / alone["age_p95_ms"], **row, **report})
        finally:
            worker.close()
    return {name: round(statistics.median(row[name] for row in rows), 3) for name in rows[0]} | {"rounds": rows}


def port_of(worker: Supervisor) -> int:
    """A free port from the kernel, because the worker does not report its own."""
    import psutil

    worker.until(wire.Heartbeat)
    listening = [each.laddr.port for each in psutil.Process(worker.process.pid).net_connections() if each.status == "LISTEN"]
    return int(listening[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--fps", type=float, default=5.0, help="of each camera")
    parser.add_argument("--call", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.call:
        port, seconds = int(arguments.call[0]), float(arguments.call[1])
        line = http.client.HTTPConnection("127.0.0.1", port)
        line.request("GET", f"/v2/models/{MODEL}")
        tensor = json.loads(line.getresponse().read())["inputs"][0]
        line.close()
        shape = tuple(tensor["shape"])
        request = http_infer(MODEL, [Tensor(tensor["name"], tensor["datatype"], shape, bytes(math.prod(shape)))])
        took = closed_loop([HttpLoadClient(("127.0.0.1", port), request) for _ in range(CALLERS)], seconds).latencies_s
        print(json.dumps({"calls_per_s": len(took) / seconds, "call_p50_ms": statistics.median(took) * 1e3 if took else 0.0}))
        return
    found = measure(arguments.rounds, arguments.seconds, arguments.fps)
    if arguments.json:
        print(json.dumps(found))
        return
    for when, text in (("alone", "alone"), ("beside", f"beside {CALLERS} callers")):
        age_ms, middle_ms, wait_ms = (found[f"{when}_{name}"] for name in ("age_p95_ms", "age_p50_ms", "wait_p95_ms"))
        print(
            f"{text}: age of a frame p95 {age_ms:.1f} ms (p50 {middle_ms:.1f}), waiting p95 {wait_ms:.1f} ms,"
            f" {found[f'{when}_dropped']:.0f} dropped"
        )
    print(f"p95 of the age x {found['ratio']:.3f}")
    print(f"the callers got {found['calls_per_s']:.0f} answers a second, each after {found['call_p50_ms']:.0f} ms")


if __name__ == "__main__":
    main()
