"""An outage of the broker for two days: afterwards all records within the limits arrive once and in order."""

from __future__ import annotations

import json
import random
from pathlib import Path

from edgefleet_agent.link.outbox import BYTES_MAX, Outbox
from edgefleet_agent.link.outbox_sender import OutboxSender
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire.messages import Ack, Stream, TelemetryBatch

DAYS_S = 2 * 86400.0
NOW = 1_790_000_000.0
EVENT_EVERY_S, SAMPLE_EVERY_S = 120.0, 120.0


class Server:
    """Stores and acknowledges records, and sometimes loses records or acks."""

    def __init__(self, loss: float) -> None:
        self.stored: dict[int, str] = {}
        self.answers: list[int] = []
        self.lost_before = 0
        self._dice = random.Random(4)
        self._loss = loss

    def publish(self, message: Outgoing) -> int:
        if self._dice.random() >= self._loss:
            batch = decode(message.payload, TelemetryBatch)
            self.lost_before = batch.lost_before
            if batch.first_seq <= len(self.stored) + batch.lost_before + 1:
                self.stored |= {batch.first_seq + place: record["id"] for place, record in enumerate(batch.records)}
                if self._dice.random() >= self._loss:
                    self.answers.append(max(self.stored))
        return 1


def two_days(outbox: Outbox) -> int:
    """Adds two days of records of a busy device, with realistic sizes. Returns the number of events."""
    count, at = 0, 0.0
    while at < DAYS_S:
        at += 3600.0
        events = round(3600.0 / EVENT_EVERY_S)
        bodies = [json.dumps({"id": f"e-{count + n}", "kind": "zone", "data": {"x": "y" * 600}}).encode() for n in range(events)]
        outbox.add(Stream.EVENTS, bodies, NOW + at)
        outbox.add(Stream.TELEMETRY, [b'{"x": "%s"}' % (b"z" * 2500)] * round(3600.0 / SAMPLE_EVERY_S), NOW + at)
        count += events
    return count


def deliver(outbox: Outbox, server: Server, turns: int = 20_000) -> None:
    sender = OutboxSender("d", Stream.EVENTS, outbox)
    now = 0.0
    for _ in range(turns):
        now += 1.0
        answers, server.answers = server.answers, []
        for seq in answers:
            sender.on_ack(Ack(stream=Stream.EVENTS, epoch=outbox.epoch, seq=seq), now)
        if outbox.read(Stream.EVENTS, 0) is None:
            return
        sender.turn(now, server.publish)
    raise AssertionError("not everything was delivered")


def test_two_days_of_events_are_all_there_when_the_broker_is_back(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    count = two_days(outbox)
    outbox.close()
    outbox = Outbox(tmp_path)  # a restart in between
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1.3 * BYTES_MAX
    server = Server(loss=0.2)
    deliver(outbox, server)
    assert [server.stored[seq] for seq in sorted(server.stored)] == [f"e-{number}" for number in range(count)]
    assert (outbox.lost, server.lost_before) == (0, 0)
    outbox.close()


def test_a_small_disk_keeps_its_bound_and_reports_what_it_lost(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, bytes_max=500_000)
    count = two_days(outbox)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 6_000_000
    server = Server(loss=0.0)
    sender = OutboxSender("d", Stream.EVENTS, outbox)
    sender.turn(1.0, server.publish)
    lost = server.lost_before
    assert 0 < lost < count
    part = outbox.read(Stream.EVENTS, 0)
    assert part is not None
    assert part.first_seq == lost + 1  # the newest are kept, without a gap
    assert json.loads(part.bodies[0])["id"] == f"e-{lost}"
    outbox.close()
