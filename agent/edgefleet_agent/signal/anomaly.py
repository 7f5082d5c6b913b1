"""Anomaly scores for vectors of features, compared to a baseline. There are several methods; the score 0 is normal.

    robust_z   the largest deviation of any feature from the baseline's median, in robust standard deviations (1.4826 x median
               absolute deviation; Iglewicz and Hoaglin, 1993)
    distance   Mahalanobis distance from the baseline over the root of the number of features, its correlation matrix shrunk
               towards independence (Ledoit and Wolf's idea with a fixed share): finds anomalies that no single feature shows
    ewma       the largest deviation of an exponentially weighted mean (Roberts' control chart, 1959): finds slow drifts
    components the error of the vector's reconstruction from the principal components of the baseline, relative to the error of
               the baseline itself (the squared prediction error of Jackson and Mudholkar, 1979): finds features that no longer
               vary together, even if each deviation is small

The baseline is the first `baseline` vectors or, if `sliding`, the last ones. Anomalous vectors are not learned, so that the
baseline does not contain them; a change that lasts for half a baseline becomes the new baseline, because otherwise a repaired
machine would stay anomalous.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SHRINK = 0.1
EWMA_WEIGHT = 0.2
SPREAD_MIN = 1e-3
"""Minimum spread as a share of the feature's size: without it, the smallest change of a constant feature would give an infinite
score."""
METHODS = ("components", "distance", "ewma", "robust_z")
EXPLAINED_SHARE = 0.9
"""Components are used until they explain this share of the baseline's variance; at most one fewer than there are features."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AnomalyScore:
    """Score of one vector. score: see the method. feature: index of the most anomalous one. ready: False while the baseline is
    collected."""

    score: float = 0.0
    feature: int = 0
    ready: bool = True


class Anomaly:
    """One series of vectors. method: of `METHODS`. baseline: number of vectors in it. threshold: a higher score is anomalous."""

    def __init__(self, method: str, baseline: int, threshold: float, *, sliding: bool = False) -> None:
        self._method = method
        self._count = baseline
        self._threshold = threshold
        self._sliding = sliding
        self._usual: deque[Floats] = deque(maxlen=baseline)
        self._patience = max(1, baseline // 2)
        self._unusual: deque[Floats] = deque(maxlen=self._patience)
        self._model: _Model | None = None
        self._mean: Floats | None = None

    def judge(self, vector: Floats) -> AnomalyScore:
        """Score the next vector."""
        if self._model is None:
            self._usual.append(vector)
            if len(self._usual) == self._count:
                self._model = _Model(np.array(self._usual))
            return AnomalyScore(ready=False)
        verdict = self._score(vector, self._model)
        if self._sliding:
            self._learn(vector, unusual=verdict.score > self._threshold)
        return verdict

    def _learn(self, vector: Floats, *, unusual: bool) -> None:
        if unusual:
            self._unusual.append(vector)
            if len(self._unusual) < self._patience:
                return
            self._usual.extend(self._unusual)
        else:
            self._usual.append(vector)
        self._unusual.clear()
        self._model = _Model(np.array(self._usual))

    def _score(self, vector: Floats, model: _Model) -> AnomalyScore:
        deviations = model.deviations(vector)
        if self._method == "ewma":
            before: Floats = np.zeros_like(deviations) if self._mean is None else self._mean
            self._mean = np.asarray(before + EWMA_WEIGHT * (deviations - before), np.float64)
            # The asymptotic spread of such a mean.
            deviations = np.asarray(self._mean * math.sqrt((2.0 - EWMA_WEIGHT) / EWMA_WEIGHT), np.float64)
        if self._method == "components":
            return model.rebuilt(vector)
        worst = int(np.abs(deviations).argmax())
        score = model.distance(vector) if self._method == "distance" else float(np.abs(deviations)[worst])
        return AnomalyScore(score, worst)


class _Model:
    """Statistics of a baseline (vectors, features)."""

    def __init__(self, vectors: Floats) -> None:
        self._median = np.median(vectors, axis=0)
        spread = 1.4826 * np.median(np.abs(vectors - self._median), axis=0)
        self._spread = np.maximum(spread, np.maximum(SPREAD_MIN * np.abs(self._median), 1e-9))
        self._vectors = vectors
        self._inverse: Floats | None = None
        self._components: Floats | None = None
        self._usual_error = 1.0

    def rebuilt(self, vector: Floats) -> AnomalyScore:
        """Reconstruction error of `vector` from the baseline's components, and the feature with the largest share of it."""
        if self._components is None:
            self._components, self._usual_error = self._learn_components()
        deviations = self.deviations(vector)
        left = self._left(deviations, self._components)
        # The error appears in all correlated features; the one that moved is reported.
        return AnomalyScore(float(np.linalg.norm(left)) / self._usual_error, int(np.abs(left * deviations).argmax()))

    def _learn_components(self) -> tuple[Floats, float]:
        """Principal components (count, features), and their reconstruction error for the baseline: 1.4826 x the median error,
        which is the standard deviation if one direction is left."""
        usual = np.clip((self._vectors - self._median) / self._spread, -5.0, 5.0)
        _, singular, axes = np.linalg.svd(usual - usual.mean(axis=0), full_matrices=False)
        explained = np.cumsum(singular**2) / max(1e-12, float((singular**2).sum()))
        count = min(int(np.searchsorted(explained, EXPLAINED_SHARE)) + 1, max(1, usual.shape[1] - 1))
        components = np.asarray(axes[:count])
        errors = np.linalg.norm(self._left(usual, components), axis=-1)
        return components, max(1.4826 * float(np.median(errors)), 1e-6)

    @staticmethod
    def _left(deviations: Floats, components: Floats) -> Floats:
        return np.asarray(deviations - (deviations @ components.T) @ components)

    def deviations(self, vector: Floats) -> Floats:
        """Deviations (features,) in robust standard deviations."""
        return np.asarray((vector - self._median) / self._spread)

    def distance(self, vector: Floats) -> float:
        """Mahalanobis distance over the root of the number of features."""
        if self._inverse is None:
            clipped = np.clip((self._vectors - self._median) / self._spread, -5.0, 5.0)
            shape = np.atleast_2d(np.cov(clipped.T))
            shape = (1 - SHRINK) * shape + SHRINK * np.eye(len(shape))
            self._inverse = np.asarray(np.linalg.inv(shape))
        deviations = self.deviations(vector)
        return math.sqrt(max(0.0, float(deviations @ self._inverse @ deviations)) / len(deviations))
