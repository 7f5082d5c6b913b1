"""Reference decoder of the ``fcos`` head and the accuracy measures: pure numpy, values in, values out.

Decode: keep the scores that pass, box = cell centre -/+ distances, non-maximum suppression class by class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firmware_models.conveyor_inspector.frames import FULL_VIEW
from firmware_models.conveyor_inspector.network import LABELS, STRIDE

Floats = npt.NDArray[np.float32]
MATCH_IOU = 0.5
NMS_IOU = 0.5


@dataclass(frozen=True)
class Found:
    """Detections of one frame: boxes float32 (n, 4) in input pixels, scores (n,), class numbers (n,); best first."""

    boxes: Floats
    scores: Floats
    classes: npt.NDArray[np.int64]


def overlap(boxes: Floats, others: Floats) -> Floats:
    """Intersection over union of every box (n, 4) with every other (m, 4): (n, m)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:4], others[None, :, 2:4])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(group[:, 2:4] - group[:, :2], axis=1) for group in (boxes, others)]
    return np.asarray(shared / (areas[0][:, None] + areas[1][None] - shared + 1e-9), np.float32)


def decode(scores: Floats, boxes: Floats, min_score: float) -> Found:
    """Grids (1, gh, gw, C) and (1, gh, gw, 4) of real values to detections scoring at least ``min_score``."""
    rows, columns, classes = np.nonzero(scores[0] >= min_score)
    chance = scores[0][rows, columns, classes]
    centres = np.stack([(columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE], axis=1).astype(np.float32)
    sides = boxes[0][rows, columns]
    corners = np.concatenate([centres - sides[:, :2], centres + sides[:, 2:]], axis=1)
    chosen_rows: list[int] = []
    for index in np.argsort(-chance, kind="stable").tolist():
        rivals = [other for other in chosen_rows if classes[other] == classes[index]]
        if not rivals or overlap(corners[[index]], corners[rivals]).max() <= NMS_IOU:
            chosen_rows.append(index)
    return Found(corners[chosen_rows], chance[chosen_rows], classes[chosen_rows])


def _judge(found: Found, truth: Floats, label: int) -> tuple[list[tuple[float, bool]], int]:
    """(score, right) of one class's detections in one frame, best first, and how many parts there were to find.

    A detection on a part that is not wholly in view is neither right nor wrong.
    """
    counted = truth[(truth[:, 5] >= FULL_VIEW) & (truth[:, 4] == label)]
    partial = truth[truth[:, 5] < FULL_VIEW]
    verdicts, taken = [], np.zeros(len(counted), bool)
    for index in np.nonzero(found.classes == label)[0]:
        box = found.boxes[[index]]
        fit = overlap(box, counted)[0] if len(counted) else np.zeros(0, np.float32)
        best = int(np.argmax(np.where(taken, -1, fit))) if len(fit) else -1
        if best >= 0 and not taken[best] and fit[best] >= MATCH_IOU:
            taken[best] = True
            verdicts.append((float(found.scores[index]), True))
        elif not (len(partial) and overlap(box, partial).max() >= 0.4):
            verdicts.append((float(found.scores[index]), False))
    return verdicts, len(counted)


def average_precision(verdicts: list[tuple[float, bool]], total: int) -> float:
    """Area under the precision-recall curve, every point (Pascal VOC 2010 and later)."""
    if not total or not verdicts:
        return 0.0
    right = np.array([ok for _, ok in sorted(verdicts, key=lambda verdict: -verdict[0])], np.float64)
    hits = np.cumsum(right)
    recall, precision = hits / total, hits / np.arange(1, len(right) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(np.concatenate([[0.0], recall])) * envelope))


@dataclass(frozen=True)
class ClassAccuracy:
    """One label's accuracy: average precision at IoU 0.5, precision and recall at the recommended threshold."""

    ap50: float
    precision: float
    recall: float
    parts: int


def accuracy(found: list[Found], truths: list[Floats], min_score: float) -> dict[str, ClassAccuracy]:
    """Accuracy per label over all frames; ``found`` must hold low scores too, for the curve."""
    result = {}
    for label, name in enumerate(LABELS):
        judged = [_judge(detections, truth, label) for detections, truth in zip(found, truths, strict=True)]
        verdicts = [verdict for frame, _ in judged for verdict in frame]
        total = sum(parts for _, parts in judged)
        confident = [right for score, right in verdicts if score >= min_score]
        precision = sum(confident) / len(confident) if confident else 0.0
        result[name] = ClassAccuracy(average_precision(verdicts, total), precision, sum(confident) / max(1, total), total)
    return result


def mean_ap(accuracies: dict[str, ClassAccuracy]) -> float:
    """mAP50: the mean over labels."""
    return float(np.mean([entry.ap50 for entry in accuracies.values()]))
