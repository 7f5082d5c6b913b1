"""A device for tests: speaks the real contract over a real broker, fetches and verifies real blocks, ends updates as configured.

Only the model is missing: "running" means that every byte of the package's variant is here and verified. Its outbox is a list:
records leave it when the server acknowledged them, and are sent again after `RESEND_S`, so that a test can count what arrived.
"""

from __future__ import annotations

import hashlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion

from edgefleet_contract.encoding.codec import decode, encode, to_plain
from edgefleet_contract.package.manifest import MANIFEST_FILE, FileEntry, read_descriptor, read_manifest
from edgefleet_contract.package.profile import choose_variant
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.environment_bill import BILL_OP, EnvironmentBill, bill_bytes, bill_digest
from edgefleet_contract.wire.messages import (
    BLOCK_BYTES,
    Ack,
    BlockRequest,
    Command,
    CommandReply,
    Desired,
    PresenceMessage,
    Reported,
    Running,
    SlotPhase,
    SlotReport,
    SlotTarget,
    Stream,
    TelemetryBatch,
)
from edgefleet_contract.wire.reason_codes import Reason

RESEND_S = 1.0
STALL_S = 1.5
WINDOW = 8
TICK_S = 0.02


@dataclass
class Behaviour:
    """The behaviour of a device in an update. `fate`: a final phase, or TRIAL for one that never ends; `only_slot`: the slot
    that it applies to, all others commit."""

    fate: SlotPhase = SlotPhase.COMMITTED
    reason: Reason = Reason.NONE
    detail: str = ""
    trial_s: float = 0.1
    dies_at: SlotPhase | None = None
    only_slot: str = ""

    def ends(self, slot: str) -> SlotPhase:
        return SlotPhase.COMMITTED if self.only_slot not in ("", slot) else self.fate


