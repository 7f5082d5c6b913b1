"""The managed broker, and what runs over it: real Mosquitto, real connections."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.package.manifest import read_descriptor
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BlockRefusal, BlockRequest
from edgefleet_contract.wire.sealed_block import channel_of, key_of, unseal
from edgefleet_server.core import ports
from edgefleet_server.core.errors import UnavailableError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.link import die_with_parent, mosquitto
from edgefleet_server.link.block_server import BlockServer
from edgefleet_server.link.broker_access import BrokerAccess, server_client
from edgefleet_server.link.mosquitto import ManagedBroker
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import eventually

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[ManagedBroker]:
    managed = ManagedBroker(tmp_path / "broker", 0)
    managed.start()
    yield managed
    managed.stop()


class Ear:
    """Collects what it hears."""

    def __init__(self) -> None:
        self.received: list[ReceivedMessage] = []
        self.confirmed: list[int] = []
        self.ups = 0

    def take(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self.ups += 1
        elif isinstance(event, ReceivedMessage):
            self.received.append(event)
            event.acknowledge()
        elif isinstance(event, Published):
            self.confirmed.append(event.mid)


def connect(access: BrokerAccess, name: str, *filters: str) -> tuple[MqttClient, Ear]:
    ear = Ear()
    link = server_client(access, name, [(text, 1) for text in filters], ear.take)
    link.start()
    eventually(f"{name} is connected", lambda: link.connected)
    return link, ear


def test_link_and_broker_survive_a_kill(broker: ManagedBroker) -> None:
    """The broker comes back by itself, the link finds it, subscribes again, and what was retained is still there."""
    link, ear = connect(broker.access, "one", "t/#")
    assert link.publish(Outgoing("t/kept", b"1", retain=True)) is not None
    eventually("heard", lambda: ear.received)
    time.sleep(6.0)  # the broker saves every five seconds
    before = broker.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    eventually("another broker", lambda: broker.pid not in (None, before))
    eventually("connected again", lambda: ear.ups == 2)
    eventually("kept", lambda: any(message.retained and message.topic == "t/kept" for message in ear.received))
    link.publish(Outgoing("t/live", b"2"))
    eventually("live", lambda: any(message.topic == "t/live" for message in ear.received))
    link.close()
    assert not link.connected or link.publish(Outgoing("t/late", b"")) is None


def test_a_broker_that_hangs_is_replaced(broker: ManagedBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped process still has its port open; it counts as down soon, and another one takes its place."""
    monkeypatch.setattr(mosquitto, "PROBE_S", 0.2)
    monkeypatch.setattr(mosquitto, "PROBE_WAIT_S", 0.5)
    before = broker.pid
    assert before is not None
    time.sleep(2.0)
    assert (broker.pid, broker.answering) == (before, True)
    os.kill(before, signal.SIGSTOP)
    eventually("it counts as down", lambda: not broker.answering)
    eventually("another broker", lambda: broker.pid not in (None, before))
    eventually("it answers", lambda: broker.answering)
    link, _ = connect(broker.access, "one", "t/#")
    link.close()


def test_port_is_remembered_and_respected(broker: ManagedBroker, tmp_path: Path) -> None:
    """Devices know the port: any free one at first, the same one afterwards; a taken one is an error that says what to do."""
    port = broker.address.port
    with pytest.raises(UnavailableError, match="choose another port with --mqtt-port"):
        ManagedBroker(tmp_path / "other", port).start()
    broker.stop()
    again = ManagedBroker(tmp_path / "broker", 0)
    again.start()
    assert again.address.port == port
    again.stop()


def test_broker_dies_with_its_parent() -> None:
    """Also when the parent gets no chance to say so."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    parent.kill()
    parent.wait()
    orphan = subprocess.run(
        [sys.executable, "-I", "-S", die_with_parent.__file__, str(parent.pid), "-1", "-1", *sleeper],
        capture_output=True,
        text=True,
        timeout=10,
    )
    assert "the parent is gone" in orphan.stderr

    script = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-I', '-S', sys.argv[1], str(os.getpid()), '-1', '-1', *sys.argv[2:]])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, die_with_parent.__file__, *sleeper], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        time.sleep(0.5)
        os.kill(child, 0)
        owner.kill()
    eventually("the child is gone", lambda: not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text())


class AllButThieves:
    """Every device may fetch every blob, but for one. Blocks are broadcast in the clear, but for blobs with a key."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}

    def key_of(self, blob: str) -> str:
        return self.keys.get(blob, "")

    def refusal(self, device: str, _blob: str, _at: float, _now: float) -> str:
        return f"not for {device}" if device == "thief" else ""

    def forget(self, _device: str) -> None:
        """There is nothing to forget."""


