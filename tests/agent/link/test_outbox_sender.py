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


def test_a_full_line_is_tried_again_next_turn(outbox: Outbox) -> None:
    line, sender = Line(), OutboxSender("d", EVENTS, outbox)
    line.up = False
    sender.turn(0.0, line.publish)
    line.up = True
    sender.turn(1.0, line.publish)
    assert line.take() == [1, 3, 5, 7]
