"""Enrolment: tokens, certificates, blocked devices."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    Float,
    Select,
    and_,
    bindparam,
    delete,
    insert,
    select,
    union_all,
    update,
)
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.backend.driver import Driver, is_among, json_texts
from edgefleet_server.db.tables.core import DeviceRecord, columns_of
from edgefleet_server.db.tables.identities import BlockedDevice, DeviceCertificate, EnrolmentToken, RestrictedDevice
from edgefleet_server.domain.policy.device_conduct import RestrictionState

TOKENS_MAX = 10_000
"""Limit of open tokens."""
NOT_VALID: Final = "the token is unknown, used, expired or for another device; create one with `edgefleet token create`"
CERTIFICATES_MAX = 32
"""Limit of valid certificates of one device."""


def add_token(connection: Connection, record: dict[str, Any], now: float) -> None:
    """Store a new token (columns of the table).

    Raises:
        ConflictError: too many are open.
    """
    if len(tokens(connection, now)) >= TOKENS_MAX:
        raise ConflictError(f"{TOKENS_MAX} enrollment tokens are valid; revoke some or wait until they expire")
    connection.execute(insert(EnrolmentToken), record)


def tokens(connection: Connection, open_at: float | None = None) -> list[dict[str, Any]]:
    """Tokens without their secrets, newest first; with `open_at` only those that can be used at that time."""
    statement = select(*(column for column in columns_of(EnrolmentToken) if column.name != "secret_sha256"))
    statement = statement.order_by(col(EnrolmentToken.created_at).desc()).limit(TOKENS_MAX)
    if open_at is not None:
        statement = statement.where(_is_open(open_at))
    return [dict(row) for row in connection.execute(statement).mappings()]


def revoke_token(connection: Connection, token: str, now: float) -> None:
    """Revoke an enrolment token.

    Raises:
        NotFoundError: there is no such open token.
    """
    statement = update(EnrolmentToken).where(col(EnrolmentToken.id) == token, _is_open(now)).values(revoked_at=now)
    if connection.execute(statement).rowcount == 0:
        raise NotFoundError(f"no valid token {token!r}; `edgefleet token list` lists the tokens")


class TokenUse(NamedTuple):
    """A token that a device presents."""

    id: str
    labels: dict[str, str]
    devices_max: int
    uses: int
    approval: bool


def token_for(connection: Connection, secret_sha256: str, device: str, now: float) -> TokenUse:
    """The open token with this secret, if `device` may enrol with it.

    Raises:
        InputError: unknown, used up, revoked, expired, or for another device. One text for all.
        ConflictError: the device is enrolled already, and the token does not name it.
    """
    token = EnrolmentToken
    statement = select(
        col(token.device), col(token.id), col(token.labels), col(token.devices_max), col(token.uses), col(token.approval)
    ).where(col(token.secret_sha256) == secret_sha256, _is_open(now))
    found = connection.execute(statement).one_or_none()
    if found is None or found[0] not in ("", device):
        raise InputError(NOT_VALID)
    if not found[0] and certified(connection, [device], now):
        raise ConflictError(
            f"device {device!r} is already enrolled; use another ID, or a token for this device:"
            f" `edgefleet token create --device {device}`"
        )
    return TokenUse(found[1], dict(found[2]), found[3], found[4], bool(found[5]))


def use_token(connection: Connection, token: str, device: str, now: float) -> None:
    """Count a use of the token with this id.

    Raises:
        InputError: other devices have used it up in the meantime.
    """
    statement = update(EnrolmentToken).where(col(EnrolmentToken.id) == token, _is_open(now))
    used = statement.values(used_at=now, used_by=device, uses=col(EnrolmentToken.uses) + 1)
    if connection.execute(used).rowcount == 0:
        raise InputError(NOT_VALID)


def add_certificate(connection: Connection, record: dict[str, Any]) -> None:
    """Store an issued certificate (columns of the table), and delete expired ones.

    Raises:
        ConflictError: the device has too many valid certificates.
    """
    now = record["issued_at"]
    connection.execute(delete(DeviceCertificate).where(col(DeviceCertificate.expires_at) <= now))
    if len(live_serials(connection, record["device"], now)) >= CERTIFICATES_MAX:
        raise ConflictError(f"device {record['device']!r} has {CERTIFICATES_MAX} certificates, the maximum; enroll it again")
    connection.execute(insert(DeviceCertificate), record)


def live_serials(connection: Connection, device: str, now: float) -> list[str]:
    """Serial numbers of the valid certificates of a device."""
    certificate = DeviceCertificate
    statement = select(col(certificate.serial)).where(
        col(certificate.device) == device, col(certificate.revoked_at).is_(None), col(certificate.expires_at) > now
    )
    return list(connection.execute(statement).scalars())


def certified(connection: Connection, devices: Collection[str], now: float) -> set[str]:
    """Those of `devices` that have a valid certificate."""
    return set(connection.execute(_certified(), {"devices": json_texts(devices), "now": now}).scalars())


@cache
def _certified() -> Select[Any]:
    """Made once: SQLAlchemy takes longer to make a statement than the database to answer it."""
    certificate = DeviceCertificate
    devices: BindParameter[Any] = bindparam("devices")
    return select(col(certificate.device)).where(
        is_among(col(certificate.device), devices),
        col(certificate.revoked_at).is_(None),
        col(certificate.expires_at) > bindparam("now"),
    )


class Standing(NamedTuple):
    """The standing of a device. `certified`: a certificate of it is valid; `enrolled`: it has had one."""

    blocked: bool
    certified: bool
    enrolled: bool


def standing(db: Driver, device: str, now: float) -> Standing:
    """The standing of a device, by one query: devices ask for it as often as they like."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM blocked_device WHERE device = ?),"
        " EXISTS (SELECT 1 FROM device_certificate WHERE device = ? AND revoked_at IS NULL AND expires_at > ?),"
        " EXISTS (SELECT 1 FROM device_certificate WHERE device = ?)",
        (device, device, now, device),
    ).fetchone()
    return Standing(*(bool(each) for each in found))


