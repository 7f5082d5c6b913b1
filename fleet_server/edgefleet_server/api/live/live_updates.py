"""Publishes changes to the subscribers of the live stream. Writers mark changed objects; once a second, these are read from the
database, serialised once, and put into the bounded queue of each subscriber. A slow subscriber loses its oldest messages and does
not delay others.

Messages contain the whole object, not a difference: the next message repairs the loss of one.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from edgefleet_server.api.counts.fleet_counts import FleetCounts
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fleet.devices import DeviceRow, TelemetryPoint
from edgefleet_server.api.schemas.fleet.live import TelemetryMessage
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.api.schemas.rollouts.rollouts import AttemptRow
from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError, StoreError
from edgefleet_server.db.backend.engine import Connection, Database
from edgefleet_server.db.devices import devices
from edgefleet_server.db.rollouts import attempts as tries
from edgefleet_server.db.telemetry import events

PERIOD_S: Final = 1.0
PING_S: Final = 15.0
QUEUE_MAX: Final = 1_000
SUBSCRIBERS_MAX: Final = 200
SUBSCRIBERS_OF_CALLER: Final = 25
TOPICS_MAX: Final = 32
ROWS_MAX: Final = 200
"""Limit of rows of one kind per second: under heavy load, lists are updated late, but the server does not slow down."""
DIRTY_MAX: Final = 100_000
OVERLAP: Final = 200
"""Newest events that are read again: of two events written concurrently, the one with the later number may become visible
first."""

PLAIN_TOPICS: Final = frozenset({"overview", "devices", "rollouts", "events"})
PING: Final = b": still here\n\n"
Frame = tuple[Collection[str], str | int, bytes]
"""Topics, the device or rollout that it is about (`SeenObjects.has`), and the message."""


@dataclass(slots=True)
class SeenObjects:
    """The devices and rollouts that the caller of a stream sees; None = all, and the overview."""

    devices: Collection[str] | None = None
    rollouts: Collection[int] | None = None

    def has(self, about: str | int) -> bool:
        """Whether it has a device, a rollout (its number), or the overview (an empty text)."""
        seen: Collection[str | int] | None = self.rollouts if isinstance(about, int) else self.devices
        return seen is None or about in seen


class Subscriber:
    """One open stream."""

    def __init__(self, topics: frozenset[str], caller: str, seen: SeenObjects) -> None:
        self.topics = topics
        self.caller = caller
        self.seen = seen
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE_MAX)

    def put(self, frame: bytes | None) -> None:
        """Add a frame; the oldest is dropped if the queue is full. None ends the stream."""
        if self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(frame)


def parse_topics(text: str) -> frozenset[str]:
    """Read `overview,devices,device:ID,rollouts,rollout:ID,events`.

    Raises:
        InputError: names the topic that does not exist.
    """
    topics = frozenset(topic.strip() for topic in text.split(",") if topic.strip())
    for topic in topics:
        kind, _, name = topic.partition(":")
        known = topic in PLAIN_TOPICS or (kind == "device" and name) or (kind == "rollout" and name.isdigit())
        if not known:
            raise InputError(f"no topic {topic[:80]!r}; must be overview, devices, device:ID, rollouts, rollout:NUMBER or events")
    if not 0 < len(topics) <= TOPICS_MAX:
        raise InputError(f"{len(topics)} topics: must be 1 to {TOPICS_MAX}")
    return topics


class LiveUpdates:
    """The publisher of the live stream. Runs on the event loop; `touch` and `sample` may be called from any thread."""

    def __init__(self, database: Database, overview: Callable[[Connection], Overview], counts: FleetCounts) -> None:
        self._database = database
        self.overview = overview
        self._counts = counts
        self._subscribers: set[Subscriber] = set()
        self._lock = threading.Lock()
        self._dirty_devices: dict[str, None] = {}
        self._dirty_figures: dict[str, None] = {}
        self._dirty_rollouts: set[int] = set()
        self._samples: dict[str, str] = {}
        self._watched: frozenset[str] = frozenset()
        self._event_id = 0
        self._sent_ids: set[int] = set()
        self._frame_id = int(time.time() * 1000)
        self._last_overview = ""
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    # -- writers

    def touch(self, touched: Iterable[str] = (), changed: Iterable[int] = (), measured: Iterable[str] = ()) -> None:
        """Mark changed devices (`touched`) and rollouts (`changed`), and devices of which only figures changed (`measured`),
        which have lower priority."""
        if not self._subscribers:
            return
        with self._lock:
            self._dirty_devices.update(dict.fromkeys(touched))
            if len(self._dirty_figures) < DIRTY_MAX:
                self._dirty_figures.update(dict.fromkeys(measured))
            self._dirty_rollouts.update(changed)

    def sample(self, samples: Mapping[str, str]) -> None:
        """Latest telemetry records, by device; stored only for devices with subscribers."""
        watched = self._watched
        if watched:
            with self._lock:
                self._samples.update({device: text for device, text in samples.items() if device in watched})

    # -- subscribers

    async def stream(
        self, topics: frozenset[str], caller: str = "", seen: SeenObjects | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Frames of one stream of a caller about the objects that it sees, until the client disconnects or the server stops; none
        if too many streams were opened since `check_room`."""
        try:
            self.check_room(caller)
        except ConflictError:
            return
        subscriber = self._join(topics, caller, seen or SeenObjects())
        try:
            yield b": edgefleet\n\n"
            while True:
                try:
                    frame = await asyncio.wait_for(subscriber.queue.get(), PING_S)
                except asyncio.TimeoutError:
                    yield PING
                    continue
                if frame is None:
                    return
                yield frame
        finally:
            self._subscribers.discard(subscriber)
            self._watch()

    def check_room(self, caller: str = "") -> None:
        """Check that a caller may open another stream.

        Raises:
            ConflictError: too many streams are open, of this caller or of all.
        """
        if sum(one.caller == caller for one in self._subscribers) >= SUBSCRIBERS_OF_CALLER:
            raise ConflictError(f"{SUBSCRIBERS_OF_CALLER} streams of this user are open; close some browser tabs")
        if len(self._subscribers) >= SUBSCRIBERS_MAX:
            raise ConflictError(f"{SUBSCRIBERS_MAX} streams are open; close some browser tabs")

    def _join(self, topics: frozenset[str], caller: str, seen: SeenObjects) -> Subscriber:
        subscriber = Subscriber(topics, caller, seen)
        if self._closed:
            subscriber.put(None)
        self._subscribers.add(subscriber)
        self._watch()
        return subscriber

    @property
    def watched(self) -> frozenset[str]:
        """Devices with subscribers."""
        return self._watched

    def _watch(self) -> None:
        topics = frozenset[str]().union(*(subscriber.topics for subscriber in self._subscribers))
        self._watched = frozenset(topic.partition(":")[2] for topic in topics if topic.startswith("device:"))

    # -- start and end

    async def run(self) -> None:
        """Publish changes once a second, until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PERIOD_S)
            if not self._subscribers:
                with self._lock:
                    self._dirty_devices.clear()
                    self._dirty_figures.clear()
                    self._dirty_rollouts.clear()
                    self._samples.clear()
                self._event_id = 0
                continue
            topics = frozenset[str]().union(*(subscriber.topics for subscriber in self._subscribers))
            with contextlib.suppress(StoreError):
                self._send(await asyncio.to_thread(self._collect, topics))

    def close(self) -> None:
        """End every stream; may be called from any thread, and repeatedly."""
        self._closed = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        for subscriber in self._subscribers:
            subscriber.put(None)

    def _send(self, frames: list[Frame]) -> None:
        for topics, about, frame in frames:
            for subscriber in self._subscribers:
                if not subscriber.topics.isdisjoint(topics) and subscriber.seen.has(about):
                    subscriber.put(frame)

    # -- reading changes

    def _collect(self, topics: frozenset[str]) -> list[Frame]:
        """A frame for every change that has a subscriber."""
        with self._lock:
            touched = self._take_dirty()
            changed, self._dirty_rollouts = self._dirty_rollouts, set()
            samples, self._samples = self._samples, {}
        frames: list[Frame] = []
        with self._database.read() as connection:
            if "overview" in topics:
                frames += self._overview_frame(connection)
            if "devices" in topics or self._watched:
                frames += self._device_frames(connection, touched, samples)
            frames += self._rollout_frames(connection, topics, touched, changed)
            if "events" in topics:
                frames += self._event_frames(connection)
        return frames

    def _take_dirty(self) -> list[str]:
        """Devices to publish now: first those with subscribers, then state changes, then measurements, up to the limit of a
        second."""
        waiting = {**self._dirty_devices, **self._dirty_figures}
        watched = {device: None for device in self._watched if device in waiting}
        touched = list({**watched, **waiting})[: ROWS_MAX + len(watched)]
        for device in touched:
            self._dirty_devices.pop(device, None)
            self._dirty_figures.pop(device, None)
        return touched

    def _overview_frame(self, connection: Connection) -> list[Frame]:
        text = self.overview(connection).model_dump_json()
        if text == self._last_overview:
            return []
        self._last_overview = text
        return [(("overview",), "", self._frame("overview", text))]

    def _device_frames(self, connection: Connection, touched: list[str], samples: Mapping[str, str]) -> list[Frame]:
        frames: list[Frame] = []
        for record in devices.rows(connection, touched):
            row = DeviceRow.model_validate(record)
            frames.append((("devices", f"device:{row.id}"), row.id, self._model("device", row)))
        for device, text in samples.items():
            message = TelemetryMessage(device=device, point=TelemetryPoint.model_validate_json(text))
            frames.append(((f"device:{device}",), device, self._model("telemetry", message)))
        return frames

    def _rollout_frames(
        self, connection: Connection, topics: frozenset[str], touched: list[str], changed: set[int]
    ) -> list[Frame]:
        frames: list[Frame] = []
        watched = {int(topic.partition(":")[2]) for topic in topics if topic.startswith("rollout:")}
        for number in sorted(changed if "rollouts" in topics else changed & watched):
            with contextlib.suppress(NotFoundError):
                row = views.rollout(connection, number, self._counts.rollout_now)
                frames.append((("rollouts", f"rollout:{number}"), number, self._model("rollout", row)))
        for number in sorted(watched):
            chosen = tries.AttemptFilter(rollout=number, devices=tuple(touched))
            found = tries.attempts(connection, chosen, 0, ROWS_MAX, time.time())[0] if touched else []
            rows = map(AttemptRow.model_validate, found)
            frames.extend(((f"rollout:{number}",), number, self._model("attempt", row)) for row in rows)
        return frames

    def _event_frames(self, connection: Connection) -> list[Frame]:
        if not self._event_id:
            self._event_id = events.newest_id(connection)
            self._sent_ids = {row[0] for row in events.newest(connection, limit=OVERLAP)}
            return []
        known = self._sent_ids
        after_id = max(0, self._event_id - OVERLAP)
        found = [row for row in events.newest(connection, after_id=after_id, limit=ROWS_MAX + OVERLAP) if row[0] not in known]
        if found:
            self._event_id = max(self._event_id, found[0][0])
            fresh = known.union(row[0] for row in found)
            self._sent_ids = {number for number in fresh if number > self._event_id - 2 * OVERLAP}
        return [(("events",), row[1], self._model("event", views.event_row(row))) for row in reversed(found)]

    def _model(self, name: str, model: BaseModel) -> bytes:
        return self._frame(name, model.model_dump_json())

    def _frame(self, name: str, data: str) -> bytes:
        self._frame_id += 1
        return f"id: {self._frame_id}\nevent: {name}\ndata: {data}\n\n".encode()
