"""The client: all operations of one server, sign-in, and uploads of packages."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from edgefleet_client import uploads
from edgefleet_client.authentication import Session, Token
from edgefleet_client.errors import ClientError
from edgefleet_client.operations.all_operations import Operations
from edgefleet_client.schemas.models import ModelVersion
from edgefleet_client.transport import TIMEOUT_S, TRIES, Transport, insecure_http_of

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"


class FleetClient(Operations):
    """A client of the fleet server at URL `server`: one attribute a tag of the REST API, one method an operation.

    authentication: a token or session; None = only operations without sign-in. ca_file: PEM file with the authority of the
    server's certificate (default: the system's authorities). timeout_s: of a connection, and between two bytes. tries: of
    requests that only read. insecure_http: send tokens and passwords to other machines without encryption, too. One client is for
    one thread at a time.

    Raises:
        ClientError: the CA file is not readable, or the token would be sent without encryption. ValueError: `server` is no URL.
    """

    def __init__(
        self,
        server: str = DEFAULT_SERVER,
        authentication: Token | Session | None = None,
        *,
        ca_file: str | Path | None = None,
        timeout_s: float = TIMEOUT_S,
        tries: int = TRIES,
        insecure_http: bool = False,
    ) -> None:
        verify: ssl.SSLContext | bool = _trust(ca_file) if ca_file else True
        super().__init__(
            Transport(server, authentication, verify=verify, timeout_s=timeout_s, tries=tries, insecure_http=insecure_http)
        )

    @classmethod
    def from_environment(cls) -> FleetClient:
        """The client of `$EDGEFLEET_SERVER` with the token `$EDGEFLEET_TOKEN` and the authority `$EDGEFLEET_CA`.
        `$EDGEFLEET_INSECURE_HTTP` = 1: as `insecure_http`."""
        token = os.environ.get("EDGEFLEET_TOKEN", "").strip()
        server = os.environ.get("EDGEFLEET_SERVER", DEFAULT_SERVER)
        ca_file = os.environ.get("EDGEFLEET_CA") or None
        return cls(server, Token(token) if token else None, ca_file=ca_file, insecure_http=insecure_http_of(os.environ))

    def __enter__(self) -> FleetClient:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.transport.close()

    def sign_in(self, name: str, password: str) -> Session:
        """Sign in as a user. The client uses the session from now on; it can be kept for other clients.

        Raises:
            ClientError: the server refuses.
        """
        self.transport.authenticate(None)
        self.transport.require_encryption()
        self.people.sign_in({"name": name, "password": password})
        session = Session(self.transport.cookies)
        self.transport.authenticate(session)
        return session

    def push_package(self, archive: BinaryIO, progress: Callable[[int, int], None] | None = None) -> tuple[bool, ModelVersion]:
        """Upload the tar of a package in pieces, and resume an interrupted upload of the same bytes. archive: seekable. progress:
        called with (bytes stored, bytes in all). Returns (whether it is new to the registry, its entry in the registry).

        Raises:
            ClientError: the server refuses, or cannot be reached for long.
        """
        return uploads.push_package(self, archive, progress)


def _trust(ca_file: str | Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except (OSError, ssl.SSLError) as error:
        raise ClientError(f"{ca_file}: {error}; specify a PEM file of CA certificates") from error
