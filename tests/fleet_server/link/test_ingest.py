"""Ingest between the wire and a database: what is confirmed when, and what a device that sends too much gets."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Ack, PresenceMessage, TelemetryBatch
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState
from edgefleet_server.domain.policy.device_quota import UNDER_WAY_MAX, DeviceQuota
from edgefleet_server.link.device_guard import DeviceGuard
from edgefleet_server.link.ingest import QUEUE_LIMITS, Ingest
from tests.fleet_server.fakes.migrated_file import migrated_file
from tests.fleet_server.fakes.server_process import eventually


class Line:
    """Records what is published and confirmed, in order."""

    def __init__(self) -> None:
        self.published: list[Outgoing] = []
        self.confirmed: list[int] = []

    def publish(self, message: Outgoing) -> int:
        self.published.append(message)
        return 1

    def publish_together(self, messages: Sequence[Outgoing]) -> None:
        self.published += messages

    def ack(self, mid: int, qos: int) -> None:
        self.confirmed.append(mid)

    def acks(self, device: str) -> list[Ack]:
        return [decode(message.payload, Ack) for message in list(self.published) if message.topic == topics.ack(device)]


class Bench:
    """An ingest on a real database."""

    def __init__(self, database: Database, quota: DeviceQuota) -> None:
        self.line = Line()
        self.restrictions: list[Restriction] = []
        self.guard = DeviceGuard(quota, self.restrictions.append)
        self.ingest = Ingest(database, cast("MqttClient", self.line), 1_000, lambda _outcome: None, self.guard)
        self._mid = 0

    def offer(self, topic: str, payload: bytes, *, retained: bool = False) -> int:
        self._mid += 1
        self.ingest.offer(ReceivedMessage(topic, payload, retained, mid=self._mid, qos=1, receiver=self.line))
        return self._mid

    def telemetry(self, device: str, first: int, count: int = 1, epoch: str = "e", **more: Any) -> int:
        records = [{"at": time.time(), **more} for _ in range(count)]
        return self.offer(
            topics.telemetry(device), encode(TelemetryBatch(device=device, epoch=epoch, first_seq=first, records=records))
        )


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(migrated_file(tmp_path / "fleet.db"))
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def bench(database: Database) -> Iterator[Bench]:
    made = Bench(database, DeviceQuota())
    yield made
    made.ingest.close()


def test_streams_are_confirmed_at_receipt_and_the_rest_after_the_commit(bench: Bench) -> None:
    telemetry = bench.telemetry("d", 1)
    presence = bench.offer(topics.presence("d"), encode(PresenceMessage(device="d", online=True, boot="b", connection=1)))
    assert bench.line.confirmed == [telemetry], "the ingest thread is not even started"
    assert bench.line.acks("d") == []
    bench.ingest.start()
    eventually("committed", lambda: presence in bench.line.confirmed)
    assert eventually("acknowledged", lambda: bench.line.acks("d"))[0].seq == 1


def test_a_flood_is_bounded_and_others_come_first(bench: Bench, database: Database) -> None:
    """A device with many long batches before the other's one; memory has a limit, and the other is acknowledged first."""
    for number in range(90):
        bench.telemetry("flood", number * 300 + 1, 300, note="x" * 100)
    bench.telemetry("quiet", 1)
    assert bench.ingest.measure().dropped > 60
    assert bench.ingest._queue._queue.length_bytes <= QUEUE_LIMITS.device_bytes + 2_000
    bench.ingest.start()
    eventually("both", lambda: bench.line.acks("quiet") and bench.line.acks("flood"))
    first = next(message.topic for message in bench.line.published)
    batches = len([message for message in bench.line.published if message.topic == topics.ack("flood")])
    assert first == topics.ack("quiet") or batches == 1
    assert [restriction.device for restriction in bench.restrictions][:1] == ["flood"]


def test_a_device_beyond_its_quota_is_slowed_down(database: Database) -> None:
    """Its records are stored at once, and acknowledged later, with a window of one batch."""
    bench = Bench(database, DeviceQuota(records=10.0))
    bench.ingest.start()
    began = time.monotonic()
    bench.telemetry("d", 1, 220)  # the reserve is 200
    bench.telemetry("other", 1, 1)
    assert eventually("the other", lambda: bench.line.acks("other"))[0].window == 4
    assert bench.line.acks("d") == []
    ack = eventually("acknowledged", lambda: bench.line.acks("d"))[0]
    assert time.monotonic() - began > 1.5
    assert (ack.seq, ack.window) == (220, 1)
    with database.read() as connection:
        assert raw(connection).execute("SELECT count(*) FROM telemetry WHERE device = 'd'").fetchone()[0] == 220
    assert bench.restrictions == [], "it did nothing wrong"
    bench.ingest.close()


