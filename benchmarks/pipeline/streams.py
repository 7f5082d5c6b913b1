"""One, four and eight cameras at one model: what a pipeline reaches of what decoder and runtime could do, and how late it is.

    python -m benchmarks.pipeline.streams [--json] [--rounds N] [--streams 1 4 8]

Speed: so many pipelines (decode, preprocess, infer, boxes, track, rules) over a file each, as fast as they go, at one LiteRT
session of one thread; their frames a second together, divided by the smaller of raw decode (as many PyAV decoders at once) and
raw runtime (LiteRT alone). By processor time: what decoding and inferring a frame cost alone, divided by what a frame costs the
pipelines' process in all; unlike the first it does not ask whether other programs let the threads run side by side, and counts
everything.

Latency: one pipeline by the clock; from the moment the source gave a frame to its events, divided by the runtime's own share, and
what is neither waiting nor invoking (preprocessing, boxes, tracking, rules, publishing).

All three are measured in turns; each round gives ratios; reports medians. Goals: 0.95 of the limit, 1.3 x invoke,
1 ms. Models and clips come from the test data (EDGEFLEET_TEST_DATA, default ../shared).
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec

from benchmarks.pipeline.speed import DATA, Deaf, decode_all, loaded, pipeline_spec, raw_runtime
from edgefleet_agent.pipeline.scheduling.runner import Runner
from tests.packages import assemble

LIVE_S = 10.0


def cost(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the wall and of this process's processors."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall_s, time.process_time() - cpu_s


def at_once(count: int, work: Callable[[], object]) -> None:
    """The same in so many threads."""
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def pipelines(folder: Path, streams: int) -> tuple[tuple[float, float], int]:
    """Cost of so many pipelines, and the frames that went through."""
    runner = Runner(Deaf())
    loaded(runner, folder, 1, "a" * 64)
    specs = [msgspec.structs.replace(pipeline_spec("fast"), name=f"camera-{number}") for number in range(streams)]

    def work() -> None:
        runner.set_pipelines(specs)
        for run in runner.runs.values():
            run.done.wait()

    spent = cost(work)
    frames = sum(run.frames_total for run in runner.runs.values())
    assert not any(run.dropped for run in runner.runs.values())
    runner.close()
    return spent, frames


def measure_speed(folder: Path, streams: int, rounds: int) -> dict[str, Any]:
    """Ratios of `rounds` rounds."""
    frames = decode_all()
    infer = raw_runtime(folder / "ssd_mobilenet_v1.tflite", 1)
    infer(20)
    pipelines(folder, 1)
    rows = []
    for _ in range(rounds):
        decode_s, decode_cpu_s = cost(lambda: at_once(streams, decode_all))
        infer_s, infer_cpu_s = cost(lambda: infer(frames))
        (wall_s, cpu_s), analyzed = pipelines(folder, streams)
        limit = min(frames * streams / decode_s, frames / infer_s)
        raw_cpu_s = decode_cpu_s + infer_cpu_s * streams
        rows.append((analyzed / wall_s, limit, raw_cpu_s / cpu_s, (cpu_s - raw_cpu_s) / analyzed * 1000))
    return {
        "fps": statistics.median(row[0] for row in rows),
        "limit_fps": statistics.median(row[1] for row in rows),
        "ratio": statistics.median(row[0] / row[1] for row in rows),
        "ratio_by_cpu": statistics.median(row[2] for row in rows),
        "own_cpu_ms": statistics.median(row[3] for row in rows),
    }


def measure_latency(folder: Path) -> dict[str, float]:
    """One camera by the clock."""
    runner = Runner(Deaf())
    loaded(runner, folder, 1, "a" * 64)
    runner.set_pipelines([pipeline_spec("realtime")])
    time.sleep(1.0)
    runner.gauges(1.0)
    time.sleep(LIVE_S)
    latency = {name: stage.p50_ms for name, stage in runner.gauges(LIVE_S)["crossing"].latency.items()}
    runner.close()
    own_ms = latency["pre"] + latency["post"] + latency["rules"]
    return {**latency, "own_ms": own_ms, "total_by_invoke": latency["total"] / latency["invoke"]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 4, 8])
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        detector = assemble(DATA, Path(folder), "ssd_mobilenet_v1")
        result = {
            "latency": measure_latency(detector),
            "speed": {str(streams): measure_speed(detector, streams, arguments.rounds) for streams in arguments.streams},
        }
    if arguments.json:
        print(json.dumps(result))
        return
    for streams, row in result["speed"].items():
        print(f"{streams} streams: {row['fps']:.1f} frames/s of {row['limit_fps']:.1f}: {row['ratio']:.3f} (goal 0.95)")
        print(f"  by processor time {row['ratio_by_cpu']:.3f}; {row['own_cpu_ms']:.2f} ms a frame beyond decoding and inferring")
    row = result["latency"]
    print(f"latency ÷ invoke {row['total_by_invoke']:.3f} (goal 1.3); own {row['own_ms']:.2f} ms (goal 1): {row}")


if __name__ == "__main__":
    main()
