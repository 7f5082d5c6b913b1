"""The parts of a rollout beyond its first package, and the previous package of each of their slots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain.rollout.bundle import BundlePart


def add(db: Driver, rollout: int, parts: Sequence[BundlePart]) -> None:
    """Store the further parts of a new rollout, in order."""
    db.executemany(
        "INSERT INTO rollout_part (rollout, slot, package, position) VALUES (?, ?, ?, ?)",
        [(rollout, part.slot, part.digest, position) for position, part in enumerate(parts, 1)],
    )


def of_rollout(db: Driver, rollout: int, slot: str, digest: str) -> tuple[BundlePart, ...]:
    """All parts of a rollout; `slot` and `digest` are those of the first one."""
    rows = db.execute("SELECT slot, package FROM rollout_part WHERE rollout = ? ORDER BY position", (rollout,))
    return (BundlePart(slot, digest), *(BundlePart(row[0], row[1]) for row in rows))


def named(db: Driver, rollout: int) -> list[dict[str, Any]]:
    """All parts with the names of their packages, the first one first."""
    rows = db.execute(
        "SELECT x.slot, p.name, p.version, p.digest FROM"
        " (SELECT slot, package, 0 AS position FROM rollout WHERE id = ?"
        "  UNION ALL SELECT slot, package, position FROM rollout_part WHERE rollout = ?) x"
        " JOIN package p ON p.digest = x.package ORDER BY x.position",
        (rollout, rollout),
    )
    return [dict(zip(("slot", "package", "version", "digest"), row, strict=True)) for row in rows]


def set_previous(db: Driver, attempt: str, slot: str, previous: str | None) -> None:
    """Store the package that a further slot had before the offer (digest; None = none)."""
    db.execute(
        "INSERT INTO attempt_part (attempt, slot, previous) VALUES (?, ?, ?)"
        " ON CONFLICT (attempt, slot) DO UPDATE SET previous = excluded.previous",
        (attempt, slot, previous),
    )


def copy_previous(db: Driver, attempt: str, following: str) -> None:
    """Copy the previous packages of an attempt to the next try of the device, which returns to the same packages."""
    db.execute(
        "INSERT INTO attempt_part (attempt, slot, previous) SELECT ?, slot, previous FROM attempt_part WHERE attempt = ?",
        (following, attempt),
    )


def previous(db: Driver, attempt: str) -> dict[str, str | None]:
    """By further slot, its previous package."""
    rows = db.execute("SELECT slot, previous FROM attempt_part WHERE attempt = ?", (attempt,))
    return {row[0]: row[1] for row in rows}


def all_previous(db: Driver, rollout: int) -> dict[str, set[str]]:
    """By attempt, the further slots that have a previous package."""
    rows = db.execute(
        "SELECT x.attempt, x.slot FROM attempt_part x JOIN attempt a ON a.id = x.attempt"
        " WHERE a.rollout = ? AND x.previous IS NOT NULL",
        (rollout,),
    )
    found: dict[str, set[str]] = defaultdict(set)
    for attempt, slot in rows:
        found[attempt].add(slot)
    return found


def phases(db: Driver, rollout: int, devices: Sequence[str]) -> dict[str, dict[str, tuple[str, str]]]:
    """By device and slot of a bundle: (phase, digest that runs), as reported. Empty for a rollout of one package."""
    parts = named(db, rollout)
    if len(parts) < 2 or not devices:
        return {}
    marks = ", ".join("?" * len(devices))
    slots = ", ".join("?" * len(parts))
    rows = db.execute(
        f"SELECT device, slot, phase, running_digest FROM device_slot WHERE device IN ({marks}) AND slot IN ({slots})",  # noqa: S608 (marks)
        (*devices, *(part["slot"] for part in parts)),
    )
    found: dict[str, dict[str, tuple[str, str]]] = {device: {} for device in devices}
    for device, slot, phase, digest in rows:
        found[device][slot] = (phase, digest)
    return found
