"""A database with something of every kind in it: half of it old, half of it young."""

from __future__ import annotations

import io

from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend import partitions
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.people import audit
from edgefleet_server.db.telemetry import alerts, ingest, rollups
from edgefleet_server.domain.fleet.alerts import StartedAlert
from edgefleet_server.registry.package_registry import PackageRegistry
from tests.fleet_server.fakes.packages import files, tar


def fill(database: Database, registry: PackageRegistry, old_at: float, young_at: float) -> None:
    """Of every kind one that is old, and one that is young; three samples, one of them young."""
    if database.shared:
        for at in (old_at, young_at):
            partitions.make_ahead(database, at)
    with database.write() as connection:
        db = raw(connection)
        ingest.add_device(db, "d", old_at)
        ingest.add_samples(db, [("d", at, at, "{}") for at in (old_at, old_at, young_at)])
        rollups.set_checkpoint(db, rollups.CLOSED_CHECKPOINTS[3600], int(young_at))
        rule = alerts.put_rule(db, None, "away", {}, False, "ada", old_at)
        for at in (old_at, young_at):
            ingest.add_events(db, [("d", at, at, "visit", "person", "{}")])
            db.execute("INSERT INTO rollup (span_s, device, at, figures) VALUES (60, 'd', ?, ?)", (int(at), b"\x00\xff"))
            alerts.start_alerts(db, rule, [StartedAlert("d", 1.0, "away")], at)
            notices.add(db, [("mailto:ada@localhost", alerts.alerts(db, open_only=True)[0]["id"], "{}", None)], at)
            alerts.end_alerts(db, rule, ["d"], at)
            db.execute(
                "INSERT INTO command (id, device, op, args, state, detail, result, created_at, deadline_at, finished_at)"
                " VALUES (?, 'd', 'identify', '{}', 'done', '', '{}', ?, ?, ?)",
                (f"c{at}", at, at, at),
            )
            audit.append(
                connection, at=at, actor="ada", role="admin", via="test", source="", action="look", target="", status=0, detail=""
            )  # fmt: skip
    for version, at in (("1.0.0", old_at), ("1.1.0", old_at + 1.0)):
        registry.push(io.BytesIO(tar(files("spotter", version, size=1000))), at)
