"""Tracks to events: visits, zones, lines and counts.

    visit   a track was in the picture, from when to when (over the borders of the picture: see `border`)
    zone    a track's anchor was inside a polygon: entry (phase new), exit (phase end), time between
    line    a track's anchor went over a line, in which direction
    count   every `every_s`: distinct tracks so far and how many are there now, in the picture, a zone, or over a line

The anchor is the middle of the lower edge of the box (where a thing stands), or its centre for cameras that look straight down.
Stays shorter than `min_s` are no events; gaps under `gap_s` are closed. Pure: frames come with their own time.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.contract.messages import Event, EventPhase
from agent.contract.pipeline import LineSpec, PipelineSpec, RuleSpec, ZoneSpec
from agent.vision.border import lag_s, lead_s
from agent.vision.coverage import Coverage
from agent.vision.crossings import Crossings
from agent.vision.geometry import Line, Place, inside, scaled
from agent.vision.stays import Stay, Stays
from agent.vision.track import SAME_MOMENT_S, Sighting, TrackStep


@dataclass(frozen=True, slots=True)
class Scene:
    """What rules know besides tracks. labels: class id -> label, may grow. period_s: time between looks when nothing is lost."""

    width: int
    height: int
    period_s: float
    labels: Sequence[str]


class RuleSet:
    """The rules of one pipeline over one source. `prefix` begins the ids of events and is different for every run."""

    def __init__(self, spec: PipelineSpec, scene: Scene, prefix: str = "") -> None:
        self._pipeline = spec.name
        self._labels = scene.labels
        self._coverage = Coverage(scene.period_s)
        zones = {zone.name: zone for zone in spec.zones}
        lines = {line.name: line for line in spec.lines}
        self._rules = [_rule(rule, scene, zones, lines, f"{prefix}{rule.name}-") for rule in spec.rules]

    def step(self, step: TrackStep) -> list[Event]:
        """Take what one looked-at frame told."""
        self._coverage.looked(step.media_s)
        events: list[Event] = []
        for rule in self._rules:
            wanted = rule.spec.labels
            chosen = [s for s in step.sightings if not wanted or self._labels[s.class_id] in wanted]
            events += self._signed(rule, rule.step(step, chosen))
        return events

    def quiet(self, media_s: float) -> None:
        """A frame was looked at, and nothing moved in it."""
        self._coverage.looked(media_s)

    def finish(self, frame: int, media_s: float) -> list[Event]:
        """The source has ended at this frame: what goes on, ends."""
        events: list[Event] = []
        for rule in self._rules:
            events += self._signed(rule, rule.finish(frame, media_s))
        return events

    def _signed(self, rule: Rule, events: list[Event]) -> list[Event]:
        for event in events:
            event.pipeline, event.rule = self._pipeline, rule.spec.name
            if event.start_s is not None and event.end_s is not None:
                event.coverage = self._coverage.between(event.start_s, event.end_s)
        return events


class Rule(ABC):
    """One rule. Gets every step, with the sightings of the labels it wants."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str) -> None:
        self.spec = spec
        self._scene = scene
        self._prefix = prefix
        self._numbered = 0

    @abstractmethod
    def step(self, step: TrackStep, sightings: Sequence[Sighting]) -> list[Event]:
        """Events that this step completes or begins."""

    @abstractmethod
    def finish(self, frame: int, media_s: float) -> list[Event]:
        """Events that the end of the source completes."""

    def _next_id(self) -> str:
        self._numbered += 1
        return f"{self._prefix}{self._numbered}"

    def _anchor(self, sighting: Sighting) -> Place:
        x1, y1, x2, y2 = sighting.box
        return (x1 + x2) / 2, (y1 + y2) / 2 if self.spec.anchor == "center" else y2

    def _event(self, sighting: Sighting, **fields: Any) -> Event:
        return Event(
            kind=self.spec.kind,
            label=self._scene.labels[sighting.class_id],
            track_id=sighting.track_id,
            zone=self.spec.zone,
            line=self.spec.line,
            **fields,
        )


