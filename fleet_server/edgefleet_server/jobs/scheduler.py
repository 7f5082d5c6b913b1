"""The job scheduler: a separate thread for periodic work, so that it does not delay devices or rollouts. Its jobs roll up
telemetry, mark devices that regressed, add late joiners to rollouts, evaluate the alert rules, and delete old data (`retention`).

Each job has its own interval, uses bounded transactions, and records its duration. A fault of stored data ends neither the thread
nor the other jobs.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.item_faults import ItemFaults
from edgefleet_server.db.backend import partitions
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import devices, groups
from edgefleet_server.db.rollouts import regressions
from edgefleet_server.db.telemetry import rollup_closing, rollups, version_shares
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.jobs.alert_evaluator import AlertEvaluator
from edgefleet_server.jobs.bill_requests import BillRequests
from edgefleet_server.jobs.late_joiners import LateJoining
from edgefleet_server.jobs.retention import RetentionJobs
from edgefleet_server.registry.integrity.stored_folders import StoredFolders

ROLLUP_S: Final = 20.0
"""A longer interval costs less: of a device that sends every four seconds, five samples are merged per read and write of its
minute.
"""
HOURS_S: Final = 60.0
JOIN_S: Final = 10.0
ALERTS_S: Final = 10.0
BROKER_CAPACITY_S: Final = 60.0
BROKER_CAPACITY_WARN_RATIO: Final = 0.9
PARTITIONS_S: Final = 600.0
FILES_S: Final = 10.0
IDLE_S: Final = 1.0

log = logging.getLogger(__name__)


class JobScheduler:
    """The thread of the scheduler. `joined` is called on that thread when late joiners were added to a rollout."""

    def __init__(
        self,
        database: Database,
        retention_jobs: RetentionJobs,
        joined: Callable[[], None],
        folders: StoredFolders,
        devices_max: int = 0,
        greet: Callable[[str], None] = lambda _device: None,
    ) -> None:
        """`folders`: of models and signed metadata. `devices_max`: limit of connected devices of the broker; 0 = unknown.
        `greet`: sends the pending commands of a device."""
        self._devices_max = devices_max
        self._database = database
        self._joined = joined
        self._folders = folders
        self._faults = ItemFaults()
        self._joining = LateJoining(database)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self.jobs = [
            Job("rollups", ROLLUP_S, self._roll_up),
            Job("hours and days", HOURS_S, self._close_spans),
            Job("joining", JOIN_S, self._join),
            Job("alerts", ALERTS_S, AlertEvaluator(database).turn),
            Job("room at the broker", BROKER_CAPACITY_S, self._warn_of_broker_capacity),
            Job("spread of versions", version_shares.EVERY_S, self._note_shares),
            Job("stored files", FILES_S, self._check_files),
            *([Job("partitions", PARTITIONS_S, self._make_partitions)] if database.shared else []),
            *BillRequests(database, greet).jobs,
            *retention_jobs.jobs,
        ]

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current job."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def turn(self, now: float) -> None:
        """Run the due jobs; `now` is wall time."""
        for job in self.jobs:
            began = time.monotonic()
            if began < job.due_s or self._closing.is_set():
                continue
            try:
                with self._faults.apart(job.name, f"the job {job.name!r}"):
                    job.work(now)
            except StoreError as error:
                log.error("%s: %s", job.name, error)
            job.took_s = time.monotonic() - began
            job.due_s = began + job.every_s
            job.turns += 1

    def _run(self) -> None:
        while not self._closing.wait(IDLE_S):
            self.turn(time.time())

    def _roll_up(self, _now: float) -> None:
        while rollups.turn(self._database) == rollups.ROWS_MAX and not self._closing.is_set():
            pass  # a backlog: one bounded transaction after another
        regressions.mark_regressed(self._database, groups.members_within)

    def _close_spans(self, now: float) -> None:
        rollup_closing.close_hours(self._database, now)
        rollup_closing.close_days(self._database)

    def _join(self, now: float) -> None:
        if self._joining.turn(now):
            self._joined()

    def _warn_of_broker_capacity(self, _now: float) -> None:
        with self._database.read() as connection:
            online = devices.counts(connection)["online"]
        if self._devices_max and online > BROKER_CAPACITY_WARN_RATIO * self._devices_max:
            log.warning(
                "%d devices are connected and the broker has room for %d, one open file each; raise the limit of open files"
                " (LimitNOFILE= of the service, or `ulimit -Hn`) and start the server again",
                online,
                self._devices_max,
            )

    def _check_files(self, _now: float) -> None:
        self._database.check_files()
        self._folders.check()

    def _note_shares(self, now: float) -> None:
        with self._database.write() as connection:
            version_shares.note(connection, now)

    def _make_partitions(self, now: float) -> None:
        partitions.make_ahead(self._database, now)
