"""A database with something of every kind in it: half of it old, half of it young."""

from __future__ import annotations

import io

from fleet_server.db import alerts, audit, intake, partitions
from fleet_server.db.engine import Database, raw
from fleet_server.domain.alerts import Begun
from fleet_server.registry.packages import Registry
from tests.fleet_server.packages import files, tar


def fill(database: Database, registry: Registry, old_at: float, young_at: float) -> None:
    """Of every kind one that is old, and one that is young; three samples, one of them young."""
    if database.shared:
        for at in (old_at, young_at):
            partitions.make_ahead(database, at)
    with database.write() as connection:
        db = raw(connection)
        intake.add_device(db, "d", old_at)
        intake.add_samples(db, [("d", at, at, "{}") for at in (old_at, old_at, young_at)])
        rule = alerts.put_rule(db, None, "away", {}, False, "ada", old_at)
        for at in (old_at, young_at):
            intake.add_events(db, [("d", at, at, "visit", "person", "{}")])
            db.execute("INSERT INTO rollup (span_s, device, at, figures) VALUES (60, 'd', ?, ?)", (int(at), b"\x00\xff"))
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
    for version, at in (("1.0.0", old_at), ("1.1.0", old_at + 1.0)):
        registry.push(io.BytesIO(tar(files("spotter", version, size=1000))), at)