def revoke_certificates(connection: Connection, device: str, now: float, keep: str = "") -> int:
    """Revoke the valid certificates of a device except `keep`; returns their number."""
    statement = update(DeviceCertificate).where(
        col(DeviceCertificate.device) == device,
        col(DeviceCertificate.revoked_at).is_(None),
        col(DeviceCertificate.serial) != keep,
    )
    return connection.execute(statement.values(revoked_at=now)).rowcount


def revoked(connection: Connection, now: float) -> list[tuple[str, float]]:
    """(serial, revoked at) of every certificate that was revoked before its expiry, and of those of devices that are disconnected
    for a time."""
    return [(row[0], row[1]) for row in connection.execute(_revoked(), {"now": now})]


@cache
def _revoked() -> CompoundSelect[Any]:
    """Made once: the list is made anew with each device that is disconnected."""
    certificate, now = DeviceCertificate, bindparam("now", type_=Float)
    revoked = select(col(certificate.serial), col(certificate.revoked_at)).where(
        col(certificate.revoked_at).is_not(None), col(certificate.expires_at) > now
    )
    suspended = (
        select(col(certificate.serial), col(RestrictedDevice.since_at))
        .join(RestrictedDevice, col(RestrictedDevice.device) == col(certificate.device))
        .where(
            col(certificate.revoked_at).is_(None),
            col(certificate.expires_at) > now,
            col(RestrictedDevice.state) == RestrictionState.DISCONNECTED.value,
            col(RestrictedDevice.until_at) > now,
        )
    )
    return union_all(revoked, suspended)


def departed(connection: Connection, now: float) -> frozenset[str]:
    """Devices that are blocked, or were removed from the fleet: no row is left but a revoked certificate."""
    certificate = DeviceCertificate
    live = select(col(certificate.device)).where(col(certificate.revoked_at).is_(None), col(certificate.expires_at) > now)
    removed = select(col(certificate.device)).where(
        col(certificate.device).not_in(live), col(certificate.device).not_in(select(col(DeviceRecord.id)))
    )
    blocked_ones = connection.execute(select(col(BlockedDevice.device))).scalars()
    return frozenset((*blocked_ones, *connection.execute(removed).scalars()))


def blocked_among(connection: Connection, devices: Collection[str]) -> list[str]:
    """Those of the devices that are blocked, in order."""
    known = set(devices)
    return sorted(each for each in connection.execute(select(col(BlockedDevice.device))).scalars() if each in known)


def block(connection: Connection, device: str, reason: str, now: float) -> None:
    """Block a device; a second time changes nothing."""
    if blocked(connection, device) is None:
        connection.execute(insert(BlockedDevice), {"device": device, "blocked_at": now, "reason": reason})


def unblock(connection: Connection, device: str) -> None:
    """Let a device enrol again.

    Raises:
        NotFoundError: it is not blocked.
    """
    if connection.execute(delete(BlockedDevice).where(col(BlockedDevice.device) == device)).rowcount == 0:
        raise NotFoundError(f"device {device!r} is not blocked")


def blocked(connection: Connection, device: str) -> dict[str, Any] | None:
    """The blocking of a device, if there is one."""
    statement = select(*columns_of(BlockedDevice)).where(col(BlockedDevice.device) == device)
    row = connection.execute(statement).mappings().one_or_none()
    return None if row is None else dict(row)


def status_of(connection: Connection, device: str) -> dict[str, Any]:
    """The blocking of a device, and its newest certificate."""
    statement = select(*columns_of(DeviceCertificate)).where(col(DeviceCertificate.device) == device)
    newest = statement.order_by(col(DeviceCertificate.issued_at).desc()).limit(1)
    certificate = connection.execute(newest).mappings().one_or_none()
    return {"device": device, "blocked": blocked(connection, device), "certificate": dict(certificate) if certificate else None}


def open_tokens(now: float) -> Select[Any]:
    """Ids of the tokens that can be used."""
    return select(col(EnrolmentToken.id)).where(_is_open(now))


def _is_open(now: float) -> Any:
    token = EnrolmentToken
    return and_(col(token.uses) < col(token.devices_max), col(token.revoked_at).is_(None), col(token.expires_at) > now)
