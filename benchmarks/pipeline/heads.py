"""Time saved by applying thresholds to quantized outputs before their conversion to float.

    python -m benchmarks.pipeline.heads [--json]

The tensors are like those of real detectors: a few boxes among thousands of background cells. The agent's heads are compared with
the plain way: convert all values to float, apply the activation, then the threshold. Both alternate; medians on one thread.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.heads.base import Array, HeadContext, TensorSpec
from edgefleet_agent.vision.heads.reconstruction import ReconstructionHead
from edgefleet_agent.vision.heads.scores import Scores

ROUNDS = 60
LEAST = 0.5
OBJECTS = 8
Step = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    found = measure()
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"{'':44}{'plain':>9}{'ours':>9} ms")
    for name, row in found.items():
        print(f"{name:44}{row['plain_ms']:9.3f}{row['ours_ms']:9.3f}   {row['ratio']:.2f} of it")


def measure() -> dict[str, dict[str, float]]:
    """Medians by case."""
    cases = {
        "SSD, 1917 anchors x 91 classes, int8, sigmoid": _scores("sigmoid", (1917, 91), 1),
        "SSD, 1917 anchors x 91 classes, int8, softmax": _scores("softmax", (1917, 91), 1),
        "grid, 8400 cells x 80 classes, int8, scores": _scores("none", (8400, 80), 0),
        "reconstruction, 256 x 256 x 3, int8": _reconstruction(),
    }
    return {name: _compare(*pair) for name, pair in cases.items()}


def _compare(plain: Step, ours: Step) -> dict[str, float]:
    spans: dict[str, list[float]] = {"plain_ms": [], "ours_ms": []}
    for number in range(ROUNDS + 5):
        for name, step in (("plain_ms", plain), ("ours_ms", ours)):
            began_s = time.perf_counter()
            step()
            if number >= 5:
                spans[name].append((time.perf_counter() - began_s) * 1000)
    medians = {name: statistics.median(values) for name, values in spans.items()}
    return {**medians, "ratio": medians["ours_ms"] / medians["plain_ms"]}


def _scores(activation: str, shape: tuple[int, int], skip: int) -> tuple[Step, Step]:
    dice = np.random.default_rng(1)
    scale, zero_point = (1 / 256, -128) if activation == "none" else (0.1, 20)
    stored = dice.integers(-128, -90, shape).astype(np.int8)
    if skip:
        stored[:, 0] = 100
    objects = dice.choice(shape[0], OBJECTS, replace=False)
    stored[objects, dice.integers(skip, shape[1], OBJECTS)] = 127
    stored[objects, 0] = -128
    scores = Scores(TensorSpec("scores", (1, *shape), np.dtype(np.int8), scale, zero_point), activation, skip)

    def plain() -> int:
        real = (stored.astype(np.float32) - np.float32(zero_point)) * np.float32(scale)
        if activation == "sigmoid":
            real = 1 / (1 + np.exp(-real))
        elif activation == "softmax":
            raised = np.exp(real - real.max(axis=1, keepdims=True))
            real = raised / raised.sum(axis=1, keepdims=True)
        return len(np.nonzero(real[:, skip:] >= LEAST)[0])

    def ours() -> int:
        return len(scores.reaching(stored, LEAST)[0])

    assert plain() == ours() == OBJECTS
    return plain, ours


def _reconstruction(side: int = 256, cell: int = 16) -> tuple[Step, Step]:
    dice = np.random.default_rng(2)
    given = dice.integers(-60, 60, (1, side, side, 3)).astype(np.int8)
    made = (given + dice.integers(-2, 3, given.shape)).astype(np.int8)
    made[:, 40:60, 40:60] -= 60
    specs = [TensorSpec(name, given.shape, np.dtype(np.int8), 1 / 128, 0) for name in ("x", "y")]
    context = HeadContext({"y": specs[1]}, {}, {"threshold": 0.1, "cell": cell}, side, side, input=specs[0])
    head = ReconstructionHead(context)
    outputs: dict[str, Array] = {"x": given, "y": made}

    def plain() -> npt.NDArray[np.bool_]:
        real = [array.astype(np.float32) * np.float32(1 / 128) for array in (given, made)]
        squares = np.square(real[1] - real[0])[0].reshape(side // cell, cell, side // cell, cell, 3)
        return np.asarray(np.sqrt(squares.mean(axis=(1, 3, 4))) >= 0.1)

    def ours() -> object:
        return head.decode(outputs, LEAST)

    assert plain().any()
    return plain, ours


if __name__ == "__main__":
    main()
