"""Output tensors of a head, whose shapes are checked against patterns: when the model is loaded, and in each run where its file
leaves a side open.

A pattern lists the sides: numbers, names of sides of at least 1, sums and products such as `4 + classes` and `9 * classes`.
A shape may have further sides of 1 on the left. One name stands for one number in all outputs of a head. The sides in `COUNTS`
count rows: a run may return any number of them, even 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from edgefleet_agent.vision.detections import Detections, Floats
from edgefleet_agent.vision.heads.base import Array, HeadContext, Quantity, Rows, TensorSpec
from edgefleet_contract.core.errors import ManifestError, ModelError

OPEN: Final = -1
"""A side that the file leaves open."""
COUNTS: Final = frozenset({"n", "queries", "places"})
ELEMENTS_MAX: Final = 1 << 27
"""Most values of an output."""
ROWS_MAX: Final = 1_000_000
"""Most anchors or cells of a model: EfficientDet-D7 has 441,936."""
CLASS_MAX: Final = 65_535
"""Largest class number; a larger one is damaged data."""
PIXELS_MAX: Final = 1e6
"""Farthest position of a result from the corner of the input; what is beyond is moved there."""

_HALF_INFINITY: Final = 0x7C00
"""Bits of infinity in half precision; those of NaN are larger."""

_SIDE = re.compile(r"(?:(?P<number>\d+) (?P<sign>[+*]) )?(?P<name>[a-z_]+)|(?P<fixed>\d+)")
_KINDS = {"f": "float ", "iu": "integer ", "fiu": "float or integer "}


class NotANumberError(ModelError):
    """An output of a run has a value that is not a number."""


def check_numbers(outputs: Mapping[str, Array]) -> None:
    """Check that no output of a run has NaN: heads would find nothing there, or be certain of the first class. Infinite values
    may be right, as logits are.

    Raises:
        NotANumberError: one has; it names the output.
    """
    with np.errstate(invalid="ignore"):
        for name, array in outputs.items():
            if array.dtype.kind == "f" and array.size and _has_nan(array):
                raise NotANumberError(f"output {name} is not a number (NaN); export the model again as f32")


def _has_nan(array: Array) -> bool:
    """Whether a value is NaN. The least value is NaN then: it is found in two thirds of the time of a test of each value, and
    without memory for the tests. NumPy computes half precision slowly, but not its bits."""
    if array.dtype == np.float16:
        positive, negative = array.view(np.int16).max(), array.view(np.uint16).max()
        return bool(positive > _HALF_INFINITY or negative > _HALF_INFINITY + 0x8000)
    least = float(array.min())
    return least != least


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a pattern: `number` if `name` is empty, otherwise the named number plus `number`, or times it."""

    name: str
    number: int = 0
    sign: str = "+"

    def value(self, side: int) -> int:
        """The named number for this length; `OPEN` if there is none."""
        if self.sign == "*":
            return side // self.number if side % self.number == 0 else OPEN
        return max(side - self.number, OPEN)

    def text(self, known: Mapping[str, int]) -> str:
        """The side for an error."""
        value = known.get(self.name, OPEN)
        if not self.name:
            return str(self.number)
        if value != OPEN:
            return str(value * self.number if self.sign == "*" else value + self.number)
        return f"{self.number} {self.sign} {self.name}" if self.number else self.name


Pattern = tuple[_Side, ...]


@dataclass(frozen=True, slots=True)
class _Port:
    """One output with the patterns that its shape may have, and the kinds of types. hint: what an error adds to them."""

    spec: TensorSpec
    patterns: tuple[Pattern, ...]
    kinds: str
    hint: str


