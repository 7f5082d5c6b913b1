"""Stores messages from the wire in the database, and only then acknowledges them.

Messages wait in a bounded queue; one thread takes them in batches and writes each batch in one transaction. After the commit, the
broker gets its PUBACKs and each device one `Ack` per stream. If the database refuses (disk full), nothing is acknowledged and the
same batch is retried: devices keep their records, and the broker holds back further messages.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Ack
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.spans import SPANS
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.domain.statistics.quantile_sketch import Sketch, add, merge, quantile
from edgefleet_server.link.ingest_writer import BatchResult, IngestWriter, RawMessage

QUEUE_MAX: Final = 20_000
BATCH_MAX: Final = 1_000
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
    """Measurements of ingest. `quantiles_s`: from the wire to the commit, over the last `MEASURED_S`, by share."""

    messages: int
    refused: int
    waiting: int
    quantiles_s: dict[float, float]


class Ingest:
    """The thread between the wire and the database. `committed` is called with each outcome, on that thread."""

    def __init__(self, database: Database, link: MqttClient, devices_max: int, committed: Callable[[BatchResult], None]) -> None:
        self._database = database
        self._link = link
        self._store = IngestWriter(devices_max)
        self._committed = committed
        self._queue: queue.Queue[ReceivedMessage] = queue.Queue(QUEUE_MAX)
        self._closing = threading.Event()
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
        if self._thread.is_alive():
            self._thread.join(5.0)

    def offer(self, message: ReceivedMessage) -> None:
        """Queue a message from the wire. Blocks while the queue is full, which is the backpressure for the broker."""
        while not self._closing.is_set() and not self._put(message):
            pass

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
        return MeasuredSample(self.messages_total, self._refused, self._queue.qsize(), quantiles_s)

    def _run(self) -> None:
        while not self._closing.is_set():
            batch = self._gather()
            while batch and not self._closing.is_set() and not self._written(batch):
                self._closing.wait(RETRY_S)

    def _put(self, message: ReceivedMessage) -> bool:
        try:
            self._queue.put(message, timeout=0.5)
        except queue.Full:
            return False
        return True

    def _get(self, wait_s: float) -> ReceivedMessage | None:
        try:
            return self._queue.get(timeout=max(0.0, wait_s))
        except queue.Empty:
            return None

    def _gather(self) -> list[ReceivedMessage]:
        """The next batch: the first message that arrives within a short time, and those that follow closely; may be empty."""
        message = self._get(IDLE_S)
        batch: list[ReceivedMessage] = []
        deadline = time.monotonic() + GATHER_S
        while message is not None:
            batch.append(message)
            if len(batch) == BATCH_MAX:
                break
            message = self._get(deadline - time.monotonic())
        return batch

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
        received = [RawMessage(message.topic, message.payload, message.retained) for message in batch]
        try:
            with SPANS.span("ingest.batch", messages=len(batch)) as span:
                outcome = self._commit(received)
                if span is not None:
                    span.set_attribute("samples", outcome.sample_count)
                    span.set_attribute("events", outcome.event_count)
                    span.set_attribute("refused", len(outcome.refused))
        except self._database.unstorable as error:
            self._store.forget()
            if len(batch) == 1:
                # A message that passed every check and still cannot be stored is a bug; it must not block the others.
                log.exception("a message on %s cannot be stored (%s); it is dropped", batch[0].topic[:120], error)
                batch[0].acknowledge()
                return
            for message in batch:
                self._write([message])
            return
        for message in batch:
            message.acknowledge()
        self._acknowledge(outcome)
        self._note(outcome, batch)
        self._committed(outcome)

    def _commit(self, received: Sequence[RawMessage]) -> BatchResult:
        with self._database.ingest_transaction() as connection:
            return self._store.write(raw(connection), received, time.time())

    def _acknowledge(self, outcome: BatchResult) -> None:
        window = WINDOW if self._queue.qsize() < QUEUE_MAX // 2 else WINDOW_BUSY
        for (device, stream, epoch), seq in outcome.acks.items():
            ack = Ack(stream=stream, epoch=epoch, seq=seq, window=window)
            self._link.publish(Outgoing(topics.ack(device), encode(ack), qos=0))

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
