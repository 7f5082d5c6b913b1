"""Clocks passed as arguments: wall time for dates, monotonic time for durations."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Time source of impure code. Pure functions take plain numbers."""

    def wall(self) -> float:
        """Seconds since 1970 (may jump when NTP corrects it)."""
        ...

    def monotonic(self) -> float:
        """Seconds since an arbitrary start, never going back."""
        ...

    def sleep(self, duration_s: float) -> None:
        """Wait for `duration_s` seconds."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def wall(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, duration_s: float) -> None:
        time.sleep(duration_s)


class ManualClock:
    """A clock that moves only by explicit calls: for simulations and tests."""

    def __init__(self, wall_s: float = 1_700_000_000.0, monotonic_s: float = 0.0) -> None:
        self._wall_s = wall_s
        self._monotonic_s = monotonic_s

    def wall(self) -> float:
        return self._wall_s

    def monotonic(self) -> float:
        return self._monotonic_s

    def sleep(self, duration_s: float) -> None:
        self.advance(duration_s)

    def advance(self, duration_s: float) -> None:
        """Let `duration_s` seconds pass on both clocks."""
        self._wall_s += duration_s
        self._monotonic_s += duration_s
