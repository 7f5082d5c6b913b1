"""IDF1, HOTA and switches of identity, computed by `trackeval`, and bootstrap intervals of their means."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.pipeline.tracking.peers import Followed
from benchmarks.pipeline.tracking.scenes import Floats, Moment
from edgefleet_agent.vision.boxes import ious

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Score:
    """One tracker on one scene. idf1, hota: percent. switches: changes of an object's identity. identities: their number."""

    idf1: float
    hota: float
    switches: int
    identities: int


def score(moments: Sequence[Moment], followed: Sequence[Followed]) -> Score:
    """Compare identities with the truth. A box may be of an object from an overlap of 0.5 on."""
    from trackeval.metrics import CLEAR, HOTA, Identity

    objects, identities = _numbers([moment.ids for moment in moments]), _numbers([ids for _, ids in followed])
    sequence: dict[str, Any] = {
        "num_timesteps": len(moments),
        "gt_ids": [np.array([objects[one] for one in moment.ids.tolist()], np.intp) for moment in moments],
        "tracker_ids": [np.array([identities[one] for one in ids.tolist()], np.intp) for _, ids in followed],
        "similarity_scores": [ious(moment.truth, boxes) for moment, (boxes, _) in zip(moments, followed, strict=True)],
        "num_gt_ids": len(objects),
        "num_tracker_ids": len(identities),
        "num_gt_dets": sum(len(moment.ids) for moment in moments),
        "num_tracker_dets": sum(len(ids) for _, ids in followed),
    }
    with contextlib.redirect_stdout(io.StringIO()):  # it prints its settings
        hota = HOTA().eval_sequence(sequence)
        identity = Identity({"PRINT_CONFIG": False}).eval_sequence(sequence)
        clear = CLEAR({"PRINT_CONFIG": False}).eval_sequence(sequence)
    return Score(100 * float(identity["IDF1"]), 100 * float(np.mean(hota["HOTA"])), int(clear["IDSW"]), len(identities))


def interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean."""
    random = np.random.default_rng(seed)
    given: Floats = np.asarray(values, np.float64)
    means = given[random.integers(0, len(given), (RESAMPLES, len(given)))].mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def _numbers(frames: Sequence[Any]) -> dict[int, int]:
    """Consecutive numbers, which the metrics need."""
    known = np.unique(np.concatenate([np.empty(0, np.int64), *frames])).tolist()
    return {int(one): number for number, one in enumerate(known)}
