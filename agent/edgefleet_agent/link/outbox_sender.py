"""Sends one stream of the outbox to the server, with a few batches in flight, and repeats them without an ack. Pure, except for
the outbox.

A batch may be lost on the way, because the broker's queue for the server is full. The server answers the batches after it with
the same sequence number as before: then all that is in flight is sent again at once, and otherwise after `RESEND_S`.

A PUBACK does not confirm delivery: only an `Ack`, sent after the server's database committed, does. After a reconnect all records
without an ack are sent again, from the oldest; the server's insert is idempotent by (device, epoch, seq).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import msgspec

from edgefleet_agent.link.outbox import Outbox
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Ack, Stream, TelemetryBatch

WINDOW = 4
RESEND_S = 30.0
RESEND_S_MAX = 600.0
PAUSED_S_MAX = 120.0
GAP_S = 2.0
"""An ack that acknowledges nothing new means that a batch was lost, if the oldest one in flight was sent this long ago: several
server processes may take batches in another order."""

_TOPICS = {Stream.TELEMETRY: topics.telemetry, Stream.EVENTS: topics.events}


class OutboxSender:
    """Flow control of one stream. Times are monotonic seconds."""

    def __init__(self, device: str, stream: Stream, outbox: Outbox, resend_s: float = RESEND_S) -> None:
        self._device = device
        self._stream = stream
        self._outbox = outbox
        self._resend_s = resend_s
        self._patience_s = resend_s
        self._window = WINDOW
        self._in_flight: deque[tuple[int, float]] = deque()
        self._gap_seq = -1
        self._sent_seq = 0
        self._epoch = ""
        self._waiting_since_s = 0.0

    def reconnected(self, now: float) -> None:
        """Reset the state for a new connection: nothing is in flight, and delays are cleared."""
        self._in_flight.clear()
        self._gap_seq = -1
        self._sent_seq = 0
        self._window = WINDOW
        self._patience_s = self._resend_s
        self._waiting_since_s = now

    def on_ack(self, ack: Ack, now: float) -> None:
        """Handle an ack of the server."""
        if not self._outbox.acked(ack):
            return
        self._window = ack.window
        before = len(self._in_flight)
        while ack.epoch == self._epoch and self._in_flight and self._in_flight[0][0] <= ack.seq:
            self._in_flight.popleft()
        if self._window == 0 or not self._in_flight or len(self._in_flight) < before:
            self._patience_s = self._resend_s
            self._waiting_since_s = now
        elif ack.epoch == self._epoch and before > 1 and ack.seq != self._gap_seq and now - self._in_flight[0][1] >= GAP_S:
            self._gap_seq = ack.seq
            self._send_again(now)

    def turn(self, now: float, publish: Callable[[Outgoing], int | None]) -> None:
        """Send batches up to the window. The next epoch begins when all records of the one before it have an ack."""
        epoch = self._outbox.sending_epoch(self._stream)
        if epoch != self._epoch:
            self._epoch, self._sent_seq = epoch, 0
            self._in_flight.clear()
        if self._in_flight and now - self._waiting_since_s > self._patience_s:
            self._send_again(now)
            self._patience_s = min(self._patience_s * 2.0, RESEND_S_MAX)
        paused = self._window == 0 and now - self._waiting_since_s > PAUSED_S_MAX
        while len(self._in_flight) < (1 if paused else self._window):
            part = self._outbox.read(self._stream, self._sent_seq)
            if part is None or part.epoch != self._epoch:
                return
            batch = TelemetryBatch(
                device=self._device,
                epoch=part.epoch,
                first_seq=part.first_seq,
                records=[msgspec.json.decode(body) for body in part.bodies],
                lost_before=part.lost_before,
            )
            if publish(Outgoing(_TOPICS[self._stream](self._device), encode(batch))) is None:
                return
            if not self._in_flight:
                self._waiting_since_s = now
            self._in_flight.append((part.last_seq, now))
            self._sent_seq = part.last_seq

    def _send_again(self, now: float) -> None:
        """Send what is in flight again in the next turn, from the oldest."""
        self._in_flight.clear()
        self._sent_seq = 0
        self._waiting_since_s = now
