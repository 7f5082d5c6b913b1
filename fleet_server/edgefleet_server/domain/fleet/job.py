"""A periodic job and the duration of its latest run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Job:
    """A job that runs every `every_s`; the argument of `work` is the wall time. `took_s`: duration of the latest run; `turns`:
    number of runs."""

    name: str
    every_s: float
    work: Callable[[float], object]
    due_s: float = 0.0
    took_s: float = 0.0
    turns: int = 0
