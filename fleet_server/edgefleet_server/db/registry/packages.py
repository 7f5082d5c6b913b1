"""The registry's rows: packages and the blobs they need."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, String, cast, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.driver import is_among, upsert
from edgefleet_server.db.tables.core import Blob, DeviceSlot, Package, PackageBlob
from edgefleet_server.db.tables.rollouts import RolloutRecord

Record = dict[str, Any]

_COLUMNS = ("digest", "name", "version", "created_at", "descriptor_bytes", "length_bytes", "manifest", "files")


def add(connection: Connection, record: Record, blobs: dict[str, int]) -> bool:
    """Store a package (columns of the table) and its blobs (SHA-256 to length). False if it exists already.

    Raises:
        ConflictError: the version exists with other content.
    """
    known = connection.execute(
        select(col(Package.digest), col(Package.retired_at)).where(
            col(Package.name) == record["name"], col(Package.version) == record["version"]
        )
    ).one_or_none()
    if known is not None and known[0] != record["digest"]:
        raise ConflictError(
            f"{record['name']}@{record['version']} already exists with different content ({known[0][:12]}); increase `version`"
        )
    if known is not None and known[1] is None:
        return False
    claim(connection, blobs, record["created_at"])
    if known is None:
        connection.execute(insert(Package), record)
    else:
        back = {"retired_at": None, "created_at": record["created_at"]}
        connection.execute(update(Package).where(col(Package.digest) == record["digest"]).values(back))
    connection.execute(insert(PackageBlob), [{"package": record["digest"], "sha256": sha256} for sha256 in blobs])
    return True


def claim(connection: Connection, blobs: dict[str, int], now: float) -> None:
    """Protect blobs (SHA-256 to length) that an upload needs from collection for `versions.CLAIM_S`."""
    rows = [{"sha256": sha256, "length": length, "created_at": now} for sha256, length in blobs.items()]
    fresh = upsert(connection, Blob)
    connection.execute(
        fresh.on_conflict_do_update(index_elements=["sha256"], set_={"created_at": fresh.excluded.created_at}), rows
    )


def find(connection: Connection, name: str, version: str) -> Record:
    """One package.

    Raises:
        NotFoundError: there is no such package; the text lists the existing versions.
    """
    statement = _select().where(col(Package.name) == name, col(Package.version) == version, col(Package.retired_at).is_(None))
    found = connection.execute(statement).mappings().one_or_none()
    if found is None:
        known = list(
            connection.execute(
                select(col(Package.version)).where(col(Package.name) == name, col(Package.retired_at).is_(None))
            ).scalars()
        )
        hint = f"its versions are {', '.join(known)}" if known else "`edgefleet model list` lists the models"
        raise NotFoundError(f"no package {name}@{version}; {hint}")
    return dict(found)


def by_digest(connection: Connection, digest: str) -> Record:
    """The package with this digest, which has to exist; the package of a rollout always does."""
    return dict(connection.execute(_select().where(col(Package.digest) == digest)).mappings().one())


def list_all(connection: Connection) -> list[Record]:
    """All packages that are not retired."""
    ordered = _select().where(col(Package.retired_at).is_(None)).order_by(col(Package.name))
    return [dict(row) for row in connection.execute(ordered).mappings()]


def running_on(connection: Connection, among: Collection[str] | None = None) -> dict[str, int]:
    """By digest, the number of devices that run it. among: only these devices are counted."""
    count = func.count(func.distinct(col(DeviceSlot.device)))
    statement = select(col(DeviceSlot.running_digest), count).group_by(col(DeviceSlot.running_digest))
    rows = connection.execute(statement if among is None else statement.where(is_among(col(DeviceSlot.device), among)))
    return {row[0]: row[1] for row in rows}


def rollouts_of(connection: Connection, digest: str, numbers: Collection[int] | None = None) -> list[Record]:
    """Rollouts of a package, newest first. numbers: only these."""
    names = ("id", "name", "state", "created_at")
    columns = [col(getattr(RolloutRecord, name)) for name in names]
    statement = select(*columns).where(col(RolloutRecord.package) == digest).order_by(col(RolloutRecord.id).desc())
    if numbers is not None:
        statement = statement.where(is_among(cast(col(RolloutRecord.id), String), [str(number) for number in numbers]))
    return [dict(row) for row in connection.execute(statement.limit(50)).mappings()]


def blob_lengths(connection: Connection) -> dict[str, int]:
    """All blobs that a package needs or an upload claims, with their length in bytes."""
    return {row[0]: row[1] for row in connection.execute(select(col(Blob.sha256), col(Blob.length)))}


def known_digests(connection: Connection, digests: Iterable[str]) -> set[str]:
    """The subset of `digests` that is in the registry."""
    return set(connection.execute(select(col(Package.digest)).where(col(Package.digest).in_(list(digests)))).scalars())


def _select() -> Any:
    return select(*[col(getattr(Package, name)) for name in _COLUMNS])
