"""Regression: one or more named numbers for a picture, such as an age or the angles of a head, and classes beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar, Final

import numpy as np

from edgefleet_agent.vision.heads.base import (
    Array,
    Head,
    HeadContext,
    Quantity,
    TensorSpec,
    check_family_params,
    check_params,
    find_output,
)
from edgefleet_agent.vision.heads.output_tensors import OutputTensors, refusal
from edgefleet_agent.vision.results import Value, Values
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.manifest import InputSpec

NUMBERS_MAX: Final = 256
"""Most numbers of a model."""
_KEYS = ("scale", "offset", "unit", "names", "labels", "softmax")


@dataclass(frozen=True, slots=True)
class _Output:
    """One output, and the rules by which it is read. names: of its numbers; labels: of its scores, empty for numbers."""

    tensors: OutputTensors
    quantity: Quantity
    names: tuple[str, ...]
    scale: float
    offset: float
    unit: str
    labels: tuple[str, ...]
    softmax: bool


class RegressionHead(Head):
    """Outputs: any, each [1, numbers], also [1, numbers, 1, 1]. Names in [head.outputs] are those of the values; without them
    every output is a value with its own name.

    params, a table for each value by its name, all of it optional:
        scale, offset  the value is scale * output + offset (default 1 and 0)
        unit           of the value, such as "years"
        names          names of the numbers, if there are several (default NAME_0, NAME_1 ...)
        labels         the output has a score for each of these labels; the value is the best one
        softmax        the scores are logits (default false)
    """

    usual_input: ClassVar[InputSpec] = FAMILIES["regression"].input

    def __init__(self, context: HeadContext) -> None:
        super().__init__(context)
        names = tuple(context.names) or tuple(context.outputs)
        check_params(context, names)
        check_family_params(context, "regression")
        if not names:
            raise refusal("regression", "are no numbers: the model has no output; check the model", ())
        self._outputs = [_output(context, name) for name in names]
        total = sum(len(each.names) for each in self._outputs)
        every = [name for each in self._outputs for name in each.names]
        if total > NUMBERS_MAX:
            raise refusal("regression", f"have {total} numbers, more than {NUMBERS_MAX}", tuple(context.outputs.values()))
        if len(set(every)) != total:
            text = f"have two values of one name among {', '.join(every)}; set names in the params"
            raise refusal("regression", text, tuple(context.outputs.values()))

    @np.errstate(all="ignore")
    def decode(self, outputs: Mapping[str, Array], min_score: float) -> Values:  # noqa: ARG002 - numbers have no score
        return Values(tuple(value for each in self._outputs for value in _values(each, outputs)))


def _output(context: HeadContext, name: str) -> _Output:
    """The rules by which the output of the value `name` is read.

    Raises:
        ManifestError: its shape or its params do not fit.
    """
    spec = find_output(context, name, len(context.outputs))
    table = context.params.get(name, {})
    if not isinstance(table, dict) or not set(table) <= set(_KEYS):
        raise ManifestError(f"head regression: param {name!r} must be a table with keys of {', '.join(_KEYS)}, got {table!r}")
    tensors = OutputTensors(context, "regression")
    scale, offset = _number(name, table, "scale", 1.0), _number(name, table, "offset", 0.0)
    quantity = tensors.add(spec, "1, numbers", "1, numbers, 1, 1", "1, numbers, 1", "numbers")
    (count,) = tensors.known("numbers")
    if count > NUMBERS_MAX:
        raise tensors.refusal(f"has {count} numbers, more than {NUMBERS_MAX}; check the head")
    labels, names = _texts(name, table, "labels", count, spec), _texts(name, table, "names", count, spec)
    unit, softmax = table.get("unit", ""), table.get("softmax", False)
    if not isinstance(unit, str) or len(unit) > 32 or not isinstance(softmax, bool):
        raise ManifestError(f"head regression: param {name!r}: unit is a short text, softmax true or false; got {table!r}")
    if labels and names:
        raise ManifestError(f"head regression: param {name!r} has both labels and names; a value has one of them")
    several = names or tuple(f"{name}_{index}" for index in range(count))
    return _Output(
        tensors, quantity, (name,) if labels or (count == 1 and not names) else several, scale, offset, unit, labels, softmax
    )


def _values(output: _Output, outputs: Mapping[str, Array]) -> list[Value]:
    (stored,) = output.tensors.arrays(outputs)
    real = output.quantity.real(stored.reshape(-1))
    if not output.labels:
        numbers = (real.astype(np.float64) * output.scale + output.offset).tolist()
        # What is no number is no value.
        pairs = zip(output.names, numbers, strict=True)
        return [Value(name, number, output.unit) for name, number in pairs if isfinite(number)]
    if output.softmax:
        raised = np.exp(real - real.max())
        real = raised / raised.sum()
    scores = np.clip(np.nan_to_num(real), 0, 1)
    best = int(scores.argmax())
    return [Value(output.names[0], float(scores[best]), label=output.labels[best])]


def _number(name: str, table: Mapping[str, Any], key: str, default: float) -> float:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= 1e9:
        raise ManifestError(f"head regression: param {name!r}: {key} must be a number from -1e9 to 1e9, got {value!r}")
    return float(value)


def _texts(name: str, table: Mapping[str, Any], key: str, count: int, spec: TensorSpec) -> tuple[str, ...]:
    """The list `key` with a text for each of `count` numbers; empty if it is absent."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
        raise ManifestError(f"head regression: param {name!r}: {key} must be a list of texts, got {value!r}")
    if value and len(value) != count:
        raise refusal("regression", f"has {count} numbers, param {name!r} has {len(value)} {key}; specify one for each", (spec,))
    return tuple(value)
