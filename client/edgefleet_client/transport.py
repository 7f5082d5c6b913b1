"""HTTP requests to one server: authentication, time limits, safe retries, errors."""

from __future__ import annotations

import ipaddress
import ssl
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx

from edgefleet_client.authentication import Session, Token
from edgefleet_client.errors import (
    ClientError,
    ConnectionFailedError,
    UnencryptedError,
    UnexpectedResponseError,
    error_of,
    proposal_of,
)
from edgefleet_client.event_stream import ServerEvent, parse_events

API_PATH: Final = "/api/v1"
TIMEOUT_S: Final = 30.0
TRIES: Final = 3
PAUSE_S: Final = 0.5
PAUSE_S_MAX: Final = 30.0
"""Longest pause before a retry, also where the server asks for a longer one: then its error is raised."""
QUIET_S_MAX: Final = 90.0
"""Time without a byte after which a stream of events is lost; the server sends a comment more often."""
_REPEATABLE: Final = frozenset({"GET"})
_NOT_NOW: Final = frozenset({429, 502, 503, 504})
KEY_HEADER: Final = "Idempotency-Key"
KEYS_HEADER: Final = "Edgefleet-Idempotency"
"""Of every response of a server that carries requests with a key out once: from version 0.3 on."""
KEY_RUNS: Final = "urn:edgefleet:problem:idempotency-key-in-use"

Segments = Sequence[str | int]
"""Path below `/api/v1`, unescaped."""


