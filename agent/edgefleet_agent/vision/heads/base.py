"""Base class of heads: decode output tensors by name to boxes, classes or other results.

A head is independent of the runtime. It is built once per loaded model from the manifest's `[head]` and the actual tensors of the
session, so that a wrong layout is refused at load time, not at the first frame. Boxes leave a head in pixels of the model's
*input*; the geometry of the preprocessing converts them to pixels of the frame.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from edgefleet_agent.vision.detections import Floats
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """One tensor of a loaded model. `scale` 0: not quantized. real = (stored - zero_point) * scale. any_rank: the model does not
    say how many axes it has; its shape is then (-1,)."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    scale: float = 0.0
    zero_point: int = 0
    any_rank: bool = False


@dataclass(frozen=True, slots=True)
class HeadContext:
    """Input of a head's constructor. input_width, input_height: pixels of the model's picture input, 0 if it has none. input: its
    tensor.
    """

    outputs: Mapping[str, TensorSpec]
    names: Mapping[str, str]
    params: Mapping[str, Any]
    input_width: int
    input_height: int
    labels: tuple[str, ...] = field(default=())
    input: TensorSpec | None = None


class Head(ABC):
    """Decodes one model's outputs.

    Constructors take a `HeadContext` and raise `ManifestError` when outputs or parameters do not fit the family.
    `usual_input`: preprocessing of the family for models without a manifest; shape, type and order come from the tensor.
    """

    usual_input: ClassVar[InputSpec] = InputSpec()
    needs_input: ClassVar[bool] = False
    """Whether `decode` needs the model's input among the outputs, under its own name."""
    by_picture: bool = True
    """Whether the first side of the outputs is the picture, so that those of several pictures can be divided."""
    classes: int = 0
    """Number of classes that the outputs have, and so of labels; 0: the outputs do not say."""

    def __init__(self, context: HeadContext) -> None:
        self.context = context

    @abstractmethod
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Result:
        """Decode the outputs of one picture (as the runtime returns them, quantized or not) to boxes scoring >= min_score.

        Points are in pixels of the input, as boxes are. Classifiers, segmentation and embeddings ignore `min_score`.
        """


class Quantity:
    """One output tensor as real numbers, dequantized only where values are read.

    Scale and zero point are those of the tensor, otherwise those of the manifest's params (for runtimes that lose them in a
    conversion); a float tensor is used unchanged.
    """

    def __init__(self, spec: TensorSpec, scale: float = 0.0, zero_point: int = 0) -> None:
        self.name = spec.name
        quantized = spec.dtype.kind in "iu"
        self._scale = (spec.scale or scale or 1.0) if quantized else 0.0
        self._zero_point = spec.zero_point if spec.scale else zero_point

    def real(self, stored: Array) -> Floats:
        """Stored values to float32."""
        if not self._scale:
            return stored.astype(np.float32, copy=False)
        values: Floats = (stored.astype(np.float32) - np.float32(self._zero_point)) * np.float32(self._scale)
        return values

    def reaching(self, stored: Array, real: float) -> Array:
        """Boolean mask of values that reach the real value `real`, without dequantizing them."""
        if not self._scale:
            return np.asarray(stored >= real)
        # Comparing an 8-bit tensor in its own type takes a tenth of the time of a comparison with a float.
        limits, least = np.iinfo(stored.dtype), self._least(real)
        if not limits.min < least <= limits.max:
            return np.full(stored.shape, least <= limits.min)
        return np.asarray(stored >= stored.dtype.type(least))

    def _least(self, real: float) -> float:
        """The least stored value that reaches `real`: whole, so a tiny tolerance changes nothing but that a value equal to `real`
        counts as reached. The stored zero reaches nothing above 0, however long a step is."""
        steps = real / self._scale
        if math.isinf(steps):
            return steps
        whole = math.ceil(steps - 1e-6 * min(abs(steps), 1.0))
        return (max(whole, 1) if real > 0 else whole) + self._zero_point

    def steps(self, difference: float) -> float:
        """Converts a difference of real values to one of stored values, with a tolerance: for preselection only."""
        return difference / self._scale - 1e-6 if self._scale else difference - 1e-4


def true_cells(true: Array) -> tuple[Rows, Rows]:
    """Rows and columns of true values in (rows, columns): for sparse masks ten times as fast as two-dimensional `np.nonzero`."""
    rows, columns = np.divmod(np.flatnonzero(true), true.shape[1])
    return rows, columns


