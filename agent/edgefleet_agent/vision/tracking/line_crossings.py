"""Line crossings: one for each real change of sides of a track.

strict    a track that is clearly on one side, crosses between the two ends, and is then clearly on the other side, between them
balanced  a track that crosses between the two ends and gets clear of the line
loose     any change of sides, also past the ends by half the line's length; a track that moves along the line counts each time
"""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_agent.vision.geometry import LineSegment, Place
from edgefleet_agent.vision.tracking.tracker import Sighting


@dataclass(frozen=True, slots=True)
class Mode:
    """Thresholds of one mode. clear: distance from the line after which a track has changed sides, as a fraction of the side of
    the square with the box's area. beyond: distance past the ends that still counts, in lengths of the line. between: the track
    has to be between the ends afterwards, too.
    """

    clear: float
    beyond: float = 0.0
    between: bool = False


MODES = {"strict": Mode(0.25, between=True), "balanced": Mode(0.1), "loose": Mode(0.0, beyond=0.5)}


@dataclass(frozen=True, slots=True)
class Crossing:
    """One crossing. forward: from the line's left to its right. frame, media_s: interpolated between the frames before and
    after."""

    sighting: Sighting
    forward: bool
    frame: int
    media_s: float


@dataclass(slots=True)
class _TrackState:
    """State of one track. settled: the side (-1, 1) it was last clearly on, 0 if none. over: where it has crossed since."""

    before: Sighting
    place: Place
    distance: float
    settled: int = 0
    over: tuple[int, float, bool] | None = None


class LineCrossings:
    """All tracks at one line. A track that appears on the line belongs to the side it clearly reaches first."""

    def __init__(self, line: LineSegment, mode: Mode = MODES["balanced"]) -> None:
        self._line = line
        self._mode = mode
        self._walks: dict[int, _TrackState] = {}

    def move(self, sighting: Sighting, place: Place) -> Crossing | None:
        """Moves the track's point to `place`; returns the crossing that this completes, if any."""
        distance = self._line.side(place)
        walk = self._walks.get(sighting.track_id)
        if walk is None:
            walk = self._walks[sighting.track_id] = _TrackState(sighting, place, distance)
        side = 1 if distance > 0 else -1 if distance < 0 else walk.settled
        if side == walk.settled:
            walk.over = None
        elif walk.settled and walk.over is None:
            walk.over = self._where(walk, sighting, place, distance)
        crossing = None
        if side and abs(distance) > self._mode.clear * _size(sighting):
            if walk.over is not None and walk.over[2] and (not self._mode.between or self._line.spans(place)):
                crossing = Crossing(sighting, side > 0, walk.over[0], walk.over[1])
            walk.settled, walk.over = side, None
        walk.before, walk.place, walk.distance = sighting, place, distance
        return crossing

    def forget(self, track_id: int) -> None:
        """Drop the state of an ended track."""
        self._walks.pop(track_id, None)

    def _where(self, walk: _TrackState, sighting: Sighting, place: Place, distance: float) -> tuple[int, float, bool]:
        """Frame, media_s, and whether it is within the segment's ends, of the crossing between the previous frame and this
        one."""
        travelled = walk.distance - distance
        share = walk.distance / travelled if travelled else 1.0
        at = (walk.place[0] + share * (place[0] - walk.place[0]), walk.place[1] + share * (place[1] - walk.place[1]))
        frame = walk.before.frame + share * (sighting.frame - walk.before.frame)
        media_s = walk.before.media_s + share * (sighting.media_s - walk.before.media_s)
        return round(frame), media_s, self._line.spans(at, self._mode.beyond)


def _size(sighting: Sighting) -> float:
    x1, y1, x2, y2 = sighting.box
    return float((max(x2 - x1, 1.0) * max(y2 - y1, 1.0)) ** 0.5)
