"""Heartbeat of a process in the cluster: publishes its state every few seconds, and reads the state of the others."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from edgefleet_server.api.schemas.admin.health import BlockTraffic
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend import members
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.backend.members import Member
from edgefleet_server.link.ingest import MeasuredSample

BEAT_S = 2.0

log = logging.getLogger(__name__)


class Heartbeat:
    """Heartbeat thread. `say` returns the state of this process at `now`."""

    def __init__(self, database: Database, say: Callable[[float], Member]) -> None:
        self._database = database
        self._say = say
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._known: list[Member] = []
        self._read_s = 0.0

    def start(self) -> None:
        """Start the thread."""
        self._beat()
        self._thread.start()

    def close(self) -> None:
        """Stop the thread, and mark this process as ended for the others."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5.0)
        try:
            with self._database.ingest_transaction() as connection:
                members.leave(connection, self._say(time.time()).id, time.time())
        except StoreError:
            log.debug("the database is away; the others will notice")

    @property
    def alive(self) -> list[Member]:
        """Processes that are alive as of the last heartbeat; none if the database has been unavailable for some time."""
        return self._known if time.monotonic() - self._read_s < members.ALIVE_S else []

    def ingest_up_at(self) -> float:
        """Wall time since which at least one process has been ingesting messages; 0 = none does."""
        return members.ingest_up_at(self.alive)

    def samples_per_s(self) -> float:
        """Stored samples per second, of all processes."""
        return sum(member.samples_per_s for member in self.alive)

    def traffic(self) -> BlockTraffic:
        """Blocks sent by all processes."""
        alive = self.alive
        return BlockTraffic(
            broadcasts=sum(member.broadcasts for member in alive),
            sent_alone=sum(member.sent_alone for member in alive),
            sent_bytes=sum(member.sent_bytes for member in alive),
        )

    def measured(self) -> MeasuredSample:
        """Measurements of ingest in all processes; of the latencies, the highest."""
        alive = self.alive
        waits = {0.5: max((m.wait_p50_s for m in alive), default=0.0), 0.99: max((m.wait_p99_s for m in alive), default=0.0)}
        return MeasuredSample(sum(m.messages for m in alive), sum(m.refused for m in alive), sum(m.waiting for m in alive), waits)

    def _run(self) -> None:
        while not self._closing.wait(BEAT_S):
            self._beat()

    def _beat(self) -> None:
        now = time.time()
        try:
            with self._database.ingest_transaction() as connection:
                members.report(connection, self._say(now))
                self._known = members.alive(connection, now)
            self._read_s = time.monotonic()
        except StoreError as error:
            log.warning("%s", error)
