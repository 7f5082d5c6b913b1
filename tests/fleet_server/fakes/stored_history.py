"""Devices with a past: hours of several weeks with a gap in them, days, and an update."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Final

from edgefleet_server.db.backend.driver import write_rows
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.telemetry import ingest, rollup_closing, rollups
from edgefleet_server.domain.statistics.summaries import HOUR_S, MINUTE_S, Figures, Pipeline, Sample, StageSummary, add, pack

DAYS: Final = 40
AWAY: Final = range(10 * 24, 12 * 24)
"""Hours before now in which no device sent anything."""


def fill(file: Path, devices: tuple[str, ...], now: float) -> None:
    """Make a database at `file`. Frames a second are 10 at each device, and 20 in the minute of now; latency grows with the
    number of the device. The first device committed version 1.1.0 of `spotter` five days ago, offered an hour before."""
    hour = int(now) // HOUR_S * HOUR_S
    with closing(Database(file)) as database:
        database.migrate()
        with database.write() as connection:
            db = raw(connection)
            for number, device in enumerate(devices):
                ingest.add_device(db, device, now)
                past = [
                    (HOUR_S, device, hour - back * HOUR_S, _packed(10.0, number))
                    for back in range(1, 24 * DAYS)
                    if back not in AWAY
                ]
                here = (MINUTE_S, device, int(now) // MINUTE_S * MINUTE_S, _packed(20.0, number))
                write_rows(db, rollups.PUT, "rollup", rollups.COLUMNS, [*past, here])
            rollups.set_checkpoint(db, rollups.CLOSED_CHECKPOINTS[HOUR_S], hour)
            _update(db, devices[0], now - 5 * 86_400.0)
        while rollup_closing.close_days(database):
            pass


def _packed(fps: float, number: int) -> bytes:
    figures: Figures = {}
    for step in range(3):
        stage = StageSummary(p95_ms=5.0 * (number + 1) + step)
        add(
            figures,
            Sample(cpu_percent=40.0 + step, pipelines={"p": Pipeline(process_fps=fps + step - 1, latency={"invoke": stage})}),
        )
    return pack(figures)


def _update(db: Driver, device: str, committed_at: float) -> None:
    db.execute("INSERT INTO package VALUES ('sha256:x', 'spotter', '1.1.0', 0, 1, 1, '{}', '[]', NULL)")
    db.execute(
        "INSERT INTO rollout (id, name, package, slot, state, state_reason, created_at, changed_at, selector, plans, gate,"
        " policy, wave_timeout_s, terms, priority, created_by)"
        " VALUES (1, 'r', 'sha256:x', 'detector', 'completed', '', 0, 0, '{}', '[]', ?, '{}', 60, '{}', 500, '')",
        (json.dumps({}),),
    )
    db.execute(
        'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
        " VALUES (1, 0, 'all', 'passed', 1, 0, 0, FALSE, FALSE)"
    )
    db.execute(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
        " detail, updated_at, offered_at, finished_at, bytes_done, bytes_total)"
        " VALUES ('1:1', 1, ?, 0, 1, 'committed', FALSE, TRUE, FALSE, 0, '', 'none', '', ?, ?, ?, 0, 0)",
        (device, committed_at, committed_at - 3600.0, committed_at),
    )
