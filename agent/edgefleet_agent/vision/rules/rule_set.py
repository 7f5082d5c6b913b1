"""Converts tracks to events. Each rule has one kind:

    visit      a track was in the picture, from when to when (over the borders of the picture: see `edge_times`)
    zone       a track's anchor was inside a polygon: entry (phase new), exit (phase end), time between
    loiter     as zone, but only for stays of `after_s` or longer
    line       a track's anchor crossed a line, in which direction (`mode`: see `line_crossings`)
    count      every `every_s`: distinct tracks so far and tracks present now, in the picture, a zone, or over a line
    occupancy  tracks present, reported each time that number has changed for `min_s`
    crowd      more than `limit` were present at once, from when to when, and how many at most
    speed      a track was faster than `limit_kmh` for `min_s`, and how fast at most; needs a [plane]

The anchor is the middle of the lower edge of the box (where an object stands), or its centre for cameras that point straight
down. Stays shorter than `min_s` are no events; gaps under `gap_s` are closed. Objects known as stationary from before
(`stationary`) start no stay. Pure: frames come with their own time.
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


RuleInputs = tuple[RuleSpec, ZoneSpec | None, LineSpec | None, PlaneSpec | None]


class RuleSet:
    """The rules of one pipeline over one source. `prefix` starts the ids of events and is different for every run. traits:
    attributes of the tracks, if any. before: the previous rules for the same tracks in pictures of the same size: unchanged rules
    are moved from there with their state.
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
        self._inputs = [_rule_inputs(rule, spec) for rule in spec.rules]
        self._rules = [
            (before.release(inputs) if before is not None else None)
            or _rule(rule, spec, scene, f"{prefix}{rule.name}-", self.speeds)
            for rule, inputs in zip(spec.rules, self._inputs, strict=True)
        ]

    def step(self, step: TrackResult) -> list[Event]:
        """Process the tracks of one analysed frame."""
        self.coverage.sample(step.media_s)
        if self.speeds is not None:
            self.speeds.update(step.sightings, step.ended)
        events: list[Event] = []
        for rule in self._rules:
            events += self._with_context(rule, rule.step(step, self._chosen(rule.spec, step.sightings)))
        if self._traits is not None:
            self._traits.forget(step.ended)
        return events

    def quiet(self, media_s: float) -> None:
        """Process an analysed frame without motion."""
        self.coverage.sample(media_s)

    def finish(self, frame: int, media_s: float) -> list[Event]:
        """End ongoing events at the source's last frame, or at the last one before it was lost; `step` may follow."""
        events: list[Event] = []
        for rule in self._rules:
            events += self._with_context(rule, rule.finish(frame, media_s))
        return events

    def release(self, inputs: RuleInputs) -> EventRule | None:
        """Hand over the rule with the same inputs."""
        if inputs not in self._inputs:
            return None
        index = self._inputs.index(inputs)
        del self._inputs[index]
        return self._rules.pop(index)

    def _chosen(self, spec: RuleSpec, sightings: Sequence[Sighting]) -> Sequence[Sighting]:
        """Sightings that the rule covers."""
        if spec.labels:
            sightings = [one for one in sightings if self._labels[one.class_id] in spec.labels]
        if spec.stationary == "ignore":
            sightings = [one for one in sightings if not one.stationary]
        traits = self._traits
        if spec.where and traits is not None:
            required = spec.where.items()
            sightings = [one for one in sightings if all(traits.label(one.track_id, name) in good for name, good in required)]
        return sightings

    def _with_context(self, rule: EventRule, events: list[Event]) -> list[Event]:
        for event in events:
            event.pipeline, event.rule = self._pipeline, rule.spec.name
            if event.start_s is not None and event.end_s is not None:
                event.coverage = self.coverage.between(event.start_s, event.end_s)
            attributes: dict[str, Any] = self._traits.of(event.track_id) if self._traits is not None else {}
            if attributes:
                event.data["attributes"] = attributes
        return events


def _rule_inputs(rule: RuleSpec, spec: PipelineSpec) -> RuleInputs:
    """All configuration that determines a rule's events."""
    zone = next((zone for zone in spec.zones if zone.name == rule.zone), None)
    line = next((line for line in spec.lines if line.name == rule.line), None)
    return rule, zone, line, spec.plane


def _rule(rule: RuleSpec, spec: PipelineSpec, scene: Scene, prefix: str, speeds: Speeds | None) -> EventRule:
    """The rule of a spec; `check_pipeline` has verified that its zone and line exist."""
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
