"""Users and API tokens."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path

from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.schemas.admin import people as schemas
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError, DeniedError, InputError, NotFoundError
from edgefleet_server.db.devices import device_scopes
from edgefleet_server.db.people import credentials, people
from edgefleet_server.domain.policy.grants import Grants, grants_of
from edgefleet_server.domain.policy.roles import Role

router = APIRouter(tags=["people"])

Name = Annotated[schemas.UserName, Path()]
TokenId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


@router.get("/users", operation_id="list_users")
def list_users(context: ContextDep, paging: PagingDep) -> schemas.UserList:
    """All users, by name."""
    with context.database.read() as connection:
        rows, more = paging.cut(people.list_all(connection), lambda row: str(row["name"]))
    return schemas.UserList(items=[schemas.User.model_validate(row) for row in rows], next_after=more)


@router.post("/users", operation_id="create_user", status_code=201)
def create_user(context: ContextDep, caller: CallerDep, body: schemas.UserRequest) -> schemas.User:
    """Add a user. The first one is created by `set_up`, or with `edgefleet user add` on the data folder."""
    if caller.via == "open":
        raise ConflictError(
            "create the admin account first: open /setup in the dashboard, with the code in setup.code of the data folder"
        )
    grants = _grants(body)
    if grants is None:
        raise InputError("role or grants: one of them is required")
    hashed = context.authenticator.hash_new(body.name, body.password)
    with context.database.write() as connection:
        device_scopes.check_groups(connection, grants.groups)
        people.add(connection, body.name, grants, hashed, time.time())
    return _user(context, body.name)


@router.patch("/users/{user}", operation_id="change_user")
def change_user(context: ContextDep, user: Name, body: schemas.UserPatch) -> schemas.User:
    """Change the roles, disable or enable the user, set a new password. Takes effect with the next request of that user."""
    grants = _grants(body)
    hashed = None if body.password is None else context.authenticator.hash_new(user, body.password)
    with context.database.write() as connection:
        device_scopes.check_groups(connection, grants.groups if grants else ())
        people.change(connection, user, grants=grants, disabled=body.disabled, password=hashed)
    return _user(context, user)


@router.delete("/users/{user}", operation_id="delete_user", status_code=204)
def delete_user(context: ContextDep, user: Name) -> None:
    """Delete a user with all sessions and API tokens. The name stays in the audit log."""
    with context.database.write() as connection:
        people.remove(connection, user)


@router.get("/api-tokens", operation_id="list_api_tokens")
def list_api_tokens(context: ContextDep, caller: CallerDep, paging: PagingDep) -> schemas.ApiTokenList:
    """The caller's API tokens, newest first; for an administrator, those of all users."""
    with context.database.read() as connection:
        found = credentials.tokens(connection, _only(caller))
    rows, more = paging.cut(found, lambda row: f"{row['created_at']:019.6f} {row['id']}", newest_first=True)
    return schemas.ApiTokenList(items=[schemas.ApiToken.model_validate(row) for row in rows], next_after=more)


@router.post("/api-tokens", operation_id="create_api_token", status_code=201)
def create_api_token(context: ContextDep, caller: CallerDep, body: schemas.ApiTokenRequest) -> schemas.NewApiToken:
    """Create an API token of the caller. Its secret is returned only in this response."""
    if caller.via != "session":
        raise ConflictError("only a signed-in user can create API tokens; sign in first")
    if not caller.role.covers(body.role):
        raise DeniedError(f"role {body.role.value} exceeds your role {caller.role.value}; choose a lower role for the API token")
    owned = caller.grants.groups_as(body.role)
    lacking = [] if caller.grants.everywhere_as(body.role) else [name for name in body.groups if name not in owned]
    if lacking:
        raise DeniedError(f"you do not have role {body.role.value} for group {lacking[0]}; choose your groups for the API token")
    if body.groups and body.role is Role.ADMIN:
        raise InputError("groups: an API token with role admin is for all devices; choose operator or viewer")
    token, secret, proof = credentials.new_token()
    now = time.time()
    record = {
        "id": token,
        "user": caller.name,
        "name": body.name,
        "role": body.role.value,
        "scopes": body.scopes,
        "groups": body.groups,
        "created_at": now,
        "expires_at": now + body.expires_s,
        "used_at": None,
    }
    with context.database.write() as connection:
        device_scopes.check_groups(connection, body.groups)
        credentials.add_token(connection, {**record, "hash": proof})
    return schemas.NewApiToken.model_validate({**record, "secret": secret})


@router.delete("/api-tokens/{token}", operation_id="revoke_api_token", status_code=204)
def revoke_api_token(context: ContextDep, caller: CallerDep, token: TokenId) -> None:
    """Revoke an API token of the caller; an administrator may revoke any token."""
    with context.database.write() as connection:
        credentials.revoke_token(connection, token, _only(caller))


def _grants(body: schemas.UserRequest | schemas.UserPatch) -> Grants | None:
    """The roles of a request.

    Raises:
        InputError: it has them twice.
    """
    if body.grants is None:
        return None if body.role is None else Grants(body.role)
    if body.role is not None:
        raise InputError("role, grants: specify one of them; a grant without group is for all devices")
    return grants_of((grant.role, grant.group) for grant in body.grants)


def _only(caller: Caller) -> str | None:
    return None if caller.role is Role.ADMIN else caller.name


def _user(context: Context, name: str) -> schemas.User:
    with context.database.read() as connection:
        for row in people.list_all(connection):
            if row["name"] == name:
                return schemas.User.model_validate(row)
    raise NotFoundError(f"no user {name!r}")
