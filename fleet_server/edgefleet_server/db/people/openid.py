"""Sign-ins with an OpenID provider: those in progress, each valid for one return, and the users created from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlmodel import col

from edgefleet_server.core.errors import ConflictError, DeniedError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.people import user_grants
from edgefleet_server.db.people.people import USERS_MAX
from edgefleet_server.db.tables.people import OpenIdLogin, UserRecord
from edgefleet_server.domain.policy.grants import Grants

LOGIN_S: Final = 600.0
"""Limit of the time between the redirect to the provider and the return."""
LOGINS_MAX: Final = 1_000


@dataclass(frozen=True, slots=True)
class Login:
    """The stored part of a sign-in in progress."""

    nonce: str
    verifier: str
    redirect: str


def add_login(connection: Connection, state: str, browser: str, login: Login, now: float) -> None:
    """Store a sign-in; `state` and `browser` are hashes of the values sent. Beyond `LOGINS_MAX` the oldest are deleted."""
    connection.execute(delete(OpenIdLogin).where(col(OpenIdLogin.started_at) < now - LOGIN_S))
    count = int(connection.execute(select(func.count()).select_from(OpenIdLogin)).scalar_one())
    if count >= LOGINS_MAX:
        oldest = select(col(OpenIdLogin.state)).order_by(col(OpenIdLogin.started_at)).limit(count - LOGINS_MAX + 1)
        connection.execute(delete(OpenIdLogin).where(col(OpenIdLogin.state).in_(list(connection.execute(oldest).scalars()))))
    row = {"state": state, "browser": browser, "nonce": login.nonce, "verifier": login.verifier, "redirect": login.redirect}
    connection.execute(insert(OpenIdLogin), {**row, "started_at": now})


def take_login(connection: Connection, state: str, browser: str, now: float) -> Login | None:
    """Take the sign-in of this state and browser, which is deleted; None if there is none or it has expired."""
    columns = (col(OpenIdLogin.nonce), col(OpenIdLogin.verifier), col(OpenIdLogin.redirect))
    own = (col(OpenIdLogin.state) == state, col(OpenIdLogin.browser) == browser, col(OpenIdLogin.started_at) >= now - LOGIN_S)
    row = connection.execute(select(*columns).where(*own)).one_or_none()
    connection.execute(delete(OpenIdLogin).where(col(OpenIdLogin.state) == state))
    return None if row is None else Login(*row)


def find_or_create_user(connection: Connection, name: str, subject: str, grants: Grants, now: float) -> str:
    """The name of the user with this subject, created at the first sign-in; the roles are updated to `grants`.

    Raises:
        ConflictError: another user has the name, or there are too many users.
        DeniedError: an administrator disabled the user.
    """
    role = grants.everywhere.value if grants.everywhere else ""
    known = connection.execute(
        select(col(UserRecord.name), col(UserRecord.disabled)).where(col(UserRecord.subject) == subject)
    ).one_or_none()
    if known is not None:
        if known[1]:
            raise DeniedError(f"{known[0]} is disabled; ask an administrator")
        connection.execute(update(UserRecord).where(col(UserRecord.name) == known[0]).values(role=role))
        user_grants.replace(raw(connection), str(known[0]), grants.groups)
        return str(known[0])
    if connection.execute(select(col(UserRecord.name)).where(col(UserRecord.name) == name)).first() is not None:
        raise ConflictError(f"another user is named {name!r}; ask an administrator to remove or rename that user")
    if int(connection.execute(select(func.count()).select_from(UserRecord)).scalar_one()) >= USERS_MAX:
        raise ConflictError(f"the limit of {USERS_MAX} users is reached; ask an administrator")
    row = {"name": name, "role": role, "password": "", "created_at": now, "disabled": False, "subject": subject}
    connection.execute(insert(UserRecord), row)
    user_grants.replace(raw(connection), name, grants.groups)
    return name
