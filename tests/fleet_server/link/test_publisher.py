"""Publisher and a real Mosquitto: a document counts as published when the broker has taken it, and only then."""

from __future__ import annotations

import logging
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, LinkEvent, Published
from edgefleet_contract.wire.messages import Desired, MetadataFile, TrustOffer
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.link.publisher import Publisher
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.scaled_server import free_port, mosquitto
from tests.fleet_server.fakes.server_process import eventually
from tests.services.brokers import listens


class Broker:
    """A Mosquitto whose access list can be changed."""

    def __init__(self, folder: Path) -> None:
        self.port, self._access = free_port(), folder / "access"
        self._allow("read")
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nacl_file {self._access}\nuser root\n")
        self._process = subprocess.Popen([mosquitto(), "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually("the broker listens", lambda: listens(self.port))

    def allow_writing(self) -> None:
        self._allow("readwrite")
        self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _allow(self, right: str) -> None:
        self._access.write_text(f"user edgefleet-server\ntopic {right} #\n")
        self._access.chmod(0o600)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    started = Broker(tmp_path)
    yield started
    started.stop()


def test_refused_document_is_not_published(broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = Database(migrated_file(tmp_path / "fleet.db"))
    database.migrate()
    document = encode(Desired(device="hall-1", generation=1)).decode()
    with database.write() as connection:
        db = raw(connection)
        ingest.add_device(db, "hall-1", time.time())
        db.execute("INSERT INTO desired (device, generation, document, published) VALUES ('hall-1', 1, ?, 0)", (document,))
    offer = TrustOffer(files=[MetadataFile(name="1.root.json", digest="0" * 64, length=1)])

    def deliver(event: LinkEvent) -> None:
        if isinstance(event, Published):
            publisher.answered(event)
        elif isinstance(event, Connected):
            publisher.line_up()

    link = MqttClient(BrokerAddress.parse(f"mqtt://127.0.0.1:{broker.port}"), "edgefleet-server", [], deliver)
    publisher = Publisher(database, link, lambda _now: offer, refused_s=0.5)

    def is_published() -> bool:
        with database.read() as connection:
            return not assignments.unpublished(raw(connection), 10)

    with caplog.at_level(logging.ERROR):
        link.start()
        publisher.start()
        try:
            eventually("the refusal is said", lambda: "the broker refuses document 1 of device hall-1" in caplog.text)
            assert not is_published()
            broker.allow_writing()
            eventually("the document is published", is_published)
        finally:
            publisher.close()
            link.close()
            database.close()
