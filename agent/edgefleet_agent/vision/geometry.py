"""Points, polygons and lines of a pipeline in pixels of the frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

Place = tuple[float, float]


def scaled(points: Sequence[Place], width: int, height: int) -> tuple[Place, ...]:
    """Convert fractions of the picture to pixels."""
    return tuple((x * width, y * height) for x, y in points)


def inside(place: Place, polygon: Sequence[Place]) -> bool:
    """Whether `place` is in `polygon` by the even-odd rule; a point on the upper or left edge is inside."""
    x, y = place
    within = False
    before_x, before_y = polygon[-1]
    for at_x, at_y in polygon:
        if (at_y > y) != (before_y > y) and x < (before_x - at_x) * (y - at_y) / (before_y - at_y) + at_x:
            within = not within
        before_x, before_y = at_x, at_y
    return within


@dataclass(frozen=True, slots=True)
class LineSegment:
    """A directed segment. Seen in its direction, left is negative and right is positive (the picture's y axis points down)."""

    start: Place
    end: Place

    def side(self, place: Place) -> float:
        """Signed distance in pixels from the infinite line; 0 for a segment without length."""
        along_x, along_y = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = hypot(along_x, along_y)
        if length == 0:
            return 0.0
        return (along_x * (place[1] - self.start[1]) - along_y * (place[0] - self.start[0])) / length

    def spans(self, place: Place, beyond: float = 0.0) -> bool:
        """Whether the foot of `place` lies between the two ends, or at most `beyond` lengths past one."""
        along_x, along_y = self.end[0] - self.start[0], self.end[1] - self.start[1]
        ahead = (place[0] - self.start[0]) * along_x + (place[1] - self.start[1]) * along_y
        length2 = along_x * along_x + along_y * along_y
        return -beyond * length2 <= ahead <= (1 + beyond) * length2
