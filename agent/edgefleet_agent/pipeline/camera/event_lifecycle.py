"""What is learned about an event while it lasts: its best view, the median of its scores, how much of it is told in between.

A new event is known by its first moments, which are rarely its best. Whatever it follows is looked at until it ends: the view
that shows it best (sure, large, whole) becomes its snapshot, and `update` tells so, at most every `UPDATE_S`. Updates stay on the
device (its store, its own faces); the server gets the beginning, and the end with the figures of all of it. Pure but for the
encoding of a better view.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.wire.messages import Event, EventPhase

OPEN_MAX = 64
"""Events looked at while they last; of more, only beginning and end are known."""
UPDATE_S = 5.0
"""Between two updates of an event, which is also how often a better view of it is kept."""
BETTER = 1.1
"""So much better must a view be to replace the one before."""
SCORES_MAX = 600
"""Scores that the median is of, the newest: a minute at ten looks a second."""
EDGE_PX = 2.0
"""A box so close to the border of the picture is cut off by it."""
CUT_OFF = 0.6
"""What a view is worth of which the border hides a part, against a whole one."""


def worth(sighting: Sighting, width: int, height: int) -> float:
    """How well a view shows what it is of: sure, and large; a view that the border cuts off is worth less.

    Size counts by its square root up to a tenth of the picture, so that the approach of somebody from afar is followed by a few
    better views, not by hundreds.
    """
    x1, y1, x2, y2 = sighting.box
    share = max(0.0, x2 - x1) * max(0.0, y2 - y1) / (width * height)
    whole = x1 > EDGE_PX and y1 > EDGE_PX and x2 < width - EDGE_PX and y2 < height - EDGE_PX
    return sighting.score * math.sqrt(min(share, 0.1)) * (1.0 if whole else CUT_OFF)


@dataclass(slots=True)
class _Open:
    """One event that lasts. picture: encoded, better than what was kept, and not kept yet."""

    event: Event
    told_s: float
    scores: deque[float] = field(default_factory=lambda: deque(maxlen=SCORES_MAX))
    worth: float = 0.0
    best: Sighting | None = None
    picture: bytes = b""
    improved: bool = False


class EventLifecycle:
    """One pipeline. Used by the thread that tells events. encode: a frame as a JPEG, None where no pictures are kept."""

    def __init__(self, encode: Callable[[Frame], bytes] | None) -> None:
        self._encode = encode
        self._open: dict[str, _Open] = {}

    def began(self, event: Event, media_s: float) -> None:
        """An event is about to be told as new: from now on it is looked at."""
        if event.id and event.track_id is not None and len(self._open) < OPEN_MAX:
            self._open[event.id] = _Open(event, media_s)

    def look(self, frame: Frame, sightings: Sequence[Sighting]) -> list[tuple[Event, bytes]]:
        """Updates that are due after this frame, each with the better picture (empty: none is kept)."""
        if not self._open:
            return []
        now = {sighting.track_id: sighting for sighting in sightings}  # of a track the last one, which is of this frame
        due: list[tuple[Event, bytes]] = []
        for life in self._open.values():
            seen = now.get(life.event.track_id or 0)
            if seen is not None:
                life.scores.append(seen.score)
                if seen.frame == frame.index:
                    self._compare(life, seen, frame)
            if life.improved and frame.media_s - life.told_s >= UPDATE_S:
                life.told_s, life.improved = frame.media_s, False
                due.append((self._update(life, frame.media_s), life.picture))
                life.picture = b""
        return due

    def ends(self, event: Event) -> bytes:
        """An event is about to be told as over: what was learned is written into it. Its best picture, unless that is kept."""
        life = self._open.pop(event.id, None)
        if life is None:
            return b""
        _describe(event, life)
        return life.picture

    def _compare(self, life: _Open, seen: Sighting, frame: Frame) -> None:
        value = worth(seen, frame.width, frame.height)
        if life.best is not None and value < life.worth * BETTER:
            return
        first = life.best is None
        life.best, life.worth = seen, value
        if not first:  # the first view was kept with the beginning
            life.improved = True
            life.picture = self._encode(frame) if self._encode is not None else b""

    def _update(self, life: _Open, media_s: float) -> Event:
        event = replace(life.event, phase=EventPhase.UPDATE, data=dict(life.event.data))
        if life.event.start_s is not None:
            event.data["so_far_s"] = round(media_s - life.event.start_s, 3)
        _describe(event, life)
        return event


def _describe(event: Event, life: _Open) -> None:
    if life.scores:
        event.data["median_score"] = round(statistics.median(life.scores), 4)
    if life.best is not None:
        event.data["best"] = {
            "at_s": round(life.best.media_s, 4),
            "score": round(life.best.score, 4),
            "box": [round(edge, 1) for edge in life.best.box],
        }
