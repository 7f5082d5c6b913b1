"""Chooses the frame that a shared model computes next.

Frames that earlier nodes have computed come first: their pipeline waits for nothing else. Next come pipelines below their
`min_fps`, the one furthest below first, then the largest product of priority, time since the last frame and uncertainty: equal
pipelines take turns, unequal ones share the model in proportion to their priorities, and a camera with uncertain tracks comes
before one with a static picture. Pure; it compares a few numbers for each camera, which takes less than a thousandth of an
inference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K")

UNSURE_GAIN = 1.0
"""Extra weight of a pipeline at full uncertainty."""


@dataclass(frozen=True, slots=True)
class FrameClaim:
    """A pipeline's claim on a shared model. captured_at_s: of the waiting frame. idle_s: since the last frame of that pipeline
    was taken. min_fps: guaranteed frames a second. uncertainty: of its tracks, 0..1. started: earlier nodes have computed this
    frame."""

    captured_at_s: float
    idle_s: float = 0.0
    priority: float = 1.0
    min_fps: float = 0.0
    uncertainty: float = 0.0
    started: bool = False

    @staticmethod
    def of_started(captured_at_s: float) -> FrameClaim:
        """The claim of a frame that earlier nodes have computed."""
        return FrameClaim(captured_at_s, started=True)

    def rank(self) -> tuple[int, float]:
        """Sort key; the highest is served first."""
        if self.started:
            return 2, -self.captured_at_s
        owed = self.idle_s * self.min_fps
        if owed >= 1.0:
            return 1, owed
        return 0, self.priority * max(self.idle_s, 1e-6) * (1.0 + UNSURE_GAIN * self.uncertainty)


def choose(claims: Sequence[tuple[FrameClaim, K]]) -> K | None:
    """The key of the claim to serve next; None without claims."""
    return max(claims, key=lambda claim: claim[0].rank())[1] if claims else None
