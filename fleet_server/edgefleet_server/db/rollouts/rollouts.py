"""Queries about rollouts, and the actions of operators. Results are plain dicts with the field names of the REST API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, String, cast, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.backend.driver import append, is_among
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import bundle_parts, creation_keys, figures, timeline
from edgefleet_server.db.rollouts import terms as stored_terms
from edgefleet_server.db.rollouts.figures import RolloutFigures
from edgefleet_server.db.tables.core import Package, columns_of
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord, TimelineRecord, WaveRecord
from edgefleet_server.domain.outcomes import REPORTED, CountedResults, Outcome, sentence
from edgefleet_server.domain.rollout.gates import Evidence, RolloutGate, judge, sequential_strength, step, tally
from edgefleet_server.domain.rollout.operator_actions import RolloutAction, next_state
from edgefleet_server.domain.rollout.waves import empty_text
from edgefleet_server.domain.states import AttemptState, RolloutState, WaveState
from edgefleet_server.domain.statistics.regression_check import ComparedDevices

Record = dict[str, Any]
UNKNOWN: Final = "no rollout {}; `edgefleet rollout list` lists the rollouts"
TIMELINE_MAX: Final = 4_000
"""Rows of a list: twice as many as those of single devices (`timeline.ROWS_MAX`)."""
WITHOUT_SHADOW: Final = {"shadow_s": 0.0, "shadow_agreement_percent_min": 0.0}
"""Of rollouts from before version 0.3."""


def create(connection: Connection, record: Record) -> int:
    """Store a new rollout as a draft (columns of the table); returns its id."""
    rollout = connection.execute(insert(RolloutRecord).returning(col(RolloutRecord.id)), record).scalar_one()
    assert rollout is not None
    timeline.add(raw(connection), rollout, record["created_at"], "created", f"Created: {record['name']}")
    return rollout


def set_waves(
    connection: Connection, rollout: int, names: Sequence[tuple[str, bool]], waves: Sequence[Sequence[str]], now: float
) -> None:
    """Store the plan of a draft in place of an earlier one: waves, and one queued attempt for each device. `names`: (name,
    whether it needs an approval)."""
    db = raw(connection)
    db.execute("DELETE FROM attempt WHERE rollout = ?", (rollout,))
    db.execute("DELETE FROM wave WHERE rollout = ?", (rollout,))
    db.executemany(
        'INSERT INTO wave (rollout, "index", name, state, total, excused_reported, excused_failed, approval, late_joiners)'
        " VALUES (?, ?, ?, ?, ?, 0, 0, ?, FALSE)",
        [
            (rollout, index, name, WaveState.PENDING.value, len(waves[index]), approval)
            for index, (name, approval) in enumerate(names)
        ],
    )
    append(
        db,
        "attempt",
        (
            "id", "rollout", "device", "wave", "number", "state", "open", "latest", "staging", "not_before", "regressed",
            "reason", "detail", "updated_at", "bytes_done", "bytes_total",
        ),
        [
            (f"{rollout}:{device}:1", rollout, device, index, 1, "queued", True, True, False, 0.0, "", "", "", now, 0, 0)
            for index, wave in enumerate(waves)
            for device in wave
        ],
    )  # fmt: skip


def act(connection: Connection, rollout: int, action: RolloutAction, reason: str, now: float, by: str = "") -> None:
    """Apply an operator's action to a rollout; `by` is the name of a user.

    Raises:
        NotFoundError: there is no such rollout.
        ConflictError: its state does not allow the action.
    """
    state = RolloutState(_row(connection, rollout)["state"])
    following = next_state(rollout, state, action)
    values: Record = {"state": following.value, "state_reason": reason, "changed_at": now}
    if following is RolloutState.RUNNING and action in (RolloutAction.START, RolloutAction.APPROVE):
        values["started_at"] = now
    if action is RolloutAction.APPROVE:
        values["approved_by"] = by
    if following is RolloutState.ABORTED:
        values["finished_at"] = now
    if following is RolloutState.ROLLING_BACK:
        values["finished_at"] = None
    connection.execute(update(RolloutRecord).where(col(RolloutRecord.id) == rollout).values(values))
    if action is RolloutAction.RESUME:
        _excuse(connection, rollout, now)
    if following is RolloutState.ABORTED:
        _cancel_draft(connection, rollout, now)
    text = timeline.sentence(
        following, reason or (f"by {by or 'the operator'}" if action not in (RolloutAction.START, RolloutAction.SUBMIT) else "")
    )
    timeline.add(raw(connection), rollout, now, "resumed" if action is RolloutAction.RESUME else following.value, text)


def pause_those_of(connection: Connection, paths: Container[str], now: float) -> list[int]:
    """Pause running rollouts that have a package among `paths` (`name/version`), all of which were withdrawn; returns them."""
    running = connection.execute(select(col(RolloutRecord.id)).where(col(RolloutRecord.state) == RolloutState.RUNNING.value))
    paused = []
    for rollout in [one for one in running.scalars() if one is not None]:
        parts = bundle_parts.named(raw(connection), rollout)
        if refused := [
            f"{part['package']}@{part['version']}" for part in parts if f"{part['package']}/{part['version']}" in paths
        ]:
            act(connection, rollout, RolloutAction.PAUSE, f"{', '.join(refused)} was withdrawn", now)
            paused.append(rollout)
    return paused


FiguresOf = Callable[[Record], RolloutFigures]
"""The figures of a rollout; its record has columns and waves."""


def of_groups(connection: Connection, groups: Collection[str], rollout: int | None = None) -> frozenset[int]:
    """The rollouts that select devices of these groups only: those for one of them, and those that are cut to them. `rollout`:
    only if it is this one."""
    statement = select(col(RolloutRecord.id), col(RolloutRecord.selector))
    if rollout is not None:
        statement = statement.where(col(RolloutRecord.id) == rollout)
    return frozenset(number for number, selector in connection.execute(statement) if number and _is_of(selector, groups))


def _is_of(selector: Record, groups: Collection[str]) -> bool:
    within = selector.get("within") or []
    return (bool(within) and all(name in groups for name in within)) or selector.get("group") in groups


def page(
    connection: Connection,
    states: Sequence[str],
    key: str | None,
    offset: int,
    limit: int,
    figures_of: FiguresOf,
    groups: Collection[str] | None = None,
) -> tuple[list[Record], int]:
    """One page of rollouts, newest first, and the total number. states: only in these; none = in any. key: only the one that was
    created with it. groups: only those of these groups (`of_groups`)."""
    conditions: list[ColumnElement[bool]] = [col(RolloutRecord.state).in_(states)] if states else []
    if key is not None:
        conditions.append(col(RolloutRecord.id) == creation_keys.find(connection, key))
    if groups is not None:
        numbers = [str(number) for number in of_groups(connection, groups)]
        conditions.append(is_among(cast(col(RolloutRecord.id), String), numbers))
    total = connection.execute(select(func.count()).select_from(RolloutRecord).where(*conditions)).scalar_one()
    ids = connection.execute(
        select(col(RolloutRecord.id)).where(*conditions).order_by(col(RolloutRecord.id).desc()).offset(offset).limit(limit)
    ).scalars()
    return [get(connection, rollout, figures_of) for rollout in ids if rollout is not None], int(total)


def current_figures(connection: Connection, now: float) -> FiguresOf:
    """Figures that are counted when they are asked for; `now` is wall time."""
    return lambda record: figures.read(
        connection,
        record["id"],
        stored_terms.gate(record["gate"]),
        now,
        running=record["state"] == RolloutState.RUNNING.value,
    )


def get(connection: Connection, rollout: int, figures_of: FiguresOf) -> Record:
    """One rollout with its waves and gates.

    Raises:
        NotFoundError: there is no such rollout.
    """
    record = _row(connection, rollout)
    gate = stored_terms.gate(record["gate"])
    rows = connection.execute(
        select(*columns_of(WaveRecord)).where(col(WaveRecord.rollout) == rollout).order_by(col(WaveRecord.index))
    ).mappings()
    waves = [dict(row) for row in rows]
    record["waves"] = waves
    found = figures_of(record)
    record["parts"] = bundle_parts.named(raw(connection), rollout)
    record["total"] = sum(wave["total"] for wave in waves)
    by_labels = [bool(plan.get("labels")) for plan in record["plans"]] + [False] * len(waves)
    record["waves"] = [
        _wave({**wave, "rollout_state": record["state"], "by_labels": each}, found, gate)
        for wave, each in zip(waves, by_labels, strict=False)
    ]
    record["counts"] = {state.value: n for state, n in sum(found.counts.values(), Counter[AttemptState]()).items()}
    outcomes = sum(found.outcomes.values(), Counter[Outcome]())
    record["outcomes"], record["results"] = _outcomes(outcomes), sentence(outcomes, _accepted(waves))
    running = record["state"] == RolloutState.RUNNING.value
    record["sequential_test"] = _sequential_test(gate, waves, found) if running else None
    return record


def check_exists(connection: Connection, rollout: int) -> None:
    """Check that a rollout exists.

    Raises:
        NotFoundError: there is no such rollout.
    """
    _row(connection, rollout)


def count_active(connection: Connection, groups: Collection[str] | None = None) -> int:
    """Number of rollouts that are neither drafts nor over. groups: only of those of these groups (`of_groups`)."""
    active = ("awaiting_approval", "running", "paused", "aborting", "rolling_back")
    if groups is not None:
        rows = connection.execute(select(col(RolloutRecord.selector)).where(col(RolloutRecord.state).in_(active)))
        return sum(_is_of(selector, groups) for (selector,) in rows)
    statement = select(func.count()).select_from(RolloutRecord).where(col(RolloutRecord.state).in_(active))
    return int(connection.execute(statement).scalar_one())


def draft(connection: Connection, rollout: int) -> Record:
    """The input of planning when a draft is started: package digest, slot, selector, plans, state."""
    return _row(connection, rollout)


def story(connection: Connection, rollout: int) -> list[Record]:
    """The newest `TIMELINE_MAX` rows of the timeline, oldest first.

    Raises:
        NotFoundError: there is no such rollout.
    """
    _row(connection, rollout)
    columns = [col(getattr(TimelineRecord, name)) for name in ("at", "kind", "text", "wave", "device")]
    rows = connection.execute(
        select(*columns).where(col(TimelineRecord.rollout) == rollout).order_by(col(TimelineRecord.id).desc()).limit(TIMELINE_MAX)
    ).mappings()
    return [dict(row) for row in rows][::-1]


# -- parts


def _row(connection: Connection, rollout: int) -> Record:
    names = (
        "id",
        "name",
        "slot",
        "state",
        "state_reason",
        "created_at",
        "started_at",
        "finished_at",
        "selector",
        "gate",
        "plans",
        "policy",
        "terms",
        "priority",
        "created_by",
        "approved_by",
    )
    columns: list[Any] = [col(getattr(RolloutRecord, name)) for name in (*names, "wave_timeout_s")]
    package: tuple[Any, ...] = (col(Package.name).label("package"), col(Package.version), col(Package.digest))
    found = connection.execute(
        select(*columns, *package)
        .join(Package, col(Package.digest) == col(RolloutRecord.package))
        .where(col(RolloutRecord.id) == rollout)
    ).mappings()
    row = found.one_or_none()
    if row is None:
        raise NotFoundError(UNKNOWN.format(rollout))
    return {**row, "policy": WITHOUT_SHADOW | row["policy"]}


def _soak_end(row: Record, gate: RolloutGate) -> float | None:
    soaks = row["state"] == WaveState.SOAKING.value and row["soaking_at"] is not None
    return float(row["soaking_at"]) + gate.soak_s if soaks else None


def _wave(row: Record, found: RolloutFigures, gate: RolloutGate) -> Record:
    number = row["index"]
    counts, outcomes = found.counts.get(number, Counter[AttemptState]()), found.outcomes.get(number, Counter[Outcome]())
    seen = tally(
        outcomes,
        unreachable=found.unreachable.get(number, 0),
        excused_reported=row["excused_reported"],
        excused_failed=row["excused_failed"],
    )
    stopped = row["state"] == WaveState.FAILED.value and row["rollout_state"] == RolloutState.PAUSED.value
    passed = row["state"] == WaveState.PASSED.value
    judgement = judge(gate, seen, ended="passed" if passed else "stopped" if stopped else "")
    text = judgement.text if row["started_at"] is not None else "not started"
    if not row["total"]:
        text = empty_text(by_labels=row["by_labels"])
    return {
        **{
            name: row[name]
            for name in ("index", "name", "state", "total", "started_at", "finished_at", "approval", "approved_by")
        },
        "late_joiners": row["late_joiners"],
        "soak_ends_at": _soak_end(row, gate),
        "counts": {state.value: n for state, n in counts.items() if n},
        "outcomes": _outcomes(outcomes),
        "committed": counts[AttemptState.COMMITTED],
        "failed": seen.failed,
        "reported": seen.reported,
        "gate": {
            "failed": judgement.failed,
            "reported": judgement.reported,
            "reported_min": judgement.reported_min,
            "error_percent": judgement.error_percent,
            "error_percent_max": gate.error_percent_max,
            "verdict": judgement.verdict.value,
            "text": text,
            "following": judgement.following,
            "comparison": found.compared.get(number, ComparedDevices()).text(gate.regressions),
        },
    }


def _outcomes(counts: Mapping[Outcome, int]) -> dict[str, int]:
    return {each.value: counts.get(each, 0) for each in Outcome}


def _accepted(waves: Sequence[Record]) -> CountedResults:
    """The results that an operator accepted at the last resume."""
    return CountedResults(sum(wave["excused_failed"] for wave in waves), sum(wave["excused_reported"] for wave in waves))


def _sequential_test(gate: RolloutGate, waves: Sequence[Record], figures: RolloutFigures) -> Record | None:
    if figures.tested is None:
        return None
    seen = Evidence(
        figures.tested.waves,
        sum(wave["total"] for wave in waves if not wave["late_joiners"]),
        figures.tested.in_progress,
        sum(n for counts in figures.outcomes.values() for ended, n in counts.items() if ended in REPORTED - {Outcome.FAILED}),
        _accepted(waves),
    )
    found = sequential_strength(gate, seen)
    if found is None:
        return None
    strongest = found.finding
    return {
        **{name: getattr(strongest, name) for name in ("profile", "failed", "tried")},
        "e_value": round(strongest.e_value, 3),
        "e_value_needed": round(found.e_value_needed, 1),
        "failures_to_stop": found.failures_to_stop,
        "tolerated_percent": gate.tolerated,
        "confidence_percent": gate.confidence_percent,
        "accepted": seen.accepted.reported,
        "accepted_failed": seen.accepted.failed,
        "step": step(gate, seen, first=all(wave["finished_at"] is None for wave in waves)),
    }


def _excuse(connection: Connection, rollout: int, now: float) -> None:
    """On resume: exclude the failures so far from the gates, and restart the time limit of a failed wave."""
    for wave, counts in figures.by_state(connection, rollout)[1].items():
        connection.execute(
            update(WaveRecord)
            .where(col(WaveRecord.rollout) == rollout, col(WaveRecord.index) == wave)
            .values(
                excused_reported=sum(n for ended, n in counts.items() if ended in REPORTED),
                excused_failed=counts[Outcome.FAILED],
            )
        )
    connection.execute(
        update(WaveRecord)
        .where(col(WaveRecord.rollout) == rollout, col(WaveRecord.state) == WaveState.FAILED.value)
        .values(state=WaveState.RUNNING.value, started_at=now, finished_at=None)
    )


def _cancel_draft(connection: Connection, rollout: int, now: float) -> None:
    connection.execute(
        update(AttemptRecord)
        .where(col(AttemptRecord.rollout) == rollout, col(AttemptRecord.open).is_(True))
        .values(state=AttemptState.CANCELLED.value, open=False, updated_at=now, finished_at=now)
    )
    connection.execute(update(WaveRecord).where(col(WaveRecord.rollout) == rollout).values(state=WaveState.SKIPPED.value))
