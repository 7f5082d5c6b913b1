"""Errors of the client.

ClientError
├── ConnectionFailedError     the server cannot be reached; `__cause__` is the error of the HTTP library
├── UnencryptedError          credentials would go to another machine without encryption
├── ProposedError             nothing was changed: the server stored the request as a proposal, `proposal`
├── UnexpectedResponseError   the response is not JSON: no fleet server, or a proxy before it
└── ApiError                  the server refused: `status`, and `reason` in one line
    ├── InvalidRequestError     400, 413, 422 and other 4xx: fix the request
    ├── NotSignedInError        401
    ├── AccessDeniedError       403: the role or the scopes of the token do not suffice
    ├── NotFoundError           404
    ├── ConflictError           409: the state of the object does not allow it
    ├── BusyError               429, 503: retry after `retry_after_s`
    ├── StorageFullError        507
    └── ServerFaultError        other 5xx
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx

TEXT_MAX: Final = 200
FIELD_ERRORS_MAX: Final = 5
PROPOSED_STATUS: Final = 202
PROPOSAL_HEADER: Final = "Edgefleet-Proposal"
"""Only responses that have a proposal have it; other requests have status 202, too."""


class ClientError(Exception):
    """Base of every error of this package."""


class ConnectionFailedError(ClientError):
    """The server cannot be reached."""


class UnencryptedError(ClientError):
    """Credentials would go to another machine without encryption."""


class UnexpectedResponseError(ClientError):
    """The response is not what the REST API returns."""


class ProposedError(ClientError):
    """Nothing was changed: the API token only proposes, and the server stored the request as a proposal, which waits for the
    approval of a person. proposal: its number. summary: what the request does."""

    def __init__(self, proposal: int, summary: str) -> None:
        super().__init__(f"proposed as {proposal}, which waits for approval; nothing was changed ({summary})")
        self.proposal = proposal
        self.summary = summary


class ApiError(ClientError):
    """The server refused a request. status: of the response. reason: the server's text, one line. errors: those of single fields,
    each with `detail` and `pointer` or `parameter`. kind: the type of the problem (RFC 9457). Servers
    of version 0.2 send neither."""

    def __init__(
        self,
        status: int,
        reason: str,
        retry_after_s: float | None = None,
        errors: Sequence[Mapping[str, Any]] = (),
        kind: str = "",
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.errors = tuple(errors)
        self.status = status
        self.reason = reason
        self.retry_after_s = retry_after_s


class InvalidRequestError(ApiError):
    """The request is invalid; the same request will fail again."""


class NotSignedInError(ApiError):
    """The caller is not authenticated, or no longer is."""


class AccessDeniedError(ApiError):
    """The role of the caller, or the scopes of the token, do not suffice."""


class NotFoundError(ApiError):
    """The requested object does not exist."""


class ConflictError(ApiError):
    """The request is valid, but the current state of the object does not allow it."""


class BusyError(ApiError):
    """Not now. `retry_after_s`: seconds to wait, if the server says so."""


class StorageFullError(ApiError):
    """The server's disk cannot store the object."""


class ServerFaultError(ApiError):
    """The server failed."""


_BY_STATUS: Final[dict[int, type[ApiError]]] = {
    401: NotSignedInError,
    403: AccessDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: BusyError,
    503: BusyError,
    507: StorageFullError,
}


def error_of(response: httpx.Response) -> ApiError:
    """The error of a response of status 400 or higher, whose body was read."""
    status = response.status_code
    kind = _BY_STATUS.get(status, ServerFaultError if status >= 500 else InvalidRequestError)
    wait = response.headers.get("Retry-After", "")
    return kind(
        status,
        _reason(response),
        float(wait) if wait.isascii() and wait.isdigit() else None,
        _errors(response),
        str(_member(response, "type") or ""),
    )


def proposal_of(response: httpx.Response) -> ProposedError | None:
    """The error of a response that has a proposal in place of the result of its request; None for other responses."""
    number = response.headers.get(PROPOSAL_HEADER, "")
    if response.status_code != PROPOSED_STATUS or not (number.isascii() and number.isdigit()):
        return None
    try:
        summary = str(response.json()["summary"]).strip().rstrip(".")
    except (ValueError, KeyError, TypeError):
        summary = "no summary"
    return ProposedError(int(number), summary)


def _member(response: httpx.Response, name: str) -> Any:
    """A member of a problem; None if there is none."""
    try:
        return response.json()[name]
    except (ValueError, KeyError, TypeError):
        return None


def _errors(response: httpx.Response) -> list[Mapping[str, Any]]:
    errors = _member(response, "errors")
    return [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []


def _reason(response: httpx.Response) -> str:
    """The server's reason. Servers of version 0.2 and older list the fields that are not valid in its place."""
    try:
        detail: Any = response.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"the server returned status {response.status_code}: {response.text[:TEXT_MAX]!r}"
    if isinstance(detail, list):
        return "; ".join(_field_error(error) for error in detail[:FIELD_ERRORS_MAX] if isinstance(error, dict))
    return str(detail)


def _field_error(error: Mapping[str, Any]) -> str:
    """`rule.above: must be a number`."""
    path = ".".join(str(part) for part in error.get("loc", [])[1:])
    return f"{path}: {error.get('msg', '')}" if path else str(error.get("msg", ""))
