"""Stored experiments, and the measurements of their devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, insert
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.driver import append
from edgefleet_server.db.backend.engine import Driver, raw
from edgefleet_server.db.tables.experiments import ExperimentRecord
from edgefleet_server.domain.outcomes import REPORTED, Outcome, count
from edgefleet_server.domain.states import AttemptState
from edgefleet_server.domain.statistics.experiment import MEASURES, Field
from edgefleet_server.domain.statistics.summaries import HOUR_S, MINUTE_S, merge, unpack

Record = dict[str, Any]
MINUTES_S_MAX: Final = 6 * HOUR_S
"""Longer experiments are computed from hours: a thousand devices for a week are 168,000 rows."""
_COLUMNS: Final = (
    "id", "name", "slot", "state", "split", "label_key", "created_at", "created_by", "ended_at", "ended_by", "chosen_arm",
    "chosen_rollout", "compared", "review_after_s",
)  # fmt: skip


def create(connection: Connection, record: Record, arms: Sequence[Record], members: Mapping[str, str]) -> int:
    """Store a new experiment with its arms (columns of the tables) and members (device → arm); returns its id."""
    number = connection.execute(insert(ExperimentRecord).returning(col(ExperimentRecord.id)), record).scalar_one()
    assert number is not None
    db = raw(connection)
    db.executemany(
        "INSERT INTO experiment_arm (experiment, position, name, package, share, value, rollout) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (number, position, arm["name"], arm["package"], arm["share"], arm["value"], arm["rollout"])
            for position, arm in enumerate(arms)
        ],
    )
    rows = [(number, device, arm) for device, arm in members.items()]
    append(db, "experiment_member", ("experiment", "device", "arm"), rows)
    return number


def page(db: Driver, offset: int, limit: int) -> tuple[list[Record], int]:
    """One page of experiments, newest first, and the total number."""
    total = db.execute("SELECT count(*) FROM experiment").fetchone()[0]
    rows = db.execute("SELECT id FROM experiment ORDER BY id DESC LIMIT ? OFFSET ?", (limit, offset)).fetchall()
    return [get(db, row[0]) for row in rows], int(total)


def get(db: Driver, number: int) -> Record:
    """One experiment with its arms.

    Raises:
        NotFoundError: there is no such experiment.
    """
    row = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM experiment WHERE id = ?", (number,)).fetchone()  # noqa: S608 (fixed)
    if row is None:
        raise NotFoundError(f"no experiment {number}; `edgefleet experiment list` lists the experiments")
    record = dict(zip(_COLUMNS, row, strict=True))
    record["compared"] = [name for name in record["compared"].split(",") if name]
    arms = db.execute(
        "SELECT a.name, p.name, p.version, p.digest, a.share, a.value, a.rollout, r.state FROM experiment_arm a"
        " JOIN package p ON p.digest = a.package LEFT JOIN rollout r ON r.id = a.rollout WHERE a.experiment = ?"
        " ORDER BY a.position",
        (number,),
    )
    names = ("name", "package", "version", "digest", "share", "value", "rollout", "rollout_state")
    record["arms"] = [dict(zip(names, arm, strict=True)) for arm in arms]
    counts = {row[0]: (row[1], row[2]) for row in db.execute(_ON_VERSION, (number,))}
    for arm in record["arms"]:
        arm["devices"], arm["on_version"] = counts.get(arm["name"], (0, 0))
    return record


_ON_VERSION: Final = (
    "SELECT m.arm, count(*), count(*) FILTER (WHERE s.phase = 'committed' AND s.running_digest = a.package)"
    " FROM experiment_member m JOIN experiment e ON e.id = m.experiment"
    " JOIN experiment_arm a ON a.experiment = m.experiment AND a.name = m.arm"
    " LEFT JOIN device_slot s ON s.device = m.device AND s.slot = e.slot WHERE m.experiment = ? GROUP BY m.arm"
)


def members(db: Driver, number: int) -> list[str]:
    """Every device of an experiment."""
    return [row[0] for row in db.execute("SELECT device FROM experiment_member WHERE experiment = ? ORDER BY device", (number,))]


def end(db: Driver, number: int, by: str, now: float, chosen_arm: str = "", rollout: int | None = None) -> None:
    """End an experiment; `chosen_arm`: the winning arm, `rollout`: the rollout of its version to all devices.

    Raises:
        ConflictError: it has ended before.
    """
    changed = db.execute(
        "UPDATE experiment SET state = 'ended', ended_at = ?, ended_by = ?, chosen_arm = ?, chosen_rollout = ?"
        " WHERE id = ? AND state = 'running'",
        (now, by, chosen_arm, rollout, number),
    )
    if not changed.rowcount:
        raise ConflictError(f"experiment {number} has ended; create a new one")


def fields(db: Driver, record: Record, now: float) -> list[Field]:
    """The results of every arm: one value for each device that runs the version of its arm, from the time since it does."""
    until_at = record["ended_at"] or now
    windows = {
        row[0]: (row[1], max(row[2], record["created_at"]))
        for row in db.execute(
            "SELECT m.device, m.arm, s.since_at FROM experiment_member m"
            " JOIN experiment_arm a ON a.experiment = m.experiment AND a.name = m.arm"
            " JOIN device_slot s ON s.device = m.device AND s.slot = ?"
            " WHERE m.experiment = ? AND s.phase = 'committed' AND s.running_digest = a.package",
            (record["slot"], record["id"]),
        )
    }
    values: dict[str, dict[str, list[float]]] = {arm["name"]: defaultdict(list) for arm in record["arms"]}
    _add_figures(db, record, windows, values, until_at)
    _add_events(db, record, windows, values, until_at)
    return [Field(arm["name"], values[arm["name"]], *_failures(db, arm["rollout"])) for arm in record["arms"]]


Windows = Mapping[str, tuple[str, float]]
"""Device → (arm, wall time since which it runs the version)."""


def _add_figures(
    db: Driver, record: Record, windows: Windows, values: Mapping[str, dict[str, list[float]]], until_at: float
) -> None:
    span_s = MINUTE_S if until_at - record["created_at"] <= MINUTES_S_MAX else HOUR_S
    for device, (arm, since_at) in windows.items():
        first = -(-int(since_at) // span_s) * span_s
        rows = db.execute(
            "SELECT figures FROM rollup WHERE span_s = ? AND device = ? AND at >= ? AND at <= ?",
            (span_s, device, first, int(until_at) - span_s),
        )
        figures = merge(unpack(row[0]) for row in rows)
        for measure in MEASURES:
            if measure.name in figures:
                found = figures[measure.name]
                values[arm][measure.name].append(found.quantile(0.5) if measure.name == "latency_p95_ms" else found.mean)


def _add_events(
    db: Driver, record: Record, windows: Windows, values: Mapping[str, dict[str, list[float]]], until_at: float
) -> None:
    rows = db.execute(
        "SELECT e.device, count(*) FROM event e JOIN experiment_member m ON m.device = e.device AND m.experiment = ?"
        " JOIN device_slot s ON s.device = m.device AND s.slot = ? WHERE e.received_at >= ? AND e.received_at <= ?"
        " AND e.received_at >= s.since_at GROUP BY e.device",
        (record["id"], record["slot"], record["created_at"], until_at),
    )
    counts = {row[0]: row[1] for row in rows}
    for device, (arm, since_at) in windows.items():
        hours = (until_at - since_at) / HOUR_S
        if hours > 0.0:
            values[arm]["events_per_hour"].append(counts.get(device, 0) / hours)


def _failures(db: Driver, rollout: int | None) -> tuple[int, int]:
    """(failed, tried) of the rollout of an arm's version."""
    if rollout is None:
        return 0, 0
    rows = db.execute(
        "SELECT state, reason, count(*) FROM attempt WHERE rollout = ? AND latest GROUP BY state, reason", (rollout,)
    )
    counts = count((AttemptState(state), reason, number) for state, reason, number in rows)
    return counts[Outcome.FAILED], sum(counts[ended] for ended in REPORTED)
