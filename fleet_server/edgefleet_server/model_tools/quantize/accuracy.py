"""Compares a quantized variant with the float model, on samples outside the calibration.

Every task has one decisive figure (`agreement`, 1 is equal); cosines of the raw outputs are reported as well.

    classification   part of the samples on which both have the same top class
    detection        mean average precision at an IoU of 0.5 with the float model's boxes taken for the truth
                     (all-point interpolation, as Pascal VOC since 2010 and COCO compute it)
    segmentation     part of the cells with the same class
    pose             part of the float model's sure key points that lie within a tenth of the object's longer side
    all others       mean cosine of the outputs
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_contract.package.manifest import Manifest
from edgefleet_server.model_tools.quantize.boxes import IOU_MIN, UNSURE_SCORE_MIN, Answer, iou
from edgefleet_server.model_tools.quantize.operating_point import OperatingPoint, operating_point
from edgefleet_server.model_tools.quantize.samples import Answered

Array = npt.NDArray[Any]
TRUTH_SCORE_MIN = 0.5
"""Boxes of the float model with at least this score are the ground truth."""
EVIDENCE_MIN = 30
"""Boxes, key points or samples behind the figure of a variant that counts as proven. If 30 of 30 agree, 0.89 or more of all do,
with 95 % confidence."""
POINT_SCORE_MIN = 0.3
POINT_DISTANCE_MAX = 0.1


@dataclass(frozen=True, slots=True)
class Accuracy:
    """measure: what `agreement` is: top1, map50, pixels, points or cosine. cosine: of each output, mean over the samples; worst:
    the lowest of one sample. truths: number of boxes, key points or samples behind the figure. at: boxes of a detector at the
    threshold of use."""

    measure: str
    agreement: float
    cosine: dict[str, float]
    worst: float
    samples: int
    truths: int
    at: OperatingPoint | None = None

    @property
    def is_proven(self) -> bool:
        """Whether there is enough behind the figure."""
        return self.truths >= EVIDENCE_MIN

    def fault(self, least: float) -> str:
        """The figure that is below `least`, in words; "" if none is."""
        if self.agreement < least:
            return f"{self.measure} against the float model is {self.agreement:g}"
        return self.at.sentence() if self.at is not None and self.at.is_below(least) else ""


def compare(manifest: Manifest, reference: Answered, found: Answered, threshold: float = TRUTH_SCORE_MIN) -> Accuracy:
    """Compare `found` with the float model's `reference` on the same samples. threshold: score from which boxes are used."""
    rows = [
        {name: cosine(before[name], after[name]) for name in before if name in after and before[name].shape == after[name].shape}
        for before, after in zip(reference.outputs, found.outputs, strict=True)
    ]
    names = sorted({name for row in rows for name in row})
    means = {name: float(np.mean([row[name] for row in rows if name in row])) for name in names}
    worst = min((value for row in rows for value in row.values()), default=0.0)
    measure, agreement, truths = _agreement(manifest, reference, found, means)
    rounded = {name: round(value, 5) for name, value in means.items()}
    at = operating_point(reference.answers, found.answers, threshold) if manifest.task == "detection" else None
    return Accuracy(measure, round(agreement, 4), rounded, round(worst, 5), len(rows), truths, at)


def cosine(first: Array, second: Array) -> float:
    """The cosine of two arrays as vectors; 1 if both are zero."""
    a, b = first.astype(np.float64).ravel(), second.astype(np.float64).ravel()
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else float(not a.any() and not b.any())


