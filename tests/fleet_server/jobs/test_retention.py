"""Old data of every kind is deleted on both databases, and the result is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry import ingest, retention
from edgefleet_server.jobs.retention import RetentionJobs
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.package_registry import PackageRegistry
from edgefleet_server.registry.resumable_uploads import PackageUploads
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.fakes.populated_database import fill

DAY_S = 86_400.0
NOW = 20_000 * DAY_S + 3_600.0
OLD = NOW - 500 * DAY_S
YOUNG = NOW - 60.0


@pytest.fixture
def database(where: Path | str) -> Iterator[Database]:
    opened = Database(where)
    opened.migrate()
    yield opened
    opened.close()


def make(database: Database, tmp_path: Path, versions_min: int = 1) -> tuple[RetentionJobs, PackageRegistry]:
    blobs = BlobStore(tmp_path / "blobs")
    registry = PackageRegistry(blobs, database, TufRepository(tmp_path / "trust"), 10_000_000)
    registry.open()
    settings = Settings(data=tmp_path, versions_retained=versions_min)
    return RetentionJobs(database, lambda: settings, registry, PackageUploads(tmp_path / "uploads", 1000)), registry


def turn(database: Database, retention_jobs: RetentionJobs, now: float = NOW) -> dict[str, int]:
    """Run every kind once; returns how many were removed in total."""
    for job in retention_jobs.jobs:
        job.work(now)
    with database.read() as connection:
        return {row["kind"]: row["removed"] for row in retention.retained_summary(connection)}


def left(database: Database) -> dict[str, int]:
    tables = ("telemetry", "event", "rollup", "alert", "notice", "command", "audit")
    with database.read() as connection:
        found = {name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in tables}
        remaining = connection.exec_driver_sql("SELECT version FROM package WHERE retired_at IS NULL").scalars().all()
    return {**found, "versions": len(remaining)}


def test_every_kind_is_deleted_by_age(database: Database, tmp_path: Path) -> None:
    """Recent rows stay; the audit log's chain is valid and names the retired versions, and its old entries are in a file."""
    retention_jobs, registry = make(database, tmp_path)
    fill(database, registry, OLD, YOUNG)
    removed = turn(database, retention_jobs)
    once = dict.fromkeys(("event", "rollup", "alert", "notice", "command"), 1)
    assert left(database) == {**once, "telemetry": 1, "versions": 1, "audit": 2}
    if not database.shared:  # PostgreSQL drops whole days, and counts what its planner has counted
        assert removed == dict.fromkeys(("events", "figures", "alerts", "commands", "audit", "versions"), 1) | {"samples": 2}
    with database.read() as connection:
        assert not audit.check(connection).fault
        newest = audit.newest(connection)[0]
    assert (newest["actor"], newest["via"]) == ("edgefleet", "retention")
    assert json.loads(newest["detail"]) == {"versions": ["spotter@1.0.0"]}
    assert len(list((tmp_path / "audit").glob("*.jsonl"))) == 1
    again = turn(database, retention_jobs, NOW + 1.0)
    assert left(database) == {**once, "telemetry": 1, "versions": 1, "audit": 2}, "nothing more, and no second entry"
    assert again == removed


def test_a_clock_that_leaps_ahead_deletes_nothing(database: Database, tmp_path: Path) -> None:
    """At a start 31 days after the last run; the reason is shown. The clock is put right: what is old is deleted again."""
    first, registry = make(database, tmp_path)
    turn(database, first, YOUNG)
    fill(database, registry, YOUNG - 7_200.0, YOUNG)
    before = left(database)
    again = RetentionJobs(database, lambda: Settings(data=tmp_path), registry, PackageUploads(tmp_path / "uploads", 1000))
    turn(database, again, YOUNG + 400 * DAY_S)
    assert left(database) == before
    with database.read() as connection:
        (problem,) = retention.problems(connection)
    assert "the clock is 400.0 days ahead of the last run" in problem
    turn(database, again, YOUNG + 10.0)
    with database.read() as connection:
        assert retention.newest_at(connection) == pytest.approx(YOUNG + 10.0, abs=60.0)


def test_all_versions_stay_if_configured(database: Database, tmp_path: Path) -> None:
    retention_jobs, registry = make(database, tmp_path, versions_min=0)
    fill(database, registry, OLD, YOUNG)
    turn(database, retention_jobs)
    assert left(database)["versions"] == 2


def test_failed_deletions_are_reported(database: Database, tmp_path: Path) -> None:
    """A folder for the audit archive that is a file: nothing leaves the database, and the reason stands in it."""
    (tmp_path / "audit").write_text("")
    retention_jobs, registry = make(database, tmp_path)
    fill(database, registry, OLD, YOUNG)
    by_name = {job.name: job for job in retention_jobs.jobs}
    with pytest.raises(StoreError, match="cannot use"):
        by_name["retention of audit"].work(NOW)
    with database.read() as connection:
        summary = {row["kind"]: row for row in retention.retained_summary(connection)}
    assert "cannot use" in summary["audit"]["problem"]
    assert left(database)["audit"] == 2


def test_a_device_that_sends_most_loses_its_own_history(database: Database) -> None:
    """Beyond the limit: the flood's oldest rows go, those of others stay although they are older."""
    with database.write() as connection:
        db = raw(connection)
        ingest.add_samples(db, [(f"d{number % 10}", NOW + number, NOW, "{}") for number in range(500)])
        ingest.add_samples(db, [("flood", NOW + number, NOW, "{}") for number in range(20_000)])
    budget = retention.RowBudget(2_000)
    removed = retention.trim(database, "telemetry", NOW - DAY_S, budget)
    with database.read() as connection:
        rows = connection.exec_driver_sql("SELECT device, count(*), min(at) FROM telemetry GROUP BY device").all()
    counts = {row[0]: row[1] for row in rows}
    assert [counts[f"d{number}"] for number in range(10)] == [50] * 10
    assert 1_900 - 500 <= counts["flood"] <= 2_000 - 500
    assert removed == 20_000 - counts["flood"]
    assert next(row[2] for row in rows if row[0] == "flood") == NOW + removed, "its oldest went"
    assert retention.trim(database, "telemetry", NOW - DAY_S, budget) == 0
    with database.write() as connection:
        ingest.add_samples(raw(connection), [("flood", NOW, NOW, "{}") for _ in range(100)])
    assert retention.trim(database, "telemetry", NOW - DAY_S, budget) > 0, "the limit is reached again"
