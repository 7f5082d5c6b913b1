"""Checks before every request, for all callers: protection against attacks through a browser.

- On loopback, *Host* must be a loopback name or the public name of the server: a page of another site that rebinds its own name
to
  127.0.0.1 (DNS rebinding) sends that name. On other addresses names are not checked: a cookie belongs to the name that set it.
- Requests with unsafe methods, and for WebSockets, must come from the server's own pages or from no page at all: checked by
  `Sec-Fetch-Site`, or else by comparison of `Origin` with `Host`.
- A body over the limit is refused while it arrives, before it can fill the disk.
- Every response has security headers for the browser.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from edgefleet_server.api.error_responses import SAFE_METHODS, answer, error_response, refuse_socket
from edgefleet_server.core.errors import EdgefleetError
from edgefleet_server.core.settings import is_loopback_host

OWN_SITES: Final = frozenset({"same-origin", "none"})
FORM_BYTES: Final = 64 * 1024
"""Size that a multipart form adds to its file."""
JSON_BYTES_MAX: Final = 8 * 1024 * 1024

CONTENT_POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:;"
    " connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class TooLargeError(Exception):
    """The body is over the limit. Not an `InputError`: it has to pass through the framework unhandled."""


class RequestGuard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, upload_bytes_max: int, public_host: str = "", any_name: bool = False) -> None:
        """`public_host`: `name[:port]` of the server's public address behind a proxy. `any_name`: accept any *Host*, for a server
        that other machines reach."""
        self._app = app
        self._public_host = public_host
        self._any_name = any_name
        self._upload_bytes_max = upload_bytes_max + FORM_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":  # browsers let pages of other sites open one, with the cookies of this one
            refusal = self._refusal("WEBSOCKET", headers)
            await (self._app(scope, receive, send) if refusal is None else refuse_socket(scope, send, 403, refusal))
            return
        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await answer(scope, send, 403, refusal)
            return
        multipart = headers.get("content-type", "").startswith("multipart/form-data")
        limit = self._upload_bytes_max if multipart else JSON_BYTES_MAX
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > limit:
            await answer(scope, send, 413, f"the request body exceeds the limit of {limit} bytes")
            return
        labelled = _labelled(send)
        try:
            await self._app(scope, _bounded(receive, limit), labelled)
        except EdgefleetError as error:  # of a middleware: those of operations are answered inside
            await error_response(scope, error)(scope, receive, labelled)

    def _refusal(self, method: str, headers: Headers) -> str | None:
        """The reason why this request is refused, or None."""
        host = headers.get("host", "")
        ours = {host, self._public_host} if self._public_host else {host}
        if not self._any_name and not is_loopback_host(_name(host)) and host != (self._public_host or None):
            return f"host {host[:100]!r} is not this machine; use http://127.0.0.1, or start the server with --public-url"
        if method in SAFE_METHODS:
            return None
        site = headers.get("sec-fetch-site")
        origin = headers.get("origin")
        own = site in OWN_SITES if site is not None else origin is None or urlsplit(origin).netloc in ours
        return None if own else "cross-site request refused"


def _name(host: str) -> str:
    """The name in `name:port` or `[::1]:port`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _bounded(receive: Receive, limit: int) -> Receive:
    taken = 0

    async def count() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise TooLargeError(f"the request body exceeds the limit of {limit} bytes")
        return message

    return count


def _labelled(send: Send) -> Send:
    async def label(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = CONTENT_POLICY
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-store")
            headers["Edgefleet-Idempotency"] = "1"  # clients may send a POST with a key again
        await send(message)

    return label
