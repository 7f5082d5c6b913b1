"""HTTP responses for errors: their status, and their body where no application runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from starlette.types import Send

from edgefleet_server.core.errors import (
    ConflictError,
    DeniedError,
    EdgefleetError,
    InputError,
    MissingError,
    NotFoundError,
    SignInError,
    StoreError,
    TooManyError,
    UnavailableError,
)

_STATUS: Final[list[tuple[type[EdgefleetError], int]]] = [
    (NotFoundError, 404),
    (ConflictError, 409),
    (InputError, 422),
    (SignInError, 401),
    (DeniedError, 403),
    (TooManyError, 429),
    (MissingError, 503),
    (UnavailableError, 503),
    (StoreError, 507),
]


def status_of(error: EdgefleetError, default: int) -> int:
    """The HTTP status for an error; `default` for kinds that have none."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), default)


async def answer(send: Send, status: int, detail: str, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    """Answer `{"detail": text}` without running the application."""
    body = json.dumps({"detail": detail}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
