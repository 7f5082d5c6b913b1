"""Few batches in flight, repeated without an answer, never more than the server allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.link.outbox import Outbox
from edgefleet_agent.link.outbox_sender import PAUSED_S_MAX, RESEND_S, WINDOW, OutboxSender
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire.messages import Ack, Stream, TelemetryBatch

EVENTS = Stream.EVENTS


class Line:
    def __init__(self) -> None:
        self.batches: list[TelemetryBatch] = []
        self.up = True

    def publish(self, message: Outgoing) -> int | None:
        if not self.up:
            return None
        self.batches.append(decode(message.payload, TelemetryBatch))
        return len(self.batches)

    def take(self) -> list[int]:
        """First numbers of the batches sent since the last call."""
        firsts = [batch.first_seq for batch in self.batches]
        self.batches.clear()
        return firsts


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    outbox = Outbox(tmp_path)
    for _ in range(10):
        outbox.add(EVENTS, [b'{"x": "%s"}' % (b"y" * 30_000)] * 2, 1.0)
    yield outbox
    outbox.close()


def ack(outbox: Outbox, seq: int, window: int = 4) -> Ack:
    return Ack(stream=EVENTS, epoch=outbox.epoch, seq=seq, window=window)


def test_a_window_of_batches_then_silence_until_an_ack(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    sender.turn(0.0, line.publish)
    assert line.take() == [1, 3, 5, 7]
    sender.turn(1.0, line.publish)
    assert line.take() == []
    sender.on_ack(ack(outbox, 4), 2.0)
    sender.turn(2.0, line.publish)
    assert line.take() == [9, 11]
    assert WINDOW == 4


def test_without_an_ack_it_comes_again_ever_later(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    sender.turn(0.0, line.publish)
    line.take()
    sent_at = []
    for second in range(1, 200):
        sender.turn(float(second), line.publish)
        if line.take():
            sent_at.append(second)
    assert sent_at == [RESEND_S + 1, 3 * RESEND_S + 2]


def test_a_reconnect_sends_everything_that_is_not_acked_and_only_that(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    sender.turn(0.0, line.publish)
    sender.on_ack(ack(outbox, 6), 1.0)
    line.take()
    sender.reconnected(2.0)
    sender.turn(2.0, line.publish)
    assert line.take() == [7, 9, 11, 13]


def test_the_server_can_pause_and_a_paused_sender_knocks_after_a_while(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    sender.turn(0.0, line.publish)
    sender.on_ack(ack(outbox, 8, window=0), 1.0)
    line.take()
    sender.turn(2.0, line.publish)
    assert line.take() == []
    sender.turn(2.0 + PAUSED_S_MAX, line.publish)
    assert line.take() == [9]


def one_by_one(tmp_path: Path) -> tuple[Outbox, OutboxSender, Line]:
    """A sender that has sent three batches, ten seconds apart."""
    outbox, line = Outbox(tmp_path / "one"), Line()
    sender = OutboxSender("d", EVENTS, outbox)
    for now in (0.0, 10.0, 20.0):
        outbox.add(EVENTS, [b"{}"], now)
        sender.turn(now, line.publish)
    assert line.take() == [1, 2, 3]
    return outbox, sender, line


def test_a_lost_batch_is_sent_again_with_the_next_ack(tmp_path: Path) -> None:
    outbox, sender, line = one_by_one(tmp_path)
    sender.on_ack(ack(outbox, 0), 20.1)
    sender.turn(20.1, line.publish)
    assert line.take() == [1]
    sender.on_ack(ack(outbox, 3), 20.2)
    sender.turn(20.2, line.publish)
    assert line.take() == []
    assert outbox.waiting == 0
    outbox.close()


def test_a_batch_that_is_lost_twice_waits_for_its_time(tmp_path: Path) -> None:
    """Acks that acknowledge nothing new neither repeat it over and over, nor postpone its time."""
    outbox, sender, line = one_by_one(tmp_path)
    sender.on_ack(ack(outbox, 0), 20.1)
    sender.turn(20.1, line.publish)
    assert line.take() == [1]
    sent_at: list[int] = []
    for now in range(21, 60):
        sender.on_ack(ack(outbox, 0), float(now))
        if now % 10 == 0:
            outbox.add(EVENTS, [b"{}"], float(now))
        sender.turn(float(now), line.publish)
        sent_at += [now] * line.take().count(1)
    assert sent_at == [20 + RESEND_S + 1]
    outbox.close()


@pytest.mark.parametrize("acked", [1, 0])
def test_acks_in_order_or_soon_after_sending_repeat_nothing(tmp_path: Path, acked: int) -> None:
    """Those of several server processes may come in another order."""
    outbox, line = Outbox(tmp_path / "two"), Line()
    sender = OutboxSender("d", EVENTS, outbox)
    for now in (0.0, 1.0):
        outbox.add(EVENTS, [b"{}"], now)
        sender.turn(now, line.publish)
    sender.on_ack(ack(outbox, acked), 1.5)
    sender.turn(1.5, line.publish)
    assert line.take() == [1, 2]
    outbox.close()


def test_a_full_line_is_tried_again_next_turn(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    line.up = False
    sender.turn(0.0, line.publish)
    line.up = True
    sender.turn(1.0, line.publish)
    assert line.take() == [1, 3, 5, 7]
