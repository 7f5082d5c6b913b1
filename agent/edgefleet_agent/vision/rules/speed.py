"""The rule for speed over a calibrated ground plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edgefleet_agent.vision.geometry import Place
from edgefleet_agent.vision.rules.base import EventRule, Scene
from edgefleet_agent.vision.tracking.ground_plane import Speeds
from edgefleet_agent.vision.tracking.tracker import SAME_MOMENT_S, Sighting, TrackResult
from edgefleet_contract.pipeline.spec import RuleSpec
from edgefleet_contract.wire.messages import Event, EventPhase


@dataclass(slots=True)
class _Run:
    """A track above the limit. last: its most recent sighting above the limit."""

    event_id: str
    first: Sighting
    last: Sighting
    top_kmh: float
    reported: bool = False


class SpeedRule(EventRule):
    """Kind `speed`: faster than `limit_kmh` for `min_s`, in the picture or a zone."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, polygon: Sequence[Place] | None, speeds: Speeds) -> None:
        super().__init__(spec, scene, prefix)
        self._polygon = polygon
        self._speeds = speeds
        self._runs: dict[int, _Run] = {}

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        events: list[Event] = []
        for sighting in sightings:
            kmh = self._speeds.kmh(sighting.track_id) if self._within(sighting, self._polygon) else None
            if kmh is not None and kmh > self.spec.limit_kmh:
                events += self._fast(sighting, kmh)
        for number, run in list(self._runs.items()):
            if number in step.ended or step.media_s - run.last.media_s >= self.spec.gap_s - SAME_MOMENT_S:
                events += self._end(number)
        return events

    def finish(self, frame: int, media_s: float) -> list[Event]:
        del frame, media_s
        return [event for number in list(self._runs) for event in self._end(number)]

    def _fast(self, sighting: Sighting, kmh: float) -> list[Event]:
        run = self._runs.get(sighting.track_id)
        if run is None:
            run = self._runs[sighting.track_id] = _Run(self._next_id(), sighting, sighting, kmh)
        run.last, run.top_kmh = sighting, max(run.top_kmh, kmh)
        if run.reported or sighting.media_s - run.first.media_s < self.spec.min_s - SAME_MOMENT_S:
            return []
        run.reported = True
        return [self._report(run, EventPhase.NEW)]

    def _end(self, number: int) -> list[Event]:
        run = self._runs.pop(number)
        return [self._report(run, EventPhase.END)] if run.reported else []

    def _report(self, run: _Run, phase: EventPhase) -> Event:
        event = self._event(
            run.last,
            id=run.event_id,
            phase=phase,
            start_frame=run.first.frame,
            start_s=round(run.first.media_s, 4),
            score=round(run.last.score, 4),
            box=[round(edge, 1) for edge in run.last.box],
            data={"top_kmh": round(run.top_kmh, 1), "limit_kmh": self.spec.limit_kmh},
        )
        if phase is EventPhase.END:
            event.end_frame, event.end_s = run.last.frame, round(run.last.media_s, 4)
        return event
