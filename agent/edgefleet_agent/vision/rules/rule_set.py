"""Tracks to events. One rule, one kind:

    visit      a track was in the picture, from when to when (over the borders of the picture: see `border`)
    zone       a track's anchor was inside a polygon: entry (phase new), exit (phase end), time between
    loiter     the same, told only of those who stay `after_s`
    line       a track's anchor went over a line, in which direction (`mode`: see `crossings`)
    count      every `every_s`: distinct tracks so far and how many are there now, in the picture, a zone, or over a line
    occupancy  how many are there, told each time that number has changed for `min_s`
    crowd      more than `limit` were there at once, from when to when, and how many at most
    speed      a track was faster than `limit_kmh` for `min_s`, and how fast at most; needs a [plane]

The anchor is the middle of the lower edge of the box (where a thing stands), or its centre for cameras that look straight down.
Stays shorter than `min_s` are no events; gaps under `gap_s` are closed. What stood there before anybody looked (`still`) begins
nothing. Pure: frames come with their own time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from edgefleet_agent.vision.geometry import scaled
from edgefleet_agent.vision.rules.base import EventRule, Scene
from edgefleet_agent.vision.rules.count import CountRule, CrowdRule, OccupancyRule
from edgefleet_agent.vision.rules.line import LineRule
from edgefleet_agent.vision.rules.speed import SpeedRule
from edgefleet_agent.vision.rules.stay import StayRule, VisitRule
from edgefleet_agent.vision.tracking.coverage import Coverage
from edgefleet_agent.vision.tracking.ground_plane import Speeds
from edgefleet_agent.vision.tracking.track_attributes import TrackAttributes
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.pipeline.spec import LineSpec, PipelineSpec, PlaneSpec, RuleSpec, ZoneSpec
from edgefleet_contract.wire.messages import Event

__all__ = ["RuleSet", "Scene"]


Ground = tuple[RuleSpec, ZoneSpec | None, LineSpec | None, PlaneSpec | None]


class RuleSet:
    """The rules of one pipeline over one source. `prefix` begins the ids of events and is different for every run. traits: what
    is known of the tracks, if anything is. before: what went before about the same tracks in pictures of the same size: rules
    that did not change go on with all they know, and are gone from there.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        scene: Scene,
        prefix: str = "",
        traits: TrackAttributes | None = None,
        before: RuleSet | None = None,
    ) -> None:
        self._pipeline = spec.name
        self._labels = scene.labels
        self._traits = traits
        self.plane, self.period_s = spec.plane, scene.period_s
        self.coverage = Coverage(scene.period_s)
        self.speeds = Speeds(spec.plane, scene.width, scene.height) if spec.plane is not None else None
        if before is not None and before.period_s == scene.period_s:
            self.coverage = before.coverage
        if before is not None and before.plane == spec.plane:
            self.speeds = before.speeds
        self._grounds = [_ground(rule, spec) for rule in spec.rules]
        self._rules = [
            (before.give(ground) if before is not None else None)
            or _rule(rule, spec, scene, f"{prefix}{rule.name}-", self.speeds)
            for rule, ground in zip(spec.rules, self._grounds, strict=True)
        ]

    def step(self, step: TrackResult) -> list[Event]:
        """Take what one looked-at frame told."""
        self.coverage.looked(step.media_s)
        if self.speeds is not None:
            self.speeds.take(step.sightings, step.gone)
        events: list[Event] = []
        for rule in self._rules:
            events += self._signed(rule, rule.step(step, self._chosen(rule.spec, step.sightings)))
        if self._traits is not None:
            self._traits.forget(step.gone)
        return events

    def quiet(self, media_s: float) -> None:
        """A frame was looked at, and nothing moved in it."""
        self.coverage.looked(media_s)

    def finish(self, frame: int, media_s: float) -> list[Event]:
        """The source has ended at this frame: what goes on, ends."""
        events: list[Event] = []
        for rule in self._rules:
            events += self._signed(rule, rule.finish(frame, media_s))
        return events

    def give(self, ground: Ground) -> EventRule | None:
        """Let go of the rule that stands on the same ground."""
        if ground not in self._grounds:
            return None
        place = self._grounds.index(ground)
        del self._grounds[place]
        return self._rules.pop(place)

    def _chosen(self, spec: RuleSpec, sightings: Sequence[Sighting]) -> Sequence[Sighting]:
        """Those that the rule is about."""
        if spec.labels:
            sightings = [one for one in sightings if self._labels[one.class_id] in spec.labels]
        if spec.still == "ignore":
            sightings = [one for one in sightings if not one.still]
        traits = self._traits
        if spec.where and traits is not None:
            asked = spec.where.items()
            sightings = [one for one in sightings if all(traits.label(one.track_id, name) in good for name, good in asked)]
        return sightings

    def _signed(self, rule: EventRule, events: list[Event]) -> list[Event]:
        for event in events:
            event.pipeline, event.rule = self._pipeline, rule.spec.name
            if event.start_s is not None and event.end_s is not None:
                event.coverage = self.coverage.between(event.start_s, event.end_s)
            told: dict[str, Any] = self._traits.of(event.track_id) if self._traits is not None else {}
            if told:
                event.data["attributes"] = told
        return events


def _ground(rule: RuleSpec, spec: PipelineSpec) -> Ground:
    """Everything that decides what a rule tells."""
    zone = next((zone for zone in spec.zones if zone.name == rule.zone), None)
    line = next((line for line in spec.lines if line.name == rule.line), None)
    return rule, zone, line, spec.plane


def _rule(rule: RuleSpec, spec: PipelineSpec, scene: Scene, prefix: str, speeds: Speeds | None) -> EventRule:
    """The rule of a spec; `check_pipeline` has made sure that its zone and line exist."""
    zones = {zone.name: zone for zone in spec.zones}
    lines = {line.name: line for line in spec.lines}
    polygon = scaled(zones[rule.zone].polygon, scene.width, scene.height) if rule.zone else None
    if rule.kind == "line" or (rule.kind == "count" and rule.line):
        crossings = LineRule(rule, scene, prefix, lines[rule.line], speeds)
        return CountRule(rule, scene, prefix, crossings) if rule.kind == "count" else crossings
    if rule.kind == "speed":
        assert speeds is not None
        return SpeedRule(rule, scene, prefix, polygon, speeds)
    if rule.kind == "visit":
        return VisitRule(rule, scene, prefix, polygon)
    if rule.kind == "occupancy":
        return OccupancyRule(rule, scene, prefix, polygon)
    if rule.kind == "crowd":
        return CrowdRule(rule, scene, prefix, polygon)
    stays = StayRule(rule, scene, prefix, polygon)
    return CountRule(rule, scene, prefix, stays) if rule.kind == "count" else stays
