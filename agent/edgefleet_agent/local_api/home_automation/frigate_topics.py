"""The topics that users of Frigate know, and what stands in them. Pure: names and values in, messages out.

    PREFIX/available                     online, offline (the last will)
    PREFIX/events                        {"type": new|update|end, "before": ..., "after": ...}
    PREFIX/stats                         rates by camera
    PREFIX/CAMERA/LABEL                  how many are in the picture now; CAMERA is the pipeline
    PREFIX/ZONE/LABEL                    how many are in the zone now, where a rule of kind zone looks at it
    PREFIX/CAMERA/ZONE/LABEL             the same of a zone whose name another camera or a zone of it has, too
    PREFIX/CAMERA/LABEL/snapshot         JPEG, cut out around the newest of them
    PREFIX/CAMERA/status/detect          online, offline: whether the camera is seen now
    PREFIX/CAMERA/SWITCH/set             ON, OFF: detect, motion, recordings, snapshots
    PREFIX/CAMERA/SWITCH/state           ON, OFF: what holds

Ours, in the same manner:

    PREFIX/CAMERA/snapshot               JPEG, the whole picture of the newest event
    PREFIX/CAMERA/LINE/DIRECTION         crossings so far
    PREFIX/PIPELINE/RULE                 ON, OFF: an anomaly of a sensor goes on
    PREFIX/CAMERA/trigger/set            seconds for which gates stand open (ON: ten), OFF
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase

_NOT_IN_TOPICS = re.compile(r"[/+#$\x00-\x1f]")


def word(text: str) -> str:
    """A label as one level of a topic."""
    return _NOT_IN_TOPICS.sub("_", text)[:100] or "_"


@dataclass(frozen=True, slots=True)
class FrigateTopics:
    """Names under one prefix."""

    prefix: str

    @property
    def available(self) -> str:
        return f"{self.prefix}/available"

    @property
    def events(self) -> str:
        return f"{self.prefix}/events"

    @property
    def stats(self) -> str:
        return f"{self.prefix}/stats"

    def count(self, place: str, label: str) -> str:
        """place: a camera or what stands for a zone."""
        return f"{self.prefix}/{place}/{word(label)}"

    def label_snapshot(self, camera: str, label: str) -> str:
        return f"{self.prefix}/{camera}/{word(label)}/snapshot"

    def snapshot(self, camera: str) -> str:
        return f"{self.prefix}/{camera}/snapshot"

    def status(self, camera: str) -> str:
        return f"{self.prefix}/{camera}/status/detect"

    @property
    def sets(self) -> str:
        """Where all commands come."""
        return f"{self.prefix}/+/+/set"

    def command(self, camera: str, name: str) -> str:
        return f"{self.prefix}/{camera}/{name}/set"

    def commanded(self, topic: str) -> tuple[str, str] | None:
        """Camera and name of a command; None for another topic."""
        levels = topic.removeprefix(f"{self.prefix}/").split("/")
        return (levels[0], levels[1]) if len(levels) == 3 and levels[2] == "set" else None

    def switched(self, camera: str, name: str) -> str:
        return f"{self.prefix}/{camera}/{name}/state"

    def crossings(self, camera: str, line: str, direction: str) -> str:
        return f"{self.prefix}/{camera}/{line}/{word(direction)}"

    def alarm(self, pipeline: str, rule: str) -> str:
        return f"{self.prefix}/{pipeline}/{rule}"


Places = dict[tuple[str, str], str]
"""What stands for a camera's zone in topics, by camera and zone."""


def zone_places(specs: Iterable[PipelineSpec]) -> Places:
    """The zone's own name, as Frigate has it, where nothing else is called so."""
    zones = {(spec.name, rule.zone): None for spec in specs for rule in spec.rules if rule.kind == "zone"}
    names = Counter([*(zone for _, zone in zones), *(spec.name for spec in specs)])
    return {(camera, zone): zone if names[zone] == 1 else f"{camera}/{zone}" for camera, zone in zones}


def change(before: Mapping[str, Any] | None, after: Mapping[str, Any], phase: EventPhase) -> dict[str, Any]:
    """A message of `PREFIX/events`. before: what was said last about this event."""
    return {"type": phase.value, "before": before if before is not None else after, "after": after}


def describe(event: Event, began_at: float, size: tuple[int, int]) -> dict[str, Any]:
    """An event as Frigate would describe the object that it is about. size: of the picture, in pixels.

    What Frigate does not know stands beside: `kind`, `rule`, `direction`, `coverage`, `model_digest`, `config_digest`.
    """
    over = event.phase is EventPhase.END
    best = event.data.get("best")
    box = event.box or (best["box"] if isinstance(best, dict) else None) or [0, 0, 0, 0]
    x1, y1, x2, y2 = (round(edge) for edge in box)
    zones = [event.zone] if event.zone else []
    ended_at = None
    if over:
        ended_at = began_at + ((event.end_s or 0.0) - (event.start_s or 0.0))
    snapshot = None
    if isinstance(best, dict):
        snapshot = {"frame_time": began_at + best["at_s"] - (event.start_s or 0.0), "box": best["box"], "score": best["score"]}
    return {
        "id": event.id,
        "camera": event.pipeline,
        "frame_time": event.at,
        "snapshot": snapshot,
        "label": event.label or event.kind,
        "sub_label": None,
        "top_score": event.score or 0.0,
        "score": event.data.get("median_score", event.score or 0.0),
        "false_positive": False,
        "start_time": began_at,
        "end_time": ended_at,
        "box": [x1, y1, x2, y2],
        "area": max(0, x2 - x1) * max(0, y2 - y1),
        "ratio": round((x2 - x1) / (y2 - y1), 2) if y2 > y1 else 0.0,
        "region": [0, 0, *size],
        "current_zones": [] if over else zones,
        "entered_zones": zones,
        "has_snapshot": "snapshot" in event.data,
        "has_clip": "clip" in event.data,
        "active": not over,
        "stationary": False,
        "attributes": {},
        "current_attributes": [],
        "kind": event.kind,
        "rule": event.rule,
        "direction": event.direction,
        "coverage": event.coverage,
        "model_digest": event.model_digest,
        "config_digest": event.config_digest,
    }
