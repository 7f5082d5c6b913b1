"""The agent's sessions on an NVIDIA GPU over the bare runtime, for every ONNX model of the test data.

    python -m benchmarks.backends.nvidia_gpu [--json] [--rounds N]

`run` is the bare `InferenceSession.run` on CUDA with the library's defaults, `ours` a session of the agent, `tf32` and `graph`
the same with these options, `apart` in the process of the GPU, `cpu` the agent's session on the CPU with four threads. Each round
calls all of them in turn; figures are medians of the rounds, and ratios are of one round.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import onnxruntime

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.installed import find_backend
from edgefleet_contract.core.errors import EdgefleetError

DATA = Path(os.environ.get("EDGEFLEET_TEST_DATA") or Path(__file__).resolve().parents[2] / "../shared")
RUNS = 50
WAYS: dict[str, LoadOptions] = {
    "ours": LoadOptions(device="cuda", strict=True),
    "tf32": LoadOptions(device="cuda", strict=True, options={"precision": "tf32"}),
    "graph": LoadOptions(device="cuda", strict=True, options={"cuda_graph": True}),
    "apart": LoadOptions(device="cuda", strict=True, apart=True),
    "cpu": LoadOptions(threads=4),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    arguments = parser.parse_args()
    rows = {}
    if not arguments.json:
        print(f"{'ms a run':44}" + "".join(f"{way:>10}" for way in ("run", *WAYS)) + f"{'ours/run':>10}")
    for path in sorted((DATA / "models/onnx").rglob("*.onnx")):
        row = rows[path.stem] = measure(path, arguments.rounds)
        if not arguments.json:
            cells = "".join(f"{row[way]:10.2f}" if way in row else f"{'-':>10}" for way in ("run", *WAYS))
            print(f"{path.stem:44}{cells}{row['ratio']:10.2f}", flush=True)
    if arguments.json:
        print(json.dumps(rows))


def measure(path: Path, rounds: int) -> dict[str, float]:
    """Milliseconds of one run by each way that can load the model, and the ratio of ours to the bare runtime."""
    bare = onnxruntime.InferenceSession(str(path), providers=["CUDAExecutionProvider", "CPUExecutionProvider"])
    opened = {way: open_session(path, options) for way, options in WAYS.items()}
    sessions = {way: session for way, session in opened.items() if session is not None}
    inputs = inputs_of(sessions["ours"])
    calls: dict[str, Callable[[], object]] = {"run": lambda: bare.run(None, inputs)}
    calls |= {way: lambda session=session: session.infer(inputs) for way, session in sessions.items()}
    taken: dict[str, list[float]] = {way: [] for way in calls}
    for call in calls.values():
        timed_ms(call)
    for _ in range(rounds):
        for way, call in calls.items():
            taken[way].append(timed_ms(call))
    for session in sessions.values():
        session.close()
    ratio = median(ours / run for ours, run in zip(taken["ours"], taken["run"], strict=True))
    return {**{way: median(times) for way, times in taken.items()}, "ratio": ratio}


def open_session(path: Path, options: LoadOptions) -> Session | None:
    """The session, or None where the model does not allow these options."""
    try:
        return find_backend("onnx_runtime").load((path,), options)
    except EdgefleetError as error:
        print(f"{path.stem}: {error}", file=sys.stderr)
        return None


def inputs_of(session: Session) -> dict[str, Array]:
    """Pixels for each input; open sizes are 1."""
    dice = np.random.default_rng(7)
    return {
        spec.name: dice.integers(0, 256, tuple(max(side, 1) for side in spec.shape)).astype(spec.dtype) for spec in session.inputs
    }


def timed_ms(call: Callable[[], object]) -> float:
    """Median time of one call."""
    times = []
    for _ in range(RUNS):
        start_s = time.perf_counter()
        call()
        times.append(time.perf_counter() - start_s)
    return 1000.0 * median(times)


if __name__ == "__main__":
    main()
