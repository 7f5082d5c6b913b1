"""A virtual device's outbox: telemetry records that the server has not acknowledged yet. Pure: times are arguments."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_contract.wire.messages import Ack, TelemetryBatch

RECORDS_MAX: Final = 500
RECORDS_PER_BATCH: Final = 50
RESEND_S: Final = 30.0
GAP_S: Final = 2.0
"""An acknowledgement that repeats the one before it means that a batch was lost, if the oldest was sent this long ago."""


@dataclass(slots=True)
class _Sent:
    last_seq: int
    at_s: float


class Outbox:
    """Numbered records, bounded: the oldest are dropped first, and counted."""

    def __init__(self, device: str, epoch: str) -> None:
        self._device = device
        self._epoch = epoch
        self._records: deque[dict[str, Any]] = deque()
        self._first = 1
        self._sent_seq = 0
        self._again_until = 0
        self._sent: deque[_Sent] = deque()
        self._first_sent: deque[_Sent] = deque()
        self._gap_seq = -1
        self._window = 4
        self.lost = 0
        self.acked = 0
        self.sent_again = 0

    @property
    def made(self) -> int:
        """Number of records so far."""
        return self._first + len(self._records) - 1

    def __len__(self) -> int:
        return len(self._records)

    def add(self, record: dict[str, Any]) -> None:
        """Add a record."""
        self._records.append(record)
        if len(self._records) > RECORDS_MAX:
            self._records.popleft()
            self._first += 1
            self.lost += 1
            self._sent_seq = max(self._sent_seq, self._first - 1)

    def next(self, now: float) -> TelemetryBatch | None:
        """The next batch to send, if there is one and the window has room."""
        if self._sent and now - self._sent[0].at_s > RESEND_S:
            self.ask_again()
        if len(self._sent) >= self._window or self._sent_seq >= self.made:
            return None
        start = self._sent_seq - self._first + 1
        records = [self._records[at] for at in range(start, min(start + RECORDS_PER_BATCH, len(self._records)))]
        first = self._sent_seq + 1
        self._sent_seq += len(records)
        fresh = first > self._again_until
        self.sent_again += 0 if fresh else 1
        self._sent.append(_Sent(self._sent_seq, now))
        if fresh:
            self._first_sent.append(_Sent(self._sent_seq, now))
        return TelemetryBatch(device=self._device, epoch=self._epoch, first_seq=first, records=records, lost_before=self.lost)

    def ask_again(self) -> None:
        """Send unacknowledged records again, after a lost connection or a missing acknowledgement."""
        self._again_until = max(self._again_until, self._sent_seq)
        self._sent.clear()
        self._sent_seq = self._first - 1

    def on_ack(self, ack: Ack, now: float) -> list[float]:
        """Handle an acknowledgement; returns the seconds from first sending to storing of each acknowledged batch. One that
        acknowledges nothing new makes the next batch the oldest again."""
        if ack.epoch != self._epoch or ack.seq > self.made:
            return []
        self._window = max(1, ack.window)
        while self._records and self._first <= ack.seq:
            self._records.popleft()
            self._first += 1
            self.acked += 1
        self._sent_seq = max(self._sent_seq, self._first - 1)
        before = len(self._sent)
        while self._sent and self._sent[0].last_seq <= ack.seq:
            self._sent.popleft()
        if len(self._sent) == before > 1 and ack.seq != self._gap_seq and now - self._sent[0].at_s >= GAP_S:
            self._gap_seq = ack.seq
            self.ask_again()
        took_s: list[float] = []
        while self._first_sent and self._first_sent[0].last_seq <= ack.seq:
            took_s.append(now - self._first_sent.popleft().at_s)
        return took_s
