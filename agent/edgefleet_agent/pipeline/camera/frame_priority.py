"""Whose frame a shared model looks at next.

First what is under way already: its pipeline waits for nothing else. Then whoever has had less than the minimum that was
promised, the most neglected first. Then the largest product of priority, time since the last look and what is not known: with
equal wishes that is everybody in turn, with unequal ones looks are shared as priorities are, and a camera that sees something
move in ways nobody can foresee comes before one whose picture stands still. Pure; a few numbers for each camera, so that
choosing costs less than a thousandth of an inference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K")

UNSURE_GAIN = 1.0
"""How much more one counts whose tracks are as uncertain as can be."""


@dataclass(frozen=True, slots=True)
class FrameClaim:
    """captured_at_s: of the frame that waits. idle_s: since the last frame of that pipeline was taken. min_fps: promised looks a
    second. uncertainty: of its tracks, 0..1. begun: earlier places have looked at this frame."""

    captured_at_s: float
    idle_s: float = 0.0
    priority: float = 1.0
    min_fps: float = 0.0
    uncertainty: float = 0.0
    begun: bool = False

    @staticmethod
    def under_way(captured_at_s: float) -> FrameClaim:
        """Of a frame that earlier places have looked at."""
        return FrameClaim(captured_at_s, begun=True)

    def rank(self) -> tuple[int, float]:
        """The higher, the sooner."""
        if self.begun:
            return 2, -self.captured_at_s
        owed = self.idle_s * self.min_fps
        if owed >= 1.0:
            return 1, owed
        return 0, self.priority * max(self.idle_s, 1e-6) * (1.0 + UNSURE_GAIN * self.uncertainty)


def choose(claims: Sequence[tuple[FrameClaim, K]]) -> K | None:
    """Who comes next; None where nobody waits."""
    return max(claims, key=lambda claim: claim[0].rank())[1] if claims else None
