"""Adds, changes and removes users. At least one enabled administrator always remains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, InputError, NotFoundError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.people import credentials, user_grants
from edgefleet_server.db.tables.people import UserRecord
from edgefleet_server.domain.policy.grants import Grants, check_grants
from edgefleet_server.domain.policy.roles import Role

USERS_MAX: Final = 1_000
_SHOWN: Final = [col(UserRecord.name), col(UserRecord.role), col(UserRecord.created_at), col(UserRecord.disabled)]


@dataclass(frozen=True, slots=True)
class User:
    """A user, with the hash of the password."""

    name: str
    grants: Grants
    password: str
    disabled: bool


def any_exists(connection: Connection) -> bool:
    """Whether sign-in is required."""
    return connection.execute(select(col(UserRecord.name)).limit(1)).first() is not None


def list_all(connection: Connection) -> list[dict[str, Any]]:
    """All users, by name, with their last activity: `name, role, grants, created_at, disabled, seen_at, sessions`. `role`: the
    highest of all."""
    seen = credentials.last_seen(connection)
    by_group = user_grants.by_user(raw(connection))
    rows = connection.execute(select(*_SHOWN).order_by(col(UserRecord.name))).mappings()
    return [
        {**row, **seen.get(row["name"], {"seen_at": None, "sessions": 0}), **_roles(row["role"], by_group.get(row["name"], {}))}
        for row in rows
    ]


def _roles(everywhere: str, groups: Mapping[str, str]) -> dict[str, Any]:
    found = [{"role": everywhere, "group": None}] if everywhere else []
    grants = Grants(Role(everywhere) if everywhere else None, {name: Role(role) for name, role in groups.items()})
    return {
        "role": grants.highest.value,
        "grants": [*found, *({"role": role, "group": group} for group, role in groups.items())],
    }


def find(connection: Connection, name: str) -> User | None:
    """One user, or None."""
    row = connection.execute(
        select(col(UserRecord.role), col(UserRecord.password), col(UserRecord.disabled)).where(col(UserRecord.name) == name)
    ).one_or_none()
    return None if row is None else User(name, user_grants.of(raw(connection), name, row[0]), row[1], bool(row[2]))


def add(connection: Connection, name: str, grants: Grants, password: str, now: float) -> None:
    """Store a new user; `password`: its hash.

    Raises:
        InputError: the first user would not be an administrator, or the roles are none that a user can have.
        ConflictError: the name is taken, or there are too many users.
    """
    count = int(connection.execute(select(func.count()).select_from(UserRecord)).scalar_one())
    check_grants(grants.everywhere, grants.groups)
    if count == 0 and grants.everywhere is not Role.ADMIN:
        raise InputError("the first user must have role admin")
    if count >= USERS_MAX:
        raise ConflictError(f"the limit of {count} users is reached; remove some")
    if find(connection, name) is not None:
        raise ConflictError(f"user {name!r} already exists")
    connection.execute(
        insert(UserRecord),
        {"name": name, "role": _stored(grants.everywhere), "password": password, "created_at": now, "disabled": False},
    )
    user_grants.replace(raw(connection), name, grants.groups)


def change(
    connection: Connection,
    name: str,
    *,
    grants: Grants | None = None,
    password: str | None = None,
    disabled: bool | None = None,
) -> None:
    """Change the given fields; `grants` replace all roles. A new password and disabling end every session of the user; API tokens
    stay valid with a new password, and are refused while the user is disabled.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: no enabled administrator would be left.
        InputError: the roles are none that a user can have.
    """
    _get(connection, name)
    if grants is not None:
        check_grants(grants.everywhere, grants.groups)
        user_grants.replace(raw(connection), name, grants.groups)
    new = {"role": _stored(grants.everywhere) if grants else None, "password": password, "disabled": disabled}
    values = {key: value for key, value in new.items() if value is not None}
    if values:
        connection.execute(update(UserRecord).where(col(UserRecord.name) == name).values(**values))
    _check_admin_left(connection)
    if password is not None or disabled:
        credentials.end_sessions(connection, name)


def set_own_password(connection: Connection, name: str, password: str, keep: str) -> None:
    """Change a password and end every session of the user except one (`keep`: its hash)."""
    connection.execute(update(UserRecord).where(col(UserRecord.name) == name).values(password=password))
    credentials.end_sessions(connection, name, keep)


def remove(connection: Connection, name: str) -> None:
    """Delete a user with all sessions and tokens; the name stays in the audit log.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: no enabled administrator would be left.
    """
    _get(connection, name)
    credentials.revoke_all(connection, name)
    user_grants.replace(raw(connection), name, {})
    connection.execute(delete(UserRecord).where(col(UserRecord.name) == name))
    _check_admin_left(connection)


def _stored(role: Role | None) -> str:
    return role.value if role else ""


def _get(connection: Connection, name: str) -> User:
    found = find(connection, name)
    if found is None:
        raise NotFoundError(f"no user {name!r}; `edgefleet user list` lists the users")
    return found


def _check_admin_left(connection: Connection) -> None:
    admins = select(col(UserRecord.name)).where(col(UserRecord.role) == Role.ADMIN.value, col(UserRecord.disabled).is_(False))
    if connection.execute(admins.limit(1)).first() is None:
        raise ConflictError("this is the last admin; give another user the role admin first")
