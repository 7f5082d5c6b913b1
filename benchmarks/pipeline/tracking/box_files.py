"""Box files that `motmetrics` ships: people who walk through two short videos of a street, as labelled and as found."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

from benchmarks.pipeline.tracking.scenes import Floats, Moment

FPS = 25.0
VIDEOS = ("TUD-Campus", "TUD-Stadtmitte")
SCORE = 0.9
"""The found boxes have no scores."""


def moments(video: str) -> list[Moment]:
    """The frames of a video; the identities in the file of found boxes are not read.

    Raises:
        SystemExit: `motmetrics` is not installed.
    """
    spec = importlib.util.find_spec("motmetrics")
    if spec is None or spec.origin is None:
        raise SystemExit("motmetrics is not installed: pip install motmetrics, in an environment to throw away")
    folder = Path(spec.origin).parent / "data" / video
    truth, found = _rows(folder / "gt.txt"), _rows(folder / "test.txt")
    frames = []
    for number in range(1, int(truth[:, 0].max()) + 1):
        labelled, boxes = truth[truth[:, 0] == number], found[found[:, 0] == number]
        ids, scores = labelled[:, 1].astype(np.intp), np.full(len(boxes), SCORE)
        frames.append(Moment(number - 1, (number - 1) / FPS, labelled[:, 2:], ids, boxes[:, 2:], scores))
    return frames


def _rows(path: Path) -> Floats:
    """Rows of frame, identity, x1, y1, x2, y2."""
    rows = np.loadtxt(path, delimiter=",", usecols=range(6), ndmin=2)
    rows[:, 4:] += rows[:, 2:4]
    return rows