@dataclass
class Fetch:
    """One blob on its way."""

    entry: FileEntry
    have: dict[int, bytes] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return -(-self.entry.length // BLOCK_BYTES)

    @property
    def missing(self) -> list[int]:
        return [index for index in range(self.count) if index not in self.have]

    def bytes(self) -> bytes:
        return b"".join(self.have[index] for index in range(self.count))


class VirtualDevice:
    """One device. `start` connects and keeps connecting; `vanish` drops the line without a word; `stop` ends in good order."""

    def __init__(
        self, name: str, port: int, behaviour: Behaviour | None = None, profile: str = "cpu", boot: str = "boot-1"
    ) -> None:
        self.name = name
        self.behaviour = behaviour or Behaviour()
        self.boot = boot
        self.profile = profile
        self.labels: dict[str, str] = {}
        self.runtimes = ["lite_rt", "onnx_runtime"]
        self.capabilities: list[str] = []
        self.agent_version = "virtual"
        self.bill: EnvironmentBill | None = None
        self.slots: dict[str, SlotReport] = {}
        self.generation = 0
        self.blobs: dict[str, bytes] = {}
        self.commands: list[Command] = []
        self.answer: Callable[[Command], CommandReply | None] | None = None
        self.epoch = f"{name}-epoch"
        self.sent: dict[Stream, list[dict[str, Any]]] = {Stream.TELEMETRY: [], Stream.EVENTS: []}
        self.acked: dict[Stream, int] = {Stream.TELEMETRY: 0, Stream.EVENTS: 0}
        self.blocks_received = 0
        self._port = port
        self._connection = 0
        self._version = 0
        self._inbox: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()
        self._client: paho.Client | None = None
        self._closing = threading.Event()
        self._online = threading.Event()
        self._away = threading.Event()
        self._ended = threading.Event()
        self._targets: dict[str, tuple[SlotTarget, list[Fetch]]] = {}
        self._requested: dict[tuple[str, int], None] = {}
        self._moved_at = 0.0
        self._trial_ends: dict[str, float] = {}
        self._before: dict[str, Running | None] = {}
        self._held: dict[str, SlotTarget] = {}
        self._sent_at: dict[Stream, float] = {Stream.TELEMETRY: 0.0, Stream.EVENTS: 0.0}
        self._sent_seq: dict[Stream, int] = {Stream.TELEMETRY: 0, Stream.EVENTS: 0}
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._keep_line, name=f"{name}-line", daemon=True),
            threading.Thread(target=self._live, name=f"{name}-life", daemon=True),
        ]

    # -- what a test does

    def start(self) -> VirtualDevice:
        for thread in self._threads:
            thread.start()
        return self

    def wait_online(self, timeout_s: float = 120.0) -> None:
        assert self._online.wait(timeout_s), f"{self.name} did not get a connection"

    def vanish(self) -> None:
        """Drop the line; the broker speaks the will. `come_back` ends it."""
        self._away.set()
        self._ended.set()  # paho does not report a socket that was closed here
        client = self._client
        if client is not None and client.socket() is not None:
            client.socket().close()

    def come_back(self) -> None:
        self._away.clear()

    def stop(self) -> None:
        self._closing.set()
        for thread in self._threads:
            thread.join(5.0)

    def record(self, stream: Stream, *records: dict[str, Any]) -> None:
        with self._lock:
            self.sent[stream].extend(records)

    def running(self, slot: str) -> str:
        report = self.slots.get(slot)
        return report.running.digest if report and report.running else ""

    # -- the line

    def _keep_line(self) -> None:
        while not self._closing.is_set():
            if not self._away.is_set():
                self._one_connection()
            self._online.clear()
            self._closing.wait(0.1)

    def _one_connection(self) -> None:
        self._connection += 1
        client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=self.name, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        client.username_pw_set(self.name)
        client.max_queued_messages_set(1000)
        client.will_set(topics.presence(self.name), encode(self._presence(online=False)), 1, retain=True)
        client.on_message = lambda _client, _data, message: self._inbox.put((message.topic, message.payload))
        client.on_connect = self._on_connect
        ended = self._ended = threading.Event()
        client.on_disconnect = lambda *_: ended.set()
        try:
            client.connect("127.0.0.1", self._port, keepalive=30)
        except OSError:
            return
        self._client = client
        client.loop_start()
        while not ended.wait(0.05) and not self._closing.is_set() and not self._away.is_set():
            pass
        if self._closing.is_set():
            client.publish(topics.presence(self.name), encode(self._presence(online=False)), 1, retain=True)
            time.sleep(0.05)
            client.disconnect()
        client.loop_stop()

    def _on_connect(self, client: paho.Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        if code.is_failure:
            return
        client.subscribe([(topics.all_down(self.name), 1), (f"{topics.ROOT}/b/#", 0)])
        client.publish(topics.presence(self.name), encode(self._presence(online=True)), 1, retain=True)
        self._inbox.put(("reconnected", b""))
        self._online.set()

    def _presence(self, *, online: bool) -> PresenceMessage:
        return PresenceMessage(
            device=self.name,
            online=online,
            boot=self.boot,
            connection=self._connection,
            agent_version=self.agent_version,
            profile=self.profile,
            runtimes=self.runtimes,
            capabilities=self.capabilities if online else [],
            hardware={"arch": "none"},
            labels=self.labels,
            bill=bill_digest(bill_bytes(self.bill)) if self.bill is not None else "",
        )

    def _say(self, topic: str, payload: bytes, qos: int = 1, *, retain: bool = False) -> bool:
        client = self._client
        if client is None or not self._online.is_set():
            return False
        return client.publish(topic, payload, qos, retain).rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    def report(self) -> None:
        self._version += 1
        report = Reported(
            device=self.name,
            boot=self.boot,
            version=self._version,
            generation=self.generation,
            sent_at=time.time(),
            slots=dict(self.slots),
            disk_free_bytes=10**10,
        )
        self._say(topics.reported(self.name), encode(report), retain=True)

    # -- the life

    def _live(self) -> None:
        while not self._closing.is_set():
            try:
                topic, payload = self._inbox.get(timeout=TICK_S)
            except queue.Empty:
                pass
            else:
                self._on_message(topic, payload)
            self._turn(time.monotonic())

    def _on_message(self, topic: str, payload: bytes) -> None:
        block = topics.parse_block(topic)
        if block is not None:
            self._block(*block, payload)
        elif topic == "reconnected":
            self._requested.clear()
            self._sent_seq = dict(self.acked)
            self.report()
        elif topic == topics.desired(self.name):
            self._desire(decode(payload, Desired))
        elif topic == topics.ack(self.name):
            ack = decode(payload, Ack)
            if ack.epoch == self.epoch:
                self.acked[ack.stream] = max(self.acked[ack.stream], ack.seq)
        elif topic == topics.command(self.name):
            command = decode(payload, Command)
            self.commands.append(command)
            result = {"bill": to_plain(self.bill)} if command.op == BILL_OP else dict(command.args)
            done = CommandReply(id=command.id, ok=True, detail="did it", result=result)
            reply = self.answer(command) if self.answer is not None else done
            if reply is not None:
                self._say(topics.reply(self.name), encode(reply))

    def _desire(self, desired: Desired) -> None:
        if desired.generation <= self.generation:
            return
        self.generation = desired.generation
        for name, target in desired.slots.items():
            known = self.slots.get(name)
            if known is not None and known.running is not None and known.running.digest == target.digest:
                self._set(name, target, SlotPhase.COMMITTED)
                continue
            held = self._held.pop(name, None)
            if held is not None and held.digest == target.digest:
                self._switch(name, target, time.monotonic())
                continue
            self._before[name] = known.running if known else None
            self._targets[name] = (target, [Fetch(FileEntry(path="", length=target.length, sha256=target.digest))])
            self._set(name, target, SlotPhase.FETCHING)
        self.report()

    def _set(self, slot: str, target: SlotTarget, phase: SlotPhase) -> None:
        known = self.slots.get(slot)
        running = known.running if known else None
        if phase in (SlotPhase.TRIAL, SlotPhase.COMMITTED):
            running = Running(
                package=target.package, version=target.version, digest=target.digest, runtime="lite_rt", since_at=time.time()
            )
        elif phase in (SlotPhase.ROLLED_BACK, SlotPhase.REFUSED):
            running = self._before.get(slot)
        fetches = self._targets[slot][1] if slot in self._targets else []
        ended = phase in (SlotPhase.ROLLED_BACK, SlotPhase.REFUSED, SlotPhase.ROLLBACK_FAILED)
        self.slots[slot] = SlotReport(
            phase=phase,
            running=running,
            target=target.digest,
            attempt=target.attempt,
            reason=self.behaviour.reason if ended else Reason.NONE,
            detail=self.behaviour.detail if ended else "",
            bytes_done=sum(len(block) for fetch in fetches for block in fetch.have.values()),
            bytes_total=sum(fetch.entry.length for fetch in fetches),
            since_at=time.time(),
        )
        if self.behaviour.dies_at is phase:
            self.report()
            time.sleep(0.1)
            self.vanish()

    def _block(self, blob: str, index: int, data: bytes) -> None:
        self.blocks_received += 1
        for _target, fetches in self._targets.values():
            for fetch in fetches:
                if fetch.entry.sha256 == blob and data and index not in fetch.have:
                    if fetch.entry.blocks:
                        assert hashlib.sha256(data).hexdigest() == fetch.entry.blocks[index], (
                            "a block that is not what it must be"
                        )
                    fetch.have[index] = data
                    self._requested.pop((blob, index), None)
                    self._moved_at = time.monotonic()

    def _turn(self, now: float) -> None:
        for slot in list(self._targets):
            self._fetch(slot, now)
        for slot, ends_at in list(self._trial_ends.items()):
            if now >= ends_at and self.behaviour.ends(slot) is not SlotPhase.TRIAL:
                del self._trial_ends[slot]
                report = self.slots[slot]
                assert report.running is not None
                running = report.running
                target = SlotTarget(
                    package=running.package, version=running.version, digest=running.digest, length=0, attempt=report.attempt
                )
                self._set(slot, target, self.behaviour.ends(slot))
                self.report()
        for stream in Stream:
            self._send(stream, now)

    def _fetch(self, slot: str, now: float) -> None:
        target, fetches = self._targets[slot]
        missing = [(fetch.entry.sha256, index) for fetch in fetches for index in fetch.missing]
        if not missing:
            if self._next_part(target, fetches):
                return
            self._finish(slot, target, fetches, now)
            return
        if self._requested and now - self._moved_at > STALL_S:
            self._requested.clear()
        for blob, index in missing:
            if len(self._requested) >= WINDOW:
                return
            if (blob, index) not in self._requested:
                self._say(topics.block_request(self.name), encode(BlockRequest(blob=blob, ranges=[(index, 1)])), 0)
                self._requested[blob, index] = None
                self._moved_at = now

    def _next_part(self, target: SlotTarget, fetches: list[Fetch]) -> bool:
        """The descriptor names the files, and the manifest says which of them this device needs."""
        if len(fetches) == 1:
            data = fetches[0].bytes()
            assert hashlib.sha256(data).hexdigest() == target.digest, "the descriptor is not what it must be"
            fetches.append(Fetch(read_descriptor(data).file(MANIFEST_FILE)))
            return True
        if len(fetches) == 2:
            descriptor = read_descriptor(fetches[0].bytes())
            manifest = read_manifest(fetches[1].bytes().decode(), target.digest)
            chosen = choose_variant(manifest, self.profile, self.runtimes)
            assert chosen is not None
            fetches += [Fetch(descriptor.file(path)) for path in manifest.paths_for(chosen[0]) if path != MANIFEST_FILE]
            return any(fetch.missing for fetch in fetches)
        return False

    def _finish(self, slot: str, target: SlotTarget, fetches: list[Fetch], now: float) -> None:
        for fetch in fetches:
            assert hashlib.sha256(fetch.bytes()).hexdigest() == fetch.entry.sha256
            self.blobs[fetch.entry.sha256] = fetch.bytes()
        self._set(slot, target, SlotPhase.VERIFIED)
        self.report()
        del self._targets[slot]
        if target.hold:
            self._held[slot] = target
            self._set(slot, target, SlotPhase.WAITING_WINDOW)
            self.report()
            return
        self._switch(slot, target, now)

    def _switch(self, slot: str, target: SlotTarget, now: float) -> None:
        if self.behaviour.ends(slot) is SlotPhase.REFUSED:
            self._set(slot, target, SlotPhase.REFUSED)
        else:
            self._set(slot, target, SlotPhase.TRIAL)
            self._trial_ends[slot] = now + self.behaviour.trial_s
        self.report()

    def _send(self, stream: Stream, now: float) -> None:
        if now - self._sent_at[stream] > RESEND_S:
            self._sent_at[stream] = now
            self._sent_seq[stream] = self.acked[stream]
        with self._lock:
            fresh = self.sent[stream][self._sent_seq[stream] : self._sent_seq[stream] + 100]
        if not fresh or self._sent_seq[stream] - self.acked[stream] > 400:
            return
        batch = TelemetryBatch(device=self.name, epoch=self.epoch, first_seq=self._sent_seq[stream] + 1, records=fresh)
        topic = topics.telemetry(self.name) if stream is Stream.TELEMETRY else topics.events(self.name)
        if self._say(topic, encode(batch)):
            self._sent_seq[stream] += len(fresh)
            self._sent_at[stream] = now


def sample(number: int) -> dict[str, Any]:
    """A telemetry record with a value of its own."""
    gauges = {"process_fps": 15.0, "camera_fps": 15.0, "latency": {"find": {"p50_ms": 9.0, "p95_ms": 12.0, "max_ms": 20.0}}}
    return {"at": time.time(), "window_s": 1.0, "pipelines": {"hall": gauges}, "cpu_percent": 20.0, "outbox_records": number}


def event(number: int) -> dict[str, Any]:
    """An event record with a value of its own."""
    return {"kind": "visit", "id": f"e{number}", "at": time.time(), "label": "person", "count": number}


__all__ = ["Behaviour", "VirtualDevice", "event", "sample"]
