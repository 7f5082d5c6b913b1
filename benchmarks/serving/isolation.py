"""Measures the cost of a process of its own: latency and throughput of a model's session, with and without it.

    python -m benchmarks.serving.isolation [--rounds 5]

Rounds alternate between the two, and the medians are compared: the machine's other load falls on both.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.backends.runtimes import FILES
from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from tests.agent.serving import onnx_file

SECONDS = 1.0
SESSIONS = 2


def main() -> None:
    """Measures the copy of a small and of a large tensor, and an 8-bit MobileNetV2 in two runtimes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        identity = Path(folder) / "identity.onnx"
        identity.write_bytes(onnx_file.identity("FP32", ("n", 16)))
        rng = np.random.default_rng(1)
        picture = rng.integers(0, 256, (1, 224, 224, 3), np.uint8)
        models: list[tuple[str, str, Path, Array]] = [
            ("identity, 64 bytes", "onnx_runtime", identity, rng.random((1, 16), np.float32)),
            ("identity, 1 MiB", "onnx_runtime", identity, rng.random((16384, 16), np.float32)),
            ("MobileNetV2 int8", "lite_rt", FILES["lite_rt"], picture),
            ("MobileNetV2 int8", "onnx_runtime", FILES["onnx_runtime"], picture),
        ]
        print(f"{'model':20}{'runtime':14}{'in process':>14}{'isolated':>14}{'added':>12}{'runs/s, 2 sessions':>26}")
        for name, runtime, file, sample in models:
            print(compare(name, runtime, file, sample, rounds), flush=True)


def compare(name: str, runtime: str, file: Path, sample: Array, rounds: int) -> str:
    """One row of the table."""
    plain, isolated = ([_open(runtime, file, kind) for _ in range(SESSIONS)] for kind in ("none", "process"))
    pairs = [(latency_s(plain[0], sample), latency_s(isolated[0], sample)) for _ in range(rounds)]
    rates = [(runs_per_s(plain, sample), runs_per_s(isolated, sample)) for _ in range(rounds)]
    for session in (*plain, *isolated):
        session.close()
    own_s, other_s = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    added_us = median(pair[1] - pair[0] for pair in pairs) * 1e6
    own, other = median(rate[0] for rate in rates), median(rate[1] for rate in rates)
    rate = f"{own:.0f} -> {other:.0f} ({median(rate[1] / rate[0] for rate in rates):.2f})"
    return f"{name:20}{runtime:14}{own_s * 1e6:11.0f} us{other_s * 1e6:11.0f} us{added_us:9.0f} us{rate:>26}"


def latency_s(session: Session, sample: Array) -> float:
    """The median duration of a run."""
    inputs = {session.inputs[0].name: sample}
    found: list[float] = []
    until_s = time.perf_counter() + SECONDS
    while (began_s := time.perf_counter()) < until_s:
        session.infer(inputs)
        found.append(time.perf_counter() - began_s)
    return median(found)


def runs_per_s(sessions: list[Session], sample: Array) -> float:
    """Runs a second of all sessions together, a thread each."""
    counts = [0] * len(sessions)
    until_s = time.perf_counter() + SECONDS

    def run(number: int) -> None:
        inputs = {sessions[number].inputs[0].name: sample}
        while time.perf_counter() < until_s:
            sessions[number].infer(inputs)
            counts[number] += 1

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(sessions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def _open(runtime: str, file: Path, isolation: str) -> Session:
    return find_backend(runtime).load((file,), LoadOptions(threads=1, options={"isolation": isolation}))


if __name__ == "__main__":
    main()
