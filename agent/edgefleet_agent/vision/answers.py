"""Results of a model in the format of `infer --json`: used by the CLI, golden samples and the local API. Each kind of result has
a name: detections, classes, segments, poses, embeddings, texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask, Result, Text
from edgefleet_contract.encoding.codec import Wire

POINT_SCORE_MIN = 0.3
"""Key points with at least this score determine the box of their object and are drawn."""


class Point(Wire):
    """One key point, x and y in pixels of the picture."""

    name: str
    x: float
    y: float
    score: float


class ModelOutput(Wire):
    """One object (`box` x1, y1, x2, y2 in pixels of the picture), or one class of the whole picture (no box).

    For a segment, `score` is its share of the picture. A pose has `keypoints`; an embedding has its `vector`, of length 1. For
    text the label is the text, with the score of each character in `characters`. A tracked object has its `track_id`, and the
    results of cascades in `attributes`.
    """

    label: str
    class_id: int
    score: float
    box: tuple[float, float, float, float] | None = None
    keypoints: list[Point] = msgspec.field(default_factory=list)
    vector: list[float] = msgspec.field(default_factory=list)
    characters: list[float] = msgspec.field(default_factory=list)
    track_id: int | None = None
    attributes: dict[str, Any] = msgspec.field(default_factory=dict)


def result_kind(result: Result) -> str:
    """The name of this kind of result."""
    kinds = {Classes: "classes", Mask: "segments", Keypoints: "poses", Embedding: "embeddings", Text: "texts"}
    return kinds.get(type(result), "detections")


def model_outputs(result: Result, label: Callable[[int], str], top: int) -> list[ModelOutput]:
    """Convert a result, best first. `top`: number of classes of a classifier. Scores have 4 decimals, positions 1, vectors 6."""
    if isinstance(result, Classes):
        return [ModelOutput(label=label(number), class_id=number, score=round(score, 4)) for number, score in result.top(top)]
    if isinstance(result, Mask):
        return [ModelOutput(label=label(number), class_id=number, score=round(share, 4)) for number, share in result.shares()]
    if isinstance(result, Embedding):
        vector = [round(value, 6) for value in result.vector.tolist()]
        return [ModelOutput(label="embedding", class_id=0, score=1.0, vector=vector)]
    if isinstance(result, Text):
        sure = [round(score, 4) for score in result.scores.tolist()]
        return [ModelOutput(label=result.text, class_id=0, score=round(result.score, 4), characters=sure)] if result.text else []
    if isinstance(result, Keypoints):
        return [_pose(result, index) for index in range(len(result.points))]
    found = []
    for box, score, number in zip(result.boxes.tolist(), result.scores.tolist(), result.class_ids.tolist(), strict=True):
        x1, y1, x2, y2 = (round(side, 1) for side in box)
        found.append(ModelOutput(label=label(number), class_id=number, score=round(score, 4), box=(x1, y1, x2, y2)))
    return found


def _pose(result: Keypoints, index: int) -> ModelOutput:
    points, scores = result.points[index], result.scores[index]
    sure = points[scores >= POINT_SCORE_MIN] if (scores >= POINT_SCORE_MIN).any() else points
    (x1, y1), (x2, y2) = sure.min(axis=0).tolist(), sure.max(axis=0).tolist()
    named = [
        Point(name=name, x=round(x, 1), y=round(y, 1), score=round(score, 4))
        for name, (x, y), score in zip(result.names, points.tolist(), scores.tolist(), strict=True)
    ]
    box = (round(x1, 1), round(y1, 1), round(x2, 1), round(y2, 1))
    return ModelOutput(label=result.label, class_id=0, score=round(float(scores.mean()), 4), box=box, keypoints=named)
