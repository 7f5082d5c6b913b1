"""Anomaly scores for vectors of features, compared to a baseline. There are several methods; the score 0 is normal.

    robust_z   the largest deviation of any feature from the baseline's median, in robust standard deviations (1.4826 x median
               absolute deviation; Iglewicz and Hoaglin, 1993)
    distance   Mahalanobis distance from the baseline over the root of the number of features, its correlation matrix shrunk
               towards independence (Ledoit and Wolf's idea with a fixed share): finds anomalies that no single feature shows
    ewma       the largest deviation of an exponentially weighted mean (Roberts' control chart, 1959): finds slow drifts. A vector
               counts with at most `EWMA_CLIP` thresholds, so that the mean returns soon after a large deviation is over
    components the error of the vector's reconstruction from the principal components of the baseline, relative to the error of
               the baseline itself (the squared prediction error of Jackson and Mudholkar, 1979): finds features that no longer
               vary together, even if each deviation is small

The baseline is the first `baseline` vectors or, if `sliding`, the last ones. Anomalous vectors are not learned, so that the
baseline does not contain them; a change that lasts for half a baseline becomes a baseline of its own, as a repaired machine would
otherwise stay anomalous. The one before it is kept beside it: a machine that returns to it is normal, and no anomaly begins
where a long one ends.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SHRINK = 0.1
EWMA_WEIGHT = 0.2
EWMA_GAIN = math.sqrt((2.0 - EWMA_WEIGHT) / EWMA_WEIGHT)
EWMA_CLIP = 3.0
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
    collected. present: False if the score comes from earlier vectors, and the newest are usual again."""

    score: float = 0.0
    feature: int = 0
    ready: bool = True
    present: bool = True


class Anomaly:
    """One series of vectors. method: of `METHODS`. baseline: number of vectors in it. threshold: a higher score is anomalous."""

    def __init__(self, method: str, baseline: int, threshold: float, *, sliding: bool = False) -> None:
        self._method = method
        self._count = baseline
        self._threshold = threshold
        self._sliding = sliding
        self._patience = max(1, baseline // 2)
        self._unusual: deque[Floats] = deque(maxlen=self._patience)
        self._beginning: list[Floats] = []
        self._regimes: list[_Regime] = []  # the present one, and the one before it
        self._mean: Floats | None = None

    def judge(self, vector: Floats) -> AnomalyScore:
        """Score the next vector."""
        if not self._regimes:
            self._beginning.append(vector)
            if len(self._beginning) == self._count:
                self._regimes = [_Regime(self._beginning, self._count)]
                self._beginning = []
            return AnomalyScore(ready=False)
        mean = self._smoothed(vector) if self._method == "ewma" else vector
        verdicts = [self._score(vector, mean, regime.model) for regime in self._regimes]
        nearest = min(range(len(verdicts)), key=lambda number: verdicts[number].score)
        if self._sliding:
            self._learn(vector, nearest, unusual=verdicts[nearest].score > self._threshold)
        return verdicts[nearest]

    def _smoothed(self, vector: Floats) -> Floats:
        """The exponentially weighted mean with this vector."""
        model = self._regimes[0].model
        if self._mean is None:
            self._mean = model.median
        most = EWMA_CLIP * max(self._threshold, 1.0) / EWMA_GAIN
        self._mean = np.asarray(self._mean + EWMA_WEIGHT * (model.clipped(vector, most) - self._mean), np.float64)
        return self._mean

    def _learn(self, vector: Floats, nearest: int, *, unusual: bool) -> None:
        if not unusual:
            self._unusual.clear()
            self._regimes.insert(0, self._regimes.pop(nearest))
            self._regimes[0].learn(vector)
            return
        self._unusual.append(vector)
        if len(self._unusual) == self._patience:
            self._regimes = [_Regime(self._unusual, self._count), self._regimes[0]]
            self._unusual.clear()

    def _score(self, vector: Floats, mean: Floats, model: _Model) -> AnomalyScore:
        if self._method == "components":
            return model.rebuilt(vector)
        # The asymptotic spread of an exponentially weighted mean is that of the vectors over the gain.
        deviations = model.deviations(mean) * (EWMA_GAIN if self._method == "ewma" else 1.0)
        worst = int(np.abs(deviations).argmax())
        score = model.distance(vector) if self._method == "distance" else float(np.abs(deviations)[worst])
        return AnomalyScore(score, worst)


class _Regime:
    """A usual state: the last vectors of it, at most `most`, and their statistics."""

    def __init__(self, vectors: Iterable[Floats], most: int) -> None:
        self._vectors = deque(vectors, maxlen=most)
        self.model = _Model(np.array(self._vectors))

    def learn(self, vector: Floats) -> None:
        """Add a vector."""
        self._vectors.append(vector)
        self.model = _Model(np.array(self._vectors))


class _Model:
    """Statistics of a baseline (vectors, features)."""

    def __init__(self, vectors: Floats) -> None:
        self.median: Floats = np.asarray(np.median(vectors, axis=0), np.float64)
        spread = 1.4826 * np.median(np.abs(vectors - self.median), axis=0)
        self._spread = np.maximum(spread, np.maximum(SPREAD_MIN * np.abs(self.median), 1e-9))
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
        usual = np.clip((self._vectors - self.median) / self._spread, -5.0, 5.0)
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
        return np.asarray((vector - self.median) / self._spread)

    def clipped(self, vector: Floats, most: float) -> Floats:
        """The vector with deviations of at most `most` robust standard deviations."""
        return np.asarray(self.median + np.clip(self.deviations(vector), -most, most) * self._spread)

    def distance(self, vector: Floats) -> float:
        """Mahalanobis distance over the root of the number of features."""
        if self._inverse is None:
            clipped = np.clip((self._vectors - self.median) / self._spread, -5.0, 5.0)
            shape = np.atleast_2d(np.cov(clipped.T))
            shape = (1 - SHRINK) * shape + SHRINK * np.eye(len(shape))
            self._inverse = np.asarray(np.linalg.inv(shape))
        deviations = self.deviations(vector)
        return math.sqrt(max(0.0, float(deviations @ self._inverse @ deviations)) / len(deviations))
