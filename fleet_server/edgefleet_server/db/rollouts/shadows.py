"""Figures of shadow candidates and their incumbents, for the devices of a rollout."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.statistics.shadows import ShadowComparison
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Figures, merge, unpack

DEVICES_MAX: Final = 400
"""A comparison covers at most this many devices: those that took the candidate last."""
BACK_S: Final = 3_600
"""Age of the oldest minutes that are read."""


def comparisons(db: Driver, rollout: int, now: float) -> list[ShadowComparison]:
    """One row for each device that committed the candidate or failed because of it; from the minutes since then, as for the
    gate."""
    rows = db.execute(
        "SELECT a.device, d.profile, a.finished_at FROM attempt a JOIN device d ON d.id = a.device"
        " WHERE a.rollout = ? AND a.latest AND a.state IN ('committed', 'regressed') AND a.finished_at IS NOT NULL"
        " ORDER BY a.finished_at DESC, a.device LIMIT ?",
        (rollout, DEVICES_MAX),
    ).fetchall()
    minutes = _minutes(db, [row[0] for row in rows], now)
    found = []
    for device, profile, finished_at in rows:
        mine = merge(figures for at, figures in minutes.get(device, ()) if at >= finished_at)
        found.append(_beside(device, profile, mine))
    return found


def _minutes(db: Driver, devices: list[str], now: float) -> dict[str, list[tuple[int, Figures]]]:
    found: defaultdict[str, list[tuple[int, Figures]]] = defaultdict(list)
    for device in devices:
        rows = db.execute(
            "SELECT at, figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ?", (MINUTE_S, device, now - BACK_S)
        )
        found[device] = [(at, unpack(data)) for at, data in rows]
    return found


def _beside(device: str, profile: str, figures: Figures) -> ShadowComparison:
    agreed = figures.get("shadow_agreement")
    if agreed is None:
        return ShadowComparison(device, profile)
    latency, confidence = figures.get("shadow_latency_percent"), figures.get("shadow_confidence_points")
    return ShadowComparison(
        device,
        profile,
        agreed.count,
        agreed.mean,
        latency.mean if latency else None,
        confidence.mean if confidence else None,
    )
