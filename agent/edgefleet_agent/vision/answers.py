"""Results of a model in the format of `infer --json`: used by the CLI, golden samples and the local API. Each kind of result has
a name: detections, classes, segments, poses, embeddings, texts, values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from edgefleet_agent.vision.box_parts import BoxMask, cells_from
from edgefleet_agent.vision.detections import Classes, Detections, Floats
from edgefleet_agent.vision.results import Embedding, Keypoints, Mask, Result, Text, Values
from edgefleet_agent.vision.rotated_boxes import angles_of
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.number_text import number_text

CELLS_MAX = 1 << 24
"""Most cells of a mask that is read."""
POINT_SCORE_MIN = 0.3
"""Key points with at least this score determine the box of their object and are drawn."""


class Point(Wire):
    """One key point, x and y in pixels of the picture."""

    name: str
    x: float
    y: float
    score: float


class ObjectMask(Wire):
    """The part of the picture that belongs to one object: `size` (rows, columns) cells share evenly the rectangle `area` x1, y1,
    x2, y2. `runs`: lengths of equal cells row by row, those beside the object first, so the first may be 0."""

    area: tuple[float, float, float, float]
    size: tuple[int, int]
    runs: list[int]

    def mask(self) -> BoxMask:
        """The cells.

        Raises:
            ValueError: the runs do not fit the size.
        """
        rows, columns = self.size
        if not 0 < rows * columns <= CELLS_MAX or min(rows, columns) < 1:
            raise ValueError(f"a mask of {rows} x {columns} cells")
        return BoxMask(cells_from(self.runs, rows, columns), self.area)


class ModelOutput(Wire):
    """One object (`box` x1, y1, x2, y2 in pixels of the picture), or one class of the whole picture (no box).

    For a segment, `score` is its share of the picture, and `mask` its cells. A pose has `keypoints`; an embedding has its
    `vector`, of length 1. For text the label is the text, with the score of each character in `characters`. A tracked object
    has its `track_id`, and the results of cascades in `attributes`. An object of a model that finds more than boxes has
    `keypoints`, a `mask`, or the `corners` of its rotated box, clockwise, with the `angle` of the side between the first two
    to the x axis in degrees. A regression has its numbers and labels in `values`, by name, with the `units` of those that
    have one; its label are the labels among them, or else the names.
    """

    label: str
    class_id: int
    score: float
    box: tuple[float, float, float, float] | None = None
    keypoints: list[Point] = msgspec.field(default_factory=list)
    mask: ObjectMask | None = None
    corners: list[tuple[float, float]] = msgspec.field(default_factory=list)
    angle: float | None = None
    values: dict[str, float | str] = msgspec.field(default_factory=dict)
    units: dict[str, str] = msgspec.field(default_factory=dict)
    vector: list[float] = msgspec.field(default_factory=list)
    characters: list[float] = msgspec.field(default_factory=list)
    track_id: int | None = None
    attributes: dict[str, Any] = msgspec.field(default_factory=dict)


KINDS: dict[type[Result], str] = {
    Classes: "classes",
    Detections: "detections",
    Embedding: "embeddings",
    Keypoints: "poses",
    Mask: "segments",
    Text: "texts",
    Values: "values",
}
"""Names of the results in `infer --json`."""


def result_kind(result: Result) -> str:
    """The name of this kind of result."""
    return KINDS[type(result)]


def model_outputs(result: Result, label: Callable[[int], str], top: int, *, areas: bool = False) -> list[ModelOutput]:
    """Convert a result, best first. `top`: number of classes of a classifier. `areas`: segments have their masks. Scores have 4
    decimals, positions 1, vectors 6."""
    if isinstance(result, Classes):
        return [ModelOutput(label=label(number), class_id=number, score=round(score, 4)) for number, score in result.top(top)]
    if isinstance(result, Mask):
        return [_segment(result, number, share, label(number), with_area=areas) for number, share in result.shares()]
    if isinstance(result, Embedding):
        vector = [round(value, 6) for value in result.vector.tolist()]
        return [ModelOutput(label="embedding", class_id=0, score=1.0, vector=vector)]
    if isinstance(result, Text):
        sure = [round(score, 4) for score in result.scores.tolist()]
        return [ModelOutput(label=result.text, class_id=0, score=round(result.score, 4), characters=sure)] if result.text else []
    if isinstance(result, Values):
        return [_regression(result)] if result.values else []
    if isinstance(result, Keypoints):
        return [_pose(result, index) for index in range(len(result.points))]
    found = []
    for box, score, number in zip(result.boxes.tolist(), result.scores.tolist(), result.class_ids.tolist(), strict=True):
        x1, y1, x2, y2 = (round(side, 1) for side in box)
        found.append(ModelOutput(label=label(number), class_id=number, score=round(score, 4), box=(x1, y1, x2, y2)))
    return _with_parts(found, result)


def _segment(result: Mask, number: int, share: float, name: str, *, with_area: bool) -> ModelOutput:
    found = ModelOutput(label=name, class_id=number, score=round(share, 4))
    if with_area:
        rows, columns = result.class_ids.shape
        area = (0.0, 0.0, float(result.width), float(result.height))
        found.mask = ObjectMask(area=area, size=(rows, columns), runs=BoxMask(result.class_ids == number, area).runs())
    return found


def _regression(result: Values) -> ModelOutput:
    values = {each.name: each.label or float(f"{each.number:.6g}") for each in result.values}
    units = {each.name: each.unit for each in result.values if each.unit}
    return ModelOutput(label=result.label, class_id=0, score=round(result.score, 4), values=values, units=units)


def value_texts(answer: ModelOutput) -> list[str]:
    """The values of a regression for people, one a line."""
    texts = []
    for name, value in answer.values.items():
        shown = value if isinstance(value, str) else number_text(value, ".4g")
        texts.append(f"{name} {shown} {answer.units.get(name, '')}".rstrip())
    return texts


def _with_parts(found: list[ModelOutput], result: Detections) -> list[ModelOutput]:
    """The same objects with key points, masks and rotated corners."""
    parts = result.parts
    if parts is None:
        return found
    angles = angles_of(parts.corners).tolist()
    for index, answer in enumerate(found):
        if parts.point_names:
            answer.keypoints = _points(parts.point_names, parts.points[index], parts.point_scores[index])
        if parts.masks:
            mask = parts.masks[index]
            x1, y1, x2, y2 = (round(side, 1) for side in mask.area)
            rows, columns = mask.cells.shape
            answer.mask = ObjectMask(area=(x1, y1, x2, y2), size=(rows, columns), runs=mask.runs())
        if len(parts.corners):
            answer.corners = [(round(x, 1), round(y, 1)) for x, y in parts.corners[index].tolist()]
            answer.angle = round(angles[index], 1)
    return found


def _pose(result: Keypoints, index: int) -> ModelOutput:
    points, scores = result.points[index], result.scores[index]
    sure = points[scores >= POINT_SCORE_MIN] if (scores >= POINT_SCORE_MIN).any() else points
    (x1, y1), (x2, y2) = sure.min(axis=0).tolist(), sure.max(axis=0).tolist()
    named = _points(result.names, points, scores)
    box = (round(x1, 1), round(y1, 1), round(x2, 1), round(y2, 1))
    return ModelOutput(label=result.label, class_id=0, score=round(float(scores.mean()), 4), box=box, keypoints=named)


def _points(names: Sequence[str], points: Floats, scores: Floats) -> list[Point]:
    return [
        Point(name=name, x=round(x, 1), y=round(y, 1), score=round(score, 4))
        for name, (x, y), score in zip(names, points.tolist(), scores.tolist(), strict=True)
    ]
