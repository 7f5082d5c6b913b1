"""The sweep of retained messages at a real broker."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.mqtt.events import LinkEvent, Outgoing, Published, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import identities
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.jobs.retained_sweep import RETAINED_BYTES_MAX, RetainedSweep
from edgefleet_server.link.broker_access import server_client
from edgefleet_server.link.mosquitto import ManagedBroker
from tests.fleet_server.fakes.migrated_file import migrated_file
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


def retained(broker: ManagedBroker) -> set[str]:
    """The topics with a retained message."""
    found: set[str] = set()

    def take(event: LinkEvent) -> None:
        if isinstance(event, ReceivedMessage):
            event.acknowledge()
            found.add(event.topic)

    link = server_client(broker.access, "look", [("#", 1)], take)
    link.start()
    eventually("connected", lambda: link.connected)
    time.sleep(0.5)
    link.close()
    return found


def test_only_what_is_needed_stays(broker: ManagedBroker, tmp_path: Path) -> None:
    database = Database(migrated_file(tmp_path / "fleet.db"))
    database.migrate()
    now = time.time()
    with database.write() as connection:
        for device in ("good", "locked"):
            ingest.add_device(raw(connection), device, now)
        for device, revoked_at in (("locked", now), ("removed", now), ("good", None)):
            record = {"serial": device, "device": device, "issued_at": now, "expires_at": now + 1e6, "revoked_at": revoked_at}
            identities.add_certificate(connection, record)
        identities.block(connection, "locked", "stolen", now)
    needed = {topics.presence("good"), topics.reported("good"), topics.desired("good"), topics.presence("new"), topics.trust()}
    wrong = {topics.presence(device) for device in ("locked", "removed")} | {
        topics.telemetry("good"),
        topics.desired("removed"),
        topics.upload_block("good", "0" * 64, 1),
        f"{topics.ROOT}/d/good/up/anything/at/all",
    }
    confirmed: list[int] = []
    link = server_client(
        broker.access, "writer", [], lambda event: confirmed.append(event.mid) if isinstance(event, Published) else None
    )
    link.start()
    eventually("connected", lambda: link.connected)
    for topic in needed | wrong:
        link.publish(Outgoing(topic, b"x", retain=True))
    link.publish(Outgoing(topics.reported("new"), b"x" * (RETAINED_BYTES_MAX + 1), retain=True))
    eventually("published", lambda: len(confirmed) == len(needed | wrong) + 1)
    assert needed | wrong <= retained(broker)
    sweep = RetainedSweep(database, lambda subscriptions, deliver: server_client(broker.access, "sweep", subscriptions, deliver))
    sweep.start()
    eventually("swept", lambda: sweep.cleared > len(wrong))
    eventually("only those", lambda: retained(broker) == needed)
    sweep.close()
    link.close()
    database.close()
