"""Delivery of models: the server's traffic for a wave, and the speed of block transfers with a long round trip.

    python -m benchmarks.fleet.delivery [--json] [--devices 20] [--megabytes 16]

`wave`: the server's bytes out for N real block clients that fetch one package at the same time, compared with one client. Each
starts at a random time within two seconds, like devices that receive their documents. `round_trip`: one client behind a link of
100 ms round trip and 100 Mbit/s, over MQTT and over HTTP on the same link (the same three blobs, one connection), interleaved,
medians. `loss`: the same with 2 % of all packets lost. The link is `fleet.lossy_link` (packets, the kernel's TCP on both sides);
on machines that do not allow it, a proxy that delays bytes replaces it for `round_trip`, and `loss` is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import http.server
import json
import random
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from benchmarks.fleet.lossy_link import LossyLine, Quality, why_not
from edgefleet_agent.link.block_fetcher import BlockFetcher
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.package_store import DeviceTarget, PackageStore
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, ReceivedMessage
from edgefleet_contract.package.manifest import MANIFEST_FILE, FileEntry, describe, pack_descriptor, read_manifest
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_contract.wire.sealed_block import key_of
from edgefleet_server.link.block_server import BlockServer
from edgefleet_server.link.broker_access import server_client
from edgefleet_server.link.mosquitto import ManagedBroker

BLOCK = 128 * 1024
ROUND_TRIP_S = 0.1
BYTES_PER_S = 12.5e6
LOSS = 0.02
JOIN_S = 2.0
MANIFEST = """
name = "ballast"
version = "1.0.0"
task = "classification"
[head]
family = "scores"
[[inputs]]
[[variants]]
name = "cpu"
format = "onnx"
files = ["model.onnx"]
runtimes = ["onnx_runtime"]
"""


class Shop:
    """A package of random bytes, and the server's reader of its blobs."""

    def __init__(self, megabytes: int) -> None:
        model = random.Random(7).randbytes(megabytes * 1024 * 1024)
        manifest = MANIFEST.encode()
        entries: list[FileEntry] = [describe(MANIFEST_FILE, manifest), describe("model.onnx", model)]
        descriptor = pack_descriptor(read_manifest(MANIFEST, "ballast"), entries)
        head = describe("descriptor", descriptor)
        self.blobs = {entries[0].sha256: manifest, entries[1].sha256: model, head.sha256: descriptor}
        self.target = SlotTarget(package="ballast", version="1.0.0", digest=head.sha256, length=len(descriptor))
        self.model = model
        self.bytes = sum(map(len, self.blobs.values()))

    def read_block(self, sha256: str, index: int) -> bytes:
        return self.blobs.get(sha256, b"")[index * BLOCK : (index + 1) * BLOCK]


class Fetching:
    """One device's block client on its own connection, until the package is complete."""

    def __init__(self, name: str, folder: Path, port: int, target: SlotTarget) -> None:
        self._store = BlobStore(folder)
        self._packages = PackageStore(folder, self._store, DeviceTarget("", ("onnx_runtime",)))
        self._inbox: Inbox[LinkEvent] = Inbox()
        self._target = target
        self._link = MqttClient(
            BrokerAddress("127.0.0.1", port),
            name,
            [(topics.all_down(name), 1)],
            lambda event: self._inbox.put(event, len(event.payload) if isinstance(event, ReceivedMessage) else 0),
            lambda: (1, Outgoing(topics.presence(name), b"{}")),
        )
        self.client = BlockFetcher(name, self._store, self._link)
        self.ends_s = 0.0
        self.started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._link.start()
        self._thread.start()

    def join(self) -> None:
        self._thread.join(600.0)
        self._link.close(None)

    def _run(self) -> None:
        up = False
        while True:
            for event in self._inbox.take(0.05):
                now = time.monotonic()
                if isinstance(event, Connected):
                    up = True
                    self.client.connected(now)
                elif isinstance(event, Disconnected):
                    up = False
                    self.client.disconnected()
                elif isinstance(event, ReceivedMessage) and (block := topics.parse_block(event.topic)):
                    self.client.on_block(*block, event.payload, now, addressed="/down/" in event.topic)
                elif isinstance(event, ReceivedMessage) and (sealed := topics.parse_sealed_block(event.topic)):
                    self.client.on_sealed_block(*sealed, event.payload, now)
            if up and self.started.is_set() and self._advance(time.monotonic()):
                self.ends_s = time.monotonic()
                return

    def _advance(self, now: float) -> bool:
        survey = self._packages.survey(self._target)
        for spec in survey.unsealed:
            self._store.seal(spec, 1 << 30)
        if not survey.missing and not survey.unsealed:
            self._packages.assemble(self._target.digest)
            return True
        if self.client.requested("slot") != {spec.digest for spec in survey.missing}:
            self.client.want("slot", survey.missing, 8, now)
        self.client.turn(now)
        return False


