"""Outputs of YOLO models made from known objects, and a plain decoding of them that knows nothing of the heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Tensor = np.typing.NDArray[Any]

WIDTH, HEIGHT = 128, 96
CELLS = sum((WIDTH // stride) * (HEIGHT // stride) for stride in (8, 16, 32))
CLASSES = 3


@dataclass(frozen=True)
class Stored:
    """A tensor as a runtime gives it: real = (stored - zero_point) * scale, scale 0 for floats."""

    tensor: Tensor
    scale: float = 0.0
    zero_point: int = 0

    def real(self) -> Tensor:
        if not self.scale:
            return self.tensor.astype(np.float64)
        return (self.tensor.astype(np.float64) - self.zero_point) * self.scale


def store(real: Tensor, dtype: str, scale: float = 2 / 255, zero_point: int = -64) -> Stored:
    """The tensor in a type; 8-bit types hold -0.5 to 1.5."""
    if dtype.startswith("float"):
        return Stored(real.astype(dtype))
    limits = np.iinfo(dtype)
    zero_point += 128 if dtype == "uint8" else 0
    stored = np.clip(np.rint(real / scale) + zero_point, limits.min, limits.max).astype(dtype)
    return Stored(np.ascontiguousarray(stored), scale, zero_point)


def objects(seed: int, extra: int, layout: str) -> Tensor:
    """Rows of a layout in fractions of the input: 8 objects with worse neighbours, among background with low scores. The columns
    after the classes are random."""
    random = np.random.default_rng(seed)
    ended = layout == "ended"
    count = 60 if ended else CELLS
    rows = np.zeros((count, 6 + extra if ended else 4 + CLASSES + extra))
    places = random.choice(count, 16, replace=False)
    centres, sizes = random.uniform(0.2, 0.8, (8, 2)), random.uniform(0.1, 0.35, (8, 2))
    if not ended:
        rows[:, 4 : 4 + CLASSES] = random.uniform(0, 0.02, (count, CLASSES))
    rows[:, 6 if ended else 4 + CLASSES :] = random.uniform(-0.4, 1.2, (count, extra))
    for index in range(8):
        number = int(random.integers(CLASSES))
        for place, part in ((places[index], 1.0), (places[8 + index], 0.9)):
            rows[place, :2] = centres[index] + random.uniform(-0.01, 0.01, 2)
            rows[place, 2:4] = sizes[index]
            score = random.uniform(0.3, 0.98) * part
            if ended:
                rows[place, 4:6] = score, number
            else:
                rows[place, 4 + number] = score
    return rows


def laid_out(rows: Tensor, layout: str) -> Tensor:
    """Rows as the tensor of a layout: `columns`, `rows` or `ended`."""
    return np.ascontiguousarray(rows.T[None] if layout == "columns" else rows[None])


@dataclass(frozen=True)
class Known:
    """One object found by the plain decoding."""

    sides: Tensor
    score: float
    number: int
    extra: Tensor


def plain_decoding(
    stored: Stored, layout: str, min_score: float, overlap: Callable[[Known, Known], float], iou: float = 0.45
) -> list[Known]:
    """Every row and class of at least `min_score`, best first, without those that overlap a better one of their class."""
    real = stored.real()[0]
    rows = real.T if layout == "columns" else real
    unit = np.array([WIDTH, HEIGHT, WIDTH, HEIGHT], np.float64)
    found: list[Known] = []
    for row in rows:
        if layout == "ended":
            pairs, further = [(row[4], round(row[5]))], row[6:]
        else:
            pairs, further = [(row[4 + number], number) for number in range(CLASSES)], row[4 + CLASSES :]
        found += [Known(row[:4] * unit, score, number, further) for score, number in pairs if score >= min_score - 1e-9]
    found.sort(key=lambda each: -np.float32(each.score))
    if layout == "ended":
        return found
    remaining: list[Known] = []
    for each in found:
        if all(other.number != each.number or overlap(other, each) <= iou for other in remaining):
            remaining.append(each)
    return remaining


def corners(known: Known) -> Tensor:
    """x1, y1, x2, y2 of centre, width, height."""
    x, y, width, height = known.sides
    return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def upright_overlap(first: Known, second: Known) -> float:
    """Intersection over union of upright boxes."""
    one, other = corners(first), corners(second)
    sides = np.maximum(np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2]), 0)
    shared = sides[0] * sides[1]
    area = sum((each[2] - each[0]) * (each[3] - each[1]) for each in (one, other))
    return float(shared / (area - shared))