def test_a_device_that_does_not_wait_for_acknowledgements_is_disconnected_after_some_messages(bench: Bench) -> None:
    """Long before it has used its reserve of 800."""
    sent = 0
    while not any(found.state is RestrictionState.DISCONNECTED for found in bench.restrictions):
        sent += 1
        bench.telemetry("flood", sent)
    assert sent < 150
    assert {found.offence for found in bench.restrictions} == {Offence.WINDOW}
    assert bench.line.confirmed == list(range(1, sent + 1)), "the broker holds back nothing"


def test_a_delayed_acknowledgement_keeps_its_batches_under_way(database: Database) -> None:
    bench = Bench(database, DeviceQuota(records=10.0))
    bench.ingest.start()
    bench.telemetry("d", 1, 350)  # an acknowledgement in ten seconds
    eventually("stored", lambda: bench.ingest.messages_total)
    for number in range(UNDER_WAY_MAX - 1):
        bench.telemetry("d", 351 + number)
        time.sleep(0.01)
    eventually("stored", lambda: bench.ingest.messages_total == UNDER_WAY_MAX)
    assert bench.ingest.measure().dropped == 0
    bench.telemetry("d", 1_000)
    assert bench.ingest.measure().dropped == 1
    bench.ingest.close()


def test_acknowledged_refused_and_dropped_batches_are_not_under_way(bench: Bench) -> None:
    """Hundreds of them, a window at a time, do not add up."""
    bench.ingest.start()
    for turn in range(20):
        for number in range(8):
            bench.telemetry("d", turn * 8 + number + 1)
        bench.offer(topics.events("d"), b"{")
        eventually("stored", lambda turn=turn: bench.ingest.messages_total == (turn + 1) * 9)
    eventually("acknowledged", lambda: bench.line.acks("d")[-1].seq == 160)
    assert bench.restrictions == []


def test_new_epochs_do_not_fill_the_table(bench: Bench, database: Database) -> None:
    bench.ingest.start()
    for number in range(60):
        bench.telemetry("d", 1, epoch=f"epoch-{number}")
        if number % 5 == 0:
            time.sleep(0.12)
    bench.telemetry("other", 1)
    eventually("acknowledged", lambda: bench.line.acks("other"))
    with database.read() as connection:
        rows = raw(connection).execute("SELECT count(*) FROM cursor WHERE device = 'd'").fetchone()[0]
    assert 1 <= rows <= 16, "eight stored ones, and those of one batch"


def test_retained_messages_of_streams_are_cleared(bench: Bench) -> None:
    """They are not stored, their topic is emptied, and their device is marked."""
    mid = bench.offer(topics.telemetry("d"), b"anything", retained=True)
    bench.offer(topics.reply("d"), b"anything", retained=True)
    bench.offer(topics.reply("d"), b"", retained=True)  # what the broker makes of our own clearing
    assert mid in bench.line.confirmed
    assert [(message.topic, message.payload, message.retain) for message in bench.line.published] == [
        (topics.telemetry("d"), b"", True),
        (topics.reply("d"), b"", True),
    ]
    assert [restriction.offence for restriction in bench.restrictions] == ["retained"]


def test_the_report_of_a_blocked_device_that_is_cleared_is_no_refused_message(bench: Bench) -> None:
    bench.ingest.start()
    mids = [bench.offer(topics.reported("d"), b""), bench.offer(topics.presence("d"), b"")]
    bench.telemetry("other", 1)
    eventually("acknowledged", lambda: bench.line.acks("other"))
    assert set(mids) <= set(bench.line.confirmed)
    assert (bench.ingest.measure().refused, bench.restrictions) == (0, [])


def test_invalid_messages_mark_their_device(bench: Bench) -> None:
    bench.ingest.start()
    for _ in range(60):
        bench.offer(topics.reported("d"), b"{")
    bench.offer("edgefleet/v1/d/NOT A NAME/up/telemetry", b"{}")
    eventually("marked", lambda: bench.restrictions)
    assert (bench.restrictions[0].device, bench.restrictions[0].offence) == ("d", "invalid")


def test_what_waits_from_a_device_that_is_disconnected_is_not_written(bench: Bench, database: Database) -> None:
    """Nothing of it was acknowledged, and the next connection begins with an empty window."""
    mids = [bench.telemetry("bad", number + 1) for number in range(8)]
    reply = bench.offer(topics.reply("bad"), b"{}")
    bench.telemetry("good", 1)
    bench.guard.offend("bad", Offence.INVALID, 1_000)
    assert bench.line.confirmed == [*mids, mids[-1] + 2, reply]
    bench.ingest.start()
    eventually("the other", lambda: bench.line.acks("good"))
    assert bench.line.acks("bad") == []
    assert bench.ingest.measure().dropped == 9
    with database.read() as connection:
        assert raw(connection).execute("SELECT count(*) FROM telemetry WHERE device = 'bad'").fetchone()[0] == 0
    assert bench.guard._windows._under_way.get("bad") is None