class StayRule(Rule):
    """Kind `zone`: a track's anchor inside a polygon."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, polygon: Sequence[Place] | None) -> None:
        super().__init__(spec, scene, prefix)
        self._polygon = polygon
        self._stays = Stays(spec.min_s, spec.gap_s)
        self._counted = 0

    @property
    def counted(self) -> int:
        """Stays that counted so far."""
        return self._counted

    @property
    def present(self) -> int:
        """Those going on now."""
        return len(self._stays.announced())

    def step(self, step: TrackStep, sightings: Sequence[Sighting]) -> list[Event]:
        events: list[Event] = []
        seen = set()
        for sighting in sightings:
            if self._polygon is None or inside(self._anchor(sighting), self._polygon):
                seen.add(sighting.track_id)
                begun = self._stays.present(sighting)
                if begun is not None:
                    events.append(self._begin(begun))
            else:
                seen.discard(sighting.track_id)
                events += self._end(self._stays.absent(sighting.track_id, sighting.media_s), step)
        for track_id in self._stays.tracks():
            if track_id not in seen:
                events += self._end(self._stays.absent(track_id, step.media_s), step)
        for track_id in step.gone:
            events += self._end(self._stays.end(track_id), step)
        return events

    def finish(self, frame: int, media_s: float) -> list[Event]:
        events: list[Event] = []
        for track_id in self._stays.tracks():
            events += self._end(self._stays.end(track_id), TrackStep(frame, media_s))
        return events

    def _begin(self, stay: Stay) -> Event:
        self._counted += 1
        stay.event_id = self._next_id()
        return self._stay_event(stay, EventPhase.NEW, stay.end.frame)

    def _end(self, stay: Stay | None, step: TrackStep) -> list[Event]:
        return [] if stay is None else [self._stay_event(stay, EventPhase.END, step.frame)]

    def _stay_event(self, stay: Stay, phase: EventPhase, now_frame: int) -> Event:
        """`now_frame` bounds what may be said about the end: nothing is told of frames that have not been seen."""
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
            if self.spec.kind == "zone":
                event.data["dwell_s"] = round(event.end_s - start_s, 4)
        return event

    def _outside_frames(self, stay: Stay) -> tuple[int, int]:
        """Frames to add before the first sighting and after the last; a zone adds none."""
        del stay
        return 0, 0


class VisitRule(StayRule):
    """Kind `visit`: a track in the picture, its way over the borders included."""

    def _outside_frames(self, stay: Stay) -> tuple[int, int]:
        frame_s = stay.frame_s()
        if not frame_s:
            return 0, 0
        width, height = self._scene.width, self._scene.height
        # Rounded down: at the very moment of the crossing nothing is visible yet.
        return (
            math.floor(lead_s(stay.first, width, height) / frame_s + 1e-6),
            math.floor(lag_s(list(stay.last), width, height) / frame_s + 1e-6),
        )


class LineRule(Rule):
    """Kind `line`: crossings, each with its direction and the number of crossings in that direction so far."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, line: LineSpec) -> None:
        super().__init__(spec, scene, prefix)
        start, end = scaled(line.points, scene.width, scene.height)
        self._crossings = Crossings(Line(start, end))
        self._names = {True: line.forward, False: line.backward}
        self.totals = {line.forward: 0, line.backward: 0}

    def step(self, step: TrackStep, sightings: Sequence[Sighting]) -> list[Event]:
        events = []
        for sighting in sightings:
            crossing = self._crossings.move(sighting, self._anchor(sighting))
            if crossing is None:
                continue
            direction = self._names[crossing.forward]
            self.totals[direction] += 1
            at_s = round(crossing.media_s, 4)
            events.append(
                self._event(
                    sighting,
                    id=self._next_id(),
                    start_frame=crossing.frame,
                    end_frame=crossing.frame,
                    start_s=at_s,
                    end_s=at_s,
                    direction=direction,
                    count=self.totals[direction],
                    score=round(sighting.score, 4),
                    box=[round(edge, 1) for edge in sighting.box],
                )
            )
        for track_id in step.gone:
            self._crossings.forget(track_id)
        return events

    def finish(self, frame: int, media_s: float) -> list[Event]:
        del frame, media_s
        return []


class CountRule(Rule):
    """Kind `count`: a report every `every_s` of what another rule counts, and a last one at the end."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, counted: StayRule | LineRule) -> None:
        super().__init__(spec, scene, prefix)
        self._rule = counted
        self._since: tuple[int, float] | None = None

    def step(self, step: TrackStep, sightings: Sequence[Sighting]) -> list[Event]:
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


def _rule(spec: RuleSpec, scene: Scene, zones: dict[str, ZoneSpec], lines: dict[str, LineSpec], prefix: str) -> Rule:
    """The rule of `spec`; `check_pipeline` has made sure that its zone and line exist."""
    if spec.kind == "visit":
        return VisitRule(spec, scene, prefix, None)
    counted: StayRule | LineRule
    if spec.kind == "line" or (spec.kind == "count" and spec.line):
        counted = LineRule(spec, scene, prefix, lines[spec.line])
    else:
        polygon = scaled(zones[spec.zone].polygon, scene.width, scene.height) if spec.zone else None
        counted = StayRule(spec, scene, prefix, polygon)
    return CountRule(spec, scene, prefix, counted) if spec.kind == "count" else counted
