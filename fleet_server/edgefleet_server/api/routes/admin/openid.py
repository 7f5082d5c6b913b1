"""Routes of the sign-in with an OpenID provider: redirect and callback."""

from __future__ import annotations

import html
import secrets
import time
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.middleware.authorization import source_of
from edgefleet_server.api.routes.admin.sessions import hand_over
from edgefleet_server.auth.openid import OpenIdProvider
from edgefleet_server.core.errors import ConflictError, DeniedError, EdgefleetError, NotFoundError
from edgefleet_server.db.people import audit, openid
from edgefleet_server.db.people.openid import LOGIN_S, Login
from edgefleet_server.domain.policy.passwords import hash_secret

router = APIRouter(tags=["people"])
PATH: Final = "/api/v1/session/openid"
COOKIE: Final = "edgefleet-openid"
"""Cookie that binds the callback to the browser that started the sign-in: a link with a foreign code is refused."""
Word = Annotated[str, Query(max_length=4096)]


@router.get("/session/openid", operation_id="begin_openid", response_class=RedirectResponse, status_code=303)
def begin_openid(context: ContextDep, request: Request) -> Response:
    """Redirect the browser to the provider."""
    provider = _provider(context)
    if context.authenticator.is_open():
        raise ConflictError("there are no users yet; create the admin account with the code in setup.code of the data folder")
    now = time.time()
    context.authenticator.count_openid(source_of(request.scope), now)
    redirect = f"{context.settings.public_url or str(request.base_url).rstrip('/')}{PATH}/return"
    pending, browser = provider.begin(redirect), secrets.token_urlsafe(32)
    with context.database.write() as connection:
        login = Login(pending.nonce, pending.verifier, redirect)
        openid.add_login(connection, hash_secret(pending.state), hash_secret(browser), login, now)
    answer = RedirectResponse(pending.url, status_code=303, headers={"Cache-Control": "no-store"})
    secure = context.authenticator.secure
    answer.set_cookie(COOKIE, browser, max_age=int(LOGIN_S), path=PATH, secure=secure, httponly=True, samesite="lax")
    return answer


@router.get("/session/openid/return", operation_id="finish_openid", response_class=RedirectResponse, status_code=303)
def finish_openid(
    context: ContextDep, request: Request, state: Word = "", code: Word = "", error: Word = "", error_description: Word = ""
) -> Response:
    """Handle the return of the browser: start a session, or show the error."""
    provider = _provider(context)
    try:
        if error:
            raise DeniedError(f"the OpenID provider refused the sign-in: {(error_description or error)[:300]}")
        answer = _signed_in(context, provider, request, state, code)
    except EdgefleetError as refused:
        answer = HTMLResponse(_REFUSED.format(why=html.escape(str(refused))), status_code=403)
    answer.delete_cookie(COOKIE, path=PATH, secure=context.authenticator.secure, httponly=True, samesite="lax")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _signed_in(context: Context, provider: OpenIdProvider, request: Request, state: str, code: str) -> Response:
    now, source = time.time(), source_of(request.scope)
    context.authenticator.count_openid(source, now)
    with context.database.write() as connection:
        login = openid.take_login(connection, hash_secret(state), hash_secret(request.cookies.get(COOKIE, "")), now)
    if login is None or not code:
        raise DeniedError("this sign-in is unknown, already used or expired; start again")
    identity = provider.finish(code, login.redirect, login.nonce, login.verifier, now)
    with context.database.write() as connection:
        name = openid.find_or_create_user(connection, identity.name, identity.subject, identity.grants, now)
        audit.append(
            connection,
            at=now,
            actor=name,
            role=identity.grants.highest.value,
            via="openid",
            source=source,
            action="sign_in",
            target="/session/openid",
            status=200,
            detail="{}",
        )
    secret = context.authenticator.admit(name, identity.grants, source, request.headers.get("user-agent", ""), now)
    answer = RedirectResponse("/", status_code=303)
    hand_over(context, answer, secret)
    return answer


def _provider(context: Context) -> OpenIdProvider:
    if context.openid is None:
        raise NotFoundError("no OpenID provider is configured; set one with `edgefleet serve --oidc-issuer URL`")
    return context.openid


_REFUSED: Final = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Not signed in · edgefleet</title>"
    "<h1>Not signed in</h1><p>{why}</p><p><a href=/>Back to edgefleet</a>"
)
