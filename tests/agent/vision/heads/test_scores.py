"""A threshold selects the same scores on stored values as on real ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.vision.heads.base import Quantity, TensorSpec
from edgefleet_agent.vision.heads.output_tensors import found_boxes
from edgefleet_agent.vision.heads.scores import Scores

SCALE = 0.09


def naive(stored: np.ndarray, scale: float, zero_point: int, activation: str, skip: int, least: float) -> list[tuple[int, int]]:
    """Reference: dequantize all values, then compare."""
    real = (stored.astype(np.float32) - np.float32(zero_point)) * np.float32(scale) if scale else stored
    if activation == "softmax":
        raised = np.exp(real - real.max(axis=1, keepdims=True))
        real = raised / raised.sum(axis=1, keepdims=True)
    elif activation == "sigmoid":
        real = 1 / (1 + np.exp(-real.astype(np.float64)))
    rows, classes = np.nonzero(real[:, skip:] >= least)
    return list(zip(rows.tolist(), classes.tolist(), strict=True))


@pytest.mark.parametrize("activation", ["none", "sigmoid", "softmax"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "float32"])
@given(
    seed=st.integers(0, 2**31),
    least=st.sampled_from([0.05, 0.3, 0.501, 0.72, 0.95]),
    skip=st.integers(0, 1),
    rows=st.integers(0, 40),
)
def test_the_same_scores_reach_it(activation: str, dtype: str, seed: int, least: float, skip: int, rows: int) -> None:
    dice = np.random.default_rng(seed)
    if dtype == "float32":
        stored, scale, zero_point = dice.normal(0, 3, (rows, 5)).astype(np.float32), 0.0, 0
    else:
        limits = np.iinfo(dtype)
        stored = dice.integers(limits.min, limits.max + 1, (rows, 5)).astype(dtype)
        scale, zero_point = SCALE, int(dice.integers(limits.min, limits.max + 1))
    scores = Scores(TensorSpec("scores", (1, rows, 5), np.dtype(dtype), scale, zero_point), activation, skip)
    found_rows, classes, values = scores.reaching(stored, least)
    assert list(zip(found_rows.tolist(), classes.tolist(), strict=True)) == naive(
        stored, scale, zero_point, activation, skip, least
    )
    assert np.all(values >= least - 1e-5)


@pytest.mark.parametrize("zero_point", [-128, -1, 0, 127])
def test_the_stored_zero_reaches_nothing_above_it(zero_point: int) -> None:
    """A step may be so long that a threshold is less than the rounding of a float beside the zero point."""
    quantity = Quantity(TensorSpec("scores", (1, 3), np.dtype("int8"), 1e30, zero_point))
    stored = np.array([[zero_point, min(zero_point + 1, 127), -128]], np.int8)
    assert quantity.reaching(stored, 0.01).tolist() == [(quantity.real(stored) >= 0.01).tolist()[0]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_infinite_classes_are_left_out_and_boxes_limited(dtype: type[np.floating[Any]]) -> None:
    boxes, scores = np.tile(np.array([0, 0, 1, np.inf], dtype), (4, 1)), np.full(4, 0.5, dtype)
    found = found_boxes(boxes, scores, np.array([np.inf, 3.2, -np.inf, np.nan], dtype))
    assert (found.class_ids.tolist(), found.boxes.tolist()) == ([3], [[0, 0, 1, 1e6]])
