"""Resamples readings with uneven times and gaps to windows of even steps.

Readings are put on a grid by linear interpolation between neighbours. Those whose time does not rise are left out and counted.
A gap longer than `GAP_PERIODS` is not filled: the grid points in it are missing, and a window has the share of points that are
present. Where the readings come more slowly than the grid, their own interval counts instead of its period. If the times go back
and stay there, the clock of the readings was set: the series begins anew.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

GAP_PERIODS = 5.0
"""Neighbours further apart than this many periods are not joined by a line."""
INTERVALS = 8
"""First intervals of a series, whose median is its usual one."""
EARLIER_MAX = 5
"""Readings in a row with earlier times that are left out; the next one shows that the clock was set back."""
POINTS_MAX = 1_000_000
"""Longest window."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Window:
    """One window. values: (points, channels) without gaps (missing points hold the last value before them). coverage: share of
    real points."""

    start_s: float
    end_s: float
    values: Floats
    coverage: float


class UsualInterval:
    """The usual interval of a series' readings: the median of the first ones."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._first: list[float] = []
        self.seconds = 0.0

    def add(self, at_s: float) -> None:
        """Add a reading. `seconds` is 0 until enough are known."""
        if self.seconds:
            return
        if self._last_s is not None and at_s > self._last_s:
            self._first.append(at_s - self._last_s)
        self._last_s = at_s
        if len(self._first) == INTERVALS:
            self.seconds = statistics.median(self._first)


class ObservedTime:
    """The time of a series that its readings cover: an interval of more than `GAP_PERIODS` usual ones is a gap. period_s: of the
    grid, if that is longer than their usual interval.

    span_s: from the first reading to the last, whether or not they have numbers."""

    def __init__(self, period_s: float = 0.0) -> None:
        self._period_s = period_s
        self._usual = UsualInterval()
        self._read_s: float | None = None
        self._observed_until_s: float | None = None
        self._first: list[float] = []  # intervals, until the usual one is known
        self._observed_s = 0.0
        self.span_s = 0.0

    def add(self, at_s: float, *, present: bool) -> None:
        """Add a reading. present: whether it has the numbers that are observed."""
        if self._read_s is not None:
            self.span_s += max(0.0, at_s - self._read_s)
        self._read_s = at_s
        if not present:
            return
        if self._observed_until_s is not None and at_s > self._observed_until_s:
            self._first.append(at_s - self._observed_until_s)
        self._observed_until_s = at_s
        self._usual.add(at_s)
        if self._usual.seconds:
            self._observed_s, self._first = self.observed_s, []

    @property
    def observed_s(self) -> float:
        """Time that is not in gaps."""
        usual_s = self._usual.seconds or (statistics.median(self._first) if self._first else 0.0)
        limit_s = GAP_PERIODS * max(self._period_s, usual_s)
        return self._observed_s + sum(interval_s for interval_s in self._first if interval_s <= limit_s)


class Windows:
    """Cuts one series. period_s: of the grid. length_s, step_s: of a window and from one to the next, rounded to the grid.

    Raises:
        ValueError: a window of less than two or more than `POINTS_MAX` points.
    """

    def __init__(self, period_s: float, length_s: float, step_s: float) -> None:
        self.period_s = period_s
        self._points = round(length_s / period_s)
        self._step = max(1, round(step_s / period_s))
        if not 2 <= self._points <= POINTS_MAX:
            raise ValueError(
                f"a window of {length_s:g} s has {self._points} points at {period_s:g} s each; must have 2 to {POINTS_MAX}"
            )
        self._rows: deque[tuple[float, ...]] = deque(maxlen=self._points)
        self._real: deque[bool] = deque(maxlen=self._points)
        self._before: tuple[float, tuple[float, ...]] | None = None
        self._origin_s = 0.0
        self._made = 0
        self._interval = UsualInterval()
        self.left_out = 0

    @property
    def points(self) -> int:
        """Points of a window."""
        return self._points

    def restart(self) -> None:
        """Begin anew with the next reading, whatever its time."""
        self._before, self._origin_s, self._made = None, 0.0, 0
        self._rows.clear()
        self._real.clear()

    def add(self, at_s: float, values: tuple[float, ...]) -> list[Window]:
        """Add one reading; returns the windows that it completes. A value that is not finite counts as missing."""
        before = self._before
        if not all(map(math.isfinite, values)) or (before is not None and at_s <= before[0]):
            self.left_out += 1
            return []
        self._before = (at_s, values)
        self._interval.add(at_s)
        if before is None:
            self._origin_s = at_s
            return self._point(values, real=True)
        windows: list[Window] = []
        joined = at_s - before[0] <= GAP_PERIODS * max(self.period_s, self._interval.seconds)
        missing = 0
        while (grid_s := self._origin_s + self._made * self.period_s) <= at_s + 1e-9:
            if joined:
                share = (grid_s - before[0]) / (at_s - before[0])
                windows += self._point(tuple(a + share * (b - a) for a, b in zip(before[1], values, strict=True)), real=True)
                continue
            if at_s - grid_s < 1e-9:  # the reading itself lies on the grid
                windows += self._point(values, real=True)
                continue
            missing += 1
            if missing > self._points:  # nothing from before the gap is left: restart
                self._origin_s, self._made = at_s, 0
                self._rows.clear()
                self._real.clear()
                return [*windows, *self._point(values, real=True)]
            windows += self._point(before[1], real=False)
        return windows

    def _point(self, values: tuple[float, ...], *, real: bool) -> list[Window]:
        self._rows.append(values)
        self._real.append(real)
        self._made += 1
        if len(self._rows) < self._points or (self._made - self._points) % self._step:
            return []
        end_s = self._origin_s + (self._made - 1) * self.period_s
        start_s = end_s - (self._points - 1) * self.period_s
        return [Window(start_s, end_s, np.array(self._rows, np.float64), sum(self._real) / self._points)]
