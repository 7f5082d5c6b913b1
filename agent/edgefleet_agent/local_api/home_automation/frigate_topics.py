"""Frigate's MQTT topics and payloads. Pure: names and values in, messages out.

    PREFIX/available                     online, offline (the last will)
    PREFIX/events                        {"type": new|update|end, "before": ..., "after": ...}
    PREFIX/stats                         rates by camera
    PREFIX/CAMERA/LABEL                  number in the picture now; CAMERA is the pipeline. `None`: nothing analyses it
    PREFIX/ZONE/LABEL                    number in the zone now, for zones with a rule of kind zone
    PREFIX/CAMERA/ZONE/LABEL             the same for a zone whose name is also that of another camera or zone
    PREFIX/CAMERA/LABEL/snapshot         JPEG, cropped around the newest of them
    PREFIX/CAMERA/status/detect          online, offline: whether the camera gives pictures
    PREFIX/PIPELINE/status/source        the state of the source: running, stalled, source_lost, off, ...
    PREFIX/PIPELINE/status/reason        why it gives nothing now; empty: it does
    PREFIX/CAMERA/SWITCH/set             ON, OFF: detect, motion, recordings, snapshots
    PREFIX/CAMERA/SWITCH/state           ON, OFF: the current state

Additional topics in the same style:

    PREFIX/CAMERA/snapshot               JPEG, the whole picture of the newest event
    PREFIX/CAMERA/LINE/DIRECTION         crossings so far
    PREFIX/PIPELINE/RULE                 ON, OFF: whether an anomaly of a sensor is ongoing
    PREFIX/CAMERA/trigger/set            seconds for which gates are open (ON: ten), OFF
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


def topic_level(text: str) -> str:
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
        """Topic of a count. place: a camera, or the topic levels of a zone."""
        return f"{self.prefix}/{place}/{topic_level(label)}"

    def label_snapshot(self, camera: str, label: str) -> str:
        return f"{self.prefix}/{camera}/{topic_level(label)}/snapshot"

    def snapshot(self, camera: str) -> str:
        return f"{self.prefix}/{camera}/snapshot"

    def status(self, camera: str) -> str:
        return f"{self.prefix}/{camera}/status/detect"

    @property
    def sets(self) -> str:
        """Topic filter of all commands."""
        return f"{self.prefix}/+/+/set"

    def source(self, pipeline: str) -> str:
        return f"{self.prefix}/{pipeline}/status/source"

    def reason(self, pipeline: str) -> str:
        return f"{self.prefix}/{pipeline}/status/reason"

    def command(self, camera: str, name: str) -> str:
        return f"{self.prefix}/{camera}/{name}/set"

    def commanded(self, topic: str) -> tuple[str, str] | None:
        """Camera and name of a command topic; None for another topic."""
        levels = topic.removeprefix(f"{self.prefix}/").split("/")
        return (levels[0], levels[1]) if len(levels) == 3 and levels[2] == "set" else None

    def switched(self, camera: str, name: str) -> str:
        return f"{self.prefix}/{camera}/{name}/state"

    def crossings(self, camera: str, line: str, direction: str) -> str:
        return f"{self.prefix}/{camera}/{line}/{topic_level(direction)}"

    def alarm(self, pipeline: str, rule: str) -> str:
        return f"{self.prefix}/{pipeline}/{rule}"


Places = dict[tuple[str, str], str]
"""Topic levels of zones, by camera and zone."""


def zone_places(specs: Iterable[PipelineSpec]) -> Places:
    """Topic levels of zones: the zone's own name, as in Frigate, if it is unique."""
    zones = {(spec.name, rule.zone): None for spec in specs for rule in spec.rules if rule.kind == "zone"}
    names = Counter([*(zone for _, zone in zones), *(spec.name for spec in specs)])
    return {(camera, zone): zone if names[zone] == 1 else f"{camera}/{zone}" for camera, zone in zones}


def event_message(before: Mapping[str, Any] | None, after: Mapping[str, Any], phase: EventPhase) -> dict[str, Any]:
    """A message of `PREFIX/events`. before: the last published state of this event."""
    return {"type": phase.value, "before": before if before is not None else after, "after": after}


def frigate_event(event: Event, began_at: float, size: tuple[int, int]) -> dict[str, Any]:
    """An event in the form of Frigate's tracked object. size: of the picture, in pixels.
    Fields that Frigate does not have are added: `kind`, `rule`, `direction`, `coverage`, `model_digest`, `config_digest`.
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
