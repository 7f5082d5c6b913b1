"""Merges the results of several models for one frame.

    concat  every box of every model
    nms     the best of overlapping boxes of one class
    wbf     overlapping boxes become one, edges weighted by score; its score is their weighted mean, lower if not every model
            found it (weighted box fusion: Solovyev, Wang, Gabruseva, 2021)
    mean    overlapping boxes become one; edges and score are plain means over all models, including those without such a box
    vote    overlapping boxes become one if at least `votes` models found them; score: the best of them

Boxes of one class are merged if their overlap is at least `iou`. Pure; class numbers are already those of the pipeline.
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
"""Boxes of all models that are compared, best scores first."""

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class _Cluster:
    """Boxes of one object. rows: of the joined arrays; middle: the merged box so far."""

    rows: list[int]
    middle: Floats


@dataclass(frozen=True, slots=True)
class ClassScores:
    """All classes of one classifier: class_ids and scores, (classes,) each."""

    class_ids: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]


def merge_classes(spreads: Sequence[ClassScores], method: str, votes: int, weights: Sequence[float]) -> ClassScores:
    """Merge the results of several classifiers, best first. `vote`: each votes, with its weight, for its best class, and a class
    needs `votes` votes; otherwise the weighted mean of all scores. A class unknown to one model scores 0 there.
    """
    totals = np.zeros(max(int(spread.class_ids.max()) for spread in spreads) + 1)
    voters = np.zeros(len(totals), np.int64)
    for spread, weight in zip(spreads, weights, strict=True):
        if method == "vote":
            best = spread.class_ids[spread.scores.argmax()]
            totals[best] += weight
            voters[best] += 1
        else:
            np.add.at(totals, spread.class_ids, weight * spread.scores.astype(np.float64))
            voters[spread.class_ids] = votes
    known = np.flatnonzero(voters >= votes)
    order = known[np.argsort(-totals[known], kind="stable")]
    return ClassScores(order.astype(np.int32), (totals[order] / sum(weights)).astype(np.float32))


def merge_boxes(answers: Sequence[Detections], method: str, iou: float, votes: int, weights: Sequence[float]) -> Detections:
    """Merge boxes of several models, best first. weights: one for each of `answers`; used by `wbf` and `mean`.

    Raises:
        ValueError: no such method.
    """
    if method not in METHODS:
        raise ValueError(f"method {method!r}: must be one of {', '.join(METHODS)}")
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
    edges, scores, class_ids = [], [], []
    for cluster in _clusters(boxes, iou, share[models]):
        rows = np.array(cluster.rows)
        seen = len(set(models[rows].tolist()))
        if seen < votes:
            continue
        edges.append(cluster.middle if method == "wbf" else boxes.boxes[rows].astype(np.float64).mean(axis=0))
        scores.append(_score(method, boxes.scores[rows].astype(np.float64), models[rows], share))
        class_ids.append(int(boxes.class_ids[rows[0]]))
    found = Detections(
        np.array(edges, np.float32).reshape(-1, 4),
        np.array(scores, np.float32).reshape(-1),
        np.array(class_ids, np.int32).reshape(-1),
    )
    return found[np.argsort(-found.scores, kind="stable").astype(np.int32)]


def _clusters(boxes: Detections, iou: float, weights: Floats) -> list[_Cluster]:
    """Each box joins the cluster of its class with the largest overlap, or starts one. weights: (n,) of each box's model."""
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
    """Score of one cluster; each model counts once, with its best box."""
    best = {int(model): float(scores[models == model].max()) for model in set(models.tolist())}
    if method == "vote":
        return max(best.values())
    total = sum(weights[model] * score for model, score in best.items())
    if method == "mean":
        return float(total / weights.sum())
    weight = sum(weights[model] for model in best)
    return float(total / weight * min(1.0, weight / weights.sum()))
