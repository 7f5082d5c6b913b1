"""Stationary objects: a parked car, a pallet, a coat on a hook. They are recognised when a track is lost and found again,
including after a restart of the program, and are not reported as new.

A track that has not moved for `stationary_s` is stationary. Its position is remembered after the track is lost, until it was
missing from analysed frames for `FORGET_S`: a track of the same label that starts there is the same object, known from before.
An object that moves is not known any more. Pure: the caller stores the objects on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from edgefleet_agent.vision.boxes import ious
from edgefleet_agent.vision.tracking.tracker import Box, Sighting, TrackResult

STILL_IOU = 0.6
"""Overlap with the remembered box from which a track has not moved."""
SAME_IOU = 0.5
"""Overlap with a remembered box from which a new track is the same object."""
FORGET_S = 600.0
STANDING_MAX = 200


@dataclass(slots=True)
class StationaryObject:
    """One stationary object. missed_s: duration of its absence from analysed frames."""

    label: str
    box: Box
    missed_s: float = 0.0


@dataclass(slots=True)
class _TrackState:
    """State of one track. since_s: time at which it entered `box`. standing: its object, once it is stationary."""

    box: Box
    since_s: float
    standing: StationaryObject | None = None
    known: bool = False


class StationaryWatch:
    """Stationary objects of one source. labels: class number -> name, may grow. standing: objects known from before."""

    def __init__(self, stationary_s: float, labels: Sequence[str], standing: Sequence[StationaryObject] = ()) -> None:
        self._stationary_s = stationary_s
        self._labels = labels
        self._standing = list(standing)[:STANDING_MAX]
        self._posts: dict[int, _TrackState] = {}
        self._last_s: float | None = None
        self.changes = 0

    @property
    def standing(self) -> list[StationaryObject]:
        """Stationary objects now, in sight or not."""
        return list(self._standing)

    def mark(self, step: TrackResult) -> TrackResult:
        """The step, with stationary and known sightings marked."""
        elapsed_s = step.media_s - self._last_s if self._last_s is not None else 0.0
        self._last_s = step.media_s
        marked = tuple(self._marked(sighting) for sighting in step.sightings)
        for number in step.ended:
            self._posts.pop(number, None)
        self._forget(elapsed_s)
        return replace(step, sightings=marked)

    def _marked(self, sighting: Sighting) -> Sighting:
        post = self._posts.get(sighting.track_id)
        if post is None:
            found = self._place_of(sighting)
            post = self._posts[sighting.track_id] = _TrackState(sighting.steady_box, sighting.media_s, found, found is not None)
        elif _overlap(post.standing.box if post.standing else post.box, sighting.steady_box) < STILL_IOU:
            if post.standing is not None:
                self._standing.remove(post.standing)
                self.changes += 1
            post.box, post.since_s, post.standing, post.known = sighting.steady_box, sighting.media_s, None, False
        if post.standing is None and sighting.media_s - post.since_s >= self._stationary_s and len(self._standing) < STANDING_MAX:
            post.standing = StationaryObject(self._labels[sighting.class_id], sighting.steady_box)
            self._standing.append(post.standing)
            self.changes += 1
        if post.standing is None:
            return sighting
        post.standing.missed_s = 0.0
        return replace(sighting, stationary=True, known=post.known)

    def _place_of(self, sighting: Sighting) -> StationaryObject | None:
        """A remembered object of that label at this position that no track has claimed."""
        claimed = [id(post.standing) for post in self._posts.values()]
        label = self._labels[sighting.class_id]
        free = [one for one in self._standing if one.label == label and id(one) not in claimed]
        near = [(_overlap(one.box, sighting.steady_box), index) for index, one in enumerate(free)]
        best = max(near, default=(0.0, 0))
        return free[best[1]] if best[0] >= SAME_IOU else None

    def _forget(self, elapsed_s: float) -> None:
        claimed = {id(post.standing) for post in self._posts.values()}
        for one in self._standing:
            if id(one) not in claimed:
                one.missed_s += elapsed_s
        remembered = [one for one in self._standing if one.missed_s <= FORGET_S]
        self.changes += len(remembered) != len(self._standing)
        self._standing = remembered


def _overlap(first: Box, second: Box) -> float:
    return float(ious(np.array([first]), np.array([second]))[0, 0])
