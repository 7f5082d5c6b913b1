"""Tracks open events: the best view so far, the median of the scores, and the time of the next update.

The first view of an event is rarely its best one. The tracked object is compared in every frame until the event ends: its best
view (high score, large, not cut off) becomes the snapshot, announced by an event of phase `update`, at most every `UPDATE_S`.
Updates stay on the device (event store, local API); the server gets the start, and the end with the statistics of the whole
event. Pure, except for the encoding of a better view.
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
"""Limit of open events with updates; events above it have a start and an end only."""
UPDATE_S = 5.0
"""Shortest interval between two updates of an event, and thus between two stored views."""
BETTER = 1.1
"""Factor by which the quality of a view must exceed the best one to replace it."""
SCORES_MAX = 600
"""The median is of this many newest scores: a minute at ten frames a second."""
EDGE_PX = 2.0
"""Boxes nearer than this to the border of the picture count as cut off."""
CUT_OFF = 0.6
"""Quality factor of a view that is cut off by the border."""


def view_quality(sighting: Sighting, width: int, height: int) -> float:
    """Quality of a view: score times size, less if the border cuts it off.

    The size factor is the square root of the area, up to a tenth of the picture, so that an approaching object gives a few better
    views, not hundreds.
    """
    x1, y1, x2, y2 = sighting.box
    share = max(0.0, x2 - x1) * max(0.0, y2 - y1) / (width * height)
    whole = x1 > EDGE_PX and y1 > EDGE_PX and x2 < width - EDGE_PX and y2 < height - EDGE_PX
    return sighting.score * math.sqrt(min(share, 0.1)) * (1.0 if whole else CUT_OFF)


@dataclass(slots=True)
class _OpenEvent:
    """One open event. picture: the best view as a JPEG; empty once stored, or if there is none."""

    event: Event
    updated_s: float
    scores: deque[float] = field(default_factory=lambda: deque(maxlen=SCORES_MAX))
    view_quality: float = 0.0
    best: Sighting | None = None
    picture: bytes = b""
    improved: bool = False


class EventLifecycle:
    """Open events of one pipeline. Used by the thread that publishes events. encode: frame to JPEG; None without snapshots."""

    def __init__(self, encode: Callable[[Frame], bytes] | None) -> None:
        self._encode = encode
        self._open: dict[str, _OpenEvent] = {}

    def on_new(self, event: Event, media_s: float) -> None:
        """Start to track a new event."""
        if event.id and event.track_id is not None and len(self._open) < OPEN_MAX:
            self._open[event.id] = _OpenEvent(event, media_s)

    def on_frame(self, frame: Frame, sightings: Sequence[Sighting]) -> list[tuple[Event, bytes]]:
        """Updates that are due after this frame, each with its better picture (empty without snapshots)."""
        if not self._open:
            return []
        now = {sighting.track_id: sighting for sighting in sightings}  # the last one of each track, which is of this frame
        due: list[tuple[Event, bytes]] = []
        for entry in self._open.values():
            seen = now.get(entry.event.track_id or 0)
            if seen is not None:
                entry.scores.append(seen.score)
                if seen.frame == frame.index:
                    self._compare(entry, seen, frame)
            if entry.improved and frame.media_s - entry.updated_s >= UPDATE_S:
                entry.updated_s, entry.improved = frame.media_s, False
                due.append((self._update(entry, frame.media_s), entry.picture))
                entry.picture = b""
        return due

    def on_end(self, event: Event) -> bytes:
        """Write the statistics into an event that ends. Returns its best picture; empty if that is stored already."""
        entry = self._open.pop(event.id, None)
        if entry is None:
            return b""
        _describe(event, entry)
        return entry.picture

    def _compare(self, entry: _OpenEvent, seen: Sighting, frame: Frame) -> None:
        value = view_quality(seen, frame.width, frame.height)
        if entry.best is not None and value < entry.view_quality * BETTER:
            return
        first = entry.best is None
        entry.best, entry.view_quality = seen, value
        if not first:  # the first view was stored when the event started
            entry.improved = True
            entry.picture = self._encode(frame) if self._encode is not None else b""

    def _update(self, entry: _OpenEvent, media_s: float) -> Event:
        event = replace(entry.event, phase=EventPhase.UPDATE, data=dict(entry.event.data))
        if entry.event.start_s is not None:
            event.data["so_far_s"] = round(media_s - entry.event.start_s, 3)
        _describe(event, entry)
        return event


def _describe(event: Event, entry: _OpenEvent) -> None:
    if entry.scores:
        event.data["median_score"] = round(statistics.median(entry.scores), 4)
    if entry.best is not None:
        event.data["best"] = {
            "at_s": round(entry.best.media_s, 4),
            "score": round(entry.best.score, 4),
            "box": [round(edge, 1) for edge in entry.best.box],
        }
