"""Enrolled devices that misuse their certificates, each in one way, as fast as it can. One process for all.

    python -m benchmarks.fleet.hostile_devices FOLDER [NAME=BEHAVIOUR ...]

FOLDER has `NAME.pem` of each device, `authority.crt`, and `broker` with the address of the device listener.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import ssl
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.packets import connect
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.download_tickets import DownloadTicketRequest
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES
from edgefleet_contract.wire.messages import BlockRequest, TelemetryBatch
from edgefleet_server.simulate.devices.mqtt_client import SimulatedMqttClient

AGAIN_S: Final = 0.5
"""Pause between two connections of a device that floods; one of the storm has none."""
AT_ONCE: Final = 20
NICE: Final = 10
"""The devices have processors of their own in the field; here they share two with the server."""
RECORD: Final = {"pipelines": {}, "cpu_percent": 1.0, "disk_free_bytes": 10**10, "note": "x" * 200}

Send = Callable[[SimulatedMqttClient, str, int], bool]


def batch(device: str, epoch: str, first: int, count: int) -> bytes:
    """A batch of telemetry."""
    at = time.time()
    return encode(
        TelemetryBatch(device=device, epoch=epoch, first_seq=first, records=[{"at": at, **RECORD} for _ in range(count)])
    )


_LARGE: dict[str, bytes] = {}


def flood(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Batches of 500 records; one is made, because making them would be the limit."""
    payload = _LARGE.get(device) or _LARGE.setdefault(device, batch(device, "e", 1, 500))
    return line.say(topics.telemetry(device), payload)


def small_flood(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Batches of one record."""
    return line.say(topics.telemetry(device), batch(device, "e", number + 1, 1))


def malformed(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Bytes that are no messages."""
    topic = (topics.telemetry, topics.events, topics.reported, topics.reply)[number % 4](device)
    return line.say(topic, b'{"epoch": [' + b"[" * (number % 2_000))


def refused(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Batches in the name of another device."""
    return line.say(topics.telemetry(device), batch("virtual-00000", "e", number + 1, 1))


def retained(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Retained messages, each on a topic of its own."""
    return line.say(topics.upload_block(device, f"{number:064x}", 0), b"x" * 200_000, retain=True)


def wants(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Requests for blocks and tickets of blobs that do not exist."""
    blob = f"{number:064x}"
    line.say(topics.block_request(device), encode(BlockRequest(blob=blob, ranges=[(0, 64)])), qos=0)
    return line.say(topics.ticket_request(device), encode(DownloadTicketRequest(blob=blob)))


def uploads(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Blocks of files that were never offered."""
    return line.say(topics.upload_block(device, f"{number % 7:064x}", number), b"x" * BLOCK_BYTES)


def epochs(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """A new epoch with each batch."""
    return line.say(topics.telemetry(device), batch(device, f"e{number}-{time.time_ns()}", 1, 1))


def storm(line: SimulatedMqttClient, device: str, number: int) -> bool:
    """Nothing but connections."""
    line.abort()
    return False


BEHAVIOURS: Final[Mapping[str, Send]] = {
    each.__name__: each for each in (flood, small_flood, malformed, refused, retained, wants, uploads, epochs, storm)
}


class HostileDevice:
    """One device."""

    def __init__(self, folder: Path, name: str, behaviour: str, broker: BrokerAddress) -> None:
        self._name, self._broker = name, broker
        self._send = BEHAVIOURS[behaviour]
        self._pause_s = 0.0 if behaviour == "storm" else AGAIN_S
        self._context = ssl.create_default_context(cafile=str(folder / "authority.crt"))
        self._context.load_cert_chain(folder / f"{name}.pem")
        self._line: SimulatedMqttClient | None = None
        self.connections = self.messages = 0

    def up(self) -> None:
        """The broker has accepted the connection."""
        self.connections += 1

    def on_message(self, topic: str, payload: memoryview) -> None:
        """Acknowledgements are ignored."""

    def down(self, text: str) -> None:
        """The connection has ended."""
        self._line = None

    async def live(self) -> None:
        """Connect and misbehave until cancelled."""
        while True:
            hello = connect(self._name, 60, topics.presence(self._name), b"{}")
            line = self._line = SimulatedMqttClient(hello, self)
            loop, broker = asyncio.get_running_loop(), self._broker
            try:
                await loop.create_connection(lambda line=line: line, broker.host, broker.port, ssl=self._context)
            except OSError:
                self._line = None
            while self._line is line:
                for _ in range(AT_ONCE):
                    if not line.is_up or not self._send(line, self._name, self.messages):
                        break
                    self.messages += 1
                await asyncio.sleep(0 if line.is_up else 0.01)
            await asyncio.sleep(self._pause_s)


async def live(folder: Path, devices: Mapping[str, str]) -> None:
    """Run all devices until SIGTERM; then print what they did."""
    broker = BrokerAddress.parse((folder / "broker").read_text())
    hostile = [HostileDevice(folder, name, behaviour, broker) for name, behaviour in devices.items()]
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    tasks = [asyncio.create_task(device.live()) for device in hostile]
    await ended.wait()
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps([sum(device.connections for device in hostile), sum(device.messages for device in hostile)]))


if __name__ == "__main__":
    os.nice(NICE)
    asyncio.run(live(Path(sys.argv[1]), dict(argument.split("=", 1) for argument in sys.argv[2:])))