class OpenShop:
    """Every device may fetch every blob. `secret`: of the keys of broadcasts; empty: they are in the clear."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def refusal(self, _device: str, _blob: str, _at: float, _now: float) -> str:
        return ""

    def key_of(self, blob: str) -> str:
        return key_of(self._secret, blob) if self._secret else ""

    def forget(self, _device: str) -> None:
        """There is nothing to forget."""


class BlockServerUnderTest:
    """A real broker and the real block server."""

    def __init__(self, shop: Shop, folder: Path, stack: ExitStack, secret: str = "") -> None:
        broker = ManagedBroker(folder / "broker", 0)
        broker.start()
        stack.callback(broker.stop)
        self.port = int(broker.address.url.rpartition(":")[2])
        self.blocks = BlockServer(shop, OpenShop(secret), broker.access, "blocks", bytes_per_s=100e6)
        self.blocks.start()
        stack.callback(self.blocks.close)
        control = server_client(broker.access, "control", [(f"{topics.ROOT}/d/+/up/blocks", 1)], self._hand_over)
        control.start()
        stack.callback(control.close)
        deadline = time.monotonic() + 10.0
        while not control.connected and time.monotonic() < deadline:
            time.sleep(0.01)

    def _hand_over(self, event: LinkEvent) -> None:
        if isinstance(event, ReceivedMessage):
            event.acknowledge()
            self.blocks.ask(topics.parse_up(event.topic).device, event.payload)


def wave(shop: Shop, devices: int, order: bool, secret: str = "", keyed: int = 0) -> dict[str, float]:
    """The server's bytes and the seconds until the last device has the whole package. `order`: the block server knows the wave in
    advance. `secret`: of the keys of broadcasts, which the first `keyed` devices have."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_fast_disk())))
        server = BlockServerUnderTest(shop, folder, stack, secret)
        fetching = [Fetching(f"d{number}", folder / f"d{number}", server.port, shop.target) for number in range(devices)]
        for one in fetching[:keyed]:
            one.client.learn_keys({blob: key_of(secret, blob) for blob in shop.blobs})
        for one in fetching:
            one.start()
        time.sleep(1.0)
        chance = random.Random(devices)
        began_s = time.monotonic()
        for number, one in enumerate(fetching):
            if order:
                server.blocks.expect(f"d{number}", shop.target.digest)
            threading.Timer(chance.uniform(0.0, JOIN_S) if devices > 1 else 0.0, one.started.set).start()
        for one in fetching:
            one.join()
        return {
            "bytes_out": server.blocks.sent_bytes,
            "seconds": round(max(one.ends_s for one in fetching) - began_s, 2),
            "sent_again_bytes": sum(sum(one.client.sent_again_bytes.values()) for one in fetching),
        }


