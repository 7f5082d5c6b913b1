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

import cv2
import numpy as np

from edgefleet_agent.core import plugins
from edgefleet_agent.local_api.controls import Controls, parse_seconds
from edgefleet_agent.local_api.home_automation import frigate_topics
from edgefleet_agent.local_api.home_automation.discovery import Discovery, Documents, named_labels
from edgefleet_agent.local_api.home_automation.presence import PresenceCounts, ZoneCounts
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.draw import Picture, to_bgr
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, LinkEvent, Outgoing, ReceivedMessage
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges

QUEUE_MAX = 500
OPEN_EVENTS_MAX = 256
"""Ongoing events whose last state is stored for `before`."""
CROP_HEIGHT_MAX = 270
"""Maximum height of label snapshots, which are cropped as Frigate's are."""
CROP_MARGIN = 0.15
"""Margin around the box in such a picture, as a share of the box."""
ON, OFF = b"ON", b"OFF"
OLD_DOCUMENTS_MAX = 4000
"""Documents of an earlier run that are checked."""
SETTLED_S = 60.0
"""Delay after the last change of pipelines before documents of earlier ones are removed: a starting service gets its pipelines
one after the other, and Home Assistant loses a user's settings of an entity that is removed."""
TRIGGER_S = 10.0
"""Duration of a trigger whose payload is only ON."""
STATES_SEEING = frozenset({"running", "ended"})

Work = Callable[[], None]


@dataclass(frozen=True, slots=True)
class TopicPrefix:
    """Topic prefixes of events and of discovery (empty: none), and the interval of statistics."""

    topics: frigate_topics.FrigateTopics
    discovery: str
    stats_s: float


