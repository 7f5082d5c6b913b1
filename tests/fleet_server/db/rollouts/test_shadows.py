"""Figures of candidates come from the minutes since a device committed them, as for the gate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from edgefleet_server.api.presenters import views
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.rollouts import shadows
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Figures, Summary, pack

NOW = 1_700_000_040.0 // MINUTE_S * MINUTE_S


def _figures(agreement: float) -> Figures:
    means = {"shadow_agreement": agreement, "shadow_latency_percent": 120.0, "shadow_confidence_points": -1.0}
    return {name: Summary(2, 2 * value, value, value, {}) for name, value in means.items()}


def _rollout(db: Driver, number: int, slot: str) -> None:
    gate = {"regressions": {"agreement_percent_min": 88.0}}
    db.execute(
        "INSERT INTO rollout (id, name, package, slot, state, state_reason, created_at, changed_at, selector, plans, gate,"
        " policy, wave_timeout_s, terms, priority, created_by)"
        " VALUES (?, 'r', 'x', ?, 'completed', '', 0, 0, '{}', '[]', ?, '{}', 60, '{}', 500, '')",
        (number, slot, json.dumps(gate)),
    )
    db.execute(
        'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
        " VALUES (?, 0, 'w', 'passed', 3, 0, 0, FALSE, FALSE)",
        (number,),
    )


def _attempt(db: Driver, rollout: int, device: str, state: str, finished_at: float | None) -> None:
    db.execute(
        "INSERT INTO attempt (id, rollout, device, wave, number, state, open, latest, staging, not_before, regressed, reason,"
        " detail, updated_at, finished_at, bytes_done, bytes_total)"
        " VALUES (?, ?, ?, 0, 1, ?, FALSE, TRUE, FALSE, 0, '', '', '', 0, ?, 0, 0)",
        (f"{rollout}:{device}:1", rollout, device, state, finished_at),
    )


def test_minutes_since_the_candidate_is_committed(where: Path | str) -> None:
    """An older minute, another rollout's device and one that has not finished say nothing."""
    database = Database(where)
    database.migrate()
    with database.write() as connection:
        db = raw(connection)
        db.execute("INSERT INTO package VALUES ('x', 'm', '1', 0, 1, 1, '{}', '[]', NULL)")
        for device in ("d1", "d2", "d3"):
            db.execute(
                "INSERT INTO device (id, first_seen_at, agent_version, profile, runtimes, hardware, labels, labels_own,"
                " label_edits, released_at) VALUES (?, 0, '', 'pi', '[]', '{}', '{}', '{}', '{}', 0)",
                (device,),
            )
        _rollout(db, 7, "shadow-detector")
        _rollout(db, 8, "detector")
        for device, state, finished_at in (("d1", "committed", NOW - 200), ("d2", "committed", NOW - 90), ("d3", "trial", None)):
            _attempt(db, 7, device, state, finished_at)
        for device, at, agreement in (
            ("d1", NOW - 300, 10.0),
            ("d1", NOW - 180, 90.0),
            ("d1", NOW - 120, 80.0),
            ("d3", NOW - 60, 5.0),
        ):
            db.execute(
                "INSERT INTO rollup (span_s, device, at, figures) VALUES (?, ?, ?, ?)",
                (MINUTE_S, device, int(at), pack(_figures(agreement))),
            )
    with database.read() as connection:
        found = {one.device: one for one in shadows.comparisons(raw(connection), 7, NOW)}
        assert set(found) == {"d1", "d2"}
        assert (found["d1"].samples, found["d1"].agreement_percent) == (4, 85.0)
        assert found["d2"].agreement_percent is None
        report = views.shadow(connection, 7, NOW)
        assert (report.slot, report.agreement_percent_min, report.overall.measured) == ("detector", 88.0, 1)
        assert report.overall.below == 0, "four samples are too few for the gate"
        with pytest.raises(NotFoundError, match="is not a shadow rollout"):
            views.shadow(connection, 8, NOW)
    database.close()
