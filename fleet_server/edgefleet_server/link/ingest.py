"""Stores messages from the wire in the database, and only then acknowledges them to their devices.

Messages wait in a bounded queue with a fair share for each device; one thread takes them in batches and writes each batch in one
transaction. After the commit each device gets one `Ack` per stream. If the database refuses (disk full), nothing is acknowledged
and the same batch is retried: devices keep their records, and send them again if the queue had no room for them.

The broker gets the PUBACK of telemetry and events at once: what it would hold back otherwise would wait in one queue for all
devices. Presence, reports and replies, which devices do not repeat, are confirmed after the commit.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.core.malloc import malloc_trim, resident_bytes
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Ack, Stream
from edgefleet_contract.wire.topics import UpTopic, parse_up
from edgefleet_server.core.errors import MessageError, StoreError
from edgefleet_server.core.spans import SPANS
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.domain.delivery.fair_queue import QueueLimits
from edgefleet_server.domain.policy.device_conduct import Offence, offences_of
from edgefleet_server.domain.policy.device_quota import batches_in
from edgefleet_server.domain.statistics.quantile_sketch import Sketch, add, merge, quantile
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.fair_mailbox import FairMailbox
from edgefleet_server.link.ingest_writer import BatchResult, IngestWriter

QUEUE_LIMITS: Final = QueueLimits(device_items=512, device_bytes=2 * 1024**2, total_bytes=64 * 1024**2)
"""A device has at most eight batches of 64 KiB under way, and repeats them."""
BATCH_MAX: Final = 1_000
BATCH_BYTES_MAX: Final = 512 * 1024
"""Others wait while a batch is decoded and written: of a flood, a tenth of a second."""
STREAM_KINDS: Final = frozenset(("telemetry", "events"))
DELAYED_MAX: Final = 50_000
"""Acknowledgements delayed at once."""
TRIM_S: Final = 20.0
TRIM_BYTES: Final = 48 * 1024**2
"""Growth of the process after which freed memory is returned to the system."""
GATHER_S: Final = 0.05
IDLE_S: Final = 0.2
RETRY_S: Final = 1.0
WINDOW: Final = 4
WINDOW_BUSY: Final = 1
COMPLAIN_S: Final = 10.0
RATE_WINDOW_S: Final = 10.0
MEASURED_S: Final = 60.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MeasuredSample:
    """Measurements of ingest. `quantiles_s`: from the wire to the commit, over the last `MEASURED_S`, by share. `dropped`:
    messages dropped at receipt."""

    messages: int
    refused: int
    waiting: int
    quantiles_s: dict[float, float]
    dropped: int = 0


class Ingest:
    """The thread between the wire and the database. `committed` is called with each outcome, on that thread. `guard` decides
    which messages are taken."""

    def __init__(
        self,
        database: Database,
        link: MqttClient,
        devices_max: int,
        committed: Callable[[BatchResult], None],
        guard: DeviceGuard,
    ) -> None:
        self._database = database
        self._link = link
        self._store = IngestWriter(devices_max)
        self._committed = committed
        self._guard = guard
        self._queue: FairMailbox[ReceivedMessage] = FairMailbox(QUEUE_LIMITS)
        self._delayed: dict[tuple[str, Stream, str], _Delayed] = {}
        self._memory = _Memory()
        self._closing = threading.Event()
        guard.listen(self.discard)
        self._thread = threading.Thread(target=self._run, name="ingest", daemon=True)
        self._complained_s = 0.0
        self._refused = 0
        self._rates: list[tuple[float, int]] = []
        self._waits: deque[tuple[float, Sketch]] = deque()
        self.messages_total = 0

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current batch; messages that were not committed are not acknowledged."""
        self._closing.set()
        self._queue.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def offer(self, message: ReceivedMessage) -> None:
        """Queue a message from the wire; never blocks. A message without room is dropped: its device sends it again."""
        try:
            up = parse_up(message.topic)
        except MessageError as error:
            message.acknowledge()
            self._refused += 1
            self._complain(f"{self._refused} messages or records refused so far; the latest: {message.topic[:120]}: {error}")
            return
        if up.kind in STREAM_KINDS:
            message.acknowledge()
        if message.retained and up.kind not in topics.RETAINED_UP_KINDS:
            _confirm(message, up)
            self._clear(up.device, message)
            return
        if not self._guard.admit(up.device, up.kind, len(message.payload)):
            _confirm(message, up)
            return
        if not message.payload and up.kind in topics.RETAINED_UP_KINDS:  # the server clears those of a blocked device
            _confirm(message, up)
            return
        for dropped in self._queue.put(up.device, message, len(message.payload)):
            self._guard.dropped_total += 1
            self._finish([dropped])

    def discard(self, device: str) -> None:
        """Drop what waits from a device; it is not acknowledged."""
        dropped = self._queue.discard(device)
        self._guard.dropped_total += len(dropped)
        self._finish(dropped)

    def forget(self) -> None:
        """Drop cached rows after the deletion of a device; called inside the deleting transaction, so that no batch is written in
        between."""
        self._store.stale.set()

    def samples_per_s(self) -> float:
        """Telemetry records stored per second, averaged over the last seconds."""
        edge = time.monotonic() - RATE_WINDOW_S
        return sum(count for at, count in list(self._rates) if at >= edge) / RATE_WINDOW_S

    def measure(self) -> MeasuredSample:
        """The current measurements of ingest."""
        edge = time.monotonic() - MEASURED_S
        waits = merge(sketch for at, sketch in list(self._waits) if at >= edge)
        quantiles_s = {share: quantile(waits, share) for share in (0.5, 0.99)}
        return MeasuredSample(self.messages_total, self._refused, len(self._queue), quantiles_s, self._guard.dropped_total)

    def _run(self) -> None:
        while not self._closing.is_set():
            batch = self._queue.take(BATCH_MAX, BATCH_BYTES_MAX, IDLE_S, GATHER_S)
            while batch and not self._closing.is_set() and not self._written(batch):
                self._closing.wait(RETRY_S)
            self._acknowledge_delayed()
            self._memory.turn()

    def _clear(self, device: str, message: ReceivedMessage) -> None:
        """Delete a retained message from the broker, on a topic that needs none."""
        if message.payload:
            self._link.publish(Outgoing(message.topic, b"", retain=True))
            self._guard.offend(device, Offence.RETAINED, offences_of(len(message.payload)))

    def _written(self, batch: Sequence[ReceivedMessage]) -> bool:
        """Write a batch; False if the database refuses at the moment."""
        try:
            self._write(batch)
        except StoreError as error:
            self._complain(f"{error}; nothing is acknowledged until it is better")
            self._store.forget()
            return False
        return True

    def _write(self, batch: Sequence[ReceivedMessage]) -> None:
        try:
            with SPANS.span("ingest.batch", messages=len(batch)) as span:
                outcome = self._commit(batch)
                if span is not None:
                    span.set_attribute("samples", outcome.sample_count)
                    span.set_attribute("events", outcome.event_count)
                    span.set_attribute("refused", len(outcome.refused))
        except self._database.unstorable as error:
            self._store.forget()
            if len(batch) == 1:
                # A message that passed every check and still cannot be stored is a bug; it must not block the others.
                log.exception("a message on %s cannot be stored (%s); it is dropped", batch[0].topic[:120], error)
                self._finish(batch)
                return
            for message in batch:
                self._write([message])
            return
        batches = _confirm_all(batch)
        self._guard.charge(outcome.records)
        for device, count in outcome.invalid.items():
            self._guard.offend(device, Offence.INVALID, count)
        self._acknowledge(outcome, batches)
        self._note(outcome, batch)
        self._committed(outcome)

    def _commit(self, received: Sequence[ReceivedMessage]) -> BatchResult:
        with self._database.ingest_transaction() as connection:
            return self._store.write(raw(connection), received, time.time())

    def _acknowledge(self, outcome: BatchResult, batches: dict[str, int]) -> None:
        """Acknowledge what was stored; to devices beyond their quota later, so that they send more slowly. `batches`: of each
        device in this transaction."""
        window = WINDOW_BUSY if self._queue.is_half_full else WINDOW
        acks = []
        for key, seq in outcome.acks.items():
            device = key[0]
            pause_s = self._guard.pause_s(device)
            delayed = self._delayed.get(key)
            if delayed is None and pause_s > 0 and len(self._delayed) < DELAYED_MAX:
                delayed = self._delayed[key] = _Delayed(time.monotonic() + pause_s)
            if delayed is not None:
                delayed.seq = seq
                delayed.batches += batches.pop(device, 0)
            else:
                acks.append(_ack(key, seq, window))
        for device, count in batches.items():
            self._guard.answered(device, count)
        self._link.publish_together(acks)

    def _acknowledge_delayed(self) -> None:
        now = time.monotonic()
        acks = []
        for key in [key for key, delayed in self._delayed.items() if delayed.due_s <= now]:
            delayed = self._delayed.pop(key)
            self._guard.answered(key[0], delayed.batches)
            acks.append(_ack(key, delayed.seq, WINDOW_BUSY))
        self._link.publish_together(acks)

    def _finish(self, messages: Sequence[ReceivedMessage]) -> None:
        """Confirm messages that are dropped."""
        for device, count in _confirm_all(messages).items():
            self._guard.answered(device, count)

    def _note(self, outcome: BatchResult, batch: Sequence[ReceivedMessage]) -> None:
        now = time.monotonic()
        self.messages_total += len(batch)
        waits: Sketch = {}
        for message in batch:
            add(waits, now - message.came_s)
        self._waits.append((now, waits))
        while self._waits[0][0] < now - MEASURED_S:
            self._waits.popleft()
        self._rates.append((now, outcome.sample_count))
        while self._rates and self._rates[0][0] < now - RATE_WINDOW_S:
            self._rates.pop(0)
        if outcome.refused:
            self._refused += len(outcome.refused)
            self._complain(f"{self._refused} messages or records refused so far; the latest: {outcome.refused[-1]}")

    def _complain(self, text: str) -> None:
        """Log one line at a limited rate: a broken device must not fill the log."""
        now = time.monotonic()
        if now - self._complained_s >= COMPLAIN_S:
            self._complained_s = now
            log.warning("ingest: %s", text)


