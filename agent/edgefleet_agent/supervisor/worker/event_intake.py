"""Takes the worker's events into the outbox, each once: those that it sends, and those that only its journal has.

A journal (`recording.event_journal`) has more than was received if the worker or the supervisor was killed, and if the worker
could not send. The outbox stores the number that was reached with the events, so a number that comes again is skipped. The worker
gets the number that is on the disk, and removes the events up to it from its journal.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.recording.event_journal import journals, read_found
from edgefleet_agent.supervisor.worker.worker_port import WorkerPort
from edgefleet_contract.wire.messages import Event, Stream
from edgefleet_contract.worker_process import EventFound, EventsTaken

SCAN_S = 60.0
"""Interval of reading all journals: a worker whose supervisor died may write its last events later."""
WAITING_MAX = 1000
"""Limit of events that wait because neither the disk nor the memory takes them; of those in a journal none is lost by it."""
BATCH_MAX = 500


class EventIntake:
    """One per supervisor. folder: of the journals. `on_event` gets every event after it was stored."""

    def __init__(self, uplink: Uplink, port: WorkerPort, folder: Path, on_event: Callable[[Event], None]) -> None:
        self._uplink = uplink
        self._port = port
        self._folder = folder
        self._on_event = on_event
        self._waiting: list[EventFound] = []
        self._sent: dict[str, int] = {}
        self._seen = (-1, -1)
        self._scan_at_s = 0.0

    def turn(self, found: list[EventFound], now: float, wall: float) -> None:
        """Store what the worker has sent, and what its journals have beyond that.

        Raises:
            StoreError: neither the disk nor the memory takes them; they are stored in a later turn.
        """
        self._waiting = [*self._waiting, *found][-WAITING_MAX:]
        seen = (self._port.incarnation, self._port.crashes)
        if seen != self._seen or now >= self._scan_at_s:
            self._take_left(wall)
            self._seen, self._scan_at_s = seen, now + SCAN_S
            self._sent.clear()
        fresh = self._store(self._waiting, wall)
        self._waiting = []
        self._pass_on(fresh, wall)
        self._send_taken()

    def _take_left(self, wall: float) -> None:
        """Store what the journals have and no message brought."""
        batch: list[EventFound] = []
        for found in read_found(self._folder, dict(self._uplink.outbox.reached)):
            batch.append(found)
            if len(batch) == BATCH_MAX:
                self._pass_on(self._store(batch, wall), wall)
                batch = []
        self._pass_on(self._store(batch, wall), wall)
        self._uplink.outbox.forget_journals(journals(self._folder))

    def _store(self, found: list[EventFound], wall: float) -> list[Event]:
        """Store those that are not in the outbox yet, and return them."""
        reached = dict(self._uplink.outbox.reached)
        fresh: list[Event] = []
        for each in found:
            before = reached.get(each.journal, 0)
            if each.number > before + 1:  # the numbers between were not received
                missed = (one for one in read_found(self._folder, reached) if one.journal == each.journal)
                fresh += [one.event for one in missed if one.number < each.number]
            if not each.number or each.number > before:
                fresh.append(each.event)
                reached[each.journal] = each.number
        reached.pop("", None)
        self._uplink.keep(Stream.EVENTS, list(fresh), wall, reached)
        return fresh

    def _pass_on(self, events: list[Event], wall: float) -> None:
        uploads = self._uplink.uploads
        for event in events:
            self._on_event(event)
            if uploads is not None:
                uploads.take(event, wall)

    def _send_taken(self) -> None:
        """Send the worker the numbers up to which it may remove. What is in memory only stays in its journal."""
        if not self._port.up or not self._uplink.outbox.on_disk:
            return
        for journal, number in self._uplink.outbox.reached.items():
            if self._sent.get(journal) != number and self._port.send(EventsTaken(journal=journal, number=number)):
                self._sent[journal] = number
