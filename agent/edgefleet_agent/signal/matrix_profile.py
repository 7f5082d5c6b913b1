"""Anomaly of the last day (or hour, or turn: one `course` of the series) compared to all earlier ones. 0 is normal.

The score is the distance of the last `course` vectors to the nearest earlier stretch of that length which does not overlap it:
the left matrix profile (Yeh et al., Matrix Profile I, 2016; looking back only as in DAMP, Lu et al., 2022), over the largest such
distance within the baseline, where every stretch is compared with all others. A score of 1 is therefore the worst of the
baseline. Stretches are not normalised one by one: a machine that runs its usual day ten degrees colder is anomalous.

Suitable for series with a repeating course and a slow disturbance that no single reading shows. Afterwards an anomaly is part of
the history: a fault that recurs in the same form is not reported again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from edgefleet_agent.signal.anomaly import SPREAD_MIN, AnomalyScore, Floats

HISTORY_MAX = 10_000
"""Vectors remembered; the oldest are dropped first, but not those of the baseline."""
RECENT = 4
"""The newest quarter of a stretch says whether its anomaly is over: the stretch contains it for a whole course."""
PRESENT_SHARE = 0.5
COURSES_MIN = 3
"""Minimum courses in a baseline."""


class MatrixProfile:
    """One series of vectors. baseline: number of normal vectors at the start. course: vectors of a stretch.

    Raises:
        ValueError: a baseline of less than `COURSES_MIN` courses, or of more than half of the history.
    """

    def __init__(self, baseline: int, course: int) -> None:
        if course < 2 or not COURSES_MIN * course <= baseline <= HISTORY_MAX // 2:
            least = COURSES_MIN * max(course, 2)
            raise ValueError(f"course of {course} windows requires a baseline of {least} to {HISTORY_MAX // 2}, not {baseline}")
        self._baseline = baseline
        self._course = course
        self._past = np.empty((0, 0))
        self._unbroken = np.zeros(HISTORY_MAX, np.int64)  # consecutive vectors up to each
        self._count = 0
        self._run = 0
        self._scale = np.ones(1)
        self._usual = 0.0

    def interrupt(self) -> None:
        """The next vector does not directly follow the last one: no stretch may span the gap."""
        self._run = 0

    def judge(self, vector: Floats) -> AnomalyScore:
        """Score the next vector."""
        self._remember(vector)
        if self._count < self._baseline:
            return AnomalyScore(ready=False)
        if not self._usual:
            self._learn()
            return AnomalyScore(ready=False)
        if self._run < self._course:
            return AnomalyScore(ready=False)
        steps = self._steps_to(self._count - 1, range(self._course - 1, self._count - self._course))
        if not len(steps):
            return AnomalyScore(ready=False)
        number = int(steps.sum(axis=1).argmin())
        nearest = steps[number]
        score = float(np.sqrt(nearest.sum())) / self._usual
        return AnomalyScore(score, int(nearest.argmax()), present=self._is_present(number, float(nearest.sum())))

    def _is_present(self, number: int, distance: float) -> bool:
        """Whether the newest vectors deviate from the nearest stretch at least half as much as the whole stretch does. number: of
        the stretch among those without a gap; distance: squared."""
        end = self._count - 1
        others = self._unbroken_ends(range(self._course - 1, self._count - self._course))
        newest = max(1, self._course // RECENT)
        at = int(others[number])
        apart = self._past[at - newest + 1 : at + 1] - self._past[end - newest + 1 : end + 1]
        return float(((apart / self._scale) ** 2).sum()) * self._course >= PRESENT_SHARE * distance * newest

    def _unbroken_ends(self, ends: range | list[int]) -> npt.NDArray[np.int64]:
        others = np.asarray(ends, np.int64)
        return others[self._unbroken[others] >= self._course]

    def _remember(self, vector: Floats) -> None:
        if not self._past.size:
            self._past = np.zeros((HISTORY_MAX, len(vector)))
        if self._count == HISTORY_MAX:
            # Dropped in blocks, so that not every vector moves the rest.
            dropped = (HISTORY_MAX - self._baseline) // 4
            remaining = slice(self._baseline + dropped, HISTORY_MAX)
            self._count -= dropped
            for rows in (self._past, self._unbroken):
                rows[self._baseline : self._count] = rows[remaining].copy()
            # The vector that follows the baseline has changed.
            first = self._unbroken[self._baseline : self._count]
            first[:] = np.minimum(first, np.arange(1, len(first) + 1))
        self._run += 1
        self._past[self._count], self._unbroken[self._count] = vector, self._run
        self._count += 1

    def _learn(self) -> None:
        """Compute the scale of each feature, and the largest distance of a stretch of the baseline to its nearest neighbour."""
        usual = self._past[: self._baseline]
        middle = np.median(usual, axis=0)
        spread = 1.4826 * np.median(np.abs(usual - middle), axis=0)
        self._scale = np.maximum(spread, np.maximum(SPREAD_MIN * np.abs(middle), 1e-9))
        worst = 0.0
        for end in range(self._course - 1, self._baseline):
            if self._unbroken[end] >= self._course:
                apart = [*range(self._course - 1, end - self._course + 1), *range(end + self._course, self._baseline)]
                steps = self._steps_to(end, apart)
                worst = max(worst, float(steps.sum(axis=1).min())) if len(steps) else worst
        self._usual = max(float(np.sqrt(worst)), 1e-9)

    def _steps_to(self, end: int, ends: range | list[int]) -> Floats:
        """Squared distances (stretches, features) of the stretch ending at `end` from those without a gap ending at `ends`."""
        others = self._unbroken_ends(ends)
        total = np.zeros((len(others), self._past.shape[1]))
        for back in range(self._course):
            total += ((self._past[others - back] - self._past[end - back]) / self._scale) ** 2
        return total
