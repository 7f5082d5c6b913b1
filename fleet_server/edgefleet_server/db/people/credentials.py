"""Sessions and API tokens, and the user of a secret. Every request queries the database: a revocation takes effect at once."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, NotFoundError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.people import proposals, user_grants
from edgefleet_server.db.tables.people import ApiTokenRecord, SessionRecord, UserRecord
from edgefleet_server.domain.policy.grants import Grants
from edgefleet_server.domain.policy.passwords import SECRET_BYTES, hash_secret
from edgefleet_server.domain.policy.roles import Role

SESSION_S: Final = 7 * 86_400.0
IDLE_S: Final = 12 * 3600.0
SEEN_EVERY_S: Final = 60.0
"""Accuracy of `seen_at` and `used_at`: one write per minute and caller instead of one per request."""
SESSIONS_MAX: Final = 50
"""Limit of the sessions of one user; the oldest ends when another one starts."""
TOKENS_MAX: Final = 50
"""Limit of the tokens of one user."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The user of a secret. `key`: the session's hash or the token's id; `stale`: its last use has to be stored."""

    user: str
    grants: Grants
    key: str
    expires_at: float
    stale: bool
    scopes: frozenset[str] = frozenset()
    token_name: str = ""


def add_session(connection: Connection, user: str, secret_hash: str, source: str, agent: str, now: float) -> float:
    """Start a session; returns the wall time of its expiry. Ends expired sessions, and the user's oldest if there are too
    many."""
    connection.execute(delete(SessionRecord).where(col(SessionRecord.expires_at) <= now))
    held = connection.execute(
        select(col(SessionRecord.hash)).where(col(SessionRecord.user) == user).order_by(col(SessionRecord.seen_at).desc())
    )
    surplus = [row[0] for row in held][SESSIONS_MAX - 1 :]
    connection.execute(delete(SessionRecord).where(col(SessionRecord.hash).in_(surplus)))
    record = {"hash": secret_hash, "user": user, "created_at": now, "seen_at": now, "expires_at": now + SESSION_S}
    connection.execute(insert(SessionRecord), {**record, "source": source[:64], "agent": agent[:200]})
    return now + SESSION_S


def by_session(connection: Connection, secret_hash: str, now: float) -> Holder | None:
    """The holder of a session that has not ended, and whose user is not disabled."""
    row = connection.execute(
        select(col(SessionRecord.user), col(UserRecord.role), col(SessionRecord.seen_at), col(SessionRecord.expires_at))
        .join(UserRecord, col(UserRecord.name) == col(SessionRecord.user))
        .where(
            col(SessionRecord.hash) == secret_hash,
            col(SessionRecord.expires_at) > now,
            col(SessionRecord.seen_at) > now - IDLE_S,
            col(UserRecord.disabled).is_(False),
        )
    ).one_or_none()
    if row is None:
        return None
    return Holder(row[0], user_grants.of(raw(connection), row[0], row[1]), secret_hash, row[3], now - row[2] > SEEN_EVERY_S)


def by_token(connection: Connection, secret_hash: str, now: float) -> Holder | None:
    """The holder of an API token that has not expired, and whose user is not disabled."""
    names = ("user", "role", "id", "expires_at", "used_at", "scopes", "name", "groups")
    columns: list[Any] = [*[col(getattr(ApiTokenRecord, name)) for name in names], col(UserRecord.role)]
    row = connection.execute(
        select(*columns)
        .join(UserRecord, col(UserRecord.name) == col(ApiTokenRecord.user))
        .where(col(ApiTokenRecord.hash) == secret_hash, col(ApiTokenRecord.expires_at) > now, col(UserRecord.disabled).is_(False))
    ).one_or_none()
    if row is None:
        return None
    stale = now - (row[4] or 0.0) > SEEN_EVERY_S
    grants = user_grants.of(raw(connection), row[0], row[8]).limited_to(Role(row[1]), row[7])
    return Holder(row[0], grants, row[2], row[3], stale, frozenset(row[5]), row[6])


def seen(connection: Connection, key: str, now: float) -> None:
    """Store the last use of a session or token."""
    connection.execute(update(SessionRecord).where(col(SessionRecord.hash) == key).values(seen_at=now))
    connection.execute(update(ApiTokenRecord).where(col(ApiTokenRecord.id) == key).values(used_at=now))


def end_session(connection: Connection, secret_hash: str) -> None:
    """End a session (sign-out)."""
    connection.execute(delete(SessionRecord).where(col(SessionRecord.hash) == secret_hash))


def end_sessions(connection: Connection, user: str, but: str = "") -> None:
    """End the sessions of a user except `but`."""
    connection.execute(delete(SessionRecord).where(col(SessionRecord.user) == user, col(SessionRecord.hash) != but))


def last_seen(connection: Connection) -> dict[str, dict[str, Any]]:
    """For each user with a session: the time of the last use and the number of sessions."""
    rows = connection.execute(
        select(col(SessionRecord.user), func.max(col(SessionRecord.seen_at)), func.count()).group_by(col(SessionRecord.user))
    )
    return {row[0]: {"seen_at": row[1], "sessions": row[2]} for row in rows}


def new_token() -> tuple[str, str, str]:
    """A new API token: (id, secret to show once, hash to store)."""
    secret = "eft_" + secrets.token_urlsafe(SECRET_BYTES)
    return secrets.token_hex(6), secret, hash_secret(secret)


def add_token(connection: Connection, record: dict[str, Any]) -> None:
    """Store a new API token (columns of the table).

    Raises:
        ConflictError: the user has too many tokens, or one with this name.
    """
    rows = connection.execute(select(col(ApiTokenRecord.name)).where(col(ApiTokenRecord.user) == record["user"]))
    names = [row[0] for row in rows]
    if len(names) >= TOKENS_MAX:
        raise ConflictError(f"{record['user']} has {len(names)} API tokens, the maximum; revoke some")
    if record["name"] in names:
        raise ConflictError(f"{record['user']} already has an API token {record['name']!r}; revoke it or choose another name")
    connection.execute(insert(ApiTokenRecord), record)


def tokens(connection: Connection, user: str | None = None) -> list[dict[str, Any]]:
    """API tokens of a user or of all users, newest first, without their hashes."""
    names = ("id", "user", "name", "role", "scopes", "groups", "created_at", "expires_at", "used_at")
    query = select(*[col(getattr(ApiTokenRecord, name)) for name in names]).order_by(col(ApiTokenRecord.created_at).desc())
    if user is not None:
        query = query.where(col(ApiTokenRecord.user) == user)
    return [dict(row) for row in connection.execute(query).mappings()]


def revoke_token(connection: Connection, token: str, user: str | None = None) -> None:
    """Revoke an API token; with `user`, only one of this user.

    Raises:
        NotFoundError: there is no such token.
    """
    query = delete(ApiTokenRecord).where(col(ApiTokenRecord.id) == token)
    if user is not None:
        query = query.where(col(ApiTokenRecord.user) == user)
    if connection.execute(query).rowcount == 0:
        raise NotFoundError(f"no API token {token!r}; `edgefleet user token list` lists the tokens")
    proposals.withdraw(connection, [token], time.time())


def revoke_all(connection: Connection, user: str) -> None:
    """End all sessions and delete all API tokens of a user."""
    end_sessions(connection, user)
    proposals.withdraw(connection, [token["id"] for token in tokens(connection, user)], time.time())
    connection.execute(delete(ApiTokenRecord).where(col(ApiTokenRecord.user) == user))
