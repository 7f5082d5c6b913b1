"""Counts for the endpoint `/metrics`."""

from __future__ import annotations

from edgefleet_server.db.backend.engine import Driver


def rollouts(db: Driver) -> dict[str, int]:
    """Number of rollouts by state."""
    return dict(db.execute("SELECT state, count(*) FROM rollout GROUP BY state").fetchall())


def attempts(db: Driver) -> dict[tuple[int, str], int]:
    """Number of attempts of rollouts in progress, by rollout and state."""
    rows = db.execute(
        "SELECT a.rollout, a.state, count(*) FROM attempt a JOIN rollout r ON r.id = a.rollout WHERE a.latest"
        " AND r.state IN ('running', 'paused', 'aborting', 'rolling_back') GROUP BY a.rollout, a.state"
    )
    return {(row[0], row[1]): row[2] for row in rows}


def newest_ids(db: Driver) -> dict[str, int]:
    """Ids of the newest sample and event, which are the numbers ever stored."""
    return {
        "telemetry": db.execute("SELECT coalesce(max(id), 0) FROM telemetry").fetchone()[0],
        "event": db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()[0],
    }
