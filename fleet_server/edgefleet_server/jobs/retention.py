"""Retention: deletes data beyond its age or number, by kind, in bounded steps.

Samples and events are deleted every few seconds, because they arrive continuously (on PostgreSQL by dropping whole days); all
other kinds every hour. The number of removed rows of each kind and the time are stored in the database, so that every process
can show them.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection

from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database, before_commit, raw
from edgefleet_server.db.people import audit, audit_archive, request_keys
from edgefleet_server.db.telemetry import camera_hours, event_reviews, retention, rollup_closing, version_shares
from edgefleet_server.domain.fleet.job import Job
from edgefleet_server.domain.statistics.history_spans import stored_since
from edgefleet_server.jobs.retention_clock import RetentionClock
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.resumable_uploads import PackageUploads

OFTEN_S: Final = 15.0
HOUR_S: Final = 3600.0
FIRST_S: Final = 120.0
"""Delay of the hourly kinds after a start: a starting server has other work, and a server that was started with wrong limits
can be stopped before it deletes anything."""
NOTED_S: Final = 60.0
"""Shortest interval at which runs that removed nothing are stored."""

Work = Callable[[float], int]

log = logging.getLogger(__name__)


class RetentionJobs:
    """The retention jobs, one for each kind of data; `JobScheduler` runs them."""

    def __init__(
        self, database: Database, settings: Callable[[], Settings], registry: PackageRegistry, uploads: PackageUploads
    ) -> None:
        self._database = database
        self._now = settings
        self._registry = registry
        self._uploads = uploads
        with database.read() as connection:
            self.clock = RetentionClock(retention.newest_at(connection))
        self._is_warned = False
        self._noted_s: dict[str, float] = {}
        self._budgets: dict[str, retention.RowBudget] = {}
        self.jobs = [
            self._job("samples", OFTEN_S, self._samples),
            self._job("events", OFTEN_S, self._events),
            self._job("figures", HOUR_S, self._figures),
            self._job("alerts", HOUR_S, self._alerts),
            self._job("commands", HOUR_S, self._commands),
            self._job("audit", HOUR_S, self._audit),
            self._job("versions", HOUR_S, self._versions),
            Job("tidying of uploads", HOUR_S, self._tidy, due_s=time.monotonic() + FIRST_S),
        ]

    @property
    def _settings(self) -> Settings:
        """The settings in effect."""
        return self._now()

    def _job(self, kind: str, every_s: float, work: Work) -> Job:
        first_s = time.monotonic() + FIRST_S if every_s > FIRST_S else 0.0
        return Job(f"retention of {kind}", every_s, lambda now: self._turn(kind, work, now), due_s=first_s)

    def _turn(self, kind: str, work: Work, now: float) -> None:
        """Run the retention of one kind, and store the result.

        Raises:
            StoreError: the database refuses; the next run tries again.
        """
        began = time.monotonic()
        now = self.clock.read(now)
        self._warn()
        try:
            removed, problem = work(now), ""
        except StoreError as error:
            removed, problem = 0, str(error)
        if removed or problem or began - self._noted_s.get(kind, -NOTED_S) >= NOTED_S:
            text = problem or self.clock.warning
            retention.note(self._database, kind, now, removed, time.monotonic() - began, text)
            self._noted_s[kind] = began
        if problem:
            raise StoreError(problem)

    def _warn(self) -> None:
        """Log once that the clock has leapt."""
        warning = self.clock.warning
        if warning and not self._is_warned:
            log.error("%s", warning)
        self._is_warned = bool(warning)

    def _tidy(self, now: float) -> None:
        self._uploads.tidy(self.clock.read(now))

    def _samples(self, now: float) -> int:
        settings = self._settings
        budget = self._budget("telemetry", settings.telemetry_rows_max)
        return retention.trim(self._database, "telemetry", now - settings.telemetry_retention_s, budget)

    def _events(self, now: float) -> int:
        settings = self._settings
        budget = self._budget("event", settings.events_rows_max)
        return retention.trim(self._database, "event", now - settings.events_retention_s, budget)

    def _budget(self, table: str, rows_max: int) -> retention.RowBudget:
        """The budget of a table; a new one after its limit was changed."""
        budget = self._budgets.get(table)
        if budget is None or budget.rows_max != rows_max:
            budget = self._budgets[table] = retention.RowBudget(rows_max)
        return budget

    def _figures(self, now: float) -> int:
        settings = self._settings
        with self._database.write() as connection:
            version_shares.thin(connection, now, now - settings.hours_retention_s)
        removed = rollup_closing.trim(self._database, stored_since(settings, now))
        with self._database.write() as connection:
            event_reviews.remove_orphans(raw(connection))
        return removed + camera_hours.trim(self._database, now)

    def _alerts(self, now: float) -> int:
        return retention.trim_alerts(self._database, now - self._settings.alerts_retention_s)

    def _commands(self, now: float) -> int:
        with self._database.write() as connection:
            request_keys.trim(connection, now)
        return retention.trim_small(self._database, now - self._settings.commands_retention_s)

    def _audit(self, now: float) -> int:
        return audit_archive.archive(
            self._database, self._settings.data / audit_archive.FOLDER, now - self._settings.audit_retention_s
        )

    def _versions(self, now: float) -> int:
        """Retire versions that are not needed, and delete blobs that no version needs, also those of versions that a user
        retired."""
        settings = self._settings
        removed = 0
        if settings.versions_retained:
            with _on_record(now):
                found = self._registry.prune(None, settings.versions_retained, settings.versions_retention_s, now, dry_run=False)
            removed = sum(not verdict.reason for verdict in found)
        self._registry.collect(now)
        return removed


@contextmanager
def _on_record(now: float) -> Iterator[None]:
    """Records retired versions in the audit log, in the same transaction."""

    def write(connection: Connection) -> None:
        names = retention.retired_at(connection, now)
        if not names:
            return
        audit.append(
            connection, at=now, actor="edgefleet", role="", via="retention", source="", action="prune_models",
            target=f"{len(names)} versions", status=200, detail=json.dumps({"versions": names[:100]}),
        )  # fmt: skip

    token = before_commit.set(write)
    try:
        yield
    finally:
        before_commit.reset(token)
