"""What several models say about one frame, as one answer.

    concat  every box of every model
    nms     of boxes of one class that overlap, the best one
    wbf     overlapping boxes become one, edges weighted by score; its score is their weighted mean, lower where not every model
            saw it (weighted box fusion: Solovyev, Wang, Gabruseva, 2021)
    mean    overlapping boxes become one; edges and score are plain means over all models, those that saw nothing included
    vote    overlapping boxes become one if at least `votes` models saw them; score: the best of them

Boxes belong together from `iou` on, within one class. Pure; class numbers are already those of the pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.boxes import ious
from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.nms import suppress
from edgefleet_contract.pipeline.stage_options import METHODS

BOXES_MAX = 300
"""Boxes of all models together that are compared, best scores first."""

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class _Cluster:
    """Boxes of one thing. rows: of the joined arrays; middle: what they say together so far."""

    rows: list[int]
    middle: Floats


@dataclass(frozen=True, slots=True)
class Spread:
    """All that a classifier said of a picture: class_ids and scores, (classes,) each."""

    class_ids: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]


def agree(spreads: Sequence[Spread], method: str, votes: int, weights: Sequence[float]) -> Spread:
    """What several classifiers say together, best first. `vote`: each has one vote, of its weight, for its best class, and a
    class needs `votes` of them; otherwise the weighted mean of all scores. A class that one does not know scores 0 there.
    """
    totals = np.zeros(max(int(spread.class_ids.max()) for spread in spreads) + 1)
    heard = np.zeros(len(totals), np.int64)
    for spread, weight in zip(spreads, weights, strict=True):
        if method == "vote":
            best = spread.class_ids[spread.scores.argmax()]
            totals[best] += weight
            heard[best] += 1
        else:
            np.add.at(totals, spread.class_ids, weight * spread.scores.astype(np.float64))
            heard[spread.class_ids] = votes
    known = np.flatnonzero(heard >= votes)
    order = known[np.argsort(-totals[known], kind="stable")]
    return Spread(order.astype(np.int32), (totals[order] / sum(weights)).astype(np.float32))


def fuse(answers: Sequence[Detections], method: str, iou: float, votes: int, weights: Sequence[float]) -> Detections:
    """One set of boxes, best first. weights: one for each of `answers`; `wbf` and `mean` heed them.

    Raises:
        ValueError: no such method.
    """
    if method not in METHODS:
        raise ValueError(f"method {method!r} is none of {', '.join(METHODS)}")
    boxes = Detections(
        np.concatenate([answer.boxes for answer in answers]),
        np.concatenate([answer.scores for answer in answers]),
        np.concatenate([answer.class_ids for answer in answers]),
    )
    order = np.argsort(-boxes.scores, kind="stable")[:BOXES_MAX]
    models = np.repeat(np.arange(len(answers)), [len(answer) for answer in answers])[order]
    boxes = boxes[order.astype(np.int32)]
    if method == "concat" or not len(boxes):
        return boxes
    if method == "nms":
        return suppress(boxes, iou)
    share = np.asarray(weights, np.float64)
    edges, scores, kept = [], [], []
    for cluster in _clusters(boxes, iou, share[models]):
        rows = np.array(cluster.rows)
        seen = len(set(models[rows].tolist()))
        if seen < votes:
            continue
        edges.append(cluster.middle if method == "wbf" else boxes.boxes[rows].astype(np.float64).mean(axis=0))
        scores.append(_score(method, boxes.scores[rows].astype(np.float64), models[rows], share))
        kept.append(int(boxes.class_ids[rows[0]]))
    found = Detections(
        np.array(edges, np.float32).reshape(-1, 4), np.array(scores, np.float32).reshape(-1), np.array(kept, np.int32).reshape(-1)
    )
    return found[np.argsort(-found.scores, kind="stable").astype(np.int32)]


def _clusters(boxes: Detections, iou: float, weights: Floats) -> list[_Cluster]:
    """Each box joins the cluster of its class that it overlaps most, or begins one. weights: (n,) of each box's model."""
    clusters: list[_Cluster] = []
    real = boxes.boxes.astype(np.float64)
    trust = boxes.scores.astype(np.float64) * weights
    for row in range(len(boxes)):
        near = [cluster for cluster in clusters if boxes.class_ids[cluster.rows[0]] == boxes.class_ids[row]]
        overlap = ious(real[row : row + 1], np.array([cluster.middle for cluster in near]).reshape(-1, 4))[0]
        if len(near) and overlap.max() >= iou:
            chosen = near[int(overlap.argmax())]
            chosen.rows.append(row)
            share = np.maximum(trust[chosen.rows], 1e-9)[:, None]
            chosen.middle = np.asarray((real[chosen.rows] * share).sum(axis=0) / share.sum())
        else:
            clusters.append(_Cluster([row], real[row]))
    return clusters


def _score(method: str, scores: Floats, models: npt.NDArray[np.intp], weights: Floats) -> float:
    """Of boxes of one thing; each model counts once, with its best box."""
    best = {int(model): float(scores[models == model].max()) for model in set(models.tolist())}
    if method == "vote":
        return max(best.values())
    told = sum(weights[model] * score for model, score in best.items())
    if method == "mean":
        return float(told / weights.sum())
    asked = sum(weights[model] for model in best)
    return float(told / asked * min(1.0, asked / weights.sum()))
