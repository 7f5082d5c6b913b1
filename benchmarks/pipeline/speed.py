"""Throughput of a pipeline as a share of the machine's limit, and frames lost by a swap of models.

    python -m benchmarks.pipeline.speed [--json] [--rounds N] [--threads N]

Speed: frames/s of a whole pipeline (decode, preprocess, infer, decode boxes, track, rules) over a file, divided by the smaller
of raw decode frames/s (PyAV alone) and raw runtime inferences/s (LiteRT's own interface, same threads, same model). The three
are measured alternately within one process, and each round gives one ratio; reports the median. Goal: 0.95. On a busy
machine that ratio is unreliable; `ratio_by_cpu`, for one runtime thread, divides the runtime's own CPU time by that of the
pipeline's inference thread, which equals the ratio if another core is free for the capture thread.

Swap: a realtime pipeline at the clip's own rate runs unchanged for some time, then its model is replaced while it runs.
Reports the frames lost (of any cause, from before the load to after the switch) and the longest time between two results.
Goals: 0, one frame period + 50 ms.

Models and clips come from the test data (EDGEFLEET_TEST_DATA, default ../shared).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np
from ai_edge_litert.interpreter import Interpreter

from edgefleet_agent.pipeline.camera.camera_pipeline import CameraPipeline
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, Running
from tests.packages import assemble

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[3] / "shared")
CLIP = DATA / "media/videos/car-detection.mp4"
PIPELINE = Path(__file__).resolve().parents[2] / "docs/examples/crossing.toml"
SLOT = "slot:detector"
WARM_S = 3.0
AFTER_S = 3.0


class Deaf:
    """A listener for whom only the time matters."""

    def on_event(self, event: Event) -> None:
        """Nothing is done with it."""

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """A benchmark with faults is none."""
        del pipeline, over
        raise RuntimeError(text)


def rate(count: int, work: Callable[[], object]) -> float:
    """`count` things done by `work`, a second."""
    began_s = time.perf_counter()
    work()
    return count / (time.perf_counter() - began_s)


def cpu_s(thread: int) -> float:
    """Processor time of one of our threads so far."""
    return int(Path(f"/proc/self/task/{thread}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


def decode_all() -> int:
    """The decoder alone, as the file source sets it up."""
    with av.open(str(CLIP)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        stream.codec_context.thread_count = 1
        return sum(1 for _ in container.decode(stream))


def raw_runtime(model_file: Path, threads: int) -> Callable[[int], None]:
    """The runtime alone: input in, invoke, outputs out."""
    interpreter = Interpreter(str(model_file), num_threads=threads)
    interpreter.allocate_tensors()
    tensor = interpreter.get_input_details()[0]
    outputs = [detail["index"] for detail in interpreter.get_output_details()]
    picture = np.random.default_rng(0).integers(0, 256, tensor["shape"], np.uint8)

    def run(count: int) -> None:
        for _ in range(count):
            interpreter.set_tensor(tensor["index"], picture)
            interpreter.invoke()
            for index in outputs:
                interpreter.get_tensor(index)

    return run


def pipeline_spec(pace: str) -> PipelineSpec:
    """The example pipeline over the clip."""
    spec = read_pipeline(PIPELINE.read_text(encoding="utf-8"), str(PIPELINE))
    source = msgspec.convert({"kind": "file", "uri": str(CLIP), "pace": pace, "loop": pace == "realtime"}, SourceSpec)
    return msgspec.structs.replace(spec, source=source)


def loaded(runner: Runner, folder: Path, threads: int, digest: str) -> float:
    """Put the package into the slot; the swap's own gap in milliseconds."""
    swap, _ = runner.load(
        SLOT,
        lambda: LoadedModel.open(folder, runtimes=["lite_rt", "onnx_runtime"], threads=threads),
        lambda model: Running(package=model.manifest.name, version=model.manifest.version, digest=digest),
    )
    return swap.gap_ms


