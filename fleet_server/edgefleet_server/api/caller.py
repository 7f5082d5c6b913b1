"""FastAPI dependency for the caller of a request: by session cookie, by API token, or of an open server."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from edgefleet_server.auth.authenticator import Caller
from edgefleet_server.core.errors import SignInError


def _anybody(request: Request) -> Caller | None:
    caller = getattr(request.state, "caller", None)
    assert caller is None or isinstance(caller, Caller)
    return caller


def _caller(request: Request) -> Caller:
    caller = _anybody(request)
    if caller is None:
        raise SignInError("sign in first")
    return caller


AnybodyDep = Annotated[Caller | None, Depends(_anybody)]
CallerDep = Annotated[Caller, Depends(_caller)]