@dataclass(slots=True)
class _Delayed:
    """An acknowledgement to be sent at `due_s`, of `batches` of its device."""

    due_s: float
    seq: int = 0
    batches: int = 0


class _Memory:
    """Returns freed memory to the system after the process has grown: a flood is over, and its messages are gone."""

    def __init__(self) -> None:
        self._checked_s = time.monotonic()
        self._least_bytes = resident_bytes()

    def turn(self) -> None:
        """Look from time to time."""
        if time.monotonic() - self._checked_s < TRIM_S:
            return
        self._checked_s = time.monotonic()
        now_bytes = resident_bytes()
        if now_bytes > self._least_bytes + TRIM_BYTES:
            malloc_trim()
            now_bytes = self._least_bytes = resident_bytes()
        self._least_bytes = min(self._least_bytes, now_bytes)


def _ack(key: tuple[str, Stream, str], seq: int, window: int) -> Outgoing:
    """The acknowledgement of a stream: device, stream, epoch."""
    device, stream, epoch = key
    return Outgoing(topics.ack(device), encode(Ack(stream=stream, epoch=epoch, seq=seq, window=window)), qos=0)


def _confirm(message: ReceivedMessage, up: UpTopic) -> None:
    """Send the PUBACK of a message that did not get it at receipt."""
    if up.kind not in STREAM_KINDS:
        message.acknowledge()


def _confirm_all(messages: Sequence[ReceivedMessage]) -> dict[str, int]:
    """Send the PUBACKs of messages that did not get it at receipt; returns the number of batches of records of each device."""
    batches: dict[str, int] = {}
    for message in messages:
        up = parse_up(message.topic)
        _confirm(message, up)
        if up.kind in STREAM_KINDS:
            batches[up.device] = batches.get(up.device, 0) + batches_in(len(message.payload))
    return batches