def measure_speed(folder: Path, threads: int, rounds: int) -> dict[str, Any]:
    """Ratios of `rounds` rounds."""
    frames = decode_all()
    infer = raw_runtime(folder / "ssd_mobilenet_v1.tflite", threads)
    rows: list[tuple[float, float, float]] = []
    cpu_ratios: list[float] = []
    latency: dict[str, float] = {}
    for number in range(rounds + 1):
        runner = Runner(Deaf())
        loaded(runner, folder, threads, "a" * 64)

        def run(runner: Runner = runner) -> None:
            runner.set_pipelines([pipeline_spec("fast")])
            runner.runs["crossing"].done.wait()

        decode_fps = rate(frames, decode_all)
        began_s = time.thread_time()
        runtime_fps = rate(frames, lambda: infer(frames))
        raw_s = time.thread_time() - began_s
        row = decode_fps, runtime_fps, rate(frames, run)
        lane = next(thread.native_id for thread in threading.enumerate() if thread.name == f"model:{SLOT}")
        if number:  # the first round warms everything up
            rows.append(row)
            cpu_ratios.append(raw_s / cpu_s(lane or 0))
        gauges = runner.gauges(1.0)["crossing"]
        assert gauges.frames_total == frames
        latency = {name: stage.p50_ms for name, stage in gauges.latency.items()}
        runner.close()
    return {
        "decode_fps": statistics.median(row[0] for row in rows),
        "runtime_fps": statistics.median(row[1] for row in rows),
        "pipeline_fps": statistics.median(row[2] for row in rows),
        "ratio": statistics.median(row[2] / min(row[0], row[1]) for row in rows),
        "ratio_by_cpu": statistics.median(cpu_ratios) if threads == 1 else None,
        "ratios": [round(row[2] / min(row[0], row[1]), 3) for row in rows],
        "latency_p50_ms": latency,
    }


class Watch:
    """Frames answered and lost, and the longest silence, while a block runs."""

    def __init__(self, run: CameraPipeline) -> None:
        self._run = run
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._before = run.frames_total, run.dropped.total()
        self._longest_s = 0.0
        self.seen: dict[str, float] = {}

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        frames, lost = self._run.frames_total - self._before[0], self._run.dropped.total() - self._before[1]
        self.seen = {"frames": frames, "frames_lost": lost, "longest_silence_ms": round(1000 * self._longest_s, 1)}

    def _sample(self) -> None:
        count, since_s = self._run.frames_total, time.perf_counter()
        while not self._stop.wait(0.001):
            now_s = time.perf_counter()
            self._longest_s = max(self._longest_s, now_s - since_s)
            if self._run.frames_total != count:
                count, since_s = self._run.frames_total, now_s


def measure_swap(first: Path, second: Path, threads: int) -> dict[str, Any]:
    """Both directions, in a pipeline that goes by the clock; before each, the same pipeline left alone for as long."""
    runner = Runner(Deaf())
    loaded(runner, first, threads, "a" * 64)
    runner.set_pipelines([pipeline_spec("realtime")])
    run = runner.runs["crossing"]
    time.sleep(WARM_S)
    rows = []
    for folder, digest in ((second, "b" * 64), (first, "a" * 64)):
        with Watch(run) as alone:
            time.sleep(AFTER_S)
        with Watch(run) as swapped:
            gap_ms = loaded(runner, folder, threads, digest)
            time.sleep(AFTER_S)
        rows.append({**swapped.seen, "gap_ms": gap_ms, "left_alone": alone.seen})
    runner.close()
    return {"period_ms": 80.0, "swaps": rows}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        detector = assemble(DATA, Path(folder), "ssd_mobilenet_v1")
        other = assemble(DATA, Path(folder), "yolox_nano")
        result = {
            "speed": {f"{threads} threads": measure_speed(detector, threads, arguments.rounds) for threads in arguments.threads},
            "swap": measure_swap(detector, other, 0),
        }
    if arguments.json:
        print(json.dumps(result))
        return
    for threads, row in result["speed"].items():
        parts = ", ".join(f"{name} {row[f'{name}_fps']:.1f}/s" for name in ("decode", "runtime", "pipeline"))
        print(f"{threads}: {parts}")
        by_cpu = f", by processor time {row['ratio_by_cpu']:.3f}" if row["ratio_by_cpu"] else ""
        print(f"  ratio {row['ratio']:.3f}{by_cpu} (goal 0.95)  {row['ratios']}  {row['latency_p50_ms']}")
    for row in result["swap"]["swaps"]:
        print(f"swap: {row}")
    print(f"  (goal: 0 frames lost, silence at most {result['swap']['period_ms'] + 50:.0f} ms)")


if __name__ == "__main__":
    main()
