"""Agreement of two models about one picture: 1 for the same result, 0 for nothing in common. Pure.

Boxes: matched one to one by overlap, the best pair first, only boxes of the same label and of an intersection over union of at
least `IOU_MIN`; agreement is the F1 of that matching, 2 x matched / (boxes of one + boxes of the other), and 1 if neither found
any. Classes: 1 if the first label is the same, otherwise 0. Embeddings: cosine, cut off at 0. Maps: the share of cells with the
same class. Key points: objects are matched by the boxes around their points; agreement is the F1 over points nearer than a tenth
of the object. Values: the share of names with the same label, or with numbers that differ by at most a tenth.

Models may number their classes differently: labels are compared by name, and by number if a model has no labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from edgefleet_agent.vision.boxes import ious
from edgefleet_agent.vision.detections import Classes, Detections, Floats
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask, Result, Values

IOU_MIN: Final = 0.5
SCORE_MIN: Final = 0.3
"""Boxes below are ignored: rules rarely use them."""
NEAR_SHARE: Final = 0.1
"""Distance of key points, as a share of the object, and difference of numbers, as a share of the first, that still agree."""

Name = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class LabelledResult:
    """The result of one model and its class labels."""

    result: Result
    labels: Sequence[str] = ()

    def name(self, class_id: int) -> str:
        """The name of a class, or its number."""
        return self.labels[class_id] if 0 <= class_id < len(self.labels) else str(class_id)


def agreement(first: LabelledResult, second: LabelledResult) -> float | None:
    """Agreement of two results, 0 to 1; None if they are of different kinds."""
    one, other = first.result, second.result
    if isinstance(one, Detections) and isinstance(other, Detections):
        return _boxes(first, one, second, other)
    if isinstance(one, Classes) and isinstance(other, Classes):
        return float(_top(first, one) == _top(second, other))
    if isinstance(one, Embedding) and isinstance(other, Embedding) and one.vector.shape == other.vector.shape:
        return max(0.0, min(1.0, one.cosine(other)))
    if isinstance(one, Mask) and isinstance(other, Mask) and one.class_ids.shape == other.class_ids.shape:
        return float(np.mean(one.class_ids == other.class_ids))
    if isinstance(one, Keypoints) and isinstance(other, Keypoints) and one.names == other.names:
        return _points(one, other)
    if isinstance(one, Values) and isinstance(other, Values):
        return _values(one, other)
    return None


def is_empty(view: LabelledResult) -> bool:
    """Whether a model that finds objects found none."""
    result = view.result
    if isinstance(result, Detections):
        return not bool((result.scores >= SCORE_MIN).any())
    return isinstance(result, Keypoints) and not len(result.points)


def confidence(result: Result) -> list[float]:
    """Scores of a model's boxes, or of its first class; empty for other results."""
    if isinstance(result, Detections):
        return [float(score) for score in result.scores if score >= SCORE_MIN]
    return [float(result.scores.max())] if isinstance(result, Classes) and len(result.scores) else []


def _top(view: LabelledResult, classes: Classes) -> str:
    return view.name(classes.top(1)[0][0]) if len(classes.scores) else ""


def _boxes(first: LabelledResult, one: Detections, second: LabelledResult, other: Detections) -> float:
    one, other = one[one.scores >= SCORE_MIN], other[other.scores >= SCORE_MIN]
    if not len(one) and not len(other):
        return 1.0
    overlap = ious(one.boxes, other.boxes)
    names = [first.name(int(number)) for number in one.class_ids], [second.name(int(number)) for number in other.class_ids]
    same = np.array([[a == b for b in names[1]] for a in names[0]], bool).reshape(overlap.shape)
    matched = _match(np.where(same, overlap, 0.0))
    return 2.0 * matched / (len(one) + len(other))


def _match(overlap: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> int:
    """Number of matched pairs, matched best first."""
    left, matched = overlap.copy(), 0
    while left.size and left.max() >= IOU_MIN:
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        left[row, :] = 0.0
        left[:, column] = 0.0
        matched += 1
    return matched


def _points(one: Keypoints, other: Keypoints) -> float:
    if not len(one.points) and not len(other.points):
        return 1.0
    overlap = ious(_around(one.points), _around(other.points))
    near = 0.0
    left = overlap.copy()
    while left.size and left.max() >= IOU_MIN:
        row, column = (int(index) for index in np.unravel_index(int(left.argmax()), left.shape))
        around = _around(one.points)[row]
        size = max(float(around[2] - around[0]), float(around[3] - around[1]), 1.0)
        distances = np.linalg.norm(one.points[row] - other.points[column], axis=1)
        near += float(np.mean(distances <= NEAR_SHARE * size))
        left[row, :] = 0.0
        left[:, column] = 0.0
    return 2.0 * near / (len(one.points) + len(other.points))


def _values(one: Values, other: Values) -> float:
    """The share of all names whose labels are equal, or whose numbers are near."""
    found, second = ({each.name: each for each in values.values} for values in (one, other))
    every = found.keys() | second.keys()
    same = 0
    for name in found.keys() & second.keys():
        first, last = found[name], second[name]
        if first.label or last.label:
            same += first.label == last.label
        else:
            same += abs(first.number - last.number) <= NEAR_SHARE * max(abs(first.number), 1.0)
    return same / len(every) if every else 1.0


def _around(points: Floats) -> Floats:
    """The box around each object's points."""
    if not len(points):
        return np.empty((0, 4), np.float32)
    return np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1).astype(np.float32)
