"""One sink of the service: a bounded queue of events in memory, and the thread that hands them to the sink's process."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import deque

from edgefleet_agent.sinks.host import SinkReply
from edgefleet_agent.sinks.sink_process import STOP_S_MAX, SinkProcess
from edgefleet_contract.wire.backoff import full_jitter

EVENTS_MAX = 1000
BYTES_MAX = 4 * 1024 * 1024
EVENT_BYTES_MAX = 256 * 1024
RETRY_MIN_S, RETRY_MAX_S = 1.0, 60.0
KILL_S = 0.2
LOSSES_MAX = 3
"""An event at which the process ends so often is skipped."""

log = logging.getLogger(__name__)


class EventSink:
    """Queues events for one sink; `put` never waits. If the queue is full, its oldest event gives way.

    The process starts at once, and again after it ended. States: `starting`, `running`, `waiting` (for the next try after a
    fault), `stopped`.
    """

    def __init__(self, name: str, kind: str, process: SinkProcess) -> None:
        self.name = name
        self.kind = kind
        self._process = process
        self._changed = threading.Condition()
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._current: bytes | None = None
        self._losses = 0
        self._tries = 0
        self._state = "starting"
        self._ready = False
        self._fault = ""
        self._written = self._lost = self._refused = 0
        self._ends_s: float | None = None
        self._thread = threading.Thread(target=self._work, name=f"sink-{name}", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        """Queue one event, as JSON."""
        with self._changed:
            if len(line) > EVENT_BYTES_MAX:
                self._refused += 1
                self._note(f"an event of {len(line)} bytes is over the limit of {EVENT_BYTES_MAX}")
                return
            while self._queue and (len(self._queue) >= EVENTS_MAX or self._queued_bytes + len(line) > BYTES_MAX):
                self._queued_bytes -= len(self._queue.popleft())
                self._lost += 1
            self._queue.append(line)
            self._queued_bytes += len(line)
            self._changed.notify_all()

    def status(self) -> dict[str, str | int]:
        """State for `edgefleet-agent status`. lost: gave way in a full queue or were left at a stop; refused: skipped by the
        sink."""
        with self._changed:
            return {
                "kind": self.kind,
                "state": self._state,
                "waiting": len(self._queue) + (self._current is not None),
                "written": self._written,
                "lost": self._lost,
                "refused": self._refused,
                "fault": self._fault,
            }

    def fault(self) -> str:
        """The present fault in one sentence; empty if there is none."""
        with self._changed:
            return f"sink {self.name} ({self.kind}): {self._fault}" if self._fault else ""

    def stop(self, ends_s: float) -> None:
        """Stop when the queue is empty, at a fault, or at the monotonic time `ends_s`. Returns at once."""
        with self._changed:
            self._ends_s = ends_s
            self._changed.notify_all()

    def join(self) -> None:
        """Wait for the end of the thread and the process, after `stop`."""
        assert self._ends_s is not None
        self._thread.join(max(0.0, self._ends_s + STOP_S_MAX - time.monotonic()))
        while self._thread.is_alive():  # it may be about to start the process
            self._process.kill()
            self._thread.join(KILL_S)
        with self._changed:
            left = len(self._queue) + (self._current is not None)
            self._lost += left
            self._state = "stopped"
        if left:
            log.warning("sink %s (%s): %d events were not delivered before the stop", self.name, self.kind, left)

    def _work(self) -> None:
        while not self._stopping():
            if not self._ready:
                self._take(self._process.start(), None)
                continue
            line = self._next()
            if line is not None:
                self._take(self._process.offer(line), line)
        self._process.stop()

    def _stopping(self) -> bool:
        """Whether the thread ends now."""
        with self._changed:
            if self._ends_s is None:
                return False
            done = self._current is None and not self._queue
            return done or self._state == "waiting" or time.monotonic() >= self._ends_s

    def _next(self) -> bytes | None:
        """The event to hand over; waits for one. None if the sink stops."""
        with self._changed:
            while self._current is None and not self._queue and self._ends_s is None:
                self._changed.wait()
            if self._current is None and self._queue:
                self._current = self._queue.popleft()
                self._queued_bytes -= len(self._current)
                self._losses = 0
            return self._current

    def _take(self, reply: SinkReply, line: bytes | None) -> None:
        """Note an outcome; after one that may pass, wait for the next try."""
        with self._changed:
            if not reply.fault:
                self._ready = True
                if line is not None:
                    self._written += 1
                    self._current = None
                if self._current is None:  # otherwise the fault is over when the receiver has the event
                    self._works()
                return
            self._note(reply.fault)
            if line is not None:
                self._losses += not self._process.up
                if not reply.again or self._losses >= LOSSES_MAX:
                    self._refused += 1
                    self._current = None
            if reply.again:
                self._ready = False
                self._state = "waiting"
                pause_s = full_jitter(self._tries, RETRY_MIN_S, RETRY_MAX_S, 0.5 + random.random() / 2)  # noqa: S311 (no secret)
                self._tries += 1
                self._changed.wait_for(lambda: self._ends_s is not None, pause_s)

    def _works(self) -> None:
        if self._fault:
            log.info("sink %s (%s): works again", self.name, self.kind)
        self._fault, self._state, self._tries = "", "running", 0

    def _note(self, fault: str) -> None:
        if fault != self._fault:
            log.error("sink %s (%s): %s", self.name, self.kind, fault)
        self._fault = fault
