"""Reads attempts one by one, each with the state of its device, slot, assignment and pin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_server.db.assignment import pins
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.db.rollouts import terms as stored_terms
from edgefleet_server.domain.maintenance_windows import ZONE_LABEL, opens_in_s
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, SlotFact
from edgefleet_server.domain.states import AttemptState, RolloutState
from edgefleet_server.domain.terms import Terms


@dataclass(frozen=True, slots=True)
class AttemptFilter:
    """Selects the attempts to read one by one: an SQL condition over `FROM_ATTEMPTS`, with its values."""

    text: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LoadContext:
    """Values that are the same for every device of a rollout. `excluded`: by device, the time until which it is excluded."""

    slot: str
    state: RolloutState
    terms: Terms
    excluded: dict[str, float]
    now: float


class AttemptRow(NamedTuple):
    """An attempt. `assigned_*`: the assignment of the slot; `slot_*`: the slot as the device reported it; `pinned_*`: its pin."""

    id: str
    device: str
    wave: int
    state: str
    reason: str
    detail: str
    offered_at: float
    finished_at: float
    previous: str | None
    number: int
    not_before: float
    staging: bool
    regressed: str
    profile: str
    timezone: str | None
    presence: str
    presence_at: float
    generation_reported: int
    generation_desired: int
    slot_phase: str | None
    slot_running_digest: str
    slot_target_digest: str
    slot_attempt: str
    slot_reason: str
    slot_detail: str
    assigned_attempt: str
    assigned_rollout: int
    assigned_rollout_priority: int | None
    assigned_rollout_state: str | None
    pinned_package: str | None
    pinned_version: str
    pin_reason: str


_EXPRESSIONS: Final = {
    "id": "a.id",
    "device": "a.device",
    "wave": "a.wave",
    "state": "a.state",
    "reason": "a.reason",
    "detail": "a.detail",
    "offered_at": "coalesce(a.offered_at, 0)",
    "finished_at": "coalesce(a.finished_at, 0)",
    "previous": "a.previous",
    "number": "a.number",
    "not_before": "a.not_before",
    "staging": "a.staging",
    "regressed": "a.regressed",
    "profile": "v.profile",
    "timezone": "json_extract(v.labels, '$.timezone')",
    "presence": "l.presence",
    "presence_at": "l.presence_at",
    "generation_reported": "l.generation",
    "generation_desired": "coalesce(d.generation, 0)",
    "slot_phase": "s.phase",
    "slot_running_digest": "s.running_digest",
    "slot_target_digest": "s.target_digest",
    "slot_attempt": "s.attempt",
    "slot_reason": "s.reason",
    "slot_detail": "s.detail",
    "assigned_attempt": "coalesce(g.attempt, '')",
    "assigned_rollout": "coalesce(g.rollout, 0)",
    "assigned_rollout_priority": "gr.priority",
    "assigned_rollout_state": "gr.state",
    "pinned_package": "p.name",
    "pinned_version": "p.version",
    "pin_reason": "n.reason",
}
"""The SQL expression of each field of `AttemptRow`."""
FROM_ATTEMPTS: Final = (
    "FROM attempt a JOIN device_last l ON l.device = a.device LEFT JOIN device_slot s ON s.device = a.device AND s.slot = ?"
)
"""The tables of an `AttemptFilter`; the value is the slot."""
_SELECT: Final = (
    f"SELECT {', '.join(_EXPRESSIONS[name] for name in AttemptRow._fields)} {FROM_ATTEMPTS}"
    " JOIN device v ON v.id = a.device"
    " LEFT JOIN assignment g ON g.device = a.device AND g.slot = ? LEFT JOIN desired d ON d.device = a.device"
    " LEFT JOIN rollout gr ON gr.id = g.rollout LEFT JOIN pin n ON n.device = a.device AND n.slot = ?"
    " LEFT JOIN package p ON p.digest = n.package WHERE a.rollout = ?"
)


def read_attempts(
    db: Driver, rollout: int, chosen: AttemptFilter, context: LoadContext
) -> tuple[dict[str, Attempt], dict[str, DeviceFact]]:
    """The chosen attempts of a rollout by id, and the facts about their devices by device."""
    rows = db.execute(f"{_SELECT} AND {chosen.text}", (context.slot, context.slot, context.slot, rollout, *chosen.values))
    attempts: dict[str, Attempt] = {}
    facts: dict[str, DeviceFact] = {}
    for values in rows:
        row = AttemptRow._make(values)
        attempts[row.id] = _attempt(row)
        facts[row.device] = _fact(row, rollout, context)
    return attempts, facts


def _attempt(row: AttemptRow) -> Attempt:
    try_before = f"{row.id.rpartition(':')[0]}:{row.number - 1}"
    return Attempt(
        id=row.id,
        device=row.device,
        wave=row.wave,
        state=AttemptState(row.state),
        reason=row.reason,
        detail=row.detail,
        offered_at=row.offered_at,
        finished_at=row.finished_at,
        held=row.assigned_attempt in (row.id, try_before),
        profile=row.profile,
        has_previous=row.previous is not None,
        number=row.number,
        not_before=row.not_before,
        staging=bool(row.staging),
    )


def _fact(row: AttemptRow, rollout: int, context: LoadContext) -> DeviceFact:
    return DeviceFact(
        offline_since_at=None if row.presence == "online" else row.presence_at,
        slot=_slot_fact(row),
        answered=row.generation_desired > 0 and row.generation_reported >= row.generation_desired,
        newer_rollout=_is_taken_by_newer(row, rollout, context),
        higher_priority_rollout=_higher_priority_rollout(row, rollout, context),
        window_opens_at=_window_opens_at(row, context),
        window_time=_window_time(row, context),
        excluded_until=context.excluded.get(row.device, 0.0),
        pinned=pins.sentence(row.pinned_package, row.pinned_version, row.pin_reason) if row.pinned_package is not None else "",
        regressed=row.regressed,
    )


def _slot_fact(row: AttemptRow) -> SlotFact | None:
    """The device's report of the slot; None if it has reported none."""
    if row.slot_phase is None:
        return None
    return SlotFact(
        phase=SlotPhase(row.slot_phase),
        running_digest=row.slot_running_digest,
        target_digest=row.slot_target_digest,
        attempt=row.slot_attempt,
        reason=row.slot_reason,
        detail=row.slot_detail,
    )


