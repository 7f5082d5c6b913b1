"""Error responses of the API: problems of RFC 9457, made in one place for routes, exception handlers and middleware."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from fastapi.responses import Response
from starlette.types import Scope, Send

from edgefleet_server.core.errors import (
    ConflictError,
    DeniedError,
    EdgefleetError,
    InputError,
    MissingError,
    NotFoundError,
    SignInError,
    StatementError,
    StoreError,
    TooManyError,
    UnavailableError,
)

log = logging.getLogger(__name__)

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
PROBLEM_JSON: Final = "application/problem+json"
NO_TYPE: Final = "about:blank"
"""The type of a problem of which the HTTP status says all."""
INVALID_FIELDS: Final = "urn:edgefleet:problem:invalid-fields"
KEY_REUSED: Final = "urn:edgefleet:problem:idempotency-key-reused"
KEY_RUNS: Final = "urn:edgefleet:problem:idempotency-key-in-use"
_TITLES: Final[Mapping[str, str]] = {
    INVALID_FIELDS: "Invalid fields",
    KEY_REUSED: "Idempotency-Key is already used",
    KEY_RUNS: "A request is outstanding for this Idempotency-Key",
}

_STATUS: Final[list[tuple[type[EdgefleetError], int]]] = [
    (NotFoundError, 404),
    (ConflictError, 409),
    (InputError, 422),
    (SignInError, 401),
    (DeniedError, 403),
    (TooManyError, 429),
    (MissingError, 503),
    (UnavailableError, 503),
    (StatementError, 500),
    (StoreError, 507),
]


def status_of(error: EdgefleetError, default: int) -> int:
    """The HTTP status for an error; `default` for kinds that have none."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), default)


def problem(
    scope: Scope, status: int, detail: str, errors: Sequence[Mapping[str, Any]] = (), kind: str = NO_TYPE
) -> dict[str, Any]:
    """The problem of one request. `detail`: the error and its remedy, one line. `errors`: of its fields. `kind`: its type."""
    kind = INVALID_FIELDS if errors else kind
    found: dict[str, Any] = {
        "type": kind,
        "title": _TITLES.get(kind) or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": quote(scope["path"]),
    }
    return {**found, "errors": list(errors)} if errors else found


def problem_response(
    scope: Scope,
    status: int,
    detail: str,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The response of a route or an exception handler with a problem."""
    body = json.dumps(problem(scope, status, detail, errors))
    return Response(body, status, dict(headers or {}), media_type=PROBLEM_JSON)


def error_response(scope: Scope, error: EdgefleetError) -> Response:
    """The response for an error; of one of the disk it says whether the request is done in part."""
    status, detail = status_of(error, 500), str(error)
    if status >= 500:
        log.error("%s", error)
    headers = {"Retry-After": str(error.wait_s)} if isinstance(error, TooManyError) else None
    if isinstance(error, StoreError) and scope["method"] not in SAFE_METHODS:
        committed = scope.get("state", {}).get("committed", False)
        detail = f"{'only a part is done' if committed else 'not done'}: {detail}"
    return problem_response(scope, status, detail, headers=headers)


async def answer(
    scope: Scope, send: Send, status: int, detail: str, more: Sequence[tuple[bytes, bytes]] = (), kind: str = NO_TYPE
) -> None:
    """Answer a problem without running the application, and close the connection."""
    body = json.dumps(problem(scope, status, detail, kind=kind)).encode()
    headers = [(b"connection", b"close"), *more]
    await send_whole(send, status, PROBLEM_JSON, body, headers)


async def refuse_socket(scope: Scope, send: Send, status: int, detail: str) -> None:
    """Answer the request for a WebSocket with a problem."""
    body = json.dumps(problem(scope, status, detail)).encode()
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"content-length", str(len(body)).encode())]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})


async def send_whole(send: Send, status: int, kind: str, body: bytes, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    """Send a response whose body is known. `kind`: its media type."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
