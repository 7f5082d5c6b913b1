"""When a track goes over a line: once for each time it really changes sides."""

from __future__ import annotations

from dataclasses import dataclass

from agent.vision.geometry import Line, Place
from agent.vision.track import Sighting

HYSTERESIS = 0.1
"""How far past the line a thing must be to have changed sides, in fractions of the side of the square of its area."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """forward: from the line's left to its right. frame, media_s: interpolated between the looks before and after."""

    sighting: Sighting
    forward: bool
    frame: int
    media_s: float


@dataclass(slots=True)
class _Walk:
    """One track. settled: the side (-1, 1) it was last clearly on, 0 before. over: where it went over since."""

    before: Sighting
    place: Place
    distance: float
    settled: int = 0
    over: tuple[int, float, bool] | None = None


class Crossings:
    """All tracks at one line. A track that appears on the line belongs to the side it clearly reaches first."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._walks: dict[int, _Walk] = {}

    def move(self, sighting: Sighting, place: Place) -> Crossing | None:
        """The track's point is at `place` now; the crossing that this completes."""
        distance = self._line.side(place)
        walk = self._walks.get(sighting.track_id)
        if walk is None:
            walk = self._walks[sighting.track_id] = _Walk(sighting, place, distance)
        side = 1 if distance > 0 else -1 if distance < 0 else walk.settled
        if side == walk.settled:
            walk.over = None
        elif walk.settled and walk.over is None:
            walk.over = self._where(walk, sighting, place, distance)
        crossing = None
        if side and abs(distance) > HYSTERESIS * _size(sighting):
            if walk.over is not None and walk.over[2]:
                crossing = Crossing(sighting, side > 0, walk.over[0], walk.over[1])
            walk.settled, walk.over = side, None
        walk.before, walk.place, walk.distance = sighting, place, distance
        return crossing

    def forget(self, track_id: int) -> None:
        """Nothing more will be seen of the track."""
        self._walks.pop(track_id, None)

    def _where(self, walk: _Walk, sighting: Sighting, place: Place, distance: float) -> tuple[int, float, bool]:
        """(frame, media_s, within the segment's ends) of the moment between the last look and this one."""
        travelled = walk.distance - distance
        share = walk.distance / travelled if travelled else 1.0
        at = (walk.place[0] + share * (place[0] - walk.place[0]), walk.place[1] + share * (place[1] - walk.place[1]))
        frame = walk.before.frame + share * (sighting.frame - walk.before.frame)
        media_s = walk.before.media_s + share * (sighting.media_s - walk.before.media_s)
        return round(frame), media_s, self._line.spans(at)


def _size(sighting: Sighting) -> float:
    x1, y1, x2, y2 = sighting.box
    return float((max(x2 - x1, 1.0) * max(y2 - y1, 1.0)) ** 0.5)
