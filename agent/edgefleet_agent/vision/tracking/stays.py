"""Combines sightings to stays: start and end of a track's presence in an area, with gaps closed and short stays dropped."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from edgefleet_agent.vision.tracking.edge_times import SIGHTINGS_MAX
from edgefleet_agent.vision.tracking.tracker import SAME_MOMENT_S, Sighting


@dataclass(slots=True)
class Stay:
    """One track in one area. first, last: the sightings at both ends. announced: it has lasted long enough to count."""

    first: list[Sighting]
    last: deque[Sighting]
    best: Sighting
    announced: bool = False
    absent_since_s: float | None = None
    event_id: str = field(default="")

    @property
    def start(self) -> Sighting:
        return self.first[0]

    @property
    def end(self) -> Sighting:
        return self.last[-1]

    def add(self, sighting: Sighting) -> None:
        """Records a further sighting in the area."""
        if len(self.first) < SIGHTINGS_MAX:
            self.first.append(sighting)
        self.last.append(sighting)
        self.absent_since_s = None
        if sighting.score > self.best.score:
            self.best = sighting

    def frame_s(self) -> float:
        """Seconds a frame, from the sightings themselves; 0 for a single one."""
        frames = self.end.frame - self.start.frame
        return (self.end.media_s - self.start.media_s) / frames if frames else 0.0


class Stays:
    """All stays of one rule. A stay ends when its track was missing from analysed frames for `gap_s`, counted from the first
    frame without it (so that a low frame rate makes no gaps), and counts when it lasted `min_s`."""

    def __init__(self, min_s: float, gap_s: float) -> None:
        self._min_s = min_s
        self._gap_s = gap_s
        self._open: dict[int, Stay] = {}

    def announced(self) -> list[Stay]:
        """Ongoing stays that count."""
        return [stay for stay in self._open.values() if stay.announced]

    def present(self, sighting: Sighting) -> Stay | None:
        """The track is in the area; returns its stay when it starts to count."""
        stay = self._open.get(sighting.track_id)
        if stay is None:
            stay = Stay([sighting], deque([sighting], maxlen=SIGHTINGS_MAX), sighting)
            self._open[sighting.track_id] = stay
        else:
            stay.add(sighting)
        if stay.announced or sighting.media_s - stay.start.media_s < self._min_s - SAME_MOMENT_S:
            return None
        stay.announced = True
        return stay

    def absent(self, track_id: int, media_s: float) -> Stay | None:
        """The track is not in this frame's area; returns its stay when it ends and counted."""
        stay = self._open.get(track_id)
        if stay is None:
            return None
        if stay.absent_since_s is None:
            stay.absent_since_s = media_s
        if media_s - stay.absent_since_s < self._gap_s - SAME_MOMENT_S:
            return None
        return self.end(track_id)

    def end(self, track_id: int) -> Stay | None:
        """The track has ended; returns its stay if it counted."""
        stay = self._open.pop(track_id, None)
        return stay if stay is not None and stay.announced else None

    def tracks(self) -> list[int]:
        """Tracks that have a stay, counted or not."""
        return list(self._open)