class OutputTensors:
    """The outputs that a head reads, added one by one.

    sides: the named numbers of their shapes, `OPEN` where the file does not fix them. Names given to the constructor are known in
    advance. by_picture: no output begins with rows of all pictures.
    """

    def __init__(self, context: HeadContext, family: str, **sides: int) -> None:
        self.context = context
        self.family = family
        self.sides: dict[str, int] = dict(sides)
        self.by_picture = True
        self._ports: list[_Port] = []
        self._shapes: list[tuple[int, ...]] = []
        self._fixed = True

    def add(
        self,
        spec: TensorSpec,
        *patterns: str,
        kinds: str = "fiu",
        scale: float = 0.0,
        zero_point: int = 0,
        undeclared: bool = False,
        hint: str = "",
    ) -> Quantity:
        """The output `spec`, whose shape is that of the first pattern that fits. kinds: of its type, as in NumPy. undeclared: a
        file may leave the whole shape open, as `[]`.

        Raises:
            ManifestError: no pattern fits, the type is no number, or the quantization is damaged; it names output and shape.
        """
        port = _Port(spec, tuple(_parsed(pattern) for pattern in patterns), kinds, hint)
        found = self._loaded(port, undeclared=undeclared)
        if spec.dtype.kind not in kinds or not found:
            raise self._refusal(port, spec.shape, self.sides)
        if not (math.isfinite(spec.scale) and spec.scale >= 0):
            raise self.refusal(f"has a scale of {spec.scale:g}; convert the model again", spec)
        if math.prod(max(side, 1) for side in spec.shape) > ELEMENTS_MAX:
            raise self.refusal(f"exceeds the limit of {ELEMENTS_MAX} values", spec)
        pattern, self.sides = found
        self.by_picture &= len(pattern) != len(spec.shape) or not pattern[0].name
        self._ports.append(port)
        self._shapes.append(spec.shape[len(spec.shape) - len(pattern) :] if spec.shape else spec.shape)
        self._fixed &= bool(spec.shape) and min(spec.shape) > 0
        return Quantity(spec, scale, zero_point)

    def known(self, *names: str) -> list[int]:
        """The sides called `names`.

        Raises:
            ManifestError: the file leaves one of them open.
        """
        values = [self.sides.get(name, OPEN) for name in names]
        if OPEN in values:
            raise self.refusal(f"leaves the number of {names[values.index(OPEN)]} open; export the model with a fixed shape")
        return values

    def check_rows(self, rows: int) -> None:
        """Check the number of anchors or cells, before arrays of that size are made.

        Raises:
            ManifestError: more than `ROWS_MAX`.
        """
        if rows > ROWS_MAX:
            raise self.refusal(f"belong to {rows} anchors, more than {ROWS_MAX}; check the params of the head")

    def count(self, name: str) -> int:
        """The side called `name`; 0 if the file leaves it open."""
        return max(self.sides.get(name, 0), 0)

    def refusal(self, text: str, *specs: TensorSpec) -> ManifestError:
        """An error with `text` about the outputs `specs`, or all that were added."""
        return refusal(self.family, text, specs or tuple(port.spec for port in self._ports))

    def arrays(self, outputs: Mapping[str, Array]) -> list[Array]:
        """The outputs of a run in the order in which they were added, without further sides on the left.

        Raises:
            ManifestError: the runtime returned a shape that does not fit, where the file leaves it open.
        """
        found = [outputs[port.spec.name] for port in self._ports]
        if self._fixed and all(array.shape == port.spec.shape for array, port in zip(found, self._ports, strict=True)):
            return [array.reshape(shape) for array, shape in zip(found, self._shapes, strict=True)]
        sides = {name: value for name, value in self.sides.items() if value != OPEN and name not in COUNTS}
        arrays = []
        for array, port in zip(found, self._ports, strict=True):
            shape = array.shape or (1,)
            fitting = _first_fit(port.patterns, shape, sides, run=True)
            if fitting is None:
                raise self._refusal(port, array.shape, sides)
            pattern, sides = fitting
            arrays.append(array.reshape(shape[len(shape) - len(pattern) :]))
        return arrays

    def _loaded(self, port: _Port, *, undeclared: bool) -> tuple[Pattern, dict[str, int]] | None:
        if port.spec.shape or not undeclared:
            return _first_fit(port.patterns, port.spec.shape, self.sides, run=False)
        names = {side.name: OPEN for pattern in port.patterns for side in pattern if side.name}
        return port.patterns[0], {**names, **self.sides}

    def _refusal(self, port: _Port, shape: tuple[int, ...], sides: Mapping[str, int]) -> ManifestError:
        texts = [f"[{', '.join(side.text(sides) for side in pattern)}]" for pattern in port.patterns]
        expected = " or ".join([", ".join(texts[:-1]), texts[-1]][len(texts) == 1 :])
        kind = _KINDS[port.kinds] if port.kinds != "fiu" or port.spec.dtype.kind not in port.kinds else ""
        size = f"{self.context.input_width} x {self.context.input_height}"
        return ManifestError(
            f"head {self.family}: output {port.spec.name!r} has shape {list(shape)} of {port.spec.dtype}, expected "
            f"{kind}{expected}{port.hint} for an input of {size}. Check the head, its params and [head.outputs]"
        )