class SlowLink:
    """A TCP proxy that delays every byte by half a round trip and limits the rate. A thread with an event loop."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        server = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._accept, "127.0.0.1", 0), self._loop).result()
        self.port = int(server.sockets[0].getsockname()[1])

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer), return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(4096)

        async def deliver() -> None:
            while True:
                due_s, data = await on_the_way.get()
                await asyncio.sleep(max(0.0, due_s - self._loop.time()))
                if not data:
                    writer.close()
                    return
                writer.write(data)

        task = asyncio.ensure_future(deliver())
        free_s = 0.0
        while data := await reader.read(16 * 1024):
            free_s = max(free_s, self._loop.time()) + len(data) / BYTES_PER_S
            await on_the_way.put((free_s + ROUND_TRIP_S / 2, data))
            await asyncio.sleep(max(0.0, free_s - self._loop.time() - 0.05))  # a router's buffer holds 50 ms
        await on_the_way.put((free_s + ROUND_TRIP_S / 2, b""))
        await task


class Way(Protocol):
    """A link, from the view of its far end."""

    def forward(self, port: int) -> int:
        """The port at the far end that leads to the local `port`."""
        ...

    def inside(self, task: Callable[[], Any]) -> None:
        """Run a task at the far end."""
        ...


class Proxied:
    """Replacement of a lossy link: delayed bytes without loss."""

    def forward(self, port: int) -> int:
        return SlowLink(port).port

    def inside(self, task: Callable[[], Any]) -> None:
        task()


def over_mqtt(shop: Shop, way: Way) -> float:
    """Seconds for one device at the far end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_fast_disk())))
        server = BlockServerUnderTest(shop, folder, stack)
        one = Fetching("far", folder / "far", way.forward(server.port), shop.target)
        way.inside(one.start)
        time.sleep(1.5)
        began_s = time.monotonic()
        one.started.set()
        one.join()
        return one.ends_s - began_s


def over_http(shop: Shop, way: Way) -> float:
    """Seconds for the same blobs, one after another over one connection, including its set-up."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            data = shop.blobs[self.path[1:]]
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port, took_s = way.forward(server.server_port), [0.0]

        def fetch() -> None:
            began_s = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            for digest in sorted(shop.blobs, key=lambda digest: len(shop.blobs[digest])):
                connection.request("GET", f"/{digest}")
                with tempfile.TemporaryFile(dir=_fast_disk()) as file:
                    shutil.copyfileobj(connection.getresponse(), file)
            took_s[0] = time.monotonic() - began_s
            connection.close()

        way.inside(fetch)
        server.shutdown()
    return took_s[0]


def on_a_line(shop: Shop, repeats: int, loss: float) -> dict[str, Any]:
    """Compare MQTT with HTTP, interleaved, on the link that this machine allows."""
    with ExitStack() as stack:
        line = LossyLine(Quality(ROUND_TRIP_S, loss, BYTES_PER_S)) if not why_not() else None
        if line is not None:
            stack.callback(line.close)
        way: Way = line or Proxied()
        pairs = [(over_mqtt(shop, way), over_http(shop, way)) for _ in range(repeats)]
        mqtt_s, http_s = (statistics.median(times) for times in zip(*pairs, strict=True))
        return {
            "line": f"packets, loss {100 * loss:g} %" if line is not None else f"a proxy that delays: {why_not()}",
            "round_trip_ms": 1000 * ROUND_TRIP_S,
            "line_mbit_per_s": BYTES_PER_S * 8e-6,
            "packets": {"carried": line.carried, "lost": line.lost} if line is not None else {},
            "mqtt_s": [round(mqtt, 2) for mqtt, _ in pairs],
            "http_s": [round(plain, 2) for _, plain in pairs],
            "ratio": round(http_s / mqtt_s, 3),
        }


def _fast_disk() -> str | None:
    """A folder in memory, if there is one, so that the disk does not limit the link."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def measure(devices: int, megabytes: int, repeats: int) -> dict[str, Any]:
    """All figures."""
    shop = Shop(megabytes)
    one, announced, unannounced = wave(shop, 1, True), wave(shop, devices, True), wave(shop, devices, False)
    lossy = {} if why_not() else {"loss": on_a_line(shop, repeats, LOSS)}
    return {
        "wave": {
            "devices": devices,
            "package_bytes": shop.bytes,
            "one": one,
            "all": announced,
            "all_without_orders": unannounced,
            "ratio": round(announced["bytes_out"] / one["bytes_out"], 3),
        },
        "round_trip": on_a_line(shop, repeats, 0.0),
        **lossy,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments.devices, arguments.megabytes, arguments.repeats)
    print(json.dumps(found, indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