class Transport:
    """Sends requests. Only what cannot act twice is retried: reading, requests that the server's rate limit refused, and POST
    with its idempotency key, if the server has said that it knows these keys.

    server: its URL. authentication: of every request. verify: trust of certificates, as for httpx. timeout_s: for each
    connection, and between two bytes. tries: of one request, 1 or more. translate: changes errors before they are raised.
    insecure_http: send credentials to other machines without encryption, too.

    Raises:
        UnencryptedError: credentials would go to another machine without encryption; so does `authenticate`.
        ClientError: the token has characters that no token has.
        ValueError: `server` is no URL.
    """

    def __init__(
        self,
        server: str,
        authentication: Token | Session | None = None,
        *,
        verify: ssl.SSLContext | bool = True,
        timeout_s: float = TIMEOUT_S,
        tries: int = TRIES,
        translate: Callable[[ClientError], Exception] | None = None,
        insecure_http: bool = False,
        table: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.server = server.rstrip("/")
        if urlsplit(self.server).scheme not in ("http", "https") or not urlsplit(self.server).hostname:
            raise ValueError(f"{server!r} is no URL; must be https://HOST[:PORT]")
        self._http = httpx.Client(base_url=f"{self.server}{API_PATH}", timeout=timeout_s, verify=verify)
        self._timeout_s, self._tries, self._sleep = timeout_s, max(1, tries), sleep
        self._translate, self._table = translate, table
        self._knows_keys = False
        self._is_private = insecure_http or not is_unencrypted(self.server)
        self.authenticate(authentication)

    def authenticate(self, authentication: Token | Session | None) -> None:
        """Use this authentication from now on."""
        if isinstance(authentication, Token) or (authentication is not None and authentication.cookies):
            self.require_encryption()
        self._http.headers.pop("Authorization", None)
        self._http.cookies.clear()
        if isinstance(authentication, Token):
            if not (authentication.secret.isascii() and authentication.secret.isprintable()):
                raise self._fault(ClientError("the token has characters that no token has; copy it again"))
            self._http.headers["Authorization"] = f"Bearer {authentication.secret}"
        elif isinstance(authentication, Session):
            self._http.cookies.update(dict(authentication.cookies))

    def require_encryption(self) -> None:
        """Check that credentials may be sent.

        Raises:
            UnencryptedError: they would go to another machine without encryption.
        """
        if not self._is_private:
            fault = UnencryptedError(f"{self.server}: tokens and passwords are not sent without encryption; use https")
            raise self._fault(fault)

    @property
    def cookies(self) -> dict[str, str]:
        """Cookies that the server set, or that the session has."""
        return dict(self._http.cookies)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def ask(self, method: str, path: Segments, **more: Any) -> Any:
        """Send a request; returns the JSON of the response.

        Raises:
            ClientError: of the kinds that `errors` lists; so do the methods below.
        """
        return self._json(self.send(method, path, **more))

    def create(self, method: str, path: Segments, **more: Any) -> tuple[bool, Any]:
        """Send a request; returns (whether the server created something, the JSON of the response)."""
        response = self.send(method, path, **more)
        return response.status_code == 201, self._json(response)

    def fetch(self, method: str, path: Segments, **more: Any) -> bytes:
        """Send a request; returns the bytes of the response."""
        return self.send(method, path, **more).content

    def send(
        self,
        method: str,
        path: Segments,
        *,
        query: Mapping[str, Any] | None = None,
        json: Any = None,
        content: bytes | None = None,
        files: Mapping[str, bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        unlimited: bool = False,
        proposing: bool = False,
    ) -> httpx.Response:
        """Send a request; parameters of the query that are None are left out. unlimited: without a time limit. proposing: return
        a response that has a proposal; without this it raises `ProposedError`, since the request was not carried out."""
        more: dict[str, Any] = {"params": _given(query), "headers": dict(headers or {})}
        if json is not None:
            more["json"] = json
        if content is not None:
            more["content"] = content
            more["headers"]["Content-Type"] = "application/octet-stream"
        if files is not None:
            more["files"] = files
        if unlimited:
            more["timeout"] = None
        if keyed := method == "POST" and content is None and files is None:
            more["headers"].setdefault(KEY_HEADER, str(uuid.uuid4()))
        for attempt in range(1, self._tries + 1):
            try:
                response = self._http.request(method, _path(path), **more)
            except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
                if not self._is_repeatable(method, keyed) or attempt == self._tries:
                    raise self._fault(ConnectionFailedError(str(error)), error) from error
                self._sleep(_pause(attempt))
                continue
            self._knows_keys = self._knows_keys or KEYS_HEADER in response.headers
            if response.status_code < 400:
                if not proposing and (proposed := proposal_of(response)) is not None:
                    raise self._fault(proposed)
                return response
            fault = error_of(response)
            pause = _pause(attempt) if fault.retry_after_s is None else fault.retry_after_s
            again = response.status_code in _NOT_NOW and (self._is_repeatable(method, keyed) or response.status_code == 429)
            again = again or (keyed and fault.kind == KEY_RUNS)
            if not again or attempt == self._tries or pause > PAUSE_S_MAX:
                raise self._fault(fault)
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _is_repeatable(self, method: str, keyed: bool) -> bool:
        return method in _REPEATABLE or (keyed and self._knows_keys)

    def events(self, method: str, path: Segments, *, query: Mapping[str, Any] | None = None) -> Iterator[ServerEvent]:
        """Events of a stream until it is closed by the caller. A lost stream is opened again, at most as often in succession as
        a request is tried; events of the meantime are missing."""
        failures = 0
        while True:
            try:
                with self._http.stream(method, _path(path), params=_given(query), timeout=self._stream_timeout()) as response:
                    if response.status_code >= 400:
                        response.read()
                        raise self._fault(error_of(response))
                    for event in parse_events(response.iter_lines()):
                        failures = 0
                        yield event
                fault = ConnectionFailedError("the server ended the stream")
            except httpx.TransportError as error:
                fault = ConnectionFailedError(str(error))
                fault.__cause__ = error
            except ValueError as error:
                raise self._fault(UnexpectedResponseError(f"{self.server}: {error}"), error) from error
            failures += 1
            if failures >= self._tries:
                raise self._fault(fault)
            self._sleep(_pause(failures))

    def _stream_timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self._timeout_s, read=max(self._timeout_s, QUIET_S_MAX))

    def _json(self, response: httpx.Response) -> Any:
        try:
            return response.json(object_hook=self._table)
        except ValueError as error:
            text = f"{self.server} returned no JSON; is it the address of a fleet server?"
            raise self._fault(UnexpectedResponseError(text), error) from error

    def _fault(self, fault: ClientError, cause: BaseException | None = None) -> Exception:
        fault.__cause__ = fault.__cause__ or cause
        return self._translate(fault) if self._translate is not None else fault


def insecure_http_of(environment: Mapping[str, str]) -> bool:
    """Whether an environment allows credentials without encryption."""
    return environment.get("EDGEFLEET_INSECURE_HTTP", "") == "1"


def is_unencrypted(server: str) -> bool:
    """Whether requests to a URL go to another machine without encryption."""
    parts = urlsplit(server)
    host = parts.hostname or ""
    if parts.scheme != "http" or host == "localhost":
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


def _given(query: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (query or {}).items() if value is not None}


def _path(segments: Segments) -> str:
    return "/" + "/".join(quote(str(segment), safe="") for segment in segments)


def _pause(attempt: int) -> float:
    return min(PAUSE_S * 2.0 ** (attempt - 1), PAUSE_S_MAX)
