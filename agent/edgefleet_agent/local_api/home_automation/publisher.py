"""Publishes to a home automation broker: Frigate's topics, and Home Assistant's discovery documents.

Nothing is stored for a broker that is offline: missed counts are outdated. After a reconnect the current state is published.
Pipelines only enqueue; one thread publishes. The queue is bounded, and lost messages are counted.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edgefleet_agent.core import plugins
from edgefleet_agent.local_api.controls import Controls
from edgefleet_agent.local_api.home_automation import frigate_topics
from edgefleet_agent.local_api.home_automation.camera_activity import CameraActivity
from edgefleet_agent.local_api.home_automation.commands import OFF, ON, BrokerCommands
from edgefleet_agent.local_api.home_automation.discovery import Discovery, Documents, named_labels, zone_labels
from edgefleet_agent.local_api.home_automation.event_pictures import EventPictures
from edgefleet_agent.local_api.home_automation.link_fault import LinkFault
from edgefleet_agent.local_api.home_automation.open_objects import OpenObjects
from edgefleet_agent.local_api.home_automation.presence import UNKNOWN, Count, PresenceCounts, ZoneCounts, count_payload
from edgefleet_agent.local_api.home_automation.published_documents import PublishedDocuments
from edgefleet_agent.local_api.home_automation.retained_topics import RetainedTopics
from edgefleet_agent.local_api.home_automation.tracked_objects import Message
from edgefleet_agent.pipeline.metrics import sees
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, ReceivedMessage
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges

QUEUE_MAX = 500
STATES_ONLINE = frozenset({"running", "off"})
"""States in which a source gives data, analysed or not."""

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class TopicPrefix:
    """Topic prefixes of events and of discovery (empty: none), and the interval of statistics."""

    topics: frigate_topics.FrigateTopics
    discovery: str
    stats_s: float


class HomePublisher:
    """An `Integration` of the local API. stats: payload of `PREFIX/stats`. objects: those that may lack their end at the broker.
    on_fault: gets the reason for which the broker gets nothing, and (True) that it does again."""

    def __init__(
        self,
        broker: BrokerAddress,
        login: Login,
        place: TopicPrefix,
        device: str,
        version: str,
        page: str,
        stats: Callable[[], dict[str, Any]],
        controls: Controls,
        objects: OpenObjects | None = None,
        on_fault: Callable[[str, bool], None] = lambda _text, _over: None,
    ) -> None:
        self._controls = controls
        self._commands = BrokerCommands(controls)
        self._objects = objects or OpenObjects()
        self._topics = place.topics
        self._stats_s = place.stats_s
        self._stats = stats
        discovery = Discovery(place.discovery, place.topics, device, version, page) if place.discovery else None
        self._documents = PublishedDocuments(discovery, self._retain) if discovery else None
        self._without_picture = frozenset({*plugins.names("sensors"), EVENTS})
        self._lock = threading.Lock()
        self._specs: dict[str, PipelineSpec] = {}
        self._presence: dict[str, PresenceCounts] = {}
        self._zones = ZoneCounts()
        self._alarms: dict[tuple[str, str], bytes] = {}  # by pipeline and rule
        self._analyzing: set[str] = set()  # pipelines that analyse their source
        self._unpictured: dict[str, list[Event]] = {}  # new events that wait for a frame, by pipeline
        self._activity = CameraActivity(place.topics, self._publish_message)
        self._shown: dict[str, dict[str, bytes]] = {}  # payloads by topic of each camera, unknown while the camera is offline
        self._places: frigate_topics.Places = {}
        self._retained = RetainedTopics(place.topics, self._retain)
        self._pictures = EventPictures(place.topics, self._retained)
        self._up = False  # whether the broker has got the whole state
        self._crossings: dict[str, int] = {}
        self._waiting: queue.Queue[Work | None] = queue.Queue(QUEUE_MAX)
        self._stats_sent_s = -place.stats_s
        self.lost = 0
        home = [
            (place.topics.sets, 1),
            (place.topics.on_connect, 0),
            *([(f"{place.discovery}/status", 0), (discovery.own, 1)] if discovery else []),
        ]
        will = Outgoing(place.topics.available, b"offline", qos=1, retain=True)
        self._link = MqttClient(broker, f"{device}-home", home, self._on_link_event, lambda: (0, will), login=login)
        self._link_fault = LinkFault(self._link, broker.url, on_fault)
        self._thread = threading.Thread(target=self._run, name="local_api:mqtt", daemon=True)
        self._thread.start()
        self._link.start()

    def close(self) -> None:
        """End open objects, publish that nothing is known and this device is offline, and disconnect."""
        self._activity.end_all()
        self._do(self._stop_analyzing)
        self._waiting.put(None)
        self._thread.join(2.0)
        self._link.close(Outgoing(self._topics.available, b"offline", qos=1, retain=True))

    # Callbacks of pipelines.

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        with self._lock:
            self._specs = {spec.name: spec for spec in specs}
            cameras = {spec.name: spec for spec in specs if spec.source.kind not in self._without_picture}
            self._presence = {
                name: self._presence.get(name, PresenceCounts(named_labels(spec))) for name, spec in cameras.items()
            }
            self._places = frigate_topics.zone_places(cameras.values())
        self._activity.set_cameras(cameras.values())
        if self._documents is not None:
            self._documents.change()
        self._do(self._refresh)

    def on_event(self, event: Event, picture: bytes) -> None:
        if event.kind == "count" or not event.id:
            return
        if event.phase is EventPhase.NEW or event.kind == "line":
            with self._lock:
                self._unpictured.setdefault(event.pipeline, []).append(event)
        self._activity.on_event(event)
        self._do(lambda: self._publish_event(event, picture))

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput]) -> None:
        presence = self._presence.get(pipeline)
        if presence is None:
            return
        known = len(presence.counts)
        changed = presence.update(seen, time.monotonic())
        if changed:
            self._do(lambda: self._publish_counts(pipeline, changed, fresh=len(presence.counts) > known))
        if self._activity.on_frame(pipeline, frame, seen) or changed:
            self._do(lambda: self._publish_activity(pipeline))
        if self._unpictured.get(pipeline):
            with self._lock:
                events = self._unpictured.pop(pipeline)
            copy = replace(frame, planes=tuple(plane.copy() for plane in frame.planes))
            self._do(lambda: self._pictures.publish_first(events, copy))

    def on_gauges(self, gauges: Mapping[str, PipelineGauges]) -> None:
        for name, one in gauges.items():
            if one.state != "running":
                self._end_objects(name)
            self._do(lambda name=name, one=one: self._publish_status(name, one))  # type: ignore[misc]  # mypy knows no defaults here
        self._link_fault.report()
        now_s = time.monotonic()
        self._do(self._end_left_objects)
        if self._documents is not None and self._documents.has_old:
            self._do(self._remove_old_documents)
        if now_s - self._stats_sent_s >= self._stats_s:
            self._stats_sent_s = now_s
            self._do(lambda: self._publish(self._topics.stats, _json(self._stats())))

    def on_motion(self, pipeline: str, moves: bool) -> None:
        self._do(lambda: self._show(pipeline, self._topics.motion(pipeline), ON if moves else OFF))

    @property
    def connected(self) -> bool:
        return self._link.connected

    def on_switch(self, pipeline: str, name: str, on: bool) -> None:
        if name == "detect" and not on:
            self._end_objects(pipeline)
        self._do(lambda: self._retained.hold(pipeline, self._topics.switched(pipeline, name), ON if on else OFF))

    def _end_objects(self, pipeline: str) -> None:
        if self._activity.end(pipeline):
            self._do(lambda: self._publish_activity(pipeline))

    def _publish_message(self, message: Message) -> None:
        self._do(lambda: self._objects.note(message, published=self._publish(self._topics.events, _json(message))))

    # Run on the publishing thread.

    def _do(self, work: Work) -> None:
        try:
            self._waiting.put_nowait(work)
        except queue.Full:
            self.lost += 1

    def _run(self) -> None:
        while (work := self._waiting.get()) is not None:
            work()

    def _on_link_event(self, event: LinkEvent) -> None:
        """Run a command; publish the whole state after a reconnect or a start of Home Assistant. On the connection's thread."""
        command = self._topics.commanded(event.topic) if isinstance(event, ReceivedMessage) else None
        if command is not None and isinstance(event, ReceivedMessage):
            if command[0] in self._specs:  # else it is for another device with this prefix
                self._commands.obey(event.topic, *command, event.payload)
        elif isinstance(event, ReceivedMessage) and event.topic.endswith("/config"):
            if event.retained and self._documents is not None:
                self._documents.found(event.topic, event.payload)
        elif isinstance(event, ReceivedMessage) and event.topic == self._topics.on_connect:
            self._do(lambda: self._publish(self._topics.camera_activity, _json(self._camera_activity())))
        elif isinstance(event, Disconnected):
            self._do(self._lose)
        elif isinstance(event, Connected):
            self._do(self._connect)
        elif isinstance(event, ReceivedMessage) and event.payload == b"online" and not event.retained:  # it has started
            self._do(self._publish_everything)

    def _lose(self) -> None:
        self._up = False

    def _connect(self) -> None:
        self._up = True
        self._publish_everything()

    def _publish_everything(self) -> None:
        """Publish the whole state: the broker may have lost it, or Home Assistant has started."""
        self._publish(self._topics.available, b"online", retain=True)
        self._publish_documents(everything=True)
        self._retained.publish_all()
        self._end_left_objects()
        self._publish(self._topics.stats, _json(self._stats()))

    def _refresh(self) -> None:
        """Publish what a change of the pipelines changes."""
        with self._lock:
            specs, presences, places = self._specs, self._presence, self._places
        removed = self._retained.set_pipelines(specs.values(), places)
        self._shown = {
            name: {topic: payload for topic, payload in shown.items() if topic not in removed}
            for name, shown in self._shown.items()
            if name in presences
        }
        self._analyzing &= specs.keys()
        self._publish_documents()
        for name, presence in presences.items():
            for label, count in _counted(presence).items():
                self._retained.hold(name, self._topics.count(name, label), count_payload(count))
            self._hold_zones(name)
            self._publish_activity(name)
            motion = self._topics.motion(name)
            if any(stage.kind == "motion" for stage in specs[name].stages):
                self._show(name, motion, self._shown.get(name, {}).get(motion, OFF))
        for name, spec in specs.items():
            self._hold_alarms(name)
            for line in spec.lines:
                for direction in (line.forward, line.backward):
                    topic = self._topics.crossings(name, line.name, direction)
                    self._retained.hold(name, topic, b"%d" % self._crossings.get(topic, 0))
            with contextlib.suppress(InputError):  # no camera
                for switch, on in self._controls.switches(name).items():
                    self._retained.hold(name, self._topics.switched(name, switch), ON if on else OFF)

    def _end_left_objects(self) -> None:
        """Publish the ends that the broker lacks, of the worker before this one or of a time without the broker."""
        if self._up:
            for message in self._objects.take_due():
                if self._publish(self._topics.events, _json(message)):
                    self._objects.note_sent(message)

    def _publish_documents(self, *, everything: bool = False) -> None:
        if self._documents is None:
            return
        documents: Documents = {}
        for name, spec in self._specs.items():
            presence, discovery = self._presence.get(name), self._documents.discovery
            documents |= discovery.camera(spec, list(_counted(presence)), self._places) if presence else discovery.sensor(spec)
        self._documents.publish(documents, everything=everything)

    def _remove_old_documents(self) -> None:
        with self._lock:
            places = {*self._presence, *self._places.values()}
        if self._documents is not None:
            self._documents.remove_old(places)

    def _retain(self, topic: str, payload: bytes) -> bool:
        return self._publish(topic, payload, retain=True)

    def _hold_zones(self, camera: str) -> None:
        """Publish the counts of all zones of a camera."""
        presence, inside, spec = self._presence.get(camera), self._zones.now(), self._specs.get(camera)
        named = zone_labels(spec, _counted(presence)) if presence is not None and spec is not None else ()
        for zone, place in [(zone, place) for (name, zone), place in self._places.items() if name == camera]:
            for label in {*named, *(label for name, inner, label in inside if (name, inner) == (camera, zone))}:
                count = inside.get((camera, zone, label), 0) if camera in self._analyzing else None
                self._retained.hold(camera, self._topics.count(place, label), count_payload(count))

    def _hold_alarms(self, pipeline: str) -> None:
        """Publish the alarms of a sensor."""
        spec = self._specs.get(pipeline)
        for rule in spec.rules if spec is not None and pipeline not in self._presence else ():
            present = self._alarms.get((pipeline, rule.name), OFF) if pipeline in self._analyzing else UNKNOWN
            self._retained.hold(pipeline, self._topics.alarm(pipeline, rule.name), present)

    def _publish_counts(self, pipeline: str, changed: Mapping[str, Count], *, fresh: bool) -> None:
        if fresh:
            self._publish_documents()
        for label, count in changed.items():
            if label not in frigate_topics.RESERVED:
                self._retained.hold(pipeline, self._topics.count(pipeline, label), count_payload(count))

    def _publish_activity(self, pipeline: str) -> None:
        """Publish what has changed of the counts of all labels and of active objects, in the picture and in zones."""
        presence = self._presence.get(pipeline)
        if presence is None:
            return
        known = {label: count or 0 for label, count in _counted(presence).items()}
        for topic, count in self._activity.counts(pipeline, known, self._zones.now(), self._places).items():
            self._show(pipeline, topic, b"%d" % count)

    def _show(self, pipeline: str, topic: str, payload: bytes) -> None:
        """Publish what a camera shows, or that it is unknown while the camera is not analyzed."""
        self._shown.setdefault(pipeline, {})[topic] = payload
        self._retained.hold(pipeline, topic, payload if pipeline in self._analyzing else UNKNOWN)

    def _camera_activity(self) -> dict[str, Any]:
        """Payload of `PREFIX/camera_activity`. motion: null without a motion stage, or while the camera is offline."""
        activity: dict[str, Any] = {}
        for name in list(self._presence):
            motion = {ON: True, OFF: False}.get(self._retained.now(self._topics.motion(name)) or UNKNOWN)
            with contextlib.suppress(InputError):  # just removed
                activity[name] = self._activity.now(name, self._controls.switches(name), motion)
        return activity

    def _publish_status(self, pipeline: str, gauges: PipelineGauges) -> None:
        hold, online = self._retained.hold, gauges.state in STATES_ONLINE
        hold(pipeline, self._topics.status(pipeline), b"online" if online else b"offline")
        hold(pipeline, self._topics.source(pipeline), gauges.state.encode())
        hold(pipeline, self._topics.reason(pipeline), gauges.reason.encode())
        self._set_analyzing(pipeline, sees(gauges))

    def _set_analyzing(self, pipeline: str, analyzes: bool) -> None:
        """Publish what is known of a pipeline's scene: nothing while it is not analyzed."""
        presence = self._presence.get(pipeline)
        if not analyzes and presence is not None:
            self._publish_counts(pipeline, presence.clear(), fresh=False)
        if analyzes is (pipeline in self._analyzing):
            return
        self._analyzing ^= {pipeline}
        self._hold_zones(pipeline)
        self._hold_alarms(pipeline)
        for topic, payload in self._shown.get(pipeline, {}).items():
            self._retained.hold(pipeline, topic, payload if analyzes else UNKNOWN)
        self._publish_activity(pipeline)

    def _stop_analyzing(self) -> None:
        for pipeline in self._specs:
            self._set_analyzing(pipeline, False)

    def _publish_event(self, event: Event, picture: bytes) -> None:
        over = event.phase is EventPhase.END
        in_zone = self._zones.take(event) is not None
        if event.pipeline not in self._presence:
            self._alarms[event.pipeline, event.rule] = OFF if over else ON
        self._set_analyzing(event.pipeline, "end_reason" not in event.data)
        if in_zone:
            self._hold_zones(event.pipeline)
            self._publish_activity(event.pipeline)
        if event.kind == "line":
            topic = self._topics.crossings(event.pipeline, event.line, event.direction)
            self._crossings[topic] = self._crossings.get(topic, 0) + 1
            self._retained.hold(event.pipeline, topic, b"%d" % self._crossings[topic])
        self._hold_alarms(event.pipeline)
        if event.kind == "crowd":
            self._show(event.pipeline, self._topics.rule(event.pipeline, event.rule), OFF if over else ON)
        elif event.kind == "occupancy":
            present = UNKNOWN if over else b"%d" % (event.count or 0)
            self._show(event.pipeline, self._topics.rule(event.pipeline, event.rule), present)
        self._pictures.publish_better(event, picture)

    def _publish(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """Publish a message; returns whether the connection has it. Before the broker has the whole state nothing is sent."""
        if not (self._up and self._link.connected):
            return False
        sent = self._link.publish(Outgoing(topic, payload, qos=1, retain=retain)) is not None
        self.lost += not sent
        return sent


def _counted(presence: PresenceCounts) -> dict[str, Count]:
    """Counts of the labels that have a topic."""
    return {label: count for label, count in presence.counts.items() if label not in frigate_topics.RESERVED}


def _json(value: Any) -> bytes:
    return json_text(value, compact=True).encode()
