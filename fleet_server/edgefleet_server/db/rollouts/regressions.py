"""Figures of devices before and after an update, for the gate (`domain.statistics.regression_check` compares them)."""

from __future__ import annotations

import json
from typing import Any, Final

from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.rollouts.terms import gate
from edgefleet_server.domain.statistics.regression_check import BEFORE_S, Level, Levels, RegressionLimits, worse
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Figures, merge, unpack

_FIGURES: Final = ("latency_p95_ms", "dropped_percent", "confidence", "temperature_c", "shadow_agreement")
CHUNK: Final = 500


def baseline_of(db: Driver, device: str, now: float) -> dict[str, Any] | None:
    """The current figures of a device, as stored in its attempt: {figure: [count, value]}; None if there are none."""
    return {name: [level.count, level.value] for name, level in _levels(db, device, now - BEFORE_S, now).items()} or None


def mark_regressed(database: Database) -> int:
    """Compare the committed devices of active waves with their baselines and mark those that regressed; returns their number.

    Raises:
        StoreError: the database refuses; the next run checks them again.
    """
    with database.read() as connection:
        found = _worse(raw(connection))
    for start in range(0, len(found), CHUNK):
        with database.write() as connection:
            raw(connection).executemany(
                "UPDATE attempt SET regressed = ? WHERE id = ? AND state = 'committed'", found[start : start + CHUNK]
            )
    return len(found)


def _worse(db: Driver) -> list[tuple[str, str]]:
    """(text about the worse figures, attempt) of each regressed device."""
    rows = db.execute(
        "SELECT a.id, a.device, a.baseline, a.finished_at, r.gate FROM rollout r JOIN wave w ON w.rollout = r.id"
        " AND w.state IN ('running', 'soaking') JOIN attempt a ON a.rollout = r.id AND a.wave = w.\"index\""
        " WHERE r.state IN ('running', 'paused', 'completed') AND json_extract(r.gate, '$.regressions') IS NOT NULL"
        " AND a.state = 'committed' AND a.latest AND a.regressed = ''"
        " AND a.baseline IS NOT NULL AND CAST(a.baseline AS TEXT) != 'null'"
    ).fetchall()
    limits: dict[str, RegressionLimits | None] = {}
    found: list[tuple[str, str]] = []
    for attempt, device, text, committed_at, gate_text in rows:
        if gate_text not in limits:
            limits[gate_text] = gate(json.loads(gate_text)).regressions
        chosen = limits[gate_text]
        if chosen is None:
            continue
        was = {name: Level(*pair) for name, pair in json.loads(text).items()}
        worse_text = worse(chosen, was, _levels(db, device, committed_at, 2.0**53))
        if worse_text:
            found.append((worse_text, attempt))
    return found


def _levels(db: Driver, device: str, since_at: float, until_at: float) -> Levels:
    """The levels over the whole minutes between two times: the minute of the switch itself belongs to neither period."""
    first = -(-int(since_at) // MINUTE_S) * MINUTE_S
    last = int(until_at) // MINUTE_S * MINUTE_S - MINUTE_S
    rows = db.execute(
        "SELECT figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ? AND at <= ?", (MINUTE_S, device, first, last)
    )
    return _of(merge(unpack(row[0]) for row in rows))


def _of(figures: Figures) -> Levels:
    """The levels of figures: the median of the latency, which a burst of load does not change; the means of all others."""
    found: dict[str, Level] = {}
    for name in _FIGURES:
        if name in figures:
            summary = figures[name]
            found[name] = Level(summary.count, summary.quantile(0.5) if name == "latency_p95_ms" else summary.mean)
    return found
