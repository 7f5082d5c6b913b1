"""Frigate's tracked objects: one object a track, with one `new`, some `update` and one `end`. Pure: the caller gives the times.

Rules report each stay, crossing and run of a track as an event of its own. An object begins with the first event of its track,
continues with the others, and ends when the track is lost; its id is that of its first event. Events without a track (counts,
occupancy, crowds, sensors) are no objects. When frames are not analyzed any more, `end` ends the open objects; later events of
the same stays are dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.local_api.home_automation.camera_tracks import CameraTrack, CameraTracks
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.spec import EvidenceSpec, MaskSpec, PipelineSpec, SourceSpec
from edgefleet_contract.wire.messages import Event, EventPhase

OBJECTS_MAX = 256
"""Open objects of one camera; events of further tracks are dropped. A tracker follows fewer."""
ATTRIBUTES_MAX = 64
"""Attributes remembered of one object: recognised text differs from frame to frame."""
UPDATE_S = 60.0
"""Longest interval between two messages about an object in sight, as in Frigate."""

Message = dict[str, Any]
"""A message of `PREFIX/events`."""


@dataclass(slots=True)
class TrackedObject:
    """One object. event: its newest event. track: None before the first sighting. open: zones of its open events by id, empty
    without a zone. seen_at, ended_at: wall times of its last sighting, and of the latest end of an event. traits: results of
    cascades by stage. published: its last state."""

    id: str
    label: str
    start_at: float
    event: Event
    seen_at: float
    box: Sequence[float]
    score: float
    top_score: float
    track: CameraTrack | None = None
    ended_at: float = 0.0
    open: dict[str, str] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    best: dict[str, Any] | None = None
    has_snapshot: bool = False
    has_clip: bool = False
    traits: Mapping[str, Any] = field(default_factory=dict)
    attributes: dict[str, float] = field(default_factory=dict)
    published: Message | None = None

    @classmethod
    def start(cls, event: Event, track: CameraTrack | None) -> TrackedObject:
        """The object of a track with this first event."""
        box, score = event.box or [0.0] * 4, event.score or 0.0
        return cls(event.id, event.label, event.at, event, event.at, box, score, score, track)

    @property
    def stationary(self) -> bool:
        return self.track is not None and self.track.stationary

    @property
    def zones(self) -> list[str]:
        """Zones in which it is, in the order of its entries."""
        return list(dict.fromkeys(zone for zone in self.open.values() if zone))

    def take(self, event: Event) -> None:
        """Process a further event of this track."""
        self.event = event
        self.top_score = max(self.top_score, event.score or 0.0)
        self.has_snapshot |= "snapshot" in event.data
        self.has_clip |= "clip" in event.data
        self.traits = event.data.get("attributes", self.traits)
        best = event.data.get("best")
        if isinstance(best, dict):
            over = event.phase is EventPhase.END
            since_s = (event.end_s if over else event.start_s) or 0.0
            self.best = best | {"at": event.at + best["at_s"] - since_s}
        if event.phase is EventPhase.NEW:
            self.open[event.id] = event.zone
            if event.zone and event.zone not in self.entered:
                self.entered.append(event.zone)
        elif event.phase is EventPhase.END:
            self.open.pop(event.id, None)
            self.ended_at = max(self.ended_at, event.at)

    def see(self, track: CameraTrack, at: float) -> bool:
        """Process a sighting; returns whether a message is due."""
        self.track, self.box, self.score, self.seen_at = track, track.box, track.score, at
        self.top_score = max(self.top_score, track.score)
        before = self.published or {}
        named = {stage: trait["label"] for stage, trait in self.traits.items()}
        if track.traits:
            self.traits = track.traits
        return (
            track.stationary != before.get("stationary")
            or track.moves != before.get("position_changes")
            or named != {stage: trait["label"] for stage, trait in self.traits.items()}
            or at - before.get("frame_time", 0.0) > UPDATE_S
        )


class _Camera:
    """One camera. objects: by track number."""

    def __init__(self, spec: PipelineSpec) -> None:
        self.opened = _opened(spec)
        self.tracks = CameraTracks()
        self.objects: dict[int, TrackedObject] = {}
        self.size = (0, 0)

    def message(self, number: int, kind: str) -> Message:
        """A message about an object."""
        found = self.objects[number]
        after = _state(found, self.size, over=kind == "end")
        before, found.published = found.published, after
        return {"type": kind, "before": before if before is not None else after, "after": after}


class TrackedObjects:
    """The objects of all cameras. Not thread-safe."""

    def __init__(self) -> None:
        self._cameras: dict[str, _Camera] = {}

    def set_cameras(self, specs: Iterable[PipelineSpec]) -> list[Message]:
        """Set the running cameras; objects of others and of those that are opened anew end."""
        running = {spec.name: spec for spec in specs}
        closed = [
            name for name, camera in self._cameras.items() if name not in running or camera.opened != _opened(running[name])
        ]
        messages = [message for name in closed for message in self.end(name)]
        self._cameras = {name: camera for name, camera in self._cameras.items() if name not in closed}
        for name, spec in running.items():
            self._cameras.setdefault(name, _Camera(spec)).tracks.set_stages(compile_graph(spec).tracks)
        return messages

    def on_event(self, event: Event) -> list[Message]:
        """Process an event of a rule."""
        camera, number = self._cameras.get(event.pipeline), event.track_id
        if camera is None or number is None:
            return []
        found = camera.objects.get(number)
        if event.phase is EventPhase.NEW or event.kind == "line":
            kind = "update"
            if found is None:
                if len(camera.objects) >= OBJECTS_MAX:
                    return []
                found, kind = TrackedObject.start(event, camera.tracks.get(number)), "new"
                camera.objects[number] = found
            found.take(event)
            return [camera.message(number, kind)]
        if found is None or event.id not in found.open:  # it has ended already
            return []
        zones = found.zones
        found.take(event)
        return [camera.message(number, "update")] if event.phase is EventPhase.UPDATE or found.zones != zones else []

    def on_frame(self, name: str, seen: Sequence[ModelOutput], size: tuple[int, int], media_s: float, at: float) -> list[Message]:
        """Process an analyzed frame. size: width and height. at: the wall time."""
        camera = self._cameras.get(name)
        if camera is None:
            return []
        camera.size = size
        camera.tracks.update(seen, media_s)
        messages = []
        for number, found in list(camera.objects.items()):
            track = camera.tracks.get(number)
            if track is not None:
                if track.missing_since_s is None and found.see(track, at):
                    messages.append(camera.message(number, "update"))
            elif not found.open:
                messages.append(camera.message(number, "end"))
                del camera.objects[number]
        return messages

    def end(self, name: str) -> list[Message]:
        """End all objects of a camera: its frames are not analyzed any more."""
        camera = self._cameras.get(name)
        if camera is None:
            return []
        messages = [camera.message(number, "end") for number in camera.objects]
        camera.objects.clear()
        camera.tracks.clear()
        return messages

    def end_all(self) -> list[Message]:
        """End all objects of all cameras."""
        return [message for name in self._cameras for message in self.end(name)]

    def active(self, name: str, media_s: float) -> dict[str, int]:
        """Numbers of tracks in the picture that are not stationary, by label."""
        camera = self._cameras.get(name)
        return dict(camera.tracks.active(media_s)) if camera is not None else {}

    def active_in_zones(self, name: str) -> dict[tuple[str, str], int]:
        """Numbers of objects in zones that are not stationary, by zone and label."""
        camera = self._cameras.get(name)
        moving = [one for one in camera.objects.values() if not one.stationary] if camera is not None else []
        return dict(Counter((zone, one.label) for one in moving for zone in one.zones))

    def now(self, name: str) -> list[dict[str, Any]]:
        """The open objects of a camera, with the fields of `PREFIX/camera_activity`."""
        camera = self._cameras.get(name)
        states = [one.published or {} for one in camera.objects.values()] if camera is not None else []
        fields = ("id", "label", "stationary", "area", "ratio", "score", "sub_label", "current_zones")
        return [{field: state[field] for field in fields} for state in states if state]


def _opened(spec: PipelineSpec) -> tuple[SourceSpec, list[MaskSpec], EvidenceSpec | None]:
    """The parts that a running camera cannot change: with others it is opened anew, and its tracks are numbered anew."""
    return spec.source, spec.masks, spec.evidence


def _state(found: TrackedObject, size: tuple[int, int], *, over: bool) -> dict[str, Any]:
    """An object in Frigate's form. size: of the picture, in pixels. Fields that Frigate does not have are added: `kind`, `rule`,
    `direction`, `coverage`, `model_digest` and `config_digest` of its newest event."""
    event, track, region = found.event, found.track, [0, 0, *size]
    parts = [_attribute(trait) for trait in found.traits.values() if "box" in trait]
    names = [[trait["label"], trait["score"]] for trait in found.traits.values() if "box" not in trait]
    for trait in found.traits.values():
        if trait["label"] in found.attributes or len(found.attributes) < ATTRIBUTES_MAX:
            found.attributes[trait["label"]] = max(trait["score"], found.attributes.get(trait["label"], 0.0))
    snapshot = None
    if found.best is not None:
        shape = _shape(found.best["box"])
        snapshot = {"frame_time": found.best["at"], "box": shape["box"], "area": shape["area"], "region": region}
        snapshot |= {"score": found.best["score"], "attributes": parts}
    return {
        "id": found.id,
        "camera": event.pipeline,
        "frame_time": found.seen_at,
        "snapshot": snapshot,
        "label": found.label,
        "sub_label": max(names, key=lambda name: name[1], default=None),
        "top_score": found.top_score,
        "false_positive": False,
        "start_time": found.start_at,
        "end_time": max(found.seen_at, found.ended_at) if over else None,
        "score": found.score,
        **_shape(found.box),
        "region": region,
        "current_zones": found.zones,
        "entered_zones": list(found.entered),
        "thumbnail": None,
        "has_snapshot": found.has_snapshot,
        "has_clip": found.has_clip,
        "active": not found.stationary,
        "stationary": found.stationary,
        "motionless_count": track.still_frames if track is not None else 0,
        "position_changes": track.moves if track is not None else 0,
        "attributes": dict(found.attributes),
        "current_attributes": parts,
        "kind": event.kind,
        "rule": event.rule,
        "direction": event.direction,
        "coverage": event.coverage,
        "model_digest": event.model_digest,
        "config_digest": event.config_digest,
    }


def _shape(box: Sequence[float]) -> dict[str, Any]:
    x1, y1, x2, y2 = (round(edge) for edge in box)
    ratio = round((x2 - x1) / (y2 - y1), 2) if y2 > y1 else 0.0
    return {"box": [x1, y1, x2, y2], "area": max(0, x2 - x1) * max(0, y2 - y1), "ratio": ratio}


def _attribute(trait: Mapping[str, Any]) -> dict[str, Any]:
    return {"label": trait["label"], "box": [round(edge) for edge in trait["box"]], "score": trait["score"]}
