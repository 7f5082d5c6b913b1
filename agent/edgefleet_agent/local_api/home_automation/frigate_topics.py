"""Frigate's MQTT topics and payloads. Pure: names and values in, messages out.

    PREFIX/available                     online, offline (the last will)
    PREFIX/events                        {"type": new|update|end, "before": ..., "after": ...}: see `tracked_objects`
    PREFIX/stats                         rates by camera
    PREFIX/onConnect                     asks for PREFIX/camera_activity
    PREFIX/camera_activity               switches, motion and open objects by camera
    PREFIX/CAMERA/LABEL                  number in the picture now; CAMERA is the pipeline. `None`: nothing analyses it
    PREFIX/CAMERA/all                    number of all labels
    PREFIX/CAMERA/LABEL/active           number of those that are not stationary; `all` for all labels
    PREFIX/ZONE/LABEL                    number in the zone now, for zones with a rule of kind zone; all and active likewise
    PREFIX/CAMERA/ZONE/LABEL             the same for a zone whose name is also that of another camera or zone
    PREFIX/CAMERA/motion                 ON, OFF: whether the motion stage has found motion in the last 30 s
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
    PREFIX/CAMERA/rule/RULE              ON, OFF of a rule of kind crowd; the number of a rule of kind occupancy
    PREFIX/CAMERA/trigger/set            seconds for which gates are open (ON: ten), OFF
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edgefleet_contract.pipeline.spec import PipelineSpec

ALL = "all"
"""Stands for all labels in a topic."""
RESERVED = frozenset({ALL, "motion"})
"""Labels without counts: their topics have another meaning. Regions of a motion stage are labelled `motion`."""
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

    def active(self, place: str, label: str) -> str:
        """Topic of the count of those that are not stationary."""
        return f"{self.count(place, label)}/active"

    def motion(self, camera: str) -> str:
        return f"{self.prefix}/{camera}/motion"

    def rule(self, camera: str, rule: str) -> str:
        return f"{self.prefix}/{camera}/rule/{rule}"

    @property
    def on_connect(self) -> str:
        return f"{self.prefix}/onConnect"

    @property
    def camera_activity(self) -> str:
        return f"{self.prefix}/camera_activity"

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


def activity_counts(
    topics: FrigateTopics, place: str, counts: Mapping[str, int], active: Mapping[str, int] | None
) -> dict[str, int]:
    """The counts of a place by topic, except those of the labels themselves. active: of objects that are not stationary; None
    where objects have no tracks."""
    values = {topics.count(place, ALL): sum(counts.values())}
    if active is not None:
        values |= {topics.active(place, label): active.get(label, 0) for label in counts}
        values[topics.active(place, ALL)] = sum(active.get(label, 0) for label in counts)
    return values
