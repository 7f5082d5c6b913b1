"""A periodic job, and how long it took."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Job:
    """A job that runs every `every_s`; `work` takes the wall time. `took_s`: the latest turn; `turns`: how many there were."""

    name: str
    every_s: float
    work: Callable[[float], object]
    due_s: float = 0.0
    took_s: float = 0.0
    turns: int = 0
