"""Client of the REST API for the operator commands: server address, errors, and tables."""

from __future__ import annotations

import argparse
import os
import ssl
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

import httpx

from edgefleet_client.authentication import Session, Token
from edgefleet_client.errors import ApiError, ClientError, ConnectionFailedError, ProposedError, UnencryptedError
from edgefleet_client.operations.all_operations import Operations
from edgefleet_client.schemas import people
from edgefleet_client.transport import Transport, insecure_http_of
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import AUTHORITY_VARIABLE, certificate_fault, https_context
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_server.cli.credentials_file import CredentialsFile
from edgefleet_server.cli.parsers import Given
from edgefleet_server.core.errors import (
    ApprovalNeededError,
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
        action=Given,
        default=os.environ.get("EDGEFLEET_SERVER", DEFAULT_SERVER),
        metavar="URL",
        help="URL of the fleet server (default: $EDGEFLEET_SERVER or %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")


class AnswerTable(dict[str, Any]):
    """A table of an answer. A key that it lacks is an error of one line, since fields are only ever added to the API."""

    def __missing__(self, key: str) -> NoReturn:
        raise InputError(
            f"the server is older than this command: its answer has no {key!r}; update the server, or use its `edgefleet`"
        )


class Client(Operations):
    """Requests to one server, authenticated by `$EDGEFLEET_TOKEN` or the session of `edgefleet login`. Failures raise errors
    with a text of one line. A command sends each request once."""

    def __init__(self, server: str) -> None:
        token = os.environ.get("EDGEFLEET_TOKEN", "").strip()
        known = Token(token) if token else Session(CredentialsFile().cookies(server.rstrip("/")))
        self._trust = _trusted()
        try:
            made = Transport(
                server,
                known,
                verify=self._trust,
                timeout_s=TIMEOUT_S,
                tries=1,
                translate=self._translated,
                insecure_http=insecure_http_of(os.environ),
                table=AnswerTable,
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise InputError(f"--server {server!r}: not a URL; specify https://HOST[:PORT]") from error
        super().__init__(made)

    @property
    def url(self) -> str:
        """The server's address."""
        return self.transport.server

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.transport.close()

    def sign_in(self, name: str, password: str) -> tuple[people.Session, dict[str, str]]:
        """Start a session; returns (response, cookies of the session)."""
        self.transport.authenticate(None)
        self.transport.require_encryption()
        answer = self.people.sign_in({"name": name, "password": password})
        return answer, self.transport.cookies

    def _translated(self, error: ClientError) -> EdgefleetError:
        """The error of the command for an error of the client."""
        if isinstance(error, ApiError):
            return _ERRORS.get(error.status, InputError)(error.reason)
        if isinstance(error, ProposedError):
            done = f"proposed as {error.proposal}; it waits for approval, and nothing was changed ({error.summary})"
            return ApprovalNeededError(f"{done}; `edgefleet proposal list` shows its state", error.proposal)
        if isinstance(error, UnencryptedError):
            return InputError(f"{error}, an SSH tunnel to 127.0.0.1, or EDGEFLEET_INSECURE_HTTP=1 in a network that you trust")
        if not isinstance(error, ConnectionFailedError):
            return InputError(str(error))
        context = self._trust if isinstance(self._trust, ssl.SSLContext) else None
        if why := certificate_fault(error.__cause__, context=context):
            return InputError(f"{self.url}: {why}")
        why = fault_text(error.__cause__ or error)
        return UnavailableError(
            f"cannot connect to {self.url} ({why}); start it with `edgefleet serve`, or specify its URL with --server"
        )


def _trusted() -> ssl.SSLContext | bool:
    """The trusted authorities: those of `$EDGEFLEET_CA`, or httpx's default."""
    return https_context() if os.environ.get(AUTHORITY_VARIABLE) else True


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json_text(value, indent=1, ascii_only=False))


def print_warnings(warnings: Iterable[str]) -> None:
    """Print the warnings of an answer on stderr."""
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)


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