def test_blocks_over_the_broker(broker: ManagedBroker, tmp_path: Path) -> None:
    """One device gets its own copy; a wave gets one for all; who comes late gets it alone; an unknown blob gets its own reply."""
    database = Database(migrated_file(tmp_path / "fleet.db"))
    database.migrate()
    blobs = BlobStore(tmp_path / "blobs")
    registry = PackageRegistry(blobs, database, TufRepository(tmp_path / "trust"), 10**9)
    registry.open()
    contents = files(size=1_000_000)
    descriptor = read_descriptor(blobs.path(registry.push(io.BytesIO(tar(contents)), 1.0).digest).read_bytes())
    database.close()
    weights = descriptor.file("model.tflite")
    refused: list[str] = []
    rights = AllButThieves()
    server = BlockServer(blobs, rights, broker.access, "blocks", bytes_per_s=50e6, refused=refused.append)
    server.start()
    link, ear = connect(
        broker.access, "ear", f"{topics.ROOT}/b/#", f"{topics.ROOT}/d/+/down/block/#", f"{topics.ROOT}/d/+/down/refusal"
    )
    count = len(weights.blocks)
    want = encode(BlockRequest(blob=weights.sha256, ranges=[(0, count)]))

    eventually("blocks are served", lambda: server.ask("solo", want) or len(ear.received) >= count)
    eventually("the broker reports its memory", lambda: 0 < server._memory.used_bytes < broker.access.memory_bytes)
    bodies = {topics.parse_block(message.topic): message.payload for message in ear.received}
    assert b"".join(bodies[weights.sha256, index] for index in range(count)) == contents["model.tflite"]
    eventually("calm", lambda: _calm(ear))

    ear.received.clear()
    for number in range(30):
        server.ask(f"wave-{number}", want)
    eventually("the wave has it", lambda: _calm(ear) and ear.received)
    broadcast = Counter(message.topic for message in ear.received if message.topic.startswith(f"{topics.ROOT}/b/"))
    assert broadcast == {topics.broadcast_block(weights.sha256, index): 1 for index in range(count)}
    assert (
        len(ear.received) - count <= 3 * count
    )  # the first to ask may have been served before the requests of the others arrived

    ear.received.clear()
    server.ask("wave-7", encode(BlockRequest(blob=weights.sha256, ranges=[(2, 1)])))  # its copy is in flight: ignored
    server.ask("late", encode(BlockRequest(blob=weights.sha256, ranges=[(2, 1)])))
    alone = topics.block("late", weights.sha256, 2)
    eventually("alone", lambda: [message.topic for message in ear.received if message.topic.endswith("/2")] == [alone])
    ear.received.clear()
    assert refused == []
    for payload in (
        b"nonsense",
        b"",
        encode(BlockRequest(blob="0" * 64, ranges=[(0, 1)])),
        encode(BlockRequest(blob=weights.sha256, ranges=[(10**30, 1)])),
        encode(BlockRequest(blob=weights.sha256, ranges=[(10**8, 1)])),
    ):
        server.ask("solo", payload)
    eventually("the unknown blob is answered", lambda: [message.payload for message in ear.received].count(b"") == 2)
    assert refused == ["solo"] * 5
    assert not [message for message in ear.received if message.payload and "/solo/" in message.topic]

    ear.received.clear()
    server.ask("thief", want)
    server.ask("thief", encode(BlockRequest(blob=weights.sha256, ranges=[(0, count)], missing=[(0, count)], reads_refusals=True)))
    eventually("both refusals are answered", lambda: len(ear.received) == 2)
    assert (ear.received[0].topic, ear.received[0].payload) == (topics.block("thief", weights.sha256, 0), b"")
    assert ear.received[1].topic == topics.block_refusal("thief")
    assert decode(ear.received[1].payload, BlockRefusal) == BlockRefusal(blob=weights.sha256, detail="not for thief")
    assert server.refused_requests == 2
    assert refused[5:] == ["thief"] * 2

    ear.received.clear()
    key = rights.keys[weights.sha256] = key_of("secret", weights.sha256)
    ready = encode(BlockRequest(blob=weights.sha256, ranges=[(0, count)], channel=channel_of(key)))
    for number in range(20):
        server.ask(f"old-{number}", want)
        server.ask(f"sealed-{number}", ready)
    eventually("both have it", lambda: _calm(ear) and len(ear.received) >= 21 * count)
    sealed = {topics.parse_sealed_block(message.topic): message.payload for message in ear.received if "/b/" in message.topic}
    assert set(sealed) == {(channel_of(key), index) for index in range(count)}, "nothing in the clear, and nothing names the blob"
    assert (
        b"".join(unseal(key, weights.sha256, index, sealed[channel_of(key), index]) for index in range(count))
        == (contents["model.tflite"])
    )
    alone = Counter(message.topic.split("/")[3] for message in ear.received if "/d/" in message.topic)
    assert {f"old-{number}": count for number in range(20)}.items() <= alone.items(), (
        "devices without the key get their own copies"
    )
    link.close()
    server.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "blocks"]


def _calm(ear: Ear) -> bool:
    """Nothing came for a moment."""
    before = len(ear.received)
    time.sleep(0.4)
    return len(ear.received) == before


def test_ports_of_a_copy_are_not_those_of_another_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both may find a remembered port free, and only one gets it: the other chooses again, and does not take the first one's
    broker for its own."""
    first = ManagedBroker(tmp_path / "one", 0)
    first.start()
    shutil.copytree(tmp_path / "one", tmp_path / "two", ignore=shutil.ignore_patterns("mosquitto.db*"))
    second = ManagedBroker(tmp_path / "two", 0)
    found: list[bool] = []
    real = ports.is_free

    def free_at_first(host: str, port: int) -> bool:
        found.append(True)
        return len(found) == 1 or real(host, port)

    monkeypatch.setattr(ports, "is_free", free_at_first)
    try:
        second.start()
        assert second.address.port != first.address.port
        pid = second.pid
        time.sleep(0.5)
        assert second.pid == pid is not None
    finally:
        second.stop()
        first.stop()
