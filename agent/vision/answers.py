"""What a model found, in the words of `infer --json`: the same for a person, a golden sample and the local API."""

from __future__ import annotations

from collections.abc import Callable

from agent.contract.codec import Wire
from agent.vision.detections import Classes, Detections


class Answer(Wire):
    """One thing found (`box` x1, y1, x2, y2 in pixels of the picture), or one class of the whole picture (no box)."""

    label: str
    class_id: int
    score: float
    box: tuple[float, float, float, float] | None = None


def answers(result: Detections | Classes, label: Callable[[int], str], top: int) -> list[Answer]:
    """Best first. Of a classifier's classes only the `top` best. Scores have 4 decimals, boxes 1."""
    if isinstance(result, Classes):
        return [Answer(label=label(number), class_id=number, score=round(score, 4)) for number, score in result.top(top)]
    found = []
    for box, score, number in zip(result.boxes.tolist(), result.scores.tolist(), result.class_ids.tolist(), strict=True):
        x1, y1, x2, y2 = (round(side, 1) for side in box)
        found.append(Answer(label=label(number), class_id=number, score=round(score, 4), box=(x1, y1, x2, y2)))
    return found