def fits(spec: TensorSpec, *patterns: str, **known: int) -> dict[str, int] | None:
    """The named numbers of the first pattern that fits the shape of `spec`; None if none fits."""
    found = _first_fit(tuple(_parsed(pattern) for pattern in patterns), spec.shape, known, run=False)
    return found[1] if found is not None else None


def refusal(family: str, text: str, specs: tuple[TensorSpec, ...]) -> ManifestError:
    """An error of the head `family` with `text` about outputs, each with its shape."""
    shapes = ", ".join(f"{spec.name!r} {list(spec.shape)}" for spec in specs)
    return ManifestError(f"head {family}: output{'s' * (len(specs) != 1)} {shapes or 'none'} {text}")


def found_boxes(boxes: Array, scores: Array, class_ids: Array) -> Detections:
    """Detections without damaged ones: see `sound_boxes`."""
    return sound_boxes(boxes, scores, class_ids)[0]


def sound_boxes(boxes: Array, scores: Array, class_ids: Array) -> tuple[Detections, Rows]:
    """Detections without damaged ones, and their rows: a box with NaN or swapped corners, or of a class below 0 or above
    `CLASS_MAX`, is left out. Corners are moved to `PIXELS_MAX`, scores above 1 to 1. class_ids: columns of the scores, or floats
    that are rounded."""
    if not len(scores):
        return Detections.empty(), np.empty(0, np.intp)
    # A few ufuncs on a few rows: `np.clip` and reductions along rows take several times as long.
    # In half precision the limits are infinite.
    corners = np.maximum(np.minimum(boxes.astype(np.float32, copy=False), PIXELS_MAX), -PIXELS_MAX)
    sound = corners[:, 0] <= corners[:, 2]
    sound &= corners[:, 1] <= corners[:, 3]
    sound &= scores >= 0
    if class_ids.dtype.kind == "f":
        class_ids = np.rint(class_ids).astype(np.float32, copy=False)
        sound &= class_ids >= 0
        sound &= class_ids <= CLASS_MAX
    rows = np.flatnonzero(sound)
    if len(rows) < len(sound):
        corners, scores, class_ids = corners[rows], scores[rows], class_ids[rows]
    limited = np.minimum(scores, np.float32(1))
    return Detections(
        corners.astype(np.float32, copy=False), limited.astype(np.float32, copy=False), class_ids.astype(np.int32)
    ), rows


def found_points(points: Array, scores: Array) -> tuple[Floats, Floats]:
    """Points (..., 2) and scores (...) 0..1 of float32. A point with NaN is at the corner, with score 0; points are moved to
    `PIXELS_MAX`."""
    damaged = np.isnan(points).any(axis=-1) | np.isnan(scores)
    sure = np.where(damaged, 0, np.clip(scores, 0, 1))
    places = np.where(damaged[..., None], 0, np.clip(points, -PIXELS_MAX, PIXELS_MAX))
    return places.astype(np.float32), sure.astype(np.float32)


def _parsed(pattern: str) -> Pattern:
    sides = []
    for text in pattern.split(", "):
        found = _SIDE.fullmatch(text)
        if found is None:
            raise ValueError(f"pattern {pattern!r}: {text!r} is no side")
        if found["fixed"] is not None:
            sides.append(_Side("", int(found["fixed"])))
        else:
            sides.append(_Side(found["name"], int(found["number"] or 0), found["sign"] or "+"))
    return tuple(sides)


def _first_fit(
    patterns: tuple[Pattern, ...], shape: tuple[int, ...], known: Mapping[str, int], *, run: bool
) -> tuple[Pattern, dict[str, int]] | None:
    for pattern in patterns:
        sides = _match(pattern, shape, known, run=run)
        if sides is not None:
            return pattern, sides
    return None


def _match(pattern: Pattern, shape: tuple[int, ...], known: Mapping[str, int], *, run: bool) -> dict[str, int] | None:
    """The named numbers, if `shape` fits; of a run, no side is open."""
    further = len(shape) - len(pattern)
    if further < 0 or any(side not in (1, OPEN) for side in shape[:further]):
        return None
    found = dict(known)
    for part, side in zip(pattern, shape[further:], strict=True):
        if side < 0:
            found.setdefault(part.name, OPEN)
            continue
        if side == 0 and not (run and part.name in COUNTS):
            return None
        value = side if not part.name else part.value(side)
        expected = found.get(part.name, OPEN) if part.name else part.number
        if expected not in (OPEN, value) or (value < 1 and side):
            return None
        found[part.name] = value
    found.pop("", None)
    return found