class HomePublisher:
    """An `Integration` of the local API. stats: payload of `PREFIX/stats`."""

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
    ) -> None:
        self._controls = controls
        self._topics = place.topics
        self._stats_s = place.stats_s
        self._stats = stats
        self._discovery = Discovery(place.discovery, place.topics, device, version, page) if place.discovery else None
        self._without_picture = frozenset({*plugins.names("sensors"), EVENTS})
        self._lock = threading.Lock()
        self._specs: dict[str, PipelineSpec] = {}
        self._presence: dict[str, PresenceCounts] = {}
        self._zones = ZoneCounts()
        self._unpictured: dict[str, list[Event]] = {}  # new events that wait for a frame, by pipeline
        self._open: dict[str, tuple[float, dict[str, Any]]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._documents: Documents = {}
        self._places: frigate_topics.Places = {}
        self._old: dict[str, bytes] = {}  # documents found at the broker
        self._settled_s = float("inf")
        self._holding: dict[str, bytes] = {}  # retained messages by topic, published again to a broker that is back
        self._crossings: dict[str, int] = {}
        self._waiting: queue.Queue[Work | None] = queue.Queue(QUEUE_MAX)
        self._stats_sent_s = -place.stats_s
        self.lost = 0
        home = [
            (place.topics.sets, 1),
            *([(f"{place.discovery}/status", 0), (self._discovery.own, 1)] if self._discovery else []),
        ]
        will = Outgoing(place.topics.available, b"offline", qos=1, retain=True)
        self._link = MqttClient(broker, f"{device}-home", home, self._on_link_event, lambda: (0, will), login=login)
        self._thread = threading.Thread(target=self._run, name="local_api:mqtt", daemon=True)
        self._thread.start()
        self._link.start()

    def close(self) -> None:
        """Publish that this device is offline, and disconnect."""
        self._waiting.put(None)
        self._thread.join(2.0)
        self._link.close(Outgoing(self._topics.available, b"offline", qos=1, retain=True))

    # Callbacks of pipelines.

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        with self._lock:
            self._specs = {spec.name: spec for spec in specs}
            self._settled_s = time.monotonic() + SETTLED_S
            cameras = {spec.name: spec for spec in specs if spec.source.kind not in self._without_picture}
            self._presence = {
                name: self._presence.get(name, PresenceCounts(named_labels(spec))) for name, spec in cameras.items()
            }
            self._places = frigate_topics.zone_places(cameras.values())
        self._do(self._publish_all)

    def on_event(self, event: Event, picture: bytes) -> None:
        if event.kind == "count" or not event.id:
            return
        if event.phase is EventPhase.NEW or event.kind == "line":
            with self._lock:
                self._unpictured.setdefault(event.pipeline, []).append(event)
        self._do(lambda: self._publish_event(event, picture))

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput]) -> None:
        presence = self._presence.get(pipeline)
        if presence is None:
            return
        known = len(presence.counts)
        changed = presence.update(seen, time.monotonic())
        if changed:
            self._do(lambda: self._publish_counts(pipeline, changed, fresh=len(presence.counts) > known))
        if self._unpictured.get(pipeline):
            with self._lock:
                events = self._unpictured.pop(pipeline)
            copy = replace(frame, planes=tuple(plane.copy() for plane in frame.planes))
            self._do(lambda: self._publish_pictures(pipeline, events, to_bgr(copy)))

    def on_gauges(self, gauges: Mapping[str, PipelineGauges]) -> None:
        for name, one in gauges.items():
            sees = one.state in STATES_SEEING
            self._do(lambda name=name, sees=sees: self._publish_status(name, sees))  # type: ignore[misc]  # mypy knows no defaults here
        now_s = time.monotonic()
        if self._old and now_s >= self._settled_s:
            self._do(self._take_back)
        if now_s - self._stats_sent_s >= self._stats_s:
            self._stats_sent_s = now_s
            self._do(lambda: self._publish(self._topics.stats, _json(self._stats())))

    def on_switch(self, pipeline: str, name: str, on: bool) -> None:
        self._do(lambda: self._hold(self._topics.switched(pipeline, name), ON if on else OFF))

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
            with contextlib.suppress(InputError):  # for another device with this prefix, or invalid: there is no response
                self._obey(*command, event.payload.strip().upper())
        elif isinstance(event, ReceivedMessage) and event.topic.endswith("/config"):
            with self._lock:
                if event.retained and event.payload and len(self._old) < OLD_DOCUMENTS_MAX:
                    self._old[event.topic] = event.payload
        elif isinstance(event, Connected) or (isinstance(event, ReceivedMessage) and event.payload == b"online"):
            self._do(self._publish_all)

    def _obey(self, camera: str, name: str, payload: bytes) -> None:
        if name == "trigger":
            text = {ON: str(TRIGGER_S), OFF: "0"}.get(payload) or payload.decode(errors="replace")
            self._controls.trigger(camera, parse_seconds(text))
        elif payload in (ON, OFF):
            self._controls.switch(camera, name, payload == ON)

    def _publish_all(self) -> None:
        self._publish(self._topics.available, b"online", retain=True)
        self._publish_documents()
        for name, presence in list(self._presence.items()):
            for label, count in presence.counts.items():
                self._hold(self._topics.count(name, label), b"%d" % count)
        self._publish_zones()
        for name, spec in self._specs.items():
            for rule in spec.rules if name not in self._presence else ():
                self._holding.setdefault(self._topics.alarm(name, rule.name), OFF)
            for line in spec.lines:
                for direction in (line.forward, line.backward):
                    self._holding.setdefault(self._topics.crossings(name, line.name, direction), b"0")
            with contextlib.suppress(InputError):  # no camera
                for switch, on in self._controls.switches(name).items():
                    self._holding[self._topics.switched(name, switch)] = ON if on else OFF
        for topic, payload in self._holding.items():
            self._publish(topic, payload, retain=True)
        self._publish(self._topics.stats, _json(self._stats()))

    def _publish_documents(self) -> None:
        if self._discovery is None:
            return
        documents: Documents = {}
        for name, spec in self._specs.items():
            presence = self._presence.get(name)
            documents |= (
                self._discovery.camera(spec, list(presence.counts), self._places) if presence else self._discovery.sensor(spec)
            )
        for topic in self._documents.keys() - documents.keys():
            self._publish(topic, b"", retain=True)
        for topic, document in documents.items():
            self._publish(topic, _json(document), retain=True)
        self._documents = documents

    def _take_back(self) -> None:
        """Remove documents of an earlier run whose entities do not exist any more; those of known labels stay."""
        with self._lock:
            old, self._old = self._old, {}
            places = {*self._presence, *self._places.values()}
        if self._discovery is None:
            return
        for topic, document in old.items():
            if topic not in self._documents and not self._discovery.counts(document, places):
                self._publish(topic, b"", retain=True)

    def _publish_zones(self) -> None:
        """Publish counts of zones under their current names, and clear other names."""
        for (camera, zone), place in self._places.items():
            other = zone if place != zone else f"{camera}/{zone}"
            presence = self._presence.get(camera)
            for label in presence.counts if presence is not None and other not in self._specs else ():
                topic = self._topics.count(other, label)
                self._holding.pop(topic, None)
                self._publish(topic, b"", retain=True)
        for (camera, zone, label), inside in self._zones.now().items():
            if (camera, zone) in self._places:
                self._holding[self._topics.count(self._places[camera, zone], label)] = b"%d" % inside

    def _publish_counts(self, pipeline: str, changed: Mapping[str, int], *, fresh: bool) -> None:
        if fresh:
            self._publish_documents()
        for label, count in changed.items():
            self._hold(self._topics.count(pipeline, label), b"%d" % count)

    def _publish_status(self, pipeline: str, sees: bool) -> None:
        topic, payload = self._topics.status(pipeline), b"online" if sees else b"offline"
        if self._holding.get(topic) != payload:
            self._hold(topic, payload)
            presence = self._presence.get(pipeline)
            if not sees and presence is not None:
                self._publish_counts(pipeline, presence.clear(), fresh=False)

    def _publish_event(self, event: Event, picture: bytes) -> None:
        began_at, before = self._open.get(event.id, (event.at, None))
        after = frigate_topics.frigate_event(event, began_at, self._sizes.get(event.pipeline, (0, 0)))
        over = event.phase is EventPhase.END
        if over and before is None:  # a momentary event, such as a crossing: consumers that wait for `new` get one, too
            began = after | {"end_time": None, "active": True, "current_zones": after["entered_zones"]}
            self._publish(self._topics.events, _json(frigate_topics.event_message(None, began, EventPhase.NEW)))
            before = began
        if over:
            self._open.pop(event.id, None)
        elif event.id in self._open or len(self._open) < OPEN_EVENTS_MAX:
            self._open[event.id] = (began_at, after)
        self._publish(self._topics.events, _json(frigate_topics.event_message(before, after, event.phase)))
        inside = self._zones.take(event)
        if inside is not None:
            place = self._places.get((event.pipeline, event.zone), event.zone)
            self._hold(self._topics.count(place, event.label), b"%d" % inside)
        if event.kind == "line":
            topic = self._topics.crossings(event.pipeline, event.line, event.direction)
            self._crossings[topic] = self._crossings.get(topic, 0) + 1
            self._hold(topic, b"%d" % self._crossings[topic])
        if event.pipeline not in self._presence:
            self._hold(self._topics.alarm(event.pipeline, event.rule), OFF if over else ON)
        best = event.data.get("best")
        if picture and isinstance(best, dict):
            decoded = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
            if decoded is not None:
                self._publish_picture(event, best["box"], np.asarray(decoded, np.uint8))

    def _publish_pictures(self, pipeline: str, events: Sequence[Event], picture: Picture) -> None:
        self._sizes[pipeline] = (picture.shape[1], picture.shape[0])
        for event in events:
            self._publish_picture(event, event.box, picture)

    def _publish_picture(self, event: Event, box: Sequence[float] | None, picture: Picture) -> None:
        self._publish(self._topics.snapshot(event.pipeline), _jpeg(picture), retain=True)
        if box is not None and event.label:
            self._publish(self._topics.label_snapshot(event.pipeline, event.label), _jpeg(crop_box(picture, box)), retain=True)

    def _hold(self, topic: str, payload: bytes) -> None:
        self._holding[topic] = payload
        self._publish(topic, payload, retain=True)

    def _publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if self._link.connected and self._link.publish(Outgoing(topic, payload, qos=1, retain=retain)) is None:
            self.lost += 1


def crop_box(picture: Picture, box: Sequence[float]) -> Picture:
    """The part of a picture (height, width, 3) around a box (x1, y1, x2, y2 in pixels), at most `CUT_HEIGHT` high."""
    height, width = picture.shape[:2]
    x1, y1, x2, y2 = box
    grow = CROP_MARGIN * max(x2 - x1, y2 - y1)
    left, top = max(0, int(x1 - grow)), max(0, int(y1 - grow))
    right, bottom = min(width, int(x2 + grow) + 1), min(height, int(y2 + grow) + 1)
    part = picture[top:bottom, left:right]
    if not part.size:
        return picture
    if part.shape[0] > CROP_HEIGHT_MAX:
        wide = max(1, round(part.shape[1] * CROP_HEIGHT_MAX / part.shape[0]))
        part = np.asarray(cv2.resize(part, (wide, CROP_HEIGHT_MAX), interpolation=cv2.INTER_AREA), np.uint8)
    return part


def _jpeg(picture: Picture) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes()


def _json(value: Any) -> bytes:
    return json_text(value, compact=True).encode()
