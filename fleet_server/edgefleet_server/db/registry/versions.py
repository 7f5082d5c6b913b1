"""Retention of versions: finds the versions that have to stay, retires others, deletes unused blobs.

A retired version keeps its row, for the history of rollouts; its files are deleted. A push restores it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, exists, func, select, update
from sqlmodel import col

from edgefleet_server.db.tables.core import AssignmentRecord, Blob, DeviceSlot, Package, PackageBlob, PinRecord
from edgefleet_server.db.tables.experiments import ExperimentArm, ExperimentRecord
from edgefleet_server.db.tables.registry import ChannelRecord
from edgefleet_server.db.tables.rollouts import AttemptPart, AttemptRecord, RolloutPart, RolloutRecord
from edgefleet_server.domain.policy.version_retention import Version

OVER: Final = ("completed", "aborted", "rolled_back")
"""States of rollouts that need no package any more."""
QUARANTINES: Final = ("rolled_back", "rollback_failed", "regressed")
"""Final states of attempts after which a device refuses the version; an operator may want to inspect it."""
CLAIM_S: Final = 600.0
"""Time for which a blob without a package is protected: it may belong to an upload in progress."""
CHUNK: Final = 50


def present(connection: Connection, model: str | None = None) -> list[Version]:
    """Every version that is not retired, or those of one model."""
    statement = select(
        col(Package.name), col(Package.version), col(Package.digest), col(Package.created_at), col(Package.length_bytes)
    ).where(col(Package.retired_at).is_(None))
    if model is not None:
        statement = statement.where(col(Package.name) == model)
    return [Version(*row) for row in connection.execute(statement)]


def needed(connection: Connection) -> dict[str, str]:
    """Digest → the reason why it has to stay, as text; the first one if there are several."""
    found: dict[str, str] = {}
    active = col(RolloutRecord.state).not_in(OVER)
    of_active = select(col(RolloutRecord.id)).where(active)
    tried = select(col(AttemptRecord.id)).where(col(AttemptRecord.rollout).in_(of_active))
    compared = select(col(ExperimentRecord.id)).where(col(ExperimentRecord.state) == "running")
    sources: list[tuple[Any, list[ColumnElement[bool]], str]] = [
        (col(ChannelRecord.package), [], "a channel points to it"),
        (col(DeviceSlot.running_digest), [col(DeviceSlot.running_digest) != ""], "{} devices run it"),
        (col(AssignmentRecord.package), [], "{} devices are assigned to it"),
        (col(DeviceSlot.target_digest), [col(DeviceSlot.target_digest) != ""], "{} devices are updating to it"),
        (col(PinRecord.package), [], "{} devices are pinned to it"),
        (col(RolloutRecord.package), [active], "a rollout of it is active"),
        (col(RolloutPart.package), [col(RolloutPart.rollout).in_(of_active)], "a rollout of it is active"),
        (col(ExperimentArm.package), [col(ExperimentArm.experiment).in_(compared)], "an experiment uses it"),
        (col(AttemptPart.previous), [col(AttemptPart.attempt).in_(tried)], "an active rollout may roll back to it"),
        (
            col(AttemptRecord.previous),
            [col(AttemptRecord.rollout).in_(of_active)],
            "an active rollout may roll back to it",
        ),
    ]
    for column, conditions, words in sources:
        rows = connection.execute(select(column, func.count()).where(column.is_not(None), *conditions).group_by(column))
        for digest, count in rows:
            found.setdefault(digest, words.format(count))
    quarantined = (
        select(col(RolloutRecord.package), func.count())
        .join(AttemptRecord, col(AttemptRecord.rollout) == col(RolloutRecord.id))
        .where(col(AttemptRecord.state).in_(QUARANTINES), col(AttemptRecord.latest).is_(True))
        .group_by(col(RolloutRecord.package))
    )
    for digest, count in connection.execute(quarantined):
        found.setdefault(digest, f"{count} devices have it in quarantine")
    return found


def retire(connection: Connection, digests: list[str], now: float) -> None:
    """Retire versions; their rows stay."""
    for start in range(0, len(digests), CHUNK):
        part = digests[start : start + CHUNK]
        connection.execute(update(Package).where(col(Package.digest).in_(part)).values(retired_at=now))
        connection.execute(delete(PackageBlob).where(col(PackageBlob.package).in_(part)))


def collect(connection: Connection, drop: Callable[[str], None], now: float) -> tuple[int, int]:
    """Delete a bounded number of blobs that no version needs and no upload claims; returns (number, bytes). `drop` deletes one
    inside the transaction, so that an upload can claim it only before or after, never in between."""
    used = exists().where(col(PackageBlob.sha256) == col(Blob.sha256))
    unused = select(col(Blob.sha256), col(Blob.length)).where(~used, col(Blob.created_at) < now - CLAIM_S).limit(CHUNK)
    rows = list(connection.execute(unused))
    for sha256, _ in rows:
        drop(sha256)
    connection.execute(delete(Blob).where(col(Blob.sha256).in_([sha256 for sha256, _ in rows])))
    return len(rows), sum(length for _, length in rows)
