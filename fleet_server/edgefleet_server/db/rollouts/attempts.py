"""Queries about attempts: every try of every device, with the reason why it is not done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, bindparam, func, select
from sqlmodel import col

from edgefleet_server.db.backend.driver import is_among
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import bundle_parts
from edgefleet_server.db.tables.core import DeviceLast, DeviceSlot, columns_of
from edgefleet_server.db.tables.rollouts import AttemptRecord, RolloutRecord, WaveRecord
from edgefleet_server.domain.outcomes import outcome
from edgefleet_server.domain.reasons import against
from edgefleet_server.domain.rollout import explain
from edgefleet_server.domain.states import OPEN, AttemptState, RolloutState

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AttemptFilter:
    """Filter of an attempt list; empty fields match all attempts."""

    rollout: int | None = None
    wave: int | None = None
    state: str = ""
    device: str = ""
    devices: tuple[str, ...] = ()


def attempts(connection: Connection, chosen: AttemptFilter, offset: int, limit: int, now: float) -> tuple[list[Record], int]:
    """One page of attempts, latest change first, and the total number."""
    conditions: list[ColumnElement[bool]] = []
    if chosen.rollout is not None:
        conditions.append(col(AttemptRecord.rollout) == chosen.rollout)
    if chosen.wave is not None:
        conditions.append(col(AttemptRecord.wave) == chosen.wave)
    if chosen.state:
        conditions.append(col(AttemptRecord.state) == chosen.state)
    if chosen.device:
        conditions.append(col(AttemptRecord.device) == chosen.device)
    if chosen.devices:
        conditions.append(is_among(col(AttemptRecord.device), chosen.devices))
    if not chosen.device:
        conditions.append(col(AttemptRecord.latest).is_(True))
    total = connection.execute(select(func.count()).select_from(AttemptRecord).where(*conditions)).scalar_one()
    ordered = _attempt_rows().where(*conditions).order_by(col(AttemptRecord.updated_at).desc(), col(AttemptRecord.id))
    rows = connection.execute(ordered.offset(offset).limit(limit)).mappings()
    found = [_attempt(row, now) for row in rows]
    _add_parts(connection, found)
    return found, int(total)


def attempts_of(connection: Connection, device: str, limit: int, now: float) -> list[Record]:
    """Attempts of one device, newest rollout first."""
    rows = connection.execute(_rows_of_device(), {"device": device, "limit": limit}).mappings()
    found = [_attempt(row, now) for row in rows]
    _add_parts(connection, found)
    return found


def _add_parts(connection: Connection, records: Sequence[Record]) -> None:
    """Add the stage of each part to attempts of bundles, and the missing parts to their sentence."""
    by_rollout: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        record["parts"] = {}
        by_rollout[record["rollout"]].append(record)
    for rollout, mine in by_rollout.items():
        db = raw(connection)
        reported = bundle_parts.phases(db, rollout, [record["device"] for record in mine])
        parts = bundle_parts.named(db, rollout) if reported else []
        for record in mine:
            phases = {part["slot"]: _part_phase(part, reported[record["device"]].get(part["slot"])) for part in parts}
            record["parts"] = phases
            if phases and AttemptState(record["state"]) in OPEN:
                record["explanation"] = explain.with_parts(record["explanation"], phases)


def _part_phase(part: Record, reported: tuple[str, str] | None) -> str:
    if reported is None:
        return "absent"
    phase, running = reported
    return "other" if phase == "committed" and running != part["digest"] else phase


@cache
def _attempt_rows() -> Select[Any]:
    wave = (col(WaveRecord.rollout) == col(AttemptRecord.rollout)) & (col(WaveRecord.index) == col(AttemptRecord.wave))
    columns: list[Any] = [
        *columns_of(AttemptRecord),
        col(DeviceLast.presence),
        col(DeviceLast.last_seen_at),
        _of_its_slots(col(DeviceSlot.bytes_done)).label("slot_bytes_done"),
        _of_its_slots(col(DeviceSlot.bytes_total)).label("slot_bytes_total"),
        col(WaveRecord.name).label("wave_name"),
        col(WaveRecord.started_at).label("wave_started_at"),
        (col(WaveRecord.approval) & col(WaveRecord.approved_by).is_(None)).label("wave_asks"),
        col(RolloutRecord.state).label("rollout_state"),
    ]
    return (
        select(*columns)
        .join(DeviceLast, col(DeviceLast.device) == col(AttemptRecord.device))
        .join(WaveRecord, wave)
        .join(RolloutRecord, col(RolloutRecord.id) == col(AttemptRecord.rollout))
    )


@cache
def _rows_of_device() -> Select[Any]:
    newest_first = (
        _attempt_rows().where(col(AttemptRecord.device) == bindparam("device")).order_by(col(AttemptRecord.rollout).desc())
    )
    return newest_first.limit(bindparam("limit"))


def _of_its_slots(column: Any) -> Any:
    """The sum over the slots of an attempt."""
    same = (col(DeviceSlot.device) == col(AttemptRecord.device)) & (col(DeviceSlot.attempt) == col(AttemptRecord.id))
    return select(func.sum(column)).where(same).correlate(AttemptRecord).scalar_subquery()


def _attempt(row: RowMapping, now: float) -> Record:
    names = ("id", "rollout", "device", "wave", "number", "state", "reason", "detail", "offered_at", "updated_at", "finished_at")
    record = {name: row[name] for name in names}
    record["outcome"] = outcome(AttemptState(row["state"]), row["reason"]).value
    speaks_against = against(row["reason"])
    record["against"] = speaks_against.value if speaks_against else None
    record["bytes_done"] = row["slot_bytes_done"] if row["slot_bytes_done"] is not None else row["bytes_done"]
    record["bytes_total"] = row["slot_bytes_total"] if row["slot_bytes_total"] is not None else row["bytes_total"]
    record["online"] = row["presence"] == "online"
    case = explain.Case(
        state=AttemptState(row["state"]),
        reason=row["reason"],
        detail=row["detail"],
        online=record["online"],
        last_seen_at=row["last_seen_at"],
        since_at=row["updated_at"],
        bytes_done=record["bytes_done"],
        bytes_total=record["bytes_total"],
        wave_name=row["wave_name"],
        rollout_state=RolloutState(row["rollout_state"]),
        wave_started=row["wave_started_at"] is not None,
        wave_needs_approval=bool(row["wave_asks"]),
    )
    record["explanation"] = explain.why(case, now)
    return record
