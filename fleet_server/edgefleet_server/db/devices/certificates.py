"""Queries over all certificates."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select
from sqlmodel import col

from edgefleet_server.db.tables.core import DeviceLast
from edgefleet_server.db.tables.identities import BlockedDevice, DeviceCertificate

DUE_SHARE: Final = 2.0 / 3.0
"""Devices renew after this share of a certificate's validity."""


def ending(connection: Connection, now: float, limit: int) -> list[dict[str, Any]]:
    """The newest valid certificate of each device, ordered by expiry."""
    newest = _newest(now)
    one = DeviceCertificate
    statement = (
        select(col(one.device), col(one.serial), col(one.issued_at), col(one.expires_at), col(DeviceLast.presence))
        .join(newest, (newest.c.device == col(one.device)) & (newest.c.issued_at == col(one.issued_at)))
        .outerjoin(DeviceLast, col(DeviceLast.device) == col(one.device))
        .where(_counts(now))
        .order_by(col(one.expires_at), col(one.device))
        .limit(limit)
    )
    names = ("device", "serial", "issued_at", "expires_at", "online")
    rows = connection.execute(statement)
    return [dict(zip(names, (*row[:4], row[4] == "online"), strict=True)) for row in rows]


def counts(connection: Connection, now: float) -> dict[str, int]:
    """Number of devices with a certificate, of those of them with one in the last third of its validity, of certificates revoked
    before their expiry, and of blocked devices."""
    newest = _newest(now)
    one = DeviceCertificate
    late = col(one.issued_at) + DUE_SHARE * (col(one.expires_at) - col(one.issued_at)) <= now
    held = (
        select(func.count(), func.count().filter(late))
        .select_from(one)
        .join(newest, (newest.c.device == col(one.device)) & (newest.c.issued_at == col(one.issued_at)))
        .where(_counts(now))
    )
    total, due = connection.execute(held).one()
    revoked = select(func.count()).select_from(one).where(col(one.revoked_at).is_not(None), col(one.expires_at) > now)
    blocked = select(func.count()).select_from(BlockedDevice)
    return {
        "total": total,
        "due": due,
        "revoked": connection.execute(revoked).scalar_one(),
        "blocked": connection.execute(blocked).scalar_one(),
    }


class Holder(NamedTuple):
    """A device with a certificate. renewed: it has reported that it trusts the authority in question; last_seen_at: wall time,
    0 = never."""

    device: str
    renewed: bool
    last_seen_at: float
    online: bool


def holders(connection: Connection, authority: str, now: float) -> list[Holder]:
    """All devices with a valid certificate, those that were seen last first. `authority`: a fingerprint."""
    last = DeviceLast
    valid = select(col(DeviceCertificate.device)).where(_counts(now)).distinct().subquery()
    statement = (
        select(valid.c.device, col(last.authorities), col(last.last_seen_at), col(last.presence))
        .outerjoin(last, col(last.device) == valid.c.device)
        .order_by(func.coalesce(col(last.last_seen_at), 0.0).desc(), valid.c.device)
    )
    return [
        Holder(device, authority in (held or ()), seen_at or 0.0, presence == "online")
        for device, held, seen_at, presence in connection.execute(statement)
    ]


def _counts(now: float) -> ColumnElement[bool]:
    return col(DeviceCertificate.revoked_at).is_(None) & (col(DeviceCertificate.expires_at) > now)


def _newest(now: float) -> Any:
    """Subquery of the issue time of the newest valid certificate, by device."""
    issued = func.max(col(DeviceCertificate.issued_at)).label("issued_at")
    statement = select(col(DeviceCertificate.device), issued).where(_counts(now)).group_by(col(DeviceCertificate.device))
    return statement.subquery()
