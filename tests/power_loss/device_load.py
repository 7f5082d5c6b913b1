"""Hundreds of devices on one event loop that publish telemetry, events and evidence, and remember what was acknowledged."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
import time
from typing import Any, Final

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.packets import connect
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.evidence_upload import Upload, UploadState
from edgefleet_contract.wire.messages import Ack, PresenceMessage, Stream, TelemetryBatch
from edgefleet_server.simulate.devices.mqtt_client import SimulatedMqttClient
from tests.fleet_server.fakes.virtual_device import event, sample
from tests.power_loss.promises import Promises

PERIOD_S: Final = 1.0
EVENTS_EVERY: Final = 3
BATCH: Final = 40
EVIDENCE_BYTES: Final = 9_000


class LoadDevice:
    """One device. Its records are numbers from 1; what is not acknowledged is sent again each period."""

    def __init__(self, name: str, port: int, promises: Promises) -> None:
        self.name, self._port, self._promises = name, port, promises
        self._made = {Stream.TELEMETRY: 0, Stream.EVENTS: 0}
        self._acked = {Stream.TELEMETRY: 0, Stream.EVENTS: 0}
        self._client: SimulatedMqttClient | None = None
        self._closing = False
        self._evidence: dict[str, tuple[str, bytes]] = {}

    async def live(self, phase_s: float) -> None:
        await asyncio.sleep(phase_s)
        turn = 0
        while not self._closing:
            if self._client is None:
                await self._connect()
            elif self._client.is_up:
                turn += 1
                self._made[Stream.TELEMETRY] += 1
                self._made[Stream.EVENTS] += turn % EVENTS_EVERY == 0
                for stream in Stream:
                    self._send(stream)
                if turn % 10 == 0:
                    self._offer(f"{self.name}-{turn}")
            await asyncio.sleep(PERIOD_S)

    async def _connect(self) -> None:
        will = encode(self._presence(online=False))
        self._client = SimulatedMqttClient(connect(self.name, 60, topics.presence(self.name), will), self)
        try:
            await asyncio.get_running_loop().create_connection(lambda: self._client, "127.0.0.1", self._port)
        except OSError:
            self._client = None

    def close(self) -> None:
        self._closing = True
        if self._client is not None:
            self._client.abort()

    def _presence(self, *, online: bool) -> PresenceMessage:
        return PresenceMessage(device=self.name, online=online, boot="boot-1", connection=1, agent_version="load", profile="cpu")

    def _send(self, stream: Stream) -> None:
        first = self._acked[stream] + 1
        numbers = range(first, min(self._made[stream], first + BATCH - 1) + 1)
        assert self._client is not None
        if numbers:
            make = sample if stream is Stream.TELEMETRY else event
            records: list[dict[str, Any]] = [make(number) for number in numbers]
            batch = TelemetryBatch(device=self.name, epoch="epoch-1", first_seq=first, records=records)
            topic = topics.telemetry(self.name) if stream is Stream.TELEMETRY else topics.events(self.name)
            self._client.say(topic, encode(batch))

    def _offer(self, name: str) -> None:
        data = random.Random(name).randbytes(EVIDENCE_BYTES)
        digest = hashlib.sha256(data).hexdigest()
        self._evidence[digest] = (name, data)
        upload = Upload(device=self.name, event=name, kind="snapshot", digest=digest, length=len(data))
        assert self._client is not None
        self._client.say(topics.upload(self.name), encode(upload))

    # -- MqttMessages

    def up(self) -> None:
        assert self._client is not None
        self._client.listen([(topics.all_down(self.name), 1)])
        self._client.say(topics.presence(self.name), encode(self._presence(online=True)), retain=True)

    def down(self, text: str) -> None:
        self._client = None

    def on_message(self, topic: str, payload: memoryview) -> None:
        if topic == topics.ack(self.name):
            ack = decode(bytes(payload), Ack)
            if ack.seq > self._acked[ack.stream]:
                self._acked[ack.stream] = ack.seq
                self._promises.acknowledge(self.name, ack.stream.value, ack.seq)
        elif topic == topics.upload_state(self.name):
            state = decode(bytes(payload), UploadState)
            assert not state.refused, state.refused
            name, data = self._evidence.get(state.digest, ("", b""))
            if state.stored and name:
                self._promises.confirm("evidence", f"{self.name}/{name}.jpg", state.digest)
                del self._evidence[state.digest]
            elif name and self._client is not None:
                self._client.say(topics.upload_block(self.name, state.digest, state.blocks), data)


class DeviceLoad:
    """The devices in a thread of their own; a context manager."""

    def __init__(self, devices: int, port: int, promises: Promises) -> None:
        self._devices = [LoadDevice(f"load-{number:04d}", port, promises) for number in range(devices)]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="device-load", daemon=True)

    def __enter__(self) -> DeviceLoad:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for device in self._devices:
            device.close()
        self._thread.join(20.0)

    async def _live(self) -> None:
        share = PERIOD_S * 3 / len(self._devices)
        began = time.monotonic()
        await asyncio.gather(*(device.live(number * share) for number, device in enumerate(self._devices)))
        assert time.monotonic() > began
