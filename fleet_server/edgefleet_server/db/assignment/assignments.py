"""Assignments of packages to slots, and the desired documents built from them. Used inside the engine's transactions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.wire.messages import Desired
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.rollout.desired import Assignment, TrialTerms, next_desired


@dataclass(frozen=True, slots=True)
class AssignmentOrder:
    """A package for a slot. `hold`: the device waits for its wave before it switches; `atomic`: it switches all slots of the
    attempt, or none."""

    package: str
    attempt: str
    rollout: int
    trial: TrialTerms
    hold: bool = False
    atomic: bool = False


def assign(db: Driver, device: str, slot: str, order: AssignmentOrder, now: float) -> None:
    """Point a slot of a device at a package."""
    db.execute(
        "INSERT INTO assignment (device, slot, package, attempt, rollout, trial_s, trial_frames_min, shadow_s,"
        " shadow_agreement_percent_min, assigned_at, hold, atomic) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (device, slot) DO UPDATE SET package = excluded.package, attempt = excluded.attempt,"
        " rollout = excluded.rollout, trial_s = excluded.trial_s, trial_frames_min = excluded.trial_frames_min,"
        " shadow_s = excluded.shadow_s, shadow_agreement_percent_min = excluded.shadow_agreement_percent_min,"
        " hold = excluded.hold, atomic = excluded.atomic, assigned_at = CASE assignment.package WHEN excluded.package"
        " THEN assignment.assigned_at ELSE excluded.assigned_at END",
        (device, slot, order.package, order.attempt, order.rollout, *astuple(order.trial), now, order.hold, order.atomic),
    )


def belongs(db: Driver, device: str, slot: str, rollout: int) -> bool:
    """Whether a slot of a device is assigned to this rollout."""
    row = db.execute("SELECT rollout FROM assignment WHERE device = ? AND slot = ?", (device, slot)).fetchone()
    return row is not None and int(row[0]) == rollout


def unassign(db: Driver, device: str, slot: str) -> None:
    """Remove the assignment of a slot."""
    db.execute("DELETE FROM assignment WHERE device = ? AND slot = ?", (device, slot))


def previous_package(db: Driver, device: str, slot: str, digest: str) -> str | None:
    """The package that a slot returns to if `digest` is withdrawn: the one it runs, else the one it was assigned. None if the
    registry does not have it, because the device may have to fetch it again."""
    row = db.execute(
        "SELECT p.digest FROM package p WHERE p.digest != :digest AND p.digest IN ("
        " SELECT running_digest FROM device_slot WHERE device = :device AND slot = :slot AND phase != 'trial'"
        " UNION ALL SELECT package FROM assignment WHERE device = :device AND slot = :slot) ORDER BY p.digest = ("
        " SELECT running_digest FROM device_slot WHERE device = :device AND slot = :slot) DESC LIMIT 1",
        {"device": device, "slot": slot, "digest": digest},
    ).fetchone()
    return None if row is None else str(row[0])


def refresh(db: Driver, devices: Iterable[str]) -> None:
    """Create the next desired document of each device whose assignments changed."""
    for device in devices:
        row = db.execute(
            "SELECT d.document, l.generation FROM device_last l LEFT JOIN desired d ON d.device = l.device WHERE l.device = ?",
            (device,),
        ).fetchone()
        current = decode(row[0].encode(), Desired) if row[0] is not None else None
        following = next_desired(device, current, _assignments(db, device), generation_seen=row[1])
        if following is not None:
            db.execute(
                "INSERT INTO desired (device, generation, document, published) VALUES (?, ?, ?, 0)"
                " ON CONFLICT (device) DO UPDATE SET generation = excluded.generation, document = excluded.document",
                (device, following.generation, encode(following).decode()),
            )


def devices_ahead(db: Driver, limit: int) -> list[str]:
    """Devices that have seen a generation above the stored one: the database was restored from an older copy."""
    rows = db.execute(
        "SELECT d.device FROM desired d JOIN device_last l ON l.device = d.device WHERE l.generation > d.generation LIMIT ?",
        (limit,),
    )
    return [row[0] for row in rows]


def unpublished(db: Driver, limit: int) -> list[tuple[str, int, str]]:
    """(device, generation, document) that the broker has not confirmed."""
    rows = db.execute("SELECT device, generation, document FROM desired WHERE published < generation LIMIT ?", (limit,))
    return [(row[0], row[1], row[2]) for row in rows]


def documents(db: Driver, devices: Iterable[str]) -> list[tuple[str, int, str]]:
    """(device, generation, document) of these devices."""
    found = []
    for device in devices:
        row = db.execute("SELECT generation, document FROM desired WHERE device = ?", (device,)).fetchone()
        if row is not None:
            found.append((device, int(row[0]), str(row[1])))
    return found


def confirm(db: Driver, published: Iterable[tuple[str, int]]) -> None:
    """Record that the broker has confirmed these (device, generation)."""
    db.executemany(
        "UPDATE desired SET published = ? WHERE device = ? AND published < ?",
        [(generation, device, generation) for device, generation in published],
    )


def _assignments(db: Driver, device: str) -> dict[str, Assignment]:
    rows = db.execute(
        "SELECT a.slot, p.name, p.version, p.digest, p.descriptor_bytes, a.attempt, a.rollout, a.hold, a.atomic, a.trial_s,"
        " a.trial_frames_min, a.shadow_s, a.shadow_agreement_percent_min FROM assignment a JOIN package p ON p.digest = a.package"
        " WHERE a.device = ?",
        (device,),
    )
    return {slot: _assignment(*rest) for slot, *rest in rows}


def _assignment(
    package: str, version: str, digest: str, length: int, attempt: str, rollout: int, hold: bool, atomic: bool, *trial: Any
) -> Assignment:
    return Assignment(package, version, digest, length, attempt, rollout, TrialTerms(*trial), hold, atomic)
