"""Rules about numbers of objects: periodic counts, occupancy changes, crowds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edgefleet_agent.vision.geometry import Place
from edgefleet_agent.vision.rules.base import EventRule, Scene
from edgefleet_agent.vision.rules.line import LineRule
from edgefleet_agent.vision.rules.stay import StayRule
from edgefleet_agent.vision.tracking.stays import Stays
from edgefleet_agent.vision.tracking.tracker import SAME_MOMENT_S, Sighting, TrackResult
from edgefleet_contract.pipeline.spec import RuleSpec
from edgefleet_contract.wire.messages import Event, EventPhase


class CountRule(EventRule):
    """Kind `count`: a report every `every_s` of the objects that another rule counts, and a last one at the end."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, counted: StayRule | LineRule) -> None:
        super().__init__(spec, scene, prefix)
        self._rule = counted
        self._since: tuple[int, float] | None = None

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        self._rule.step(step, sightings)
        if self._since is None:
            self._since = (step.frame, step.media_s)
        if step.media_s - self._since[1] < self.spec.every_s - SAME_MOMENT_S:
            return []
        return [self._report(self._since, step.frame, step.media_s, EventPhase.UPDATE)]

    def finish(self, frame: int, media_s: float) -> list[Event]:
        if self._since is None:
            return []
        return [self._report(self._since, frame, media_s, EventPhase.END)]

    def _report(self, since: tuple[int, float], frame: int, media_s: float, phase: EventPhase) -> Event:
        self._since = (frame, media_s)
        event = Event(
            kind="count",
            id=self._next_id(),
            phase=phase,
            zone=self.spec.zone,
            line=self.spec.line,
            start_frame=since[0],
            end_frame=frame,
            start_s=round(since[1], 4),
            end_s=round(media_s, 4),
        )
        if isinstance(self._rule, LineRule):
            event.count = sum(self._rule.totals.values())
            event.data = dict(self._rule.totals)
        else:
            event.count = self._rule.counted
            event.data = {"present": self._rule.present}
        return event


class OccupancyRule(EventRule):
    """Kind `occupancy`: the number of objects present, reported at each change. An arrival counts after `min_s`, a departure
    after `gap_s`."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, polygon: Sequence[Place] | None) -> None:
        super().__init__(spec, scene, prefix)
        self._present = Present(spec)
        self._polygon = polygon
        self._reported: int | None = None

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        now = self._present.step(step, [one for one in sightings if self._within(one, self._polygon)])
        if now == (self._reported or 0) and self._reported is not None:
            return []
        return [self._report(now, step.frame, step.media_s, EventPhase.UPDATE)]

    def finish(self, frame: int, media_s: float) -> list[Event]:
        events = [] if self._reported is None else [self._report(self._reported, frame, media_s, EventPhase.END)]
        self._present, self._reported = Present(self.spec), None
        return events

    def _report(self, now: int, frame: int, media_s: float, phase: EventPhase) -> Event:
        before, self._reported = self._reported, now
        return Event(
            kind="occupancy",
            id=self._next_id(),
            phase=phase,
            zone=self.spec.zone,
            start_frame=frame,
            end_frame=frame,
            start_s=round(media_s, 4),
            end_s=round(media_s, 4),
            count=now,
            data={} if before is None else {"before": before},
        )


@dataclass(slots=True)
class _Crowd:
    """An ongoing crowd. last_s, last_frame: when the limit was exceeded most recently."""

    event_id: str
    frame: int
    since_s: float
    last_frame: int
    last_s: float
    most: int
    reported: bool = False


class CrowdRule(EventRule):
    """Kind `crowd`: starts when more than `limit` objects are present for `min_s`, ends when this is not so for `gap_s`."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, polygon: Sequence[Place] | None) -> None:
        super().__init__(spec, scene, prefix)
        self._present = Present(spec)
        self._polygon = polygon
        self._crowd: _Crowd | None = None

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        now = self._present.step(step, [one for one in sightings if self._within(one, self._polygon)])
        crowd = self._crowd
        if now > self.spec.limit:
            if crowd is None:
                crowd = self._crowd = _Crowd(self._next_id(), step.frame, step.media_s, step.frame, step.media_s, now)
            crowd.last_frame, crowd.last_s, crowd.most = step.frame, step.media_s, max(crowd.most, now)
            if not crowd.reported and step.media_s - crowd.since_s >= self.spec.min_s - SAME_MOMENT_S:
                crowd.reported = True
                return [self._report(crowd, EventPhase.NEW)]
        elif crowd is not None and step.media_s - crowd.last_s >= self.spec.gap_s - SAME_MOMENT_S:
            self._crowd = None
            return [self._report(crowd, EventPhase.END)] if crowd.reported else []
        return []

    def finish(self, frame: int, media_s: float) -> list[Event]:
        del frame, media_s
        self._present = Present(self.spec)
        crowd, self._crowd = self._crowd, None
        return [self._report(crowd, EventPhase.END)] if crowd is not None and crowd.reported else []

    def _report(self, crowd: _Crowd, phase: EventPhase) -> Event:
        event = Event(
            kind="crowd",
            id=crowd.event_id,
            phase=phase,
            zone=self.spec.zone,
            start_frame=crowd.frame,
            start_s=round(crowd.since_s, 4),
            count=crowd.most,
            data={"limit": self.spec.limit},
        )
        if phase is EventPhase.END:
            event.end_frame, event.end_s = crowd.last_frame, round(crowd.last_s, 4)
        return event


class Present:
    """The number of objects present in an area."""

    def __init__(self, spec: RuleSpec) -> None:
        self._stays = Stays(spec.min_s, spec.gap_s)

    def step(self, step: TrackResult, there: Sequence[Sighting]) -> int:
        """Returns the number of objects present. there: the sightings of this step in the area."""
        seen = {sighting.track_id for sighting in there}
        for sighting in there:
            self._stays.present(sighting)
        for track_id in self._stays.tracks():
            if track_id not in seen:
                self._stays.absent(track_id, step.media_s)
        for track_id in step.ended:
            self._stays.end(track_id)
        return len(self._stays.announced())