def _agreement(manifest: Manifest, reference: Answered, found: Answered, cosines: dict[str, float]) -> tuple[str, float, int]:
    pairs = list(zip(reference.answers, found.answers, strict=True))
    if manifest.task == "classification" and any(before for before, _ in pairs):
        same = [bool(after) and after[0]["class_id"] == before[0]["class_id"] for before, after in pairs if before]
        return "top1", float(np.mean(same)), len(same)
    if manifest.task == "detection":
        value, truths = mean_average_precision([before for before, _ in pairs], [after for _, after in pairs])
        if truths:
            return "map50", value, truths
    if manifest.task == "pose":
        near = [each for before, after in pairs for each in _points(before, after)]
        if near:
            return "points", float(np.mean(near)), len(near)
    if manifest.task == "segmentation":
        channels = 1 if manifest.head.params.get("layout") == "nchw" else -1
        same = [_same_cells(a, b, channels) for a, b in zip(reference.outputs, found.outputs, strict=True)]
        return "pixels", float(np.mean(same)), len(same)
    return "cosine", min(cosines.values(), default=0.0), len(pairs)


def _same_cells(before: dict[str, Array], after: dict[str, Array], channels: int) -> float:
    name = max(before, key=lambda each: before[each].size)
    first, second = before[name], after[name]
    if first.ndim == 4 and first.shape[channels] > 1:
        first, second = first.argmax(channels), second.argmax(channels)
    return float(np.mean(first == second))


def _points(before: Sequence[Answer], after: Sequence[Answer]) -> list[bool]:
    near = []
    for number, pose in enumerate(before):
        x1, y1, x2, y2 = pose["box"]
        limit = POINT_DISTANCE_MAX * max(x2 - x1, y2 - y1, 1.0)
        others = {point["name"]: point for point in after[number].get("keypoints", [])} if number < len(after) else {}
        for point in pose.get("keypoints", []):
            if point["score"] >= POINT_SCORE_MIN:
                other = others.get(point["name"])
                near.append(other is not None and max(abs(point["x"] - other["x"]), abs(point["y"] - other["y"])) <= limit)
    return near


def mean_average_precision(truth: Sequence[Sequence[Answer]], found: Sequence[Sequence[Answer]]) -> tuple[float, int]:
    """The mean over the classes of the ground truth, and the number of its boxes. Rows are samples; a box belongs to the ground
    truth from `TRUTH_SCORE_MIN` on."""
    sure = [[answer for answer in row if answer["score"] >= TRUTH_SCORE_MIN] for row in truth]
    unsure = [[answer for answer in row if UNSURE_SCORE_MIN <= answer["score"] < TRUTH_SCORE_MIN] for row in truth]
    classes = sorted({answer["class_id"] for row in sure for answer in row})
    values = [_average_precision(_of(sure, number), _of(unsure, number), _of(found, number)) for number in classes]
    return float(np.mean(values)) if values else 0.0, sum(len(row) for row in sure)


def _of(rows: Sequence[Sequence[Answer]], number: int) -> list[list[Answer]]:
    return [[answer for answer in row if answer["class_id"] == number and answer.get("box")] for row in rows]


def _average_precision(truth: list[list[Answer]], unsure: list[list[Answer]], found: list[list[Answer]]) -> float:
    ranked = sorted(
        ((answer["score"], sample, answer["box"]) for sample, row in enumerate(found) for answer in row), reverse=True
    )
    taken: set[tuple[int, int]] = set()
    hits = []
    for _, sample, box in ranked:
        overlaps = [(iou(box, other["box"]), place) for place, other in enumerate(truth[sample]) if (sample, place) not in taken]
        best, place = max(overlaps, default=(0.0, -1))
        if best >= IOU_MIN:
            hits.append(True)
            taken.add((sample, place))
        elif not any(iou(box, other["box"]) >= IOU_MIN for other in unsure[sample]):
            hits.append(False)
    right = np.cumsum(hits)
    precision = right / np.arange(1, len(hits) + 1)
    # The best precision at this recall or beyond: a curve that only falls.
    envelope = np.maximum.accumulate(precision[::-1])[::-1] if hits else precision
    total = sum(len(row) for row in truth)
    return float(sum(envelope[place] for place, hit in enumerate(hits) if hit) / total) if total else 0.0
