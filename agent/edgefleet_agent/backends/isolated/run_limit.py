"""Time limits of runs in another process: a run beyond it hangs."""

from __future__ import annotations

from collections import deque
from typing import Protocol

LEARNED_MIN = 20
"""Runs that are needed for a 99th percentile."""
LEARNED_MAX = 500
HANG_S_MIN = 1.0
HANG_FACTOR = 5.0
FIRST_RUN_S = 10.0
"""Limit of the first runs of a model, which may still upload or compile."""
FIRST_RUN_S_AGAIN = 3.0
"""Limit of the first run in a process that was started again."""


class RunLimit(Protocol):
    """The limit of the next run, and what is learned from runs that were answered."""

    def limit_s(self, *, first: bool) -> float:
        """Seconds that the next run may take. first: it is the first one in its process."""
        ...

    def note(self, took_s: float) -> None:
        """Learn from a run that was answered."""
        ...


class FixedLimit:
    """A limit that was set."""

    def __init__(self, run_s_max: float) -> None:
        self._run_s_max = run_s_max

    def limit_s(self, *, first: bool) -> float:  # noqa: ARG002 - the same for all
        return self._run_s_max

    def note(self, took_s: float) -> None:
        pass


class LearnedLimit:
    """`HANG_FACTOR` times the 99th percentile of the last runs, at least `HANG_S_MIN`."""

    def __init__(self) -> None:
        self._took_s: deque[float] = deque(maxlen=LEARNED_MAX)
        self._count = 0
        self._learned_s = 0.0

    def limit_s(self, *, first: bool) -> float:
        if not self._learned_s:
            return FIRST_RUN_S
        return max(self._learned_s, FIRST_RUN_S_AGAIN) if first else self._learned_s

    def note(self, took_s: float) -> None:
        self._took_s.append(took_s)
        self._count += 1
        if self._count % LEARNED_MIN == 0:
            slowest = sorted(self._took_s)[int(len(self._took_s) * 0.99)]
            self._learned_s = max(HANG_S_MIN, HANG_FACTOR * slowest)
