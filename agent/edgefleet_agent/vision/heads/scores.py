"""Selects the class scores that reach the threshold before dequantization and exponentials."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from edgefleet_agent.vision.detections import Floats
from edgefleet_agent.vision.heads.base import Array, HeadContext, Quantity, Rows, TensorSpec, true_cells
from edgefleet_contract.core.errors import ManifestError

Activation = Literal["none", "sigmoid", "softmax"]


class Scores:
    """A tensor of class scores, one row a box. activation: the function that the network does not apply itself. The first `skip`
    classes are no objects."""

    def __init__(self, spec: TensorSpec, activation: str, skip: int = 0) -> None:
        self.name = spec.name
        self._quantity = Quantity(spec)
        self._activation = activation
        self._skip = skip

    def reaching(self, stored: Array, min_score: float) -> tuple[Rows, Rows, Floats]:
        """Row, class (without the skipped ones) and score 0..1 of all values of `stored` (boxes, classes) that reach
        `min_score`."""
        if self._activation == "softmax":
            return self._shares_reaching(stored, min_score)
        scored = stored[:, self._skip :]
        least = _logit(min_score) if self._activation == "sigmoid" else min_score
        rows, classes = true_cells(self._quantity.reaching(scored, least))
        reached = self._quantity.real(scored[rows, classes])
        return rows, classes, sigmoid(reached) if self._activation == "sigmoid" else reached

    def _shares_reaching(self, stored: Array, min_score: float) -> tuple[Rows, Rows, Floats]:
        candidates = self._candidates(stored, min_score)
        real = self._quantity.real(stored[candidates])
        raised = np.exp(real - real.max(axis=1, keepdims=True, initial=-np.inf))
        shares = (raised / raised.sum(axis=1, keepdims=True))[:, self._skip :]
        rows, classes = true_cells(shares >= min_score)
        return candidates[rows], classes, shares[rows, classes]

    def _candidates(self, stored: Array, min_score: float) -> Rows:
        """Rows that may reach `min_score`: a class of probability p leaves at most 1 - p to the background, so that its logit
        exceeds the background's by log(p / (1 - p)) or more. Most boxes are background and are rejected here."""
        if not self._skip or min_score <= 0:
            return np.arange(len(stored))
        least = self._quantity.steps(_logit(min_score))
        best = stored[:, self._skip :].max(axis=1)
        # 8-bit differences need more than 8 bits.
        wide = np.float32 if stored.dtype.kind == "f" else np.int32
        (rows,) = np.nonzero(np.subtract(best, stored[:, 0], dtype=wide) >= least)
        return rows


def sigmoid(real: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow."""
    grown: Floats = np.float32(0.5) * (np.float32(1) + np.tanh(np.float32(0.5) * real))
    return grown


def activation_param(context: HeadContext, usual: Activation) -> str:
    """The parameter `activation`.

    Raises:
        ManifestError: it is none of the three.
    """
    value = context.params.get("activation", usual)
    if value not in ("none", "sigmoid", "softmax"):
        raise ManifestError(f"head: param 'activation' must be none, sigmoid or softmax, got {value!r}")
    return str(value)


def _logit(score: float) -> float:
    if score <= 0:
        return -math.inf
    return math.log(score / (1 - score)) if score < 1 else math.inf
