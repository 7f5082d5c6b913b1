"""Activity of the cameras for Frigate's topics: messages about objects, and counts of active ones. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics, Places, activity_counts
from edgefleet_agent.local_api.home_automation.tracked_objects import Message, TrackedObjects
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event


class CameraActivity:
    """All cameras. send: receives the messages of `PREFIX/events` in order; must not block. Methods that return a bool tell
    whether counts of active objects may have changed."""

    def __init__(self, topics: FrigateTopics, send: Callable[[Message], None]) -> None:
        self._topics = topics
        self._send = send
        self._lock = threading.Lock()
        self._objects = TrackedObjects()
        self._tracked: frozenset[str] = frozenset()
        self._active: dict[str, dict[str, int]] = {}

    def set_cameras(self, specs: Iterable[PipelineSpec]) -> None:
        """Set the running cameras."""
        specs = list(specs)
        with self._lock:
            self._tracked = frozenset(spec.name for spec in specs if any(stage.kind == "track" for stage in spec.stages))
            self._publish(self._objects.set_cameras(specs))

    def on_event(self, event: Event) -> None:
        """Process an event of a rule."""
        with self._lock:
            self._publish(self._objects.on_event(event))

    def on_frame(self, name: str, frame: Frame, seen: Sequence[ModelOutput]) -> bool:
        """Process an analyzed frame."""
        size = (frame.width, frame.height)
        with self._lock:
            self._publish(self._objects.on_frame(name, seen, size, frame.media_s, time.time()))
            before, self._active[name] = self._active.get(name), self._objects.active(name, frame.media_s)
            return self._active[name] != before

    def end(self, name: str) -> bool:
        """End the open objects of a camera: its frames are not analyzed any more."""
        with self._lock:
            self._publish(self._objects.end(name))
            return bool(self._active.pop(name, None))

    def end_all(self) -> None:
        """End the open objects of all cameras."""
        with self._lock:
            self._publish(self._objects.end_all())

    def counts(
        self, name: str, counts: Mapping[str, int], zones: Mapping[tuple[str, str, str], int], places: Places
    ) -> dict[str, int]:
        """Counts of all labels and of active objects by topic, in the picture and in zones. counts: by label. zones: by camera,
        zone and label."""
        with self._lock:
            active, in_zones = self._active.get(name, {}), self._objects.active_in_zones(name)
        values = activity_counts(self._topics, name, counts, active if name in self._tracked else None)
        inside: dict[str, dict[str, int]] = {}
        for (camera, zone, label), count in zones.items():
            if camera == name and (camera, zone) in places:
                inside.setdefault(zone, {})[label] = count
        for zone, labels in inside.items():
            moving = {label: in_zones.get((zone, label), 0) for label in labels}
            values |= activity_counts(self._topics, places[name, zone], labels, moving)
        return values

    def now(self, name: str, switches: Mapping[str, bool], motion: bool | None) -> dict[str, Any]:
        """A camera in `PREFIX/camera_activity`. motion: None if unknown."""
        config = {"enabled": True, "detect": switches.get("detect"), "snapshots": switches.get("snapshots")}
        config["record"] = switches.get("recordings")
        with self._lock:
            return {"config": config, "motion": motion, "objects": self._objects.now(name)}

    def _publish(self, messages: Iterable[Message]) -> None:
        for message in messages:
            self._send(message)
