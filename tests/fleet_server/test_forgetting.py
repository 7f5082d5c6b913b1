"""What is old goes by itself, of every kind, on both databases; and it is told what went."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fleet_server.db import alerts, audit, intake, partitions, retention
from fleet_server.db.engine import Database, raw
from fleet_server.domain.alerts import Begun
from fleet_server.errors import StoreError
from fleet_server.forgetting import Forgetting
from fleet_server.registry.blobs import BlobStore
from fleet_server.registry.packages import Registry
from fleet_server.registry.trust import Trust
from fleet_server.settings import Settings
from tests.fleet_server.packages import files, tar

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


def make(database: Database, tmp_path: Path, versions_kept: int = 1) -> tuple[Forgetting, Registry]:
    blobs = BlobStore(tmp_path / "blobs")
    registry = Registry(blobs, database, Trust(tmp_path / "trust"), 10_000_000)
    registry.open()
    settings = Settings(data=tmp_path, versions_kept=versions_kept)
    return Forgetting(database, settings, registry), registry


def turn(database: Database, forgetting: Forgetting, now: float = NOW) -> dict[str, int]:
    """Every kind once; what is told to have gone, ever."""
    for chore in forgetting.chores:
        chore.work(now)
    with database.read() as connection:
        return {row["kind"]: row["removed"] for row in retention.told(connection)}


def fill(database: Database, registry: Registry) -> None:
    """Of every kind one that is old, and one that is young; three samples, one of them young."""
    if database.shared:
        for at in (OLD, NOW):
            partitions.make_ahead(database, at)
    with database.write() as connection:
        db = raw(connection)
        intake.add_device(db, "d", OLD)
        intake.add_samples(db, [("d", at, at, "{}") for at in (OLD, OLD, YOUNG)])
        rule = alerts.put_rule(db, None, "away", {}, False, "ada", OLD)
        for at in (OLD, YOUNG):
            intake.add_events(db, [("d", at, at, "visit", "person", "{}")])
            db.execute("INSERT INTO rollup (span_s, device, at, figures) VALUES (60, 'd', ?, ?)", (int(at), b""))
            alerts.begin(db, rule, [Begun("d", 1.0, "away")], at)
            alerts.add_notices(db, [("mailto:ada@localhost", alerts.alerts(db, open_only=True)[0]["id"], "{}")], at)
            alerts.end(db, rule, ["d"], at)
            db.execute(
                "INSERT INTO command (id, device, op, args, state, detail, result, created_at, deadline_at, finished_at)"
                " VALUES (?, 'd', 'identify', '{}', 'done', '', '{}', ?, ?, ?)",
                (f"c{at}", at, at, at),
            )
            audit.append(
                connection, at=at, actor="ada", role="admin", via="test", source="", action="look", target="", status=0, detail=""
            )  # fmt: skip
    for version, at in (("1.0.0", OLD), ("1.1.0", OLD + 1.0)):
        registry.push(io.BytesIO(tar(files("spotter", version, size=1000))), at)


def left(database: Database) -> dict[str, int]:
    tables = ("telemetry", "event", "rollup", "alert", "notice", "command", "audit")
    with database.read() as connection:
        found = {name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one() for name in tables}
        kept = connection.exec_driver_sql("SELECT version FROM package WHERE retired_at IS NULL").scalars().all()
    return {**found, "versions": len(kept)}


def test_every_kind_goes_by_its_age(database: Database, tmp_path: Path) -> None:
    """What is young stays; the audit log's chain holds, says which versions were retired, and its old part is a file."""
    forgetting, registry = make(database, tmp_path)
    fill(database, registry)
    removed = turn(database, forgetting)
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
    again = turn(database, forgetting, NOW + 1.0)
    assert left(database) == {**once, "telemetry": 1, "versions": 1, "audit": 2}, "nothing more, and no second entry"
    assert again == removed


def test_all_versions_stay_where_that_is_asked_for(database: Database, tmp_path: Path) -> None:
    forgetting, registry = make(database, tmp_path, versions_kept=0)
    fill(database, registry)
    turn(database, forgetting)
    assert left(database)["versions"] == 2


def test_what_could_not_go_is_told(database: Database, tmp_path: Path) -> None:
    """A folder for the audit archive that is a file: nothing leaves the database, and the reason stands in it."""
    (tmp_path / "audit").write_text("")
    forgetting, registry = make(database, tmp_path)
    fill(database, registry)
    by_name = {chore.name: chore for chore in forgetting.chores}
    with pytest.raises(StoreError, match="cannot write"):
        by_name["retention of audit"].work(NOW)
    with database.read() as connection:
        told = {row["kind"]: row for row in retention.told(connection)}
    assert "cannot write" in told["audit"]["problem"]
    assert left(database)["audit"] == 2
