"""Routes of sessions: set-up, sign-in, sign-out, own password."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request, Response

from edgefleet_server.api.caller import AnybodyDep, CallerDep
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.middleware.authorization import source_of
from edgefleet_server.api.schemas.admin import people as schemas
from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.people import credentials, people
from edgefleet_server.domain.policy.grants import Grants

router = APIRouter(tags=["people"])


@router.get("/session", operation_id="get_session")
def get_session(context: ContextDep, caller: AnybodyDep) -> schemas.Session:
    """The caller of this request, and whether sign-in is required."""
    return _session(context, caller)


@router.post("/session", operation_id="sign_in")
def sign_in(context: ContextDep, request: Request, response: Response, body: schemas.SignInRequest) -> schemas.Session:
    """Start a session. Its secret is set as a cookie."""
    with context.database.read() as connection:
        if people.find(connection, body.name) is not None:  # a password typed into the wrong field must not be logged
            request.state.actor = body.name
    agent = request.headers.get("user-agent", "")
    cookie = request.cookies.get(context.authenticator.cookie, "")
    caller, secret = context.authenticator.sign_in(body.name, body.password, source_of(request.scope), agent, time.time(), cookie)
    hand_over(context, response, secret)
    return _session(context, caller)


@router.post("/setup", operation_id="set_up", status_code=201)
def set_up(context: ContextDep, request: Request, response: Response, body: schemas.SetUpRequest) -> schemas.Session:
    """Create the first administrator, with the code in `setup.code` of its data folder. From then on, sign-in is required."""
    agent = request.headers.get("user-agent", "")
    source = source_of(request.scope)
    caller, secret = context.authenticator.set_up(body.code, body.name, body.password, source, agent, time.time())
    request.state.actor = body.name
    hand_over(context, response, secret)
    return _session(context, caller)


@router.delete("/session", operation_id="sign_out", status_code=204)
def sign_out(context: ContextDep, response: Response, caller: CallerDep) -> None:
    """End this session."""
    if caller.via == "session":
        context.authenticator.sign_out(caller)
    response.delete_cookie(
        context.authenticator.cookie, path="/", secure=context.authenticator.secure, httponly=True, samesite="lax"
    )


@router.put("/session/password", operation_id="change_password", status_code=204)
def change_password(context: ContextDep, caller: CallerDep, body: schemas.PasswordChange) -> None:
    """Change the caller's password. All other sessions of the caller end."""
    if caller.via != "session":
        raise ConflictError("only a signed-in user can change the password; an API token cannot")
    context.authenticator.confirm(caller, body.current, time.time())
    hashed = context.authenticator.hash_new(caller.name, body.password)
    with context.database.write() as connection:
        people.set_own_password(connection, caller.name, hashed, keep=caller.proof)


def _session(context: Context, caller: Caller | None) -> schemas.Session:
    return schemas.Session(
        mode="open" if context.authenticator.is_open() else "required",
        user=caller.name or None if caller else None,
        role=caller.role if caller else None,
        via=caller.via if caller else None,
        expires_at=caller.expires_at if caller else None,
        proposes=caller.proposes if caller else False,
        grants=_grants(caller.grants) if caller else [],
        openid=context.openid.terms.label if context.openid else None,
    )


def _grants(grants: Grants) -> list[schemas.RoleGrant]:
    everywhere = [schemas.RoleGrant(role=grants.everywhere)] if grants.everywhere else []
    return [*everywhere, *(schemas.RoleGrant(role=role, group=group) for group, role in sorted(grants.groups.items()))]


def hand_over(context: Context, response: Response, secret: str) -> None:
    """Set the session cookie. *SameSite* is Lax, so that a link on another site opens the dashboard; `request_guard` checks the
    origin of requests that change something."""
    response.set_cookie(
        context.authenticator.cookie,
        secret,
        max_age=int(credentials.SESSION_S),
        path="/",
        secure=context.authenticator.secure,
        httponly=True,
        samesite="lax",
    )
