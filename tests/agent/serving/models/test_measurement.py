"""Batches are formed only where no row changes the outputs of another."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, Placement, Session
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX
from edgefleet_agent.serving.models.measurement import can_batch, measure
from edgefleet_agent.serving.protocol.inference_request import TensorSignature
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import ModelError

Function = Callable[[Array], Array]
RUN_S = 1.0  # as if a single row took long: batches would save time


class Computed(Session):
    """A function of its input."""

    placement = Placement("test", "0", "cpu")

    def __init__(self, function: Function, dtype: str) -> None:
        self.function = function
        self.inputs = self.outputs = (TensorSpec("X", (-1, 4), np.dtype(dtype)),)

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        return {"X": self.function(inputs["X"])}

    def close(self) -> None: ...


def answer(function: Function, dtype: str = "float32") -> bool:
    session = Computed(function, dtype)
    return can_batch(session, TensorSignature("m", "1", "test", session.inputs, session.outputs, 16), RUN_S)


def refuses(array: Array) -> Array:
    if array.any():
        raise ModelError("only zeros")
    return array


def rounded(array: Array) -> Array:
    """A sum whose last bits depend on the size of the batch, as in real kernels."""
    return array * np.float32(1.0 + 1e-6 * len(array))


def softmax(array: Array) -> Array:
    return np.exp(array) / np.exp(array).sum(axis=0)


@pytest.mark.parametrize("dtype", ["float32", "float16", "uint8", "int8", "int64", "bool", "object"])
def test_independent_rows(dtype: str) -> None:
    assert answer(lambda array: array, dtype)


def test_last_bits_may_differ() -> None:
    assert answer(rounded)


@pytest.mark.parametrize(
    "function",
    [
        softmax,
        lambda array: array - array.mean(axis=0, keepdims=True),
        lambda array: np.cumsum(array, axis=0),
        lambda array: array[::-1],
        lambda array: array / np.maximum(np.nanmax(array), 100),
        lambda array: array / 255 if np.nanmax(array) > 1 else array,
        lambda array: array * (1 + np.isnan(array).any()),
        lambda array: array + (array == 0).all(axis=-1).any(),
        lambda array: array.sum(keepdims=True),
        np.argwhere,
        lambda array: np.float32(len(array)).reshape(()),
        refuses,
    ],
    ids=[
        "softmax",
        "centre",
        "cumulative sum",
        "reversed",
        "clipped",
        "scaled",
        "NaN anywhere",
        "a row of zeros",
        "sum of all",
        "non-zero",
        "scalar",
        "fails on random inputs",
    ],
)
def test_rows_that_change_each_other(function: Function) -> None:
    assert not answer(function)


def test_a_model_may_refuse_rows_of_other_sizes() -> None:
    def picky(array: Array) -> Array:
        if not (np.isfinite(array).all() and array.max() <= 1):
            raise ModelError("only small numbers")
        return array

    assert answer(picky)


def test_a_short_model_is_joined_where_most_of_a_run_is_the_same_for_any_number_of_rows() -> None:
    def each_row(array: Array) -> Array:
        for _ in array:
            ends_s = time.perf_counter() + INLINE_S_MAX / 4
            while time.perf_counter() < ends_s:
                pass
        return array

    for function, joined in ((lambda array: each_row(array[:1]) if len(array) == 1 else array, True), (each_row, False)):
        session = Computed(function, "float32")
        signature = TensorSignature("m", "1", "test", session.inputs, session.outputs, 16)
        assert can_batch(session, signature, measure(session, signature, 1)) == joined
