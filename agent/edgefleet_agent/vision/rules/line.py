"""The rule for line crossings: track and direction."""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_agent.vision.geometry import LineSegment, scaled
from edgefleet_agent.vision.rules.base import EventRule, Scene
from edgefleet_agent.vision.tracking.ground_plane import Speeds
from edgefleet_agent.vision.tracking.line_crossings import MODES, LineCrossings
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.pipeline.spec import LineSpec, RuleSpec
from edgefleet_contract.wire.messages import Event


class LineRule(EventRule):
    """Kind `line`: crossings, each with its direction and the number of crossings in that direction so far, and the speed if a
    ground plane is configured."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str, line: LineSpec, speeds: Speeds | None) -> None:
        super().__init__(spec, scene, prefix)
        start, end = scaled(line.points, scene.width, scene.height)
        self._crossings = LineCrossings(LineSegment(start, end), MODES[spec.mode])
        self._speeds = speeds
        self._names = {True: line.forward, False: line.backward}
        self.totals = {line.forward: 0, line.backward: 0}

    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        events = []
        for sighting in sightings:
            crossing = self._crossings.move(sighting, self._anchor(sighting))
            if crossing is None:
                continue
            direction = self._names[crossing.forward]
            self.totals[direction] += 1
            at_s = round(crossing.media_s, 4)
            event = self._event(
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
            kmh = self._speeds.kmh(sighting.track_id) if self._speeds is not None else None
            if kmh is not None:
                event.data["speed_kmh"] = round(kmh, 1)
            events.append(event)
        for track_id in step.ended:
            self._crossings.forget(track_id)
        return events

    def finish(self, frame: int, media_s: float) -> list[Event]:
        del frame, media_s
        return []
