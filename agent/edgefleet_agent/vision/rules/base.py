"""Base of all rules: spec, scene, event ids, and the anchor point of a box."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from edgefleet_agent.vision.geometry import Place, inside
from edgefleet_agent.vision.tracking.false_positive_filter import anchor_of
from edgefleet_agent.vision.tracking.tracker import Sighting, TrackResult
from edgefleet_contract.pipeline.spec import RuleSpec
from edgefleet_contract.wire.messages import Event


@dataclass(frozen=True, slots=True)
class Scene:
    """Context of rules besides tracks. labels: class id -> label, may grow. period_s: time between analysed frames without
    loss."""

    width: int
    height: int
    period_s: float
    labels: Sequence[str]


class EventRule(ABC):
    """One rule. Receives every step, with the sightings of the labels that it covers."""

    def __init__(self, spec: RuleSpec, scene: Scene, prefix: str) -> None:
        self.spec = spec
        self._scene = scene
        self._prefix = prefix
        self._numbered = 0

    @abstractmethod
    def step(self, step: TrackResult, sightings: Sequence[Sighting]) -> list[Event]:
        """Events that this step starts or ends."""

    @abstractmethod
    def finish(self, frame: int, media_s: float) -> list[Event]:
        """Events that end at the source's last frame, or at the last one before it was lost; `step` may follow."""

    def _next_id(self) -> str:
        self._numbered += 1
        return f"{self._prefix}{self._numbered}"

    def _anchor(self, sighting: Sighting) -> Place:
        return anchor_of(sighting.steady_box, self.spec.anchor)

    def _within(self, sighting: Sighting, polygon: Sequence[Place] | None) -> bool:
        return polygon is None or inside(self._anchor(sighting), polygon)

    def _event(self, sighting: Sighting, **fields: Any) -> Event:
        return Event(
            kind=self.spec.kind,
            label=self._scene.labels[sighting.class_id],
            track_id=sighting.track_id,
            zone=self.spec.zone,
            line=self.spec.line,
            **fields,
        )