def find_output(context: HeadContext, role: str, position: int) -> TensorSpec:
    """The tensor with role `role`: the one named in the manifest, otherwise the one of that name, otherwise the one at
    `position`.

    Raises:
        ManifestError: there is none; the text lists the tensors of the model with their shapes.
    """
    known = list(context.outputs)
    name = context.names.get(role, role)
    if name in context.outputs:
        return context.outputs[name]
    if role not in context.names and position < len(known):
        return context.outputs[known[position]]
    shapes = ", ".join(f"{each.name!r} {list(each.shape)}" for each in context.outputs.values()) or "none"
    raise ManifestError(f"head: no output {name!r} for {role!r}; the model has {shapes}. Set [head.outputs]")


def number_param(context: HeadContext, param: str, default: float, low: float, high: float) -> float:
    """The parameter `param` as a number within low..high.

    Raises:
        ManifestError: not a number in that range.
    """
    value = context.params.get(param, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ManifestError(f"head: param {param!r} must be a number from {low:g} to {high:g}, got {value!r}")
    return float(value)


def check_params(context: HeadContext, known: tuple[str, ...]) -> None:
    """Refuse parameters that a head would silently ignore.

    Raises:
        ManifestError: names the parameter and those that exist.
    """
    unknown = sorted(set(context.params) - set(known))
    if unknown:
        raise ManifestError(f"head: unknown param {unknown[0]!r}; known are {', '.join(known) or 'none'}")


def check_family_params(context: HeadContext, family: str) -> None:
    """Refuse parameters that the head of a built-in family does not have, or of another type.

    Raises:
        ManifestError: names the parameter, and its type or those that exist.
    """
    if fault := FAMILIES[family].param_fault(context.params):
        raise ManifestError(f"head {family}: {fault}")


def flag_param(context: HeadContext, param: str, default: bool) -> bool:
    """The parameter `param` as true or false.

    Raises:
        ManifestError: neither true nor false.
    """
    value = context.params.get(param, default)
    if not isinstance(value, bool):
        raise ManifestError(f"head: param {param!r} must be true or false, got {value!r}")
    return value


def numbers_param(context: HeadContext, param: str, default: Sequence[float], low: float, high: float) -> list[float]:
    """The parameter `param` as a list of 1 to 32 numbers within low..high.

    Raises:
        ManifestError: not such a list.
    """
    value = context.params.get(param, list(default))
    fits = isinstance(value, list) and 1 <= len(value) <= 32
    if not fits or not all(
        isinstance(each, (int, float)) and not isinstance(each, bool) and low <= each <= high for each in value
    ):
        raise ManifestError(f"head: param {param!r} must be a list of numbers from {low:g} to {high:g}, got {value!r}")
    return [float(each) for each in value]


def strides_param(context: HeadContext, default: Sequence[int]) -> list[int]:
    """The parameter `strides`: pixels of a cell on each level.

    Raises:
        ManifestError: not a list of whole numbers.
    """
    values = numbers_param(context, "strides", default, 1, 1024)
    if any(value != int(value) for value in values):
        raise ManifestError(f"head: param 'strides' must be whole numbers, got {values}")
    return [int(value) for value in values]


def pair_by_width(context: HeadContext, first: str, second: str, width: int) -> tuple[TensorSpec, TensorSpec]:
    """The tensors of two roles, if exactly one output ends in `width` columns: that one is `first`, the other `second`.
    Names in the manifest, or outputs named like the roles, take precedence over the shape.

    Raises:
        ManifestError: not exactly two outputs, or both or neither have that width.
    """
    named = [context.names.get(role, role) in context.outputs for role in (first, second)]
    specs = list(context.outputs.values())
    if all(named) or first in context.names or second in context.names:
        # The other of two outputs has the role that no name gives.
        if len(specs) == 2 and named[0] != named[1] and not {first, second} <= set(context.names):
            given = find_output(context, first if named[0] else second, len(specs))
            left = next(spec for spec in specs if spec is not given)
            return (given, left) if named[0] else (left, given)
        return find_output(context, first, 0), find_output(context, second, 1)
    wide = [spec for spec in specs if spec.shape[-1:] == (width,)]
    other = [spec for spec in specs if spec.shape[-1:] != (width,)]
    if len(wide) != 1 or len(other) != 1:
        shapes = ", ".join(f"{spec.name!r} {list(spec.shape)}" for spec in specs) or "none"
        raise ManifestError(f"head: cannot distinguish {first} and {second} among {shapes}; set [head.outputs]")
    return wide[0], other[0]
