"""Rules about the duration of stays: visits, zones, loitering."""

from __future__ import annotations

import math
from collections.abc import Sequence

from edgefleet_agent.vision.geometry import Place
from edgefleet_agent.vision.rules.base import EventRule, Scene
from edgefleet_agent.vision.tracking.edge_times import lag_s, lead_s
from edgefleet_agent.vision.tracking.stays import Stay, Stays
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.pipeline.spec import RuleSpec
from edgefleet_contract.wire.messages import Event, EventPhase


class StayRule(EventRule):
    """Kinds `zone` and `loiter`: a track's anchor inside a polygon, or in the picture."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, polygon: Sequence[Place] | None) -> None:
        super().__init__(spec, scene, prefix)
        self._polygon = polygon
        self._stays = Stays(max(spec.min_s, spec.after_s) if spec.kind == "loiter" else spec.min_s, spec.gap_s)
        self._counted = 0

    @property
    def counted(self) -> int:
        """Number of stays so far."""
        return self._counted

    @property
    def present(self) -> int:
        """Number of ongoing stays."""
        return len(self._stays.announced())

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        events: list[Event] = []
        seen = set()
        for sighting in sightings:
            if sighting.known:  # it was present before the start
                continue
            if self._within(sighting, self._polygon):
                seen.add(sighting.track_id)
                started = self._stays.present(sighting)
                if started is not None:
                    events.append(self._begin(started))
            else:
                seen.discard(sighting.track_id)
                events += self._end(self._stays.absent(sighting.track_id, sighting.media_s), step)
        for track_id in self._stays.tracks():
            if track_id not in seen:
                events += self._end(self._stays.absent(track_id, step.media_s), step)
        for track_id in step.ended:
            events += self._end(self._stays.end(track_id), step)
        return events

    def finish(self, frame: int, media_s: float) -> list[Event]:
        events: list[Event] = []
        for track_id in self._stays.tracks():
            events += self._end(self._stays.end(track_id), TrackResult(frame, media_s))
        return events

    def _begin(self, stay: Stay) -> Event:
        self._counted += 1
        stay.event_id = self._next_id()
        return self._stay_event(stay, EventPhase.NEW, stay.end.frame)

    def _end(self, stay: Stay | None, step: TrackResult) -> list[Event]:
        return [] if stay is None else [self._stay_event(stay, EventPhase.END, step.frame)]

    def _stay_event(self, stay: Stay, phase: EventPhase, now_frame: int) -> Event:
        """The event of a stay. `now_frame` limits the reported end: an event never ends in a future frame."""
        before, after = self._outside_frames(stay)
        start_frame = max(0, stay.start.frame - before)
        start_s = max(0.0, stay.start.media_s - before * stay.frame_s())
        event = self._event(
            stay.end,
            id=stay.event_id,
            phase=phase,
            start_frame=start_frame,
            start_s=round(start_s, 4),
            score=round(stay.best.score, 4),
            box=[round(edge, 1) for edge in stay.best.box],
            count=self._counted,
        )
        if phase is EventPhase.END:
            event.end_frame = min(stay.end.frame + after, max(now_frame, stay.end.frame))
            added = event.end_frame - stay.end.frame
            event.end_s = round(stay.end.media_s + added * stay.frame_s(), 4)
            event.data = {"first_seen_frame": stay.start.frame, "last_seen_frame": stay.end.frame}
            if self.spec.kind in ("zone", "loiter"):
                event.data["dwell_s"] = round(event.end_s - start_s, 4)
        return event

    def _outside_frames(self, stay: Stay) -> tuple[int, int]:
        """Frames to add before the first sighting and after the last; a zone adds none."""
        del stay
        return 0, 0


class VisitRule(StayRule):
    """Kind `visit`: a track in the picture, including its way over the borders."""

    def _outside_frames(self, stay: Stay) -> tuple[int, int]:
        frame_s = stay.frame_s()
        if not frame_s:
            return 0, 0
        width, height = self._scene.width, self._scene.height
        # Rounded down: at the moment of the crossing nothing is visible yet.
        return (
            math.floor(lead_s(stay.first, width, height) / frame_s + 1e-6),
            math.floor(lag_s(list(stay.last), width, height) / frame_s + 1e-6),
        )
