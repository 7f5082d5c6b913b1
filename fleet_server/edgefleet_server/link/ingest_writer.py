"""Writes a batch of messages in one transaction, and returns the follow-up work after the commit."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire.environment_bill import BILL_OP
from edgefleet_contract.wire.messages import (
    CommandReply,
    PresenceMessage,
    Reported,
    SlotPhase,
    SlotReport,
    Stream,
    TelemetryBatch,
)
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_contract.wire.topics import UpTopic, parse_up
from edgefleet_server.core.errors import MessageError
from edgefleet_server.db.backend.driver import Driver, SharedDriver
from edgefleet_server.db.components import bills
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.db.telemetry.retention import EPOCHS_MAX
from edgefleet_server.domain.delivery.stream_cursor import Cursor, advance
from edgefleet_server.domain.fleet.presence import after_message
from edgefleet_server.domain.rollout import device_warnings
from edgefleet_server.domain.states import NO_FRAMES
from edgefleet_server.link.decode import (
    RESULT_BYTES_MAX,
    check_batch,
    check_presence,
    check_reported,
    decode,
    read_event,
    read_sample,
)

CLOCK_AHEAD_S_MAX: Final = 86_400.0
"""A sample from further in the future comes from a wrong clock of the device; it is stored with its time of arrival."""
CURSORS_MAX: Final = 50_000

log = logging.getLogger(__name__)

_json = msgspec.json.Encoder().encode


@dataclass(slots=True)
class BatchResult:
    """Result of a committed batch. records: those received of each device, also repeated ones. invalid: messages of each device
    that were refused."""

    acks: dict[tuple[str, Stream, str], int] = field(default_factory=dict)
    births: set[str] = field(default_factory=set)
    reports: set[str] = field(default_factory=set)
    samples: dict[str, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    sample_count: int = 0
    event_count: int = 0
    refused: list[str] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    invalid: dict[str, int] = field(default_factory=dict)


class IngestWriter:
    """Writes messages to their tables. Used from the ingest thread only."""

    def __init__(self, devices_max: int) -> None:
        self._devices_max = devices_max
        self._known: set[str] = set()
        self.stale = threading.Event()
        """Set after a device is deleted: cached rows have to be read again."""
        self._cursors: OrderedDict[ingest.StreamKey, Cursor] = OrderedDict()

    def write(self, db: Driver, messages: Sequence[ReceivedMessage], now: float) -> BatchResult:
        """Store messages inside the caller's transaction. A message that violates the contract is refused and listed in the
        outcome."""
        if self.stale.is_set():
            self.stale.clear()
            self.forget()
        if isinstance(db, SharedDriver):
            self._hold(db, db, messages)
        page = _BatchWriter(db, now, self._meet, self._cursor_of)
        seen: set[str] = set()
        for message in messages:
            device = self._take(page, message)
            if device is not None and not message.retained:
                seen.add(device)
        page.finish()
        ingest.seen(db, sorted(seen), now)
        for key, (cursor, _) in page.cursors.items():
            self._cursors[key] = cursor
            self._cursors.move_to_end(key)
        while len(self._cursors) > CURSORS_MAX:
            self._cursors.popitem(last=False)
        return page.outcome

    def forget(self) -> None:
        """Drop the cache after a rollback: devices and cursors of the transaction were not stored."""
        self._known.clear()
        self._cursors.clear()

    def _cursor_of(self, db: Driver, key: ingest.StreamKey) -> Cursor:
        """The cursor of a stream. Only this writer changes cursors of the devices it knows, so the last written one need not be
        read again."""
        known = self._cursors.get(key)
        return known if known is not None else ingest.cursor_of(db, *key)

    def _hold(self, db: Driver, shared: SharedDriver, messages: Sequence[ReceivedMessage]) -> None:
        """Lock the devices of this batch and reload their cursors, because other processes store messages of the same devices."""
        names = {device for device in (_speaker(message.topic) for message in messages) if device}
        self._known = set(shared.lock_devices(sorted(names)))
        self._cursors = OrderedDict(ingest.cursors_of(db, sorted(self._known)))

    def _take(self, page: _BatchWriter, message: ReceivedMessage) -> str | None:
        """Store one message; returns its device, or None if it was refused."""
        up: UpTopic | None = None
        try:
            up = parse_up(message.topic)
            writer = _WRITERS.get(up.kind)
            if writer is None:
                raise MessageError(f"nothing is known about topics .../up/{up.kind[:60]}")
            writer(page, up.device, message)
        except MessageError as error:
            page.outcome.refused.append(f"{message.topic[:120]}: {error}")
            if up is not None:
                page.outcome.invalid[up.device] = page.outcome.invalid.get(up.device, 0) + 1
            return None
        return up.device

    def _meet(self, db: Driver, device: str, now: float) -> None:
        if device in self._known:
            return
        if isinstance(db, SharedDriver):
            db.lock_new_devices()
            db.lock_devices([device])
        if not ingest.device_exists(db, device):
            if ingest.count_devices(db) >= self._devices_max:
                raise MessageError(f"device {device!r} is new, and {self._devices_max} devices are known; raise the limit")
            ingest.add_device(db, device, now)
        self._known.add(device)


class _BatchWriter:
    """One transaction under construction: rows that can wait are collected and written together."""

    def __init__(
        self,
        db: Driver,
        now: float,
        meet: Callable[[Driver, str, float], None],
        cursor_of: Callable[[Driver, ingest.StreamKey], Cursor],
    ) -> None:
        """`meet` ensures that a device has a row; called once a message has been validated. `cursor_of` returns the cursor of a
        stream before this transaction."""
        self.db = db
        self.now = now
        self._meet = meet
        self._cursor_of = cursor_of
        self.cursors: dict[ingest.StreamKey, tuple[Cursor, int]] = {}
        self.outcome = BatchResult()
        self._new_epochs: dict[tuple[str, str], int] = {}
        self._samples: list[ingest.Row] = []
        self._events: list[ingest.Row] = []
        self._latest: dict[str, ingest.Row] = {}
        self._unmeasured: dict[str, ingest.Row] = {}

    def presence(self, device: str, message: ReceivedMessage) -> None:
        parsed = check_presence(decode(message.payload, PresenceMessage, device))
        if not parsed.online and not message.retained and not ingest.device_exists(self.db, device):
            return  # the will of a device that was removed from the fleet
        self._meet(self.db, device, self.now)
        known = ingest.presence_of(self.db, device)
        following = after_message(
            known, online=parsed.online, boot=parsed.boot, connection=parsed.connection, retained=message.retained, now=self.now
        )
        if following is not None:
            ingest.set_presence(self.db, device, following)
            self.outcome.reports.add(device)
        if parsed.online and (following is not None or known is None or not message.retained):
            lists = (parsed.runtimes, parsed.capabilities, parsed.hardware)
            row = (parsed.agent_version, parsed.profile, *map(ingest.encode, lists))
            ingest.set_birth(self.db, device, row, dict(parsed.labels), self.now)
            self.outcome.births.add(device)
            if refusal := bills.note(self.db, device, parsed.bill, self.now):
                self.outcome.refused.append(refusal)

    def reported(self, device: str, message: ReceivedMessage) -> None:
        parsed = check_reported(decode(message.payload, Reported, device))
        self._meet(self.db, device, self.now)
        known = ingest.report_known(self.db, device)
        if parsed.boot == known.boot and parsed.version <= known.version:
            return
        if message.retained and known.boot == known.presence_boot != parsed.boot:
            return  # a retained message of an earlier boot
        texts = device_warnings.of_report(parsed)
        lists = ingest.encode(parsed.pipelines), parsed.disk_free_bytes, ingest.encode(parsed.authorities)
        row = (parsed.boot, parsed.version, parsed.generation, *lists)
        slots = [slot_row(name, slot) for name, slot in parsed.slots.items()]
        ingest.set_report(self.db, device, (*row, ingest.encode(texts), len(texts)), slots)
        self.outcome.reports.add(device)

    def telemetry(self, device: str, message: ReceivedMessage) -> None:
        self._stream(device, message, Stream.TELEMETRY, self._take_sample)

    def events(self, device: str, message: ReceivedMessage) -> None:
        self._stream(device, message, Stream.EVENTS, self._take_event)

    def reply(self, device: str, message: ReceivedMessage) -> None:
        parsed = decode(message.payload, CommandReply, device)
        result = _json(parsed.result)
        if len(result) > RESULT_BYTES_MAX:
            raise MessageError(f"Reply: its result is over {RESULT_BYTES_MAX} bytes")
        is_bill = parsed.id.startswith(f"{BILL_OP}-")
        stored = "{}" if is_bill else result.decode()
        if ingest.finish_command(self.db, device, parsed.id, parsed.ok, parsed.detail, stored, self.now) and parsed.ok:
            self.outcome.answered.add(parsed.id)
            if is_bill:
                bills.receive(self.db, bills.requested_digest(self.db, parsed.id), parsed.result, self.now)

    def finish(self) -> None:
        """Write the collected rows."""
        ingest.set_cursors(self.db, self.cursors, self.now)
        ingest.add_samples(self.db, self._samples)
        ingest.add_events(self.db, self._events)
        ingest.set_samples(self.db, list(self._latest.values()), self.now)
        ingest.set_samples(self.db, list(self._unmeasured.values()), self.now, unmeasured=True)
        self.outcome.sample_count = len(self._samples)
        self.outcome.event_count = len(self._events)

    def _stream(self, device: str, message: ReceivedMessage, stream: Stream, take: Callable[[str, dict[str, Any]], None]) -> None:
        batch = check_batch(decode(message.payload, TelemetryBatch, device))
        self.outcome.records[device] = self.outcome.records.get(device, 0) + len(batch.records)
        self._meet(self.db, device, self.now)
        key = (device, stream.value, batch.epoch)
        known, refused_before = self.cursors[key] if key in self.cursors else (self._cursor(key), 0)
        cursor, ranges = advance(known, batch.first_seq, len(batch.records), batch.lost_before, self.now)
        before = len(self.outcome.refused)
        for first, last in ranges:
            for record in batch.records[first - batch.first_seq : last - batch.first_seq + 1]:
                self._take(take, device, record)
        refused = len(self.outcome.refused) - before
        self.cursors[key] = (cursor, refused_before + refused)
        self.outcome.acks[device, stream, batch.epoch] = cursor.seq

    def _cursor(self, key: ingest.StreamKey) -> Cursor:
        """The stored cursor of a stream. A new one takes the place of the oldest of the device: a device that begins a new epoch
        with each message does not fill the table."""
        cursor = self._cursor_of(self.db, key)
        if cursor != Cursor():
            return cursor
        count = self._new_epochs.get(key[:2], 0) + 1
        if count > EPOCHS_MAX:
            raise MessageError(f"Batch: more than {EPOCHS_MAX} new epochs at once")
        self._new_epochs[key[:2]] = count
        ingest.drop_old_cursors(self.db, key[0], key[1], EPOCHS_MAX - 1)
        return cursor

    def _take(self, take: Callable[[str, dict[str, Any]], None], device: str, record: dict[str, Any]) -> None:
        """Collect one record. A refused one is acknowledged as well: it would be refused again."""
        try:
            take(device, record)
        except MessageError as error:
            self.outcome.refused.append(f"{device}: {error}")

    def _take_sample(self, device: str, record: dict[str, Any]) -> None:
        sample = read_sample(record)
        value = sample.value
        at = value.at if value.at <= self.now + CLOCK_AHEAD_S_MAX else self.now
        text = _json(record).decode()
        self._samples.append((device, at, self.now, text))
        latest = self._latest if value.pipelines else self._unmeasured
        before = latest.get(device)
        if before is None or before[0] <= at:
            texts = device_warnings.of_telemetry(value)
            numbers = (sample.fps, sample.latency_p95_ms, sample.dropped_per_s, value.temperature_c, value.cpu_percent)
            latest[device] = (
                at, text, *numbers, value.disk_free_bytes, ingest.encode(texts), len(texts), device,
            )  # fmt: skip
            if value.pipelines or device not in self.outcome.samples:
                self.outcome.samples[device] = text

    def _take_event(self, device: str, record: dict[str, Any]) -> None:
        event = read_event(record)
        self._events.append((device, event.at, self.now, event.kind[:100], event.label[:200], _json(record).decode()))


_WRITERS: Final[dict[str, Callable[[_BatchWriter, str, ReceivedMessage], None]]] = {
    "presence": _BatchWriter.presence,
    "reported": _BatchWriter.reported,
    "telemetry": _BatchWriter.telemetry,
    "events": _BatchWriter.events,
    "reply": _BatchWriter.reply,
}


def _speaker(topic: str) -> str:
    """The device in a topic; empty if the topic is unknown."""
    try:
        return parse_up(topic).device
    except MessageError:
        return ""


def slot_row(name: str, slot: SlotReport) -> ingest.Row:
    """A slot as a row of `ingest.set_report`; a model committed without a frame gets the reason `no_frames`."""
    running = slot.running
    untried = slot.phase is SlotPhase.COMMITTED and slot.trial_frames == 0 and slot.reason is Reason.NONE
    reason = NO_FRAMES if untried else slot.reason.value
    what = (running.package, running.version, running.digest, _json(running).decode()) if running else ("", "", "", None)
    return (
        name, slot.phase.value, *what, slot.target or "", slot.attempt[:200], slot.wait_reason or reason, slot.detail,
        slot.bytes_done, slot.bytes_total, slot.since_at,
    )  # fmt: skip
