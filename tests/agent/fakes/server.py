"""A fleet server for one device over a real broker: stores, acks, answers requests. Its "database" is a dict."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import (
    BLOCK_BYTES,
    Ack,
    BlockRequest,
    Command,
    CommandReply,
    Desired,
    MetadataFile,
    PresenceMessage,
    Reported,
    SlotTarget,
    Stream,
    TelemetryBatch,
    TrustOffer,
)
from edgefleet_contract.wire.messages import UpdatePolicy as Policy

TRIAL = Policy(trial_s=0.4, trial_frames_min=3)


class FakeServer:
    """The server. `deaf`: it receives requests and records but does not answer. `spoil(blob, index, data)` may change a block in
    transfer."""

    def __init__(self, port: int, device: str) -> None:
        self.device = device
        self.blobs: dict[str, bytes] = {}
        self.reports: list[Reported] = []
        self.presence: list[PresenceMessage] = []
        self.replies: list[CommandReply] = []
        self.records: dict[tuple[Stream, str], dict[int, dict[str, Any]]] = {}
        self.seen: Counter[tuple[Stream, str, int]] = Counter()
        self.acked: dict[tuple[Stream, str], int] = {}
        self.sent_again: list[tuple[Stream, int]] = []
        self.requested: Counter[tuple[str, int]] = Counter()
        self.blocks_sent = 0
        self.in_flight_max = 0
        self.deaf = False
        self.acks = True
        self.block_delay_s = 0.0
        self.spoil: Callable[[str, int, bytes], bytes] = lambda _blob, _index, data: data
        self.generation = 0
        self._changed = threading.Condition()
        self._waiting = 0
        self.client = paho.Client(CallbackAPIVersion.VERSION2, client_id="server")
        self.client.on_message = self._on_message
        self.client.on_connect = lambda client, *_: client.subscribe(topics.ALL_UP, 1)
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def add(self, *packages: Any) -> None:
        for package in packages:
            self.blobs.update(package.blobs)

    def desire(self, policy: Policy | None = None, *, generation: int = 0, device: str = "", **slots: SlotTarget) -> Desired:
        self.generation = generation or self.generation + 1
        desired = Desired(device=device or self.device, generation=self.generation, slots=slots, policy=policy or TRIAL)
        self.publish(topics.desired(self.device), encode(desired), retain=True)
        return desired

    def offer(self, files: dict[str, bytes], **lengths: int) -> None:
        """Offer signed metadata; `lengths` overrides the stated lengths of files (dots as `_`)."""
        entries = []
        for name, data in files.items():
            digest = hashlib.sha256(data).hexdigest()
            self.blobs[digest] = data
            length = lengths.get(name.replace(".", "_").lstrip("0123456789_"), len(data))
            entries.append(MetadataFile(name=name, digest=digest, length=length))
        self.publish(topics.trust(), encode(TrustOffer(files=entries)), retain=True)

    def command(self, command: Command) -> None:
        self.publish(topics.command(self.device), encode(command))

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        assert self._waiting != threading.get_ident(), "a condition of wait() publishes: the connection waits for its end"
        self.client.publish(topic, payload, qos, retain).wait_for_publish(60.0)

    def wait(self, what: Callable[[], Any], timeout_s: float = 120.0) -> Any:
        """Wait until `what()` is true, which must not publish. Returns its value; raises AssertionError after the time limit."""
        with self._changed:
            deadline = time.monotonic() + timeout_s
            while not (value := self._evaluate(what)):
                left = deadline - time.monotonic()
                assert left > 0, f"never came; last report: {self.reports[-1:]}"
                self._changed.wait(min(left, 0.2))
            return value

    def _evaluate(self, what: Callable[[], Any]) -> Any:
        self._waiting = threading.get_ident()
        try:
            return what()
        finally:
            self._waiting = 0

    def slot(self, name: str = "detector") -> Any:
        return self.reports[-1].slots.get(name) if self.reports else None

    def _on_message(self, _client: Any, _data: Any, message: paho.MQTTMessage) -> None:
        up = topics.parse_up(message.topic)
        with self._changed:
            getattr(self, f"_{up.kind}", lambda _payload: None)(message.payload)
            self._changed.notify_all()

    def _presence(self, payload: bytes) -> None:
        self.presence.append(decode(payload, PresenceMessage))

    def _reported(self, payload: bytes) -> None:
        self.reports.append(decode(payload, Reported))

    def _reply(self, payload: bytes) -> None:
        self.replies.append(decode(payload, CommandReply))

    def _telemetry(self, payload: bytes) -> None:
        self._store(Stream.TELEMETRY, decode(payload, TelemetryBatch))

    def _events(self, payload: bytes) -> None:
        self._store(Stream.EVENTS, decode(payload, TelemetryBatch))

    def _store(self, stream: Stream, batch: TelemetryBatch) -> None:
        if self.deaf:
            return
        key = (stream, batch.epoch)
        for seq, record in enumerate(batch.records, batch.first_seq):
            if seq <= self.acked.get(key, 0):
                self.sent_again.append((stream, seq))
            self.seen[(stream, batch.epoch, seq)] += 1
            self.records.setdefault(key, {})[seq] = record
        if self.acks:
            while self.acked.get(key, 0) + 1 in self.records[key]:
                self.acked[key] = self.acked.get(key, 0) + 1
            ack = Ack(stream=stream, epoch=batch.epoch, seq=self.acked.get(key, 0))
            self.client.publish(topics.ack(self.device), encode(ack))

    def _blocks(self, payload: bytes) -> None:
        want = decode(payload, BlockRequest)
        indices = [index for first, count in want.ranges for index in range(first, first + count)]
        self.in_flight_max = max(self.in_flight_max, len(indices))
        self.requested.update((want.blob, index) for index in indices)
        if self.deaf:
            return
        data = self.blobs.get(want.blob)
        for index in indices:
            block = b"" if data is None else self.spoil(want.blob, index, data[index * BLOCK_BYTES : (index + 1) * BLOCK_BYTES])
            self.blocks_sent += 1
            if self.block_delay_s:
                time.sleep(self.block_delay_s)
            self.client.publish(topics.block(self.device, want.blob, index), block, 1)
