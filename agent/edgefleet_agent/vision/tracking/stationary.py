"""What stands there: a parked car, a pallet, a coat on a hook. It is recognised when it is lost and found again, also by the next
run of the program, and is not told as something new.

A track that has not left its place for `still_s` stands. Its place is kept when the track is lost, until it was looked for in
vain for `FORGET_S`: a track of the same label that begins there is then the same thing, known before it was seen. What begins
to move is known no more. Pure: whoever keeps the places on disk takes them from here and gives them back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from edgefleet_agent.vision.boxes import ious
from edgefleet_agent.vision.tracking.tracker import Box, Sighting, TrackResult

STILL_IOU = 0.6
"""A box that overlaps that of the place so far has not moved."""
SAME_IOU = 0.5
"""And one that begins so near to a place where something stood is that."""
FORGET_S = 600.0
STANDING_MAX = 200


@dataclass(slots=True)
class StationaryObject:
    """One thing that stands there. missed_s: how long it was looked for since it was seen last."""

    label: str
    box: Box
    missed_s: float = 0.0


@dataclass(slots=True)
class _Post:
    """One track. since_s: from when on it has not left `box`. standing: its place, once it stands."""

    box: Box
    since_s: float
    standing: StationaryObject | None = None
    known: bool = False


class StationaryWatch:
    """The tracks of one source. labels: class number -> name, may grow. standing: what stood there when it was last looked at."""

    def __init__(self, still_s: float, labels: Sequence[str], standing: Sequence[StationaryObject] = ()) -> None:
        self._still_s = still_s
        self._labels = labels
        self._standing = list(standing)[:STANDING_MAX]
        self._posts: dict[int, _Post] = {}
        self._last_s: float | None = None
        self.changes = 0

    @property
    def standing(self) -> list[StationaryObject]:
        """What stands there now, in sight or not."""
        return list(self._standing)

    def mark(self, step: TrackResult) -> TrackResult:
        """The step, its sightings told which of them stand and which were known before."""
        elapsed_s = step.media_s - self._last_s if self._last_s is not None else 0.0
        self._last_s = step.media_s
        marked = tuple(self._marked(sighting) for sighting in step.sightings)
        for number in step.gone:
            self._posts.pop(number, None)
        self._forget(elapsed_s)
        return replace(step, sightings=marked)

    def _marked(self, sighting: Sighting) -> Sighting:
        post = self._posts.get(sighting.track_id)
        if post is None:
            found = self._place_of(sighting)
            post = self._posts[sighting.track_id] = _Post(sighting.box, sighting.media_s, found, found is not None)
        elif _overlap(post.standing.box if post.standing else post.box, sighting.box) < STILL_IOU:
            if post.standing is not None:
                self._standing.remove(post.standing)
                self.changes += 1
            post.box, post.since_s, post.standing, post.known = sighting.box, sighting.media_s, None, False
        if post.standing is None and sighting.media_s - post.since_s >= self._still_s and len(self._standing) < STANDING_MAX:
            post.standing = StationaryObject(self._labels[sighting.class_id], sighting.box)
            self._standing.append(post.standing)
            self.changes += 1
        if post.standing is None:
            return sighting
        post.standing.missed_s = 0.0
        return replace(sighting, still=True, known=post.known)

    def _place_of(self, sighting: Sighting) -> StationaryObject | None:
        """Where something of that label stood that no track has claimed."""
        claimed = [id(post.standing) for post in self._posts.values()]
        label = self._labels[sighting.class_id]
        free = [one for one in self._standing if one.label == label and id(one) not in claimed]
        near = [(_overlap(one.box, sighting.box), place) for place, one in enumerate(free)]
        best = max(near, default=(0.0, 0))
        return free[best[1]] if best[0] >= SAME_IOU else None

    def _forget(self, elapsed_s: float) -> None:
        claimed = {id(post.standing) for post in self._posts.values()}
        for one in self._standing:
            if id(one) not in claimed:
                one.missed_s += elapsed_s
        kept = [one for one in self._standing if one.missed_s <= FORGET_S]
        self.changes += len(kept) != len(self._standing)
        self._standing = kept


def _overlap(first: Box, second: Box) -> float:
    return float(ious(np.array([first]), np.array([second]))[0, 0])
