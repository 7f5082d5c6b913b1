"""Client of the REST API for the operator commands: server address, errors, and tables."""

from __future__ import annotations

import argparse
import json
import os
import ssl
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import httpx

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import AUTHORITY_VARIABLE, certificate_fault, https_context
from edgefleet_server.cli.credentials_file import CredentialsFile
from edgefleet_server.core.errors import (
    ConflictError,
    DeniedError,
    EdgefleetError,
    InputError,
    NotFoundError,
    SignInError,
    StoreError,
    UnavailableError,
)

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
TIMEOUT_S: Final = 30.0
FIELD_ERRORS_MAX: Final = 5
"""Most errors of fields in one line."""

_ERRORS: Final[dict[int, type[EdgefleetError]]] = {
    401: SignInError,
    403: DeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: UnavailableError,
    503: UnavailableError,
    507: StoreError,
}


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """`--server` and `--json`, the same in every command."""
    parser.add_argument(
        "--server",
        default=os.environ.get("EDGEFLEET_SERVER", DEFAULT_SERVER),
        metavar="URL",
        help="URL of the fleet server (default: $EDGEFLEET_SERVER or %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


class Client:
    """Requests to one server, authenticated by `$EDGEFLEET_TOKEN` or the session of `edgefleet login`. Failures raise errors
    with a text of one line."""

    def __init__(self, server: str) -> None:
        self._server = server.rstrip("/")
        try:
            self._http = httpx.Client(base_url=f"{self._server}/api/v1", timeout=TIMEOUT_S, verify=_trusted())
            token = os.environ.get("EDGEFLEET_TOKEN", "").strip()
            if token:
                self._http.headers["Authorization"] = f"Bearer {token}"
            else:
                self._http.cookies.update(CredentialsFile().cookies(self._server))
        except (httpx.InvalidURL, UnicodeEncodeError) as error:
            raise InputError(f"--server {server!r}: {error}; specify http://host:port") from error

    @property
    def url(self) -> str:
        """The server's address."""
        return self._server

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def get(self, path: str, **params: Any) -> Any:
        """GET; parameters that are None are left out."""
        return self._ask("GET", path, params={key: value for key, value in params.items() if value is not None})

    def fetch(self, path: str) -> bytes:
        """GET the raw bytes."""
        return self._send("GET", path).content

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST a JSON body."""
        return self._ask("POST", path, json=dict(body))

    def post_nothing(self, path: str) -> None:
        """POST without a body; the response is empty."""
        self._send("POST", path)

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        """PATCH with a JSON body."""
        return self._ask("PATCH", path, json=dict(body))

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """PUT a JSON body."""
        return self._ask("PUT", path, json=dict(body))

    def delete(self, path: str) -> Any:
        """DELETE; None if the response is empty."""
        answer = self._send("DELETE", path)
        return answer.json() if answer.content else None

    def sign_in(self, name: str, password: str) -> tuple[Any, dict[str, str]]:
        """Start a session; returns (response, cookies of the session)."""
        self._http.cookies.clear()
        answer = self._send("POST", "/session", json={"name": name, "password": password})
        return answer.json(), dict(answer.cookies)

    def patch_bytes(self, path: str, piece: bytes, **params: Any) -> Any:
        """PATCH with raw bytes."""
        headers = {"Content-Type": "application/octet-stream"}
        return self._ask("PATCH", path, content=piece, params=params, headers=headers)

    def finish(self, path: str) -> tuple[int, Any]:
        """POST without a body and without a time limit; returns (status, response)."""
        answer = self._send("POST", path, timeout=None)
        return answer.status_code, answer.json()

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        return self._send(method, path, **more).json()

    def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **more)
        except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
            if why := certificate_fault(error):
                raise InputError(f"{self._server}: {why}") from error
            raise UnavailableError(
                f"cannot connect to {self._server} ({fault_text(error)}); start it with `edgefleet serve`, or specify its URL"
                " with --server"
            ) from error
        if answer.status_code >= 400:
            raise _ERRORS.get(answer.status_code, InputError)(_detail(answer))
        return answer


def _trusted() -> ssl.SSLContext | bool:
    """The trusted authorities: those of `$EDGEFLEET_CA`, or httpx's default."""
    return https_context() if os.environ.get(AUTHORITY_VARIABLE) else True


def _detail(answer: httpx.Response) -> str:
    """The error text of a response; errors of fields name each field."""
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"the server returned status {answer.status_code}: {answer.text[:200]!r}"
    if isinstance(detail, list):
        return "; ".join(_field_error(error) for error in detail[:FIELD_ERRORS_MAX])
    return str(detail)


def _field_error(error: Mapping[str, Any]) -> str:
    """`rule.above: must be a number`."""
    path = ".".join(str(part) for part in error.get("loc", [])[1:])
    return f"{path}: {error.get('msg', '')}" if path else str(error.get("msg", ""))


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    json.dump(value, sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")


def say(answer: Any, arguments: argparse.Namespace, text: str) -> int:
    """Print the response as JSON with `--json`, else the text. Returns the exit code 0."""
    if arguments.json:
        print_json(answer)
    else:
        print(text)
    return 0


def print_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table whose columns are as wide as their widest cell."""
    cells = [[str(cell) for cell in row] for row in [headings, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def span(seconds: float | None) -> str:
    """A duration as readable text: `12 s`, `5 min`, `3 h`, `2 d`."""
    if seconds is None:
        return "-"
    for unit, length_s in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length_s:
            return f"{int(seconds // length_s)} {unit}"
    return f"{int(max(0.0, seconds))} s"


def pairs(texts: Sequence[str], what: str) -> dict[str, str]:
    """Parse `key=value` arguments.

    Raises:
        InputError: one has no `=`.
    """
    found: dict[str, str] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator or not key:
            raise InputError(f"{what} {text!r}: must be key=value")
        found[key] = value
    return found
