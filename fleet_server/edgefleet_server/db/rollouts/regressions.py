"""Figures of devices before and after an update, for the gate (`domain.statistics.regression_check` compares them)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from edgefleet_server.db.backend.engine import Database, Driver, raw
from edgefleet_server.db.rollouts import control_groups
from edgefleet_server.db.rollouts.control_groups import Compared, ControlGroup
from edgefleet_server.db.rollouts.terms import gate
from edgefleet_server.domain.statistics.levels import levels
from edgefleet_server.domain.statistics.regression_check import BEFORE_S, Change, Level, RegressionLimits, Verdict, compare
from edgefleet_server.domain.statistics.summaries import MINUTE_S

CHUNK: Final = 500
MembersOf = Callable[[Connection, Sequence[str]], frozenset[str]]
"""The devices of groups, by the names of these."""
_Row = tuple[Any, ...]
_Marked = tuple[str, int | None, str]
"""Text about the worse figures, number of devices compared with, attempt."""


def baseline_of(db: Driver, device: str, now: float) -> dict[str, Any] | None:
    """The current figures of a device, as stored in its attempt: {figure: [count, value]}; None if there are none."""
    found = levels(control_groups.baseline_minutes(db, device, now - BEFORE_S, now))
    return {name: [level.count, level.value] for name, level in found.items()} or None


def measured(db: Driver, devices: Sequence[str], now: float) -> int:
    """Number of these devices that have figures of the baseline period until now."""
    found = db.execute(
        "SELECT DISTINCT device FROM rollup WHERE span_s = ? AND at >= ? AND at <= ?", (MINUTE_S, now - BEFORE_S, now)
    )
    return len({row[0] for row in found}.intersection(devices))


def mark_regressed(database: Database, members_of: MembersOf) -> int:
    """Compare the committed devices of active waves with devices that were not updated, or with their baselines. Notes with how
    many each was compared, and marks those that regressed; returns the number of the latter. members_of: for rollouts that are
    cut to groups.

    Raises:
        StoreError: the database refuses; the next run checks them again.
    """
    with database.read() as connection:
        found = _marks(connection, members_of)
    for start in range(0, len(found), CHUNK):
        with database.write() as connection:
            raw(connection).executemany(
                "UPDATE attempt SET regressed = ?, controls = ? WHERE id = ? AND state = 'committed'",
                found[start : start + CHUNK],
            )
    return sum(bool(worse) for worse, _, _ in found)


def _marks(connection: Connection, members_of: MembersOf) -> list[_Marked]:
    """Compares every device, and gives the marks that changed."""
    db = raw(connection)
    rows = db.execute(
        "SELECT a.id, a.device, a.baseline, a.offered_at, a.finished_at, a.controls, r.gate, r.slot, r.package, d.profile,"
        " json_extract(d.labels, '$.site'), json_extract(r.selector, '$.within') FROM rollout r JOIN wave w ON w.rollout = r.id"
        " AND w.state IN ('running', 'soaking') JOIN attempt a ON a.rollout = r.id AND a.wave = w.\"index\""
        " JOIN device d ON d.id = a.device"
        " WHERE r.state IN ('running', 'paused', 'completed') AND json_extract(r.gate, '$.regressions') IS NOT NULL"
        " AND a.state = 'committed' AND a.latest AND a.regressed = ''"
        " AND a.baseline IS NOT NULL AND CAST(a.baseline AS TEXT) != 'null'"
    ).fetchall()
    limits: dict[str, RegressionLimits | None] = {}
    controls = _ControlGroups(connection, members_of, rows)
    found: list[_Marked] = []
    for row in rows:
        attempt, device, text, offered_at, committed_at, known, gate_text = row[:7]
        if gate_text not in limits:
            limits[gate_text] = gate(json.loads(gate_text)).regressions
        chosen = limits[gate_text]
        if chosen is None:
            continue
        was = {name: Level(*pair) for name, pair in json.loads(text).items()}
        mine = Change(was, levels(control_groups.minutes_of(db, device, committed_at, 2.0**53), was))
        others = controls.of(row).changes(offered_at - BEFORE_S, offered_at, committed_at) if offered_at is not None else []
        verdict: Verdict = compare(chosen, mine, others)
        if verdict.worse or verdict.controls not in (None, known):
            found.append((verdict.text, verdict.controls, attempt))
    return found


class _ControlGroups:
    """The control groups of devices, each read once. Of a rollout that is cut to groups of devices they have no others."""

    def __init__(self, connection: Connection, members_of: MembersOf, rows: list[_Row]) -> None:
        self._connection, self._members_of = connection, members_of
        self._since: dict[_Row, float] = {}
        self._read: dict[_Row, ControlGroup] = {}
        for row in rows:
            offered_at = row[3] or 0.0
            self._since[row[7:]] = min(offered_at, self._since.get(row[7:], offered_at))

    def of(self, row: _Row) -> ControlGroup:
        """The group of an attempt."""
        key = row[7:]
        if key not in self._read:
            slot, digest, profile, site, within = key
            names = json.loads(within) if within else []
            among = self._members_of(self._connection, names) if names else None
            compared = Compared(slot, digest, profile, site or "", self._since[key], among)
            self._read[key] = control_groups.read(raw(self._connection), compared)
        return self._read[key]
