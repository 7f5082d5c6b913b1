"""Boxes of a quantized detector at the threshold at which it will be used, against those of the float model.

Average precision only ranks the boxes: a variant whose scores all fell keeps it, and finds nothing at the threshold. So the boxes
from the threshold on are matched one to one (same class, an IoU of 0.5 or more, the higher score first), and precision and recall
are given with Wilson's interval. A box that the float model has below the threshold is no false one (as in COCO's crowds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from edgefleet_server.domain.statistics.confidence_intervals import Interval, of_share
from edgefleet_server.model_tools.quantize.boxes import IOU_MIN, UNSURE_SCORE_MIN, Answer, iou

CONFIDENCE = 0.95
LOST_MAX = 100
"""Lost boxes that are listed."""


@dataclass(frozen=True, slots=True)
class LostBox:
    """A box of the float model that the variant has not. sample: its index. found_score: score of the variant's box there, below
    the threshold; 0: it has none."""

    sample: int
    label: str
    score: float
    found_score: float
    box: Sequence[float]


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """truths: boxes of the float model from `threshold` on; matched: those that the variant has; extra: boxes of the variant
    that the float model has not. precision, recall: None without boxes. lost: the first `LOST_MAX`."""

    threshold: float
    truths: int
    matched: int
    extra: int
    precision: Interval | None
    recall: Interval | None
    lost: list[LostBox] = field(default_factory=list)

    def is_below(self, least: float) -> bool:
        """Whether precision or recall are below `least` with 95 % confidence, on two sides."""
        highs = [each.high for each in (self.precision, self.recall) if each is not None and each.high is not None]
        return any(high < least for high in highs)

    def sentence(self) -> str:
        """The figures in words."""
        shares = {"precision": self.precision, "recall": self.recall}
        parts = [f"{name} {_range(share)}" for name, share in shares.items() if share is not None]
        ends = f"{self.truths - self.matched} of {self.truths} boxes lost, {self.extra} more"
        return f"at score {self.threshold:g}: {', '.join([*parts, ends])}"


def operating_point(truth: Sequence[Sequence[Answer]], found: Sequence[Sequence[Answer]], threshold: float) -> OperatingPoint:
    """The boxes of the float model (`truth`) and of a variant on the same samples, from `threshold` on."""
    lost: list[LostBox] = []
    truths = matched = extra = 0
    for sample, (before, after) in enumerate(zip(truth, found, strict=True)):
        sure = [answer for answer in before if answer.get("box") and answer["score"] >= threshold]
        rest = [answer for answer in before if answer.get("box") and UNSURE_SCORE_MIN <= answer["score"] < threshold]
        missing, surplus = _unmatched(sure, [answer for answer in after if answer.get("box") and answer["score"] >= threshold])
        weak = [answer for answer in after if answer.get("box") and answer["score"] < threshold]
        truths, matched = truths + len(sure), matched + len(sure) - len(missing)
        extra += sum(not _overlapping(answer, rest) for answer in surplus)
        lost += [_lost(sample, answer, weak) for answer in missing]
    return OperatingPoint(
        threshold,
        truths,
        matched,
        extra,
        of_share(matched, matched + extra, CONFIDENCE) if matched + extra else None,
        of_share(matched, truths, CONFIDENCE) if truths else None,
        lost[:LOST_MAX],
    )


def _unmatched(truth: Sequence[Answer], found: Sequence[Answer]) -> tuple[list[Answer], list[Answer]]:
    """Boxes of both that have no partner in the other."""
    left, surplus = list(truth), []
    for answer in sorted(found, key=lambda each: -each["score"]):
        near = _overlapping(answer, left)
        if near:
            left.remove(max(near, key=lambda each: iou(answer["box"], each["box"])))
        else:
            surplus.append(answer)
    return left, surplus


def _overlapping(answer: Answer, others: Sequence[Answer]) -> list[Answer]:
    same = (each for each in others if each["class_id"] == answer["class_id"])
    return [each for each in same if iou(answer["box"], each["box"]) >= IOU_MIN]


def _lost(sample: int, answer: Answer, weak: Sequence[Answer]) -> LostBox:
    score = max((float(each["score"]) for each in _overlapping(answer, weak)), default=0.0)
    label = str(answer.get("label") or f"class {answer['class_id']}")
    return LostBox(sample, label, round(float(answer["score"]), 3), round(score, 3), answer["box"])


def _range(share: Interval) -> str:
    return f"{share.value:.3f} ({share.low or 0.0:.3f} to {share.high or 0.0:.3f})"
