"""Results of models other than boxes and classes: key points, segmentation, embedding, text, values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Classes, Detections, Floats, Ints


@dataclass(frozen=True, slots=True)
class Keypoints:
    """n objects of k named points: points (n, k, 2) float32 x, y in pixels of the source frame · scores (n, k) float32 0..1.

    Raises:
        ValueError: the arrays do not match.
    """

    points: Floats
    scores: Floats
    names: tuple[str, ...]
    label: str = "person"

    def __post_init__(self) -> None:
        if self.points.shape != (*self.scores.shape, 2) or self.scores.shape[1:] != (len(self.names),):
            raise ValueError(f"{len(self.names)} key points: got points {self.points.shape}, scores {self.scores.shape}")


@dataclass(frozen=True, slots=True)
class Mask:
    """A class for every cell of a grid that covers the whole frame, of `width` x `height`: class_ids (rows, columns) int32."""

    class_ids: Ints
    width: int = 0
    height: int = 0

    def shares(self) -> list[tuple[int, float]]:
        """Pairs (class id, its share of the picture 0..1) of the classes that occur, the largest first."""
        counts = np.bincount(self.class_ids.ravel())
        order = np.argsort(-counts, kind="stable")
        return [(int(index), float(counts[index] / self.class_ids.size)) for index in order if counts[index]]

    def runs(self) -> list[int]:
        """Row by row as class, length, class, length: `np.repeat(runs[::2], runs[1::2]).reshape(rows, columns)` undoes it."""
        cells = self.class_ids.ravel()
        starts = np.concatenate([[0], np.flatnonzero(np.diff(cells)) + 1])
        lengths = np.diff(np.concatenate([starts, [cells.size]]))
        pairs: list[int] = np.stack([cells[starts], lengths], axis=1).ravel().tolist()
        return pairs


@dataclass(frozen=True, slots=True)
class Embedding:
    """The whole picture as one vector of length 1, (size,) float32."""

    vector: Floats

    def cosine(self, other: Embedding) -> float:
        """Cosine similarity of two pictures: -1..1."""
        return float(self.vector @ other.vector)


@dataclass(frozen=True, slots=True)
class Text:
    """Text in the picture. scores: (characters,) float32 0..1, the confidence of each."""

    text: str
    scores: Floats

    @property
    def score(self) -> float:
        """Mean score of its characters; 0 without any."""
        return float(self.scores.mean()) if len(self.scores) else 0.0


@dataclass(frozen=True, slots=True)
class Value:
    """One named value of a picture: a finite number with its unit, or, with a `label`, the best of several labels and its score
    0..1."""

    name: str
    number: float
    unit: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Values:
    """Named values of the whole picture, in the order of the model's outputs."""

    values: tuple[Value, ...]

    @property
    def label(self) -> str:
        """The labels among them, or else their names."""
        return ", ".join([each.label for each in self.values if each.label] or [each.name for each in self.values])

    @property
    def score(self) -> float:
        """The least score of the labels; 1 without any."""
        return min((each.number for each in self.values if each.label), default=1.0)


Result = Detections | Classes | Keypoints | Mask | Embedding | Text | Values
"""Any result of a head. A union at run time too: Python 3.10 allows it."""


def normalised(vector: npt.NDArray[Any]) -> Floats:
    """Scales `vector` to length 1; a zero vector is unchanged. What is no number counts as 0."""
    real = vector.astype(np.float32).reshape(-1)
    length = float(np.linalg.norm(real))
    if 1e-18 < length < 1e18:
        unit: Floats = real / np.float32(length)
        return unit
    # Squares of very large or small numbers need 64 bits.
    wide = np.nan_to_num(real.astype(np.float64))
    length = float(np.linalg.norm(wide))
    return (wide / length).astype(np.float32) if length > 0 else real
