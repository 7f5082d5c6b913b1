"""Runs the rollout engine: reads every active rollout, decides, and writes the decisions. It keeps no state between two runs: all
facts come from the database, so that another process can continue after a crash.

It runs every `TICK_S`, earlier when a device reports, and limits itself to a fifth of the time. Housekeeping that needs no
separate thread runs along with it: expired commands, silent devices.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.core.spans import SPANS
from edgefleet_server.db.assignment import assignments, execution, loading
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.devices import commands
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.domain.fleet.presence import SILENT_S
from edgefleet_server.domain.rollout.engine import decide

TICK_S: Final = 0.5
SETTLE_S: Final = 2.0
SETTLE_S_MAX: Final = 15.0
"""Limit of the wait after a start for retained messages: without them, a wave might time out although its reports have
arrived."""
GATHER_S: Final = 0.05
"""Reports arrive in bursts: one run handles all reports within this time."""
BUSY_SHARE: Final = 0.2
HOUSEKEEPING_S: Final = 5.0
OUTRUN_MAX: Final = 500

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EngineTurn:
    """The rollouts and devices changed by one run."""

    rollouts: set[int] = field(default_factory=set)
    devices: set[str] = field(default_factory=set)


class RolloutEngine:
    """The thread of the engine. On that thread it calls `changed` with the changes of each run, and before it writes offers
    `offering` with each device and package (its digest): who serves the package then knows the whole wave before the first
    device of it asks."""

    def __init__(
        self,
        database: Database,
        connected_at: Callable[[], float],
        changed: Callable[[EngineTurn], None],
        offering: Callable[[str, str], None] = lambda _device, _package: None,
    ) -> None:
        """`connected_at`: wall time since which there is a connection to the broker; 0 while there is none."""
        self._offering = offering
        self._connected_at = connected_at
        self._database = database
        self._changed = changed
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._housekeeping_s = 0.0
        self._faults = ItemFaults()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current transaction."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def wake(self) -> None:
        """Start the next run now: a rollout may wait for something that has changed."""
        self._wake.set()

    def turn(self, now: float) -> EngineTurn:
        """Run the engine once for all active rollouts; `now` is wall time.

        Raises:
            StoreError: the database refuses.
        """
        turn = EngineTurn()
        with self._database.read() as connection:
            at_work = loading.active_rollouts(raw(connection))
        for rollout in at_work:
            with self._faults.apart(rollout, f"rollout {rollout}"):
                self._advance(rollout, turn, now)
        return turn

    def _advance(self, rollout: int, turn: EngineTurn, now: float) -> None:
        """Decide about one rollout, and add its changes to `turn`."""
        with self._database.read() as connection:
            work = loading.load(raw(connection), rollout, now)
        decisions = decide(work.rollout, work.facts, now)
        if not decisions:
            return
        kinds = ", ".join(sorted({type(decision).__name__ for decision in decisions}))
        for device in execution.offered(work, decisions):
            for part in work.parts:
                self._offering(device, part.digest)
        with SPANS.span("rollout.decide", rollout=rollout, decisions=len(decisions), kinds=kinds):
            execution.carry_out(self._database, work, decisions, now)
        turn.rollouts.add(rollout)
        turn.devices.update(execution.devices_of(work, decisions))

    def run_housekeeping(self, now: float) -> EngineTurn:
        """Housekeeping: silent devices, generations, expired commands; `now` is wall time.

        Raises:
            StoreError: the database refuses.
        """
        with self._database.write() as connection:
            db = raw(connection)
            up_at = self._connected_at()
            silent = ingest.silence(db, up_at, now) if 0 < up_at <= now - SILENT_S else []
            assignments.refresh(db, assignments.devices_ahead(db, OUTRUN_MAX))
            commands.expire(connection, now)
        return EngineTurn(devices=set(silent))

    def _settle(self) -> None:
        """Wait until the connection to the broker has been up for a short time, at most `SETTLE_S_MAX`."""
        deadline = time.monotonic() + SETTLE_S_MAX
        while time.monotonic() < deadline and not self._closing.wait(0.1):
            if 0 < self._connected_at() <= time.time() - SETTLE_S:
                return

    def _run(self) -> None:
        self._settle()
        wait_s = 0.0
        while not self._closing.wait(wait_s):
            began = time.monotonic()
            try:
                turn = self.turn(time.time())
                if began - self._housekeeping_s > HOUSEKEEPING_S:
                    self._housekeeping_s = began
                    turn.devices.update(self.run_housekeeping(time.time()).devices)
                if turn.rollouts or turn.devices:
                    self._changed(turn)
            except StoreError as error:
                log.error("engine: %s", error)
            took_s = time.monotonic() - began
            if self._wake.wait(TICK_S):
                self._wake.clear()
            wait_s = max(GATHER_S, took_s / BUSY_SHARE - TICK_S)
