"""Pins: slots of devices that rollouts do not change."""

from __future__ import annotations

from typing import Any, Final

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.rollout.desired import TrialTerms

TRIAL: Final = TrialTerms(20.0, 10)
"""Trial of a pinned version that the device does not run yet."""


def add(db: Driver, device: str, slot: str, package: str, reason: str, by: str, now: float) -> None:
    """Pin a slot to a package (its digest; empty = the one it runs now). If the slot does not run it, it is assigned.

    Raises:
        ConflictError: `package` is empty and the slot runs no package of the registry.
    """
    running = db.execute(
        "SELECT p.digest FROM device_slot s JOIN package p ON p.digest = s.running_digest WHERE s.device = ? AND s.slot = ?",
        (device, slot),
    ).fetchone()
    if not package and running is None:
        raise ConflictError(f"slot {slot!r} of {device!r} runs no version of the registry; specify NAME@VERSION")
    digest = package or running[0]
    db.execute(
        "INSERT INTO pin (device, slot, package, reason, pinned_by, pinned_at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (device, slot) DO UPDATE SET package = excluded.package, reason = excluded.reason,"
        " pinned_by = excluded.pinned_by, pinned_at = excluded.pinned_at",
        (device, slot, digest, reason, by, now),
    )
    if running is None or running[0] != digest:
        assignments.assign(db, device, slot, assignments.AssignmentOrder(digest, f"pin:{device}:{int(now)}", 0, TRIAL), now)
        assignments.refresh(db, [device])


def remove(db: Driver, device: str, slot: str) -> None:
    """Remove the pin of a slot.

    Raises:
        NotFoundError: it is not pinned.
    """
    if db.execute("DELETE FROM pin WHERE device = ? AND slot = ?", (device, slot)).rowcount == 0:
        raise NotFoundError(f"slot {slot!r} of {device!r} is not pinned; `edgefleet device show {device}` shows its pins")


def of_device(db: Driver, device: str) -> list[dict[str, Any]]:
    """The pins of one device."""
    rows = db.execute(
        "SELECT n.slot, p.name, p.version, n.reason, n.pinned_by, n.pinned_at FROM pin n JOIN package p ON p.digest = n.package"
        " WHERE n.device = ? ORDER BY n.slot",
        (device,),
    )
    names = ("slot", "package", "version", "reason", "pinned_by", "pinned_at")
    return [dict(zip(names, row, strict=True)) for row in rows]


def sentence(package: str, version: str, reason: str) -> str:
    """The sentence that a rollout shows for a pinned device."""
    return f"pinned to {package} {version}" + (f": {reason}" if reason else "")