def _is_taken_by_newer(row: AttemptRow, rollout: int, context: LoadContext) -> bool:
    """Whether the slot is assigned to a newer rollout that has precedence over this one."""
    priority = row.assigned_rollout_priority
    has_priority = context.state is RolloutState.COMPLETED or priority is None or priority >= context.terms.priority
    return row.assigned_rollout > rollout and has_priority


def _higher_priority_rollout(row: AttemptRow, rollout: int, context: LoadContext) -> int:
    """The active rollout with a higher priority that the slot is assigned to; 0 if there is none."""
    priority, other = row.assigned_rollout_priority, row.assigned_rollout
    is_higher = priority is not None and priority > context.terms.priority
    is_active = row.assigned_rollout_state in ("running", "paused")
    return other if is_higher and is_active and other != rollout else 0


def _window_opens_at(row: AttemptRow, context: LoadContext) -> float:
    """Wall time at which the maintenance window of a device that has not switched yet opens next; 0 if it needs none."""
    may_wait = row.state == AttemptState.QUEUED.value or row.staging
    window = context.terms.window
    if window is None or not may_wait:
        return 0.0
    zone = stored_terms.place(row.timezone or "", window.zone)
    return context.now + opens_in_s(window, context.now, zone)


def _window_time(row: AttemptRow, context: LoadContext) -> str:
    """Whose time the maintenance window has for a device: its own, or that of the rollout."""
    label, window = row.timezone or "", context.terms.window
    if window is None or stored_terms.zone_of(label) is not None:
        return "local time of the device"
    unknown = f"; its label {ZONE_LABEL}={label} is no time zone" if label else ""
    return f"time zone {window.zone}{unknown}"
